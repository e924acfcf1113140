package main

import (
	"context"
	"errors"

	"convene/pkg/auth"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/llm/offline"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/stages"
)

// ownDesk is the desk of one caller: sets of others are not found, and one who may not confirm decides nothing.
type ownDesk struct {
	desk        *change.Desk
	owner       meet.PersonID
	noConfirm   bool
	preferences record.Book
}

// deskOf is the desk of the turn's caller.
func (w worlds) deskOf(t meet.Turn) ownDesk {
	return ownDesk{w.desk, t.Organizer.ID, t.NoConfirm, w.preferences}
}

// Of is the desk of a turn.
func (w worlds) Of(t meet.Turn) stages.OwnChanges { return w.deskOf(t) }

// Propose makes a set. A caller who may not confirm is always asked, and so is an owner who prefers that.
func (d ownDesk) Propose(
	ctx context.Context, draft change.Draft,
) (set meet.ChangeSet, applied *meet.Applied, err error) {
	values, err := d.preferences.Of(ctx, d.owner)
	if err != nil {
		return set, nil, err
	}
	prefers := preference.Read(values)
	draft.Strict = func(c meet.Change) bool { return d.noConfirm || prefers.Asks(c.Kind) }
	draft.AutoConfirm = draft.AutoConfirm && !d.noConfirm
	return d.desk.Propose(ctx, draft)
}

// Get is the set as it stands, with what came of it.
func (d ownDesk) Get(ctx context.Context, id meet.ChangesID) (meet.ChangeSet, *meet.Applied, error) {
	set, owner, applied, err := d.desk.Get(ctx, id)
	if err == nil && owner.ID != d.owner {
		return meet.ChangeSet{}, nil, fault.New(fault.NotFound, "There are no changes with this id.")
	}
	return set, applied, err
}

// Confirm applies the changes of a pending set; all if only is nil. If things are not as they were shown, fresh is the
// set as it would be now.
func (d ownDesk) Confirm(
	ctx context.Context, id meet.ChangesID, digest string, only []string,
) (applied meet.Applied, fresh *meet.ChangeSet, err error) {
	if err := d.mayDecide(ctx, id); err != nil {
		return applied, nil, err
	}
	applied, err = d.desk.Confirm(ctx, id, change.Confirmation{Digest: digest, Only: only})
	if changed, ok := errors.AsType[*change.ChangedError](err); ok {
		fresh = &changed.Fresh
	}
	return applied, fresh, err
}

// Cancel ends a pending set without writing anything.
func (d ownDesk) Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error) {
	if _, _, err := d.Get(ctx, id); err != nil {
		return meet.ChangeSet{}, err
	}
	return d.desk.Cancel(ctx, id, reason)
}

// Undo takes back what was applied of a set.
func (d ownDesk) Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error) {
	if err := d.mayDecide(ctx, id); err != nil {
		return meet.Applied{}, err
	}
	return d.desk.Undo(ctx, id)
}

func (d ownDesk) mayDecide(ctx context.Context, id meet.ChangesID) error {
	if d.noConfirm {
		return fault.New(auth.Forbidden,
			"This key or token cannot confirm anything; it has to be confirmed with another one.")
	}
	_, _, err := d.Get(ctx, id)
	return err
}

// replyOf reads a message as an answer to what waits, by the built-in rules.
func replyOf(message string, asked stages.Asked) stages.Reply {
	waiting := offline.Waiting{
		Kind: offline.WaitingChanges, Options: asked.Options, Details: asked.Details, Deeds: asked.Deeds,
		Times: asked.Times,
		Added: asked.Added, Done: asked.Done, Alone: asked.Alone,
	}
	switch {
	case asked.Choices:
		waiting.Kind = offline.WaitingChoices
	case asked.Event:
		waiting.Kind = offline.WaitingEvent
	}
	answer := offline.Reply(message, waiting)
	if answer.Kind == offline.AnswerOther {
		return stages.Reply{Denies: answer.Denies, Corrects: answer.Corrects}
	}
	return stages.Reply{
		Kind: stages.ReplyKind(answer.Kind), Indices: answer.Indices, Books: answer.Books, Sends: answer.Sends,
	}
}

// sureOf is how probable it is that a message has the intent, by the built-in rules.
func sureOf(text string, earlier []meet.Exchange, hasEvent bool, intent meet.Intent) float64 {
	kind, _, confidence := offline.Kind(text, offline.Talk{Turns: exchanges(earlier), HasEvent: hasEvent})
	if kind != string(intent) {
		return 1 - confidence
	}
	return confidence
}

// languageOf is the language of a message, by the built-in rules.
func languageOf(text string, earlier []meet.Exchange) string {
	return offline.Language(text, exchanges(earlier))
}

// slots finds times for several people, as the pipeline does, which is made after the tools that ask for them.
type slots struct{ *stages.Pipeline }
