package offline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTitle bounds the words of a title that are taken from the message.
const maxTitle = 8

// naming are words behind which a title stands.
var naming = []string{"called", "titled", "named", "entitled", "labeled"}

// renaming are beginnings of a request for another title.
var renaming = []string{"call it", "rename it to", "rename it", "rename to", "name it", "title it", "retitle it",
	"change the title to",
	"change the name to", "make the title", "set the title to", "rename the event to", "rename the meeting to",
	"rename this to", "rename that to",
	"that's going to be a", "it's going to be a", "that is going to be a",
	"change title to", "title should be", "call the event", "call the meeting", "call this"}

// explicitTitle is a title that the message spells out: behind "called" or in quotation marks. renames says that the
// message is a change, in which "call it" gives a title too.
func (s *sentence) explicitTitle(renames bool, people []person) string {
	if renames {
		if t := s.renamedTo(renaming); t != "" {
			return t
		}
	}
	for _, w := range naming {
		i := s.find(1, w)
		if i > 0 && !slices.ContainsFunc(people, func(p person) bool { return p.from <= i && i < p.to }) {
			return s.titleFrom(i + 1)
		}
	}
	for i := 1; i < len(s.words); i++ {
		if n := s.title("name", i); n > 0 && !s.at(i+n).mark {
			return s.titleFrom(i + n)
		}
	}
	return s.titleInQuotes()
}

// titleInQuotes is what stands in quotation marks, where it is neither whom nor where.
func (s *sentence) titleInQuotes() string {
	i := s.quoted.from
	if i == 0 || s.venue.covers(i) || strongBefore[s.at(i-2).lower] || s.at(i-2).lower == "at" {
		return ""
	}
	return s.titleFrom(i)
}

// renamedTo is the title behind one of the phrases, or in quotation marks.
func (s *sentence) renamedTo(phrases []string) string {
	for _, phrase := range phrases {
		if i := s.phraseEnd(phrase); i > 0 {
			return s.titleFrom(i)
		}
	}
	if i := s.quoted.from; i > 0 {
		return s.titleFrom(i)
	}
	for _, phrase := range phrases {
		// The Hebrew "to" is a letter in front of the title.
		head, to, more := cutLast(phrase)
		if i := s.phraseEnd(head); more && utf8.RuneCountInString(to) == 1 && i > 0 {
			if title, attached := strings.CutPrefix(s.titleFrom(i), to); attached {
				return strings.TrimLeft(title, "-־ ")
			}
		}
	}
	return ""
}

// cutLast is a phrase without its last word, and that word.
func cutLast(phrase string) (head, last string, more bool) {
	i := strings.LastIndexByte(phrase, ' ')
	if i < 0 {
		return "", phrase, false
	}
	return phrase[:i], phrase[i+1:], true
}

// quotation is what stands between the first two quotation marks, and empty where there are none.
func (s *sentence) quotation() spanOf {
	for i, w := range s.words {
		if w.mark && strings.Contains(`"“«`, w.text) && !s.at(i+1).mark {
			if to := s.find(i+2, `"`, "”", "»"); to > 0 {
				return spanOf{i + 1, to}
			}
			break
		}
	}
	return spanOf{}
}

// phraseEnd is the index of the word behind the phrase, 0 where it does not occur.
func (s *sentence) phraseEnd(phrase string) int {
	want := strings.Fields(phrase)
	for i := range s.words {
		n := 0
		for n < len(want) && s.at(i+n).lower == want[n] {
			n++
		}
		if n == len(want) {
			return i + n
		}
	}
	return 0
}

// titleFrom is the title that begins at word i: what stands in quotation marks, or else all up to a mark, a phrase of
// time or a preposition that begins another part.
func (s *sentence) titleFrom(i int) string {
	for s.at(i).mark && i < len(s.words) && strings.Contains(`"“”'«:`, s.at(i).text) {
		i++
	}
	if close := s.find(i, `"`, "”", "»"); close > i && s.at(i-1).mark && s.at(i-1).text != ":" && close-i <= maxRequest {
		return s.spoken(i, close)
	}
	end := i
	for end < len(s.words) && end-i < maxTitle {
		w := s.words[end]
		if w.mark && w.text != "&" && w.text != "-" && w.text != "/" {
			break
		}
		if end > i && (w.timed && !s.words[end-1].timed && !s.namesNight(end, i) || w.lower == "instead" ||
			w.lower == "please") {
			break
		}
		end++
	}
	return s.spoken(i, end)
}

// leads are words of asking, which are no part of a title.
var leads = wordSet(`let's let us lets can could would will you we i i'd i'll i'm want wanna to need please schedule
	set up book plan arrange organize organise create make add put find time times some for a an the with my our your on
	calendar grab get have do go going hey hi hello yo um so like maybe hope hoping looking trying be able new event
	events called titled meet see slot slots new up in at of and also ok okay just online quick short nice quickly help
	me it there that is are how about what should shall think thinking was kinda gonna another reserve block off
	together something somewhere when who works work if possible free both cook plz thanks don't not say invite try try
	another this actually`)

