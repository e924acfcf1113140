package stages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// changer hands changes to the desk, and tells what came of them.
type changer struct {
	desk Changes
	// confirmer withdraws proposals.
	confirmer Confirmer
}

// own are the organizer's change sets.
func (c changer) own(r *run) OwnChanges { return c.desk.Of(r.turn) }

// propose hands the changes to the desk. What it lets through at once is done when it returns.
func (c changer) propose(ctx context.Context, r *run, open meet.Waiting, result done) (meet.Outcome, error) {
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	open, err := c.takeBack(ctx, r, open, result)
	if err != nil {
		return meet.Outcome{}, err
	}
	draft := change.Draft{
		Owner: r.turn.Organizer, Key: string(r.turn.ID), Language: r.understood.Language,
		Heard: result.Heard && !result.Unsure, Named: named(result), AutoConfirm: r.turn.AutoConfirm,
	}
	if replaced(r.conversation.Waiting, result, r.corrects) {
		draft.Replaces = r.conversation.Waiting.Pending()
		open = open.Without(draft.Replaces)
	}
	for _, c := range result.Changes {
		c.Change.Deed = c.Deed
		draft.Changes = append(draft.Changes, c.Change)
	}
	proposed, err := perform(ctx, r, "changes", func(ctx context.Context) (p proposal, err error) {
		p.Set, p.Applied, err = c.own(r).Propose(ctx, draft)
		return p, err
	})
	if err != nil {
		return c.refused(ctx, r, err)
	}
	updates := []meet.Update{meet.ChangesUpdate{Changes: proposed.Set}}
	if proposed.Applied == nil {
		result.Response.UI.ConfirmationRequired, result.Response.UI.ConfirmationID = true, proposed.Set.ID
		open = open.With(proposed.Set.ID)
	} else {
		updates = append(updates, meet.AppliedUpdate{Applied: *proposed.Applied})
		open = open.Having(proposed.Applied.ChangesID)
		open.Done, r.did = true, true
	}
	open = showing(open, proposed.Set, proposed.Applied)
	r.conversation.Waiting = &open
	text := strings.TrimSpace(r.undone + "\n\n" + r.told(proposed, result.Response))
	updates = append([]meet.Update{meet.ResultUpdate{Step: "1", Response: result.Response}}, updates...)
	err = r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: outcomeOf(proposed.Applied), Message: text, Memo: memo(result)}, err
}

// takeBack undoes what the previous turn did at once, if the user corrects it: the same is to be done to another thing.
func (c changer) takeBack(ctx context.Context, r *run, open meet.Waiting, result done) (meet.Waiting, error) {
	was := r.conversation.Waiting
	if !r.corrects || was == nil || !was.Done || was.Call == nil || was.Call.Tool != result.Call.Tool ||
		slices.ContainsFunc(result.Changes, func(c stored) bool {
			return c.Target.ID != "" && slices.Contains(was.Shown, c.Target.ID)
		}) {
		return open, nil // "no, to 6" changes the same thing once more
	}
	undone, err := perform(ctx, r, "takeBack", func(ctx context.Context) (p proposal, err error) {
		applied, err := c.own(r).Undo(ctx, was.Applied)
		if err != nil {
			return p, err
		}
		p.Applied = &applied
		p.Set, _, err = c.own(r).Get(ctx, was.Applied)
		return p, err
	})
	if _, refused := refusalOf(err); refused {
		return open, nil // it stays done, and may be undone by a word
	}
	if err != nil {
		return open, err
	}
	undone.Set.Status = meet.ChangesUndone
	r.undone = r.voice().Changes(undone.Set, undone.Applied)
	return open.Undone(), r.emit(ctx, meet.AppliedUpdate{Applied: *undone.Applied})
}

