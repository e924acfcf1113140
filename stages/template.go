package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/prompts"
)

// templater is stage 3: one mini call that turns the message into a template, a change of the cached one, or a link
// to follow. Names become people here.
type templater struct {
	asker
	functions functions.Templates
	// reader asks rules what a message means, as a model is asked. Without a model there is none.
	reader classifier
}

func newTemplater(a asker, intents []functions.Intent, rules Model) templater {
	return templater{a, functions.NewTemplates(), newClassifier(asker{rules, a.prompts, a.told}, intents)}
}

// run reads the wish. Of several people whom a name fits none is taken: the draft asks which is meant.
func (s templater) run(ctx context.Context, r *run) (meet.Draft, error) {
	c := functions.TemplateContext{
		Turn:         r.turn,
		Search:       r.conversation.Search,
		Now:          r.now,
		Suggestions:  r.conversation.Suggestions,
		BookingLinks: pageURLs(r.bookingLinks()),
		Alias:        r.alias(),
	}
	data, err := s.data(r)
	if err != nil {
		return meet.Draft{}, err
	}
	prompt, err := s.prompts.Template(data)
	if err != nil {
		return meet.Draft{}, err
	}
	set := s.functions.For(c)
	req := request(llm.Template, prompt, set.Tools())
	draft, err := ask(ctx, s.on(r.receipt), req, set, c)
	if err != nil || draft.Ending != nil {
		return draft, err
	}
	draft.Heard = s.hear(ctx, r, req, set, c)
	return r.heldTo(draft), nil
}

// resolve turns the names of the message into people. Somebody whom nobody knows takes part by name. The address of a
// person finds them, and is not what they are called.
func (r *run) resolve(draft meet.Draft) meet.Draft {
	r.part(&draft)
	names := slices.Clone(draft.Template.Participants)
	draft.Template.Participants = names
	for i, name := range names {
		if fold(name) == fold(r.turn.Organizer.Name) || called(draft.People, name) {
			continue
		}
		found := r.named(name)
		if len(found) == 0 && r.turn.Organizer.Called(name) {
			continue // "call with Lena and Al", said by Lena
		}
		if names[i] = meet.Caption(name); names[i] != name && len(found) == 1 {
			names[i] = found[0].Name
		}
		if len(among(draft.People, found)) > 0 {
			continue
		}
		switch len(found) {
		case 0:
			draft.People = append(draft.People, meet.Person{Name: names[i]})
		case 1:
			draft.People = append(draft.People, found[0])
		default:
			draft.Ending = r.whichOf(names[i], found)
			return draft
		}
	}
	draft.People = distinct(draft.People, r.turn.Organizer.ID)
	return r.locate(draft)
}

// locate finds whom the wish for a place names: somebody who takes part, or else anybody who is known.
func (r *run) locate(draft meet.Draft) meet.Draft {
	name := draft.Template.Wishes.Where.Person
	if name == "" || name == meet.Myself {
		return draft
	}
	i := slices.IndexFunc(draft.People, func(p meet.Person) bool { return p.Called(name) })
	if i >= 0 {
		draft.Around = &draft.People[i]
		return draft
	}
	found := r.named(name)
	if taking := among(draft.People, found); len(taking) > 0 {
		found = taking
	}
	switch len(found) {
	case 0:
	case 1:
		draft.Around = &found[0]
	default:
		draft.Ending = r.whichOf(name, found)
	}
	return draft
}

// alias finds under which name somebody takes part already; see functions.TemplateContext.
func (r *run) alias() func(string) string {
	if r.conversation.Search == nil {
		return nil
	}
	taking := r.conversation.Search.Template.Participants
	return func(name string) string {
		same := func(p string) bool {
			return meet.Person{Name: p}.Called(name) || meet.Person{Name: name}.Called(p)
		}
		if name == "" || slices.ContainsFunc(taking, same) {
			return name
		}
		found := r.named(name)
		for _, p := range taking {
			others := r.named(p)
			if len(found) == 1 && len(others) == 1 && found[0].Known() && found[0].ID == others[0].ID {
				return p
			}
		}
		return name
	}
}

// part lets those people go whose names an edit took out of the template, by whatever name they were known there.
func (r *run) part(draft *meet.Draft) {
	if r.conversation.Search == nil || draft.Mode != meet.ModeEdit {
		return
	}
	for _, name := range r.conversation.Search.Template.Participants {
		if slices.Contains(draft.Template.Participants, name) {
			continue
		}
		gone := among(draft.People, r.named(name))
		if len(gone) != 1 || r.stays(gone[0], draft.Template.Participants) {
			continue
		}
		draft.People = slices.DeleteFunc(slices.Clone(draft.People), func(p meet.Person) bool { return p.ID == gone[0].ID })
	}
}

// among are those of the people who were found.
func among(people, found []meet.Person) []meet.Person {
	return slices.DeleteFunc(slices.Clone(people), func(p meet.Person) bool {
		return !p.Known() || !slices.ContainsFunc(found, func(f meet.Person) bool { return f.ID == p.ID })
	})
}

