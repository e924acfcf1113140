package offline

import (
	"slices"
	"strings"
)

// maxTitle bounds the words of a title that the message spells out.
const maxTitle = 8

// explicitTitle is a title that the message spells out: after "called" or in quotation marks. renames says that the
// message is a change, in which "call it" gives a title too.
func (s *sentence) explicitTitle(renames bool, people []person) string {
	if renames {
		if t := s.renamedTo(renameWords); t != "" {
			return t
		}
	}
	for i := 1; i < len(s.words); i++ {
		_, n := s.phraseAt(i, titleBook().classes["name"])
		among := slices.ContainsFunc(people, func(p person) bool { return p.from <= i && i < p.to })
		if n > 0 && !among && (n == 1 || !s.at(i+n).mark) {
			return s.titleFrom(i + n)
		}
	}
	i := s.quoted.from
	if i == 0 || s.venue.covers(i) || strongBefore[s.at(i-2).lower] || s.at(i-2).lower == "at" {
		return ""
	}
	return s.titleFrom(i)
}

// renamedTo is the title after one of the phrases, or in quotation marks.
func (s *sentence) renamedTo(phrases []string) string {
	at := 0
	for _, phrase := range phrases {
		at = max(at, s.phraseEnd(phrase)) // of "rename it" and "rename it to", the longer one
	}
	if at > 0 {
		return s.titleFrom(at)
	}
	if i := s.quoted.from; i > 0 {
		return s.titleFrom(i)
	}
	return ""
}

// callsIt reports whether the message begins with how the event at hand is to be called, be it by a name.
func (s *sentence) callsIt() bool {
	return s.begins("call it", "name it", "title it", "rename it", "call this", "call that", "rename this", "rename that",
		"and call it", "and name it", "and title it", "and rename it")
}

// cutLast is a phrase without its last word, and that word.
func cutLast(phrase string) (head, last string, more bool) {
	i := strings.LastIndexByte(phrase, ' ')
	if i < 0 {
		return "", phrase, false
	}
	return phrase[:i], phrase[i+1:], true
}

// quotation is what stands between the first two quotation marks, and empty if there are none.
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

// phraseEnd is the index of the word after the phrase, 0 if it does not occur.
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
// time or a word after which another part begins.
func (s *sentence) titleFrom(i int) string {
	for s.at(i).mark && i < len(s.words) && strings.Contains(`"“”'«:`, s.at(i).text) {
		i++
	}
	if end := s.find(i, `"`, "”", "»"); end > i && s.at(i-1).mark && s.at(i-1).text != ":" && end-i <= maxRequest {
		return s.spoken(i, end)
	}
	end := i
	for end < len(s.words) && end-i < maxTitle {
		w := s.words[end]
		timed := w.timed && !s.words[max(end-1, 0)].timed && w.lower != "night"
		if w.mark && w.text != "&" && w.text != "-" && w.text != "/" ||
			end > i && (timed || w.lower == "instead" || w.lower == "please") {
			break
		}
		end++
	}
	return s.spoken(i, end)
}

// title is the one that the message spells out, or what it calls the thing, with those who take part, and where it is
// or what for if that says more.
func (t *titler) title() string {
	if spelled := t.explicitTitle(false, t.taking); spelled != "" {
		return spelled
	}
	span := t.find()
	what, after := t.worded(span.from, span.to), ""
	if t.own.foreign() && span.to > span.from {
		what = t.unled(what[:strings.IndexByte(what+" ", ' ')]) + what[strings.IndexByte(what+" ", ' '):]
	}
	at, _ := t.led(what, "at")
	switch {
	case t.a.name == "table":
		what = t.a.kind
	case at != "" && t.thing:
		what, after = "", what // "an event at the library" is no library
	case t.a.index >= 0 && (what == "" || span == spanOf{t.a.index, t.a.index + 1}):
		what = t.own.called(t.a)
	case what == "" && t.held && len(t.taking) == 0:
		what = t.own.blocked()
	case what == "" && t.venue.name != "" && len(t.taking) == 0:
		what = t.venue.name
	}
	var others []string
	for _, p := range t.taking {
		if p.from < span.from || p.from >= span.to {
			others = append(others, p.name)
		}
	}
	spot := firstOf(t.worded(t.venue.spot.from, t.venue.spot.to), t.worded(t.venue.known.from, t.venue.known.to))
	why := firstOf(t.rest(span), t.before(span))
	return joined(t.own.titled(firstOf(what, t.own.called(t.a)), others), spot, after, why)
}

// before is what the thing is for, if that stands before it, after those who take part: "meet Al about the budget on
// zoom".
func (t *titler) before(span spanOf) string {
	from := t.opening(0)
	for from < span.from && !t.people.has(from) {
		from++
	}
	if from >= span.from || !t.isPlain(span) {
		return ""
	}
	return t.rest(spanOf{from, from})
}

// worded are the words from i to end as a title has them: slips mended, in small letters if the message shouts, and
// with no marks but those that join words.
func (t *titler) worded(i, end int) string {
	var b strings.Builder
	for ; i < end; i++ {
		w := t.words[i]
		if w.mark && !t.joinsWords(i) || t.class("silent", i) > 0 && !t.any(i-1, "of") {
			continue
		}
		if b.Len() > 0 && t.words[i-1].end < w.start {
			b.WriteByte(' ')
		}
		if text := strings.Trim(w.text, "'’"); t.shouted || w.lower != strings.ToLower(strings.ReplaceAll(text, "’", "'")) {
			b.WriteString(w.lower)
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}

func fallbackTitle(a activity) string {
	switch {
	case a.name == "phone" || a.name == "ring":
		return "call"
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
	if strings.Contains(strings.ToLower(what), " with ") {
		return what
	}
	names = slices.Clone(names)
	if len(names) > most {
		names = append(names[:most-1], "others")
	}
	return tongue{With: " with ", And: " and "}.titled(what, names)
}

// titleName is how a title calls someone: by the name, or by what stands before the @ of an address.
func titleName(name string) string {
	before, _, _ := strings.Cut(name, "@")
	return before
}

// reminded is what a reminder is of, in the words of the message; in another language than English with where that is.
func (r *reading) reminded() string {
	if !r.own.foreign() {
		a, _ := r.wish.activityOf()
		return r.wish.titler(a, r.wish.peopleOf(&r.wish.venue), &r.wish.venue, ownWords{}).title()
	}
	t := r.wish.titler(activity{index: -1}, nil, &venue{}, r.own)
	if span := t.find(); span.from == span.to {
		return ""
	}
	return t.title()
}

// isActivity reports whether word i says the activity in another language: "comer".
func (t *titler) isActivity(i int) bool {
	_, meaning, n := t.own.at([]string{t.at(i).text})
	return n > 0 && meaning == t.a.name
}

// follows reports whether somebody is named before word i in its clause: what they want is none of the title.
func (t *titler) follows(i int) bool {
	for i--; i >= 0 && (!t.at(i).mark || t.at(i).text == ","); i-- {
		if t.people.has(i) {
			return true
		}
	}
	return false
}