// named reports whether the user named the things one by one: by as many words for titles, or by a single description.
func named(result done) bool {
	var call struct {
		Selection struct {
			TitleHas []string `json:"titleHas"`
			IDs      []string `json:"ids"`
		} `json:"selection"`
	}
	_ = json.Unmarshal(result.Call.Arguments, &call)
	return len(result.Changes) <= max(1, len(call.Selection.TitleHas), len(call.Selection.IDs))
}

// replaced reports whether changes stand for those that are pending and were shown last: the same tool on some of the
// same things, on more than these or, if the user corrects what was said, on any; or they delete all that is to change.
func replaced(open *meet.Waiting, result done, corrects bool) bool {
	if open == nil || open.Call == nil || open.Pending() == "" || !open.Fresh {
		return false
	}
	things := each(result.Changes, func(c stored) string { return thing(c.Change) })
	within := func(all, some []string) bool {
		return len(some) > 0 && !slices.ContainsFunc(some, func(t string) bool { return !slices.Contains(all, t) })
	}
	if open.Call.Tool == result.Call.Tool {
		return corrects || within(open.Shown, things) || within(things, open.Shown)
	}
	deletes := func(c stored) bool { return c.Kind == meet.DeleteThing }
	return within(things, open.Shown) && !slices.ContainsFunc(result.Changes, func(c stored) bool { return !deletes(c) })
}

// refused ends a turn whose changes are never made, with the reason.
func (c changer) refused(ctx context.Context, r *run, err error) (meet.Outcome, error) {
	if fault.CodeOf(err) != change.Refused {
		return meet.Outcome{}, err
	}
	return r.say(ctx, meet.OutcomeAnswered, fault.As(err).Message)
}

