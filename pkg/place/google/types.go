package google

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed types.txt
var typesFile string

// types translates between kinds of place and Google's types.
type types struct {
	google map[string][]string
	names  map[string]string
}

func readTypes(file string) (types, error) {
	t := types{map[string][]string{}, map[string]string{}}
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, list, found := strings.Cut(line, ":")
		if !found || strings.TrimSpace(list) == "" {
			return t, fmt.Errorf("kind %q has no types", line)
		}
		t.google[name] = strings.Fields(list)
		for _, one := range t.google[name] {
			if _, known := t.names[one]; !known {
				t.names[one] = name
			}
		}
	}
	return t, nil
}

// of are Google's types of these kinds, and the kinds in words; known is false where one of them is no type of Google's,
// so that the words must be looked for.
func (t types) of(kinds []string) (list, words []string, known bool) {
	known = true
	for _, kind := range kinds {
		kind = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(kind), "_", " "))
		if kind == "" {
			continue
		}
		found := t.google[kind]
		if len(found) == 0 {
			found = t.google[strings.TrimSuffix(strings.TrimSuffix(kind, "s"), " restaurant")]
		}
		known = known && len(found) > 0
		list, words = append(list, found...), append(words, kind)
	}
	slices.Sort(list)
	return slices.Compact(list), words, known
}

// called are the kinds of a place of these types: our own names for those that have one, and otherwise Google's words.
func (t types) called(primary string, list []string) (kinds []string) {
	for _, one := range append([]string{primary}, list...) {
		name, known := t.names[one]
		if !known {
			name = strings.ReplaceAll(one, "_", " ")
		}
		if name != "" && !vague(one) && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// vague reports a type that says nothing: all places have it.
func vague(one string) bool {
	return one == "point_of_interest" || one == "establishment" || one == "food" || one == "store"
}
