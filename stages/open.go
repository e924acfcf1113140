package stages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// Reply is what a message says to what waits for the user.
type Reply struct {
	Kind ReplyKind
	// Indices are those of the options that are meant, for Only, Not and Pick.
	Indices []int
}

// ReplyKind is a way of answering.
type ReplyKind string

// The ways of answering. Other is no answer: the message stands for itself.
const (
	Other ReplyKind = ""
	Yes   ReplyKind = "yes"
	No    ReplyKind = "no"
	Only  ReplyKind = "only"
	Not   ReplyKind = "not"
	Pick  ReplyKind = "pick"
	Undo  ReplyKind = "undo"
)

// Asked is what waits: the titles of pending changes, or the labels of choices.
type Asked struct {
	Options []string
	// Choices says that the options are the answers to a question, and not changes.
	Choices bool
}

// reply reads the message as an answer to what waits, before any model reads it: it goes to what waits, whatever it looks
// like alone. The set is the pending one, if there is one.
func (w worker) reply(ctx context.Context, r *run) (said Reply, set meet.ChangeSet, err error) {
	open := r.conversation.Waiting
	if open == nil || w.read == nil {
		return Reply{}, set, nil
	}
	if answer := r.turn.Answer; answer != nil {
		return w.button(*open, *answer)
	}
	if open.Choices != nil {
		labels := each(open.Choices.Options, func(o meet.Option) string { return o.Label })
		return w.read(r.turn.Message, Asked{Options: labels, Choices: true}), set, nil
	}
	var titles []string
	if id := open.Pending(); id != "" && open.Fresh {
		if set, _, err = w.own(r).Get(ctx, id); err != nil && fault.CodeOf(err) != fault.NotFound {
			return Reply{}, set, err
		}
		titles = each(set.Changes, func(c meet.Change) string { return c.Title })
	}
	said = w.read(r.turn.Message, Asked{Options: titles})
	switch {
	case said.Kind == Undo && open.Applied == "" && len(titles) == 0, said.Kind != Undo && len(titles) == 0:
		said = Reply{}
	case said.Kind == Undo && len(titles) > 0:
		said.Kind = No // nothing has been written that could be undone
	}
	return said, set, nil
}

// button is the answer by a button.
func (w worker) button(open meet.Waiting, answer meet.ChoiceAnswer) (Reply, meet.ChangeSet, error) {
	var none meet.ChangeSet
	if open.Choices == nil || open.Choices.ID != answer.ID {
		return Reply{}, none, fault.Invalid("answer.id", "this question no longer waits for an answer")
	}
	i := slices.IndexFunc(open.Choices.Options, func(o meet.Option) bool { return o.ID == answer.Option })
	if i < 0 {
		return Reply{}, none, fault.Invalid("answer.option", "is none of the options of the question")
	}
	return Reply{Kind: Pick, Indices: []int{i}}, none, nil
}

// settle does what the answer says.
func (w worker) settle(ctx context.Context, r *run, said Reply, set meet.ChangeSet) (meet.Outcome, error) {
	open := *r.conversation.Waiting
	r.understood = meet.Understanding{
		Intent: meet.Act, Acknowledgment: message.Look(open.Language), Language: open.Language,
	}
	r.tell(meet.AcknowledgmentUpdate{
		Text: r.understood.Acknowledgment, Intent: r.understood.Intent, Language: r.understood.Language,
	})
	r.steps = workSteps
	switch said.Kind {
	case Pick:
		return w.pick(ctx, r, open, said)
	case Undo:
		return w.undo(ctx, r, open)
	case No:
		return w.cancel(ctx, r, open, set)
	default:
		return w.confirm(ctx, r, open, set, wanted(said, set))
	}
}

// pick completes the call whose selection fitted several things.
func (w worker) pick(ctx context.Context, r *run, open meet.Waiting, said Reply) (meet.Outcome, error) {
	var ids []string
	for _, i := range said.Indices {
		ids = append(ids, open.Choices.Options[i].ID)
	}
	arguments, err := chosen(open.Call.Arguments, ids)
	if err != nil {
		return meet.Outcome{}, err
	}
	open.Choices = nil
	r.conversation.Waiting = &open
	return w.carry(ctx, r, planned{Call: &meet.PlannedCall{Tool: open.Call.Tool, Arguments: arguments}})
}

// chosen are the arguments of a call whose selection is only the things that the user chose.
func chosen(arguments json.RawMessage, ids []string) (json.RawMessage, error) {
	var call map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &call); err != nil {
		return nil, err
	}
	only, err := json.Marshal(map[string][]string{"ids": ids})
	if err != nil {
		return nil, err
	}
	call["selection"] = only
	return json.Marshal(call)
}

