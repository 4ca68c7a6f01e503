package govbench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/klauspost/compress/zstd"
)

// unit is one line of the reference list.
type unit struct {
	ID      string   `json:"id"`
	URL     string   `json:"url"`
	AltURLs []string `json:"alt_urls"`
	Source  string   `json:"source"`
	Path    string   `json:"path"`
	Title   string   `json:"title"`
	Chars   int      `json:"chars"`
}

func readUnits(path string) ([]unit, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open units: %w", err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("open units: %w", err)
	}
	defer z.Close()
	var out []unit
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var u unit
		if err := json.Unmarshal(lines.Bytes(), &u); err != nil {
			return nil, fmt.Errorf("read unit: %w", err)
		}
		out = append(out, u)
	}
	return out, lines.Err()
}
