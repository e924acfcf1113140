package stages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
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

// again is the answer to sets of which none is meant plainly: they are shown once more.
const again ReplyKind = "again"

// Asked is what waits: the titles of pending changes, or the labels of choices.
type Asked struct {
	Options []string
	// Choices says that the options are the answers to a question, and not changes.
	Choices bool
}

// opened is what waited for the user when the turn first began.
type opened struct {
	Question *meet.Question `json:"question,omitempty"`
	Waiting  *meet.Waiting  `json:"waiting,omitempty"`
}

// reopen gives a turn that runs again what waited when it first began: a process that died may have kept what it left.
func (r *run) reopen(ctx context.Context) error {
	talk := &r.conversation
	was, err := once(ctx, r, "opened", func(context.Context) (opened, error) {
		return opened{talk.Question, talk.Waiting}, nil
	})
	talk.Question, talk.Waiting = was.Question, was.Waiting
	return err
}

// heardReply is what a message says to what waits. Sets are the pending sets, the one shown last at the end, which may
// wait no longer. Undoes is the set that was applied last.
type heardReply struct {
	Reply
	Sets   []meet.ChangeSet
	Undoes meet.ChangesID
}

// last is the set that was shown last; zero if there is none.
func (h heardReply) last() (set meet.ChangeSet) {
	if len(h.Sets) > 0 {
		set = h.Sets[len(h.Sets)-1]
	}
	return set
}

// reply reads the message as an answer to what waits, before any model reads it: it goes to what waits, whatever it
// looks like alone.
func (w worker) reply(ctx context.Context, r *run) (heardReply, error) {
	open := r.conversation.Waiting
	if open == nil || w.read == nil {
		return heardReply{}, nil
	}
	return once(ctx, r, "reply", func(ctx context.Context) (heardReply, error) {
		switch answer := r.turn.Answer; {
		case open.Choices != nil && answer != nil:
			said, err := pressed(*open.Choices, *answer)
			return heardReply{Reply: said}, err
		case answer != nil: // it answers a question of the event's path
			return heardReply{}, nil
		case open.Choices != nil:
			labels := each(open.Choices.Options, func(o meet.Option) string { return o.Label })
			said := w.read(r.turn.Message, Asked{Options: labels, Choices: true})
			if said.Kind != No && said.Kind != Pick || len(open.Means) > 0 && len(said.Indices) > 1 {
				said = Reply{}
			}
			return heardReply{Reply: said}, nil
		}
		return w.toChanges(ctx, r, *open)
	})
}

// toChanges reads the message as an answer to pending change sets. It confirms only where exactly one is pending, and
// the turn before showed it; otherwise they are shown again.
func (w worker) toChanges(ctx context.Context, r *run, open meet.Waiting) (said heardReply, err error) {
	for _, id := range open.Changes {
		set, _, err := w.own(r).Get(ctx, id)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return said, err
		}
		if set.Status == meet.ChangesPending || err == nil && id == open.Pending() {
			said.Sets = append(said.Sets, set)
		}
	}
	last := said.last()
	said.Undoes = open.Applied
	if applied := last.Status == meet.ChangesApplied || last.Status == meet.ChangesPartly; applied {
		said.Undoes = last.ID // by a program
	}
	titles := each(last.Changes, func(c meet.Change) string { return c.Title })
	said.Reply = w.read(r.turn.Message, Asked{Options: titles})
	fresh := open.Fresh && len(titles) > 0
	switch {
	case said.Kind == Undo && fresh && said.Undoes != last.ID:
		said.Kind = No // nothing has been written that could be undone
	case said.Kind == Undo && said.Undoes == "" && r.conversation.Search != nil:
		said.Reply = Reply{} // it means the event
	case said.Kind == Undo, said.Kind == No && fresh:
	case said.Kind == No, len(titles) == 0, !fresh && open.Call == nil: // a turn about an event came between
		said.Reply = Reply{}
	case said.Kind != Other && (!fresh || len(said.Sets) > 1):
		said.Reply = Reply{Kind: again}
	}
	return said, nil
}

