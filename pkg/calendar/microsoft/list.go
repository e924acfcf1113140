package microsoft

import (
	"context"
	"fmt"

	"convene/pkg/account"
	"convene/pkg/account/graph"
)

// List is the address of the account that a new credential opens, and its calendars, the main one first. The main one
// blocks and is the target; the owner chooses among the others. Without a known main calendar there is no target.
func (c *Calendar) List(
	ctx context.Context, cred account.Credential,
) (address string, calendars []account.Calendar, err error) {
	from := graph.Given(cred)
	if address, err = c.graph.Owner(ctx, from); err != nil {
		return "", nil, asFault(err)
	}
	var others []account.Calendar
	first := graph.Get("/me/calendars", graph.Query{}.With("$select", "id,name,isDefaultCalendar").With("$top", "100"))
	_, err = graph.Walk(ctx, c.graph, from, first, func(one *listed) error {
		found := account.Calendar{ID: one.ID, Name: one.Name, Blocks: one.IsDefault, Target: one.IsDefault}
		if one.IsDefault {
			calendars = append(calendars, found)
		} else {
			others = append(others, found)
		}
		return nil
	})
	if err != nil {
		return "", nil, asFault(fmt.Errorf("list calendars: %w", err))
	}
	return address, append(calendars, others...), nil
}

// listed is one of an account's calendars.
type listed struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	IsDefault bool   `json:"isDefaultCalendar"`
	CanEdit   *bool  `json:"canEdit"`
	Owner     struct {
		Address string `json:"address"`
	} `json:"owner"`
}
