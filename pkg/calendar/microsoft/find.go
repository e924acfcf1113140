package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// found is an event of ours that stands in a calendar.
type found struct {
	id      string
	account account.ID
	// address is the account's, which is not invited to its own event.
	address string
	guests  bool
}

// find looks for the event with that UID in all places at the same time. A place other than the target that the
// account may not read, or that is gone, cannot hold it; any other failure is an error, because an event that was
// overlooked would be written twice.
func (c *Calendar) find(
	ctx context.Context, accounts []account.Account, target place, uid string,
) ([]found, error) {
	where := places(accounts, target)
	results, errs := make([][]found, len(where)), make([]error, len(where))
	var wg sync.WaitGroup
	for i, p := range where {
		wg.Go(func() {
			results[i], errs[i] = c.findIn(ctx, p, uid)
			if i > 0 && closed(errs[i]) {
				errs[i] = nil
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("look for event: %w", err)
	}
	var all []found
	for _, one := range slices.Concat(results...) {
		if !slices.ContainsFunc(all, func(o found) bool { return o.id == one.id && o.account == one.account }) {
			all = append(all, one)
		}
	}
	return all, nil
}

// closed reports whether nothing can be written to a place any more, so that nothing needs to be looked for in it.
func closed(err error) bool {
	_, reconnect := errors.AsType[*fault.Error](err)
	return reconnect || isStatus(err, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound)
}

// findIn looks in one place. A copy of somebody else's event, to which Exchange may have handed the property on, is
// not ours to change.
func (c *Calendar) findIn(ctx context.Context, p place, uid string) ([]found, error) {
	if p.account.Problem != "" {
		return nil, fault.New(fault.CalendarFailed, "%s", p.account.Problem)
	}
	filter := fmt.Sprintf("singleValueExtendedProperties/Any(ep: ep/id eq '%s' and ep/value eq '%s')",
		uidProperty, strings.ReplaceAll(uid, "'", "''"))
	answer, err := ask(ctx, c, by(p.account.ID), get(calendarPath(p.id)+"/events",
		query{}.with("$filter", filter).with("$select", "id,isOrganizer,isCancelled,attendees").with("$top", "10")),
		newStandings)
	if err != nil {
		return nil, err
	}
	if !answer.whole {
		return nil, errors.New("graph gave a page without events")
	}
	var all []found
	for _, e := range answer.events {
		if e.organizer && !e.cancelled {
			all = append(all, found{e.id, p.account.ID, p.account.Address, len(e.guests) > 0})
		}
	}
	return all, nil
}
