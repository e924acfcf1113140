package calendar

import (
	"context"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Syncer is a provider that can continue an earlier reading and read only the changes.
type Syncer interface {
	Provider
	// Sync reads the person's time in span. last is the result of an earlier Sync; the zero Snapshot, one of another span
	// and one whose marks the provider no longer knows all mean that everything is read anew. Its errors are those of
	// Times.
	Sync(ctx context.Context, person meet.Person, span interval.Span, last Snapshot) (Snapshot, error)
}

// Snapshot is a provider's knowledge of one person's calendars at one moment: the busy time, and marks to continue
// from. It holds no text of the calendars, so it may be stored.
type Snapshot struct {
	// Span is the requested span. A snapshot with an empty span knows nothing.
	Span   interval.Span `json:"span"`
	Blocks []Block       `json:"blocks"`
	// Unknown is the time that could not be read.
	Unknown interval.Set `json:"unknown,omitempty"`
	// Marks are sync tokens, CTags or ETags, by the calendar's id at the provider.
	Marks map[string]string `json:"marks,omitempty"`
}

// Block is one event, or one instance of a series, that takes its owner's time.
type Block struct {
	// Calendar and ID identify the event at the provider, which names them in changes.
	Calendar string `json:"calendar"`
	ID       string `json:"id"`
	// UID is the event's iCalendar identity; empty if the provider does not give it.
	UID  string        `json:"uid,omitempty"`
	Span interval.Span `json:"span"`
	// At is where the event is, to some hundred metres; nil if that is not known.
	At *geo.Point `json:"at,omitempty"`
}

// Times are the snapshot's busy and unknown times with the stays. The event with the UID except does not count.
func (s Snapshot) Times(except string) Times {
	times := Times{Availability: interval.Availability{Unknown: s.Unknown}}
	var busy []interval.Span
	for _, b := range s.Blocks {
		taken := b.Span.Intersect(s.Span)
		if taken.Empty() || except != "" && b.UID == except {
			continue
		}
		busy = append(busy, taken)
		if b.At != nil {
			times.Stays = append(times.Stays, meet.Stay{Span: b.Span, At: *b.At})
		}
	}
	times.Busy = interval.NewSet(busy...)
	return times
}

// BlocksOf are the blocks of one calendar, in a slice of their own.
func (s Snapshot) BlocksOf(calendar string) (blocks []Block) {
	for _, b := range s.Blocks {
		if b.Calendar == calendar {
			blocks = append(blocks, b)
		}
	}
	return blocks
}
