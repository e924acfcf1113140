package stages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/interval"
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
	// confirmer withdraws proposals.
	confirmer Confirmer
	// read reads a message as an answer to what waits; nil reads none.
	read func(message string, asked Asked) Reply
	// sure is Ports.Sure.
	sure func(message string, earlier []meet.Exchange, hasEvent bool, intent meet.Intent) float64
}

// done is the result of stage 4.
type done struct {
	Response meet.Response     `json:"response"`
	Changes  []stored          `json:"changes,omitempty"`
	Choices  *meet.Choices     `json:"choices,omitempty"`
	Call     *meet.PlannedCall `json:"call"`
	// Said are the words of the call that fit several people, if the choices are these.
	Said string `json:"said,omitempty"`
	// Heard says that the user's own words, as the rules read them, ask for the same. Otherwise, Ruled is what they ask
	// for; nil if the rules read nothing.
	Heard bool  `json:"heard"`
	Ruled *done `json:"ruled,omitempty"`
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
	if r.understood.RequiresPlan {
		return w.ask(ctx, r, w.voice(r).OneByOne())
	}
	plan, err := perform(ctx, r, "plan", func(ctx context.Context) (planned, error) {
		return w.planner.plan(ctx, r.situation)
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	switch {
	case plan.Call == nil:
		return w.clarify(ctx, r, plan.Question)
	case w.withdraws(r, plan.Call):
		return w.withdraw(ctx, r)
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
	return w.ask(ctx, r, text)
}

// ask ends the turn with a question that the next message may answer. A yes to it confirms nothing.
func (w worker) ask(ctx context.Context, r *run, question string) (meet.Outcome, error) {
	open := w.open(r)
	open.Choices, open.Means = nil, nil
	r.conversation.Waiting = &open
	outcome, err := r.say(ctx, meet.OutcomeQuestion, question)
	outcome.Memo = "(question)" // a yes to it is no answer
	return outcome, err
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
	open.Call, open.Choices, open.Means, open.Said, open.Times = result.Call, nil, nil, "", nil
	switch {
	case result.Choices != nil:
		open.Unheard, open.Said = !result.Heard, result.Said
		return w.choose(ctx, r, open, *result.Choices, meet.ResultUpdate{Step: "1", Response: result.Response})
	case w.unsure(r, result):
		return w.offer(ctx, r, open, result)
	case len(result.Changes) > 0:
		return w.propose(ctx, r, open, result)
	}
	if result.Response.Error == nil {
		open.Shown, open.ShownType = shownIn(result.Response.Data), string(result.Gives)
	}
	open.Times = timesIn(result.Response.Data)
	r.conversation.Waiting = &open
	text := result.Response.Display.Description
	if e := result.Response.Error; e != nil {
		text = e.Message
	}
	text = cmp.Or(text, result.Response.Display.Title, message.Unclear(r.understood.Language))
	err = r.emit(ctx, meet.ResultUpdate{Step: "1", Response: result.Response}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: text, Memo: memo(result)}, err
}

// work calls the tool and, beside a configured model, what the rules heard, to compare what is changed, or the calls.
func (w worker) work(ctx context.Context, r *run, plan planned) (done, error) {
	result, err := w.call(ctx, r, plan.Call)
	if err != nil || plan.Ruled == nil || result.Response.Error != nil && result.Choices == nil {
		result.Heard = true
		return result, err
	}
	if plan.Ruled.Call == nil {
		return result, nil
	}
	own, err := w.call(ctx, r, plan.Ruled.Call)
	if err != nil {
		return result, nil //nolint:nilerr // rules that cannot make sense of it have heard nothing
	}
	same := func(a, b stored) bool { return bytes.Equal(a.Deed, b.Deed) }
	result.Heard = slices.EqualFunc(own.Changes, result.Changes, same)
	if len(result.Changes) == 0 {
		result.Heard = own.Call.Tool == result.Call.Tool && sameJSON(own.Call.Arguments, result.Call.Arguments)
	}
	if !result.Heard {
		result.Ruled = &own
	}
	return result, nil
}

// sameJSON reports whether two documents say the same.
func sameJSON(a, b json.RawMessage) bool {
	var one, other any
	return json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && reflect.DeepEqual(one, other)
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
		Response: result.Response, Choices: result.Choices, Said: result.Said, Gives: t.Gives,
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
	if replaced(r.conversation.Waiting, result) {
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
		open = open.With(proposed.Set.ID)
	} else {
		updates = append(updates, meet.AppliedUpdate{Applied: *proposed.Applied})
		open.Applied = proposed.Applied.ChangesID
	}
	open.Shown, open.ShownType = targets(proposed.Set, proposed.Applied), string(world.Events)
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

// choose ends the turn with a question that has choices; the next message, or its button, answers it.
func (w worker) choose(
	ctx context.Context, r *run, open meet.Waiting, choices meet.Choices, before ...meet.Update,
) (meet.Outcome, error) {
	choices.ID = questionID(r.turn.ID)
	open.Choices = &choices
	r.conversation.Waiting = &open
	text := choices.Question
	for i, o := range choices.Options {
		text += "\n" + strconv.Itoa(i+1) + ". " + w.voice(r).Title(o.Label)
		if o.Detail != "" {
			text += " – " + o.Detail
		}
	}
	err := r.emit(ctx, append(before, meet.ChoicesUpdate{Choices: choices}, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: meet.OutcomeWaiting, Message: text, Memo: "(a question with choices)"}, err
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

// replaced reports whether changes stand for those that are pending and were shown last: the same tool on the same
// things.
func replaced(open *meet.Waiting, result done) bool {
	if open == nil || open.Call == nil || open.Pending() == "" || !open.Fresh || open.Call.Tool != result.Call.Tool {
		return false
	}
	things := each(result.Changes, func(c stored) string { return thing(c.Change) })
	return len(things) > 0 && !slices.ContainsFunc(things, func(t string) bool { return !slices.Contains(open.Shown, t) })
}

// thing is the id of what a change is of; a new thing goes by its title.
func thing(c meet.Change) string { return cmp.Or(c.Target.ID, "new "+c.Title) }

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

// targets are the ids of what a set changes; those of new things only once it is applied.
func targets(set meet.ChangeSet, applied *meet.Applied) []string {
	return each(set.Changes, func(c meet.Change) string {
		var after struct {
			ID string `json:"id"`
		}
		if applied == nil || c.Target.ID != "" || json.Unmarshal(c.After, &after) != nil || after.ID == "" {
			return thing(c)
		}
		return after.ID
	})
}

// timesIn are the gaps or the times that a result lists.
func timesIn(data json.RawMessage) []interval.Span {
	var lists struct {
		Times []interval.Span
		Gaps  []struct{ StartTime, EndTime time.Time }
	}
	if json.Unmarshal(data, &lists) != nil {
		return nil
	}
	for _, gap := range lists.Gaps {
		lists.Times = append(lists.Times, interval.Span{Start: gap.StartTime, End: gap.EndTime})
	}
	return lists.Times
}

// memo is what the conversation remembers of a result: what kind of thing it was, and nothing that others wrote.
func memo(result done) string {
	switch n := len(result.Changes); {
	case result.Response.Error != nil:
		return "(" + result.Response.Error.Code + ")"
	case n > 0:
		return "(" + strconv.Itoa(n) + " changes)"
	default:
		return "(" + string(result.Gives) + ")"
	}
}

// meant are arguments in which "shown", "shown:2" and "event" are the ids of what the conversation means by them.
func meant(arguments json.RawMessage, talk meet.Conversation) json.RawMessage {
	from := wordsFor(arguments)
	if len(from) == 0 {
		return arguments
	}
	return selecting(arguments, func(selection map[string]any) {
		ids := []string{}
		for _, word := range from {
			ids = append(ids, meantBy(word, talk)...)
		}
		selection["from"] = ids
	})
}

// wordsFor are the words by which a call's selection means what was shown: its member "from".
func wordsFor(arguments json.RawMessage) []string {
	var call struct{ Selection struct{ From []string } }
	_ = json.Unmarshal(arguments, &call)
	return call.Selection.From
}

// selecting are the arguments with a change of their selection. Without a selection they stay as they are.
func selecting(arguments json.RawMessage, change func(selection map[string]any)) json.RawMessage {
	var call map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if decoder.Decode(&call) != nil {
		return arguments
	}
	selection, ok := call["selection"].(map[string]any)
	if !ok {
		return arguments
	}
	change(selection)
	changed, err := json.Marshal(call)
	if err != nil {
		return arguments
	}
	return changed
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
