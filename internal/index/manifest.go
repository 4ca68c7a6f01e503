package index

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const manifestName = "manifest.json"

// manifest names the files in force. Replacing it is the commit.
type manifest struct {
	Version  uint64            `json:"version"`
	Next     uint64            `json:"next"` // number of the next file
	Segments []segmentFiles    `json:"segments"`
	Notes    map[string]string `json:"notes,omitempty"`
}

type segmentFiles struct {
	Name    string `json:"name"`
	Deleted string `json:"deleted,omitempty"`
}

func readManifest(dir string) (manifest, time.Time, error) {
	var m manifest
	path := filepath.Join(dir, manifestName)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return m, time.Time{}, nil
	}
	if err != nil {
		return m, time.Time{}, fmt.Errorf("look at manifest: %w", err)
	}
	body, err := os.ReadFile(path)
	if err != nil {
		return m, time.Time{}, fmt.Errorf("read manifest: %w", err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, time.Time{}, fmt.Errorf("read manifest: %w", err)
	}
	return m, info.ModTime(), nil
}

// write replaces the manifest on disk. After it returns, the commit is durable.
func (m manifest) write(dir string) error {
	body, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return fmt.Errorf("encode manifest: %w", err)
	}
	tmp := filepath.Join(dir, manifestName+".tmp")
	if err := writeSynced(tmp, body); err != nil {
		return fmt.Errorf("write manifest: %w", err)
	}
	if err := os.Rename(tmp, filepath.Join(dir, manifestName)); err != nil {
		return fmt.Errorf("replace manifest: %w", err)
	}
	return syncDir(dir)
}

func writeSynced(path string, body []byte) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("open index folder: %w", err)
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes the files no manifest names: what a killed writer left behind.
func (m manifest) sweep(dir string) error {
	keep := map[string]bool{manifestName: true, lockName: true}
	for _, s := range m.Segments {
		keep[s.Name], keep[s.Deleted] = true, true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("list index folder: %w", err)
	}
	for _, e := range entries {
		if keep[e.Name()] || e.IsDir() {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return fmt.Errorf("remove left-over file: %w", err)
		}
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove old file: %w", err)
	}
	return nil
}
