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
	// Organizer reads the message; People excludes the organizer.
	Organizer meet.Person
	People    []meet.Person
	// Zone is the zone of all labels; nil means each slot's own.
	Zone *time.Location
	Now  time.Time
	// Slots and Places are the candidates in the order in which the model sees them: every index refers to these.
	Slots  []meet.Slot
	Places []meet.Place
	Shown  meet.Shown
	// Previous is the event being changed; nil if there is none.
	Previous     *meet.Event
	CalendarType meet.CalendarType
	// Unread names the people whose calendar could not be checked; Unknown those whom the service does not know.
	Unread  []string
	Unknown []string
	// NoCommonTime says that no requested time suits everyone: Slots are then the nearest times. Past and Skipped are
	// causes other than calendars: the time has passed, or a DST change skips it.
	NoCommonTime, Past, Skipped bool
	// ExplicitTime says that the first slot is a time that the user named and that does not suit everyone.
	ExplicitTime bool
	// WantsPlace says that the event needs a place; PlacesFailed, that the search for one failed.
	WantsPlace   bool
	PlacesFailed bool
	// Search says where the search for places departed from the wishes.
	Search meet.SearchNotes
	// KeepsPlace says that a change did not mention the place, so that a place other than Previous's needs an explanation.
	KeepsPlace bool
	// InTheWay are the people whom no requested time suits.
	InTheWay []meet.Conflict
	// Apart is set if people live in different cities.
	Apart *meet.Apart
	// Pairs describe each place at the time of each slot; see meet.Candidates.
	Pairs [][]meet.Pair
	// Moves says that the event being changed is in calendars already. A confirmed Previous implies it.
	Moves bool
	// Booked says that the event is in the calendar when the message is read, without a tap of the user.
	Booked bool
	// Undelivered names the people whose invitation to a booked event failed, Copied those who have the event in their own
	// calendar instead.
	Undelivered, Copied []string

	// plain says that the text is not Markdown.
	plain bool
	// speech caches what Language means.
	speech *speech
	// zones and calls cache each person's zone and short name.
	zones map[string]*time.Location
	calls map[string]string
	// view caches the outlook in Zone.
	view outlook
	// labels caches the candidates' labels.
	labels labels
	// features caches isFeature; nil once the labels are written.
	features map[string]bool
}

// Choice is the final ranking after the code's corrections, best first. Indices refer to Facts; at most the first four
// of each count, and those out of range are ignored.
type Choice struct {
	Slots  []int
	Places []int
}

// ranked is the maximum of each that a choice names: the best and three alternatives.
const ranked = 4

// Path is which of the two messages of stage 5 is written.
type Path string

// The two paths exclude each other.
const (
	// PathProposal announces the chosen time and place.
	PathProposal Path = "proposal"
	// PathAlternatives says that the earlier time still stands, and lists alternatives.
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

func (f *Facts) slot(i int) (meet.Slot, bool)   { return nth(f.Slots, i) }
func (f *Facts) place(i int) (meet.Place, bool) { return nth(f.Places, i) }

// within drops indices that are out of range, repeated or beyond the fourth.
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
