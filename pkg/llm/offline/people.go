package offline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// person is a name in a message and where it stands, as indices of words.
type person struct {
	name     string
	from, to int
}

// maxPeople bounds how many names one message can give.
const maxPeople = 20

// peopleOf finds the names of the people who take part. Words of a place are no names.
func (s *sentence) peopleOf(v *venue) []person {
	var found []person
	for i := 0; i < len(s.words) && len(found) < maxPeople; i++ {
		w := s.words[i]
		if w.mark || w.timed || v.covers(i) {
			continue
		}
		if strongBefore[w.lower] && s.denied(i) {
			// "But not with Al" names who does not take part.
			i = listEnd(s.nameList(i+1, true, v), i+1) - 1
			continue
		}
		list := s.peopleAt(i, v)
		found = append(found, list...)
		i = listEnd(list, i+1) - 1
	}
	if found = s.withKnown(found, v); len(found) > 0 || len(s.known) > 0 {
		return found
	}
	if p, ok := s.bareName(v); ok {
		return []person{p}
	}
	if p, ok := s.leadingName(v); ok {
		return []person{p}
	}
	return nil
}

// listEnd is the index after a list of names, or the one given where there is none or it lies before that.
func listEnd(list []person, none int) int {
	if len(list) == 0 {
		return none
	}
	return max(list[len(list)-1].to, none)
}

// peopleAt are the names that word i begins a list of: "with Al and Dana", "meet Al", "Al and I".
func (s *sentence) peopleAt(i int, v *venue) []person {
	w, next := s.words[i], s.at(i+1)
	switch {
	case strongBefore[w.lower]:
		return s.nameList(i+1, true, v)
	case weakBefore[w.lower] && (next.address || s.self(i+1) > i+1 && s.joins(i+2)):
		return s.nameList(i+1, false, v)
	case weakBefore[w.lower] && next.capital() && !s.shouted:
		if s.titled(i) {
			return nil
		}
		if list := s.nameList(i+1, false, v); !s.namesThing(i, list) {
			return list
		}
		return nil
	case i == 0 && next.lower == "and" && (s.at(2).lower == "i" || s.at(2).lower == "me") && w.capital():
		return s.nameList(0, false, v)
	case next.lower == "and" && s.at(i+2).lower == "me" && w.capital() && !stopWords[w.lower]:
		return s.nameList(i, false, v)
	}
	return s.announced(i, v)
}

// leadingName reads the name in front of what to meet for, as people note things down: "Al coffee Tues 3".
func (s *sentence) leadingName(v *venue) (person, bool) {
	first := s.at(0)
	if !first.capital() || s.shouted || leads[first.lower] || stopWords[first.lower] || first.known() ||
		occasions[first.lower] || doing[first.lower] ||
		featureWord(first.lower) || !onlyLetters(first.text) {
		return person{}, false
	}
	p, end := s.nameAt(0, false, v)
	if next := s.at(end).lower; p.name == "" || meals[next] == "" && !dishes[next] || s.at(end).capital() {
		return person{}, false
	}
	return p, true
}

// bareName reads a message that is nothing but a name, as the answer to "Al Chen or Al Ortiz?".
func (s *sentence) bareName(v *venue) (person, bool) {
	n := len(s.words)
	if n > 0 && s.words[n-1].mark {
		n--
	}
	if n == 0 || n > 3 || !s.words[0].capital() || leads[s.words[0].lower] || stopWords[s.words[0].lower] ||
		s.words[0].known() || n == 1 && len(s.words[0].text) < 3 {
		return person{}, false
	}
	p, end := s.nameAt(0, false, v)
	return p, end == n && p.name != ""
}

func distinctPeople(all []person) []person {
	seen := map[string]bool{}
	var kept []person
	for _, p := range all {
		if key := strings.ToLower(p.name); !seen[key] {
			seen[key] = true
			kept = append(kept, p)
		}
	}
	return kept
}

func namesOf(people []person) []string {
	names := make([]string, 0, len(people))
	for _, p := range people {
		names = append(names, p.name)
	}
	return names
}

