package microsoft

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// former is Amended.Former: what brings back what an amendment replaced or deleted.
type former struct {
	// ID is the event whose Values come back, and Event the one that its owner named.
	ID     string `json:"id,omitempty"`
	Event  string `json:"event,omitempty"`
	Values change `json:"values,omitempty"`
	// Create are the values of a deleted event: Graph keeps none, and a new one takes its place, with that UID.
	Create change `json:"create,omitempty"`
	UID    string `json:"uid,omitempty"`
	// Exceptions are those of the series, and Original is the start that it gave the named occurrence.
	Exceptions []exception `json:"exceptions,omitempty"`
	Original   time.Time   `json:"original,omitzero"`
	// Whole is the time of the series' first occurrence, and Rule its RRULE.
	Whole interval.Span `json:"whole"`
	Rule  string        `json:"rule,omitempty"`
	// Remove is the UID of a series that was split off.
	Remove string      `json:"remove,omitempty"`
	Cut    bool        `json:"cut,omitempty"`
	Answer meet.Answer `json:"answer,omitempty"`
}

func (f *former) json() []byte {
	if f == nil {
		return nil
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil
	}
	return text
}

// packed is the former in a property beside the mark, so that a repeat after a crash returns it too.
func (f *former) packed() string {
	if f == nil {
		return ""
	}
	return calendar.Pack(f)
}

// noted is what packed wrote with the amendment's mark; nil if another amendment has written since.
func (w *amender) noted(e *event) *former {
	marks, note := e.marks()
	f := &former{}
	if len(marks) == 0 || marks[len(marks)-1] != w.mark(e.ID) || calendar.Unpack(note, f) != nil {
		return nil
	}
	return f
}

// restore brings back what an amendment replaced or deleted. The event must stand as that amendment left it.
func (w *amender) restore(ctx context.Context) (agenda.Amended, error) {
	f := &former{}
	if json.Unmarshal(w.a.Former, f) != nil || f.ID == "" && f.Create == nil {
		return agenda.Amended{}, fault.New(fault.CalendarFailed, "it is not known any more how the event was before")
	}
	switch {
	case f.Create != nil:
		return w.anew(ctx, f)
	case f.Answer != "":
		w.a.Answer, w.a.Scope = f.Answer, ""
		return w.respond(ctx)
	}
	there, err := w.read(ctx, f.ID)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case there == nil:
		return agenda.Amended{}, calendar.ErrChanged
	case !w.done(there):
		if err = w.unchanged(ctx); f.Cut && errors.Is(err, calendar.ErrChanged) {
			err = nil
		}
		if err == nil {
			err = w.patch(ctx, there, f.Values, nil)
		}
	}
	if err == nil {
		err = w.remake(ctx, f.ID, f.Exceptions)
	}
	if err == nil && f.Remove != "" {
		var copies []found
		copies, err = w.findBy(ctx, w.source, uidProperty, f.Remove)
		err = errors.Join(err, w.removeAll(ctx, copies))
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.back(ctx, f.Event, f.ID, f.Original)
}

// anew creates a deleted event again; as Graph puts no occurrence back into its series, that one stands beside it.
func (w *amender) anew(ctx context.Context, f *former) (agenda.Amended, error) {
	there, err := w.read(ctx, w.a.Event.ID)
	if err == nil && there != nil {
		err = calendar.ErrChanged
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	id, err := w.add(ctx, f.Create, f.UID)
	if err == nil {
		err = w.remake(ctx, id, f.Exceptions)
	}
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.back(ctx, id, id, f.Original)
}

// back is what a restoration returns: the event, or the occurrence to which its series gives that start.
func (w *amender) back(ctx context.Context, event, series string, original time.Time) (agenda.Amended, error) {
	if original.IsZero() {
		o, err := w.occurrence(ctx, event)
		return agenda.Amended{Event: o}, err
	}
	o, err := w.occurrenceAt(ctx, series, original)
	return agenda.Amended{Event: o}, err
}
