package google

import (
	_ "embed"
	"slices"
	"strings"

	"convene/pkg/place"
)

//go:embed types.txt
var typesFile string

// typesOf are Google's types of these kinds, and the kinds in words; known is false if a kind has no type, so that a
// search by words is needed.
func typesOf(k place.Kinds, kinds []string) (list, words []string, known bool) {
	known = true
	for _, kind := range kinds {
		found, said := k.Of(kind)
		if said == "" {
			continue
		}
		known = known && len(found) > 0
		list, words = append(list, found...), append(words, said)
	}
	slices.Sort(list)
	return slices.Compact(list), words, known
}

// called are the kinds of a place of these types: our own names, or else Google's words.
func called(k place.Kinds, primary string, list []string) (kinds []string) {
	for _, one := range append([]string{primary}, list...) {
		name, known := k.Called(one)
		if !known {
			name = strings.ReplaceAll(one, "_", " ")
		}
		if name != "" && !vague(one) && !slices.Contains(kinds, name) {
			kinds = append(kinds, name)
		}
	}
	return kinds
}

// vague reports whether a type applies to nearly every place.
func vague(one string) bool {
	return one == "point_of_interest" || one == "establishment" || one == "food" || one == "store"
}
