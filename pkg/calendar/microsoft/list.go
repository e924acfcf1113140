package microsoft

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"convene/pkg/account"
)

// List is what a credential that was just given opens: the address by which its owner knows the account, and its
// calendars, the main one first. That one blocks and is the target; of the others the owner chooses. An account whose
// main calendar cannot be told has no target.
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
		p, err := ask(ctx, c, from, next, newShelf)
		if err != nil {
			return nil, err
		}
		if !p.whole {
			return nil, errors.New("graph gave a page without calendars")
		}
		for _, one := range p.calendars {
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

// profile is who signed in.
type profile struct {
	object
	mail, name string
}

func newProfile() *profile {
	p := &profile{}
	p.object = object{"mail": text(&p.mail), "userPrincipalName": text(&p.name)}
	return p
}

// shelf is a part of the list of an account's calendars.
type shelf struct {
	object
	calendars []*listed
	nextLink  string
	whole     bool
}

func newShelf() *shelf {
	s := &shelf{}
	s.object = object{"value": list(&s.calendars, &s.whole, newListed), "@odata.nextLink": text(&s.nextLink)}
	return s
}

// listed is one of an account's calendars.
type listed struct {
	object
	id, name string
	main     bool
}

func newListed() *listed {
	l := &listed{}
	l.object = object{"id": text(&l.id), "name": text(&l.name), "isDefaultCalendar": flag(&l.main)}
	return l
}
