package stages

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// standing is an event of the user's calendar that a message names, as if it were there already.
type standing struct {
	// Words are what it is called in the calendar, or the user's where several are meant; IDs those of the events.
	Words string   `json:"words,omitempty"`
	IDs   []string `json:"ids,omitempty"`
}

// standingAhead is how far ahead the event is looked for.
const standingAhead = 26 * 7 * 24 * time.Hour

// stands is what the message names of the user's calendar, if it begins a conversation as a new event. Whatever a model
// made of it, a request about what is there becomes no new event. A calendar that cannot be read names nothing.
func (p *Pipeline) stands(ctx context.Context, r *run) (standing, error) {
	begins := r.conversation.Search == nil && len(r.conversation.Suggestions) == 0 && r.asks == nil && !r.anew
	if p.ports.Standing == nil || p.ports.Worlds == nil || !begins {
		return standing{}, nil
	}
	parts := p.ports.Standing(r.turn.Message, r.understood.Language)
	if len(parts) == 0 {
		return standing{}, nil
	}
	return once(ctx, r, "standing", func(ctx context.Context) (found standing, err error) {
		events, err := p.template.anchors.events(ctx, r.situation, interval.From(r.now, standingAhead))
		if err != nil {
			return found, ctx.Err()
		}
		for _, words := range parts {
			named := agenda.Named(words, events)
			if len(named) == 1 {
				words = named[0].Title
			}
			if len(named) > 0 {
				return standing{words, each(named, meet.Occurrence.Key)}, nil
			}
		}
		return found, nil
	})
}

// names finds the words of the message that name open tasks of the user, before any model reads it: by them "push the
// tiles by a week" is said of a task.
func (p *Pipeline) names(ctx context.Context, r *run) (err error) {
	search := r.conversation.Search
	if p.ports.Worlds == nil || search != nil && search.Event != nil && !search.Booked {
		return nil // what is said while an event is being arranged is of it
	}
	r.tasks, err = once(ctx, r, "names", func(ctx context.Context) ([]string, error) {
		m := r.plainMessage()
		if m.Things = p.ownOf(ctx, r).tasks(); len(ground.Called(m, ground.Task)) == 0 {
			return nil, nil // so that no calendar is read for most messages
		}
		return ground.Called(p.message(ctx, r), ground.Task), nil
	})
	return err
}

// message is the message with the things and people that it may be about.
func (p *Pipeline) message(ctx context.Context, r *run) ground.Message {
	m, own := r.plainMessage(), p.ownOf(ctx, r)
	m.Things, m.Mails = own.things(), own.mails
	return m
}

// plainMessage is the message with the people that it may be about, and what it goes on from.
func (r *run) plainMessage() ground.Message {
	m := ground.Message{
		Text: r.turn.Message, Language: r.understood.Language, Now: r.now, Day: r.dayAtHand(),
		AtHand: r.eventAtHand(),
	}
	for _, said := range r.mentions {
		m.People = append(m.People, ground.Person{Name: said.Person.Name, Said: said.Words, Address: said.Person.Email})
	}
	if search := r.conversation.Search; search != nil && len(search.People) == 1 {
		m.Company = search.People[0].Name
	}
	if open := r.conversation.Waiting; open != nil {
		m.Last, m.Listed = open.Shown, open.Numbered()
		if open.Call != nil && r.follows() {
			m.Before = ground.Call{Tool: open.Call.Tool, Arguments: open.Call.Arguments}
			m.Waits, m.Done = open.Pending() != "" || open.Done, open.Done
			m.Offered = open.Times
		}
	}
	return m
}

// offersTimes reports whether free times were listed last.
func (r *run) offersTimes() bool {
	open := r.conversation.Waiting
	return open != nil && len(open.Times) > 0 && r.follows()
}

// follows reports whether the turn before was of the user's own day, or hardly said anything: what came between may be
// what the message goes on with.
func (r *run) follows() bool {
	n := len(r.conversation.History)
	if n == 0 {
		return true
	}
	last := r.conversation.History[n-1]
	return strings.HasPrefix(last.Assistant, "(") || len(words(last.User)) <= mostCourtesy
}

// mostCourtesy is how many words a message has at most that only thanks.
const mostCourtesy = 3

// own is what the user has, each read once a turn, when it is asked for.
type own struct{ tasks, things, mails func() []ground.Thing }

// ownOf is what the user has. What cannot be read within the patience names nothing.
func (p *Pipeline) ownOf(ctx context.Context, r *run) *own {
	if r.own != nil {
		return r.own
	}
	patience := p.template.anchors.patience
	patient, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	w, err := p.ports.Worlds.World(patient, r.turn, r.now, r.understood.Language)
	read := func(of func(context.Context) []ground.Thing) func() []ground.Thing {
		return sync.OnceValue(func() []ground.Thing {
			if err != nil {
				return nil
			}
			patient, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			return of(patient)
		})
	}
	r.own = &own{read(w.TaskThings), read(w.Things), read(w.MailThings)}
	return r.own
}

// askAbout asks what to do with an event that stands in the calendar.
func (r *run) askAbout(ctx context.Context, s standing) (meet.Outcome, error) {
	r.steps = workSteps
	v := r.voice()
	arguments, err := json.Marshal(map[string]any{"selection": map[string]any{"ids": s.IDs}})
	if err != nil {
		return meet.Outcome{}, err
	}
	call := func(tool string) *meet.PlannedCall { return &meet.PlannedCall{Tool: tool, Arguments: arguments} }
	open := r.open()
	open.Call, open.Shown, open.ShownType = nil, s.IDs, "events"
	choices := meet.Choices{Question: v.WhatWith(strings.TrimSpace(s.Words)), Free: true}
	open.Means = nil
	for _, c := range []struct {
		id   string
		does meet.Meaning
	}{
		{"show", meet.Meaning{Call: call("calendar_findEvents")}},
		{"delete", meet.Meaning{Call: call("calendar_deleteEvents")}},
		{"new", meet.Meaning{Message: r.turn.Message}},
	} {
		choices.Options = append(choices.Options, meet.Option{ID: c.id, Label: v.Standing(c.id)})
		open.Means = append(open.Means, c.does)
	}
	return r.choose(ctx, open, choices)
}

// resume makes the message that a choice stands for that of the turn: what was asked is a new event after all, or is
// read anew.
func (r *run) resume(said heardReply) bool {
	open := r.conversation.Waiting
	if said.Plan || said.Kind != Pick || len(open.Means) == 0 || open.Means[said.Indices[0]].Message == "" {
		return false
	}
	means := open.Means[said.Indices[0]]
	r.turn.Message, r.anew = means.Message, !means.Anew
	if means.Anew {
		r.turn.Answer, r.asked, r.mentions = nil, means.Message, r.contacts.Mentions(means.Message)
	}
	kept := *open
	kept.Choices, kept.Means = nil, nil
	r.conversation.Waiting = &kept
	return true
}
