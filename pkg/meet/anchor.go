package meet

import "convene/pkg/interval"

// CalendarAnchor names a time by an event of the organizer's calendar, in the user's words.
type CalendarAnchor struct {
	Relation Relation `json:"relation"`
	Event    string   `json:"event"`
	// Second is the other event of Between; empty if Event means both.
	Second string `json:"second,omitempty"`
}

// Relation is how a time lies to an event.
type Relation string

// The relations.
const (
	Before      Relation = "before"
	After       Relation = "after"
	RightBefore Relation = "right before"
	RightAfter  Relation = "right after"
	DayBefore   Relation = "day before"
	DayAfter    Relation = "day after"
	Between     Relation = "between"
	During      Relation = "during"
)

// AnchorEvent is an event that an anchor was found to mean.
type AnchorEvent struct {
	UID    string
	Title  string
	Span   interval.Span
	AllDay bool
	// Busy are the addresses of the people whose time the event takes beside its owner's. Transparent says that it takes
	// nobody's.
	Busy        []string
	Transparent bool
}
