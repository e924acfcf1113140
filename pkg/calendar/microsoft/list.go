package microsoft

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"convene/pkg/account"
)

// List is the address of the account that a new credential opens, and its calendars, the main one first. The main one
// blocks and is the target; the owner chooses among the others. Without a known main calendar there is no target.
func (c *Calendar) List(
	ctx context.Context, cred account.Credential,
) (address string, calendars []account.Calendar, err error) {
	from := opener{given: &cred}
	me, err := ask[struct{ Mail, UserPrincipalName string }](ctx, c, from,
		get("/me", query{}.with("$select", "mail,userPrincipalName")))
	if err != nil {
		return "", nil, asFault(fmt.Errorf("read profile: %w", err))
	}
	address = cmp.Or(me.Mail, me.UserPrincipalName)
	if address == "" {
		return "", nil, asFault(errors.New("read profile: it has no address"))
	}
	first := get("/me/calendars", query{}.with("$select", "id,name,isDefaultCalendar").with("$top", "100"))
	calendars, err = c.calendars(ctx, from, first)
	if err != nil {
		return "", nil, asFault(fmt.Errorf("list calendars: %w", err))
	}
	return address, calendars, nil
}

func (c *Calendar) calendars(ctx context.Context, from opener, next request) (all []account.Calendar, err error) {
	var main, others []account.Calendar
	for range maxPages {
		p, err := askPage[listed](ctx, c, from, next)
		if err != nil {
			return nil, err
		}
		for _, one := range p.Value {
			found := account.Calendar{ID: one.ID, Name: one.Name, Blocks: one.IsDefault, Target: one.IsDefault}
			if one.IsDefault {
				main = append(main, found)
			} else {
				others = append(others, found)
			}
		}
		if p.NextLink == "" {
			return append(main, others...), nil
		}
		if next, err = c.follow(p.NextLink); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("graph has more than %d pages", maxPages)
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
