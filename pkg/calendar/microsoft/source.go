package microsoft

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"time"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// source is one calendar to read.
type source struct {
	account account.Account
	// id is the calendar's at Graph; empty for the account's main one.
	id string
	// name is what the owner calls it; empty for the main one.
	name string
	// zone is the zone of whole days for events without one.
	zone *time.Location
	// ownOnly counts only events booked through Convene: the person's choice is that the calendar does not block, but a
	// confirmed event must never be booked over.
	ownOnly bool
	// readOnly says that the events cannot be changed.
	readOnly bool
}

// key names the source in snapshots.
func (s source) key() string { return string(s.account.ID) + "/" + s.id }

// path is the source's path in Graph, which /calendarView and the like extend.
func (s source) path() string {
	if s.id == "" {
		return "/me"
	}
	return "/me/calendars/" + url.PathEscape(s.id)
}

type reading struct{ calendar.Reading }

type reader func(ctx context.Context, s source, span interval.Span) (reading, error)

// connected are the person's accounts; calendar.ErrNoCalendar if there are none.
func (c *Calendar) connected(ctx context.Context, person meet.PersonID) ([]account.Account, error) {
	accounts, err := c.accounts.Accounts(ctx, person, account.Microsoft)
	if err != nil {
		return nil, fmt.Errorf("look up Microsoft accounts: %w", err)
	}
	if len(accounts) == 0 {
		return nil, calendar.ErrNoCalendar
	}
	return accounts, nil
}

// sources are the accounts' calendars that may take the person's time.
func sources(accounts []account.Account, person meet.Person) []source {
	var all []source
	for _, a := range accounts {
		if len(a.Calendars) == 0 {
			all = append(all, source{account: a, zone: person.Zone()})
		}
		for _, one := range a.Calendars {
			if one.Blocks || one.Target {
				all = append(all, source{
					account: a, id: one.ID, name: one.Name, zone: zoneOf(one, person), ownOnly: !one.Blocks,
				})
			}
		}
	}
	return all
}

func zoneOf(one account.Calendar, person meet.Person) *time.Location {
	if one.Timezone != "" {
		if loc, err := interval.Zone(one.Timezone); err == nil {
			return loc
		}
	}
	return person.Zone()
}

// read reads all sources of the person concurrently and merges them.
func (c *Calendar) read(
	ctx context.Context, person meet.Person, span interval.Span, one reader,
) (calendar.Snapshot, error) {
	accounts, err := c.connected(ctx, person.ID)
	if err != nil {
		return calendar.Snapshot{}, err
	}
	return calendar.Merge(span, calendar.Gather(sources(accounts, person), func(s source) calendar.Reading {
		r, err := c.readOne(ctx, s, span, one)
		r.Calendar, r.Err = s.key(), err
		return r.Reading
	}))
}

// readOne reads a source, with getSchedule if it is shared as free and busy times only.
func (c *Calendar) readOne(ctx context.Context, s source, span interval.Span, one reader) (reading, error) {
	if s.account.Problem != "" {
		return reading{}, fault.New(fault.CalendarFailed, "%s", s.account.Problem)
	}
	r, err := one(ctx, s, span)
	if s.id != "" && graph.IsStatus(err, 403) {
		if shared, sharedErr := c.schedule(ctx, s, span); sharedErr == nil {
			r, err = shared, nil
		}
	}
	if err != nil {
		return reading{}, asFault(fmt.Errorf("read calendar: %w", err))
	}
	r.Blocks = slices.DeleteFunc(r.Blocks, func(b calendar.Block) bool { return !b.Span.Overlaps(span) })
	return r, nil
}
