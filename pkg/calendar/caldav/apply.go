package caldav

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"time"

	"convene/pkg/account"
	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Apply reads the event's object, changes it and writes it back on the condition that it is still the same. The server
// informs the guests (RFC 6638), if it does so at all.
func (c *Calendar) Apply(
	ctx context.Context, person meet.Person, a agenda.Amendment,
) (agenda.Amended, error) {
	if a.Event.ReadOnly {
		return agenda.Amended{}, calendar.ErrReadOnly
	}
	var was former
	if len(a.Former) > 0 {
		if err := json.Unmarshal(a.Former, &was); err != nil {
			return agenda.Amended{}, fault.New(fault.Internal, "The change cannot be taken back.").Because(err)
		}
		a.Former = was.Object
	}
	d, err := c.desk(ctx, person, a, was)
	if err != nil {
		return agenda.Amended{}, err
	}
	done, err := d.apply(ctx, a)
	if status, ok := errors.AsType[*statusError](err); ok && status.status == http.StatusForbidden &&
		(len(status.conditions) == 0 || status.names("need-privileges")) {
		err = calendar.ErrReadOnly
	}
	return done, c.explain(ctx, d.session, toWrite, err)
}

// maxRaces bounds the attempts at a change of an object that others change at the same time: occurrences of one series.
const maxRaces = 16

// former is an Amended.Former: an object's, with its address.
type former struct {
	Calendar string          `json:"calendar"`
	Path     string          `json:"path"`
	Object   json.RawMessage `json:"object"`
}

// desk is where an object of a calendar is changed.
type desk struct {
	*session
	editor     icalendar.Editor
	identity   calendar.Identity
	calendar   string
	collection *url.URL
	// at is the object's address.
	at *url.URL
}

// desk finds the object that an amendment is of: in the calendar that the event names, or the target for a new one.
func (c *Calendar) desk(ctx context.Context, person meet.Person, a agenda.Amendment, was former) (*desk, error) {
	d := &desk{identity: c.cfg.Identity, calendar: a.Event.Calendar}
	path := a.Event.ID
	if was.Path != "" {
		d.calendar, path = was.Calendar, was.Path
	}
	var err error
	if d.calendar == "" && a.Kind == agenda.Create {
		d.session, d.collection, err = c.target(ctx, person, toWrite)
		if err == nil {
			d.calendar = d.collection.String()
		}
	} else {
		d.session, d.collection, err = c.calendarOf(ctx, person, d.calendar)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case a.Kind == agenda.Create:
		uid := a.Event.UID
		if uid == "" {
			uid = icalendar.UIDOf(a.Key)
		}
		d.at = d.collection.JoinPath(objectName(uid))
	case path == "":
		return nil, calendar.ErrChanged
	default:
		if d.at, err = d.resolve(d.collection, path); err != nil {
			return nil, c.explain(ctx, d.session, toWrite, err)
		}
	}
	d.editor = icalendar.Editor{
		Owner: icalendar.Owner{Email: person.Email, Zone: c.zoneOf(person, d.session, d.calendar)}, Name: person.Name,
		Addresses: []string{person.Email, d.account.Address, d.cred.Username}, Now: c.cfg.Now(),
	}
	if st, err := c.standing(ctx, d.session); err == nil {
		d.editor.Addresses = append(d.editor.Addresses, st.addresses...)
		if st.email != "" {
			d.editor.Owner.Email = st.organizer(person.Email)
		}
	}
	return d, nil
}

// calendarOf is one of the calendars of the person's accounts.
func (c *Calendar) calendarOf(ctx context.Context, person meet.Person, id string) (*session, *url.URL, error) {
	accounts, err := c.accounts(ctx, person)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range accounts {
		s, err := c.enter(ctx, a, toWrite)
		if err != nil {
			return nil, nil, err
		}
		chosen, err := s.chosen(ctx)
		if err != nil {
			return nil, nil, c.explain(ctx, s, toWrite, err)
		}
		if !slices.ContainsFunc(chosen, func(one account.Calendar) bool { return one.ID == id }) {
			continue
		}
		u, err := s.at(id)
		return s, u, c.explain(ctx, s, toWrite, err)
	}
	return nil, nil, calendar.ErrChanged // it is no longer one of the person's
}

// name is what the owner calls the calendar.
func (d *desk) name(ctx context.Context) (name string) {
	chosen, _ := d.chosen(ctx) // one that cannot be listed has no name
	for _, one := range chosen {
		if one.ID == d.calendar {
			name = one.Name
		}
	}
	return name
}

// zoneOf is the zone of whole days: the owner's, else the calendar's.
func (c *Calendar) zoneOf(person meet.Person, s *session, id string) *time.Location {
	sc := scan{reading: reading{person: person}, session: s}
	for _, one := range s.account.Calendars {
		if one.ID == id {
			sc.calendar = one
		}
	}
	return sc.zone()
}

