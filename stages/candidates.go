package stages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/place"
	"convene/pkg/travel"
	"convene/stages/candidates"
)

// searcher is stage 4: it finds the times and places that suit everyone, and words their conflicts. How they are found
// is in package candidates; it uses no model.
type searcher struct{ finder *candidates.Finder }

// search finds candidates at other starts than those that were offered. If a calendar keeps the others waiting, early
// gets their number without it; its error ends the search.
func (s searcher) search(
	ctx context.Context, in situation, draft meet.Draft, offered []time.Time, early func(meet.CandidatesUpdate) error,
) (meet.Candidates, error) {
	found, err := s.finder.Find(ctx, in.query(draft, offered...), func(soFar meet.Candidates) error {
		u := countOf(worded(in, draft, soFar))
		u.Preliminary = true
		return early(u)
	})
	noteDegraded(found, in.receipt)
	found = alongside(in.turn.Organizer, draft, found)
	found = worded(in, draft, found)
	return found, cmp.Or(err, found.Encode())
}

// worded are the candidates with their conflicts, reasons and unread calendars in the language of the message.
func worded(in situation, draft meet.Draft, found meet.Candidates) meet.Candidates {
	facts := &message.Facts{Language: in.understood.Language, Organizer: in.turn.Organizer, People: draft.People}
	found.Slots, found.Reasons = facts.Conflicts(found.Slots), facts.Reasons(found.Reasons)
	found.Calendars = slices.Clone(found.Calendars)
	for i, c := range found.Calendars {
		found.Calendars[i].Reason = message.Unread(facts.Language, c.Reason)
	}
	return found
}

// countOf is what the user sees of the candidates before one is chosen.
func countOf(found meet.Candidates) meet.CandidatesUpdate {
	return meet.CandidatesUpdate{
		Slots:                   len(found.Slots),
		Places:                  len(found.Places),
		Calendars:               found.Calendars,
		HasNoCommonTime:         found.HasNoCommonTime,
		HasExplicitTimeConflict: found.HasExplicitTimeConflict,
		Reasons:                 orEmpty(found.Reasons),
		Apart:                   found.Apart,
	}
}

// noteDegraded notes in the receipt which parts of the search failed.
func noteDegraded(found meet.Candidates, bill *tally) {
	if found.PlacesFailed {
		bill.degraded("the search for places failed")
	}
	if found.RouterFailed {
		bill.degraded("the router did not answer; travel times are estimates")
	}
	for _, c := range found.Calendars {
		if c.State == meet.CalendarUnchecked {
			bill.degraded("the calendar of " + c.Name + " could not be read")
		}
	}
}

// apart notes if people live too far from each other to meet, and makes the event a video call. It stays a meeting if
// the user named a place, wished for something that no call has, or said that people are to meet, now or before.
func apart(in situation, draft meet.Draft) meet.Draft {
	if draft.Template.Remote() {
		return meeting(in, draft)
	}
	people := draft.Everyone(in.turn.Organizer)
	one, other, far := farApart(people)
	if !far {
		return draft
	}
	draft.Apart = &meet.Apart{Names: []string{people[one].Name, people[other].Name}}
	if insists(in, draft) {
		return draft
	}
	draft.Apart.Video = true
	draft.Template.EventType = meet.Video
	draft.PlaceQuery, draft.CachedPlaces = nil, nil
	return draft
}

// meeting makes a call a meeting again if it was a call only because of a person who no longer takes part.
func meeting(in situation, draft meet.Draft) meet.Draft {
	if !calledForDistance(in.conversation.Search, draft) {
		return draft
	}
	if _, _, far := farApart(draft.Everyone(in.turn.Organizer)); far {
		return draft
	}
	edit := *draft.Edit
	edit.ChangedPlace = true
	draft.Edit, draft.Template.EventType = &edit, meet.InPerson
	if functions.SeeksPlace(draft.Template) {
		draft.PlaceQuery = functions.PlaceQuery(draft.Template)
	}
	return draft
}

// calledForDistance reports whether the event is a call only because people live far from each other.
func calledForDistance(before *meet.Search, draft meet.Draft) bool {
	return draft.Template.EventType == meet.Video && draft.Mode == meet.ModeEdit && draft.Edit != nil &&
		!draft.Edit.NamedType && before != nil && before.Apart
}

func farApart(people []meet.Person) (one, other int, far bool) {
	return travel.Apart(each(people, func(p meet.Person) *geo.Point {
		if p.Location == nil {
			return nil
		}
		return &p.Location.Point
	}))
}

// insists reports whether the user wants to meet although people live far from each other. A user who was told so
// before, and made the call a meeting or kept the meeting, need not say it again.
func insists(in situation, draft meet.Draft) bool {
	t := draft.Template
	if t.NeedsPresence() {
		return true
	}
	settled := draft.FixedPlace != nil || t.NamesPlace() || draft.PlaceQuery != nil && place.Settled(*draft.PlaceQuery)
	if settled || message.Insists(in.asked) || message.Insists(in.turn.Message) {
		return true
	}
	before := in.conversation.Search
	if draft.Mode != meet.ModeEdit || before == nil {
		return false
	}
	_, _, wereFar := farApart(meet.Draft{People: before.People}.Everyone(in.turn.Organizer))
	return wereFar || before.Template.Remote()
}
