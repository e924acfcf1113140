package calendar

import (
	"context"
	_ "embed"
	"slices"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

//go:embed respond.md
var respondWords string

type answering struct {
	Selection agenda.Selection `json:"selection"`
	Answer    string           `json:"answer" jsonschema:"enum=accepted,enum=declined,enum=tentative"`
	Scope     *string          `json:"scope" jsonschema:"nullable,enum=this,enum=all"`
}

// Respond answers invitations.
func Respond() world.Tool {
	return world.Define("calendar_respond", world.WithSelection(respondWords), changes(meet.UpdateResource), respond)
}

func respond(ctx context.Context, w *world.World, in answering) (world.Answer[Changed], error) {
	found, err := w.Targets(ctx, in.Selection)
	if err != nil {
		return world.Answer[Changed]{}, err
	}
	all := found.Events
	invited := func(o meet.Occurrence) bool {
		return slices.ContainsFunc(o.Attendees, func(a meet.Attendee) bool { return a.Self })
	}
	found.Events = slices.DeleteFunc(others(all), func(o meet.Occurrence) bool { return !invited(o) })
	if len(found.Events) == 0 {
		return world.Answer[Changed]{}, fault.New(fault.NotFound, "%s", say(w, "noInvitation", "titles", w.Titles(all)))
	}
	var answers []agenda.Amendment
	for _, o := range scoped(in.Selection, in.Scope, found.Events) {
		answers = append(answers, agenda.Amendment{
			Kind: agenda.Respond, Event: o, Scope: scopeOf(o, in.Scope), Answer: meet.Answer(in.Answer),
		})
	}
	return amend(ctx, w, found, answers)
}
