package place

import (
	"fmt"
	"iter"
	"strings"
)

// Kinds translates between our kinds of places ("wine bar") and a source's names for them.
type Kinds struct {
	theirs map[string][]string
	ours   map[string]string
}

// ReadKinds reads a table with a line for each kind, "KIND: NAME …"; see TableLines. A name shared by two kinds belongs
// to the first.
func ReadKinds(table string) (Kinds, error) {
	k := Kinds{map[string][]string{}, map[string]string{}}
	for line := range TableLines(table) {
		kind, list, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(list) == "" {
			return Kinds{}, fmt.Errorf("the kind of place %q has no names", line)
		}
		k.theirs[kind] = strings.Fields(list)
		for _, name := range k.theirs[kind] {
			if _, known := k.ours[name]; !known {
				k.ours[name] = kind
			}
		}
	}
	return k, nil
}

// TableLines are the trimmed lines of a table, without empty ones and those that begin with #.
func TableLines(table string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(table) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Of is the source's names for a kind, which may be written with "_" for spaces, in the plural, or with "restaurant" at
// its end. words is the kind in plain words, empty if nothing was written; search for them if the source has no name.
func (k Kinds) Of(written string) (names []string, words string) {
	words = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(written), "_", " "))
	if names = k.theirs[words]; len(names) == 0 {
		names = k.theirs[strings.TrimSuffix(strings.TrimSuffix(words, "s"), " restaurant")]
	}
	return names, words
}

// Called is our kind for a source's name; ok is false if we have none.
func (k Kinds) Called(name string) (kind string, ok bool) {
	kind, ok = k.ours[name]
	return kind, ok
}
