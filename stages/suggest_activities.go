package stages

import (
	"context"
	"time"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// suggestActivities answers "what's happening this weekend?". The suggestions are remembered, so that "let's do the
// second one" can become an event.
func (p *Pipeline) suggestActivities(ctx context.Context, r *run) (meet.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, p.candidates.cfg.Patience)
	defer cancel()
	query := meet.ActivityQuery{
		Text:  r.turn.Message,
		Near:  midpoint(everybody(r.turn.Organizer, r.turn.Participants)),
		Span:  functions.WantedSpan(r.turn.Message, r.now),
		Zone:  r.now.Location(),
		Limit: 5,
	}
	list, err := perform(ctx, r, "activities", func(ctx context.Context) ([]meet.Suggestion, error) {
		return p.ports.Activities.Suggest(ctx, query)
	})
	if err != nil {
		return meet.Outcome{}, fault.New(fault.Unavailable, "I could not look up activities just now. Please try again in a moment.").
			Later(10 * time.Second).Because(err)
	}
	r.conversation.Suggestions = list
	text := message.Activities(r.understood.Language, list, r.now)
	if err := r.message(ctx, text, meet.ByCode); err != nil {
		return meet.Outcome{}, err
	}
	return meet.Outcome{Kind: meet.OutcomeActivities, Message: text}, r.emit(ctx, meet.ActivitiesUpdate{Activities: orEmpty(list)})
}
