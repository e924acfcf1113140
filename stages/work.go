package stages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
	"convene/pkg/workflow"
)

// worker is the path of look and act: stage 3 plans, stage 4 carries the plan out over a working copy of the user's
// world, and code tells what came of it. Nothing is written but what the desk lets through.
type worker struct {
	changer
	planner planner
	drafts  drafter
	worlds  Worlds
	runs    workflow.Store
	// sure is Ports.Sure.
	sure func(message string, earlier []meet.Exchange, hasEvent bool, intent meet.Intent) float64
}

// answer is the path of look and act.
func (w worker) answer(ctx context.Context, r *run) (meet.Outcome, error) {
	if err := r.progress(ctx, "plan", "Thinking..."); err != nil {
		return meet.Outcome{}, err
	}
	if r.grounded.First && r.grounded.Refuses != "" {
		done := r.conversation.Waiting != nil && r.conversation.Waiting.Done // a draft may still be changed
		outcome, err := w.ask(ctx, r, message.Refused(r.grounded.Language, r.grounded.Refuses))
		r.conversation.Waiting.Done = done
		return outcome, err
	}
	if r.understood.RequiresPlan {
		return w.several(ctx, r)
	}
	plan, err := perform(ctx, r, "plan", func(ctx context.Context) (planned, error) {
		if r.grounded.First {
			return r.grounded.plan(r.understood.Language), nil
		}
		return w.planner.plan(ctx, r.situation)
	})
	if err != nil {
		return meet.Outcome{}, err
	}
	if plan.Ruled == nil {
		plan = w.named(plan, r)
	} else {
		*plan.Ruled = w.named(*plan.Ruled, r)
	}
	switch {
	case plan.Call == nil:
		return w.clarify(ctx, r, plan.Question)
	case w.withdraws(r, plan.Call):
		return w.withdraw(ctx, r)
	case r.saved != nil: // it is a run, whatever its words have become
		return w.planOut(ctx, r, drafted{Plan: alonePlan(*r.saved, *plan.Call), Heard: plan.Ruled == nil && !plan.Unsure})
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
func (w worker) ask(ctx context.Context, r *run, text string) (meet.Outcome, error) {
	open := r.open()
	open.Choices, open.Means = nil, nil
	r.conversation.Waiting = &open
	outcome, err := r.say(ctx, meet.OutcomeQuestion, text)
	outcome.Memo = question // a yes to it is no answer
	return outcome, err
}

// carry is stage 4, and tells.
func (w worker) carry(ctx context.Context, r *run, plan planned) (meet.Outcome, error) {
	if err := r.progress(ctx, "work", looking(plan.Call.Tool)); err != nil {
		return meet.Outcome{}, err
	}
	result, err := perform(ctx, r, "work", func(ctx context.Context) (done, error) { return w.work(ctx, r, plan) })
	if err != nil {
		return meet.Outcome{}, err
	}
	open := r.open()
	open.Call, open.Choices, open.Means, open.Argument, open.Times = result.Call, nil, nil, "", nil
	open.Request = r.savable(open, plan, result)
	switch {
	case result.Next != nil:
		return w.goOn(ctx, r, open, *result.Next)
	case result.Choices != nil:
		open.Unheard, open.Argument = !result.Heard, result.Argument
		return r.choose(ctx, open, *result.Choices, meet.ResultUpdate{Step: "1", Response: result.Response})
	case w.unsure(r, result):
		return r.offer(ctx, open, result)
	case len(result.Changes) > 0:
		return w.propose(ctx, r, open, result)
	}
	if result.Response.Error == nil {
		open.Day = dayIn(result.Response.Data, plan.Call.Arguments, r.now.Location())
		if result.Gives != world.Number { // which says more of what was shown before: "how busy is Thursday now?"
			open.Shown, open.ShownType = shownIn(result.Response.Data), string(result.Gives)
			open.Listed = open.Shown
		}
	}
	open.Times, open.Offer = timesIn(result.Response.Data, plan.Call.Arguments, r.now.Location()), result.Offer
	text := result.Response.Display.Description
	if e := result.Response.Error; e != nil {
		text = e.Message
		if e.Code == string(fault.NotFound) { // nothing goes on with what found nothing
			open.Call, open.Shown, open.Listed = nil, nil, nil
		}
	}
	r.conversation.Waiting = &open
	text = cmp.Or(text, result.Response.Display.Title, message.Unclear(r.understood.Language))
	text = strings.TrimSpace(r.calledOff + "\n\n" + text)
	err = r.emit(ctx, meet.ResultUpdate{Step: "1", Response: result.Response}, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: text, Memo: memo(result)}, err
}

// looking says what is looked at.
func looking(tool string) string {
	switch family, _, _ := strings.Cut(tool, "_"); {
	case ofMail(tool):
		return "Looking at your mail..."
	case family == workflowFamily || family == systemFamily:
		return "Looking at your workflows..."
	}
	return "Looking at your calendar..."
}

// work calls the tool and, beside a configured model, what the rules heard, to compare what is changed, or the calls.
func (w worker) work(ctx context.Context, r *run, plan planned) (done, error) {
	told := r.shortened && !slices.Contains(makingDeeds, r.grounded.Deed)
	plan.Unsure = plan.Unsure || told || ground.Hedges(r.turn.Message)
	result, err := w.call(ctx, r, plan.Call)
	plan.Unsure = plan.Unsure || leavesWeek(result.Changes, r.plainMessage())
	if err != nil || plan.Ruled == nil || result.Response.Error != nil && result.Choices == nil {
		result.Heard, result.Unsure = true, result.Unsure || plan.Unsure
		return w.instead(ctx, r, result), err
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

// leavesWeek reports whether an event goes back to a weekday that is nearer to it a week later: nothing says which one
// "wednesday" is of what is on the Tuesday after.
func leavesWeek(changes []stored, said ground.Message) bool {
	var was, is struct{ Start time.Time }
	if len(changes) != 1 || json.Unmarshal(changes[0].Before, &was) != nil ||
		json.Unmarshal(changes[0].After, &is) != nil || was.Start.IsZero() || is.Start.IsZero() {
		return false
	}
	const halfAWeek = 7 * 24 * time.Hour / 2
	return was.Start.Sub(is.Start) > halfAWeek && ground.OnSomeWeekday(said)
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
	if !mayUse(r.turn, t.Family) {
		return done{Call: call, Response: blocked(call.Tool, t.Family)}, nil
	}
	arguments := meant(call.Arguments, r.conversation)
	ways := []json.RawMessage{arguments}
	if among := amongShown(arguments, r.conversation.Waiting); among != nil && t.Effect == world.Changes {
		ways = []json.RawMessage{among, arguments}
	}
	var result world.Result
	var err error
	for _, arguments = range ways {
		copied, unread := w.worlds.World(ctx, r.said(), r.now, r.understood.Language)
		if unread != nil {
			return done{}, unread
		}
		if open := r.conversation.Waiting; open != nil {
			copied.Request = open.Request
		}
		result, err = t.Call(ctx, copied, arguments)
		if err == nil && (result.Response.Error == nil || result.Choices != nil) {
			break
		}
	}
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		// The call fitted its schema; its values did not fit together.
		return done{}, fault.New(fault.ModelAnswer, "I could not make sense of that request. Please put it differently.").
			Because(wrong)
	}
	made := done{
		Response: result.Response, Choices: result.Choices, Argument: result.Argument, Gives: t.Gives, Unsure: result.Unsure,
		Next: result.Next, Offer: result.Offer,
		Call: &meet.PlannedCall{Tool: call.Tool, Arguments: arguments},
	}
	for _, c := range result.Changes {
		made.Changes, made.Unsure = append(made.Changes, stored{c, c.Deed}), made.Unsure || isOver(c, r.now)
	}
	return made, err
}

// isOver reports whether a change puts something at a time that is over.
func isOver(c meet.Change, now time.Time) bool {
	var before, after struct{ Start, End time.Time }
	if json.Unmarshal(c.After, &after) != nil || after.End.IsZero() {
		return false
	}
	_ = json.Unmarshal(c.Before, &before) // of a new thing there is nothing
	return after.End.Before(now) && !after.Start.Equal(before.Start)
}

// said is the turn with all words of the user that count in it: a button has none of its own.
func (r *run) said() meet.Turn {
	t := r.turn
	t.Message = strings.TrimSpace(r.before + "\n" + t.Message)
	return t
}

// mayUse reports whether the turn's caller may use the tools of a family.
func mayUse(t meet.Turn, family string) bool {
	return t.Families == nil || slices.Contains(t.Families, family)
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

// open is what the conversation has open, as far as this turn leaves it.
func (r *run) open() (open meet.Waiting) {
	if r.conversation.Waiting != nil {
		open = *r.conversation.Waiting
	}
	open.Language, open.Fresh, open.Beside, open.Done = r.understood.Language, false, false, false
	return open
}
