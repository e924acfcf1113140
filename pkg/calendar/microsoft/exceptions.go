package microsoft

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// exception is an occurrence with something of its own, or one that was called off.
type exception struct {
	// Original is the start that the series gave it.
	Original time.Time `json:"original"`
	// Values are what it has; nil if it was called off.
	Values change `json:"values,omitempty"`
	// Planned says that it takes place when the series says; Span is its time.
	Planned bool          `json:"planned,omitempty"`
	Span    interval.Span `json:"span"`
}

// remake makes exceptions of a series again as they were, as far as they are missing.
func (w *amender) remake(ctx context.Context, id string, exceptions []exception) error {
	s := &series{w: w, Shift: icalendar.Shift{Zone: w.source.zone}}
	return s.ensure(ctx, id, exceptions, nil, nil)
}

// ensure sees to it that the series with that id has the exceptions, with the amended values where they were as the
// series was; without values, as they were.
func (s *series) ensure(ctx context.Context, id string, exceptions []exception, values, was change) error {
	if len(exceptions) == 0 {
		return nil
	}
	var window interval.Span
	for _, x := range exceptions {
		window = around(window, s.Later(x.Original, s.By), x.Original, x.Span.Start)
	}
	there, err := s.w.instances(ctx, id, window)
	if err != nil {
		return err
	}
	for _, x := range exceptions {
		i := at(there, s.Later(x.Original, s.By))
		if i == nil {
			continue // it was called off, and still is
		}
		if err := s.ensureOne(ctx, i, x, values, was); err != nil {
			return err
		}
	}
	return nil
}

func (s *series) ensureOne(ctx context.Context, i *event, x exception, values, was change) error {
	if x.Values == nil {
		return s.w.delete(ctx, i)
	}
	e, err := s.w.readWith(ctx, i.ID, "")
	if err != nil || e == nil || s.w.done(e) {
		return err
	}
	if values == nil {
		if same(s.w.copyOf(e), x.Values) {
			return nil
		}
		return s.w.patch(ctx, e, x.Values, nil)
	}
	now := s.amended(x, e, values, was)
	if e.Type == "occurrence" {
		all := maps.Clone(x.Values)
		if _, ok := values["attendees"]; ok {
			delete(all, "attendees") // the series has the new ones
			delete(now, "attendees")
		}
		maps.Copy(all, now)
		now = all
	}
	if len(now) == 0 {
		return nil
	}
	return s.w.patch(ctx, e, now, nil)
}

// amended is what changes in an exception: the amended fields in which it is as the series was, and its time if that
// was the series'. The occurrence that was named gets the time that was said.
func (s *series) amended(x exception, there *event, values, was change) change {
	now := change{}
	for name, value := range values {
		if name == "start" || name == "end" || name == "isAllDay" || name == "recurrence" || name == "attendees" {
			continue
		}
		if same(x.Values[name], was[name]) {
			now[name] = value
		}
	}
	if _, ok := values["attendees"]; ok {
		now["attendees"] = invited(s.w.a.Set, there)
	}
	switch named := x.Original.Equal(s.from); {
	case !s.moves():
	case named && s.w.a.Set.Span != nil:
		now.put(*s.w.a.Set.Span, s.allDays(), s.Zone)
	case x.Planned:
		now.put(s.Moved(x.Span), s.allDays(), s.Zone)
	}
	return now
}

// same reports whether two values are the same JSON.
func same(a, b any) bool {
	first, err := json.Marshal(a)
	second, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && string(first) == string(second)
}

// around is the span widened to the days around the moments.
func around(span interval.Span, moments ...time.Time) interval.Span {
	for _, t := range moments {
		if t.IsZero() {
			continue
		}
		if span.Start.IsZero() || t.Before(span.Start) {
			span.Start = t
		}
		if t.After(span.End) {
			span.End = t
		}
	}
	return span
}
