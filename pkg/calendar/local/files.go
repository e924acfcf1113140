package local

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// ReadDir reads the .ics files of a directory and of its folders for New, by their paths in it. A directory without any
// is an error, because it is most likely the wrong one.
func ReadDir(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && strings.Contains(name, "/"):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".ics":
			return nil
		}
		files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read calendars: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("read calendars: no .ics file in %s", dir)
	}
	return files, nil
}
