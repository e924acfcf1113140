// Package ground reads a request by the things that the user has, and not by grammar: code finds what a message names
// of them, who is named, and what is said of time, and puts placeholders in their stead; a learned model tells which
// deed the rest asks for ("gutters are clean at last, check that off" is task_done); and code makes the call of a tool
// with what it found. A title never reaches the model, so that no title can ask for anything. A message says nothing
// here if the model is not sure, or if it says something that the deed has no place for.
package ground

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// Kind is what a thing is.
type Kind string

// The kinds of things. Nothing is what deeds need that are of no thing.
const (
	Nothing Kind = ""
	Event   Kind = "event"
	Task    Kind = "task"
	Item    Kind = "item"
	List    Kind = "list"
)

// Thing is something that the user has.
type Thing struct {
	Kind      Kind
	ID, Title string
	// Span is when an event is; zero for other things.
	Span interval.Span
	// Series is shared by the occurrences of an event, and List is the id of the list of an item.
	Series, List string
	// Invited says that another person asked the user to come to an event.
	Invited bool
}

// Person is somebody whom words of the message mean.
type Person struct{ Name, Said string }

// Message is a request with what it may be about.
type Message struct {
	// Language is a BCP 47 tag. Now carries the zone of the message's times.
	Text, Language string
	Now            time.Time
	People         []Person
	Things         []Thing
	// Last are the ids of what the user saw last: what "it" may mean.
	Last []string
}

// Reading is the call of a tool that a message asks for. The zero Reading has none.
type Reading struct {
	// Deed is what is asked for, and Probability how probable that is.
	Deed        string
	Probability float64
	Tool        string
	Arguments   json.RawMessage
	// Reads says that the call changes nothing, Names that the message names a thing. Plain says that all words are
	// understood, and what is meant is named whole.
	Reads, Names, Plain bool
}

// Elsewhere reports whether the message plainly asks for something else than a new event, also if code cannot make the
// call.
func (r Reading) Elsewhere() bool {
	return r.Probability >= leastElsewhere && !slices.Contains(newEvents, r.Deed)
}

// leastElsewhere is how probable that has to be. Of a hundred messages that ask for a new event it is true of one.
const leastElsewhere = 0.7

// newEvents are the deeds that a new event can be the answer to.
var newEvents = []string{"event_create", "block_create", "several", "none"}

// Creates reports whether the words of a message plainly ask for a new event, also if some of them may name something.
func Creates(m Message) bool {
	r := newReading(m)
	r.readTimes()
	p := learned().Probabilities(Features(r.delexicalized()))
	i := slices.Index(learned().Classes, "event_create")
	return i >= 0 && p[i] >= plainlyNew
}

// plainlyNew is how probable a new event has to be so that nobody looks whether the message names one that stands.
const plainlyNew = 0.95

// Surely is the probability from which a deed may be done without being asked for once more.
const Surely = 0.97

// How probable a deed has to be so that it is read at all.
const (
	leastToRead   = 0.5
	leastToChange = 0.6
	// leastUnnamed is for deeds that are of no thing that the message names.
	leastUnnamed = 0.7
	// longest is how many words a message has at most that is read.
	longest = 60
)

// Read is the call that a message asks for.
func Read(m Message) Reading {
	r := newReading(m)
	if len(r.words) == 0 || len(r.words) > longest {
		return Reading{}
	}
	var best *reading
	for _, way := range r.ways() {
		if way.judge(); best == nil || way.weight() > best.weight() {
			best = way
		}
	}
	return best.result()
}

// result is the call for the deed, if it is probable enough and everything that matters is in the call.
func (r *reading) result() Reading {
	d := deeds[r.deed]
	least := leastToRead
	switch {
	case len(r.found) == 0:
		least = leastUnnamed
	case !d.reads && !r.pointed:
		least = leastToChange
	}
	if d.call == nil || r.probability < least {
		return Reading{Deed: r.deed, Probability: r.probability}
	}
	if !d.reads && r.denied() || d.whole && (r.probability < Surely || !r.plain()) {
		return Reading{Deed: r.deed, Probability: r.probability}
	}
	tool, arguments := d.call(r)
	if tool == "" || (!d.reads || d.on == Nothing) && r.left() || slices.ContainsFunc(r.people, unused) {
		return Reading{Deed: r.deed, Probability: r.probability}
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return Reading{}
	}
	return Reading{r.deed, r.probability, tool, encoded, d.reads, len(r.found) > 0, r.plain()}
}

// reading is a message while it is read, in one of the ways in which its names may be meant.
type reading struct {
	Message
	words []word
	// found are the things that are named, as they stand in the message.
	found  []mention
	people []said
	times  []timed
	quoted []said
	// pointed says that words like "it" mean what is found.
	pointed     bool
	deed        string
	probability float64
}

// said is what stands from byte from to byte to of the message. Used says that the call has it.
type said struct {
	text     string
	from, to int
	used     bool
}

// of are the things of a kind that are named.
func (r *reading) of(kind Kind) (all []*mention) {
	for i := range r.found {
		if r.found[i].kind == kind {
			all = append(all, &r.found[i])
		}
	}
	return all
}

// ids are those of all things of a kind that are named, which are used then.
func (r *reading) ids(kind Kind) (ids []string) {
	for _, m := range r.of(kind) {
		m.used = true
		for _, t := range m.meant {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// names are the people who are named, who are used then.
func (r *reading) names() (names []string) {
	for i := range r.people {
		r.people[i].used = true
		names = append(names, r.people[i].text)
	}
	return names
}

// left reports whether the message says something that matters and that the call does not have: a time, somebody, a
// thing, or a number.
func (r *reading) left() bool {
	number := func(w word) bool {
		return !w.taken && digits.MatchString(w.lower) &&
			!slices.ContainsFunc(r.times, func(t timed) bool { return t.from <= w.from && w.to <= t.to })
	}
	return slices.ContainsFunc(r.words, number) || slices.ContainsFunc(r.people, unused) ||
		slices.ContainsFunc(r.times, func(t timed) bool { return !t.used }) || slices.ContainsFunc(r.quoted, unused) ||
		slices.ContainsFunc(r.found, func(m mention) bool { return !m.used })
}

func unused(s said) bool { return !s.used }

// weight is how much speaks for a way to read the message: how probable its deed is, and how whole the name.
func (r *reading) weight() float64 {
	whole := 1.0
	for _, m := range r.found {
		whole = min(whole, m.covered)
	}
	return r.probability * (1 + whole) / 2
}

// denied reports whether the message forbids what it names, or binds it to a condition. What asks politely binds it to
// none.
func (r *reading) denied() bool {
	text := r.delexicalized()
	if words()["denying"].MatchString(text) {
		return true
	}
	at := words()["binding"].FindStringSubmatchIndex(text)
	if at == nil {
		return false
	}
	begins := strings.TrimSpace(text[:at[0]]) == "" || strings.ContainsAny(text[at[0]:at[0]+1], ".,;:") ||
		strings.ContainsAny(text[max(0, at[0]-1):at[0]], ".,;:–—-")
	return begins && !words()["polite"].MatchString(text[at[2]:at[3]])
}

// plain reports whether the names are whole, and every other word is one by which people ask for things.
func (r *reading) plain() bool {
	if r.pointed || slices.ContainsFunc(r.found, func(m mention) bool { return m.covered < 1 || m.doubt || m.which }) {
		return false
	}
	for w := range strings.FieldsSeq(Plain(r.delexicalized())) {
		if _, known := learned().Usual[w]; !known {
			return false
		}
	}
	return true
}
