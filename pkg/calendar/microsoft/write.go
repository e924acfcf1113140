package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
)

// maxLives bounds how often one event can be written after it was removed.
const maxLives = 10

// Write adds the event to the calendar that the owner chose for confirmed events, or changes the one with its UID in
// any of the owner's accounts. Graph informs the guests; if the event has the same content already, nothing is sent. A
// version older than the one in the calendar is a fault.Conflict.
func (c *Calendar) Write(ctx context.Context, entry calendar.Entry) (calendar.Written, error) {
	e := entry.Event
	if e.UID == "" || !e.Start.Before(e.End) {
		return calendar.Written{}, fault.New(fault.Internal, "The event has no time that could be written.")
	}
	written, err := c.write(ctx, entry)
	if err != nil {
		return calendar.Written{}, asFault(fmt.Errorf("write event %s: %w", e.UID, err))
	}
	return written, nil
}

func (c *Calendar) write(ctx context.Context, entry calendar.Entry) (calendar.Written, error) {
	accounts, err := c.connected(ctx, entry.Owner.ID)
	if err != nil {
		return calendar.Written{}, err
	}
	target := targetOf(accounts)
	copies, err := c.find(ctx, lookedInto(accounts, entry), target, entry.Event.UID)
	if err != nil {
		return calendar.Written{}, err
	}
	if len(copies) == 0 {
		return c.create(ctx, target, entry)
	}
	written, err := c.update(ctx, copies[0], entry)
	if graph.IsStatus(err, http.StatusNotFound) {
		return c.create(ctx, target, entry)
	}
	if err != nil {
		return calendar.Written{}, err
	}
	return written, c.removeAll(ctx, copies[1:])
}

// targetOf is the calendar that was chosen for confirmed events, else the first account's main one.
func targetOf(accounts []account.Account) source {
	for _, a := range accounts {
		for _, one := range a.Calendars {
			if one.Target {
				return source{account: a, id: one.ID}
			}
		}
	}
	return source{account: accounts[0]}
}

// create writes an event that is in no calendar. If another process has just written it, it is updated.
func (c *Calendar) create(ctx context.Context, target source, entry calendar.Entry) (calendar.Written, error) {
	made, there, err := c.add(ctx, target, entry.Event.UID, creation(target.account, entry))
	switch {
	case err != nil:
		return calendar.Written{}, err
	case there != nil:
		return c.update(ctx, *there, entry)
	}
	return calendar.Written{JoinURL: made.OnlineMeeting.JoinURL}, nil
}

// add creates an event with that UID, unless there is one. Graph never takes a transactionId again: either another
// process has just written the event, and then it is found now, or it was removed, and then it is written with the next
// one.
func (c *Calendar) add(
	ctx context.Context, to source, uid string, values change,
) (made *event, there *found, err error) {
	for life := range maxLives {
		values["transactionId"] = transactionOf(uid, life)
		made, err := graph.Ask[event](ctx, c.graph, graph.By(to.account.ID), graph.Request{
			Method: http.MethodPost, Target: to.path() + "/events", Body: values,
		})
		if err == nil {
			c.known.learn(made.ICalUID, uid)
			return made, nil, nil
		}
		if !graph.HasCode(err, "ErrorDuplicateTransactionId") {
			return nil, nil, err
		}
		copies, err := c.find(ctx, []account.Account{to.account}, to, uid)
		if err != nil {
			return nil, nil, err
		}
		if len(copies) > 0 {
			return nil, &copies[0], nil
		}
	}
	return nil, nil, errors.New("graph refuses every transactionId of the event")
}

// update changes the event to the entry, unless it is the same. It tries again if the event was changed at the same
// moment, and if the answer was lost: the change may have been made, and guests informed.
func (c *Calendar) update(ctx context.Context, at found, entry calendar.Entry) (calendar.Written, error) {
	written, err := c.patch(ctx, at, entry)
	raced := graph.IsStatus(err, http.StatusConflict, http.StatusPreconditionFailed)
	if raced || graph.Unanswered(err) && ctx.Err() == nil {
		return c.patch(ctx, at, entry)
	}
	return written, err
}

func (c *Calendar) patch(ctx context.Context, at found, entry calendar.Entry) (calendar.Written, error) {
	path := "/me/events/" + url.PathEscape(at.id)
	whole := graph.Query{}.With("$select", entrySelection).
		With("$expand", "singleValueExtendedProperties($filter=id eq '"+contentProperty+"')")
	stands, err := graph.Ask[event](ctx, c.graph, graph.By(at.account), graph.Get(path, whole))
	if err != nil {
		return calendar.Written{}, err
	}
	c.known.learn(stands.ICalUID, entry.Event.UID)
	want := contentOf(at.address, entry)
	switch have := stands.content(); {
	case have.sequence > want.sequence:
		return calendar.Written{}, fault.New(fault.Conflict, "A newer version of the event is in the calendar.")
	case have.digest == want.digest && stands.takesPlace(entry.Event.Span()):
		return calendar.Written{JoinURL: stands.OnlineMeeting.JoinURL}, nil
	}
	changed, err := graph.Ask[event](ctx, c.graph, graph.By(at.account), graph.Request{
		Method: http.MethodPatch, Target: path, Body: update(at.address, entry, want), Match: stands.ETag, Once: true,
	})
	if err != nil {
		return calendar.Written{}, err
	}
	return calendar.Written{JoinURL: changed.OnlineMeeting.JoinURL}, nil
}

// Remove removes the event from whichever of the owner's calendars it is in. Graph sends its guests a cancellation. A
// calendar that cannot be read is an error, but only after the others.
func (c *Calendar) Remove(ctx context.Context, entry calendar.Entry) error {
	accounts, err := c.connected(ctx, entry.Owner.ID)
	if err == nil {
		var copies []found
		copies, err = c.find(ctx, lookedInto(accounts, entry), targetOf(accounts), entry.Event.UID)
		err = errors.Join(err, c.removeAll(ctx, copies))
	}
	if err != nil {
		return asFault(fmt.Errorf("remove event %s: %w", entry.Event.UID, err))
	}
	return nil
}

// removeAll removes events. One with guests is cancelled, which informs them; one that is gone is no error.
func (c *Calendar) removeAll(ctx context.Context, copies []found) error {
	for _, at := range copies {
		r := graph.Request{Method: http.MethodDelete, Target: "/me/events/" + url.PathEscape(at.id)}
		if at.guests {
			r.Method, r.Body = http.MethodPost, change{}
			r.Target += "/cancel"
		}
		if err := c.graph.Call(ctx, graph.By(at.account), r, nil); err != nil && !graph.IsStatus(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}

// places may hold an event of the person's: the target first, and all calendars, because the person may have chosen
// another target since.
func places(accounts []account.Account, target source) []source {
	all := []source{target}
	for _, a := range accounts {
		all = append(all, source{account: a})
		for _, one := range a.Calendars {
			all = append(all, source{account: a, id: one.ID})
		}
	}
	var distinct []source
	for _, p := range all {
		if !slices.ContainsFunc(distinct, func(o source) bool { return o.key() == p.key() }) {
			distinct = append(distinct, p)
		}
	}
	return distinct
}
