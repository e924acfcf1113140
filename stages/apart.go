package stages

import (
	"slices"

	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/travel"
)

// apart notes where people live too far from each other to meet, and makes a video call of the event then. It stays a
// meeting where the user said where, or in so many words that people are to meet, or insisted on it before.
func (r *run) apart(draft meet.Draft) meet.Draft {
	if draft.Template.Remote() {
		return draft
	}
	people := everybody(r.turn.Organizer, draft.People)
	one, other, far := farApart(people)
	if !far {
		return draft
	}
	draft.Apart = &meet.Apart{Names: []string{people[one].Name, people[other].Name}}
	if r.insists(draft) {
		return draft
	}
	draft.Apart.Video = true
	draft.Template.EventType = meet.Video
	draft.PlaceQuery, draft.CachedPlaces = nil, nil
	return draft
}

func farApart(people []meet.Person) (one, other int, far bool) {
	homes := make([]*geo.Point, len(people))
	for i, p := range people {
		if p.Location != nil {
			homes[i] = &p.Location.Point
		}
	}
	return travel.Apart(homes)
}

// insists reports whether the user wants to meet although people live far from each other. Who was told before, and had
// the call made a meeting or left the meeting as it was, need not say it again.
func (r *run) insists(draft meet.Draft) bool {
	t := draft.Template
	settled := draft.FixedPlace != nil || t.NamesPlace() || draft.PlaceQuery != nil && travel.Settled(*draft.PlaceQuery)
	if settled || message.Insists(r.asked) || message.Insists(r.turn.Message) {
		return true
	}
	before := r.conversation.Search
	if draft.Mode != meet.ModeEdit || before == nil {
		return false
	}
	if before.Template.Remote() {
		return true
	}
	_, _, wereFar := farApart(everybody(r.turn.Organizer, slices.Clone(before.People)))
	return wereFar
}
