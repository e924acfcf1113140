package main

import (
	"context"
	"errors"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/stages"
)

// ownSets are the change sets of one person. Those of others are not found.
type ownSets struct {
	desk  *change.Desk
	owner meet.PersonID
}

// Get is the set as it stands.
func (o ownSets) Get(
	ctx context.Context, id meet.ChangesID,
) (set meet.ChangeSet, applied *meet.Applied, err error) {
	set, owner, applied, err := o.desk.Get(ctx, id)
	if err == nil && owner.ID != o.owner {
		err = fault.New(fault.NotFound, "There are no such changes.")
	}
	return set, applied, err
}

// Confirm applies a pending set. If things are not as they were shown, fresh is the set as it would be now.
func (o ownSets) Confirm(ctx context.Context, id meet.ChangesID, digest string, only []string) (
	applied meet.Applied, fresh *meet.ChangeSet, err error,
) {
	if _, _, err = o.Get(ctx, id); err != nil {
		return applied, nil, err
	}
	applied, err = o.desk.Confirm(ctx, id, change.Confirmation{Digest: digest, Only: only})
	if changed, ok := errors.AsType[*change.ChangedError](err); ok {
		fresh = &changed.Fresh
	}
	return applied, fresh, err
}

// Cancel ends a pending set.
func (o ownSets) Cancel(ctx context.Context, id meet.ChangesID, reason string) (set meet.ChangeSet, err error) {
	if _, _, err = o.Get(ctx, id); err != nil {
		return set, err
	}
	return o.desk.Cancel(ctx, id, reason)
}

// Undo takes back what was applied of a set.
func (o ownSets) Undo(ctx context.Context, id meet.ChangesID) (applied meet.Applied, err error) {
	if _, _, err = o.Get(ctx, id); err != nil {
		return applied, err
	}
	return o.desk.Undo(ctx, id)
}

// turnSets are the change sets of a turn's organizer.
type turnSets struct{ worlds worlds }

// Propose makes a set, and asks more often if its owner prefers so.
func (t turnSets) Propose(
	ctx context.Context, draft change.Draft,
) (set meet.ChangeSet, applied *meet.Applied, err error) {
	if draft.Strict, err = t.worlds.strict(ctx, draft.Owner.ID); err != nil {
		return set, nil, err
	}
	return t.worlds.desk.Propose(ctx, draft)
}

// Of are the sets of one person.
func (t turnSets) Of(owner meet.PersonID) stages.OwnChanges { return ownSets{t.worlds.desk, owner} }

// replyOf reads a message as an answer to what waits, by the built-in rules.
func replyOf(message string, asked stages.Asked) stages.Reply {
	waiting := offline.Waiting{Kind: offline.WaitingChanges, Options: asked.Options}
	if asked.Choices {
		waiting.Kind = offline.WaitingChoices
	}
	answer := offline.Reply(message, waiting)
	if answer.Kind == offline.AnswerOther {
		return stages.Reply{}
	}
	return stages.Reply{Kind: stages.ReplyKind(answer.Kind), Indices: answer.Indices}
}

// sureOf is how probable it is that a message has the intent, by the built-in rules.
func sureOf(text string, earlier []meet.Exchange, hasEvent bool, intent meet.Intent) float64 {
	kind, _, confidence := offline.Kind(text, offline.Talk{Turns: exchanges(earlier), HasEvent: hasEvent})
	if kind != string(intent) {
		return 1 - confidence
	}
	return confidence
}

// slots finds times for several people, as the pipeline does, which is made after the tools that ask for them.
type slots struct{ *stages.Pipeline }
