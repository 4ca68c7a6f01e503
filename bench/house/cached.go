package house

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/trawlhq/trawl/bench/house/process"
	"github.com/trawlhq/trawl/bench/scraping/pages"
	"github.com/trawlhq/trawl/bench/suite"
)

// cached measures how fast a page that is in the cache is answered, against a
// bare net/http handler in a process of its own that writes the same bytes.
func cached(ctx context.Context, env suite.Env) (results []suite.Result, err error) {
	dir, err := os.MkdirTemp("", "trawl-bench-house-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	trawl, err := buildAndServe(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, trawl.Stop()) }()
	site := pages.Serve(pages.Make(1))
	defer site.Close()
	body := fmt.Sprintf(`{"url":"%s/0"}`, site.URL)
	answer, err := warm(ctx, trawl.URL+"/v2/scrape", body)
	if err != nil {
		return nil, err
	}
	bare, err := serveBare(ctx, dir, answer)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, bare.Stop()) }()
	return compare(ctx, env, sides{trawl: trawl, bare: bare, body: body, size: len(answer), length: roundTime})
}

func buildAndServe(ctx context.Context, dir string) (*process.Process, error) {
	binary, err := process.Build(ctx, dir, "cmd/trawl")
	if err != nil {
		return nil, err
	}
	return Serve(ctx, binary, filepath.Join(dir, "trawl-dir"))
}

func serveBare(ctx context.Context, dir string, answer []byte) (*process.Process, error) {
	file := filepath.Join(dir, "answer.json")
	if err := os.WriteFile(file, answer, 0o600); err != nil {
		return nil, fmt.Errorf("keep answer: %w", err)
	}
	binary, err := process.Build(ctx, dir, "bench/house/bare")
	if err != nil {
		return nil, err
	}
	return process.Start(ctx, filepath.Join(dir, "bare-log"), binary, file)
}

// warm scrapes the page twice and gives the second answer, which must be from the cache.
func warm(ctx context.Context, address, body string) (answer []byte, err error) {
	for range 2 {
		if answer, err = post(ctx, address, body); err != nil {
			return nil, err
		}
	}
	var reply struct {
		Data struct {
			Metadata struct {
				CacheState string `json:"cacheState"`
			} `json:"metadata"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &reply); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	if state := reply.Data.Metadata.CacheState; state != "hit" {
		return nil, fmt.Errorf("the second scrape should be answered from the cache, but its state is %q", state)
	}
	return answer, nil
}

func post(ctx context.Context, address, body string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+Key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("POST %s: status %d: %s", address, res.StatusCode, answer)
	}
	return answer, err
}
