package meet

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// Status is where a proposal stands.
type Status string

// A proposal is confirmed or cancelled once; it does not go back.
const (
	Proposed  Status = "proposed"
	Confirmed Status = "confirmed"
	Cancelled Status = "cancelled"
)

// Event is a proposal: the chosen slot and place with everything a client shows, before and after it is written to
// a calendar.
type Event struct {
	ID           ProposalID     `json:"id"`
	Conversation ConversationID `json:"conversationId"`
	Status       Status         `json:"status"`
	Title        string         `json:"title"`
	EventType    EventType      `json:"eventType"`
	Start        time.Time      `json:"start"`
	End          time.Time      `json:"end"`
	Timezone     string         `json:"timezone"`
	// Language is the BCP 47 tag of what is said about it.
	Language string `json:"language,omitempty"`
	// Participants are everybody, the organizer first.
	Participants     []Participant    `json:"participants"`
	Place            *Place           `json:"place,omitempty"`
	TravelBuffer     TravelBuffer     `json:"travelBuffer"`
	CalendarProvider string           `json:"calendarProvider,omitempty"`
	CalendarType     CalendarType     `json:"calendarType,omitempty"`
	Conflicts        []Conflict       `json:"conflicts"`
	Unknown          []string         `json:"unknown,omitempty"`
	Doubts           []Doubt          `json:"doubts,omitempty"`
	Alternatives     AlternativeOffer `json:"alternatives"`
	Links            Links            `json:"links"`
	// JoinURL is where an online meeting takes place, once a calendar has given it an address.
	JoinURL string `json:"joinUrl,omitempty"`
	// UID and Sequence are the iCalendar identity: a moved event keeps the UID and counts up (RFC 5545, 3.8.7.4).
	UID      string `json:"uid"`
	Sequence int    `json:"sequence"`
	// Replaces is the proposal that this one takes the place of.
	Replaces ProposalID `json:"replaces,omitempty"`
	// ReplacedBy is the confirmed proposal that took the place of this one, which is cancelled then: its UID lives on
	// in the other.
	ReplacedBy ProposalID `json:"replacedBy,omitempty"`
}

// Span is the event's time, without travel.
func (e Event) Span() interval.Span { return interval.Span{Start: e.Start, End: e.End} }

// Participant is a person as others in the event see them.
type Participant struct {
	ID       PersonID `json:"id,omitempty"`
	Name     string   `json:"name"`
	Email    string   `json:"email,omitempty"`
	Timezone string   `json:"timezone,omitempty"`
	// LocalStart is the start in the participant's own zone.
	LocalStart time.Time `json:"localStart"`
	// Invitation is what the organizer's calendar says became of the invitation; empty if it says nothing, as most do.
	Invitation Invitation `json:"invitation,omitempty"`
	// Copied says that the event was written to the participant's own calendar, because the invitation failed.
	Copied bool `json:"copied,omitempty"`
}

// Invitation is what became of an invitation that was sent.
type Invitation string

// An invitation arrived, could not be delivered, or is on its way as far as the calendar can tell.
const (
	InvitationDelivered Invitation = "delivered"
	InvitationFailed    Invitation = "failed"
	InvitationUnknown   Invitation = "unknown"
)

// Undelivered are the names of the participants whose invitation failed: those who have not heard of the event, and
// those who have a copy of it in their own calendar.
func (e Event) Undelivered() (untold, copied []string) {
	for _, p := range e.Participants {
		switch {
		case p.Invitation != InvitationFailed:
		case p.Copied:
			copied = append(copied, p.Name)
		default:
			untold = append(untold, p.Name)
		}
	}
	return untold, copied
}

// AlternativeOffer is what can be taken instead with one tap, by index.
type AlternativeOffer struct {
	Slots  []Slot  `json:"slots"`
	Places []Place `json:"places"`
	// Renewed says that the slots have taken the place of others, because a time had gone. Whoever takes one of them has
	// to say its start too: the index may have been read before.
	Renewed bool `json:"renewed,omitempty"`
}

// Links are what a client offers with a proposal.
type Links struct {
	ICS     string `json:"ics"`
	Google  string `json:"google"`
	Outlook string `json:"outlook"`
}

// Conversation is what is remembered between turns, for 30 minutes after the last.
type Conversation struct {
	ID      ConversationID
	History []Exchange
	// Search is nil before the first proposal.
	Search *Search
	// Suggestions are the activities last shown, in the order shown.
	Suggestions []Suggestion
	// Question is what the previous turn asked; nil where it asked nothing.
	Question *Question
}

// Exchange is one earlier turn as the model gets to see it.
type Exchange struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
	// Turn is the one that it was.
	Turn TurnID `json:"turn,omitempty"`
}

// Search is a finished search: what an edit or "show more" starts from.
type Search struct {
	Template Template `json:"template"`
	// People are those beside the organizer.
	People []Person `json:"people"`
	Places []Place  `json:"places,omitempty"`
	// Around is whom the places are close to.
	Around *Person `json:"around,omitempty"`
	// Wished are the template's wishes for a place in the order in which they were made, those of one message together.
	Wished []Wish `json:"wished,omitempty"`
	// Slots are in ranked order.
	Slots []Slot `json:"slots,omitempty"`
	// Lists are the slots and the places in JSON, as those of Candidates.
	Lists Lists `json:"-"`
	// ShownSlots and ShownPlaces have been offered already: starts, and the keys and names of places, without the names of
	// those that were asked for by name. Places of earlier events of the conversation are among them.
	ShownSlots  []time.Time `json:"shownSlots"`
	ShownPlaces []string    `json:"shownPlaces"`
	// OfferedSlots and OfferedPlaces are the alternatives that were shown last, in that order: "the second one".
	OfferedSlots  []Slot  `json:"offeredSlots"`
	OfferedPlaces []Place `json:"offeredPlaces"`
	Event         *Event  `json:"event,omitempty"`
	// Booked says that the event stands in calendars, at this time or at one that it was changed from.
	Booked bool `json:"booked,omitempty"`
	// Standing is the search of the event as it is booked, without its slots, where this one is for a change of it: what
	// is left where the change is withdrawn.
	Standing *Search `json:"standing,omitempty"`
	// OnlyThen says that it is a suggestion at its own time, and at no other.
	OnlyThen bool `json:"onlyThen,omitempty"`
	// Apart says that it was to be a meeting, and is a video call because people live too far from each other.
	Apart     bool     `json:"apart,omitempty"`
	Organizer PersonID `json:"organizer"`
	// Zone is the IANA zone of the search's times. Empty means the event's.
	Zone string    `json:"zone,omitempty"`
	At   time.Time `json:"timestamp"`
}

// ShowSlots notes that slots were shown, each start once.
func (s *Search) ShowSlots(slots []Slot) {
	for _, slot := range slots {
		if !slices.ContainsFunc(s.ShownSlots, slot.Start.Equal) {
			s.ShownSlots = append(s.ShownSlots, slot.Start)
		}
	}
}

// ShowPlace notes that a place was shown. Another branch of it counts as the same, unless people asked for it by name.
func (s *Search) ShowPlace(p Place) {
	marks := []string{p.Key()}
	if !p.Named {
		marks = append(marks, p.Name)
	}
	for _, mark := range marks {
		if !slices.Contains(s.ShownPlaces, mark) {
			s.ShownPlaces = append(s.ShownPlaces, mark)
		}
	}
}

// Shows reports whether the place, or a branch that counts as the same, was shown.
func (s *Search) Shows(p Place) bool {
	return slices.Contains(s.ShownPlaces, p.Key()) || !p.Named && slices.Contains(s.ShownPlaces, p.Name)
}
