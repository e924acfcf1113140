package contact

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/people"
	"convene/pkg/tool"
)

//go:embed save.md
var saveWords string

// SaveArguments are what becomes of a contact, or of a new one. Null stays as it is, and an empty text clears.
type SaveArguments struct {
	Contact      *string  `json:"contact" jsonschema:"nullable"`
	Name         *string  `json:"name" jsonschema:"nullable"`
	Emails       []string `json:"emails"`
	RemoveEmails []string `json:"removeEmails"`
	Phone        *string  `json:"phone" jsonschema:"nullable"`
	Role         *string  `json:"role" jsonschema:"nullable"`
	Notes        *string  `json:"notes" jsonschema:"nullable"`
	AddNotes     *string  `json:"addNotes" jsonschema:"nullable"`
	Birthday     *string  `json:"birthday" jsonschema:"nullable"`
}

// save changes a contact, or makes one. A new one of exactly the name of another is that one, and so is one
// with only one of its names.
func save() world.Tool {
	return world.Define("contact_save", saveWords, trait(world.Changes, meet.UpdateResource), func(
		ctx context.Context, w *world.World, in SaveArguments,
	) (answer world.Answer[Contacts], err error) {
		all, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		c, err := in.target(w, all)
		if err != nil {
			return answer, err
		}
		var before []byte
		switch {
		case c.ID == "":
			c.Person = meet.Person{ID: meet.PersonID(w.NewID("contact", *in.Name)), Owner: w.Owner.ID}
		case in.Contact == nil:
			in.Name = nil // it has the name, maybe in other letters
			fallthrough
		default:
			if before, err = json.Marshal(c); err != nil {
				return answer, err
			}
		}
		if err := in.on(w, &c, all); err != nil {
			return answer, err
		}
		value, err := encoded(c)
		if err != nil {
			return answer, err
		}
		answer.Data = Contacts{Contacts: []Contact{}}
		if !bytes.Equal(before, value) {
			return answer, keep(ctx, w, &answer, c, value)
		}
		answer.Data.Contacts = append(answer.Data.Contacts, dataOf(w, c, false))
		answer.Display, answer.Title, answer.Description = meet.CardDisplay, c.Name, say(w, "same")
		return answer, nil
	})
}

// target is the contact that changes; without an id for a new one.
func (in SaveArguments) target(w *world.World, all []meet.Contact) (meet.Contact, error) {
	if in.Contact != nil {
		return one(w, all, "contact", *in.Contact)
	}
	if in.Name == nil || meet.Caption(*in.Name) == "" {
		return meet.Contact{}, tool.BadArgument("name", "is empty; a new contact has a name")
	}
	same := func(c meet.Contact) bool { return agenda.Fold(c.Name) == agenda.Fold(meet.Caption(*in.Name)) }
	if i := slices.IndexFunc(all, same); i >= 0 {
		return all[i], nil
	}
	if named := people.Named(*in.Name, all); len(strings.Fields(*in.Name)) == 1 && len(named) > 0 {
		return one(w, named, "contact", *in.Name)
	}
	return meet.Contact{}, nil
}

// on makes the changes.
func (in SaveArguments) on(w *world.World, c *meet.Contact, all []meet.Contact) error {
	if b := in.Birthday; b != nil && strings.HasPrefix(*b, "--") && len(c.Birthday) > len("2006") && c.Birthday[0] != '-' {
		dated := c.Birthday[:len("2006")] + (*b)[1:] // the year that is known stays
		in.Birthday = &dated
	}
	for _, member := range []struct {
		to *string
		is *string
	}{{in.Phone, &c.Phone}, {in.Role, &c.Role}, {in.Notes, &c.Notes}, {in.Birthday, &c.Birthday}} {
		if member.to != nil {
			*member.is = strings.TrimSpace(*member.to)
		}
	}
	c.Role = meet.Caption(c.Role)
	if in.Name != nil {
		c.Name = meet.Caption(*in.Name)
	}
	if in.AddNotes != nil {
		c.Notes = strings.TrimSpace(c.Notes + "\n" + *in.AddNotes)
	}
	addresses := slices.Clone(c.Addresses())
	for _, address := range in.RemoveEmails {
		if !slices.ContainsFunc(addresses, is(address)) {
			return fault.New(fault.NotFound, "%s", say(w, "noAddress", "name", w.Voice().Title(c.Name),
				"address", w.Voice().Quote(address)))
		}
		addresses = slices.DeleteFunc(addresses, is(address))
	}
	for _, address := range in.Emails {
		address = strings.TrimSpace(address)
		for _, other := range append([]meet.Contact{{Person: w.Owner}}, all...) {
			if other.ID != c.ID && slices.ContainsFunc(other.Addresses(), is(address)) {
				return fault.New(fault.Conflict, "%s", say(w, "taken", "name", w.Voice().Title(other.Name),
					"address", w.Voice().Quote(address)))
			}
		}
		if !slices.ContainsFunc(addresses, is(address)) {
			addresses = append(addresses, address)
		}
	}
	c.Email, c.Emails = "", nil
	if len(addresses) > 0 {
		c.Email, c.Emails = addresses[0], addresses[1:]
	}
	return nil
}

func is(address string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(strings.TrimSpace(address), other) }
}

// encoded is a contact as it is kept. An error names the wrong argument.
func encoded(c meet.Contact) ([]byte, error) {
	value, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	field, problem := c.Check()
	if field == "email" {
		field = "emails" // the argument for all addresses
	}
	if problem != "" {
		return nil, tool.BadArgument(field, "%s", problem)
	}
	return value, nil
}
