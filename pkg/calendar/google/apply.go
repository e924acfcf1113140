package google

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	gcal "google.golang.org/api/calendar/v3"

	"convene/pkg/account/google"
	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

var _ calendar.Amender = (*Calendar)(nil)

// Apply makes one change of an event. Each write names the version that was read, and leaves a mark of the amendment in
// the event, by which a repeat finds it done; so no guest hears of it twice. The events of a new or split series have
// ids made of the amendment's key.
func (c *Calendar) Apply(
	ctx context.Context, person meet.Person, a agenda.Amendment,
) (agenda.Amended, error) {
	at, err := c.shelfOf(ctx, person.ID, a)
	if err != nil {
		return agenda.Amended{}, err
	}
	w := &amender{reader: reader{calendar: c, shelf: at, person: person}, a: a}
	done, err := w.apply(ctx)
	if err != nil {
		return agenda.Amended{}, fmt.Errorf("%s event: %w", a.Kind, amendFault(err))
	}
	return done, nil
}

// amendFault is err as Apply returns it.
func amendFault(err error) error {
	answer, ok := errors.AsType[*google.Refusal](err)
	if !ok {
		return err
	}
	denied := slices.ContainsFunc(answer.Reasons, func(reason string) bool {
		return reason == "requiredAccessLevel" || reason == "forbiddenForNonOrganizer" || reason == "forbidden"
	})
	switch {
	case answer.Status == http.StatusForbidden && denied:
		return fmt.Errorf("%w: %w", calendar.ErrReadOnly, answer)
	case answer.Status == http.StatusNotFound, answer.Status == http.StatusGone,
		answer.Status == http.StatusPreconditionFailed:
		return fmt.Errorf("%w: %w", calendar.ErrChanged, answer)
	default:
		return err
	}
}

// shelfOf is the calendar that the amendment is for; a new event without one goes to the target.
func (c *Calendar) shelfOf(ctx context.Context, person meet.PersonID, a agenda.Amendment) (shelf, error) {
	if a.Kind == agenda.Create && a.Event.Calendar == "" {
		shelves, err := c.writable(ctx, person)
		if err != nil {
			return shelf{}, err
		}
		return shelves[0], nil
	}
	shelves, err := c.shelves(ctx, person)
	if err != nil {
		return shelf{}, err
	}
	i := slices.IndexFunc(shelves, func(s shelf) bool { return s.key == a.Event.Calendar })
	switch {
	case len(shelves) == 0:
		return shelf{}, failure("no Google calendar is connected").Because(calendar.ErrNoCalendar)
	case i < 0:
		return shelf{}, failure("a Google calendar is not there any more; choose the calendars again")
	case shelves[i].timesOnly:
		return shelf{}, calendar.ErrReadOnly
	}
	return shelves[i], nil
}

// amender makes one amendment in one calendar.
type amender struct {
	reader
	a agenda.Amendment
}

func (w *amender) apply(ctx context.Context) (agenda.Amended, error) {
	whole := w.a.Scope == meet.AllOfThem || w.a.Scope == meet.Following
	switch {
	case w.a.Kind == agenda.Create:
		return w.create(ctx)
	case w.a.Kind == agenda.Restore:
		return w.restore(ctx)
	case w.a.Kind == agenda.Respond:
		return w.respond(ctx)
	case whole && w.a.Event.Repeats():
		return w.amendSeries(ctx)
	case w.a.Kind == agenda.Delete:
		return w.remove(ctx, w.a.Event.ID)
	case w.a.Kind == agenda.Update:
		return w.update(ctx)
	default:
		return agenda.Amended{}, fault.New(fault.Internal, "A Google event cannot be changed in this way.")
	}
}

// mark is the amendment's in the event with that id. An instance has the marks of its series too, which are others.
func (w *amender) mark(id string) string { return calendar.Mark(w.a.Key, id) }

// mostMarks bounds the marks that an event keeps.
const mostMarks = 8

// done reports whether the amendment has been made in the event.
func (w *amender) done(e *gcal.Event) bool {
	return slices.Contains(strings.Split(privateOf(e)[propertyMarks], ","), w.mark(e.Id))
}

// marks are the event's with the amendment's.
func (w *amender) marks(e *gcal.Event) string {
	var all []string
	if text := privateOf(e)[propertyMarks]; text != "" {
		all = strings.Split(text, ",")
	}
	all = append(all, w.mark(e.Id))
	return strings.Join(all[max(0, len(all)-mostMarks):], ",")
}

