package ground

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// mention is a thing that the message names, with the words that do.
type mention struct {
	// things are the thing, or the occurrences of a series in order.
	things []Thing
	words  []int
	// covered is how much of the title is named, from 0 to 1; weight is how much that tells it from other things.
	covered, weight float64
	// occurrence is the index of the one that is meant.
	occurrence int
}

func (m *mention) meant() Thing { return m.things[m.occurrence] }

// on makes the occurrence on a day the one that is meant, if there is one.
func (m *mention) on(day interval.Date, now time.Time) bool {
	for i, t := range m.things {
		if !t.Span.Start.IsZero() && interval.DateOf(t.Span.Start.In(now.Location())) == day {
			m.occurrence = i
			return true
		}
	}
	return false
}

// How much of a title has to be named: most of it or, if a word is in no other title, some of it.
const (
	mostOfTitle = 0.6
	someOfTitle = 0.3
)

// find finds the things that the message names, the plainest first, none of them by words of another. Without a name,
// words that point mean what the user saw last. It is false if nothing is meant plainly.
func (r *reading) find() bool {
	rest := r.named()
	for len(rest) > 0 {
		best := rest[0]
		if len(rest) > 1 && rest[1].covered+rest[1].weight > best.covered+best.weight-0.05 &&
			sharesWord(rest[1], best) {
			return false // two things of which either may be meant
		}
		r.found = append(r.found, best)
		for _, i := range best.words {
			r.words[i].named, r.words[i].used = true, true
		}
		rest = slices.DeleteFunc(rest[1:], func(m mention) bool {
			return sharesWord(m, best) || m.covered < mostOfTitle || m.things[0].Kind != best.things[0].Kind
		})
	}
	if len(r.found) == 0 {
		r.point()
	}
	return len(r.found) > 0
}

func sharesWord(a, b mention) bool {
	return slices.ContainsFunc(a.words, func(i int) bool { return slices.Contains(b.words, i) })
}

// named are the things that may be meant, the best first.
func (r *reading) named() (all []mention) {
	r.findPeople()
	groups := grouped(r.Things, r.Now)
	titles, often := make([][]string, len(groups)), map[string]int{}
	for i, g := range groups {
		titles[i] = slices.DeleteFunc(agenda.Stems(g[0].Title), agenda.Idle)
		slices.Sort(titles[i])
		titles[i] = slices.Compact(titles[i])
		for _, s := range titles[i] {
			often[s]++
		}
	}
	for i, g := range groups {
		m := mention{things: g}
		total, own := 0.0, false
		for _, s := range titles[i] {
			weight := 1 / float64(often[s])
			total += weight
			if k := r.wordOf(s); k >= 0 {
				m.covered += weight
				m.words = append(m.words, k)
				own = own || often[s] == 1 && r.words[k].person < 0 && len([]rune(s)) > 2
			}
		}
		if m.weight = m.covered; total > 0 {
			m.covered /= total
		}
		if m.covered >= mostOfTitle || own && m.covered >= someOfTitle {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int { return cmp.Compare(b.covered+b.weight, a.covered+a.weight) })
	return all
}

// wordOf is the word of the message that is a stem of a title, -1 if there is none.
func (r *reading) wordOf(stem string) int {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, agenda.Similar} {
		for i, w := range r.words {
			if slices.ContainsFunc(w.stems, func(s string) bool { return same(s, stem) }) {
				return i
			}
		}
	}
	return -1
}

// grouped are things by title: the occurrences that are not over, or else those that are, in order.
func grouped(things []Thing, now time.Time) (groups [][]Thing) {
	type key struct {
		Kind
		title, list string
	}
	at := map[key]int{}
	for _, t := range things {
		k := key{t.Kind, strings.ToLower(t.Title), t.List}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], t)
	}
	for i, g := range groups {
		slices.SortStableFunc(g, func(a, b Thing) int { return a.Span.Start.Compare(b.Span.Start) })
		ahead := slices.DeleteFunc(slices.Clone(g), func(t Thing) bool {
			return !t.Span.End.IsZero() && !t.Span.End.After(now)
		})
		if len(ahead) > 0 {
			groups[i] = ahead
		}
	}
	return groups
}

// findPeople marks the words that mean contacts.
func (r *reading) findPeople() {
	for p, person := range r.People {
		for _, said := range person.Said {
			words := split(said, r.book.verbs)
			for i := range r.words {
				if len(words) > 0 && startsWith(r.words[i:], words) {
					for k := range words {
						r.words[i+k].person = p
					}
				}
			}
		}
	}
}

func startsWith(words, beginning []word) bool {
	for i, w := range beginning {
		if i >= len(words) || words[i].lower != w.lower {
			return false
		}
	}
	return true
}

// point finds what is meant by "it", "them" or "the second one" among what the user saw last.
func (r *reading) point() {
	byID := map[string]Thing{}
	for _, t := range r.Things {
		byID[t.ID] = t
	}
	var last []Thing
	for _, id := range r.Last {
		if t, known := byID[id]; known {
			last = append(last, t)
		}
	}
	switch n := r.nth(len(last)); {
	case n >= 0:
		last = last[n : n+1]
	case len(last) == 1 && r.has("it"), len(last) > 1 && r.has("them"):
	default:
		return
	}
	for _, t := range last {
		r.found = append(r.found, mention{things: []Thing{t}, covered: 1})
	}
}

// nth is the index in a list that the message names, -1 if it names none.
func (r *reading) nth(size int) int {
	for i, key := range []string{"first", "second", "third", "fourth"} {
		if i < size && r.has(key) {
			return i
		}
	}
	if size > 0 && r.has("last") {
		return size - 1
	}
	return -1
}
