package meet

import (
	"slices"
	"time"

	"convene/pkg/interval"
)

// Status is the state of a proposal.
type Status string

// A proposal is confirmed or cancelled once; it does not go back.
const (
	Proposed  Status = "proposed"
	Confirmed Status = "confirmed"
	Cancelled Status = "cancelled"
)

// Event is a proposal: the chosen slot and place with everything a client shows, before and after it is written to a
// calendar.
type Event struct {
	ID           ProposalID     `json:"id"`
	Conversation ConversationID `json:"conversationId"`
	Status       Status         `json:"status"`
	Title        string         `json:"title"`
	EventType    EventType      `json:"eventType"`
	Start        time.Time      `json:"start"`
	End          time.Time      `json:"end"`
	Timezone     string         `json:"timezone"`
	// Language is the BCP 47 tag of the event's texts.
	Language string `json:"language,omitempty"`
	// Participants includes the organizer, who is first.
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
	// JoinURL is the address of an online meeting, once a calendar has assigned it.
	JoinURL string `json:"joinUrl,omitempty"`
	// UID and Sequence are the iCalendar identity: a moved event keeps the UID and counts up (RFC 5545, 3.8.7.4).
	UID      string `json:"uid"`
	Sequence int    `json:"sequence"`
	// Replaces is the earlier proposal that this one changes.
	Replaces ProposalID `json:"replaces,omitempty"`
	// ReplacedBy is the confirmed proposal that replaced this one. This one is cancelled then, and its UID belongs to the
	// other.
	ReplacedBy ProposalID `json:"replacedBy,omitempty"`
}

// Span is the event's time, without travel.
func (e Event) Span() interval.Span { return interval.Span{Start: e.Start, End: e.End} }

// Participant is a person as the others in the event see them.
type Participant struct {
	ID       PersonID `json:"id,omitempty"`
	Name     string   `json:"name"`
	Email    string   `json:"email,omitempty"`
	Timezone string   `json:"timezone,omitempty"`
	// LocalStart is the start in the participant's own zone.
	LocalStart time.Time `json:"localStart"`
	// Invitation is the delivery state according to the organizer's calendar; empty if it reports none, as most do.
	Invitation Invitation `json:"invitation,omitempty"`
	// Copied says that the event was written to the participant's own calendar because the invitation failed.
	Copied bool `json:"copied,omitempty"`
}

// Invitation is the delivery state of an invitation.
type Invitation string

// An invitation arrived, could not be delivered, or is on its way as far as the calendar can tell.
const (
	InvitationDelivered Invitation = "delivered"
	InvitationFailed    Invitation = "failed"
	InvitationUnknown   Invitation = "unknown"
)

// Undelivered names the participants whose invitation failed: those who have not heard of the event, and those who have
// a copy in their own calendar.
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

// AlternativeOffer lists alternatives that can be taken by index.
type AlternativeOffer struct {
	Slots  []Slot  `json:"slots"`
	Places []Place `json:"places"`
	// Renewed says that the slots replaced earlier ones because a time was gone. A client that takes one must send its
	// start too: it may have read the index before.
	Renewed bool `json:"renewed,omitempty"`
}

// Links are what a client offers with a proposal.
type Links struct {
	ICS     string `json:"ics"`
	Google  string `json:"google"`
	Outlook string `json:"outlook"`
}

// Conversation is the state kept between turns, for 30 minutes after the last.
type Conversation struct {
	ID      ConversationID
	History []Exchange
	// Search is nil before the first proposal.
	Search *Search
	// Suggestions are the activities last shown, in that order.
	Suggestions []Suggestion
	// Question is what the previous turn asked; nil if it asked nothing.
	Question *Question
	// Waiting is what is open in the user's day; nil if nothing is.
	Waiting *Waiting
}

// Exchange is an earlier turn as the model sees it.
type Exchange struct {
	User      string `json:"user"`
	Assistant string `json:"assistant"`
	Turn      TurnID `json:"turn,omitempty"`
}

