package stages

import (
	"bytes"
	"cmp"
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
	"convene/pkg/tool"
)

// worker is the path of look and act: stage 3 plans, stage 4 carries the plan out over a working copy of the user's
// world, and code tells what came of it. Nothing is written but what the desk lets through.
type worker struct {
	planner planner
	worlds  Worlds
	desk    Changes
	// read reads a message as an answer to what waits; nil reads none.
	read func(message string, asked Asked) Reply
}

// done is the result of stage 4.
type done struct {
	Response meet.Response     `json:"response"`
	Changes  []stored          `json:"changes,omitempty"`
	Choices  *meet.Choices     `json:"choices,omitempty"`
	Call     *meet.PlannedCall `json:"call"`
	// Heard says that the user's own words, as the rules read them, make the same changes.
	Heard bool `json:"heard"`
	// Gives is the type of what the tool gives.
	Gives world.Type `json:"gives"`
}

// stored is a change with its deed, which clients do not see.
type stored struct {
	meet.Change
	Deed json.RawMessage `json:"deed"`
}

// answer is the path of look and act.
func (w worker) answer(ctx context.Context, r *run) (meet.Outcome, error) {
	if err := r.progress(ctx, "plan", "Thinking..."); err != nil {
		return meet.Outcome{}, err
	}
	plan, err := perform(ctx, r, "plan", func(ctx context.Context) (planned, error) {
		return w.planner.plan(ctx, r.situation)
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	if plan.Call == nil {
		return w.clarify(ctx, r, plan.Question)
	}
	return w.carry(ctx, r, plan)
}

// clarify ends the turn with the model's question, if it is harmless.
func (w worker) clarify(ctx context.Context, r *run, question string) (meet.Outcome, error) {
	said := meet.Understanding{Acknowledgment: question, Language: r.understood.Language}
	text, problems := message.Acknowledgment(said.Acknowledgment, r.turn.Message)
	if problems > 0 || text == "" {
		text = message.Unclear(r.understood.Language)
	}
	return r.say(ctx, meet.OutcomeQuestion, text)
}

// carry is stage 4, and tells.
func (w worker) carry(ctx context.Context, r *run, plan planned) (meet.Outcome, error) {
	if err := r.progress(ctx, "work", "Looking at your calendar..."); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "work", func(ctx context.Context) (done, error) { return w.work(ctx, r, plan) })
	if err != nil {
		return meet.Outcome{}, err
	}
	open := w.open(r)
	open.Call, open.Choices = result.Call, nil
	switch {
	case result.Choices != nil:
		return w.choose(ctx, r, open, result)
	case len(result.Changes) > 0:
		return w.propose(ctx, r, open, result)
	}
	open.Shown, open.ShownType = shownIn(result.Response.Data), string(result.Gives)
	r.conversation.Waiting = &open
	text := result.Response.Display.Description
	if e := result.Response.Error; e != nil {
		text = e.Message
	}
	text = cmp.Or(text, result.Response.Display.Title, message.Unclear(r.understood.Language))
	err = r.emit(ctx, meet.ResultUpdate{Step: "1", Response: result.Response}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: text, Memo: memo(result)}, err
}

// work calls the tool, and beside a configured model what the rules heard, to compare.
func (w worker) work(ctx context.Context, r *run, plan planned) (done, error) {
	result, err := w.call(ctx, r, plan.Call)
	if err != nil || len(result.Changes) == 0 {
		return result, err
	}
	result.Heard = plan.Ruled == nil
	if ruled := plan.Ruled; ruled != nil && ruled.Call != nil {
		own, err := w.call(ctx, r, ruled.Call)
		result.Heard = err == nil && slices.EqualFunc(own.Changes, result.Changes, func(a, b stored) bool {
			return bytes.Equal(a.Deed, b.Deed)
		})
	}
	return result, nil
}

// call carries out one call over a fresh working copy.
func (w worker) call(ctx context.Context, r *run, call *meet.PlannedCall) (done, error) {
	t, ok := w.planner.tools.Tool(call.Tool)
	if !ok {
		return done{}, fault.New(fault.ModelAnswer, "I could not make sense of that request.")
	}
	if r.turn.Families != nil && !slices.Contains(r.turn.Families, t.Family) {
		return done{Call: call, Response: blocked(call.Tool, t.Family)}, nil
	}
	copied, err := w.worlds.World(ctx, r.turn, r.now, r.understood.Language)
	if err != nil {
		return done{}, err
	}
	arguments := meant(call.Arguments, r.conversation)
	result, err := t.Call(ctx, copied, arguments)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		// The call fitted its schema; its values did not fit together.
		return done{}, fault.New(fault.ModelAnswer, "I could not make sense of that request. Please put it differently.").
			Because(wrong)
	}
	made := done{
		Response: result.Response, Choices: result.Choices, Gives: t.Gives,
		Call: &meet.PlannedCall{Tool: call.Tool, Arguments: arguments},
	}
	for _, c := range result.Changes {
		made.Changes = append(made.Changes, stored{c, c.Deed})
	}
	return made, err
}

