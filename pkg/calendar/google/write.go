package google

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	gcal "google.golang.org/api/calendar/v3"
	"google.golang.org/api/googleapi"

	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// writtenFields are the requested fields of an event of ours.
const writtenFields googleapi.Field = "kind,id,etag,status,sequence,start,end,attendees,conferenceData,hangoutLink," +
	"extendedProperties(private)"

// Write adds the event to the calendar that the owner chose, or changes it where it is, and has Google invite the
// guests. An event with the same content is left alone, so that nobody is informed twice; a newer one is a
// fault.Conflict.
func (c *Calendar) Write(ctx context.Context, e calendar.Entry) (calendar.Written, error) {
	d, err := newDraft(e)
	if err != nil {
		return calendar.Written{}, err
	}
	shelves, err := c.writable(ctx, e.Owner.ID)
	if err != nil {
		return calendar.Written{}, err
	}
	at, err := c.find(ctx, shelves, d.id)
	if err != nil {
		return calendar.Written{}, err
	}
	w := writer{shelf: at, draft: d}
	event, err := w.put(ctx)
	if err != nil {
		return calendar.Written{}, fmt.Errorf("write event %s: %w", e.Event.UID, err)
	}
	return calendar.Written{JoinURL: joinURL(event)}, nil
}

// Remove deletes the event from whichever of the owner's calendars it is in, and has Google inform the guests.
func (c *Calendar) Remove(ctx context.Context, e calendar.Entry) error {
	id, err := eventID(e.Event.UID, e.Owner.ID)
	if err != nil {
		return err
	}
	shelves, err := c.writable(ctx, e.Owner.ID)
	if err != nil {
		return err
	}
	tell := draft{guests: guestsOf(e)}.updates()
	for i, at := range shelves {
		err := failed("delete event", at.api.Events.Delete(at.ID, id).SendUpdates(tell).Context(ctx).Do())
		switch {
		case err == nil:
			return nil
		case absent(err), i > 0 && forbids(err):
		default:
			return fmt.Errorf("remove event %s: %w", e.Event.UID, err)
		}
	}
	return nil
}

// absent reports whether Google has no such event, or no longer has it.
func absent(err error) bool {
	status := statusOf(err)
	return status == http.StatusNotFound || status == http.StatusGone
}

// writable are the person's calendars, the target first.
func (c *Calendar) writable(ctx context.Context, owner meet.PersonID) ([]shelf, error) {
	shelves, err := c.shelves(ctx, owner)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(shelves, func(s shelf) bool { return s.Target })
	switch {
	case len(shelves) == 0:
		return nil, failure("no Google calendar is connected").Because(calendar.ErrNoCalendar)
	case i < 0 && slices.ContainsFunc(shelves, func(s shelf) bool { return s.denied }):
		return nil, failure("reconnect the Google calendar and allow events to be written to it")
	case i < 0:
		return nil, failure("choose the Google calendar that events are written to")
	}
	target := shelves[i]
	return slices.Insert(slices.Delete(shelves, i, i+1), 0, target), nil
}

// find is the calendar with the event of that id, or the first one if none has it: the owner may have chosen another
// target since it was written. The first itself is not asked, because writing to it tells.
func (c *Calendar) find(ctx context.Context, shelves []shelf, id string) (shelf, error) {
	at, err := calendar.GatherAll(shelves[1:], func(s shelf) (here []shelf, err error) {
		event, err := s.api.Events.Get(s.ID, id).Fields("kind,id,status").Context(ctx).Do()
		err = understood("look for event", event, err)
		switch {
		case err == nil && event.Status != cancelled:
			return []shelf{s}, nil
		case absent(err), forbids(err):
			err = nil
		}
		return nil, err
	})
	if len(at) > 0 {
		return at[0], nil
	}
	return shelves[0], err
}

// understood is err, or an answer that is no event, as a fault.
func understood(operation string, event *gcal.Event, err error) error {
	if err == nil && (event == nil || event.Kind != "calendar#event") {
		err = errNotUnderstood
	}
	return failed(operation, err)
}

// writer writes one draft into one calendar.
type writer struct {
	shelf
	draft draft
}

