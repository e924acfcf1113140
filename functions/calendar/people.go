package calendar

import (
	"fmt"
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
		p, err := w.Person(fmt.Sprintf("%s[%d]", argument, i), strings.TrimSpace(name))
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
