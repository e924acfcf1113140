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
	"convene/stages/candidates"
)

// mostIdeas is how many suggestions are shown.
const mostIdeas = 5

// suggester suggests what to do.
type suggester struct {
	activities Activities
	// patience bounds the search; an activity that begins within the notice is too soon to be proposed.
	patience, notice time.Duration
}

// suggest answers "what's happening this weekend?". The suggestions are remembered, so that "let's do the
// second one" can become an event.
func (s suggester) suggest(ctx context.Context, r *run) (meet.Outcome, error) {
	if err := r.progress(ctx, "activities", "Looking up what's on..."); err != nil {
		return meet.Outcome{}, err
	}
	list, err := perform(ctx, r, "activities", func(ctx context.Context) ([]meet.Suggestion, error) {
		ctx, cancel := context.WithTimeout(ctx, s.patience)
		defer cancel()
		return captioned{s.activities}.Suggest(ctx, activityQuery(r.situation, s.notice))
	})
	if err != nil {
		return meet.Outcome{}, fault.New(fault.Unavailable,
			"I could not look up activities just now. Please try again in a moment.").
			Later(10 * time.Second).Because(err)
	}
	r.conversation.Suggestions = list
	text := message.Activities(r.understood.Language, list, r.now)
	err = r.emit(ctx, r.message(text, meet.ByCode), meet.ActivitiesUpdate{Activities: orEmpty(list)})
	return meet.Outcome{Kind: meet.OutcomeActivities, Message: text}, err
}

// suggestAgain ends the turn of a user who means a suggestion that has expired. The others that have not begun are
// listed with new numbers.
func suggestAgain(ctx context.Context, r *run, why meet.Missed, title string) (meet.Outcome, error) {
	if why == meet.SuggestionForgotten {
		return r.say(ctx, meet.OutcomeQuestion, message.Forgotten(r.understood.Language))
	}
	left := slices.DeleteFunc(slices.Clone(r.conversation.Suggestions), func(s meet.Suggestion) bool {
		return !s.Start.After(r.now)
	})
	r.conversation.Suggestions = left
	text := message.Begun(r.understood.Language, title, left, r.now)
	r.tell(r.message(text, meet.ByCode))
	if len(left) > 0 {
		r.tell(meet.ActivitiesUpdate{Activities: left})
	}
	return meet.Outcome{Kind: meet.OutcomeQuestion, Message: text}, r.emit(ctx)
}

// activityQuery is what the message asks for, near the people who come along, from after the notice.
func activityQuery(in situation, notice time.Duration) meet.ActivityQuery {
	q := functions.QueryFor(in.turn.Message, in.now)
	if soonest := in.now.Add(notice); q.Span.Start.Before(soonest) {
		q.Span.Start = soonest
	}
	q.Limit, q.Degraded = mostIdeas, in.receipt.degraded
	q.Near = meet.Midpoint(inTown(in))
	if at := in.turn.Organizer.Location; at != nil {
		q.Area = townOf(at.Label)
	}
	return q
}

// inTown are the people whom the question is about and who are near enough for an outing.
func inTown(in situation) []meet.Person {
	me := in.turn.Organizer
	near := []meet.Person{me}
	for _, p := range slices.Concat(in.turn.Participants, meet.Mentioned(in.mentions)) {
		if p.Location != nil && (me.Location == nil ||
			geo.Distance(me.Location.Point, p.Location.Point) <= candidates.OutingKm) {
			near = append(near, p)
		}
	}
	return near
}

// townOf is the town in a location's label, without neighbourhood and state: "San Francisco" of "Hayes Valley,
// San Francisco, CA". Parts with digits may be an address, and are left out.
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

// captioned makes captions of the titles, venues and addresses of activities, and drops links that are no pages and
// activities without a title.
type captioned struct{ Activities }

// Suggest asks the activities within.
func (c captioned) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	found, err := c.Activities.Suggest(ctx, q)
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
	return list, err
}