// blocked is the response of a tool that the turn's caller may not use.
func blocked(name, family string) meet.Response {
	return meet.Response{
		Metadata: meet.ResponseMetadata{ToolName: name}, Data: json.RawMessage("null"),
		Display: meet.Display{Type: meet.CardDisplay, Priority: meet.Medium, Components: []meet.Component{}},
		UI:      meet.ResponseUI{Suggestions: []string{}, Actions: []meet.Action{}},
		Error: &meet.ResponseError{
			Code: "forbidden", SuggestedActions: []string{},
			Message: "This needs the tools of the family " + family + ", which the key or token of this page does not allow.",
		},
	}
}

// propose hands the changes to the desk. What it lets through at once is done when it returns.
func (w worker) propose(ctx context.Context, r *run, open meet.Waiting, result done) (meet.Outcome, error) {
	if err := r.journal.Settle(); err != nil {
		return meet.Outcome{}, err
	}
	draft := change.Draft{
		Owner: r.turn.Organizer, Key: string(r.turn.ID), Language: r.understood.Language, Heard: result.Heard,
		Named: named(result), AutoConfirm: r.turn.AutoConfirm,
	}
	if replaced(r.conversation.Waiting, result.Call) {
		draft.Replaces = r.conversation.Waiting.Pending()
		open = open.Without(draft.Replaces)
	}
	for _, c := range result.Changes {
		c.Change.Deed = c.Deed
		draft.Changes = append(draft.Changes, c.Change)
	}
	proposed, err := perform(ctx, r, "changes", func(ctx context.Context) (p proposal, err error) {
		p.Set, p.Applied, err = w.own(r).Propose(ctx, draft)
		return p, err
	})
	if err != nil {
		return w.refused(ctx, r, err)
	}
	updates := []meet.Update{meet.ChangesUpdate{Changes: proposed.Set}}
	if proposed.Applied == nil {
		result.Response.UI.ConfirmationRequired, result.Response.UI.ConfirmationID = true, proposed.Set.ID
		open.Changes, open.Fresh = append(open.Changes, proposed.Set.ID), true
	} else {
		updates = append(updates, meet.AppliedUpdate{Applied: *proposed.Applied})
		open.Applied = proposed.Applied.ChangesID
	}
	open.Shown, open.ShownType = targets(proposed.Set), string(world.Events)
	r.conversation.Waiting = &open
	text := w.tell(r, proposed, result.Response)
	updates = append([]meet.Update{meet.ResultUpdate{Step: "1", Response: result.Response}}, updates...)
	err = r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: outcomeOf(proposed.Applied), Message: text, Memo: memo(result)}, err
}

// proposal is a change set, with what came of it if it was applied at once.
type proposal struct {
	Set     meet.ChangeSet `json:"set"`
	Applied *meet.Applied  `json:"applied,omitempty"`
}

// refused ends a turn whose changes are never made, with the reason.
func (w worker) refused(ctx context.Context, r *run, err error) (meet.Outcome, error) {
	if fault.CodeOf(err) != change.Refused {
		return meet.Outcome{}, err
	}
	return r.say(ctx, meet.OutcomeAnswered, fault.As(err).Message)
}