// Search is a finished search, from which an edit or "show more" starts.
type Search struct {
	Template Template `json:"template"`
	// People excludes the organizer.
	People []Person `json:"people"`
	Places []Place  `json:"places,omitempty"`
	// Around is the person whom the places are close to.
	Around *Person `json:"around,omitempty"`
	// Wished lists the template's wishes for a place, oldest message first.
	Wished []Wish `json:"wished,omitempty"`
	// Slots are ranked.
	Slots []Slot `json:"slots,omitempty"`
	// Lists are the slots and the places in JSON, as in Candidates.
	Lists Lists `json:"-"`
	// ShownSlots are starts; ShownPlaces are keys and names of places, without the names of venues that the user named.
	// Both include what earlier events of the conversation showed.
	ShownSlots  []time.Time `json:"shownSlots"`
	ShownPlaces []string    `json:"shownPlaces"`
	// OfferedSlots and OfferedPlaces are the alternatives of the last message, in order: "the second one".
	OfferedSlots  []Slot  `json:"offeredSlots"`
	OfferedPlaces []Place `json:"offeredPlaces"`
	Event         *Event  `json:"event,omitempty"`
	// Fresh says that the last turn showed the event, asked about it or answered a question about it: a yes means it.
	Fresh bool `json:"fresh,omitempty"`
	// Declined says that the user said no to the event: it waits for no answer.
	Declined bool `json:"declined,omitempty"`
	// Booked says that the event is in calendars, at this time or at the one before the change.
	Booked bool `json:"booked,omitempty"`
	// Standing is the search of the booked event, without its slots, while this one changes it. It remains if the change
	// is withdrawn.
	Standing *Search `json:"standing,omitempty"`
	// Past are the event's earlier versions in the conversation, oldest first.
	Past []Version `json:"past,omitempty"`
	// OnlyThen marks a suggestion that takes place at its own time only.
	OnlyThen bool `json:"onlyThen,omitempty"`
	// Apart says that a meeting became a video call because the people live too far apart.
	Apart     bool     `json:"apart,omitempty"`
	Organizer PersonID `json:"organizer"`
	// Zone is the IANA zone of the search's times; empty means the event's.
	Zone string    `json:"zone,omitempty"`
	At   time.Time `json:"timestamp"`
}

// Version is an event as it was proposed before an edit changed it.
type Version struct {
	Template Template  `json:"template"`
	People   []Person  `json:"people"`
	Wished   []Wish    `json:"wished,omitempty"`
	Start    time.Time `json:"start"`
	Place    *Place    `json:"place,omitempty"`
	OnlyThen bool      `json:"onlyThen,omitempty"`
}

// mostPast is how many earlier versions a search keeps.
const mostPast = 10

// Grown is the list of earlier versions after an edit made the event changed: with the version of the search, unless
// nothing changed, or without those that the edit took back. Of many the first and the latest are kept.
func (s *Search) Grown(edit Edit, changed *Event) []Version {
	if edit.Undo > 0 {
		return slices.Clone(s.Past[:max(0, len(s.Past)-edit.Undo)])
	}
	past := slices.Clone(s.Past)
	if s.Event == nil || changed != nil && s.Event.Start.Equal(changed.Start) && s.Event.End.Equal(changed.End) &&
		s.Event.Title == changed.Title && s.Event.EventType == changed.EventType &&
		len(s.Event.Participants) == len(changed.Participants) && samePlace(s.Event.Place, changed.Place) {
		return past // an edit that changed nothing
	}
	if len(past) == mostPast {
		past = slices.Delete(past, 1, 2)
	}
	return append(past, Version{s.Template, s.People, s.Wished, s.Event.Start, s.Event.Place, s.OnlyThen})
}

func samePlace(a, b *Place) bool { return a == nil && b == nil || a != nil && b != nil && a.Same(*b) }

// ShowSlots records slots as shown, each start once.
func (s *Search) ShowSlots(slots []Slot) {
	for _, slot := range slots {
		if !slices.ContainsFunc(s.ShownSlots, slot.Start.Equal) {
			s.ShownSlots = append(s.ShownSlots, slot.Start)
		}
	}
}

// ShowPlace records a place as shown, with its other branches unless the user named the venue.
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
