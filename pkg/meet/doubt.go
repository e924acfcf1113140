package meet

import (
	"time"

	"convene/pkg/interval"
)

// Doubt is something about a proposed event that the user's own words do not bear out. A proposal with a doubt is never
// booked without a confirmation, which settles it.
type Doubt struct {
	Kind DoubtKind `json:"kind"`
	// Said is what the user said of it, word for word; empty if they said nothing of it.
	Said string `json:"said,omitempty"`
	// Text is a sentence for the user in the language of the turn: "You said “on Friday”: please check the day."
	Text string `json:"text"`
}

// DoubtKind is what is in doubt.
type DoubtKind string

// The kinds of doubts. DoubtRequest means that the words may ask for something else than this event or this change.
const (
	DoubtRequest DoubtKind = "request"
	DoubtPeople  DoubtKind = "people"
	DoubtDay     DoubtKind = "day"
	DoubtTime    DoubtKind = "time"
	DoubtLength  DoubtKind = "length"
	DoubtPlace   DoubtKind = "place"
	DoubtTravel  DoubtKind = "travel"
)

// Heard is what rules read in the words that a model made a draft of.
type Heard struct {
	// Event reports whether the rules found one event, or a change of one, in the words. If not, the rest says little.
	Event    bool     `json:"event,omitempty"`
	Mode     Mode     `json:"mode,omitempty"`
	Template Template `json:"template"`
	// People are those beside the organizer, and Edit is nil except in ModeEdit.
	People []Person `json:"people,omitempty"`
	Edit   *Edit    `json:"edit,omitempty"`
	// Today is the day on which the message was read.
	Today interval.Date `json:"today,omitzero"`
	// Words are those of the message, in lower case, and Phrases what of it speaks of days, times and lengths.
	Words   []string `json:"words,omitempty"`
	Phrases []Phrase `json:"phrases,omitempty"`
	// Unnamed reports whether the model named a person that nobody else named.
	Unnamed bool `json:"unnamed,omitempty"`
}

// Phrase is a piece of a message with all that it may mean, what it rules out included. Text is empty for the reading
// of the whole message.
type Phrase struct {
	Text     string               `json:"text,omitempty"`
	Days     []interval.DateRange `json:"days,omitempty"`
	Weekdays []time.Weekday       `json:"weekdays,omitempty"`
	Windows  []interval.Window    `json:"windows,omitempty"`
	Minutes  int                  `json:"minutes,omitempty"`
}
