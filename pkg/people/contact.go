package people

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Kind are contacts as records: meet.Contact by the person's id.
var Kind = record.Kind{What: meet.ContactThing, Validate: validContact}

func validContact(_ string, value []byte) error {
	var c meet.Contact
	if err := json.Unmarshal(value, &c); err != nil {
		return fault.Invalid("contact", "is no contact").Because(err)
	}
	if field, problem := c.Check(); problem != "" {
		return fault.Invalid(field, "%s", problem)
	}
	return nil
}

// All are contacts from their records, in the order of their names.
func All(records record.Values) ([]meet.Contact, error) {
	all := make([]meet.Contact, 0, len(records))
	for id, value := range records {
		var c meet.Contact
		if err := json.Unmarshal(value, &c); err != nil {
			return nil, fmt.Errorf("contact %s: %w", id, err)
		}
		c.ID = meet.PersonID(id)
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b meet.Contact) int {
		return cmp.Or(cmp.Compare(fold(a.Name), fold(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return all, nil
}

// Search are the contacts that words may mean, by the best way in which any fits: the id; a name, as Contacts.Find
// reads it; an address or a part of one; a telephone number; the role; notes. Ways after the first that fits do not
// count.
func Search(words string, all []meet.Contact) []meet.Contact {
	if i := slices.IndexFunc(all, func(c meet.Contact) bool { return string(c.ID) == words }); i >= 0 {
		return all[i : i+1]
	}
	if named := Named(words, all); len(named) > 0 {
		return named
	}
	asked, digits := strings.ToLower(strings.TrimSpace(words)), digitsOf(words)
	said := agenda.CallingOf(words).Names
	for _, fits := range []func(meet.Contact) bool{
		func(c meet.Contact) bool { return slices.ContainsFunc(c.Addresses(), equalTo(asked)) },
		func(c meet.Contact) bool {
			return len(asked) >= leastPart && slices.ContainsFunc(c.Addresses(), having(asked))
		},
		func(c meet.Contact) bool {
			return len(digits) >= leastPart && strings.Contains(digitsOf(c.Phone), digits)
		},
		func(c meet.Contact) bool { return says(c.Role, said) },
		func(c meet.Contact) bool { return len(asked) >= leastPart && having(fold(asked))(fold(c.Name)) },
		func(c meet.Contact) bool { return says(c.Notes, said) },
	} {
		if found := slices.DeleteFunc(slices.Clone(all), func(c meet.Contact) bool { return !fits(c) }); len(found) > 0 {
			return found
		}
	}
	return nil
}

// Named are the contacts that a name may mean, as Contacts.Find reads it.
func Named(name string, all []meet.Contact) []meet.Contact {
	persons := make([]meet.Person, len(all))
	for i, c := range all {
		persons[i] = c.Person
	}
	named := Of(persons).Find(name)
	return slices.DeleteFunc(slices.Clone(all), func(c meet.Contact) bool {
		return !slices.ContainsFunc(named, func(p meet.Person) bool { return p.ID == c.ID })
	})
}

// leastPart is the length of the shortest part of an address, a number or a name that means it.
const leastPart = 3

func equalTo(asked string) func(string) bool {
	return func(address string) bool { return strings.EqualFold(address, asked) }
}

func having(asked string) func(string) bool {
	return func(text string) bool { return strings.Contains(strings.ToLower(text), asked) }
}

// says reports whether a text has all of the stems.
func says(text string, stems []string) bool {
	in := agenda.Stems(text)
	return len(stems) > 0 && !slices.ContainsFunc(stems, func(w string) bool {
		return !slices.ContainsFunc(in, func(have string) bool { return agenda.Similar(w, have) })
	})
}

func digitsOf(text string) string {
	if strings.ContainsFunc(text, unicode.IsLetter) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// Birthday is the next time that a contact's birthday is celebrated, from a day on: a 29 February on 28 in a common
// year. Age is how old the contact becomes; 0 if the year is not known. Ok is false without a birthday.
func Birthday(c meet.Contact, from time.Time) (day time.Time, age int, ok bool) {
	year, born, ok := c.Born()
	if !ok {
		return time.Time{}, 0, false
	}
	today := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, from.Location())
	for y := from.Year(); ; y++ {
		day = time.Date(y, born.Month(), born.Day(), 0, 0, 0, 0, from.Location())
		if day.Month() != born.Month() {
			day = day.AddDate(0, 0, -1)
		}
		if !day.Before(today) {
			break
		}
	}
	if year > 0 {
		age = day.Year() - year
	}
	return day, age, true
}

// Naming finds people by id, or else by address or name.
func Naming(all []meet.Person) func(name string) []meet.Person {
	return func(name string) []meet.Person {
		if i := slices.IndexFunc(all, func(p meet.Person) bool { return p.Known() && string(p.ID) == name }); i >= 0 {
			return all[i : i+1]
		}
		return Of(all).Find(name)
	}
}
