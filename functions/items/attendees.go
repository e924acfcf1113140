package items

import (
	"context"
	_ "embed"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed attendees.md
var attendeesWords string

// People are the data of items_attendees: addresses, or names without one, each once, without the owner.
type People struct {
	People []string `json:"people"`
	// Events is how many of the events each takes part in, in the same order.
	Events []int `json:"events"`
}

// personCard is the data of a personCard.
type personCard struct {
	Name   string `json:"name"`
	Email  string `json:"email,omitempty"`
	Events int    `json:"events"`
}

// attendees lists who takes part in events, besides the owner. Those who organize one take part in it.
func attendees() world.Tool {
	return world.Define("items_attendees", attendeesWords, trait(world.People), func(
		_ context.Context, w *world.World, in Items,
	) (answer world.Answer[People], err error) {
		list, err := occurrences(w, "items", in.Items)
		if err != nil {
			return answer, err
		}
		data := People{People: []string{}, Events: []int{}}
		for _, o := range list {
			data.add(o, w.Owner)
		}
		var names []string
		for i, address := range data.People {
			card := personCard{Name: address, Events: data.Events[i]}
			if strings.Contains(address, "@") {
				card.Email = address
				if known := known(w, address); known != "" {
					card.Name = known
				}
			}
			names = append(names, w.Voice().Title(card.Name))
			answer.Components = append(answer.Components, world.Part(meet.PersonCardPart, card))
		}
		answer.Data, answer.Display, answer.Title = data, meet.ListDisplay, w.Voice().Say(phrases, "people")
		answer.Description = w.Voice().Say(phrases, "nobody")
		if len(names) > 0 {
			answer.Description = w.Voice().List(names)
		}
		return answer, nil
	})
}

// add counts the people of an event, each once.
func (p *People) add(o meet.Occurrence, owner meet.Person) {
	guests := o.Guests()
	if o.Organizer != nil && !o.Organizer.Self {
		guests = append(guests, *o.Organizer)
	}
	here := map[string]bool{strings.ToLower(owner.Email): true}
	for _, guest := range guests {
		address := guest.Email
		if address == "" {
			address = guest.Name
		}
		if id := strings.ToLower(address); !here[id] {
			here[id] = true
			p.count(address)
		}
	}
}

func (p *People) count(address string) {
	for i, there := range p.People {
		if strings.EqualFold(there, address) {
			p.Events[i]++
			return
		}
	}
	p.People, p.Events = append(p.People, address), append(p.Events, 1)
}

// known is the name of the only person with an address.
func known(w *world.World, address string) string {
	if w.People == nil {
		return ""
	}
	if found := w.People(address); len(found) == 1 {
		return found[0].Name
	}
	return ""
}
