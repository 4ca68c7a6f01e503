// Package suite is what every benchmark of trawl has in common: a name, a run,
// and results that can be held against a floor.
package suite

import (
	"context"
	"io"
	"path/filepath"
)

// Result is one measured number.
type Result struct {
	Name  string  // "web-main-articles.f1"; the key in floors.json
	Value float64 // the number itself
	Unit  string  // "F1", "x", "pages/s", "MiB"; for the reader
	Lower bool    // true where less is better: the floor is then a ceiling
	Note  string  // what it was measured against, in a few words
}

// Suite is a named group of measurements.
type Suite struct {
	Name string
	Data string // folder below Env.Data it reads; empty: needs none
	Run  func(ctx context.Context, env Env) ([]Result, error)
}

// Env is where a suite finds its data and leaves its details.
type Env struct {
	Data  string    // the shared data folder
	Out   string    // folder for one JSON line per item, so that a change can be looked at item by item
	Log   io.Writer // progress for a person
	Quick bool      // a short form: fewer items or rounds, same code
}

// Path joins the name of something below the data folder.
func (e Env) Path(elem ...string) string {
	return filepath.Join(append([]string{e.Data}, elem...)...)
}