// titleOf is a short title for the event: what it is for, and with whom.
func (s *sentence) titleOf(a activity, people []person, v *venue) string {
	if t := s.explicitTitle(false, people); t != "" {
		return t
	}
	names := namesOf(people)
	if a.name == "1:1" || a.name == "table" {
		return titled(s.subject(a, people, v), names)
	}
	r := s.requested(people, v)
	spot, why := firstOf(s.worded(v.spot.from, v.spot.to), s.worded(v.known.from, v.known.to)),
		s.worded(r.why.from, r.why.to)
	if !r.empty() && r.concerns(a) {
		what := s.worded(r.from, r.to)
		if r.to-r.from == 1 && r.from == a.index {
			what = a.called()
		}
		return joined(titled(what, r.others()), s.worded(r.whom.from, r.whom.to), spot, why)
	}
	what := ""
	if a.index >= 0 || !r.meets && !r.bare {
		what = s.subject(a, people, v)
	}
	if what == "" && a.index < 0 && len(names) == 0 && v.name != "" {
		return joined(v.name, why)
	}
	if what == "" {
		return joined(titled(fallbackTitle(a), names), spot, why)
	}
	if !r.meets && !a.remote || strings.Contains(what, " ") || r.why.from <= a.index && a.index < r.why.to {
		why = "" // what the activity says already
	}
	return joined(titled(what, names), spot, why)
}

func fallbackTitle(a activity) string {
	switch {
	case a.name != "":
		return a.name
	case a.kind == "custom" || a.kind == "":
		return "get-together"
	default:
		return a.kind
	}
}

// titled joins what people meet for and with whom.
func titled(what string, names []string) string {
	const most = 3
	names = slices.Clone(names)
	for i, name := range names {
		names[i] = titleName(name)
	}
	if len(names) == 0 || strings.Contains(strings.ToLower(what), " with ") {
		return what
	}
	if len(names) > most {
		names = append(slices.Clone(names[:most-1]), "others")
	}
	last := len(names) - 1
	if last == 0 {
		return what + " with " + names[0]
	}
	return what + " with " + strings.Join(names[:last], ", ") + " and " + names[last]
}

// titleName is how a title calls somebody: by the name, or by what stands before the @ of an address.
func titleName(name string) string {
	before, _, _ := strings.Cut(name, "@")
	return before
}

// subject is the words that say what the event is: those around the activity, or the first that are neither asking nor
// time, place or people.
func (s *sentence) subject(a activity, people []person, v *venue) string {
	taken := func(i int) bool {
		return s.at(i).mark || s.at(i).timed || v.covers(i) ||
			slices.ContainsFunc(people, func(p person) bool { return p.from <= i && i < p.to })
	}
	switch {
	case a.name == "1:1":
		return a.name
	case a.name == "table":
		return a.kind
	case a.index < 0:
		return s.firstSubject(taken)
	}
	start, end := a.index, a.index+1
	if n := len(strings.Fields(a.name)); n > 1 {
		start = end - n
	}
	start = s.extendBack(start, end, taken)
	if next := s.at(end); !taken(end) && !breaks[next.lower] &&
		(next.known() || !leads[next.lower] && !stopWords[next.lower]) {
		end = s.extend(start, end, taken)
	}
	if a.remote || a.kind == "custom" {
		end = s.purposeEnd(end, taken)
	}
	for end > a.index+1 && leads[s.at(end-1).lower] {
		end--
	}
	if end-start > 1 {
		return s.spoken(start, end)
	}
	return a.called()
}

// called is the activity's own word in a title.
func (a activity) called() string {
	if a.name == "phone" || a.name == "ring" {
		return "call"
	}
	return a.name
}

// firstSubject is the first words that are neither asking nor taken.
func (s *sentence) firstSubject(taken func(int) bool) string {
	start := 0
	for start < len(s.words) && (taken(start) || leads[s.at(start).lower]) {
		start++
	}
	end := s.extend(start, start, taken)
	for end > start && leads[s.at(end-1).lower] {
		end--
	}
	what := s.spoken(start, end)
	if strings.EqualFold(what, "focus") || end == start+1 && s.at(end).lower == "time" && !s.at(end).timed && !taken(end) {
		what += " time"
	}
	return what
}

// extend and extendBack add the words next to a title that belong to it.
func (s *sentence) extend(start, end int, taken func(int) bool) int {
	for end < len(s.words) && !taken(end) && !breaks[s.at(end).lower] && end-start < maxTitle {
		end++
	}
	return end
}

func (s *sentence) extendBack(start, end int, taken func(int) bool) int {
	for start > 0 && !taken(start-1) && !featureWord(s.at(start-1).lower) && !leads[s.at(start-1).lower] &&
		!breaks[s.at(start-1).lower] && end-start < maxTitle {
		start--
	}
	return start
}

// hasPurpose reports whether word i goes on with what an event is for.
func (s *sentence) hasPurpose(i int) bool {
	switch s.at(i).lower {
	case "to", "about", "for", "of", "on":
		return !s.at(i).timed && !s.at(i+1).timed && !s.at(i+1).mark
	}
	return false
}

// purposeEnd is the end of a purpose that begins at word i: "to discuss analytics", "about the budget". What is in
// brackets, or goes on for longer than a title, is none.
func (s *sentence) purposeEnd(i int, taken func(int) bool) int {
	if !s.hasPurpose(i) || taken(i) || taken(i+1) {
		return i
	}
	end := i + 1
	for end < len(s.words) && !taken(end) && (end == i+1 || !breaks[s.at(end).lower]) && end-i < maxTitle {
		end++
	}
	if end-i >= maxTitle {
		return i
	}
	return end
}

// breaks end a title.
var breaks = wordSet(`scheduled booked reserved planned with at on in for from by near around before after during
	because so but where when between instead please invite if that which to around via over somewhere someplace but not
	no i we you he she they it is are want need let's can could would and or sometime thanks also again still please
	maybe`)
