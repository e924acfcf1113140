// Package vcard reads address books: files of vCards (RFC 6350, and versions 2.1 and 3.0 as programs write them).
package vcard

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-vcard"

	"convene/pkg/meet"
)

// maxBytes bounds a file.
const maxBytes = 16 << 20

// Read reads the people of an address book. Each has a unique id: the card's UID if it can be one, or else one made of
// the first address or of the name. Cards without a name and an address are left out, and what a card says in a form
// that contacts do not have, too. The error names the card, counted from 1.
func Read(r io.Reader) ([]meet.Contact, error) {
	decoder := vcard.NewDecoder(io.LimitReader(r, maxBytes))
	var all []meet.Contact
	for n := 1; ; n++ {
		card, err := decoder.Decode()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read vCards: card %d: %w", n, err)
		}
		c := contact(card)
		if c.Name == "" {
			continue
		}
		c.ID = idOf(card, c, all)
		all = append(all, c)
	}
}

func contact(card vcard.Card) meet.Contact {
	var c meet.Contact
	var addresses []string
	for _, field := range preferred(card[vcard.FieldEmail]) {
		address := strings.TrimSpace(strings.TrimPrefix(field.Value, "mailto:"))
		known := slices.ContainsFunc(addresses, func(a string) bool { return strings.EqualFold(a, address) })
		if _, problem := (meet.Contact{Person: meet.Person{Name: "x", Email: address}}).Check(); problem == "" && !known {
			addresses = append(addresses, address)
		}
	}
	if len(addresses) > 0 {
		c.Email, c.Emails = addresses[0], addresses[1:]
	}
	c.Name = meet.Caption(cmp.Or(card.PreferredValue(vcard.FieldFormattedName), named(card), c.Email))
	c.Role = meet.Caption(cmp.Or(card.PreferredValue(vcard.FieldTitle), card.PreferredValue(vcard.FieldRole)))
	if company := meet.Caption(strings.ReplaceAll(card.PreferredValue(vcard.FieldOrganization), ";", " ")); company != "" {
		c.Role = meet.Caption(strings.TrimPrefix(c.Role+", "+company, ", "))
	}
	c.Notes = strings.TrimSpace(card.PreferredValue(vcard.FieldNote))
	c.Phone = strings.TrimPrefix(card.PreferredValue(vcard.FieldTelephone), "tel:")
	c.Birthday = birthday(card.PreferredValue(vcard.FieldBirthday))
	c.Timezone = card.PreferredValue(vcard.FieldTimezone)
	for range 4 { // each member that is in no form of a contact is left out
		switch field, _ := c.Check(); field {
		case "phone":
			c.Phone = ""
		case "notes":
			c.Notes = ""
		case "timezone":
			c.Timezone = ""
		case "emails":
			c.Emails = nil
		}
	}
	return c
}

// preferred are fields with the preferred ones first.
func preferred(fields []*vcard.Field) []*vcard.Field {
	rank := func(f *vcard.Field) string {
		if f.Params.HasType("pref") {
			return "1"
		}
		return cmp.Or(f.Params.Get(vcard.ParamPreferred), "9")
	}
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b *vcard.Field) int { return cmp.Compare(rank(a), rank(b)) })
	return fields
}

// named is the name made of its parts.
func named(card vcard.Card) string {
	name := card.Name()
	if name == nil {
		return ""
	}
	return strings.Join(strings.Fields(name.GivenName+" "+name.AdditionalName+" "+name.FamilyName), " ")
}

// birthday is a date as contacts have it; empty if it is none. Cards without a year leave it out, or write 1604.
func birthday(value string) string {
	value, _, _ = strings.Cut(strings.TrimSpace(value), "T")
	for _, layout := range []string{time.DateOnly, "20060102"} {
		if t, err := time.Parse(layout, value); err == nil {
			const unknown = 1604
			if t.Year() == unknown {
				return t.Format("--01-02")
			}
			return t.Format(time.DateOnly)
		}
	}
	for _, layout := range []string{"2006--01-02", "2006--0102"} {
		if t, err := time.Parse(layout, "2000"+value); err == nil {
			return t.Format("--01-02")
		}
	}
	return ""
}

// idOf is an id that no other contact has.
func idOf(card vcard.Card, c meet.Contact, others []meet.Contact) meet.PersonID {
	id := strings.TrimPrefix(card.Value(vcard.FieldUID), "urn:uuid:")
	if !meet.IsID(id) {
		id = strings.ToLower(c.Email)
	}
	if !meet.IsID(id) {
		id = "card-" + strings.Trim(strings.Map(plain, strings.ToLower(c.Name)), "-")
	}
	taken := func(id string) bool {
		return slices.ContainsFunc(others, func(o meet.Contact) bool { return string(o.ID) == id })
	}
	free := id
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s-%d", id, n)
	}
	return meet.PersonID(free)
}

// plain is a sign as ids have it.
func plain(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}
