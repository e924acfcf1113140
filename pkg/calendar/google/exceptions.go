package google

import (
	"context"
	"slices"
	"strings"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/meet"
)

// back are the steps that bring the exceptions back which carry takes to the series with that id.
func (s *series) back(to string) (steps []step) {
	for _, x := range s.carried() {
		c := content{Status: &x.Status}
		if x.Status != cancelled {
			c = contentOf(x)
			c.Recurrence = nil
		}
		steps = append(steps, step{ID: x.Id, Content: c})
		if id := s.instance(to, s.w.originalOf(x)); to == s.Id && id != x.Id {
			steps = append(steps, step{ID: id, Delete: true})
		}
	}
	return steps
}

// carried are the exceptions that change with the amendment.
func (s *series) carried() []*gcal.Event {
	return slices.DeleteFunc(slices.Clone(s.exceptions), func(x *gcal.Event) bool {
		return s.w.a.Scope == meet.Following && s.w.originalOf(x).Before(s.from)
	})
}

// carry takes the exceptions to the instances of the series with that id which stand for them now: cancelled ones stay
// cancelled, a time of their own stays, and so does whatever differs from the series in the amended fields.
func (s *series) carry(ctx context.Context, to string) error {
	for _, x := range s.carried() {
		id := s.instance(to, s.w.originalOf(x))
		var err error
		switch {
		case x.Status == cancelled && id == x.Id:
		case x.Status == cancelled:
			err = s.cancel(ctx, id)
		case id == x.Id:
			err = s.keep(ctx, x)
		default:
			err = s.take(ctx, x, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// cancel cancels the instance, unless an exception was carried there and cancelled where it was.
func (s *series) cancel(ctx context.Context, id string) error {
	there, err := s.w.get(ctx, id)
	if err != nil || there == nil || s.w.done(there) {
		return err
	}
	return s.w.delete(ctx, there, s.w.tell(there))
}

// keep changes an exception in its place.
func (s *series) keep(ctx context.Context, x *gcal.Event) error {
	c := s.shared(x)
	if s.w.done(x) || c.empty() {
		return nil
	}
	_, err := s.w.patch(ctx, x, c, nil)
	return err
}

// take writes an exception into another instance, and deletes it where it was: Google shows those too that its series
// no longer has. Guests with another calendar than Google's keep no second one either.
func (s *series) take(ctx context.Context, x *gcal.Event, id string) error {
	there, err := s.w.get(ctx, id)
	if err != nil {
		return err
	}
	if there != nil && !s.w.done(there) {
		e := copyOf(x, id)
		s.shared(x).onto(e)
		e.RecurringEventId, e.OriginalStartTime = there.RecurringEventId, there.OriginalStartTime
		e.ExtendedProperties.Private[propertyMarks] = s.w.mark(id)
		e.Sequence, e.Status = there.Sequence, x.Status
		call := s.w.api.Events.Update(s.w.ID, id, e).ConferenceDataVersion(1).SupportsAttachments(true).
			SendUpdates(s.w.tell(e)).Context(ctx)
		call.Header().Set("If-Match", there.Etag)
		event, err := call.Do()
		if _, err = s.w.written(ctx, id, event, err); err != nil {
			return err
		}
	}
	return s.w.delete(ctx, x, "externalOnly")
}

// shared is what changes in an exception: the amended fields in which it is as the series was, and its time if that was
// the series'. The occurrence that was named gets the time that was said.
func (s *series) shared(x *gcal.Event) content {
	c := s.w.wanted(s.w.a.Set, x)
	was, is := contentOf(s.Event), contentOf(x)
	for i, to := range c.texts() {
		series, own := *was.texts()[i], *is.texts()[i]
		if *to != nil && (*series != *own || **to == *own) {
			*to = nil
		}
	}
	for name := range c.Private {
		if was.Private[name] != is.Private[name] {
			delete(c.Private, name)
		}
	}
	named := x.Id == s.w.a.Event.ID
	if s.w.a.Set.Span == nil && s.w.a.Set.AllDay == nil {
		return c
	}
	own, err := timeOf(x, s.w.zone(listing{}))
	planned, planErr := s.span(s.w.originalOf(x))
	switch {
	case err != nil || planErr != nil:
	case named && s.w.a.Set.Span != nil:
		c.Start, c.End = s.w.times(*s.w.a.Set.Span, s.allDay(), s.Zone.String())
	case own.Start.Equal(planned.Start) && own.End.Equal(planned.End):
		c.Start, c.End = s.times(own)
	}
	return c
}

// copyOf is the event with another id and all that Google lets a program copy.
func copyOf(from *gcal.Event, id string) *gcal.Event {
	e := *from
	e.Id, e.ICalUID, e.Etag, e.Sequence, e.Creator, e.Organizer = id, "", "", 0, nil, nil
	e.RecurringEventId, e.OriginalStartTime = "", nil
	private := map[string]string{}
	for name, value := range privateOf(from) {
		if !strings.HasPrefix(name, "convene") || name == propertyKind || name == propertyCategories {
			private[name] = value
		}
	}
	shared := map[string]string(nil)
	if from.ExtendedProperties != nil {
		shared = from.ExtendedProperties.Shared
	}
	e.ExtendedProperties = &gcal.EventExtendedProperties{Private: private, Shared: shared}
	if from.Reminders != nil {
		reminders := *from.Reminders
		reminders.ForceSendFields = []string{"UseDefault"}
		e.Reminders = &reminders
	}
	return &e
}

// onto puts the content into a whole event.
func (c content) onto(e *gcal.Event) {
	for i, text := range c.texts() {
		if *text != nil {
			*textsOf(e)[i] = **text
		}
	}
	if c.Start != nil {
		e.Start, e.End = c.Start, c.End
	}
	if c.Recurrence != nil {
		e.Recurrence = *c.Recurrence
	}
	if c.Attendees != nil {
		e.Attendees = *c.Attendees
	}
	for name, value := range c.Private {
		e.ExtendedProperties.Private[name] = value
		if value == "" {
			delete(e.ExtendedProperties.Private, name)
		}
	}
}