// apply makes the change. If the object changes meanwhile, it is read again.
func (d *desk) apply(ctx context.Context, a agenda.Amendment) (agenda.Amended, error) {
	for range maxRaces {
		standing, err := d.read(ctx, d.at)
		if err != nil {
			return agenda.Amended{}, err
		}
		r, err := d.editor.Amend(standing.text(), a)
		if errors.Is(err, icalendar.ErrStale) {
			return agenda.Amended{}, d.stale(ctx, a)
		}
		if err == nil {
			err = d.unsplit(ctx, a, r.Done, false)
		}
		if err == nil && !r.Done {
			err = d.write(ctx, standing, r)
		}
		if clashes(err) {
			continue
		}
		if err == nil {
			err = d.unsplit(ctx, a, r.Done, true)
		}
		if err != nil {
			return agenda.Amended{}, err
		}
		return d.amended(ctx, a, r)
	}
	return agenda.Amended{}, toWrite.fault(fault.Conflict, reasonChanged).Later(0)
}

// read is the object at an address; one without data if it is gone.
func (d *desk) read(ctx context.Context, at *url.URL) (object, error) {
	objects, err := d.fetch(ctx, d.collection, []object{{href: at.EscapedPath(), key: pathKey(at)}})
	if err != nil {
		return object{}, err
	}
	for _, o := range objects {
		if o.key == pathKey(at) && !o.gone {
			return o, nil
		}
	}
	return object{}, nil
}

// text is the object's data; nil if it has none.
func (o object) text() []byte {
	if o.data == "" {
		return nil
	}
	return []byte(o.data)
}

// write writes a revision: the series that was split off first, so that no event is missing at any time.
func (d *desk) write(ctx context.Context, standing object, r icalendar.Revision) error {
	if r.Split != nil {
		at := d.collection.JoinPath(objectName(r.SplitUID))
		err := d.store(ctx, at, object{}, r.Split)
		if clashes(err) {
			err = d.resplit(ctx, at, r)
		}
		if err != nil {
			return err
		}
	}
	return d.store(ctx, d.at, standing, r.Object)
}

// resplit replaces the series that an earlier attempt split off, unless it says the same: that attempt may have read an
// older object.
func (d *desk) resplit(ctx context.Context, at *url.URL, r icalendar.Revision) error {
	split, err := d.read(ctx, at)
	if err != nil || split.data != "" && d.editor.Unsplit(split.text(), r.Former) {
		return err
	}
	return d.store(ctx, at, split, r.Split)
}

// store replaces the standing object, if it is still the same; without data it deletes it.
func (d *desk) store(ctx context.Context, at *url.URL, standing object, data []byte) error {
	condition := []string{"If-None-Match", "*"}
	if standing.data != "" {
		condition = ifMatch(standing.etag)
	}
	call := request{method: http.MethodPut, url: at, body: data, header: append(condition, "Content-Type",
		"text/calendar; charset=utf-8")}
	if data == nil {
		call = request{method: http.MethodDelete, url: at, header: condition}
	}
	_, err := d.do(ctx, call)
	status, answered := errors.AsType[*statusError](err)
	if answered && data == nil && (status.status == http.StatusNotFound || status.status == http.StatusGone) {
		return nil
	}
	return err
}

// stale removes the series that an earlier attempt split off before the event changed. The answer is ErrChanged.
func (d *desk) stale(ctx context.Context, a agenda.Amendment) error {
	if a.Scope != meet.Following || a.Kind != agenda.Update {
		return calendar.ErrChanged
	}
	at := d.collection.JoinPath(objectName(icalendar.UIDOf(a.Key)))
	split, err := d.read(ctx, at)
	if err == nil && split.data != "" {
		err = d.store(ctx, at, split, nil)
	}
	if err != nil {
		return err
	}
	return calendar.ErrChanged
}

// unsplit deletes the series that the change split off which a Restore takes back. Before anything is written, it looks
// whether others have changed that series.
func (d *desk) unsplit(ctx context.Context, a agenda.Amendment, done, written bool) error {
	uid := icalendar.Split(a.Former)
	if uid == "" || a.Kind != agenda.Restore {
		return nil
	}
	at := d.collection.JoinPath(objectName(uid))
	split, err := d.read(ctx, at)
	if err != nil || split.data == "" {
		return err
	}
	if !d.editor.Unsplit(split.text(), a.Former) {
		if done {
			return nil
		}
		return calendar.ErrChanged
	}
	if !written {
		return nil
	}
	return d.store(ctx, at, split, nil)
}

// amended is what came of it, as the server has it now: some servers write objects anew.
func (d *desk) amended(ctx context.Context, a agenda.Amendment, r icalendar.Revision) (agenda.Amended, error) {
	done, at := r.Amended, d.at
	if r.SplitUID != "" {
		split := d.collection.JoinPath(objectName(r.SplitUID))
		if o, err := d.read(ctx, split); err != nil {
			return agenda.Amended{}, err
		} else if o.data != "" {
			at = split
		}
	}
	if a.Kind != agenda.Delete {
		o, err := d.read(ctx, at)
		if err != nil {
			return agenda.Amended{}, err
		}
		if o.data == "" {
			return agenda.Amended{}, calendar.ErrChanged
		}
		if done.Event, err = d.editor.Told(o.text(), a); err != nil {
			return agenda.Amended{}, err
		}
		done.Event.Provider, done.Event.Calendar, done.Event.ID = string(account.CalDAV), d.calendar, o.key
		done.Event.UID, done.Event.CalendarName = d.identity.UID(done.Event.UID), d.name(ctx)
		done.Event.Theirs = done.Event.Invited()
	}
	if done.Former == nil {
		return done, nil
	}
	var err error
	done.Former, err = json.Marshal(former{Calendar: d.calendar, Path: pathKey(d.at), Object: done.Former})
	return done, err
}