// nameList reads "Al", "Al and Dana", "Al, Dana & my sister Mia". small says that names may be in small letters.
func (s *sentence) nameList(i int, small bool, v *venue) []person {
	var list []person
	if s.at(i).text == "/" || s.at(i).text == "." || s.at(i).text == ":" {
		i++ // "w/ Al"
	}
	i = s.pastMarks(i)
	for range maxPeople {
		if s.at(i).lower == "both" || s.at(i).lower == "also" {
			i++
		}
		p, end := s.nameAt(i, small, v)
		if own := s.self(i); own > i {
			p, end = person{}, own
		}
		if p.name != "" {
			list = append(list, p)
		}
		next := s.afterJoin(end)
		if end == i || next == end && !s.at(end).address {
			break
		}
		small = small && (!s.looseEnd(next, v) || len(list) > 1 && s.spotEnds(next+1))
		i = next
	}
	return list
}

// looseEnd reports whether a comma before word i is followed by a small word that need not be a name: one after which,
// and after whose surname, no list goes on.
func (s *sentence) looseEnd(i int, v *venue) bool {
	if s.at(i-1).text != "," || s.at(i).capital() {
		return false
	}
	return !s.joins(i+1) && (!s.surname(i+1, v) || !s.joins(i+2))
}

// joins reports whether word i is a mark or a word that joins two names of a list.
func (s *sentence) joins(i int) bool {
	return s.at(i).text == "," || s.at(i).lower == "and" || s.at(i).text == "&"
}

// smallName reports whether a word in small letters may be a name.
func (s *sentence) smallName(i int, v *venue) bool {
	w := s.at(i)
	return s.isName(i, v) && !stopWords[w.lower] && !doing[w.lower] && !w.known() && !featureWord(w.lower) &&
		s.plausible(i)
}

// smallNameEnd is the index after a name in small letters at word i, i where there is none.
func (s *sentence) smallNameEnd(i int, v *venue) int {
	switch {
	case s.at(i).lower == "will" && !s.at(i).timed && strongBefore[s.at(i-1).lower] &&
		(s.joins(i+1) || s.at(i+1).timed || s.at(i+1).mark):
		return i + 1
	case !s.smallName(i, v):
		return i
	case s.surname(i+1, v):
		return i + 2
	default:
		return i + 1
	}
}

// surname reports whether the small word i goes on with a name in small letters: what joins it to one more stands
// after it, as in "al chen, grace kim and theo".
func (s *sentence) surname(i int, v *venue) bool {
	if !s.joins(i+1) || s.at(i).capital() || !s.smallName(i, v) {
		return false
	}
	next := s.joinEnd(i + 1)
	if !s.smallName(next, v) {
		return false
	}
	return s.at(next-1).text != "," || s.joins(next+1) || s.joins(next+2)
}

// self skips "me", "myself" and "I" of a list.
func (s *sentence) self(i int) int {
	switch s.at(i).lower {
	case "me", "myself", "i", "us":
		return i + 1
	}
	return i
}

// pastMarks skips what people put around a name: "[Al](", "**Al**".
func (s *sentence) pastMarks(i int) int {
	j := i
	for j-i < 4 && j < len(s.words) && s.words[j].mark && strings.Contains(`[]()*_"“”`, s.words[j].text) {
		j++
	}
	return j
}

// afterJoin skips what joins two names.
func (s *sentence) afterJoin(i int) int {
	start := s.pastMarks(i)
	if end := s.joinEnd(start); end > start {
		return s.pastMarks(end)
	}
	if s.at(start).address {
		return start
	}
	return i
}

func (s *sentence) joinEnd(i int) int {
	j := i
	for j-i < 2 {
		switch w := s.at(j); {
		case w.mark && (w.text == "," || w.text == "&" || w.text == "+" || w.text == "/"), w.lower == "and" &&
			!w.timed, w.lower == "plus", w.lower == "n" && j == i,
			w.lower == "an" && s.at(j-1).capital() && s.at(j+1).capital() && !s.shouted:
			j++
			continue
		}
		break
	}
	return j
}

// nameAt reads one name. A relation without a name is consumed and gives an empty one.
func (s *sentence) nameAt(i int, small bool, v *venue) (person, int) {
	j := i
	if m := s.knownAt(i); m != nil && m.from == i {
		return m.person, m.to
	}
	if s.at(j).address {
		return person{s.at(j).text, j, j + 1}, j + 1
	}
	if end := s.collective(j); small && end > j {
		return person{"the " + strings.ToLower(s.spoken(j+1, end)), j, end}, end
	}
	if honorifics[s.at(j).lower] {
		for j++; s.at(j).text == "."; j++ {
		}
	}
	if p, end, found := s.kinAt(i, j, small, v); found {
		return p, end
	}
	switch s.at(j).lower {
	case "my", "our", "the":
		for j++; s.isKin(j); j++ {
		}
	}
	end := s.capitals(j, v)
	if end == j && small {
		end = s.smallNameEnd(j, v)
	}
	if end == j {
		return person{}, i
	}
	return person{s.nameText(j, end), i, end}, end
}

