package microsoft

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"convene/pkg/account"
	"convene/pkg/account/graph"
	"convene/pkg/calendar"
	"convene/pkg/fault"
)

// found is an event of ours in a calendar.
type found struct {
	id      string
	account account.ID
	// address is the account's, which is not invited to its own event.
	address string
	guests  bool
}

// find looks for the event with that UID in all places concurrently. A place other than the target that the account may
// not read, or that is gone, cannot hold it; any other failure is an error, because an event that was overlooked would
// be written twice; the copies that were found come with it.
func (c *Calendar) find(
	ctx context.Context, accounts []account.Account, target source, uid string,
) ([]found, error) {
	copies, err := calendar.GatherAll(places(accounts, target), func(p source) ([]found, error) {
		there, err := c.findBy(ctx, p, uidProperty, uid)
		if closed(err) && p.key() != target.key() {
			err = nil
		}
		return there, err
	})
	var all []found
	for _, one := range copies {
		if !slices.ContainsFunc(all, func(o found) bool { return o.id == one.id && o.account == one.account }) {
			all = append(all, one)
		}
	}
	if err != nil {
		return all, fmt.Errorf("look for event: %w", err)
	}
	return all, nil
}

// lookedInto are the accounts that may hold the entry's event. An event that was never changed is in the target or
// nowhere, so that accounts with a problem do not matter.
func lookedInto(accounts []account.Account, e calendar.Entry) []account.Account {
	if e.Event.Sequence > 0 {
		return accounts
	}
	return slices.DeleteFunc(slices.Clone(accounts), func(a account.Account) bool { return a.Problem != "" })
}

// closed reports whether the account may not see a place, or it is gone, so that none of its events is there. An
// account that cannot be opened is different: its events remain, and guests have them.
func closed(err error) bool { return graph.IsStatus(err, http.StatusForbidden, http.StatusNotFound) }

// findBy looks in one place for events with that value of a property. It ignores copies of other organizers' events, to
// which Exchange may have copied the property.
func (c *Calendar) findBy(ctx context.Context, p source, property, value string) ([]found, error) {
	if p.account.Problem != "" {
		return nil, fault.New(fault.CalendarFailed, "%s", p.account.Problem)
	}
	query := graph.Query{}.With("$filter", graph.WithProperty(property, value)).
		With("$select", "id,isOrganizer,isCancelled,attendees").With("$top", "10")
	answer, err := graph.AskPage[event](ctx, c.graph, graph.By(p.account.ID), graph.Get(p.path()+"/events", query))
	if err != nil {
		return nil, err
	}
	var all []found
	for _, e := range answer.Value {
		if e.IsOrganizer != nil && *e.IsOrganizer && !e.IsCancelled {
			all = append(all, found{e.ID, p.account.ID, p.account.Address, len(e.Attendees) > 0})
		}
	}
	return all, nil
}
