package stages

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
	"convene/prompts"
)

// planner is stage 3 for anything but an event: one mini call that turns the message into a call of a tool, or into a
// question. It is shown nothing of any calendar.
type planner struct {
	asker
	tools *functions.Toolbox
	// rules read the same request beside a configured model; without a model of their own they read nothing.
	rules asker
}

// planned is what stage 3 made of a message: a call, or a question if Call is nil.
type planned struct {
	Call     *meet.PlannedCall `json:"call,omitempty"`
	Question string            `json:"question,omitempty"`
	// Unsure says that the call is asked for before it is done.
	Unsure bool `json:"unsure,omitempty"`
	// Ruled is the call that code read in the user's own words; nil if no model made this one.
	Ruled *planned `json:"ruled,omitempty"`
}

// plan reads what is wanted.
func (p planner) plan(ctx context.Context, in situation) (planned, error) {
	bundle, set := p.tools.Offer(in.understood)
	prompt, err := p.prompts.Plan(bundle, planData(in))
	if err != nil {
		return planned{}, err
	}
	req := request(llm.Plan, prompt, set.Tools())
	made, err := read(ctx, p.on(in.receipt), req, set)
	if fault.CodeOf(err) == fault.ModelAnswer && ctx.Err() == nil { // what cannot be made sense of is asked about
		in.receipt.degraded("the model's answer did not fit, twice")
		made, err = planned{Question: message.NoEvent(in.understood.Language)}, nil
	}
	if err != nil || p.rules.model == nil || in.receipt.lastFellBack() {
		return made, err
	}
	// Rules that cannot make sense of it have heard nothing.
	heard, err := read(ctx, p.rules.on(new(tally)), req, set)
	if err != nil {
		heard = planned{}
	}
	made.Ruled = &heard
	return made, nil
}

func read(
	ctx context.Context, by caller, req llm.Request, set tool.Set[struct{}, llm.Call],
) (planned, error) {
	call, err := ask(ctx, by, req, set, struct{}{})
	if err != nil {
		return planned{}, err
	}
	if call.Name == functions.ClarifyName {
		var asked functions.ClarifyArguments
		err := json.Unmarshal([]byte(call.Arguments), &asked)
		return planned{Question: asked.Question}, err
	}
	return planned{Call: &meet.PlannedCall{Tool: call.Name, Arguments: json.RawMessage(call.Arguments)}}, nil
}

// planData is the turn as the model sees it.
func planData(in situation) prompts.Plan {
	data := prompts.Plan{
		Message: in.turn.Message, RecentTurns: recentTurns(in.conversation), Now: in.now.Format(time.RFC3339),
		Timezone: in.now.Location().String(), Days: nextDays(in.now), People: in.people(),
		Event: in.conversation.Search != nil && in.conversation.Search.Event != nil,
	}
	data.Tasks, data.Shown, data.DayAtHand = in.tasks, in.shown(), dateOf(in.dayAtHand())
	open := in.conversation.Waiting
	if open == nil {
		return data
	}
	if open.Call != nil {
		data.Previous = &prompts.Call{Tool: open.Call.Tool, Arguments: asShown(*open.Call, *open)}
	}
	return data
}

// shown is the list that the user saw last; nil if there is none.
func (in situation) shown() *prompts.Shown {
	open := in.conversation.Waiting
	if open == nil || len(open.Shown) == 0 || slices.ContainsFunc(open.Shown, isNew) {
		return nil
	}
	return &prompts.Shown{Type: open.ShownType, Count: len(open.Numbered())}
}