// confirm applies the pending set, as far as it is wanted.
func (c changer) confirm(
	ctx context.Context, r *run, open meet.Waiting, set meet.ChangeSet, only []string,
) (meet.Outcome, error) {
	if only != nil && len(only) == 0 {
		return c.cancel(ctx, r, open, set.ID)
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "apply", func(ctx context.Context) (proposal, error) {
		applied, fresh, err := c.own(r).Confirm(ctx, set.ID, set.Digest, only)
		if fresh != nil && fresh.Status == meet.ChangesPending && len(fresh.Changes) > 0 {
			return proposal{Set: *fresh}, nil
		}
		return proposal{Set: set, Applied: &applied}, err
	})
	if refusal, ok := refusalOf(err); ok {
		if slices.Contains(ended, refusal.Code) {
			open = open.Without(set.ID)
		}
		r.conversation.Waiting = &open
		return r.say(ctx, meet.OutcomeAnswered, c.refusal(r, refusal))
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	return c.applied(ctx, r, open.Without(set.ID), result)
}

// confirmOne applies the set that the user chose of several.
func (c changer) confirmOne(
	ctx context.Context, r *run, open meet.Waiting, id meet.ChangesID,
) (meet.Outcome, error) {
	set, err := once(ctx, r, "set", func(ctx context.Context) (meet.ChangeSet, error) {
		set, _, err := c.own(r).Get(ctx, id)
		return set, err
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	return c.confirm(ctx, r, open, set, nil)
}

// applied tells what came of a set. One that has changed meanwhile is shown as it would be now, and waits.
func (c changer) applied(ctx context.Context, r *run, open meet.Waiting, result proposal) (meet.Outcome, error) {
	open.Choices, open.Fresh = nil, false
	text := r.told(result, meet.Response{})
	updates := []meet.Update{}
	if result.Applied == nil {
		open = open.With(result.Set.ID)
		text = r.voice().Meanwhile() + "\n\n" + text
		updates = append(updates, meet.ChangesUpdate{Changes: result.Set})
	} else {
		open, r.did = open.Having(result.Applied.ChangesID), true
		updates = append(updates, meet.AppliedUpdate{Applied: *result.Applied})
	}
	open = showing(open, result.Set, result.Applied)
	r.conversation.Waiting = &open
	err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: outcomeOf(result.Applied), Message: text, Memo: "(changes)"}, err
}

// cancel ends the pending set or, if there is none, the question with choices.
func (c changer) cancel(ctx context.Context, r *run, open meet.Waiting, id meet.ChangesID) (meet.Outcome, error) {
	open.Choices, open.Means = nil, nil
	if id != "" {
		_, err := perform(ctx, r, "cancel", func(ctx context.Context) (meet.ChangeSet, error) {
			return c.own(r).Cancel(ctx, id, r.turn.Message)
		})
		if refusal, ok := refusalOf(err); ok {
			return r.say(ctx, meet.OutcomeAnswered, refusal.Message)
		}
		if err != nil {
			return meet.Outcome{}, err
		}
		open = open.Without(id)
	}
	r.conversation.Waiting = &open
	return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
}

// undo takes back the set that was applied last.
func (c changer) undo(ctx context.Context, r *run, open meet.Waiting) (meet.Outcome, error) {
	open.Fresh, open.Beside = open.Fresh && !open.Beside, false // what waits beside it is not shown again
	if open.Applied == "" {
		return r.say(ctx, meet.OutcomeAnswered, r.voice().NothingToUndo())
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "undo", func(ctx context.Context) (p proposal, err error) {
		applied, err := c.own(r).Undo(ctx, open.Applied)
		if err != nil {
			return p, err
		}
		p.Applied = &applied
		p.Set, _, err = c.own(r).Get(ctx, open.Applied)
		return p, err
	})
	if refusal, ok := refusalOf(err); ok {
		if slices.Contains([]fault.Code{change.AlreadyUndone, change.Expired, fault.NotFound}, refusal.Code) {
			open = open.Undone()
			r.conversation.Waiting = &open
		}
		return r.say(ctx, meet.OutcomeAnswered, c.refusal(r, refusal))
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	open = open.Undone()
	open = showing(open, result.Set, nil)
	r.conversation.Waiting = &open
	result.Set.Status = meet.ChangesUndone
	text := r.voice().Changes(result.Set, result.Applied)
	err = r.emit(ctx, meet.AppliedUpdate{Applied: *result.Applied}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: outcomeOf(result.Applied), Message: text, Memo: "(undone)"}, err
}

// ended are the refusals of a set that waits no longer. Any other keeps it.
var ended = []fault.Code{
	change.Expired, change.AlreadyApplied, change.DigestMismatch, change.Changed, fault.Conflict, fault.NotFound,
}

// refusalOf is a fault that the same confirmation would meet again.
func refusalOf(err error) (refusal *fault.Error, ok bool) {
	refusal, ok = errors.AsType[*fault.Error](err)
	return refusal, ok && !refusal.Retryable
}

// refusal says why the desk refuses.
func (c changer) refusal(r *run, refusal *fault.Error) string {
	if r.turn.NoConfirm && !slices.Contains(ended, refusal.Code) {
		return r.voice().OtherKey()
	}
	return refusal.Message
}

// withdraws reports whether a call deletes nothing but the event of the conversation, which is only proposed.
func (c changer) withdraws(r *run, call *meet.PlannedCall) bool {
	search := r.conversation.Search
	return call.Tool == "calendar_deleteEvents" && search != nil && search.Event != nil && !search.Booked &&
		slices.Equal(wordsFor(call.Arguments), []string{"event"})
}

// withdraw takes back the proposal of the conversation.
func (c changer) withdraw(ctx context.Context, r *run) (meet.Outcome, error) {
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	event, err := perform(ctx, r, "withdraw", func(ctx context.Context) (meet.Event, error) {
		return c.confirmer.CancelProposal(ctx, r.conversation.Search.Event.ID)
	})
	if refusal, ok := refusalOf(err); ok {
		return r.say(ctx, meet.OutcomeAnswered, refusal.Message)
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	event.Language, r.meant = r.understood.Language, ""
	return r.say(ctx, meet.OutcomeChanged, message.Settled(event, r.now))
}
