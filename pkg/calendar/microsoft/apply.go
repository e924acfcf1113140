package microsoft

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

var _ calendar.Amender = (*Calendar)(nil)

// Apply makes one change of an event. Before a write the event is read, and compared with the one that its owner saw;
// the write names the version that was read. It leaves a mark of the amendment in an extended property, by which a
// repeat finds it done; a new event has a transactionId made of the amendment's key.
func (c *Calendar) Apply(ctx context.Context, person meet.Person, a agenda.Amendment) (agenda.Amended, error) {
	accounts, err := c.connected(ctx, person.ID)
	if err != nil {
		return agenda.Amended{}, asFault(err)
	}
	w := &amender{Calendar: c, person: person, a: a}
	if w.source, err = sourceOf(accounts, person, a); err == nil {
		var done agenda.Amended
		if done, err = w.apply(ctx); err == nil {
			return done, nil
		}
	}
	return agenda.Amended{}, asFault(fmt.Errorf("%s event: %w", a.Kind, amendFault(err)))
}

// amendFault is err as Apply returns it.
func amendFault(err error) error {
	switch {
	case graph.IsStatus(err, http.StatusForbidden):
		return fmt.Errorf("%w: %w", calendar.ErrReadOnly, err)
	case graph.IsStatus(err, http.StatusNotFound, http.StatusGone, http.StatusPreconditionFailed, http.StatusConflict):
		return fmt.Errorf("%w: %w", calendar.ErrChanged, err)
	default:
		return err
	}
}

// sourceOf is the calendar that the amendment is for; a new event without one goes to the target.
func sourceOf(accounts []account.Account, person meet.Person, a agenda.Amendment) (source, error) {
	if a.Kind == agenda.Create && a.Event.Calendar == "" {
		target := targetOf(accounts)
		target.zone = person.Zone()
		return target, nil
	}
	for _, s := range sources(accounts, person) {
		if s.key() == a.Event.Calendar && s.account.Problem != "" {
			return source{}, fault.New(fault.CalendarFailed, "%s", s.account.Problem)
		}
		if s.key() == a.Event.Calendar {
			return s, nil
		}
	}
	return source{}, fault.New(fault.CalendarFailed, msgGone)
}

// amender makes one amendment in one calendar.
type amender struct {
	*Calendar
	source source
	person meet.Person
	a      agenda.Amendment
}

func (w *amender) apply(ctx context.Context) (agenda.Amended, error) {
	series := w.a.Event.Repeats() && (w.a.Scope == meet.AllOfThem || w.a.Scope == meet.Following)
	switch {
	case w.a.Kind == agenda.Create:
		return w.create(ctx)
	case w.a.Kind == agenda.Restore:
		return w.restore(ctx)
	case w.a.Kind == agenda.Respond:
		return w.respond(ctx)
	case series:
		return w.amendSeries(ctx)
	case w.a.Kind == agenda.Delete:
		return w.remove(ctx, w.a.Event.ID)
	case w.a.Kind == agenda.Update:
		return w.update(ctx)
	default:
		return agenda.Amended{}, fault.New(fault.Internal, "A Microsoft event cannot be changed in this way.")
	}
}

// keyProperty holds the mark of the last amendment that is the same in every event.
const keyProperty = "String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneAmendment"

// amendmentProperty holds the marks of the last amendments, and what restores the last one.
const amendmentProperty = "String {9d2c6f0e-4b1a-4f6b-8f57-3c8a2f6f7b11} Name ConveneAmendments"

// mark is the amendment's in the event with that id. An occurrence may have the properties of its series.
func (w *amender) mark(id string) string { return calendar.Mark(w.a.Key, id) }

// mostMarks bounds the marks that an event keeps.
const mostMarks = 8

// marks are the event's, and note is what restores the last amendment.
func (e *event) marks() (marks []string, note string) {
	text, note, found := strings.Cut(e.property(amendmentProperty), ";")
	if !found {
		return nil, ""
	}
	return strings.Split(text, ","), note
}

// done reports whether the amendment has been made in the event.
func (w *amender) done(e *event) bool {
	marks, _ := e.marks()
	return slices.Contains(marks, w.mark(e.ID))
}

func eventPath(id string) string { return "/me/events/" + url.PathEscape(id) }

// read is the event with that id; nil if there is none.
func (w *amender) read(ctx context.Context, id string) (*event, error) {
	return w.readWith(ctx, id, "", plainBody)
}

