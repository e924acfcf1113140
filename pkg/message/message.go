// Package message writes what a proposal says, and checks what a model wrote about it.
//
// Facts holds all that a message may speak of and renders each fact in the few ways in which a message may write it
// (When, Short, PlaceLink, Sentences …). The model copies these labels, the composed messages are made of them, and a
// Reader walks what the model wrote from left to right: a label counts as a fact, and all text between the labels must
// be ordinary words of one language that has a vocabulary here. Dates, hours, names, venues, zones and links are in no
// vocabulary, so that one which is not a label cannot pass in any language. The same walk works on a stream, so that
// a preview never shows anything unverified.
package message

import (
	"fmt"
	"slices"
	"time"

	"convene/pkg/meet"
)

// Facts is all that a message may speak of. The zero value speaks of nothing and is in English.
type Facts struct {
	// Language is the BCP 47 tag of the user's language. Labels follow it; composed messages are in English where
	// no sentences exist for it.
	Language string
	Mode     meet.Mode
	Template meet.Template
	// Organizer is who reads the message; People are those beside the organizer.
	Organizer meet.Person
	People    []meet.Person
	// Zone is what all labels are in; nil means each slot's own.
	Zone *time.Location
	Now  time.Time
	// Slots and Places are the candidates in the order in which the model sees them: every index means these.
	Slots  []meet.Slot
	Places []meet.Place
	Shown  meet.Shown
	// Previous is the event that is being changed; nil where there is none.
	Previous     *meet.Event
	CalendarType meet.CalendarType
	// Unread names the people whose calendar could not be checked; Unknown those whom nobody knows.
	Unread  []string
	Unknown []string
	// NoCommonTime says that nothing suits everybody as asked: Slots are then the nearest times. Past and Skipped
	// say why, where it is nobody's calendar: the time has passed, or the clocks are put forward over it.
	NoCommonTime, Past, Skipped bool
	// ExplicitTime says that the first slot is a time that the user named and that does not suit somebody.
	ExplicitTime bool
	// WantsPlace says that the event needs a place; PlacesFailed, that searching for one did not work.
	WantsPlace   bool
	PlacesFailed bool
	// Search is where the search for places had to depart from what was wished.
	Search meet.SearchNotes
	// KeepsPlace says that a change did not speak of the place, so that one which differs from that of Previous needs
	// a word.
	KeepsPlace bool
	// Apart is there where people live in different cities.
	Apart *meet.Apart
	// Pairs say of each slot, by its index, how each place goes with it; see meet.Candidates.
	Pairs [][]meet.Pair
	// Moves says that an event is being changed that is in calendars already. A confirmed Previous says so as well.
	Moves bool
	// Booked says that the event is in the calendar as soon as the message is read, without a tap of the user.
	Booked bool
	// Undelivered are the names of those whose invitation to a booked event failed, Copied of those who have the event in
	// their own calendar instead.
	Undelivered, Copied []string

	// plain says that what is written is no Markdown.
	plain bool
	// speech is what Language comes to, where it has been looked up already.
	speech *speech
	// zones and calls are everybody's zone and short name, where they have been found already.
	zones map[string]*time.Location
	calls map[string]string
	// view is the outlook in Zone, where it has been taken already.
	view outlook
	// labels are those of the candidates, where they have been written already.
	labels labels
	// features says which of a catalogue's features are ones, as far as it was asked; nil once the labels are written.
	features map[string]bool
}

// Choice is the final ranking after the code's corrections, best first. Indices are those of Facts; at most the first
// four of each count, and one that is out of range counts for nothing.
type Choice struct {
	Slots  []int
	Places []int
}

// ranked is how many of each a choice may name: the best and three alternatives.
const ranked = 4

// Path is which of the two messages of stage 5 is written.
type Path string

// The two paths exclude each other.
const (
	// PathProposal announces the chosen time and place.
	PathProposal Path = "proposal"
	// PathAlternatives says that the earlier time still stands, and lists what there is beside it.
	PathAlternatives Path = "alternatives"
)

// What a message was refused for. These are the reasons that a receipt counts.
const (
	KindWeekday  = "weekday"  // a day or month that is no fact
	KindTime     = "time"     // an hour, number or offered time in the wrong place
	KindVenue    = "venue"    // a venue that may not be named, or not here
	KindLink     = "link"     // a URL that is not an offered place's
	KindZone     = "zone"     // a time zone that is no fact
	KindName     = "name"     // a capitalised word that is no fact
	KindWord     = "word"     // a word that is in no vocabulary
	KindOrder    = "order"    // facts in an order that would mislead
	KindMissing  = "missing"  // something that the message must say and does not
	KindMarkup   = "markup"   // Markdown or HTML beyond emphasis, lists and the offered links
	KindControl  = "control"  // invisible, control or direction-changing characters, or broken UTF-8
	KindLength   = "length"   // more than a message may have
	KindHint     = "hint"     // a remark that belongs to another option
	KindClaim    = "claim"    // says what has happened, who answered or who is free, where the rest does not stand alone
	KindLanguage = "language" // words of two languages in one message
)

// Problem is why a message was refused. It holds no text of the message, so that it can be logged.
type Problem struct {
	// Kind is one of the Kind constants.
	Kind string
	// Offset is where in the message the problem begins, in runes.
	Offset int
}

func (p *Problem) Error() string {
	return fmt.Sprintf("message: unverified %s at character %d", p.Kind, p.Offset)
}

// slot is the candidate at i.
func (f *Facts) slot(i int) (meet.Slot, bool) {
	if i < 0 || i >= len(f.Slots) {
		return meet.Slot{}, false
	}
	return f.Slots[i], true
}

// place is the candidate at i.
func (f *Facts) place(i int) (meet.Place, bool) {
	if i < 0 || i >= len(f.Places) {
		return meet.Place{}, false
	}
	return f.Places[i], true
}

// within is the choice without indices that mean nothing, repeated ones and those beyond the fourth.
func (f *Facts) within(c Choice) Choice {
	return Choice{Slots: distinct(c.Slots, len(f.Slots)), Places: distinct(c.Places, len(f.Places))}
}

func distinct(indices []int, n int) []int {
	kept := make([]int, 0, ranked)
	for _, i := range indices {
		if i < 0 || i >= n || slices.Contains(kept, i) || len(kept) == ranked {
			continue
		}
		kept = append(kept, i)
	}
	return kept
}
