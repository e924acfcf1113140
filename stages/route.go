package stages

import (
	"context"
	"slices"
	"strings"

	"convene/functions"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// intent is one thing that a message may be about, and the path that answers it. The model's schema, the API's document
// and the types for clients are made of these rows.
type intent struct {
	functions.Intent
	answer pathFunc
	// steps are the steps of the path, in order, for the progress that the user sees.
	steps []string
	// needsEvent says in a language that there is no event for this; it answers the turn if the conversation has none. Nil
	// if the path needs no event.
	needsEvent func(language string) string
}

// The steps of the paths. More options search as the path of an event does.
var (
	eventSteps    = []string{"classify", "route", "template", "candidates", "select"}
	activitySteps = []string{"classify", "route", "activities"}
	workSteps     = []string{"classify", "route", "plan", "work", "tell"}
)

// pathFunc answers a turn, and so ends it.
type pathFunc func(ctx context.Context, r *run) (meet.Outcome, error)

// paths are the paths of the pipeline.
type paths struct{ schedule, showMore, suggestActivities, work pathFunc }

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
			steps:  eventSteps,
		},
		{
			Intent:     functions.Intent{Name: meet.ShowMore, Words: `more options of the same search ("what else?").`},
			answer:     to.showMore,
			steps:      eventSteps,
			needsEvent: message.NothingToShow,
		},
		{
			Intent: functions.Intent{Name: meet.SuggestActivities, Words: "ideas for what to do, nothing decided yet " +
				`("what's happening this weekend?", "let's do something fun").`},
			answer: to.suggestActivities,
			steps:  activitySteps,
		},
		{
			Intent: functions.Intent{Name: meet.Look,
				Words: "read the user's own day, calendar, mail or preferences: what is on, when something is, how many, " +
					"who is in it, when they are free, how busy they are, what is in their mail, who waits for an answer " +
					`("what's my week like?", "am I free on Thursday?", "any mail from Dana?"). Not what is being ` +
					"scheduled in this conversation."},
			answer: to.work,
			steps:  workSteps,
		},
		{
			Intent: functions.Intent{Name: meet.Act,
				Words: "change what stands in the user's calendar already, block time for themselves, answer an invitation, " +
					"archive, delete, mark or answer mail, or " +
					`set a preference ("move my 2pm to 4", "clear Friday except lunch", "rename the dentist", "block 9 to 11 for ` +
					`writing", "cancel my next meeting with Sam", "I never take meetings before nine", ` +
					`"archive the newsletters").`},
			answer: to.work,
			steps:  workSteps,
		},
		{
			Intent: functions.Intent{Name: meet.Converse,
				Words: "anything else, such as small talk, questions about the product, " +
					"or requests that have nothing to do with scheduling."},
			answer: converse,
		},
	}
}

// Intents are all that a message may be about, in the words for the model.
func Intents() []functions.Intent { return described(intents(paths{})) }

func described(table []intent) []functions.Intent {
	return each(table, func(row intent) functions.Intent { return row.Intent })
}

// route is stage 2: it answers a turn by the path of its intent. An unknown intent is small talk.
func route(ctx context.Context, table []intent, r *run) (meet.Outcome, error) {
	for _, row := range table {
		switch {
		case row.Name != r.understood.Intent:
		case row.needsEvent != nil && r.conversation.Search == nil:
			return r.say(ctx, meet.OutcomeAnswered, row.needsEvent(r.understood.Language))
		default:
			r.steps = row.steps
			return row.answer(ctx, r)
		}
	}
	return converse(ctx, r)
}

// converse answers a question about the proposed event from its facts. It has nothing to add to anything else: the
// acknowledgment is the whole answer.
func converse(ctx context.Context, r *run) (meet.Outcome, error) {
	if len(r.aspects) == 0 {
		var err error
		if told := r.message("", meet.ByCode); told.Text != "" {
			err = r.emit(ctx, told)
		}
		return meet.Outcome{Kind: meet.OutcomeAnswered, Message: r.understood.Acknowledgment}, err
	}
	text := message.NothingToShow(r.understood.Language)
	if search := r.conversation.Search; search != nil && search.Event != nil {
		event := *search.Event
		event.Language = r.understood.Language
		if slices.Contains(r.aspects, meet.AspectStatus) {
			return r.tellStatus(ctx, event)
		}
		text = message.About(event, r.aspects, r.now.Location(), r.now)
		if slices.Contains(r.aspects, meet.AspectReason) {
			text = strings.TrimSpace(r.voice().Wanted(search.Template.Dates) + " " + text)
		}
	}
	return r.say(ctx, meet.OutcomeAnswered, text)
}

// tellStatus says whether an event is booked. A proposed one still waits for that.
func (r *run) tellStatus(ctx context.Context, event meet.Event) (meet.Outcome, error) {
	if text := message.Settled(event, r.now); text != "" && event.Status != meet.Proposed {
		return r.say(ctx, meet.OutcomeAnswered, text)
	}
	r.shown = true
	return r.say(ctx, meet.OutcomeQuestion, r.voice().Book(event.Title, event.Start))
}