// readWith reads an event with an expansion beside that of the marks.
func (w *amender) readWith(ctx context.Context, id, expand string, prefer ...string) (*event, error) {
	r := graph.Get(eventPath(id), graph.Query{}.With("$select", agendaSelection+","+amendSelection).
		With("$expand", "singleValueExtendedProperties($filter=id eq '"+amendmentProperty+"')"+expand))
	r.Prefer = prefer
	d, err := graph.Ask[detailed](ctx, w.graph, graph.By(w.source.account.ID), r)
	if graph.IsStatus(err, http.StatusNotFound, http.StatusGone) {
		return nil, nil //nolint:nilnil // that there is none is an answer
	}
	if err != nil {
		return nil, err
	}
	return d.event, nil
}

// standing is the event with that id; done says that the amendment has been made in it. It is calendar.ErrChanged if
// the event that its owner saw is not there, or is another by now.
func (w *amender) standing(ctx context.Context, id string) (e *event, done bool, err error) {
	e, err = w.read(ctx, id)
	switch {
	case err != nil:
		return nil, false, err
	case e == nil:
		return nil, false, calendar.ErrChanged
	case w.done(e):
		return e, true, nil
	}
	return e, false, w.unchanged(ctx)
}

// unchanged is calendar.ErrChanged unless the event stands as its owner saw it.
func (w *amender) unchanged(ctx context.Context) error {
	o, err := w.occurrence(ctx, w.a.Event.ID)
	if err == nil && w.a.Event.Version != "" && o.Version != w.a.Event.Version {
		err = calendar.ErrChanged
	}
	return err
}

// occurrence is the event with that id, as Events returns it.
func (w *amender) occurrence(ctx context.Context, id string) (meet.Occurrence, error) {
	e, err := w.read(ctx, id)
	switch {
	case err != nil:
		return meet.Occurrence{}, err
	case e == nil || e.IsCancelled:
		return meet.Occurrence{}, calendar.ErrChanged
	case e.Type == "seriesMaster":
		return w.occurrenceAt(ctx, e.ID, w.startOf(e))
	}
	if e.SeriesMasterID != "" {
		master, err := w.read(ctx, e.SeriesMasterID)
		if err != nil {
			return meet.Occurrence{}, err
		}
		if master != nil {
			e.rule = master.Recurrence.rule()
		}
	}
	return w.Calendar.occurrence(w.source, e, w.person)
}

// patch writes new values into the event with the amendment's mark, and notes what restores it. If the answer is lost,
// the mark tells whether it was written; if another has changed the event in between, it is calendar.ErrChanged.
func (w *amender) patch(ctx context.Context, there *event, values change, f *former) error {
	marks, _ := there.marks()
	marks = append(marks, w.mark(there.ID))
	body := change{propertiesField: []property{
		{keyProperty, w.mark("")},
		{amendmentProperty, strings.Join(marks[max(0, len(marks)-mostMarks):], ",") + ";" + f.packed()},
	}}
	maps.Copy(body, values)
	r := graph.Request{
		Method: http.MethodPatch, Target: eventPath(there.ID), Body: body, Match: there.ETag, Once: true,
	}
	for attempt := 0; ; attempt++ {
		err := w.graph.Call(ctx, graph.By(w.source.account.ID), r, nil)
		lost := graph.Unanswered(err) && ctx.Err() == nil
		if err == nil || !lost && !graph.IsStatus(err, http.StatusPreconditionFailed, http.StatusConflict) {
			return err
		}
		now, readErr := w.read(ctx, there.ID)
		switch {
		case readErr != nil:
			return readErr // it is not known whether it was written
		case now != nil && w.done(now):
			return nil
		case now == nil || now.ETag != there.ETag:
			return calendar.ErrChanged
		case attempt > 0:
			return err
		}
	}
}

// delete removes the event. One with guests is cancelled, which informs them; one that is gone is no error.
func (w *amender) delete(ctx context.Context, e *event) error {
	return w.removeAll(ctx, []found{{
		id: e.ID, account: w.source.account.ID, guests: len(e.Attendees) > 0 && !e.invited(),
	}})
}

func (w *amender) create(ctx context.Context) (agenda.Amended, error) {
	uid := w.a.Event.UID
	if uid == "" {
		uid = icalendar.UIDOf(w.a.Key)
	}
	values, err := w.created(w.a.Event)
	if err != nil {
		return agenda.Amended{}, err
	}
	id, err := w.add(ctx, values, uid)
	if err != nil {
		return agenda.Amended{}, err
	}
	o, err := w.occurrence(ctx, id)
	return agenda.Amended{Event: o}, err
}

