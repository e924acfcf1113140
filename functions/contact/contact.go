package contact

import (
	"context"
	_ "embed"
	"time"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/people"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// Contacts are the data of the family's tools: as they stand or, of a tool that changes them, those that change, as
// they would be.
type Contacts struct {
	Contacts []Contact `json:"contacts"`
}

// Contact is a contact.
type Contact struct {
	ID string `json:"id"`
	// Name and Email are those of a person, as in the list of people; Emails are further addresses.
	Name   string   `json:"name"`
	Email  string   `json:"email"`
	Emails []string `json:"emails"`
	Phone  string   `json:"phone"`
	Role   string   `json:"role"`
	Notes  string   `json:"notes"`
	// Birthday is "1987-05-03", "--05-03" without a year, or empty. NextBirthday is a date, or empty, and Age how old the
	// contact becomes then: 0 if that is not known.
	Birthday     string `json:"birthday"`
	NextBirthday string `json:"nextBirthday"`
	Age          int    `json:"age"`
	// Pending marks one that is not written yet.
	Pending bool `json:"pending"`
}

func dataOf(w *world.World, c meet.Contact, pending bool) Contact {
	data := Contact{
		ID: string(c.ID), Name: c.Name, Email: c.Email, Emails: append([]string{}, c.Emails...), Phone: c.Phone,
		Role: c.Role, Notes: c.Notes, Birthday: c.Birthday, Pending: pending,
	}
	if day, age, ok := people.Birthday(c, w.Now); ok {
		data.NextBirthday, data.Age = day.Format(time.DateOnly), age
	}
	return data
}

// own are the owner's contacts, in the order of their names.
func own(ctx context.Context, w *world.World) ([]meet.Contact, error) {
	values, err := w.Own[meet.ContactThing].All(ctx)
	if err != nil {
		return nil, err
	}
	return people.All(values)
}

// one is the contact that the words of an argument mean, to change it. Several are asked about.
func one(w *world.World, all []meet.Contact, argument, words string) (meet.Contact, error) {
	found := people.Search(words, all)
	switch len(found) {
	case 0:
		return meet.Contact{}, fault.New(fault.NotFound, "%s", say(w, "unknown", "name", w.Voice().Title(words)))
	case 1:
		return found[0], nil
	}
	asked := &world.AmbiguousError{Question: say(w, "which", "name", w.Voice().Title(words)), Argument: argument}
	for _, c := range found {
		asked.Options = append(asked.Options, meet.Option{ID: string(c.ID), Label: c.Name, Detail: c.Email})
	}
	return meet.Contact{}, asked
}

// keep adds the change of a contact to an answer, so that later steps know the people as they would be. A nil value
// deletes the contact.
func keep(
	ctx context.Context, w *world.World, answer *world.Answer[Contacts], c meet.Contact, value []byte,
) error {
	change, err := w.Keep(ctx, meet.ContactThing, string(c.ID), value, c.Name)
	if err != nil {
		return err
	}
	answer.Changes = append(answer.Changes, change)
	answer.Data.Contacts = append(answer.Data.Contacts, dataOf(w, c, true))
	answer.Display, answer.Title = meet.CardDisplay, c.Name
	all, err := own(ctx, w)
	if err != nil {
		return err
	}
	persons := []meet.Person{w.Owner}
	for _, known := range all {
		persons = append(persons, known.Person)
	}
	w.People = people.Naming(persons)
	return nil
}
