package offline

import (
	"strings"
	"unicode"
)

// maxSpot bounds the words of a place that nobody has to look for.
const maxSpot = 5

// spotAt reads a place that nobody has to look for behind the preposition at word i: "at home", "at Al's house", "in the
// small conference room". It is where the words end, i where there is no such place.
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

// spotEnd is where a place that begins at word j ends, whose word for a room or a house, one that is somebody's, stands at
// word k; k where it is none.
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

// hosts are people at whose houses one meets, without an apostrophe too.
var hosts = wordSet(`parents friends family clients`)

// possessives say whose a place is.
var possessives = wordSet(`my your our his her their`)

// roomEnd takes in the number or the letter of a room: "room 204", "Conference Room B".
func (s *sentence) roomEnd(i int) int {
	w := s.at(i)
	if s.at(i-1).lower != "room" || w.mark || w.timed && !isFigure(w.text) {
		return i
	}
	if isFigure(w.text) || len(w.text) == 1 && w.lower != "a" || w.text == "A" {
		return i + 1
	}
	return i
}

func isFigure(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// isNamed reports whether a place that ends in a word for a room goes by a name of its own, as "the Blue Room" does, where
// strangers may sit down.
func (s *sentence) isNamed(from, noun, end int) bool {
	if !s.at(noun).capital() || s.shouted || s.roomEnd(end-1) == end {
		return false
	}
	before := s.at(noun - 1).lower
	return before != "conference" && before != "meeting" && s.at(noun).lower != "conference" && s.at(noun).lower != "meeting" && !possessives[s.at(from).lower]
}

// spotEnds reports whether a place may end before word i: nothing follows that goes on with its name.
func (s *sentence) spotEnds(i int) bool {
	w := s.at(i)
	return w.mark || w.timed || s.title("loose", i)+s.title("stop", i) > 0 || stopWords[w.lower]
}

// withoutHouseNumbers is a text of the same length in which the number of a house in a street is none, so that nobody
// reads an hour in it: "at 1815 maple avenue".
func withoutHouseNumbers(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	const hidden = "#"
	var out strings.Builder
	fields := strings.FieldsFunc(text, unicode.IsSpace)
	at := 0
	for i, number := range fields {
		start := at + strings.Index(text[at:], number)
		out.WriteString(text[at:start])
		at = start + len(number)
		if len(number) <= 5 && isFigure(number) && onStreet(number, fields[i+1:]) {
			out.WriteString(strings.Repeat(hidden, len(number)))
		} else {
			out.WriteString(number)
		}
	}
	out.WriteString(text[at:])
	return out.String()
}

// onStreet reports whether a number stands before the name of a street. What may be an hour does so only before one that
// is written as a name.
func onStreet(number string, words []string) bool {
	const most = 3
	hour := len(number) < 3 && number <= "12" || len(number) == 1
	for i, w := range words[:min(len(words), most+1)] {
		bare := strings.ToLower(strings.TrimRight(w, ".,!?"))
		if i > 0 && len(placeBook().other["street"][bare]) > 0 {
			return !hour || capitalised(w)
		}
		if stopWords[bare] || bare != strings.ToLower(w) || clockWords[bare] || hour && !capitalised(w) {
			return false
		}
	}
	return false
}

// clockWords make an hour of the number before them.
var clockWords = wordSet(`am pm a.m p.m o'clock oclock hours hour hrs minutes mins min days weeks people persons guests`)
