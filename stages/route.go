package stages

import (
	"context"

	"convene/functions"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// intent is one thing that a message may be about, and the path that answers it. The schema that a model fills in, the
// words of the API's document and the types for clients are made of these rows.
type intent struct {
	functions.Intent
	// answer is the path: it ends the turn.
	answer func(p *Pipeline, ctx context.Context, r *run) (meet.Outcome, error)
	// needsEvent says in a language that there is nothing to do this to. A turn of a conversation without an event ends
	// with it; where it is nil, the path goes without one.
	needsEvent func(language string) string
}

// intents is the table of stage 2. A new intent is a row here with its path, and its cues for the built-in model in
// pkg/llm/offline/data.
func intents() []intent {
	return []intent{
		{
			Intent: functions.Intent{Name: meet.HandleEvent, Words: "schedule something, or change, move, rename, extend or ask about times for " +
				`what is being scheduled ("lunch instead", "any earlier times?", "somewhere quiet"), or pick one of the suggested activities.`},
			answer: (*Pipeline).schedule,
		},
		{
			Intent:     functions.Intent{Name: meet.ShowMore, Words: `more options of the same search ("what else?").`},
			answer:     (*Pipeline).showMore,
			needsEvent: message.NothingToShow,
		},
		{
			Intent: functions.Intent{Name: meet.SuggestActivities, Words: "ideas for what to do, nothing decided yet " +
				`("what's happening this weekend?", "let's do something fun").`},
			answer: (*Pipeline).suggestActivities,
		},
		{
			Intent: functions.Intent{Name: meet.Converse, Words: "anything else, such as small talk, questions about the product, " +
				"or requests that have nothing to do with scheduling."},
			answer: (*Pipeline).converse,
		},
	}
}

// Intents are all that a message may be about, as a model is told of them.
func Intents() []functions.Intent { return told(intents()) }

func told(table []intent) []functions.Intent {
	list := make([]functions.Intent, len(table))
	for i, row := range table {
		list[i] = row.Intent
	}
	return list
}

// route is stage 2: it answers a turn once it is known what it is about. What nobody knows is conversation, which does
// nothing but answer.
func (p *Pipeline) route(ctx context.Context, r *run) (meet.Outcome, error) {
	for _, row := range p.intents {
		switch {
		case row.Name != r.understood.Intent:
		case row.needsEvent != nil && r.conversation.Search == nil:
			return r.say(ctx, meet.OutcomeAnswered, row.needsEvent(r.understood.Language))
		default:
			return row.answer(p, ctx, r)
		}
	}
	return p.converse(ctx, r)
}

// converse has nothing to add: the acknowledgment is the whole answer.
func (p *Pipeline) converse(_ context.Context, r *run) (meet.Outcome, error) {
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: r.understood.Acknowledgment}, nil
}
