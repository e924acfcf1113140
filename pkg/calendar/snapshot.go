package calendar

import (
	"context"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Syncer is a provider that can go on from an earlier reading, so that only what changed is read again.
type Syncer interface {
	Provider
	// Sync is what takes the person's time in span. last is what an earlier Sync gave; the zero Snapshot, one of
	// another span and one whose marks the provider no longer knows all mean that everything is read anew. Its errors
	// are those of Times.
	Sync(ctx context.Context, person meet.Person, span interval.Span, last Snapshot) (Snapshot, error)
}

// Snapshot is what a provider knew of one person's calendars at one moment: what takes the person's time, and where to
// go on reading. It holds none of the words in the calendars, so it may be stored.
type Snapshot struct {
	// Span is what was asked for. A snapshot with an empty span knows nothing.
	Span   interval.Span `json:"span"`
	Blocks []Block       `json:"blocks"`
	// Unknown is what could not be read.
	Unknown interval.Set `json:"unknown,omitempty"`
	// Marks are where each calendar goes on: a sync token, a CTag or an ETag by the calendar's id at the provider.
	Marks map[string]string `json:"marks,omitempty"`
}

// Block is one event, or one instance of a series, that takes its owner's time.
type Block struct {
	// Calendar and ID name the event as the provider does: a change is told with them.
	Calendar string `json:"calendar"`
	ID       string `json:"id"`
	// UID is the event's iCalendar identity; empty where the provider does not tell it.
	UID  string        `json:"uid,omitempty"`
	Span interval.Span `json:"span"`
	// At is where the event is, to some hundred metres; nil where that is not known.
	At *geo.Point `json:"at,omitempty"`
}

// Times are the snapshot as busy and unknown times with the stays. The event with the UID except does not count.
func (s Snapshot) Times(except string) Times {
	times := Times{Availability: s.Availability(except)}
	for _, b := range s.Blocks {
		if b.At != nil && (except == "" || b.UID != except) && b.Span.Overlaps(s.Span) {
			times.Stays = append(times.Stays, meet.Stay{Span: b.Span, At: *b.At})
		}
	}
	return times
}

// Availability is the snapshot as busy and unknown times. The event with the UID except does not count.
func (s Snapshot) Availability(except string) interval.Availability {
	busy := make([]interval.Span, 0, len(s.Blocks))
	for _, b := range s.Blocks {
		if except == "" || b.UID != except {
			busy = append(busy, b.Span.Intersect(s.Span))
		}
	}
	return interval.Availability{Busy: interval.NewSet(busy...), Unknown: s.Unknown}
}
