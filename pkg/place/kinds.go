package place

import (
	"fmt"
	"strings"
)

// Kinds translates between what we call a kind of place, as "wine bar", and a source's own names for it.
type Kinds struct {
	theirs map[string][]string
	ours   map[string]string
}

// ReadKinds reads a table that has a line for each kind, "KIND: NAME …". Empty lines and those that begin with # say
// nothing. Where two kinds have a name in common, it is that of the first.
func ReadKinds(table string) (Kinds, error) {
	k := Kinds{map[string][]string{}, map[string]string{}}
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
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

// Of is the source's names for a kind, however it is written: with "_" for spaces, in the plural, with "restaurant"
// behind it. words is the kind as people say it, empty where nothing was written. Where the source has no names for it,
// the words are what to look for.
func (k Kinds) Of(written string) (names []string, words string) {
	words = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(written), "_", " "))
	if names = k.theirs[words]; len(names) == 0 {
		names = k.theirs[strings.TrimSuffix(strings.TrimSuffix(words, "s"), " restaurant")]
	}
	return names, words
}

// Called is what we call the kind that the source calls name; ok is false where we have no word for it.
func (k Kinds) Called(name string) (kind string, ok bool) {
	kind, ok = k.ours[name]
	return kind, ok
}
