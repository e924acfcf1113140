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
	me, err := ask(ctx, c, from, get("/me", query{}.with("$select", "mail,userPrincipalName")), newProfile)
	if err != nil {
		return "", nil, asFault(fmt.Errorf("read profile: %w", err))
	}
	address = cmp.Or(me.mail, me.name)
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
		p, err := askPage(ctx, c, from, next, newListed)
		if err != nil {
			return nil, err
		}
		for _, one := range p.items {
			found := account.Calendar{ID: one.id, Name: one.name, Blocks: one.main, Target: one.main}
			if one.main {
				main = append(main, found)
			} else {
				others = append(others, found)
			}
		}
		if p.nextLink == "" {
			return append(main, others...), nil
		}
		if next, err = c.follow(p.nextLink); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("graph has more than %d pages", maxPages)
}

// profile is the user who signed in.
type profile struct {
	object
	mail, name string
}

func newProfile() *profile {
	p := &profile{}
	p.object = object{"mail": text(&p.mail), "userPrincipalName": text(&p.name)}
	return p
}

// listed is one of an account's calendars.
type listed struct {
	object
	id, name       string
	main, readOnly bool
}

func newListed() *listed {
	l := &listed{}
	l.object = object{"id": text(&l.id), "name": text(&l.name), "isDefaultCalendar": flag(&l.main),
		"canEdit": unset(&l.readOnly)}
	return l
}
