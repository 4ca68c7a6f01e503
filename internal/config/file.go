package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
	"gopkg.in/yaml.v3"
)

// FileName is the settings file in the data directory.
const FileName = "trawl.yaml"

// File gives the values of trawl.yaml to the command line. The key of a
// setting is its flag in camel case: dataDir for --data-dir.
type File struct {
	path   string
	values map[string]any
	known  map[string]bool
}

// ReadFile reads the settings file of a data directory; one that is not there is empty.
func ReadFile(dataDir string) (*File, error) {
	f := &File{path: filepath.Join(dataDir, FileName), known: map[string]bool{}}
	data, err := os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	if err := yaml.Unmarshal(data, &f.values); err != nil {
		return nil, fmt.Errorf("read settings in %s: %w", f.path, err)
	}
	return f, nil
}

// Validate implements kong.Resolver: a key that no setting has is a mistake the operator must see.
func (f *File) Validate(app *kong.Application) error {
	f.learn(app.Node)
	for key := range f.values {
		if !f.known[key] {
			return fmt.Errorf("%s: there is no setting %q", f.path, key)
		}
	}
	return nil
}

func (f *File) learn(n *kong.Node) {
	for _, flag := range n.Flags {
		f.known[Key(flag.Name)] = true
	}
	for _, child := range n.Children {
		f.learn(child)
	}
}

// Resolve implements kong.Resolver. What the environment says wins over the file.
func (f *File) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Tag.Envs {
		if _, set := os.LookupEnv(env); set {
			return nil, nil
		}
	}
	value, ok := f.values[Key(flag.Name)]
	if !ok {
		return nil, nil
	}
	if list, ok := value.([]any); ok {
		return joined(list), nil
	}
	return fmt.Sprint(value), nil
}

// joined writes a list as the flag would have it.
func joined(list []any) string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = fmt.Sprint(item)
	}
	return strings.Join(words, ",")
}

// Key gives the name of a setting in the file: data-dir is dataDir.
func Key(flag string) string {
	words := strings.Split(flag, "-")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