// wanted are the ids of the changes that an answer wants; nil is all.
func wanted(said Reply, set meet.ChangeSet) []string {
	if said.Kind == Yes {
		return nil
	}
	only := []string{}
	for i, c := range set.Changes {
		if slices.Contains(said.Indices, i) == (said.Kind == Only) {
			only = append(only, c.ID)
		}
	}
	return only
}

// confirm applies the pending set, as far as it is wanted.
func (w worker) confirm(
	ctx context.Context, r *run, open meet.Waiting, set meet.ChangeSet, only []string,
) (meet.Outcome, error) {
	if only != nil && len(only) == 0 {
		return w.cancel(ctx, r, open, set)
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "apply", func(ctx context.Context) (proposal, error) {
		applied, fresh, err := w.own(r).Confirm(ctx, set.ID, set.Digest, only)
		if fresh != nil {
			return proposal{Set: *fresh}, nil
		}
		return proposal{Set: set, Applied: &applied}, err
	})
	if code := fault.CodeOf(err); code == change.Expired || code == change.AlreadyApplied {
		open = open.Without(set.ID)
		r.conversation.Waiting = &open
		return r.say(ctx, meet.OutcomeAnswered, fault.As(err).Message)
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	return w.applied(ctx, r, open.Without(set.ID), result)
}

// applied tells what came of a set. One that has changed meanwhile is shown as it would be now, and waits.
func (w worker) applied(ctx context.Context, r *run, open meet.Waiting, result proposal) (meet.Outcome, error) {
	open.Choices, open.Fresh = nil, result.Applied == nil
	text := w.tell(r, result, meet.Response{})
	updates := []meet.Update{}
	if result.Applied == nil {
		open.Changes = append(open.Changes, result.Set.ID)
		text = w.voice(r).Meanwhile() + "\n\n" + text
		updates = append(updates, meet.ChangesUpdate{Changes: result.Set})
	} else {
		open.Applied = result.Applied.ChangesID
		updates = append(updates, meet.AppliedUpdate{Applied: *result.Applied})
	}
	r.conversation.Waiting = &open
	err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: outcomeOf(result.Applied), Message: text, Memo: "(changes)"}, err
}

// cancel ends the pending set.
func (w worker) cancel(ctx context.Context, r *run, open meet.Waiting, set meet.ChangeSet) (meet.Outcome, error) {
	_, err := perform(ctx, r, "cancel", func(ctx context.Context) (meet.ChangeSet, error) {
		return w.own(r).Cancel(ctx, set.ID, r.turn.Message)
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	open = open.Without(set.ID)
	r.conversation.Waiting = &open
	return r.say(ctx, meet.OutcomeAnswered, w.voice(r).Cancelled())
}

// undo takes back the set that was applied last.
func (w worker) undo(ctx context.Context, r *run, open meet.Waiting) (meet.Outcome, error) {
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "undo", func(ctx context.Context) (p proposal, err error) {
		applied, err := w.own(r).Undo(ctx, open.Applied)
		if err != nil {
			return p, err
		}
		p.Applied = &applied
		p.Set, _, err = w.own(r).Get(ctx, open.Applied)
		return p, err
	})
	var refusal *fault.Error
	if errors.As(err, &refusal) && !refusal.Retryable {
		return r.say(ctx, meet.OutcomeAnswered, refusal.Message)
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	open.Applied = ""
	r.conversation.Waiting = &open
	result.Set.Status = meet.ChangesUndone
	text := w.voice(r).Changes(result.Set, result.Applied)
	err = r.emit(ctx, meet.AppliedUpdate{Applied: *result.Applied}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: outcomeOf(result.Applied), Message: text, Memo: "(undone)"}, err
}

// own are the organizer's change sets.
func (w worker) own(r *run) OwnChanges { return w.desk.Of(r.turn) }

// aged is what still waits in a turn that is no answer: a set that was shown before waits, but no word confirms it, and
// what was done before a turn about an event is no longer what "undo" means.
func aged(open *meet.Waiting, intent meet.Intent) *meet.Waiting {
	if open == nil {
		return nil
	}
	left := *open
	switch intent {
	case meet.Look, meet.Act:
	case meet.Converse:
		left.Fresh, left.Choices = false, nil
	default:
		left = meet.Waiting{Language: open.Language, Changes: open.Changes}
	}
	return &left
}