// pressed is the answer by a button.
func pressed(choices meet.Choices, answer meet.ChoiceAnswer) (Reply, error) {
	if choices.ID != answer.ID {
		return Reply{}, fault.Invalid("answer.id", "this question no longer waits for an answer")
	}
	i := slices.IndexFunc(choices.Options, func(o meet.Option) bool { return o.ID == answer.Option })
	if i < 0 {
		return Reply{}, fault.Invalid("answer.option", "is none of the options of the question")
	}
	return Reply{Kind: Pick, Indices: []int{i}}, nil
}

// settle does what the answer says.
func (w worker) settle(ctx context.Context, r *run, said heardReply) (meet.Outcome, error) {
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
		open.Applied = said.Undoes
		return w.undo(ctx, r, open)
	case No:
		return w.cancel(ctx, r, open, said.last().ID)
	case again:
		return w.again(ctx, r, open, slices.DeleteFunc(said.Sets, func(set meet.ChangeSet) bool {
			return set.Status != meet.ChangesPending
		}))
	default:
		return w.confirm(ctx, r, open, said.last(), wanted(said.Reply, said.last()))
	}
}

// pick does what the choice means: it completes the call whose words fitted several things, if nothing else is said.
func (w worker) pick(ctx context.Context, r *run, open meet.Waiting, said heardReply) (meet.Outcome, error) {
	choices, means, call := open.Choices, open.Means, open.Call
	open.Choices, open.Means = nil, nil
	r.conversation.Waiting = &open
	if len(means) > 0 {
		meant := means[said.Indices[0]]
		switch {
		case meant.Changes != "":
			return w.confirmOne(ctx, r, open, meant.Changes)
		case meant.Call == nil:
			return r.say(ctx, meet.OutcomeAnswered, w.voice(r).Cancelled())
		}
		return w.carry(ctx, r, planned{Call: meant.Call})
	}
	var ids []string
	for _, i := range said.Indices {
		ids = append(ids, choices.Options[i].ID)
	}
	plan := planned{Call: &meet.PlannedCall{
		Tool: call.Tool, Arguments: chosen(call.Arguments, open.Argument, ids),
	}}
	if open.Unheard {
		plan.Ruled = &planned{}
	}
	return w.carry(ctx, r, plan)
}