// get is the event with that id, also a cancelled one; nil if Google has none.
func (w *amender) get(ctx context.Context, id string) (*gcal.Event, error) {
	event, err := w.api.Events.Get(w.ID, id).Context(ctx).Do()
	err = understood("get event", event, err)
	if absent(err) {
		return nil, nil //nolint:nilnil // that there is none is an answer
	}
	return event, err
}

// standing is the event that the amendment is of, or its series if id is that. It is calendar.ErrChanged if the event
// that its owner saw is not there, or is another by now, unless the amendment has been made.
func (w *amender) standing(ctx context.Context, id string) (e *gcal.Event, done bool, err error) {
	e, err = w.get(ctx, id)
	switch {
	case err != nil:
		return nil, false, err
	case e == nil:
		return nil, false, calendar.ErrChanged
	case w.done(e):
		return e, true, nil
	case e.Status == cancelled:
		return e, false, calendar.ErrChanged
	}
	return e, false, w.unchanged(ctx, false)
}

// occurrence is the event with that id, as Events returns it.
func (w *amender) occurrence(ctx context.Context, id string) (meet.Occurrence, error) {
	e, err := w.get(ctx, id)
	if err != nil {
		return meet.Occurrence{}, err
	}
	if e == nil || e.Status == cancelled {
		return meet.Occurrence{}, calendar.ErrChanged
	}
	l := listing{rules: map[string]string{}}
	switch {
	case len(e.Recurrence) > 0:
		return w.occurrence(ctx, instanceID(e.Id, w.startOf(e), wholeDay(e)))
	case e.RecurringEventId != "":
		series, err := w.get(ctx, e.RecurringEventId)
		if err != nil {
			return meet.Occurrence{}, err
		}
		if series != nil {
			l.rules[series.Id] = ruleOf(series)
		}
	}
	o, err := w.reader.occurrence(e, l)
	return o, failed("read event", err)
}

// tell says whether Google informs the guests of a change of the event.
func (w *amender) tell(events ...*gcal.Event) string {
	for _, e := range events {
		if slices.ContainsFunc(e.Attendees, func(a *gcal.EventAttendee) bool { return a != nil && !a.Self && !a.Resource }) {
			return "all"
		}
	}
	return "none"
}

// patch writes the content into the event with the amendment's mark, and notes what restores it.
func (w *amender) patch(ctx context.Context, there *gcal.Event, c content, former []step) (*gcal.Event, error) {
	body := c.event()
	tell := w.tell(there, body)
	if c.empty() {
		tell = "none"
	}
	if body.ExtendedProperties == nil {
		body.ExtendedProperties = &gcal.EventExtendedProperties{Private: map[string]string{}}
	}
	body.ExtendedProperties.Private[propertyMarks] = w.marks(there)
	w.note(body.ExtendedProperties, there, former)
	call := w.api.Events.Patch(w.ID, there.Id, body).ConferenceDataVersion(1).SupportsAttachments(true).
		SendUpdates(tell).Context(ctx)
	call.Header().Set("If-Match", there.Etag)
	event, err := call.Do()
	return w.written(ctx, there.Id, event, err)
}

// written is the answer to a write of the event with that id. If Google refuses it because the event has changed, the
// mark tells whether an earlier attempt made the change, and its answer was lost; otherwise it is calendar.ErrChanged.
func (w *amender) written(ctx context.Context, id string, event *gcal.Event, err error) (*gcal.Event, error) {
	err = understood("change event", event, err)
	if statusOf(err) != http.StatusPreconditionFailed {
		return event, err
	}
	now, err := w.get(ctx, id)
	if err == nil && (now == nil || !w.done(now)) {
		err = calendar.ErrChanged
	}
	return now, err
}

// delete deletes the event. One that is gone is no error.
func (w *amender) delete(ctx context.Context, e *gcal.Event, tell string) error {
	if e == nil || e.Status == cancelled {
		return nil
	}
	call := w.api.Events.Delete(w.ID, e.Id).SendUpdates(tell).Context(ctx)
	call.Header().Set("If-Match", e.Etag)
	err := failed("delete event", call.Do())
	if absent(err) {
		return nil
	}
	return err
}

