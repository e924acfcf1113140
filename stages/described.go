package stages

import (
	"context"
	"slices"
	"strings"

	"convene/pkg/meet"
)

// nameDescribed reads a message that only says which of several contacts is meant, by what is known of them ("the
// lawyer"), as if it said the name.
func (p *Pipeline) nameDescribed(ctx context.Context, r *run) {
	if p.ports.Described == nil || p.ports.Worlds == nil || r.turn.Answer != nil {
		return
	}
	choices, named := r.describable()
	const most = 8 // words of a description
	if len(choices) < 2 || len(strings.Fields(r.turn.Message)) > most {
		return
	}
	patient, cancel := context.WithTimeout(ctx, p.template.anchors.patience)
	defer cancel()
	w, err := p.ports.Worlds.World(patient, r.turn, r.now, r.understood.Language)
	if err != nil {
		return
	}
	ids := p.ports.Described(patient, w, r.turn.Message)
	meant := slices.DeleteFunc(choices, func(c meet.Person) bool { return !slices.Contains(ids, c.ID) })
	if len(meant) == 1 {
		r.turn.Message = named(meant[0].Name)
	}
}

// describable are the contacts of whom the message may mean one, and what it says with that one's name: those of the
// question that it answers, or those who were shown, of whom the same is asked again.
func (r *run) describable() (choices []meet.Person, named func(name string) string) {
	itself := func(name string) string { return name }
	question, open := r.conversation.Question, r.conversation.Waiting
	switch {
	case question != nil && question.Name != "":
		return slices.Clone(question.Choices), itself
	case open == nil:
		return nil, nil
	case open.Choices != nil:
		for _, o := range open.Choices.Options {
			found := r.contacts.Find(o.Label)
			if len(found) != 1 {
				return nil, nil
			}
			choices = append(choices, found[0])
		}
		return choices, itself
	case open.Call != nil && open.Call.Tool == "contact_find" && len(r.conversation.History) > 0:
		before := r.conversation.History[len(r.conversation.History)-1].User
		said := r.named(before)
		if len(said) != 1 {
			return nil, nil
		}
		return r.contacts.Find(said[0]), func(name string) string { return strings.Replace(before, said[0], name, 1) }
	}
	return nil, nil
}
