package list

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

//go:embed words.json
var wordsJSON []byte

// language is what is known of the words of lists in one language.
type language struct {
	// And join items. Idle words say nothing about a thing.
	And, Idle []string
	Numbers   map[string]float64
	// Half adds a half to the number before it, and Times multiply it.
	Half  []string
	Times map[string]float64
	// Measures may stand right before a thing, and Packs need one of Of between.
	Measures, Packs, Of []string
	// Whole are things whose name has a word that joins others; Vav are Hebrew words that begin like one.
	Whole, Vav []string
	// Repairs say that what is listed before them is not meant.
	Repairs []string
	// List and Shopping are words in names of lists.
	List, Shopping []string
}

var languages = sync.OnceValue(func() map[string]*language {
	var all map[string]*language
	if err := json.Unmarshal(wordsJSON, &all); err != nil {
		panic(fmt.Sprintf("words of lists: %v", err))
	}
	return all
})

// bare is the name of a list without words that any list may have.
func bare(name string) string {
	kept := slices.DeleteFunc(strings.Fields(name), func(w string) bool {
		for _, l := range languages() {
			if slices.Contains(l.List, strings.ToLower(w)) {
				return true
			}
		}
		return false
	})
	return strings.Join(kept, " ")
}

// Name is the name of a new list that was called so: without words around it that any list may have, and with a
// capital.
func Name(said string) string {
	words := strings.Fields(meet.Caption(said))
	common := func(w string) bool { return bare(w) == "" }
	for len(words) > 1 && common(words[0]) {
		words = words[1:]
	}
	for len(words) > 1 && common(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	name := strings.Join(words, " ")
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

func essence(name string) []string { return agenda.Stems(bare(name)) }

// forShopping reports whether a list's name is a word for shopping.
func forShopping(name string) bool {
	words := strings.Fields(strings.ToLower(bare(name)))
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		for _, l := range languages() {
			if slices.Contains(l.Shopping, w) {
				return false
			}
		}
		return true
	})
}
