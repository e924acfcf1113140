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
	return some && r.waiting.Kind == WaitingChanges && (r.said["only"] || r.said["not"])
}

// among is how the changes are meant that a key tells by their place, their kind or their age: "the first two", "the
// mail", "don't tell her", "the oldest". It returns how many words that takes, as it is given; 0 if it means none.
func (r *replying) among(key string) (mean func(n int) int, ok bool) {
	name, which, _ := strings.Cut(key, " ")
	mean, ok = map[string]func(n int) int{
		"nth":   func(n int) int { r.counted = true; return r.nth(which, n) },
		"first": func(n int) int { r.counted = true; return r.upTo(which, n) },
		"kind":  func(n int) int { return r.deed(which, n) },
		"not": func(n int) int {
			r.said["not"] = true
			return r.deed(which, n)
		},
		"oldest": func(n int) int { return r.aged(key, n) },
		"newest": func(n int) int { return r.aged(key, n) },
	}[name]
	return mean, ok && which != ""
}

// deed means the changes of a kind, some of those that wait: "the mail" of what is also to be cancelled.
func (r *replying) deed(kind string, n int) int {
	var is []int
	for o, deed := range r.waiting.Deeds {
		if does(kind)(deed) {
			is = append(is, o)
		}
	}
	if len(is) == 0 || len(is) == len(r.waiting.Deeds) {
		return 0
	}
	for _, o := range is {
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
