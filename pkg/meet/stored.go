package meet

import (
	"time"

	"convene/pkg/geo"
	"convene/pkg/interval"
)

// StoredEvent is one person's copy of a confirmed event in the built-in calendar. The UID is the same in every
// participant's copy; a copy with the same UID replaces the one that is there.
type StoredEvent struct {
	UID string `json:"uid"`
	// Sequence counts the revisions of the event, as in RFC 5545.
	Sequence int       `json:"sequence"`
	Title    string    `json:"title"`
	Start    time.Time `json:"start"`
	End      time.Time `json:"end"`
	// BusyFrom and BusyUntil bound the busy time, travel included. Zero times mean Start and End.
	BusyFrom  time.Time `json:"busyFrom,omitzero"`
	BusyUntil time.Time `json:"busyUntil,omitzero"`
	// At is the location, to some hundred metres; nil if it is unknown or the event has none.
	At *geo.Point `json:"at,omitempty"`
	// Location is the place in words. People take part, the organizer first. Copies that were stored by earlier versions
	// have neither.
	Location string         `json:"location,omitempty"`
	People   []StoredPerson `json:"people,omitempty"`
	// Change is the key of the amendment that wrote the copy; empty if a confirmation did.
	Change string `json:"change,omitempty"`
	// Held is the travel time of single participants, which only they keep busy. It is private and not part of a copy; see
	// For.
	Held map[PersonID]TravelBuffer `json:"-"`
}

// StoredPerson is a participant of a stored event.
type StoredPerson struct {
	ID    PersonID `json:"id,omitempty"`
	Name  string   `json:"name,omitempty"`
	Email string   `json:"email,omitempty"`
}

// Stored is the event as the built-in calendar keeps it. Held is the travel time of single participants beyond the
// event's own buffer.
func (e Event) Stored(held map[PersonID]TravelBuffer) StoredEvent {
	s := StoredEvent{UID: e.UID, Sequence: e.Sequence, Title: e.Title, Start: e.Start, End: e.End, Held: held}
	s = s.keeping(e.TravelBuffer.Shared())
	for _, p := range e.Participants {
		s.People = append(s.People, StoredPerson{p.ID, p.Name, p.Email})
	}
	if e.Place != nil {
		s.Location = e.Place.Name
		if e.Place.Address != "" {
			s.Location += ", " + e.Place.Address
		}
		if at, ok := geo.About(e.Place.Location.Latitude, e.Place.Location.Longitude); ok {
			s.At = &at
		}
	}
	return s
}

// For is the person's own copy.
func (e StoredEvent) For(person PersonID) StoredEvent {
	e = e.keeping(e.Held[person])
	e.Held = nil
	return e
}

// keeping is the event with at least the buffer around it busy.
func (e StoredEvent) keeping(b TravelBuffer) StoredEvent {
	if b.BeforeMinutes == 0 && b.AfterMinutes == 0 {
		return e
	}
	busy := e.Busy().Hull(e.Span().Widen(b.Before(), b.After()))
	e.BusyFrom, e.BusyUntil = busy.Start, busy.End
	return e
}

// Span is the event's own time, without travel.
func (e StoredEvent) Span() interval.Span { return interval.Span{Start: e.Start, End: e.End} }

// Busy is the event's time, travel included.
func (e StoredEvent) Busy() interval.Span {
	busy := e.Span()
	if !e.BusyFrom.IsZero() && e.BusyFrom.Before(busy.Start) {
		busy.Start = e.BusyFrom
	}
	if e.BusyUntil.After(busy.End) {
		busy.End = e.BusyUntil
	}
	return busy
}

// Amending is a change of a confirmed event that its organizer made in their own calendar.
type Amending struct {
	Owner PersonID
	UID   string
	// Key names the change, and is not empty.
	Key string
	// Provider has the change already.
	Provider string
	// Make sets the title, the time, the participants or the status: Cancelled ends the event, Confirmed brings it back.
	Make func(*Event)
}