// add is Calendar.add for an amendment, and tells the event's id.
func (w *amender) add(ctx context.Context, values change, uid string) (id string, err error) {
	body := change{propertiesField: []property{{uidProperty, uid}}}
	maps.Copy(body, values)
	made, there, err := w.Calendar.add(ctx, w.source, uid, body)
	switch {
	case err != nil:
		return "", err
	case there != nil:
		return there.id, nil
	}
	return made.ID, nil
}

// update changes the named fields of one event, or of one occurrence.
func (w *amender) update(ctx context.Context) (agenda.Amended, error) {
	there, done, err := w.standing(ctx, w.a.Event.ID)
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case there.invited():
		return agenda.Amended{}, calendar.ErrReadOnly
	}
	f := &former{ID: there.ID, Event: there.ID}
	if done {
		f = w.noted(there)
	} else {
		values, err := w.wanted(w.a.Set, there)
		if err == nil {
			err = w.timed(values, there)
		}
		if err == nil {
			f.Values, err = w.before(ctx, there, values)
		}
		if err != nil {
			return agenda.Amended{}, err
		}
		if err := w.patch(ctx, there, values, f); err != nil {
			return agenda.Amended{}, err
		}
	}
	o, err := w.occurrence(ctx, there.ID)
	return agenda.Amended{Event: o, Former: f.json()}, err
}

// remove deletes the event with that id. One that is gone is deleted.
func (w *amender) remove(ctx context.Context, id string) (agenda.Amended, error) {
	there, err := w.readWith(ctx, id, "") // with its body as it was written
	if err != nil || there == nil {
		return agenda.Amended{}, err
	}
	if err := w.unchanged(ctx); err != nil {
		return agenda.Amended{}, err
	}
	f := &former{Create: w.copyOf(there), UID: w.a.Event.UID}
	if there.Type == "occurrence" || there.Type == "exception" {
		f.UID = icalendar.UIDOf(w.a.Key) // Graph puts no occurrence back into its series
	}
	if there.Type == "seriesMaster" {
		s, err := w.series(ctx, id, false)
		if err != nil {
			return agenda.Amended{}, err
		}
		f.Exceptions = s.exceptions
		f.Original = w.a.Event.RecurrenceID
	}
	switch {
	case there.invited():
		f = nil // it is its organizer's
	case there.HasAttachments:
		f = &former{} // without its attachments it is not restored
	}
	return agenda.Amended{Former: f.json()}, w.delete(ctx, there)
}

// verbs are the actions that answer an invitation.
var verbs = map[meet.Answer]string{
	meet.Accepted: "accept", meet.Declined: "decline", meet.Undecided: "tentativelyAccept",
}

// respond answers an invitation, and Graph tells its organizer. Outlook may remove a declined event. The answer that
// stands tells a repeat that it was given.
func (w *amender) respond(ctx context.Context) (agenda.Amended, error) {
	verb, known := verbs[w.a.Answer]
	if !known || w.a.Scope == meet.Following {
		return agenda.Amended{}, fault.New(fault.CalendarFailed, "this answer cannot be given to a Microsoft event")
	}
	there, err := w.read(ctx, w.a.Event.ID)
	after := agenda.Amended{Event: *w.a.After()}
	switch {
	case err != nil:
		return agenda.Amended{}, err
	case there == nil && w.a.Answer == meet.Declined:
		return after, nil
	case there == nil:
		return agenda.Amended{}, calendar.ErrChanged
	case !there.invited():
		return agenda.Amended{}, fault.New(fault.CalendarFailed, "the calendar's owner is not invited to this event")
	}
	var f *former // Graph takes no answer back to none
	id, before := there.ID, answers[there.ResponseStatus.Response]
	if w.a.Scope == meet.AllOfThem && there.SeriesMasterID != "" {
		id = there.SeriesMasterID
	}
	if before != w.a.Answer {
		if before != meet.NoAnswer {
			f = &former{ID: there.ID, Event: there.ID, Answer: before}
		}
		if err := w.unchanged(ctx); err != nil {
			return agenda.Amended{}, err
		}
		asks := there.ResponseRequested == nil || *there.ResponseRequested
		r := graph.Request{Method: http.MethodPost, Target: eventPath(id) + "/" + verb, Once: true}
		r.Body = change{"sendResponse": asks}
		if err := w.graph.Call(ctx, graph.By(w.source.account.ID), r, nil); err != nil {
			return agenda.Amended{}, err
		}
	}
	o, err := w.occurrence(ctx, there.ID)
	if errors.Is(err, calendar.ErrChanged) {
		return after, nil
	}
	return agenda.Amended{Event: o, Former: f.json()}, err
}
