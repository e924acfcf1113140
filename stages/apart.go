package stages

import (
	"slices"

	"convene/functions"
	"convene/pkg/geo"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/place"
	"convene/pkg/travel"
)

// apart notes where people live too far from each other to meet, and makes a video call of the event then. It stays a
// meeting where the user said where, or in so many words that people are to meet, or insisted on it before.
func (r *run) apart(draft meet.Draft) meet.Draft {
	if draft.Template.Remote() {
		return r.together(draft)
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

// together makes a meeting again of a call that was one only because of somebody who does not come any more. A call that
// was asked for stays one.
func (r *run) together(draft meet.Draft) meet.Draft {
	if !r.calledForDistance(draft) {
		return draft
	}
	if _, _, far := farApart(everybody(r.turn.Organizer, draft.People)); far {
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
func (r *run) calledForDistance(draft meet.Draft) bool {
	before := r.conversation.Search
	return draft.Template.EventType == meet.Video && draft.Mode == meet.ModeEdit && draft.Edit != nil && !draft.Edit.NamedType &&
		before != nil && before.Apart
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
	settled := draft.FixedPlace != nil || t.NamesPlace() || draft.PlaceQuery != nil && place.Settled(*draft.PlaceQuery)
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
