// Package ground reads a request by the things that the user has: which of them its words name, what it says of time,
// people and places besides, and which change or question these together can be. It reads what no grammar foresaw
// ("the gutters are clean at last, check that one off"), because what stands there narrows what can be meant. It says
// nothing if the message does not name a thing plainly, or says something that the reading has no place for.
package ground

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// Kind is what a thing is.
type Kind string

// The kinds of things.
const (
	Event Kind = "event"
	Task  Kind = "task"
	Item  Kind = "item"
)

// Thing is something that the user has.
type Thing struct {
	Kind      Kind
	ID, Title string
	// Series is shared by the occurrences of a series; empty for what happens once.
	Series string
	// Span is when an event is; zero for other things.
	Span interval.Span
	// Invited says that somebody else asked the user to come, who may still answer.
	Invited bool
	// Guests are the people of an event, by name.
	Guests []string
	// List is the name of the list of an item.
	List string
	// Done says that a task or an item is ticked off.
	Done bool
}

// Person is a contact whom words of the message may mean.
type Person struct {
	Name string
	Said []string
}

// Message is a request with what it may be about.
type Message struct {
	// Language is a BCP 47 tag. Now carries the zone of the message's times.
	Text, Language string
	Now            time.Time
	People         []Person
	Things         []Thing
	// Last are the ids of the things that the user saw last: what "it" may mean.
	Last []string
}

// Call is a call of a tool with its arguments. Reads says that it changes nothing.
type Call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Reads     bool            `json:"reads"`
}

// longest is how many words a message has at most that is read.
const longest = 60

// Read is the call that a message asks for.
func Read(m Message) (Call, bool) {
	book, known := books()[m.Language]
	if !known {
		return Call{}, false
	}
	r := &reading{Message: m, book: book, words: split(m.Text, book.verbs)}
	if len(r.words) == 0 || len(r.words) > longest || r.says("not", 0, len(r.words)) || !r.find() {
		return Call{}, false
	}
	r.readTimes()
	tool, arguments := "", map[string]any(nil)
	switch r.target().Kind {
	case Event:
		tool, arguments = r.event()
	case Task:
		tool, arguments = r.task()
	case Item:
		tool, arguments = r.item()
	}
	if tool == "" || !r.reads && r.left() {
		return Call{}, false
	}
	encoded, err := json.Marshal(arguments)
	return Call{tool, encoded, r.reads}, err == nil
}

// reading is a message while it is read.
type reading struct {
	Message
	book  book
	words []word
	// found are the things that are named, each with its words. An event of a series is there with its occurrences.
	found []mention
	times []timed
	reads bool
}

// target is what is meant first: of a series the occurrence that is meant.
func (r *reading) target() Thing { return r.found[0].meant() }

// ids are those of all that is meant.
func (r *reading) ids() (ids []string) {
	for _, m := range r.found {
		ids = append(ids, m.meant().ID)
	}
	return ids
}

// timed is a phrase of time by itself.
type timed struct {
	when.Entity
	when.Reading
	// used says that the call has it, or that it tells which occurrence is meant.
	used bool
}

// readTimes reads what is said of time outside the names of things. A day on which the thing is tells which one is
// meant, if the message names another time as well.
func (r *reading) readTimes() {
	text := []byte(r.Text)
	for _, m := range r.found {
		for _, i := range m.words {
			copy(text[r.words[i].from:r.words[i].to], strings.Repeat(" ", r.words[i].to-r.words[i].from))
		}
	}
	setting := when.Setting{Language: r.Language}
	for _, e := range setting.Read(string(text), r.Now).Entities {
		switch e.Kind {
		case when.KindDate, when.KindTime, when.KindDuration, when.KindShift:
			r.times = append(r.times, timed{Entity: e, Reading: setting.Read(string(text[e.Start:e.End]), r.Now)})
		default: // what is ruled out or taken back says which time it was
		}
	}
	said := 0
	for i := range r.times {
		if t := &r.times[i]; t.day() != nil || t.clock() != nil || t.Shift != (when.Shift{}) || t.Duration > 0 {
			said++
		}
	}
	for i := range r.times {
		t := &r.times[i]
		if day := t.day(); day != nil && (said > 1 || !r.says("moves", 0, len(r.words))) && r.found[0].on(*day, r.Now) {
			t.used, said = true, said-1
			break
		}
	}
	if len(r.found) != 1 {
		return
	}
	for i := range r.times {
		t := &r.times[i]
		if at := t.clock(); at != nil && said > 1 && *at == interval.ClockOf(r.target().Span.Start.In(r.Now.Location())) {
			t.used = true
			break
		}
	}
}

// day is the single day that a phrase names, or the last one that it allows ("until the 20th").
func (t timed) day() *interval.Date {
	if len(t.Dates) != 1 || t.Entity.Days != (interval.DateRange{}) {
		return nil
	}
	return &t.Dates[0].End
}

// clock is the time of day that a phrase names as a start.
func (t timed) clock() *interval.Clock { return t.Exact }

// unused is the first phrase of time that is not used yet and of which a part is wanted; nil if there is none.
func (r *reading) unused(wanted func(t *timed) bool) *timed {
	for i := range r.times {
		if t := &r.times[i]; !t.used && wanted(t) {
			return t
		}
	}
	return nil
}

// left reports whether the message says something that matters and that the call does not have: a time, or a person
// who is not one of the thing.
func (r *reading) left() bool {
	for _, t := range r.times {
		if !t.used && (len(t.Dates) > 0 || t.Exact != nil || t.Shift != (when.Shift{}) || t.EndsAt != nil) {
			return true
		}
	}
	return slices.ContainsFunc(r.words, func(w word) bool { return w.person >= 0 && !w.used })
}
