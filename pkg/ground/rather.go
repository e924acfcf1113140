package ground

import "slices"

// rather reports of a name whether it is meant in place of another one with some of its words: it has all of these and
// more of its title, or is that of a list that the message calls one ("the Lisbon list").
func (r *reading) rather(m mention) func(o mention) bool {
	return func(o mention) bool {
		if o.kind == m.kind || !sharesWord(o, m) {
			return false
		}
		within := !slices.ContainsFunc(m.words, func(i int) bool { return !slices.Contains(o.words, i) })
		more := within && len(o.words) > len(m.words) && o.covered >= max(m.covered, mostOfTitle)
		return more || o.kind == List && r.saysList(o)
	}
}

// saysList reports whether the message has a word for a list beside the name of one.
func (r *reading) saysList(m mention) bool {
	is := func(i int) bool { return i >= 0 && i < len(r.words) && words()["list"].MatchString(r.words[i].lower) }
	first := m.words[0] - 1
	for first >= 0 && onlySays(r.words[first].lower, "small", "about", "measured", "determiner") {
		first--
	}
	return is(m.words[len(m.words)-1]+1) || is(first)
}

// isInside reports whether all that a reading means has its words in a longer name: "the insurance call" is no call.
func (r *reading) isInside(name mention) bool {
	return !slices.ContainsFunc(r.found, func(m mention) bool {
		return len(m.words) == 0 || name.covered < mostOfTitle || len(m.words) >= len(name.words) ||
			slices.ContainsFunc(m.words, func(i int) bool { return !slices.Contains(name.words, i) })
	})
}
