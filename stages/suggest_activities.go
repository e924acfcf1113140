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
		found, err := p.ports.Activities.Suggest(ctx, query)
		return captioned(found), err
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

// captioned are the suggestions with what others have written in them as captions, and pages that may be opened. One
// without any title left is none.
func captioned(found []meet.Suggestion) []meet.Suggestion {
	list := make([]meet.Suggestion, 0, len(found))
	for _, s := range found {
		s.Title, s.Venue, s.Address = meet.Caption(s.Title), meet.Caption(s.Venue), meet.Caption(s.Address)
		if !functions.IsPage(s.URL) {
			s.URL = ""
		}
		if s.Title != "" {
			list = append(list, s)
		}
	}
	return list
}
