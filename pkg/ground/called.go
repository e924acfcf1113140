package ground

import "slices"

// Called are the words of a message that name things of a kind which are not done, and no event or person besides.
func Called(m Message, kind Kind) (words []string) {
	r := newReading(m)
	if kind == Task && !r.mayNameTask() {
		return nil
	}
	all := r.named()
	for _, m := range all {
		first, last := r.words[m.words[0]].from, r.words[m.words[len(m.words)-1]].to
		isPerson := slices.ContainsFunc(r.people, func(p said) bool { return p.from <= first && last <= p.to })
		isEvent := kind != Event &&
			slices.ContainsFunc(all, func(o mention) bool { return o.kind == Event && sharesWord(o, m) })
		isOpen := slices.ContainsFunc(m.things, func(t Thing) bool { return !t.Done })
		if m.kind == kind && isOpen && !isPerson && !isEvent {
			words = append(words, r.Text[first:last])
		}
	}
	return words
}

// mayNameTask reports whether the message may name one of the tasks, as most messages do not. It asks before times are
// read, which only take words away from names.
func (r *reading) mayNameTask() bool {
	if slices.ContainsFunc(r.words, func(w word) bool { return words()["oftask"].MatchString(w.lower) }) {
		return true
	}
	groups, titles, often := r.byTitle()
	for i, g := range groups {
		if g[0].Kind == Task && r.mentionOf(g, titles[i], often[Task]).covered > 0 {
			return true
		}
	}
	return false
}