// choose ends the turn with a question that has choices; the next message, or its button, completes the call.
func (w worker) choose(ctx context.Context, r *run, open meet.Waiting, result done) (meet.Outcome, error) {
	result.Choices.ID = questionID(r.turn.ID)
	open.Choices = result.Choices
	r.conversation.Waiting = &open
	text := result.Choices.Question
	for i, o := range result.Choices.Options {
		text += "\n" + strconv.Itoa(i+1) + ". " + w.voice(r).Title(o.Label)
		if o.Detail != "" {
			text += " – " + o.Detail
		}
	}
	err := r.emit(ctx, meet.ResultUpdate{Step: "1", Response: result.Response},
		meet.ChoicesUpdate{Choices: *result.Choices}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: meet.OutcomeWaiting, Message: text, Memo: result.Choices.Question}, err
}

// open is what the conversation has open, as far as this turn leaves it.
func (w worker) open(r *run) (open meet.Waiting) {
	if r.conversation.Waiting != nil {
		open = *r.conversation.Waiting
	}
	open.Language, open.Fresh = r.understood.Language, false
	return open
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

// replaced reports whether a call changes the one whose changes are pending: the same tool on the same things.
func replaced(open *meet.Waiting, call *meet.PlannedCall) bool {
	if open == nil || open.Call == nil || open.Pending() == "" || !open.Fresh || open.Call.Tool != call.Tool {
		return false
	}
	of := func(c *meet.PlannedCall) string {
		var in struct {
			Selection json.RawMessage `json:"selection"`
		}
		_ = json.Unmarshal(c.Arguments, &in)
		return string(in.Selection)
	}
	return of(open.Call) == of(call)
}

// shownIn are the ids of the things that a result lists.
func shownIn(data json.RawMessage) []string {
	var lists map[string]json.RawMessage
	if json.Unmarshal(data, &lists) != nil {
		return nil
	}
	for _, name := range []string{"events", "blocks"} {
		var items []struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(lists[name], &items) == nil && len(items) > 0 {
			return each(items, func(i struct {
				ID string `json:"id"`
			}) string {
				return i.ID
			})
		}
	}
	return nil
}

// targets are the ids of what a set changes.
func targets(set meet.ChangeSet) []string {
	return each(set.Changes, func(c meet.Change) string { return c.Target.ID })
}

// memo is what the conversation remembers of a result: what kind of thing it was, and nothing that others wrote.
func memo(result done) string {
	switch n := len(result.Changes); {
	case result.Response.Error != nil:
		return "(" + string(result.Response.Error.Code) + ")"
	case n > 0:
		return "(" + strconv.Itoa(n) + " changes)"
	default:
		return "(" + string(result.Gives) + ")"
	}
}

// meant are arguments in which "shown", "shown:2" and "event" are the ids of what the conversation means by them.
func meant(arguments json.RawMessage, talk meet.Conversation) json.RawMessage {
	var call map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if decoder.Decode(&call) != nil {
		return arguments
	}
	selection, _ := call["selection"].(map[string]any)
	from, _ := selection["from"].([]any)
	if len(from) == 0 {
		return arguments
	}
	ids := []any{}
	for _, f := range from {
		word, _ := f.(string)
		for _, id := range meantBy(word, talk) {
			ids = append(ids, id)
		}
	}
	selection["from"] = ids
	resolved, err := json.Marshal(call)
	if err != nil {
		return arguments
	}
	return resolved
}

// meantBy are the ids that a word of "from" means; a word that is none of the conversation's is an id.
func meantBy(word string, talk meet.Conversation) []string {
	kind, number, numbered := strings.Cut(word, ":")
	switch {
	case kind == "event" && talk.Search != nil && talk.Search.Event != nil:
		return []string{talk.Search.Event.UID}
	case kind == "shown" && talk.Waiting != nil:
		n, err := strconv.Atoi(number)
		if !numbered {
			return talk.Waiting.Shown
		}
		if err == nil && n >= 1 && n <= len(talk.Waiting.Shown) {
			return talk.Waiting.Shown[n-1 : n]
		}
	}
	return []string{word}
}

// outcomeOf is the outcome of a turn that proposed changes, or applied them.
func outcomeOf(applied *meet.Applied) meet.OutcomeKind {
	switch {
	case applied == nil:
		return meet.OutcomeWaiting
	case applied.Outcome == meet.AllApplied:
		return meet.OutcomeChanged
	case applied.Outcome == meet.PartlyApplied:
		return meet.OutcomePartly
	default:
		return meet.OutcomeAnswered
	}
}
