package offline

import (
	"maps"
	"slices"
)

// needed lists words of which a message must have at least one for the alternative to hold. If there are no such words,
// it lists the empty word alone.
func (a *alternative) needed() []string {
	for i := range a.all {
		if c := &a.all[i]; !c.denied && len(c.phrase.needed) > 0 {
			return c.phrase.needed[:1]
		}
	}
	for i := range a.all {
		for _, s := range a.all[i].phrase.steps {
			if !a.all[i].denied && !s.optional && len(s.class) > 0 && len(s.stems) == 0 {
				return slices.Collect(maps.Keys(s.class))
			}
		}
	}
	return []string{""}
}

// possible are the alternatives that no missing word rules out, so that most of the book costs nothing.
func (b cueBook) possible(h heard) []*alternative {
	all := slices.Clone(b.alternatives[""])
	for w := range h.has {
		all = append(all, b.alternatives[w]...)
	}
	return all
}
