package caldav

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// maxTries bounds the attempts at a change that conflicts with others.
const maxTries = 3

// Write puts the event into the person's target calendar as one object, or replaces the object with its UID, whatever
// its name; an event that was written before may be in any of the person's own calendars. The same content is not
// written again, so that nobody is informed twice. If there is a later version, the error is a fault.Conflict.
//
// The server invites the guests. If it does not (see Invites), an entry with guests is not written, and the error is a
// fault.
func (c *Calendar) Write(ctx context.Context, e calendar.Entry) (calendar.Written, error) {
	s, target, err := c.target(ctx, e.Owner, toWrite)
	if err == nil {
		s, target, err = c.whereItStands(ctx, e, toWrite, s, target)
	}
	if err != nil {
		return calendar.Written{}, err
	}
	data, err := c.compose(ctx, s, e)
	if err == nil {
		err = s.put(ctx, target, e.Event, data)
	}
	return calendar.Written{}, c.explain(ctx, s, toWrite, err)
}

// Remove deletes the event from whichever of the person's own calendars it is in. The server informs the guests.
func (c *Calendar) Remove(ctx context.Context, e calendar.Entry) error {
	s, target, err := c.target(ctx, e.Owner, toRemove)
	if err == nil {
		s, target, err = c.whereItStands(ctx, e, toRemove, s, target)
	}
	if err != nil {
		return err
	}
	return c.explain(ctx, s, toRemove, s.remove(ctx, target, e.Event.UID))
}

// Invitations is the delivery status of the event's invitations (RFC 6638, 3.2.9). The server may set it some time
// after the event was written.
func (c *Calendar) Invitations(ctx context.Context, e calendar.Entry) (map[string]meet.Invitation, error) {
	s, target, err := c.target(ctx, e.Owner, toRead)
	if err == nil {
		s, target, err = c.whereItStands(ctx, e, toRead, s, target)
	}
	if err != nil {
		return nil, err
	}
	standing, _, err := s.locate(ctx, target, e.Event.UID, e.Event.Sequence > 0)
	return standing.Invitations, c.explain(ctx, s, toRead, err)
}

// target is the calendar to which the person's events are written: that of the first account with one.
func (c *Calendar) target(ctx context.Context, person meet.Person, do task) (*session, *url.URL, error) {
	accounts, err := c.accounts(ctx, person)
	if err != nil {
		return nil, nil, err
	}
	isTarget := func(one account.Calendar) bool { return one.Target }
	i := slices.IndexFunc(accounts, func(a account.Account) bool {
		return len(a.Calendars) == 0 || slices.ContainsFunc(a.Calendars, isTarget)
	})
	if i < 0 {
		return nil, nil, reason(do, errNoTarget)
	}
	s, err := c.enter(ctx, accounts[i], do)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := s.chosen(ctx)
	if err != nil {
		return nil, nil, c.explain(ctx, s, do, err)
	}
	j := slices.IndexFunc(chosen, isTarget)
	if j < 0 {
		return nil, nil, reason(do, errNoTarget)
	}
	u, err := s.at(chosen[j].ID)
	return s, u, c.explain(ctx, s, do, err)
}

// whereItStands is the target, unless the event was written to another of the person's accounts before this target was
// chosen; then it is a calendar of that account. An account that cannot be read may have the event, and is an error. An
// event that was never changed is in the target or nowhere.
func (c *Calendar) whereItStands(
	ctx context.Context, e calendar.Entry, do task, s *session, target *url.URL,
) (*session, *url.URL, error) {
	if e.Event.Sequence == 0 {
		return s, target, nil
	}
	accounts, err := c.accounts(ctx, e.Owner)
	if err != nil || len(accounts) == 1 {
		return s, target, err
	}
	_, found, err := s.locate(ctx, target, e.Event.UID, true)
	if err != nil || found {
		return s, target, c.explain(ctx, s, do, err)
	}
	for _, a := range accounts {
		if a.ID == s.account.ID {
			continue
		}
		other, at, err := c.standsIn(ctx, a, do, e.Event.UID)
		if err != nil || at != nil {
			return other, at, err
		}
	}
	return s, target, nil
}

// standsIn is a calendar of the account if the event is in one of them; nil otherwise.
func (c *Calendar) standsIn(ctx context.Context, a account.Account, do task, uid string) (*session, *url.URL, error) {
	s, err := c.enter(ctx, a, do)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := s.chosen(ctx)
	if err != nil || len(chosen) == 0 {
		return nil, nil, c.explain(ctx, s, do, err)
	}
	first, err := s.at(chosen[0].ID)
	if err != nil {
		return nil, nil, c.explain(ctx, s, do, err)
	}
	_, found, err := s.locate(ctx, first, uid, true)
	if err != nil || !found {
		return nil, nil, c.explain(ctx, s, do, err)
	}
	return s, first, nil
}

