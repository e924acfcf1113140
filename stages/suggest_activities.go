package stages

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// mostIdeas is how many suggestions are shown.
const mostIdeas = 5

// suggestActivities answers "what's happening this weekend?". The suggestions are remembered, so that "let's do the
// second one" can become an event.
func (p *Pipeline) suggestActivities(ctx context.Context, r *run) (meet.Outcome, error) {
	if err := r.emit(ctx, meet.ProgressUpdate{Text: "Looking up what's on...", Stage: "activities", Step: 3, Of: 3}); err != nil {
		return meet.Outcome{}, err
	}
	list, err := perform(ctx, r, "activities", func(ctx context.Context) ([]meet.Suggestion, error) {
		ctx, cancel := context.WithTimeout(ctx, p.candidates.cfg.IdeasPatience)
		defer cancel()
		return p.ports.Activities.Suggest(ctx, r.activityQuery(p.candidates.cfg.Notice))
	})
	if err != nil {
		return meet.Outcome{}, fault.New(fault.Unavailable, "I could not look up activities just now. Please try again in a moment.").
			Later(10 * time.Second).Because(err)
	}
	r.conversation.Suggestions = list
	text := message.Activities(r.understood.Language, list, r.now)
	err = r.emit(ctx, r.message(text, meet.ByCode), meet.ActivitiesUpdate{Activities: orEmpty(list)})
	return meet.Outcome{Kind: meet.OutcomeActivities, Message: text}, err
}

// missed ends the turn of somebody who means a suggestion that is none any more. What is still to come is listed anew, with
// new numbers.
func (r *run) missed(ctx context.Context, why meet.Missed, title string) (meet.Outcome, error) {
	if why == meet.SuggestionForgotten {
		return r.say(ctx, meet.OutcomeQuestion, message.Forgotten(r.understood.Language))
	}
	left := slices.DeleteFunc(slices.Clone(r.conversation.Suggestions), func(s meet.Suggestion) bool { return !s.Start.After(r.now) })
	r.conversation.Suggestions = left
	text := message.Begun(r.understood.Language, title, left, r.now)
	r.tell(r.message(text, meet.ByCode))
	if len(left) > 0 {
		r.tell(meet.ActivitiesUpdate{Activities: left})
	}
	return meet.Outcome{Kind: meet.OutcomeQuestion, Message: text}, r.emit(ctx)
}

// activityQuery is what the message asks for, near those who are asked along. What begins within the notice could not be
// proposed any more, and is not suggested.
func (r *run) activityQuery(notice time.Duration) meet.ActivityQuery {
	q := functions.QueryFor(r.turn.Message, r.now)
	if soonest := r.now.Add(notice); q.Span.Start.Before(soonest) {
		q.Span.Start = soonest
	}
	q.Limit, q.Degraded = mostIdeas, r.receipt.degraded
	q.Near = midpoint(r.inTown())
	if at := r.turn.Organizer.Location; at != nil {
		q.Area = townOf(at.Label)
	}
	return q
}

// outingKm is how far people go for an outing. Whoever is farther away from the organizer comes along by other means.
const outingKm = 100

// inTown are those whom the question is about and who are near enough to go out with.
func (r *run) inTown() []meet.Person {
	me := r.turn.Organizer
	near := []meet.Person{me}
	for _, p := range slices.Concat(r.turn.Participants, r.contacts.Mentioned(r.turn.Message)) {
		if p.Location != nil && (me.Location == nil || geo.Distance(me.Location.Point, p.Location.Point) <= outingKm) {
			near = append(near, p)
		}
	}
	return near
}

// townOf is the town in the words for a location, without what is more exact than that or an abbreviation of more:
// "San Francisco" of "Hayes Valley, San Francisco, CA". Words with figures may be an address, and say nothing.
func townOf(label string) string {
	parts := strings.Split(label, ",")
	for i := len(parts) - 1; i >= 0; i-- {
		part := strings.TrimSpace(parts[i])
		if len(part) > len("USA") && !strings.ContainsFunc(part, unicode.IsDigit) {
			return part
		}
	}
	return ""
}
