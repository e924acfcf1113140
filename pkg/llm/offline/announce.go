package offline

import "strings"

// announced are the names that word i begins to list in a sentence about who takes part: "the following people: Al and
// Dana", "send Al an invitation", "have Al join me", "Al and Dana will be there".
func (s *sentence) announced(i int, v *venue) []person {
	w, next := s.words[i], s.at(i+1)
	switch w.lower {
	case "following", "attendees", "participants", "invitees", "guests", "employees", "people", "persons":
		return s.listed(i+1, v)
	case "to":
		switch s.at(i - 1).lower {
		case "invite", "invites", "invitation", "invitations", "talk", "talking", "speak", "speaking":
			return s.nameList(i+1, true, v)
		case "call":
			return s.nameList(i+1, false, v)
		}
	case "send":
		list := s.nameList(i+1, false, v)
		if end := listEnd(list, i); next.capital() && end < s.invited {
			return list
		}
	case "have", "get":
		list := s.nameList(i+1, false, v)
		if joining[s.at(listEnd(list, i)).lower] && !s.shouted {
			return list
		}
	}
	if w.capital() && !s.shouted && (i == 0 || s.at(i-1).mark) && !leads[w.lower] && !stopWords[w.lower] && !w.known() &&
		!doing[w.lower] {
		list := s.nameList(i, false, v)
		if s.takesPart(listEnd(list, i), len(list)) {
			return list
		}
	}
	return nil
}

// listed are the names after a word for those who take part, at word i: after a colon, or in capitals.
func (s *sentence) listed(i int, v *venue) []person {
	switch s.at(i).lower {
	case "people", "employees", "attendees", "persons", "guests", "are", "folks":
		i++
	}
	colon := s.at(i).text == ":"
	if colon {
		i++
	}
	if !colon && (!s.at(i).capital() || s.shouted) {
		return nil
	}
	return s.nameList(i, colon, v)
}

// takesPart reports whether what stands after so many names, at word i, says that they take part. Of one that "will
// be" it may be said that it is a thing.
func (s *sentence) takesPart(i, names int) bool {
	verb, next := s.at(i).lower, s.at(i+1).lower
	switch verb {
	case "joins", "attends", "joining", "attending":
		return names > 0
	case "will", "should", "can", "must", "is", "are", "needs", "need", "wants", "want":
		if next == "to" || next == "be" {
			next = s.at(i + 2).lower
		}
		if names > 0 && (joining[next] || next == "joining" || next == "attending" || next == "coming" || next == "invited") {
			return true
		}
		return names > 1
	case "would", "have", "wanna":
		return names > 1
	}
	return false
}

// titled reports whether word i stands inside a title, in quotation marks or in capitals, where it begins no list of
// names: "Parish Lunch Walk".
func (s *sentence) titled(i int) bool {
	if s.quoted.from <= i && i < s.quoted.to {
		return true
	}
	if i == 0 || !s.at(i).capital() || s.at(i-1).mark && s.at(i-1).text != `"` && s.at(i-1).text != "“" {
		return false
	}
	_, meal := meals[s.at(i).lower]
	return !meal || s.at(i-1).mark || s.at(i-1).capital() && !s.at(i-1).timed && i > 1
}

// namesThing reports whether the names after word i are part of what someone wants rather than who takes part: a
// room, a pair as in "Salt and Pepper", whom something is got for.
func (s *sentence) namesThing(i int, list []person) bool {
	if len(list) == 0 {
		return false
	}
	first := list[0]
	for k := first.from; k < first.to; k++ {
		if s.of("inside", k) > 0 || s.of("street", k) > 0 && k > first.from {
			return true
		}
	}
	next := s.at(first.to)
	switch s.at(i).lower {
	case "get":
		return next.lower == "a" || next.lower == "an" || next.lower == "some"
	case "and":
		return i > 1 && s.at(i-1).capital() && !s.at(i-1).timed && s.at(i-2).text != "," && !strongBefore[s.at(i-2).lower]
	case "is":
		return strings.HasSuffix(s.at(first.to-1).lower, "'s")
	case "for":
		if leaving[s.at(i-1).lower] {
			return true
		}
		return first.to == first.from+1 && len(list) == 1 && !s.spotEnds(first.to) && s.at(first.from).text == first.name
	}
	return false
}

// calledName is the name at word i of someone whose role was said before: "my boss Al", "my boss whose
// name is al". In small letters it is one where nothing goes on after it.
func (s *sentence) calledName(i int, small bool, v *venue) (name string, end int) {
	j := i
	switch {
	case s.at(j).lower == "named" || s.at(j).lower == "called":
		j++
	case s.at(j).lower == "whose" && s.at(j+1).lower == "name" && s.at(j+2).lower == "is":
		j += 3
	}
	if end := s.capitals(j, v); end > j {
		return s.nameText(j, end), end
	}
	if small && s.smallName(j, v) && s.spotEnds(j+1) {
		return s.nameText(j, j+1), j + 1
	}
	return "", i
}
