package calendar

import (
	"fmt"
	"net/mail"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// people are those whom the user named, without the owner.
func people(w *world.World, argument string, names []string) ([]meet.Person, error) {
	all, err := named(w, argument, names)
	return slices.DeleteFunc(all, func(p meet.Person) bool { return p.ID == w.Owner.ID && p.Known() }), err
}

// named are those whom the user named in an argument, each once. A name that fits several is asked about; an address
// may be that of a stranger.
func named(w *world.World, argument string, names []string) ([]meet.Person, error) {
	var all []meet.Person
	for i, name := range names {
		p, err := person(w, fmt.Sprintf("%s[%d]", argument, i), strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		same := func(o meet.Person) bool {
			return p.Known() && o.ID == p.ID || p.Email != "" && strings.EqualFold(o.Email, p.Email)
		}
		if !slices.ContainsFunc(all, same) {
			all = append(all, p)
		}
	}
	return all, nil
}

// person is the one whom the name in an argument means; "me" is the owner.
func person(w *world.World, argument, name string) (meet.Person, error) {
	if strings.EqualFold(name, "me") || strings.EqualFold(name, w.Owner.Email) {
		return w.Owner, nil
	}
	var found []meet.Person
	if w.People != nil {
		found = w.People(name)
	}
	if i := slices.IndexFunc(found, func(p meet.Person) bool { return strings.EqualFold(p.Email, name) }); i >= 0 {
		return found[i], nil
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		if a, err := mail.ParseAddress(name); err == nil && a.Address == name {
			return meet.Person{Name: name, Email: name}, nil
		}
		return meet.Person{}, fault.New(fault.NotFound, "%s", say(w, "unknownPerson", "name", w.Voice().Title(name)))
	}
	asked := &world.AmbiguousError{Question: say(w, "whichPerson", "name", w.Voice().Title(name)), Argument: argument}
	for _, p := range found {
		asked.Options = append(asked.Options, meet.Option{ID: string(p.ID), Label: p.Name, Detail: p.Email})
	}
	return meet.Person{}, asked
}

// invited are people as attendees. A person without an address cannot be invited.
func invited(w *world.World, people []meet.Person) ([]meet.Attendee, error) {
	var all []meet.Attendee
	for _, p := range people {
		if p.Email == "" {
			return nil, fault.New(fault.NotFound, "%s", say(w, "noAddress", "name", w.Voice().Title(p.Name)))
		}
		all = append(all, meet.Attendee{Name: p.Name, Email: p.Email})
	}
	return all, nil
}

// personOf is an attendee as a person, with the directory's id if the address has one.
func personOf(w *world.World, a meet.Attendee) meet.Person {
	if w.People != nil {
		for _, p := range w.People(a.Email) {
			if strings.EqualFold(p.Email, a.Email) {
				return p
			}
		}
	}
	return meet.Person{Name: nameOf(a), Email: a.Email}
}
