package offline

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// narrows reports whether a message says of several changes which ones are meant, or which are not: "no, only the gym",
// "no, don't tell al".
func (r *replying) narrows() bool {
	some := len(r.meant) > 0 && len(r.meant) < len(r.waiting.Options)
	return some && r.waiting.Kind == WaitingChanges && (r.said["only"] || r.said["not"] || len(r.refused) > 0)
}

// among is how the changes are meant that a key tells by their place, their kind or their age: "the first two", "the
// mail", "don't tell her", "the oldest". It returns how many words that takes, as it is given; 0 if it means none.
func (r *replying) among(key string) (mean func(n int) int, ok bool) {
	name, which, _ := strings.Cut(key, " ")
	mean, ok = map[string]func(n int) int{
		"nth":   func(n int) int { r.counted = true; return r.nth(which, n) },
		"first": func(n int) int { r.counted = true; return r.upTo(which, n) },
		"last":  func(n int) int { r.counted = true; return r.fromEnd(which, n) },
		"kind":  func(n int) int { return r.deed(which, n) },
		"not": func(n int) int {
			r.said["not"], r.side = true, against
			return r.deed(which, n)
		},
		"rest":   func(n int) int { return r.others(n) },
		"oldest": func(n int) int { return r.aged(key, n) },
		"newest": func(n int) int { return r.aged(key, n) },
	}[name]
	return mean, ok && which != ""
}

// fromEnd means so many options up to the last one.
func (r *replying) fromEnd(count string, n int) int {
	many, _ := strconv.Atoi(count)
	for o := len(r.waiting.Options) - many; o < len(r.waiting.Options); o++ {
		if o < 0 {
			return 0
		}
		r.mean(o)
	}
	return n
}

// deed means the changes of some kinds, some of those that wait: "the mail" of what is also to be cancelled.
func (r *replying) deed(kinds string, n int) int {
	var is []int
	for o, deed := range r.waiting.Deeds {
		ofKind := func(word string) bool { return slices.Contains(strings.Fields(kinds), word) }
		if slices.ContainsFunc(strings.Fields(deed), ofKind) {
			is = append(is, o)
		}
	}
	if len(is) == 0 || len(is) == len(r.waiting.Deeds) && r.side != against {
		return 0
	}
	for _, o := range is {
		r.mean(o)
	}
	return n
}

// others means the changes that were not named: "the first one, not the rest".
func (r *replying) others(n int) int {
	all := countTo(len(r.waiting.Options))
	for _, o := range slices.DeleteFunc(all, func(o int) bool { return slices.Contains(r.meant, o) }) {
		r.mean(o)
	}
	return n
}

// aged means the oldest or the newest of the changes, as many as are said: "only the two oldest".
func (r *replying) aged(key string, n int) int {
	which, count, _ := strings.Cut(key, " ")
	many, _ := strconv.Atoi(count)
	all := r.waiting.Times
	if many > len(all) || slices.ContainsFunc(all, time.Time.IsZero) {
		return 0
	}
	order := countTo(len(all))
	slices.SortStableFunc(order, func(a, b int) int { return all[a].Compare(all[b]) })
	if which == "newest" {
		slices.Reverse(order)
	}
	for _, o := range order[:many] {
		r.mean(o)
	}
	return n
}

// side is what words of an answer say of the changes that are named after them.
type side int

// Words for a change, against it, and those that leave things as they are: what would be deleted or changed is not, and
// what would be made or sent is.
const (
	inFavour side = iota + 1
	against
	keeping
)

// sides are the keys after which changes are wanted or not.
var sides = map[string]side{
	"only": inFavour, "do": inFavour, "yes": inFavour, "send": inFavour, "not": against, "except": against, "no": against,
	"keep": keeping, "stays": against,
}

// turns notes what words of a key at word i say of what is named after them. A no says nothing of that by itself.
func (r *replying) turns(key string, i int) {
	if r.tokens[i].opens || sides[key] != 0 {
		r.lately = nil
	}
	contrasts := key == "except" && r.side == against || key == "rest of" && r.tokens[i].opens && len(r.refused) > 0
	switch {
	case contrasts: // "not the first but the second", "not the mail, the rest yes"
		r.side = inFavour
	case sides[key] != 0 && key != "no":
		r.side = sides[key]
	}
}

// refuses reports whether the words of a key, from one word to another, end a clause and refuse what it names: "the
// mail not", "el correo no".
func (r *replying) refuses(key string, from, to int) bool {
	ends := to == len(r.tokens) || r.tokens[to].opens
	if len(r.lately) == 0 || sides[key] != against || r.tokens[from].opens || !ends {
		return false
	}
	for _, o := range r.lately {
		r.refuse(o)
	}
	return true
}

// counts reports whether a key is the place of one of the changes: "the third one".
func (*replying) counts(key string) bool { return strings.HasPrefix(key, "nth ") }

// isTwoSided reports whether some of the changes that are named are wanted, and others refused.
func (r *replying) isTwoSided() bool { return len(r.refused) > 0 && len(r.refused) < len(r.meant) }

// choosesSome reports whether the changes that are named are those that are to be made.
func (r *replying) choosesSome() bool {
	return r.said["only"] || r.said["do"] || r.said["meant"] || !r.said["all"]
}

// refusesAny reports whether the message refuses anything, whether or not that is named.
func (r *replying) refusesAny() bool {
	return r.said["not"] || r.said["except"] || r.said["keep"] && len(r.meant) == 0 || len(r.refused) > 0
}

// isAgainst reports whether the words before an option say that it is not to be done.
func (r *replying) isAgainst(option int) bool {
	makes := option < len(r.waiting.Deeds) && slices.ContainsFunc([]string{"create", "send"}, func(deed string) bool {
		return does(deed)(r.waiting.Deeds[option])
	})
	return r.side == against || r.side == keeping && !makes
}

func (r *replying) refuse(option int) {
	if !slices.Contains(r.refused, option) {
		r.refused = append(r.refused, option)
	}
}

// wanted are the options that are named and not refused.
func (r *replying) wanted() []int {
	return slices.DeleteFunc(slices.Clone(r.meant), func(o int) bool { return slices.Contains(r.refused, o) })
}
