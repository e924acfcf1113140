package offline

import "unicode/utf8"

// maxHouse is the most words of a venue's name.
const maxHouse = 4

// housed reads the venue by name and the town that a message of a language with glued letters names, and takes
// their words out of the title. dining says that the thing is done at a venue, so that an unknown "at" is one.
func (t *titler) housed(dining bool) (name, area string) {
	for i := 1; i < len(t.words); i++ {
		w := t.at(i)
		_, first := t.led(w.lower, "at")
		if w.timed || t.siteAt(i) || utf8.RuneCountInString(first) < 2 {
			continue
		}
		end := i
		switch n := t.town(i, first); {
		case n > 0:
			end, area = i+n, joined(first, t.worded(i+1, i+n))
		case t.mayBeHouse(i, first, dining) && t.houseEnd(i, first) > i:
			end = t.houseEnd(i, first)
			name = joined(first, t.worded(i+1, end))
		}
		t.houses.add(i, end)
		i = max(i, end-1)
	}
	return name, area
}

// houseEnd is where the name of a venue ends that begins in word i, after a letter; i if it has none of its own.
func (t *titler) houseEnd(i int, first string) int {
	end := i + 1
	for end < len(t.words) && end-i < maxHouse && !t.stops(end, i) && !t.any(end, "purpose", "with", "of") {
		to, _ := t.led(t.at(end).lower, "to")
		at, _ := t.led(t.at(end).lower, "at")
		if to+at != "" {
			break
		}
		end++
	}
	if end == i+1 && t.is(first, "houses") {
		return i
	}
	return end
}

// mayBeHouse reports whether a venue's name may begin in word i, after a letter: with a word for a venue, or if the
// thing is done at one, with any that is not known to be something else.
func (t *titler) mayBeHouse(i int, first string, dining bool) bool {
	w, next := t.at(i).lower, t.at(i+1).lower
	if t.any(i, "purpose", "stop", "polite", "verb") || t.is(next, "of") || t.own.words[w] != "" {
		return false
	}
	if t.is(first, "houses") {
		return t.own.words[next] == "" || t.at(i+1).mark
	}
	return dining && !t.is(first, "rooms") && !t.is(first, "empty") && t.own.words[first] == ""
}

// town is how many words the town takes whose first word stands in word i, after a letter; 0 for none.
func (t *titler) town(i int, first string) int {
	for _, e := range t.classes["towns"][first] {
		if n := len(e.words); n == 1 || n == 2 && t.at(i+1).lower == e.words[1] {
			return n
		}
	}
	return 0
}
