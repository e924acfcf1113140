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
	answer pathFunc
	// needsEvent says in a language that there is nothing to do this to. A turn of a conversation without an event ends
	// with it; where it is nil, the path goes without one.
	needsEvent func(language string) string
}

// pathFunc answers a turn, and so ends it.
type pathFunc func(ctx context.Context, r *run) (meet.Outcome, error)

// paths are those of the intents about an event or about something to do.
type paths struct{ schedule, showMore, suggestActivities pathFunc }

// intents is the table of stage 2. A new intent is a row here with its path, and its cues for the built-in model in
// pkg/llm/offline/data.
func intents(to paths) []intent {
	return []intent{
		{
			Intent: functions.Intent{Name: meet.HandleEvent,
				Words: "schedule something, or change, move, rename, extend or ask about times for " +
					`what is being scheduled ("lunch instead", "any earlier times?", "somewhere quiet"), or pick one of the ` +
					`suggested activities.`},
			answer: to.schedule,
		},
		{
			Intent:     functions.Intent{Name: meet.ShowMore, Words: `more options of the same search ("what else?").`},
			answer:     to.showMore,
			needsEvent: message.NothingToShow,
		},
		{
			Intent: functions.Intent{Name: meet.SuggestActivities, Words: "ideas for what to do, nothing decided yet " +
				`("what's happening this weekend?", "let's do something fun").`},
			answer: to.suggestActivities,
		},
		{
			Intent: functions.Intent{Name: meet.Converse,
				Words: "anything else, such as small talk, questions about the product, " +
					"or requests that have nothing to do with scheduling."},
			answer: converse,
		},
	}
}

// Intents are all that a message may be about, as a model is told of them.
func Intents() []functions.Intent { return described(intents(paths{})) }

func described(table []intent) []functions.Intent {
	list := make([]functions.Intent, len(table))
	for i, row := range table {
		list[i] = row.Intent
	}
	return list
}

// route is stage 2: it answers a turn once it is known what it is about. An unknown intent is conversation, which only
// answers.
func route(ctx context.Context, table []intent, r *run) (meet.Outcome, error) {
	for _, row := range table {
		switch {
		case row.Name != r.understood.Intent:
		case row.needsEvent != nil && r.conversation.Search == nil:
			return r.say(ctx, meet.OutcomeAnswered, row.needsEvent(r.understood.Language))
		default:
			return row.answer(ctx, r)
		}
	}
	return converse(ctx, r)
}

// converse has nothing to add: the acknowledgment is the whole answer.
func converse(_ context.Context, r *run) (meet.Outcome, error) {
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: r.understood.Acknowledgment}, nil
}
