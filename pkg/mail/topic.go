package mail

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Topics are words, each of which names what several of the mails are about, by the mails' ids. A mail has at most one:
// the word that most others share, but not one that most mails have.
func Topics(mails []Mail) map[string]string {
	words := make(map[string][]string, len(mails)) // of mails without a topic
	for _, m := range mails {
		words[m.ID] = topicWords(m.Subject)
	}
	of := map[string]string{}
	for best := common(words, len(mails)); best != ""; best = common(words, len(mails)) {
		for id, list := range words {
			if slices.Contains(list, best) {
				of[id] = best
				delete(words, id)
			}
		}
	}
	return of
}

// topicWords are the words of a subject that may name a topic, each once.
func topicWords(subject string) []string {
	const shortest = 4 // letters
	list := strings.FieldsFunc(fold(subject), func(r rune) bool { return !unicode.IsLetter(r) })
	list = slices.DeleteFunc(list, func(w string) bool {
		return utf8.RuneCountInString(w) < shortest || slices.Contains(cues["empty"], w)
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// common is the word that most of the lists share, the longest of several; empty if none shares one, or too many do.
func common(words map[string][]string, all int) (best string) {
	counts := map[string]int{}
	for _, list := range words {
		for _, w := range list {
			counts[w]++
		}
	}
	for w, n := range counts {
		if n > 1 && n <= max(2, all/2) && (best == "" ||
			cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(len(w), len(best)), cmp.Compare(best, w)) > 0) {
			best = w
		}
	}
	return best
}