// isKin reports whether word i says who someone is to the user.
func (s *sentence) isKin(i int) bool {
	return relations[s.at(i).lower]
}

// kinAt reads at word j of a name that begins at word i who someone is to the user, with the name in small letters or
// without any: "my sister", "my boss al", "uncle al". What is none of these is found to be nothing of the kind; one in
// capitals is left to be read as a name.
func (s *sentence) kinAt(i, j int, small bool, v *venue) (p person, end int, found bool) {
	switch s.at(j).lower {
	case "my", "our", "the":
	default:
		if !small || !s.isKin(j) || s.at(j).capital() {
			return person{}, i, false
		}
		name, end := s.calledName(j+1, small, v)
		return person{name, i, end}, end, end > j+1
	}
	if !s.isKin(j + 1) {
		return person{}, i, true
	}
	for j++; s.isKin(j); j++ {
	}
	if s.at(j).capital() && !s.shouted {
		return person{}, i, false
	}
	if name, end := s.calledName(j, small, v); end > j {
		return person{name, i, end}, end, true
	}
	return person{"", i, j}, j, true
}

// collective is the index after a group at word i: "the team", "our design team".
func (s *sentence) collective(i int) int {
	switch s.at(i).lower {
	case "the", "our", "my":
	default:
		return i
	}
	for j := i + 1; j < i+4 && !s.at(j).mark && !s.at(j).timed; j++ {
		if collectives[s.at(j).lower] {
			return j + 1
		}
		if stopWords[s.at(j).lower] || meals[s.at(j).lower] != "" || !onlyLetters(s.at(j).text) {
			break
		}
	}
	return i
}

// maxNameWords is the most words that a name has.
const maxNameWords = 4

// capitals is the end of a run of capitalised words from j on that can be a name. An owner ends it: "Dana's".
func (s *sentence) capitals(j int, v *venue) int {
	end := j
	for end < len(s.words) && end-j < maxNameWords && s.isName(end, v) && s.words[end].capital() && !s.shouted {
		end++
		if text := s.words[end-1].text; strings.HasSuffix(text, "'s") || strings.HasSuffix(text, "’s") {
			break
		}
	}
	return end
}

// plausible reports whether a small word may be a name: letters only, and no sentence that goes on after it with a
// noun of its own ("with outdoor seating").
func (s *sentence) plausible(i int) bool {
	w := s.words[i].text
	if n := utf8.RuneCountInString(w); n < 2 || n > 20 {
		return false
	}
	for _, r := range w {
		if !unicode.IsLetter(r) && r != '-' && r != '\'' && r != '’' {
			return false
		}
	}
	return true
}

// isName reports whether word i can be part of a name at all.
func (s *sentence) isName(i int, v *venue) bool {
	w := s.at(i)
	if w.mark || w.timed || v.covers(i) || utf8.RuneCountInString(w.text) > 30 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(w.text)
	if !unicode.IsLetter(first) {
		return false
	}
	if w.lower == "will" && w.capital() && !s.shouted && strongBefore[s.at(i-1).lower] {
		return true
	}
	bare := strings.TrimSuffix(strings.TrimSuffix(w.lower, "'s"), "’s") // "it's" is no name either
	return !neverNames[bare] && errands[w.lower] == 0 && meals[w.lower] == "" && videoTools[w.lower] == ""
}

// known reports whether a small word is one that the rules use for something else.
func (w word) known() bool {
	_, outing := outings[w.lower]
	return outing || relations[w.lower] || errands[w.lower] > 0 || dishes[w.lower] || talks[w.lower] != "" ||
		meals[w.lower] != ""
}

// nameText is a name as written, without a possessive ending and in the usual capitals where the message shouts.
func (s *sentence) nameText(i, end int) string {
	name := s.spoken(i, end)
	for _, possessive := range []string{"'s", "’s", "'", "’"} {
		name = strings.TrimSuffix(name, possessive)
	}
	if s.shouted {
		name = strings.ToLower(name)
		first, size := utf8.DecodeRuneInString(name)
		name = string(unicode.ToUpper(first)) + name[size:]
	}
	return name
}

var videoTools = map[string]string{
	"zoom": "zoom", "teams": "teams", "skype": "skype", "webex": "webex", "facetime": "facetime",
}
