package contact

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/people"
	"convene/pkg/tool"
)

//go:embed find.md
var findWords string

// FindArguments say which contacts, and what is asked of them; null is all.
type FindArguments struct {
	Query     *string        `json:"query" jsonschema:"nullable"`
	Birthdays *agenda.Window `json:"birthdays" jsonschema:"nullable"`
	Aspect    *string        `json:"aspect" jsonschema:"nullable,enum=email,enum=phone,enum=role,enum=birthday,enum=notes"`
	Limit     *int           `json:"limit" jsonschema:"nullable"`
}

// usually is how many contacts are shown if no number is named, and mostShown how many at most.
const (
	usually   = 20
	mostShown = 1000
)

// find finds contacts, and answers what is asked of them.
func find() world.Tool {
	return world.Define("contact_find", findWords, trait(world.Reads, meet.ReadResource), func(
		ctx context.Context, w *world.World, in FindArguments,
	) (answer world.Answer[Contacts], err error) {
		limit := usually
		if in.Limit != nil {
			if limit = *in.Limit; limit < 1 || limit > mostShown {
				return answer, tool.BadArgument("limit", "must be 1 to %d", mostShown)
			}
		}
		found, err := own(ctx, w)
		if err != nil {
			return answer, err
		}
		if in.Query != nil && strings.TrimSpace(*in.Query) != "" {
			found = people.Search(*in.Query, found)
		}
		if found, err = in.celebrating(w, found); err != nil {
			return answer, err
		}
		answer.Data = Contacts{Contacts: []Contact{}}
		answer.Display, answer.Title = meet.ListDisplay, say(w, "title")
		if len(found) == 0 {
			answer.Description = in.nobody(w)
			return answer, nil
		}
		lines := []string{}
		for _, c := range found[:min(limit, len(found))] {
			data := dataOf(w, c, false)
			answer.Data.Contacts = append(answer.Data.Contacts, data)
			answer.Components = append(answer.Components, world.Part(meet.PersonCardPart, data))
			lines = append(lines, in.told(w, c))
		}
		answer.Description = strings.Join(lines, "\n")
		if more := len(found) - limit; more > 0 {
			answer.Description += "\n… +" + strconv.Itoa(more)
		}
		return answer, nil
	})
}

// celebrating are the contacts whose birthday lies in the window, the next one first.
func (in FindArguments) celebrating(w *world.World, all []meet.Contact) ([]meet.Contact, error) {
	if in.Birthdays == nil {
		return all, nil
	}
	span, err := in.Birthdays.In(w.Zone(), "birthdays")
	if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
		return nil, tool.BadArgument(f.Field, "%s", f.Message)
	}
	next := func(c meet.Contact) (unix int64) {
		if day, _, ok := people.Birthday(c, span.Start.In(w.Zone())); ok && day.Before(span.End) {
			unix = day.Unix()
		}
		return unix
	}
	all = slices.DeleteFunc(slices.Clone(all), func(c meet.Contact) bool { return next(c) == 0 })
	slices.SortStableFunc(all, func(a, b meet.Contact) int { return cmp.Compare(next(a), next(b)) })
	return all, err
}

// nobody says that no contact fits.
func (in FindArguments) nobody(w *world.World) string {
	switch {
	case in.Query != nil && strings.TrimSpace(*in.Query) != "":
		return say(w, "unknown", "name", w.Voice().Title(*in.Query))
	case in.Birthdays != nil:
		return say(w, "noBirthday")
	}
	return say(w, "empty")
}

// told is what is asked of a contact, or all that is known.
func (in FindArguments) told(w *world.World, c meet.Contact) string {
	aspect := ""
	if in.Aspect != nil {
		aspect = *in.Aspect
	} else if in.Birthdays != nil {
		aspect = "birthday"
	}
	name := w.Voice().Title(c.Name)
	facts := in.facts(w, c)
	var known []string
	for _, of := range []string{"role", "email", "phone", "birthday", "notes"} {
		if facts[of] != "" {
			known = append(known, say(w, of, "value", facts[of]))
		}
	}
	switch {
	case aspect != "" && facts[aspect] == "":
		return say(w, "no."+aspect, "name", name)
	case aspect != "":
		return say(w, "line", "name", name, "facts", say(w, aspect, "value", facts[aspect]))
	case len(known) == 0:
		return say(w, "alone", "name", name)
	}
	return say(w, "line", "name", name, "facts", strings.Join(known, "; "))
}

// facts are what is known of a contact, in words, by aspect.
func (in FindArguments) facts(w *world.World, c meet.Contact) map[string]string {
	v := w.Voice()
	facts := map[string]string{
		"role": v.Quote(c.Role), "phone": v.Quote(c.Phone), "notes": v.Quote(c.Notes),
		"email": v.Quote(strings.Join(c.Addresses(), ", ")),
	}
	if day, age, ok := people.Birthday(c, w.Now); ok {
		phrase := "next"
		if age > 0 {
			phrase = "nextAge"
		}
		facts["birthday"] = say(w, phrase, "birthday", v.Birthday(c.Birthday), "day", v.Day(day), "age", strconv.Itoa(age))
	}
	return facts
}
