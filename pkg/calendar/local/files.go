package local

import (
	"fmt"
	"os"
	"path/filepath"
)

// ReadDir reads the .ics files of a directory for New. A directory without any is an error, because it is most likely
// the wrong one.
func ReadDir(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != ".ics" {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read calendars: %w", err)
		}
		files[entry.Name()] = data
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("read calendars: no .ics file in %s", dir)
	}
	return files, nil
}
