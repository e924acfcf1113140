package mail

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Topics are words of which each names what several of the mails are about, by the mails' ids. A mail has at most one:
// the word that most others share, but not one that most mails have.
func Topics(mails []Mail) map[string]string {
	const shortest = 4 // letters
	words := make(map[string][]string, len(mails))
	for _, m := range mails {
		list := strings.FieldsFunc(fold(m.Subject), func(r rune) bool {
			return !unicode.IsLetter(r)
		})
		list = slices.DeleteFunc(list, func(w string) bool { return len([]rune(w)) < shortest || asks(w, "empty") })
		slices.Sort(list)
		words[m.ID] = slices.Compact(list)
	}
	of := map[string]string{}
	for {
		counts := map[string]int{}
		for id, list := range words {
			for _, w := range list {
				if of[id] == "" {
					counts[w]++
				}
			}
		}
		best := ""
		for w, n := range counts {
			if n > 1 && n <= max(2, len(mails)/2) && (best == "" ||
				cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(len(w), len(best)), cmp.Compare(best, w)) > 0) {
				best = w
			}
		}
		if best == "" {
			return of
		}
		for id, list := range words {
			if of[id] == "" && slices.Contains(list, best) {
				of[id] = best
			}
		}
	}
}
