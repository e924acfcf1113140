package ground

import (
	"slices"
	"strings"
	"unicode"
)

// Creates reports whether the words of a message plainly ask for a new event, also if some of them may name something.
func Creates(m Message) bool {
	if slices.Contains(conceptsOf(firstWord(m.Text)), "cancel") || form("to the note").MatchString(m.Text) {
		return false // "scratch the gym on tuesday", "add to that note that he comes on friday"
	}
	if form("then it").MatchString(m.Text) {
		return false // what moves or is off stands already
	}
	if useOffered(m).Tool != "" || whoCan(m).Tool != "" {
		return false
	}
	if m.AtHand != "" {
		m.Text = besideNamed(m.Text, "{event}")
	}
	r := newReading(m).withStrangers()
	r.readTimes()
	if r.findAway(); r.away != "" {
		return false // whole days are kept free
	}
	p := learned().Probabilities(Features(r.delexicalized()))
	i := slices.Index(learned().Classes, "event_create")
	return i >= 0 && p[i] >= plainlyNew
}

// withStrangers is the reading in which those are people too whom the message names after "with" and nobody knows:
// "lunch with nadia" is of no birthday of hers. It is the reading itself if more than their names names an event.
func (r *reading) withStrangers() *reading {
	m := r.Message
	m.People = slices.Clone(m.People)
	for i, w := range r.words {
		if r.stands(w.from, "with") && r.personAt(i) == "" && r.telling(i) {
			name := r.Text[w.from:w.to]
			m.People = append(m.People, Person{Name: name, Said: name})
		}
	}
	own := newReading(m)
	names := func(o mention) bool { return o.kind == Event && !own.allPeople(o) }
	if len(m.People) == len(r.People) || slices.ContainsFunc(own.named(), names) {
		return r
	}
	return own
}

// plainlyNew is how probable a new event has to be so that nobody looks whether the message names one that stands.
const plainlyNew = 0.95

// isTimeOf reports whether a thing only says when something else is, before or after it.
func (r *reading) isTimeOf(m *mention) bool {
	return len(m.words) > 0 && form("around it").MatchString(r.Text[:r.words[m.words[0]].from])
}

// ofAnother reports whether the one word that names an event is told more of by a word that its title does not have:
// "the design review" is not the weekly one.
func (r *reading) ofAnother(m mention) bool {
	i := m.words[0]
	if m.kind != Event || len(m.words) > 1 {
		return false
	}
	at := i - 1
	switch {
	case i == 0 && m.covered < mostOfTitle && len(r.words) > 2 && r.words[1].lower == "de":
		at = 2 // "clase de yoga", and no verb or article
	case i == 0 && m.covered < mostOfTitle && len(r.words) > 1 && strings.ContainsFunc(r.words[1].lower, isHebrew):
		at = 1
	case i < 2 || !words()["before noun"].MatchString(r.words[i-2].lower):
		return false
	}
	w := r.words[at]
	apart := r.Text[min(w.to, r.words[i].to):max(w.from, r.words[i].from)]
	return strings.Trim(apart, " de") == "" && !w.timely && r.telling(at) && r.personAt(at) == "" &&
		!slices.ContainsFunc(m.things, func(t Thing) bool { return r.titled(t, at) })
}

func isHebrew(r rune) bool { return unicode.Is(unicode.Hebrew, r) }