// stays reports whether one of the names means the person.
func (r *run) stays(person meet.Person, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return len(among([]meet.Person{person}, r.named(name))) > 0
	})
}

// named is everyone whom the name fits: the one who was chosen for it, if the user was asked.
func (r *run) named(name string) []meet.Person {
	if chosen, ok := r.meant[fold(name)]; ok {
		return []meet.Person{chosen}
	}
	return r.contacts.Find(name)
}

func called(people []meet.Person, name string) bool {
	for _, p := range people {
		if p.Called(name) {
			return true
		}
	}
	return false
}

// distinct keeps the first of each person, and leaves the organizer out.
func distinct(people []meet.Person, organizer meet.PersonID) []meet.Person {
	var kept []meet.Person
	seen := map[meet.PersonID]bool{organizer: organizer != ""}
	for _, p := range people {
		if p.Known() && seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		kept = append(kept, p)
	}
	return kept
}

// data is what the model is shown of the turn.
func (s templater) data(r *run) (data prompts.Template, err error) {
	data = prompts.Template{
		Message:      r.turn.Message,
		RecentTurns:  recentTurns(r.conversation),
		Now:          r.now.Format(time.RFC3339),
		Timezone:     r.now.Location().String(),
		Days:         days(r.now),
		Participants: namesOf(r.turn.Participants),
		People:       zonesOf(distinct(r.likely, r.turn.Organizer.ID)),
		BookingLinks: r.bookingLinks(),
	}
	for i, a := range r.conversation.Suggestions {
		data.Activities = append(data.Activities, prompts.Activity{
			Number: i + 1, Title: a.Title, Venue: a.Venue, Kind: a.Kind, Free: a.Free,
			Start: a.Start.In(r.now.Location()).Format(time.RFC3339),
			End:   a.End.In(r.now.Location()).Format(time.RFC3339),
		})
	}
	search := r.conversation.Search
	if search == nil {
		return data, nil
	}
	if data.Template, err = json.Marshal(search.Template); err != nil {
		return data, fmt.Errorf("cached template: %w", err)
	}
	if e := search.Event; e != nil {
		shown := offered([]meet.Slot{{Start: e.Start, End: e.End}}, r.now.Location())[0]
		shown.Place, shown.Booked = placeName(e), search.Booked
		data.Event = &shown
	}
	data.OfferedSlots = offered(search.OfferedSlots, r.now.Location())
	data.OfferedPlaces = placeNames(search.OfferedPlaces)
	return data, nil
}

func zonesOf(people []meet.Person) []prompts.Person {
	zones := []prompts.Person{}
	for _, p := range people {
		if p.Timezone != "" {
			zones = append(zones, prompts.Person{Name: p.Name, Timezone: p.Timezone})
		}
	}
	return zones
}

// days name the next three weeks, so that no model has to count. They are counted in UTC, which has every hour of each.
func days(now time.Time) []prompts.Day {
	const weeks = 3
	list := make([]prompts.Day, 7*weeks)
	year, month, today := now.Date()
	for i := range list {
		d := time.Date(year, month, today+i, 0, 0, 0, 0, time.UTC)
		list[i] = prompts.Day{Date: d.Format(time.DateOnly), Weekday: d.Weekday().String()}
	}
	return list
}

func offered(slots []meet.Slot, zone *time.Location) []prompts.Event {
	events := make([]prompts.Event, len(slots))
	for i, s := range slots {
		events[i] = prompts.Event{
			Start: s.Start.In(zone).Format(time.RFC3339), End: s.End.In(zone).Format(time.RFC3339),
		}
	}
	return events
}

// bookingLinks are the only pages that may be opened: those that the user wrote, and those of the people in the
// conversation or named in the message.
func (r *run) bookingLinks() []prompts.BookingLink {
	var found []prompts.BookingLink
	for _, word := range strings.Fields(r.turn.Message) {
		if page := strings.Trim(word, "<>()[]\"'.,;!?"); functions.IsPage(page) {
			found = append(found, prompts.BookingLink{URL: page})
		}
	}
	for _, p := range distinct(r.likely, r.turn.Organizer.ID) {
		if functions.IsPage(p.BookingLink) {
			found = append(found, prompts.BookingLink{Person: p.Name, URL: p.BookingLink})
		}
	}
	return found
}

func pageURLs(found []prompts.BookingLink) []string {
	urls := make([]string, len(found))
	for i, l := range found {
		urls[i] = l.URL
	}
	return urls
}

func namesOf(people []meet.Person) []string {
	names := make([]string, len(people))
	for i, p := range people {
		names[i] = p.Name
	}
	return names
}

func placeName(e *meet.Event) string {
	if e.Place == nil {
		return ""
	}
	return e.Place.Name
}

func placeNames(places []meet.Place) []string {
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.Name
	}
	return names
}
