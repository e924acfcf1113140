package google

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
)

// step is a part of what brings an event back: new values of the event with that id, or its deletion. The first step of
// several is that of the series.
type step struct {
	ID      string  `json:"id"`
	Content content `json:"content"`
	Delete  bool    `json:"delete,omitempty"`
}

// former is Amended.Former.
type former struct {
	// Event is the id of the event that is brought back, or of its named occurrence. It is not there if it was Deleted.
	Event   string `json:"event"`
	Deleted bool   `json:"deleted,omitempty"`
	Steps   []step `json:"steps"`
}

// former is what the steps bring back.
func (w *amender) former(steps []step) former {
	return former{Event: w.a.Event.ID, Deleted: w.a.Kind == agenda.Delete, Steps: steps}
}

func parseFormer(text []byte) (f former, err error) {
	if json.Unmarshal(text, &f) != nil || len(f.Steps) == 0 {
		return f, failure("it is not known any more how the event was before")
	}
	return f, nil
}

// undeleted are the steps that bring a deleted event back with its exceptions.
func undeleted(e *gcal.Event, exceptions []*gcal.Event) []step {
	steps := []step{{ID: e.Id, Content: contentOf(e)}}
	for _, x := range exceptions {
		if x.Status != cancelled {
			steps = append(steps, step{ID: x.Id, Content: contentOf(x)})
		}
	}
	for i := range steps {
		if i > 0 || e.RecurringEventId != "" {
			steps[i].Content.Recurrence = nil
		}
	}
	return steps
}

// Google bounds the value of a property to 1024 characters; a note that needs more properties is not kept.
const (
	noteLength = 1000
	mostNotes  = 16
)

// note writes beside the mark what restores the event, so that a repeat after a crash returns it too. It is compressed,
// in as many properties as it needs; those of an earlier note that are too many are removed.
func (w *amender) note(to *gcal.EventExtendedProperties, there *gcal.Event, steps []step) {
	if steps == nil {
		return
	}
	rest := w.mark(there.Id) + ":" + calendar.Pack(w.former(steps))
	fits := len(rest) <= noteLength*mostNotes
	for n := range mostNotes {
		name := propertyFormer + strconv.Itoa(n)
		cut := min(len(rest), noteLength)
		switch {
		case fits && cut > 0:
			to.Private[name], rest = rest[:cut], rest[cut:]
		case privateOf(there)[name] != "":
			to.NullFields = append(to.NullFields, "Private."+name)
		}
	}
}

// noted is what note wrote in the event; nil if it was too long, or another amendment has written since.
func (w *amender) noted(e *gcal.Event) ([]byte, error) {
	var text strings.Builder
	for n := range mostNotes {
		_, _ = text.WriteString(privateOf(e)[propertyFormer+strconv.Itoa(n)])
	}
	packed, ours := strings.CutPrefix(text.String(), w.mark(e.Id)+":")
	if !ours {
		return nil, nil
	}
	var former json.RawMessage
	if calendar.Unpack(packed, &former) != nil {
		return nil, failed("read note", errNotUnderstood)
	}
	return former, nil
}

// restore takes an amendment's steps back, each once. The event must stand as that amendment left it.
func (w *amender) restore(ctx context.Context) (agenda.Amended, error) {
	f, err := parseFormer(w.a.Former)
	if err != nil {
		return agenda.Amended{}, err
	}
	first, err := w.get(ctx, f.Steps[0].ID)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case first == nil:
		return agenda.Amended{}, calendar.ErrChanged
	case !w.done(first):
		if err := w.unchanged(ctx, f.Deleted); err != nil {
			return agenda.Amended{}, err
		}
	}
	for _, s := range f.Steps {
		if err := w.redo(ctx, s); err != nil {
			return agenda.Amended{}, err
		}
	}
	o, err := w.occurrence(ctx, f.Event)
	return agenda.Amended{Event: o}, err
}

// unchanged is calendar.ErrChanged unless the event stands as its owner saw it, or is gone if it was deleted.
func (w *amender) unchanged(ctx context.Context, deleted bool) error {
	o, err := w.occurrence(ctx, w.a.Event.ID)
	switch {
	case deleted && errors.Is(err, calendar.ErrChanged):
		return nil
	case err != nil:
		return err
	case deleted, w.a.Event.Version != "" && o.Version != w.a.Event.Version:
		return calendar.ErrChanged
	}
	return nil
}

func (w *amender) redo(ctx context.Context, s step) error {
	e, err := w.get(ctx, s.ID)
	staysCancelled := s.Content.Status != nil && *s.Content.Status == cancelled
	if err != nil || e == nil || staysCancelled || w.done(e) {
		return err
	}
	if s.Delete {
		return w.delete(ctx, e, w.tell(e))
	}
	_, err = w.patch(ctx, e, s.Content, nil)
	return err
}