// compose is the object to write.
func (c *Calendar) compose(ctx context.Context, s *session, e calendar.Entry) ([]byte, error) {
	organizer := meet.Participant{ID: e.Owner.ID, Name: e.Owner.Name}
	if len(e.Guests) > 0 {
		st, err := c.standing(ctx, s)
		if err != nil {
			return nil, err
		}
		if !st.invites() {
			return nil, toWrite.fault(fault.CalendarFailed, "this calendar does not send invitations")
		}
		organizer.Email = st.organizer(e.Owner.Email)
	}
	data, err := icalendar.WriteObject(e.Event, c.cfg.Now(), organizer, e.Guests)
	if err != nil {
		return nil, toWrite.fault(fault.Internal, "it has no time that could be written").Because(err)
	}
	return data, nil
}

// put writes the object. Two concurrent calls leave one object: only one creates it, and the other finds it.
func (s *session) put(ctx context.Context, target *url.URL, e meet.Event, data []byte) error {
	want, err := icalendar.ReadObject(data)
	if err != nil {
		return fmt.Errorf("read what is to be written: %w", err)
	}
	// An event that was never moved can only be in the target, unless the server reports a conflict.
	everywhere := e.Sequence > 0
	for range maxTries {
		standing, found, err := s.locate(ctx, target, e.UID, everywhere)
		switch {
		case err != nil:
			return err
		case found && standing.Sequence > e.Sequence:
			return fault.New(fault.Conflict, "This event has been changed in the calendar in the meantime.")
		case found && standing.Same(want):
			return nil
		}
		at, condition := target.JoinPath(objectName(e.UID)), []string{"If-None-Match", "*"}
		if found {
			at, condition = standing.url, ifMatch(standing.etag)
		}
		_, err = s.do(ctx, request{
			method: http.MethodPut, url: at, body: data,
			header: append(condition, "Content-Type", "text/calendar; charset=utf-8"),
		})
		if !clashes(err) {
			return err
		}
		everywhere = true
	}
	return toWrite.fault(fault.Conflict, reasonChanged).Later(0)
}

// remove deletes the version of the event that was read last, so that no concurrent change is lost unseen.
func (s *session) remove(ctx context.Context, target *url.URL, uid string) error {
	for range maxTries {
		standing, found, err := s.locate(ctx, target, uid, true)
		if err != nil || !found {
			return err
		}
		_, err = s.do(ctx, request{method: http.MethodDelete, url: standing.url, header: ifMatch(standing.etag)})
		status, answered := errors.AsType[*statusError](err)
		switch {
		case answered && (status.status == http.StatusNotFound || status.status == http.StatusGone):
			return nil
		case !clashes(err):
			return err
		}
	}
	return toRemove.fault(fault.Conflict, reasonChanged).Later(0)
}

// clashes reports whether the object has changed since it was read, or another one has its UID.
func clashes(err error) bool {
	status, ok := errors.AsType[*statusError](err)
	return ok && (status.status == http.StatusPreconditionFailed || status.names("no-uid-conflict"))
}

// ifMatch is the condition that the object is unchanged or, without an ETag, that it exists.
func ifMatch(etag string) []string {
	if etag == "" {
		etag = "*"
	}
	return []string{"If-Match", etag}
}

// locate finds the event in the target calendar by its UID and, if everywhere is set, also by the name that it would
// get, and in the person's other own calendars. A calendar shared by another person may have that person's copy of the
// event, which is not this one.
func (s *session) locate(
	ctx context.Context, target *url.URL, uid string, everywhere bool,
) (standingEvent, bool, error) {
	standing, found, err := s.find(ctx, target, uid)
	if err != nil || found || !everywhere {
		return standing, found, err
	}
	if standing, found, err = s.named(ctx, target, uid); err != nil || found {
		return standing, found, err
	}
	list, err := s.collections(ctx, s.root, vevent)
	if err != nil {
		return standingEvent{}, false, err
	}
	for _, one := range list {
		if !one.own || !one.writable || pathKey(one.url) == pathKey(target) {
			continue
		}
		if standing, found, err = s.find(ctx, one.url, uid); err != nil || found {
			return standing, found, err
		}
	}
	return standingEvent{}, false, nil
}

// named is the event in the target calendar with the name that Write gives it, which some servers know before their
// index of UIDs.
func (s *session) named(ctx context.Context, target *url.URL, uid string) (standingEvent, bool, error) {
	u := target.JoinPath(objectName(uid))
	objects, err := s.fetch(ctx, target, []object{{href: u.EscapedPath(), key: pathKey(u)}})
	if unable(err) {
		return standingEvent{}, false, nil
	}
	if err != nil {
		return standingEvent{}, false, err
	}
	for _, o := range objects {
		if one, err := icalendar.ReadObject([]byte(o.data)); err == nil && one.UID == uid {
			return standingEvent{one, u, o.etag}, true, nil
		}
	}
	return standingEvent{}, false, nil
}

// maxName bounds the readable part of an object's name.
const maxName = 80

// objectName is the name of the event's object: the UID itself if every server accepts it as a name, else its safe
// characters with a digest that makes it unique.
func objectName(uid string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_', r == '.':
			return r
		default:
			return '-'
		}
	}, uid)
	safe = strings.TrimLeft(safe, ".")
	if len(safe) > maxName {
		safe = safe[:maxName]
	}
	if safe != uid {
		sum := sha256.Sum256([]byte(uid))
		safe += "-" + hex.EncodeToString(sum[:6])
	}
	return safe + ".ics"
}
