package offline

import "strings"

// maxSpot bounds the words of a place that nobody has to look for.
const maxSpot = 5

// spotAt reads a place that nobody has to look for after the preposition at word i: "at home", "at Al's house", "in
// the small conference room". It is where the words end, i where there is no such place.
func (s *sentence) spotAt(i int) int {
	switch s.at(i).lower {
	case "at", "@", "in":
		if s.at(i-1).lower == "not" {
			return i
		}
	default:
		return i
	}
	j := i + 1
	if n := s.of("alone", j); n > 0 && s.spotEnds(j+n) && !s.at(j).capital() {
		return j + n
	}
	owned := false
	for k := j; k < j+maxSpot && !s.at(k).mark && !s.at(k).timed; k++ {
		if end := s.spotEnd(j, k, owned); end > k {
			return end
		}
		w := s.at(k).lower
		owned = owned || possessives[w] || strings.HasSuffix(w, "'s") || k == j && w == "the" && s.of("abode", k+1) > 0
		if k > j && stopWords[w] && !hosts[w] || w == "a" || w == "an" {
			break
		}
	}
	return i
}

// spotEnd is where a place that begins at word j ends, whose word for a room or a house, one that is someone's, stands
// at word k; k where it is none.
func (s *sentence) spotEnd(j, k int, owned bool) int {
	n := s.of("inside", k)
	if n == 0 && owned {
		n = s.of("abode", k)
	}
	if n == 0 {
		return k
	}
	if end := s.roomEnd(k + n); s.spotEnds(end) && (k > j || end > k+n) && !s.isNamed(j, k, end) {
		return end
	}
	return k
}

// roomEnd takes in the number, the letter or the name of a room: "room 204", "Conference Room B", "room Cedar".
func (s *sentence) roomEnd(i int) int {
	w := s.at(i)
	if s.at(i-1).lower != "room" || w.mark || w.timed && !isFigure(w.text) {
		return i
	}
	named := w.capital() && !s.shouted && s.knownAt(i) == nil && !neverNames[w.lower]
	if isFigure(w.text) || len(w.text) == 1 && w.lower != "a" || w.text == "A" || named {
		return i + 1
	}
	return i
}

func isFigure(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// isNamed reports whether a place that ends in a word for a room goes by a name of its own, as "the Blue Room" does,
// where strangers may sit down.
func (s *sentence) isNamed(from, noun, end int) bool {
	if !s.at(noun).capital() || s.shouted || s.roomEnd(end-1) == end {
		return false
	}
	before := s.at(noun - 1).lower
	return before != "conference" && before != "meeting" && s.at(noun).lower != "conference" &&
		s.at(noun).lower != "meeting" && !possessives[s.at(from).lower]
}

// spotEnds reports whether a place may end before word i: nothing follows that goes on with its name.
func (s *sentence) spotEnds(i int) bool {
	w := s.at(i)
	return w.mark || w.timed || s.asking("loose", i)+s.asking("stop", i) > 0 || stopWords[w.lower]
}
