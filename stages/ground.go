package stages

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// grounded is what a message asks for by the things that it names. First says that the turn follows it before any other
// reading.
type grounded struct {
	ground.Reading
	First bool
}

// plan is the call, and none if only the deed is known. What is not plain is asked for before it is done.
func (g grounded) plan(language string) planned {
	if g.Tool == "" {
		return planned{Question: message.NoEvent(language)}
	}
	return planned{
		Call:   &meet.PlannedCall{Tool: g.Tool, Arguments: g.Arguments},
		Unsure: !g.Plain || g.Probability < ground.Surely,
	}
}

// ground reads the message by the things that the user has, unless it goes on with an event that is being arranged. It
// goes before a new event and before small talk; before a look or a change only if these can make nothing of the
// message.
func (p *Pipeline) ground(ctx context.Context, r *run) (err error) {
	search := r.conversation.Search
	arranging := search != nil && search.Event != nil && !search.Booked || len(r.conversation.Suggestions) > 0
	if p.ports.Ground == nil || p.ports.Worlds == nil || arranging || r.asks != nil || r.anew || len(r.aspects) > 0 {
		return nil
	}
	r.grounded.Reading, err = once(ctx, r, "ground", func(ctx context.Context) (ground.Reading, error) {
		return p.grounded(ctx, r), nil
	})
	g, i := r.grounded, r.understood.Intent
	elsewhere := i == meet.HandleEvent && g.Elsewhere()
	if err != nil || g.Tool == "" && !elsewhere {
		return err
	}
	switch {
	case i == meet.Look, i == meet.Act, i != meet.Converse && !g.Names && !elsewhere,
		i == meet.SuggestActivities && g.Reads:
		return nil
	}
	r.grounded.First, r.understood.Acknowledgment = true, message.Look(r.understood.Language)
	r.understood.Intent, r.understood.RequiresPlan = meet.Act, false
	if r.grounded.Reads {
		r.understood.Intent = meet.Look
	}
	return nil
}

// grounded is what the message asks for by the things that the user has. What cannot be read names nothing.
func (p *Pipeline) grounded(ctx context.Context, r *run) ground.Reading {
	m := ground.Message{Text: r.turn.Message, Language: r.understood.Language, Now: r.now}
	for _, said := range r.mentions {
		m.People = append(m.People, ground.Person{Name: said.Person.Name, Said: said.Words})
	}
	if r.understood.Intent == meet.HandleEvent && ground.Creates(m) {
		return ground.Reading{} // it is something new, also if its words name something
	}
	ctx, cancel := context.WithTimeout(ctx, p.template.anchors.patience)
	defer cancel()
	w, err := p.ports.Worlds.World(ctx, r.turn, r.now, r.understood.Language)
	if err != nil {
		return ground.Reading{}
	}
	m.Things = w.Things(ctx)
	if open := r.conversation.Waiting; open != nil {
		m.Last = open.Shown
	}
	return p.ports.Ground(m)
}

// plainly is how probable a change has to be that goes before a look.
const plainly = 0.85

// yields reports whether a plan of the rules goes after what the message names: there is none, or it makes something
// new, or only looks.
func (w worker) yields(plan planned, g grounded) bool {
	own, ok := w.planner.tools.Tool(g.Tool)
	if !ok || plan.Call == nil || g.First {
		return ok && plan.Call == nil
	}
	t, ok := w.planner.tools.Tool(plan.Call.Tool)
	makes := ok && t.Operation == meet.CreateResource && own.Operation != meet.CreateResource
	return makes || ok && t.Effect == world.Reads && own.Effect == world.Changes && g.Probability >= plainly
}

// instead is the call of what a message names, if the one that was made has found nothing, or too much.
func (w worker) instead(ctx context.Context, r *run, made done) done {
	missed := made.Response.Error != nil && made.Response.Error.Code == string(fault.NotFound)
	if made.Choices != nil {
		missed = !slices.ContainsFunc(made.Choices.Options, func(o meet.Option) bool {
			return strings.Contains(string(r.grounded.Arguments), strconv.Quote(o.ID))
		})
	}
	if !missed || r.grounded.Tool == "" || r.grounded.First {
		return made
	}
	plan := r.grounded.plan(r.understood.Language)
	own, err := w.call(ctx, r, plan.Call)
	if err != nil || own.Response.Error != nil || own.Choices != nil {
		return made
	}
	own.Heard, own.Unsure = true, own.Unsure || plan.Unsure
	return own
}