// put inserts the event, or updates it if Google has it already. If it changed in between, put tries once more.
func (w *writer) put(ctx context.Context) (*gcal.Event, error) {
	event, err := w.api.Events.Insert(w.ID, w.draft.event(w.shelf)).
		ConferenceDataVersion(1).SendUpdates(w.draft.updates()).Fields(writtenFields).Context(ctx).Do()
	err = understood("insert event", event, err)
	if statusOf(err) == http.StatusConflict {
		event, err = w.replace(ctx)
		if statusOf(err) == http.StatusPreconditionFailed {
			event, err = w.replace(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	return w.withLink(ctx, event)
}

// replace turns the event there into the draft. It writes nothing if they are the same.
func (w *writer) replace(ctx context.Context) (*gcal.Event, error) {
	there, err := w.get(ctx)
	if err != nil {
		return nil, err
	}
	if there.Status == cancelled {
		return w.revive(ctx, there)
	}
	sequence := w.draft.entry.Event.Sequence
	if sequenceOf(there) > sequence {
		return nil, fault.New(fault.Conflict, "a newer version of this event is in the calendar already")
	}
	if w.draft.stands(there) && sequenceOf(there) == sequence {
		return there, nil
	}
	return w.change(ctx, there)
}

func (w *writer) get(ctx context.Context) (*gcal.Event, error) {
	event, err := w.api.Events.Get(w.ID, w.draft.id).Fields(writtenFields).Context(ctx).Do()
	return event, understood("get event", event, err)
}

// revive restores a deleted event, whose id Google keeps, with the draft's content.
func (w *writer) revive(ctx context.Context, there *gcal.Event) (*gcal.Event, error) {
	anew := w.draft.event(w.shelf)
	anew.Sequence = max(anew.Sequence, there.Sequence)
	call := w.api.Events.Update(w.ID, w.draft.id, anew).
		ConferenceDataVersion(1).SendUpdates(w.draft.updates()).Fields(writtenFields).Context(ctx)
	call.Header().Set("If-Match", there.Etag)
	event, err := call.Do()
	return event, understood("restore event", event, err)
}

// change updates our fields of the event and leaves the rest: answers, reminders, colours. Guests are informed unless
// only our sequence is new.
func (w *writer) change(ctx context.Context, there *gcal.Event) (*gcal.Event, error) {
	next := w.draft.event(w.shelf)
	next.Id = ""
	// Undo a change to a whole-day event.
	next.Start.NullFields, next.End.NullFields = []string{"Date"}, []string{"Date"}
	next.Sequence = max(next.Sequence, there.Sequence)
	next.Attendees = w.draft.attendees(w.shelf, there.Attendees)
	next.ConferenceData = w.draft.conference(there.ConferenceData)
	if !w.draft.entry.Online && w.draft.ours(there.ConferenceData) {
		next.NullFields = []string{"ConferenceData"}
	}
	tell := w.draft.updates()
	if w.draft.stands(there) {
		tell = "none"
	}
	call := w.api.Events.Patch(w.ID, w.draft.id, next).
		ConferenceDataVersion(1).SendUpdates(tell).Fields(writtenFields).Context(ctx)
	call.Header().Set("If-Match", there.Etag)
	event, err := call.Do()
	return event, understood("change event", event, err)
}

// linkPolls and linkPause bound the wait for a meeting link, which Google may make after the event.
const (
	linkPolls = 3
	linkPause = 300 * time.Millisecond
)

// withLink waits a moment for a requested meeting link. An event without one is still written.
func (w *writer) withLink(ctx context.Context, event *gcal.Event) (*gcal.Event, error) {
	for range linkPolls {
		if joinURL(event) != "" || !pending(event) {
			return event, nil
		}
		select {
		case <-ctx.Done():
			return event, nil
		case <-time.After(linkPause):
		}
		if again, err := w.get(ctx); err == nil {
			event = again
		}
	}
	return event, nil
}

func pending(e *gcal.Event) bool {
	if e.ConferenceData == nil || e.ConferenceData.CreateRequest == nil {
		return false
	}
	status := e.ConferenceData.CreateRequest.Status
	return status != nil && status.StatusCode == "pending"
}

// joinURL is the address of an online meeting.
func joinURL(e *gcal.Event) string {
	if e.ConferenceData != nil {
		for _, entry := range e.ConferenceData.EntryPoints {
			if entry != nil && entry.EntryPointType == "video" {
				return cmp.Or(entry.Uri, e.HangoutLink)
			}
		}
	}
	return e.HangoutLink
}
