package agenda

import (
	"time"

	"convene/pkg/meet"
)

// Selection says which events are meant. It is an argument of every tool that reads or changes events, so that whatever
// finds events also changes them. Null and empty members select everything; all members must fit.
type Selection struct {
	// Window is the span of time that the events overlap; without it, from now on, or from the start of today if the events
	// are counted or shown.
	Window *Window `json:"window" jsonschema:"nullable"`
	// TimeOfDay bounds the start of the events on the clock.
	TimeOfDay *TimeOfDay `json:"timeOfDay" jsonschema:"nullable"`
	// Weekdays are "monday" to "sunday".
	Weekdays []string `json:"weekdays"`
	// TitleHas are words of titles, as the user said them: one of them must be in the title. TitleLacks must not.
	TitleHas   []string `json:"titleHas"`
	TitleLacks []string `json:"titleLacks"`
	// With and Without are people: ids, addresses or names.
	With    []string `json:"with"`
	Without []string `json:"without"`
	// Organizer is a person, or "me".
	Organizer  *string  `json:"organizer" jsonschema:"nullable"`
	Calendars  []string `json:"calendars"`
	Status     *string  `json:"status" jsonschema:"nullable,enum=confirmed,enum=tentative,enum=accepted,enum=declined,enum=unanswered"`
	Visibility *string  `json:"visibility" jsonschema:"nullable,enum=public,enum=private,enum=confidential"`
	// Categories are tags; one of them must be the event's.
	Categories []string `json:"categories"`
	// Kinds are kinds of time blocks, "block" for any, and "event" for what is none.
	Kinds     []string `json:"kinds"`
	Recurring *bool    `json:"recurring" jsonschema:"nullable"`
	// LongerThan and ShorterThan are minutes.
	LongerThan  *int `json:"longerThan" jsonschema:"nullable"`
	ShorterThan *int `json:"shorterThan" jsonschema:"nullable"`
	// Except are events that are not meant: each fits all members of one of these.
	Except []Exception `json:"except"`
	// Order is how the events are sorted before First counts; by start if null.
	Order *string `json:"order" jsonschema:"nullable,enum=start,enum=-start,enum=duration,enum=-duration"`
	// First is how many of them are meant.
	First *int `json:"first" jsonschema:"nullable"`
	// One says that the user means a single event: if several different ones fit, the tool asks.
	One *bool `json:"one" jsonschema:"nullable"`
	// IDs are Event.ID. From are the ids of an earlier result.
	IDs  []string `json:"ids"`
	From []string `json:"from"`
}

// Exception are events that a selection leaves out.
type Exception struct {
	Window    *Window    `json:"window" jsonschema:"nullable"`
	TimeOfDay *TimeOfDay `json:"timeOfDay" jsonschema:"nullable"`
	Weekdays  []string   `json:"weekdays"`
	TitleHas  []string   `json:"titleHas"`
	With      []string   `json:"with"`
}

// Window is a span of time: RFC 3339, or local to the turn's zone without an offset ("2026-11-27T00:00"), or a date.
type Window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// TimeOfDay is a part of the day on the clock, "HH:MM" to "HH:MM" exclusive. The same time twice means exactly then.
type TimeOfDay struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Scene is what a selection is read against.
type Scene struct {
	// Now carries the zone of the turn.
	Now time.Time
	// People are those whom a name, an id or an address means; it may find several.
	People func(name string) []meet.Person
}
