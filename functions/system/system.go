package system

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

// Proposal is the data of a tool about a change set: as it stands now.
type Proposal struct {
	Changes meet.ChangeSet `json:"changes"`
	// Applied is what came of it; null if nothing has been written.
	Applied *meet.Applied `json:"applied"`
}

// ProposalArguments name a change set.
type ProposalArguments struct {
	ID string `json:"id"`
}

// bare is the trait of a tool that decides about what waits, or only asks. No model is offered one.
func bare(effect world.Effect, operation meet.Operation, resource meet.ResourceType) world.Trait {
	return world.Trait{
		Family: Family, Effect: effect, Gives: world.ChangeList, Operation: operation, Resource: resource, Bare: true,
	}
}

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// desk is the desk of change sets, or a fault if there is none.
func desk(w *world.World) (world.Desk, error) {
	if w.Desk == nil {
		return nil, fault.New(fault.Unavailable, "%s", say(w, "noDesk"))
	}
	return w.Desk, nil
}

// proposal is the answer that shows a set, by its id.
func proposal(ctx context.Context, w *world.World, id meet.ChangesID) (world.Answer[Proposal], error) {
	desk, err := desk(w)
	if err != nil {
		return world.Answer[Proposal]{}, err
	}
	set, applied, err := desk.Get(ctx, id)
	if err != nil {
		return world.Answer[Proposal]{}, err
	}
	return shown(w, set, applied), nil
}

// shown is the answer that shows a set, every change of it.
func shown(w *world.World, set meet.ChangeSet, applied *meet.Applied) world.Answer[Proposal] {
	answer := world.Answer[Proposal]{
		Data: Proposal{set, applied}, Display: meet.ConfirmationDisplay, Title: say(w, string(set.Status)),
		Description: w.Voice().Changes(set, applied), Components: []meet.Component{world.Part(meet.ChangeListPart, set)},
	}
	if set.Status == meet.ChangesPending {
		answer.Confirm = set.ID
		answer.Suggestions = []string{say(w, "yes"), say(w, "no")}
	}
	if applied != nil && applied.UndoUntil != nil && set.Status != meet.ChangesUndone {
		answer.Suggestions = []string{say(w, "undo")}
	}
	return answer
}

// pending is an answer about a set that still waits, or a fault that says how it ended.
func pending(ctx context.Context, w *world.World, id meet.ChangesID) (world.Answer[Proposal], error) {
	answer, err := proposal(ctx, w, id)
	if err == nil && answer.Data.Changes.Status != meet.ChangesPending {
		return world.Answer[Proposal]{}, fault.New(fault.Conflict, "%s", answer.Title)
	}
	return answer, err
}

// NotYet is the data of a tool that is not there yet.
type NotYet struct{}

// notYet makes a tool that says so.
func notYet[In any](name, words, phrase string, operation meet.Operation) world.Tool {
	return world.Define(name, words, bare(world.Reads, operation, meet.WorkflowResource), func(
		_ context.Context, w *world.World, _ In,
	) (world.Answer[NotYet], error) {
		return world.Answer[NotYet]{}, fault.New(fault.Unavailable, "%s", say(w, phrase))
	})
}
