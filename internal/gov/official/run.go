package official

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// errEnough ends a run that has reached its limit.
var errEnough = errors.New("limit reached")

// run is one bringing-up-to-date of one source.
type run struct {
	client   *client
	opts     Options
	dir      string
	state    state
	progress Progress
	began    time.Time
}

// state remembers what was brought and how the publisher marked it. It is
// written after every file, so a run that ends anywhere goes on from there.
type state struct {
	Files map[string]stamp `json:"files"` // by address
}

// stamp is what a publisher says about a version of a file.
type stamp struct {
	Name         string `json:"name"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"lastModified,omitempty"`
	Size         int64  `json:"size"`
}

const stateName = "sync-state.json"

func newRun(src source, opts Options) (*run, error) {
	dir := filepath.Join(opts.Dir, src.name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make folder: %w", err)
	}
	r := &run{client: newClient(src, opts), opts: opts, dir: dir, began: opts.now(), progress: Progress{Source: src.name}}
	r.state.Files = make(map[string]stamp)
	body, err := os.ReadFile(r.path(stateName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("read sync state: %w", err)
	default:
		if err := json.Unmarshal(body, &r.state); err != nil {
			return nil, fmt.Errorf("read sync state: %w", err)
		}
	}
	return r, nil
}

func (r *run) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// bring makes one file current.
func (r *run) bring(ctx context.Context, f file) error {
	if r.opts.Limit > 0 && r.progress.Done == r.opts.Limit {
		return errEnough
	}
	if !filepath.IsLocal(filepath.FromSlash(f.name)) {
		return fmt.Errorf("file name %q leads out of the folder", f.name)
	}
	r.progress.Files++
	old, known := r.state.Files[f.url]
	if _, err := os.Stat(r.path(f.name)); err != nil || !known {
		old = stamp{}
	}
	get := r.download
	if f.body != nil {
		get = r.keepBody
	}
	fresh, bytes, err := get(ctx, f, old)
	if err != nil {
		return fmt.Errorf("bring %s: %w", f.name, err)
	}
	if fresh == old && bytes == 0 {
		r.progress.Same++
	} else {
		r.state.Files[f.url] = fresh
		if err := r.save(); err != nil {
			return err
		}
	}
	r.report(f.name, bytes)
	return nil
}

func (r *run) report(name string, bytes int64) {
	r.progress.Done++
	r.progress.Bytes += bytes
	r.progress.Current = name
	if took := r.opts.now().Sub(r.began).Seconds(); took > 0 {
		r.progress.Rate = float64(r.progress.Bytes) / took
		if left := r.progress.Files - r.progress.Done; left > 0 {
			r.progress.Left = time.Duration(took / float64(r.progress.Done) * float64(left) * float64(time.Second))
		}
	}
	if r.opts.Progress != nil {
		r.opts.Progress(r.progress)
	}
}

// download asks for a file unless it is unchanged. A part left by an earlier
// run is gone on with, if the publisher still has the same version.
func (r *run) download(ctx context.Context, f file, old stamp) (stamp, int64, error) {
	part := r.path(f.name) + ".part"
	if err := os.MkdirAll(filepath.Dir(part), 0o755); err != nil {
		return stamp{}, 0, fmt.Errorf("make folder: %w", err)
	}
	mark, have := readPart(part)
	res, err := r.client.get(ctx, f.url, func(h http.Header) {
		switch {
		case have > 0 && mark != "":
			h.Set("Range", fmt.Sprintf("bytes=%d-", have))
			h.Set("If-Range", mark)
		case old.ETag != "":
			h.Set("If-None-Match", old.ETag)
		case old.LastModified != "":
			h.Set("If-Modified-Since", old.LastModified)
		}
	})
	if err != nil {
		return stamp{}, 0, err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNotModified {
		return old, 0, nil
	}
	fresh := stamp{Name: f.name, ETag: res.Header.Get("ETag"), LastModified: res.Header.Get("Last-Modified")}
	size, err := writePart(part, fresh, res)
	if err != nil {
		return stamp{}, 0, err
	}
	fresh.Size = size
	if err := errors.Join(os.Rename(part, r.path(f.name)), removeMark(part)); err != nil {
		return stamp{}, 0, fmt.Errorf("put file in place: %w", err)
	}
	return fresh, max(size-have, 1), nil
}

// keepBody writes a file the list brought along, unless it is there like that.
func (r *run) keepBody(_ context.Context, f file, old stamp) (stamp, int64, error) {
	sum := sha256.Sum256(f.body)
	fresh := stamp{Name: f.name, ETag: hex.EncodeToString(sum[:]), Size: int64(len(f.body))}
	if fresh == old {
		return old, 0, nil
	}
	part := r.path(f.name) + ".part"
	if err := os.WriteFile(part, f.body, 0o644); err != nil {
		return stamp{}, 0, fmt.Errorf("write file: %w", err)
	}
	if err := os.Rename(part, r.path(f.name)); err != nil {
		return stamp{}, 0, fmt.Errorf("put file in place: %w", err)
	}
	return fresh, fresh.Size, nil
}

// writePart writes a body to the part file, after what is there if the
// publisher goes on from it, and gives the whole size.
func writePart(part string, fresh stamp, res *http.Response) (int64, error) {
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if res.StatusCode == http.StatusPartialContent {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	} else if err := writeMark(part, fresh); err != nil {
		return 0, err
	}
	out, err := os.OpenFile(part, flags, 0o644)
	if err != nil {
		return 0, fmt.Errorf("open part: %w", err)
	}
	_, err = io.Copy(out, res.Body)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		return 0, fmt.Errorf("write part: %w", err)
	}
	info, err := os.Stat(part)
	if err != nil {
		return 0, fmt.Errorf("look at part: %w", err)
	}
	return info.Size(), nil
}

// A part file has a mark beside it: the version it is a part of.
func markName(part string) string { return part + ".mark" }

func writeMark(part string, s stamp) error {
	mark := s.ETag
	if mark == "" {
		mark = s.LastModified
	}
	if err := os.WriteFile(markName(part), []byte(mark), 0o644); err != nil {
		return fmt.Errorf("write mark: %w", err)
	}
	return nil
}

func removeMark(part string) error {
	if err := os.Remove(markName(part)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// readPart gives the version and size of a part left by an earlier run.
func readPart(part string) (mark string, have int64) {
	info, err := os.Stat(part)
	if err != nil {
		return "", 0
	}
	body, err := os.ReadFile(markName(part))
	if err != nil || len(body) == 0 {
		return "", 0
	}
	return string(body), info.Size()
}

func (r *run) save() error {
	body, err := json.MarshalIndent(r.state, "", " ")
	if err != nil {
		return fmt.Errorf("encode sync state: %w", err)
	}
	tmp := r.path(stateName) + ".tmp"
	if err := os.WriteFile(tmp, body, 0o644); err != nil {
		return fmt.Errorf("write sync state: %w", err)
	}
	if err := os.Rename(tmp, r.path(stateName)); err != nil {
		return fmt.Errorf("write sync state: %w", err)
	}
	return nil
}
