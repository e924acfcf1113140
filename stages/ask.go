package stages

import (
	"context"
	"errors"
	"fmt"
	"time"

	"convene/pkg/fault"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/tool"
	"convene/prompts"
)

// asker is shared by the stages that call a model.
type asker struct {
	model        Model
	prompts      prompts.Library
	instructions instructions
}

func newAsker(m Model) (asker, error) {
	library, err := prompts.New()
	return asker{m, library, instructionsOf(library.Instructions())}, err
}

// request is a call that offers functions; a single one is forced.
func request(stage llm.Stage, p prompts.Prompt, tools []llm.Tool) llm.Request {
	req := llm.Request{Stage: stage, System: p.System, Data: p.Data, CacheKey: p.CacheKey, Tools: tools}
	if len(tools) == 1 {
		req.Force = tools[0].Name
	}
	return req
}

// caller is an asker on the bill of a turn.
type caller struct {
	asker
	bill *tally
}

func (a asker) on(bill *tally) caller { return caller{a, bill} }

// ask makes one call and runs the function that the model chose. An answer that does not fit goes back with its
// problem, once in a turn; after that it is a fault.
func ask[C, Out any](
	ctx context.Context, by caller, req llm.Request, set tool.Set[C, Out], c C,
) (out Out, err error) {
	for range 2 {
		var call llm.Call
		call, err = by.complete(ctx, req, nil)
		if err == nil {
			out, err = set.Call(ctx, c, call)
		}
		wrong, mendable := errors.AsType[*tool.ArgumentError](err)
		if !mendable {
			return out, err
		}
		if !by.bill.mayRepair() {
			break
		}
		by.bill.removed("invalid_" + string(req.Stage) + "_answer")
		req.Repair = &llm.Repair{Call: call, Problem: wrong.Error()}
	}
	// The problem may quote the message, which belongs in no log.
	return out, fault.New(fault.ModelAnswer, "I could not make sense of that request. Please try to put it differently.").
		Later(0).Because(fmt.Errorf("the answer to stage %s does not fit", req.Stage))
}

// complete makes one request and takes its first function call. It drops further calls, because a message must not make
// a model do two things, and refuses one that repeats the instructions.
func (by caller) complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Call, error) {
	reply, err := by.model.Complete(ctx, req, onDelta)
	by.bill.called(reply)
	if err != nil {
		return llm.Call{}, fmt.Errorf("%s: %w", req.Stage, err)
	}
	if len(reply.Calls) == 0 {
		return llm.Call{}, &tool.ArgumentError{Problem: "answer with a function call"}
	}
	for range reply.Calls[1:] {
		by.bill.removed("extra_call")
	}
	if by.instructions.recitedIn(reply.Calls[0].Arguments) {
		by.bill.removed("instructions")
		return reply.Calls[0], &tool.ArgumentError{Problem: "the instructions must not be repeated"}
	}
	return reply.Calls[0], nil
}

// recentTurns are the last few exchanges, oldest first: enough for "the second one", not so much that the prompt grows.
func recentTurns(talk meet.Conversation) []prompts.Exchange {
	const most = 6
	return each(talk.History[max(0, len(talk.History)-most):], func(e meet.Exchange) prompts.Exchange {
		return prompts.Exchange{User: e.User, Assistant: e.Assistant}
	})
}

// people are those who may take part, with the words of the message that may mean them.
func (in situation) people() []prompts.Person {
	list := []prompts.Person{}
	for _, p := range meet.Distinct(in.likely, in.turn.Organizer.ID) {
		shown := prompts.Person{Name: p.Name, Timezone: p.Timezone}
		for _, m := range in.mentions {
			if takes(p, []meet.Person{m.Person}) {
				shown.Said = append(shown.Said, m.Words)
			}
		}
		if shown.Timezone != "" || shown.Said != nil {
			list = append(list, shown)
		}
	}
	return list
}

// nextDays names the days of the next three weeks, so that no model has to count. It counts in UTC, which skips no
// hour.
func nextDays(now time.Time) []prompts.Day {
	const weeks = 3
	list := make([]prompts.Day, 7*weeks)
	year, month, today := now.Date()
	for i := range list {
		d := time.Date(year, month, today+i, 0, 0, 0, 0, time.UTC)
		list[i] = prompts.Day{Date: d.Format(time.DateOnly), Weekday: d.Weekday().String()}
	}
	return list
}