// confirmOne applies the set that the user chose of several.
func (w worker) confirmOne(
	ctx context.Context, r *run, open meet.Waiting, id meet.ChangesID,
) (meet.Outcome, error) {
	set, err := once(ctx, r, "set", func(ctx context.Context) (meet.ChangeSet, error) {
		set, _, err := w.own(r).Get(ctx, id)
		return set, err
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	return w.confirm(ctx, r, open, set, nil)
}

// again shows the pending sets once more. One of several is chosen; a single one waits for a yes.
func (w worker) again(ctx context.Context, r *run, open meet.Waiting, sets []meet.ChangeSet) (meet.Outcome, error) {
	v := w.voice(r)
	var updates []meet.Update
	for _, set := range sets {
		updates = append(updates, meet.ChangesUpdate{Changes: set})
	}
	r.conversation.Waiting = &open
	switch len(sets) {
	case 0:
		open.Changes = nil
		return r.say(ctx, meet.OutcomeAnswered, v.Expired())
	case 1:
		open = open.With(sets[0].ID)
		text := v.Changes(sets[0], nil) + "\n\n" + v.Ask(sets[0])
		err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
		return meet.Outcome{Kind: meet.OutcomeWaiting, Message: text, Memo: "(changes)"}, err
	}
	open.Fresh, open.Means = false, nil
	choices := meet.Choices{Question: v.WhichChanges(), Free: true}
	for _, set := range sets {
		choices.Options = append(choices.Options, meet.Option{ID: string(set.ID), Label: v.Caption(set)})
		open.Means = append(open.Means, meet.Meaning{Changes: set.ID})
	}
	return w.choose(ctx, r, open, choices, updates...)
}

// chosen are the arguments of a call whose selection is only the things that the user chose or, if an argument is named,
// which has the ids of the people whom the user chose in its place.
func chosen(arguments json.RawMessage, argument string, ids []string) json.RawMessage {
	return edited(arguments, func(call map[string]any) {
		if argument == "" {
			call["selection"] = map[string]any{"ids": ids}
			return
		}
		path := strings.FieldsFunc(argument, func(r rune) bool { return strings.ContainsRune(".[]", r) })
		replace(call, path, each(ids, func(id string) any { return id }))
	})
}

// replace puts values in the place of an element of a list within a JSON value.
func replace(within any, path []string, values []any) any {
	switch in := within.(type) {
	case map[string]any:
		in[path[0]] = replace(in[path[0]], path[1:], values)
	case []any:
		i, err := strconv.Atoi(path[0])
		switch {
		case err != nil || i >= len(in):
		case len(path) == 1:
			return slices.Replace(in, i, i+1, values...)
		default:
			in[i] = replace(in[i], path[1:], values)
		}
	}
	return within
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
		return w.cancel(ctx, r, open, set.ID)
	}
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "apply", func(ctx context.Context) (proposal, error) {
		applied, fresh, err := w.own(r).Confirm(ctx, set.ID, set.Digest, only)
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
		return r.say(ctx, meet.OutcomeAnswered, w.refusal(r, refusal))
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	return w.applied(ctx, r, open.Without(set.ID), result)
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
func (w worker) refusal(r *run, refusal *fault.Error) string {
	if r.turn.NoConfirm && !slices.Contains(ended, refusal.Code) {
		return w.voice(r).OtherKey()
	}
	return refusal.Message
}

// applied tells what came of a set. One that has changed meanwhile is shown as it would be now, and waits.
func (w worker) applied(ctx context.Context, r *run, open meet.Waiting, result proposal) (meet.Outcome, error) {
	open.Choices, open.Fresh = nil, false
	text := w.tell(r, result, meet.Response{})
	updates := []meet.Update{}
	if result.Applied == nil {
		open = open.With(result.Set.ID)
		text = w.voice(r).Meanwhile() + "\n\n" + text
		updates = append(updates, meet.ChangesUpdate{Changes: result.Set})
	} else {
		open.Applied = result.Applied.ChangesID
		updates = append(updates, meet.AppliedUpdate{Applied: *result.Applied})
	}
	open.Shown, open.ShownType = targets(result.Set, result.Applied), string(world.Events)
	r.conversation.Waiting = &open
	err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: outcomeOf(result.Applied), Message: text, Memo: "(changes)"}, err
}

// cancel ends the pending set or, if there is none, the question with choices.
func (w worker) cancel(ctx context.Context, r *run, open meet.Waiting, id meet.ChangesID) (meet.Outcome, error) {
	open.Choices, open.Means = nil, nil
	if id != "" {
		_, err := perform(ctx, r, "cancel", func(ctx context.Context) (meet.ChangeSet, error) {
			return w.own(r).Cancel(ctx, id, r.turn.Message)
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
	return r.say(ctx, meet.OutcomeAnswered, w.voice(r).Cancelled())
}

// undo takes back the set that was applied last.
func (w worker) undo(ctx context.Context, r *run, open meet.Waiting) (meet.Outcome, error) {
	if open.Applied == "" {
		return r.say(ctx, meet.OutcomeAnswered, w.voice(r).NothingToUndo())
	}
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
	if refusal, ok := refusalOf(err); ok {
		return r.say(ctx, meet.OutcomeAnswered, w.refusal(r, refusal))
	}
	if err != nil {
		return meet.Outcome{}, err
	}
	open = open.Without(open.Applied)
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
func aged(open meet.Waiting, intent meet.Intent) *meet.Waiting {
	open.Times = nil
	switch intent {
	case meet.Look, meet.Act:
	case meet.Converse:
		open.Fresh, open.Choices, open.Means = false, nil, nil
	default:
		open = meet.Waiting{Language: open.Language, Changes: open.Changes}
	}
	return &open
}
