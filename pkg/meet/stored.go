package meet

import (
	"time"

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
	// BusyFrom and BusyUntil bound what the event takes of the person's time, travel included. The zero times
	// mean Start and End.
	BusyFrom  time.Time `json:"busyFrom,omitzero"`
	BusyUntil time.Time `json:"busyUntil,omitzero"`
}

// Span is the event's own time, without travel.
func (e StoredEvent) Span() interval.Span { return interval.Span{Start: e.Start, End: e.End} }

// Busy is the time that the event takes, travel included.
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
