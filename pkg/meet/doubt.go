package meet

import (
	"time"

	"convene/pkg/interval"
)

// Doubt is a part of a proposed event that the user's own words do not support. A proposal with a doubt is booked only
// after a confirmation, which settles it.
type Doubt struct {
	Kind DoubtKind `json:"kind"`
	// Said quotes the user; empty if the user said nothing about it.
	Said string `json:"said,omitempty"`
	// Text is a sentence for the user in the language of the turn: "You said “on Friday”: please check the day."
	Text string `json:"text"`
}

// KeptTime is why an organizer keeps a time free: the preference that says so, and their own name of it, if it has one.
type KeptTime struct{ Key, Title string }

// DoubtKind is the part that is in doubt.
type DoubtKind string

// The kinds of doubt. DoubtRequest means that the words may ask for something other than this event or change.
const (
	DoubtRequest DoubtKind = "request"
	DoubtPeople  DoubtKind = "people"
	DoubtDay     DoubtKind = "day"
	DoubtTime    DoubtKind = "time"
	DoubtLength  DoubtKind = "length"
	DoubtPlace   DoubtKind = "place"
	DoubtTravel  DoubtKind = "travel"
	// DoubtUnhandled means that words of the message are in nothing of the event.
	DoubtUnhandled DoubtKind = "unhandled"
	// DoubtKept means that the event takes time that the organizer keeps free.
	DoubtKept DoubtKind = "kept"
)

// Heard is what the built-in rules read in the words that a model made a draft from.
type Heard struct {
	// Event reports whether the rules found one event, or a change of one. If not, the other fields say little.
	Event    bool     `json:"event,omitempty"`
	Mode     Mode     `json:"mode,omitempty"`
	Template Template `json:"template"`
	// People excludes the organizer. Edit is nil except in ModeEdit.
	People []Person `json:"people,omitempty"`
	Edit   *Edit    `json:"edit,omitempty"`
	// Undecided are names of people who may or may not take part, as far as the message says.
	Undecided []string `json:"undecided,omitempty"`
	// Anchor is nil if the rules found none.
	Anchor *CalendarAnchor `json:"anchor,omitempty"`
	// Today is the date of the message.
	Today interval.Date `json:"today,omitzero"`
	// Words are the message's words in lower case. Phrases speak of days, times and lengths.
	Words   []string `json:"words,omitempty"`
	Phrases []Phrase `json:"phrases,omitempty"`
	// Unnamed reports whether the model added a person whom neither the message nor the request names.
	Unnamed bool `json:"unnamed,omitempty"`
	// Restored are the parts that the model left out of the draft, and that the draft has from the rules.
	Restored []DoubtKind `json:"restored,omitempty"`
}

// Unread is what a draft does not express of a message. Phrases are its own words, and matter; Condition is the first
// of them that is one, and empty if none is. Words counts all unread words, also those that do not matter. Most says
// that the draft expresses next to nothing of the message.
type Unread struct {
	Phrases   []string
	Condition string
	Words     int
	Most      bool
	// Said counts the words that the draft has, and Aside says that they all stand in remarks that ask for nothing.
	Said  int
	Aside bool
	// Nameless says that the title of a new event of the user alone is made of words that name nothing.
	Nameless bool
}

// Phrase is a part of a message with everything that it may mean, including what it rules out. Text is empty for the
// reading of the whole message.
type Phrase struct {
	Text     string               `json:"text,omitempty"`
	Days     []interval.DateRange `json:"days,omitempty"`
	Weekdays []time.Weekday       `json:"weekdays,omitempty"`
	Windows  []interval.Window    `json:"windows,omitempty"`
	Minutes  int                  `json:"minutes,omitempty"`
}
