package cached

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// reading is a snapshot with the moment at which it began to be read.
type reading struct {
	calendar.Snapshot
	at time.Time
}

// complete reports whether the snapshot may answer for the window: nothing of it is missing.
func (r reading) complete(window interval.Span) bool {
	return !r.Span.Empty() && r.Span.Covers(window) && len(r.Unknown) == 0
}

// within is what the snapshot says of span: nothing of what it does not reach to. The event with the UID except does
// not count.
func (r reading) within(span interval.Span, except string) calendar.Times {
	var busy []interval.Span
	var stays []meet.Stay
	for _, b := range r.Blocks {
		taken := b.Span.Intersect(r.Span).Intersect(span)
		if !taken.Empty() && (except == "" || b.UID != except) {
			busy = append(busy, taken)
			if b.At != nil {
				stays = append(stays, meet.Stay{Span: b.Span, At: *b.At})
			}
		}
	}
	asked := interval.NewSet(span)
	unread := r.Unknown.Intersect(asked).Union(asked.Minus(interval.NewSet(r.Span)))
	known := interval.Availability{Busy: interval.NewSet(busy...), Unknown: unread}
	return calendar.Times{Availability: known, Stays: stays, AsOf: r.at}
}

// week is what windows are made of, so that questions of the same days share one.
const week = 7 * 24 * time.Hour

// around is span made wider, to whole weeks that begin on Monday in UTC.
func around(span interval.Span) interval.Span {
	monday := time.Date(1970, time.January, 5, 0, 0, 0, 0, time.UTC)
	start := monday.Add(floor(span.Start.Sub(monday), week))
	end := monday.Add(-floor(-span.End.Sub(monday), week))
	return interval.Span{Start: start, End: end}
}

// floor is the greatest multiple of unit that is not more than d.
func floor(d, unit time.Duration) time.Duration {
	rest := d % unit
	if rest < 0 {
		rest += unit
	}
	return d - rest
}

// stored is a reading as it is kept: column by column, and each calendar's name once, because it is read more often
// than anything else. Times are Unix microseconds.
type stored struct {
	At        int64    `json:"at"`
	From      int64    `json:"from"`
	To        int64    `json:"to"`
	Calendars []string `json:"calendars"`
	Calendar  []int    `json:"calendar"`
	ID        []string `json:"id"`
	UID       []string `json:"uid"`
	Start     []int64  `json:"start"`
	End       []int64  `json:"end"`
	// Where has the blocks of which it is known where they are, by index.
	Where   map[int]geo.Point `json:"where,omitempty"`
	Unknown interval.Set      `json:"unknown,omitempty"`
	Marks   map[string]string `json:"marks,omitempty"`
}

func (r reading) marshal() ([]byte, error) {
	n := len(r.Blocks)
	s := stored{
		At: r.at.UnixMicro(), From: r.Span.Start.UnixMicro(), To: r.Span.End.UnixMicro(), Unknown: r.Unknown, Marks: r.Marks,
		Calendar: make([]int, n), ID: make([]string, n),
		UID: make([]string, n), Start: make([]int64, n), End: make([]int64, n),
	}
	for i, b := range r.Blocks {
		which := slices.Index(s.Calendars, b.Calendar)
		if which < 0 {
			which = len(s.Calendars)
			s.Calendars = append(s.Calendars, b.Calendar)
		}
		s.Calendar[i], s.ID[i], s.UID[i] = which, b.ID, b.UID
		s.Start[i], s.End[i] = b.Span.Start.UnixMicro(), b.Span.End.UnixMicro()
		if b.At != nil {
			if s.Where == nil {
				s.Where = map[int]geo.Point{}
			}
			s.Where[i] = *b.At
		}
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("snapshot: %w", err)
	}
	return raw, nil
}

func unmarshal(raw []byte) (reading, error) {
	var s stored
	if err := json.Unmarshal(raw, &s); err != nil {
		return reading{}, fmt.Errorf("snapshot: %w", err)
	}
	n := len(s.Calendar)
	if len(s.ID) != n || len(s.UID) != n || len(s.Start) != n || len(s.End) != n {
		return reading{}, fmt.Errorf("snapshot: its columns are not equally long")
	}
	r := reading{at: moment(s.At), Snapshot: calendar.Snapshot{
		Span: interval.Span{Start: moment(s.From), End: moment(s.To)}, Unknown: s.Unknown, Marks: s.Marks,
		Blocks: make([]calendar.Block, n),
	}}
	for i, which := range s.Calendar {
		if which < 0 || which >= len(s.Calendars) {
			return reading{}, fmt.Errorf("snapshot: there is no calendar %d", which)
		}
		r.Blocks[i] = calendar.Block{
			Calendar: s.Calendars[which], ID: s.ID[i], UID: s.UID[i],
			Span: interval.Span{Start: moment(s.Start[i]), End: moment(s.End[i])},
		}
		if at, known := s.Where[i]; known {
			r.Blocks[i].At = &at
		}
	}
	return r, nil
}

func moment(microseconds int64) time.Time { return time.UnixMicro(microseconds).UTC() }
