package world

import (
	"net/mail"
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Person is the one whom the name in an argument means; "me" is the owner, and an address may be that of a stranger. A
// name that fits several is an *AmbiguousError.
func (w *World) Person(argument, name string) (meet.Person, error) {
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
		return meet.Person{}, fault.New(fault.NotFound, "%s", w.Say("unknownPerson", "name", w.Voice().Title(name)))
	}
	asked := &AmbiguousError{Question: w.Say("whichPerson", "name", w.Voice().Title(name)), Argument: argument}
	for _, p := range found {
		asked.Options = append(asked.Options, meet.Option{ID: string(p.ID), Label: p.Name, Detail: p.Email})
	}
	return meet.Person{}, asked
}
