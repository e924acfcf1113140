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
	Mail    Kind = "mail"
)

// Thing is something that the user has.
type Thing struct {
	Kind      Kind
	ID, Title string
	// Span is when an event is; zero for other things.
	Span interval.Span
	// Series is shared by the occurrences of an event, and List is the id of the list of an item.
	Series, List string
	// Invited says that another person asked the user to come to an event, and Guests are the names of those who take
	// part besides the user. Done says that a task is closed.
	Invited, Done bool
	Guests        []string
	// Due is when a task is: a date, or a time in RFC 3339; empty if it is not. Board and Column are where it stands.
	// Assignee is the address or the name of the person who has it; empty if nobody else than the user does.
	Due, Board, Column, Assignee string
	// At is when a task counts: when the user is reminded of it or, without a reminder, its Due.
	At string
	// Minutes is how long a task takes.
	Minutes int
	// Letter is what is known of a mail besides its subject; nil for other things.
	Letter *Letter
}

// Person is somebody whom words of the message mean.
type Person struct {
	Name, Said string
	// Address is where mail reaches them; empty if that is not known, or only mails have it.
	Address string
}

// Message is a request with what it may be about.
type Message struct {
	// Language is a BCP 47 tag. Now carries the zone of the message's times.
	Text, Language string
	Now            time.Time
	People         []Person
	Things         []Thing
	// Mails are those of the mailbox, which are asked for only if the message may be about one. Nil if there is none.
	Mails func() []Thing
	// Last are the ids of what the user saw last: what "it" may mean; Listed those of the list whose numbers count.
	Last, Listed []string
	// AtHand is the id of the one event that is being talked about; empty if there is none.
	AtHand string
	// Company is the one person with whom something is arranged; empty if there is none, or more than one.
	Company string
	// Offered are the times that were listed last, in that order.
	Offered []interval.Span
	// Day is the one that is being talked about, "that day"; zero if there is none.
	Day interval.Date
	// Before is the call of the turn before; zero if there was none. Waits says that its changes wait for the user's word,
	// or were made at once, and Done that they were made.
	Before      Call
	Waits, Done bool
}

// Reading is the call of a tool that a message asks for. The zero Reading has none.
type Reading struct {
	// Deed is what is asked for, and Probability how probable that is.
	Deed        string
	Probability float64
	Tool        string
	Arguments   json.RawMessage
	// Reads says that the call changes nothing, Names that the message names a thing. Clear says that all words are
	// understood and nothing else may be meant, Plain that what is meant is named whole as well.
	Reads, Names, Clear, Plain bool
	// Sure says that the call is plain and probable enough to be made without being asked for once more.
	Sure bool
	// Tasks says that the message calls tasks what it is about; without a call, that it is all of them.
	Tasks bool
	// Other is how probable it is that the message asks for nothing that is new in the calendar.
	Other float64
	// Denied says that there is no call because the message forbids the deed, binds it to a condition, leaves open what
	// is meant, or counts other things than there are.
	Denied bool
	// Amends says that the message changes the mail that waits: the call is for all of it, anew.
	Amends bool
	// Refuses is what the message asks for that nobody here can do; empty if that is nothing.
	// Language is that of the words which ask for it.
	Refuses, Language string
	// Reports says that the message only tells what the user has done with events: nothing is to be done.
	Reports bool
}

// undoubted is the reading of a message whose form leaves no doubt of the call; the zero Reading without a tool.
func undoubted(deed, tool string, call arguments) Reading {
	encoded, err := json.Marshal(call)
	if tool == "" || err != nil {
		return Reading{}
	}
	return Reading{
		Deed: deed, Probability: 1, Other: 1, Tool: tool, Arguments: encoded,
		Names: true, Clear: true, Plain: true, Sure: true,
	}
}

// doubted is the reading as one that is shown before it is done, if there is a doubt.
func (r Reading) doubted(doubt bool) Reading {
	r.Clear, r.Plain, r.Sure = r.Clear && !doubt, r.Plain && !doubt, r.Sure && !doubt
	return r
}

// Of reports whether tools of a family can do the deed.
func (r Reading) Of(family string) bool {
	kind, _, _ := strings.Cut(r.Deed, "_")
	return slices.Contains(families[kind], family)
}

// families are those of the tools that do deeds, by what a deed's name begins with.
var families = map[string][]string{
	"event": {"calendar", "schedule"}, "day": {"calendar", "schedule"}, "block": {"calendar", "schedule"},
	"away": {"calendar", "schedule"},
	"task": {"task"}, "item": {"list"}, "list": {"list"}, "note": {"note"}, "contact": {"contact"},
	"preference": {"preference"}, "mail": {"email"},
}

// Elsewhere reports whether the message plainly asks for something else than a new event, or for nothing, also if code
// cannot make the call.
func (r Reading) Elsewhere() bool { return r.Other >= leastElsewhere }

// leastElsewhere is how probable that has to be.
const leastElsewhere = 0.9