// create inserts the event. Google refuses an id that it has, so that a repeat finds the first.
func (w *amender) create(ctx context.Context) (agenda.Amended, error) {
	uid := w.a.Event.UID
	if uid == "" {
		uid = icalendar.UIDOf(w.a.Key)
	}
	id, err := eventID(uid, w.person.ID)
	if err != nil {
		return agenda.Amended{}, err
	}
	body, err := w.created(w.a.Event, id, uid)
	if err != nil {
		return agenda.Amended{}, failed("create event", err)
	}
	if err := w.insert(ctx, body); err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrence(ctx, id)
	return agenda.Amended{Event: o}, err
}

// insert adds an event with an id of ours, unless the amendment has added it.
func (w *amender) insert(ctx context.Context, body *gcal.Event) error {
	event, err := w.api.Events.Insert(w.ID, body).ConferenceDataVersion(1).SupportsAttachments(true).
		SendUpdates(w.tell(body)).Context(ctx).Do()
	err = understood("insert event", event, err)
	if statusOf(err) != http.StatusConflict {
		return err
	}
	there, err := w.get(ctx, body.Id)
	if err == nil && (there == nil || !w.done(there)) {
		err = calendar.ErrChanged
	}
	return err
}

// update changes the named fields of one event, or of one instance.
func (w *amender) update(ctx context.Context) (agenda.Amended, error) {
	there, done, err := w.standing(ctx, w.a.Event.ID)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case done:
		return w.amended(ctx, there, there.Id)
	case !mayModify(there) || there.Locked:
		return agenda.Amended{}, calendar.ErrReadOnly
	}
	c := w.wanted(w.a.Set, there)
	w.timed(&c, w.a.Set, there)
	if rule := w.a.Set.Recurrence; rule != nil && there.RecurringEventId == "" {
		c.Recurrence = &[]string{rrule + *rule}
	}
	changed, err := w.patch(ctx, there, c, []step{{ID: there.Id, Content: c.of(there)}})
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.amended(ctx, changed, changed.Id)
}

// amended is what came of the amendment: noted has what restores it, and the event with that id is it now.
func (w *amender) amended(ctx context.Context, noted *gcal.Event, id string) (agenda.Amended, error) {
	o, err := w.occurrence(ctx, id)
	if err != nil {
		return agenda.Amended{}, err
	}
	former, err := w.noted(noted)
	return agenda.Amended{Event: o, Former: former}, err
}

// remove deletes the event with that id. One that is gone is deleted.
func (w *amender) remove(ctx context.Context, id string, exceptions ...*gcal.Event) (agenda.Amended, error) {
	there, err := w.get(ctx, id)
	if err != nil || there == nil || there.Status == cancelled {
		return agenda.Amended{}, err
	}
	if err := w.unchanged(ctx, false); err != nil {
		return agenda.Amended{}, err
	}
	former, err := json.Marshal(w.former(undeleted(there, exceptions)))
	if err != nil {
		return agenda.Amended{}, failed("note event", err)
	}
	return agenda.Amended{Former: former}, w.delete(ctx, there, w.tell(there))
}

// respond answers an invitation; the other attendees stay as they are. The organizer hears of it.
func (w *amender) respond(ctx context.Context) (agenda.Amended, error) {
	id := w.a.Event.ID
	if w.a.Scope == meet.AllOfThem {
		id = cutInstance(id)
	}
	there, done, err := w.standing(ctx, id)
	if err != nil {
		return agenda.Amended{}, err
	}
	self := selfOf(there)
	switch {
	case done:
		return w.amended(ctx, there, w.a.Event.ID)
	case self == nil:
		return agenda.Amended{}, failure("the calendar's owner is not invited to this event")
	case w.a.Scope == meet.Following && w.a.Event.Repeats():
		return agenda.Amended{}, failure("an invitation to a series is answered one by one or for all")
	}
	answer := *self
	answer.ResponseStatus = "needsAction"
	for status, a := range answers {
		if a == w.a.Answer {
			answer.ResponseStatus = status
		}
	}
	c := content{Attendees: &[]*gcal.EventAttendee{&answer}, OnlySelf: true}
	changed, err := w.patch(ctx, there, c, []step{{ID: there.Id, Content: c.of(there)}})
	if err != nil {
		return agenda.Amended{}, err
	}
	return w.amended(ctx, changed, w.a.Event.ID)
}
