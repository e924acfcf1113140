package cached

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
)

// reading is a snapshot with the moment at which the reading began.
type reading struct {
	calendar.Snapshot
	at time.Time
}

// complete reports whether the snapshot knows all of the window.
func (r reading) complete(window interval.Span) bool {
	return !r.Span.Empty() && r.Span.Covers(window) && len(r.Unknown) == 0
}

// within is the reading of span; time that the snapshot does not cover is unknown. The event with the UID except does
// not count.
func (r reading) within(span interval.Span, except string) calendar.Times {
	asked := interval.NewSet(span)
	times := calendar.Snapshot{
		Span: r.Span.Intersect(span), Blocks: r.Blocks,
		Unknown: r.Unknown.Intersect(asked).Union(asked.Minus(interval.NewSet(r.Span))),
	}.Times(except)
	times.AsOf = r.at
	return times
}

// week is the unit of windows, so that requests for the same days share one.
const week = 7 * 24 * time.Hour

// around widens span to whole weeks that begin on Monday in UTC.
func around(span interval.Span) interval.Span {
	monday := time.Date(1970, time.January, 5, 0, 0, 0, 0, time.UTC)
	start := monday.Add(floor(span.Start.Sub(monday), week))
	end := monday.Add(-floor(-span.End.Sub(monday), week))
	return interval.Span{Start: start, End: end}
}

// floor is the greatest multiple of unit that is at most d.
func floor(d, unit time.Duration) time.Duration {
	rest := d % unit
	if rest < 0 {
		rest += unit
	}
	return d - rest
}

// stored is a reading's stored form: in columns, with each calendar's name once, because nothing is read more often.
// Times are Unix microseconds.
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
	// Where has the known locations of blocks, by index.
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
