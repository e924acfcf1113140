package stages

import (
	"reflect"
	"slices"
	"strings"

	"convene/functions"
	"convene/pkg/meet"
)

// This file merges the model's reading of a message with that of rules, field by field. Both start from the same
// template: that of the event being changed, or the defaults. A field that the model left as it was, and that the rules
// read in the user's own words, was left out: the draft takes it from the rules. If both changed it in different ways,
// that is a doubt (doubt.go).

// merge is such a merge on its way.
type merge struct {
	in         situation
	base       meet.Template
	heard, own *meet.Template
	draft      *meet.Draft
}

// restored is the draft with what the model left out of it. An event that has something from the rules is not booked
// without a confirmation.
func (in situation) restored(draft meet.Draft) meet.Draft {
	heard := draft.Heard
	if !heard.Event || heard.Mode != draft.Mode || draft.FixedPlace != nil || draft.OnlyThen {
		return draft
	}
	m := merge{
		in: in, heard: &heard.Template, own: &draft.Template, draft: &draft,
		base: meet.Template{Duration: functions.UsualDuration(draft.Template.Activity, in.prefers.Minutes)},
	}
	if draft.Edit != nil {
		m.base = draft.Before.Template
		edit := *draft.Edit
		draft.Edit = &edit
	}
	m.people()
	m.when()
	if names := func(p meet.Phrase) bool { return p.Minutes > 0 }; slices.ContainsFunc(heard.Phrases, names) {
		take(&m, meet.DoubtLength, &m.own.Duration, m.heard.Duration, m.base.Duration)
	}
	m.place()
	take(&m, meet.DoubtTravel, &m.own.TravelBuffer, m.heard.TravelBuffer, m.base.TravelBuffer)
	if len(heard.Restored) == 0 {
		return draft
	}
	if draft.Edit != nil {
		draft.Edit.ChangedPlace = draft.Edit.ChangedPlace || functions.ChangedPlace(m.base, draft.Template)
	}
	return functions.WithQuery(draft)
}

// take gives the draft the rules' value of a field that the model left as it was, and reports whether it did.
func take[T any](m *merge, kind meet.DoubtKind, own *T, heard, base T) bool {
	if !same(*own, base) || same(heard, base) {
		return false
	}
	*own = heard
	m.note(kind)
	return true
}

// same reports whether two values of a field are equal; an empty list is none.
func same[T any](a, b T) bool {
	v, w := reflect.ValueOf(a), reflect.ValueOf(b)
	return v.Kind() == reflect.Slice && v.Len()+w.Len() == 0 || reflect.DeepEqual(a, b)
}

func (m *merge) note(kind meet.DoubtKind) {
	if !slices.Contains(m.draft.Heard.Restored, kind) {
		m.draft.Heard.Restored = append(m.draft.Heard.Restored, kind)
	}
}

// people adds the known people whom the model left out, and removes those whom it kept.
func (m *merge) people() {
	names := slices.Clone(m.own.Participants)
	for _, name := range m.heard.Participants {
		found := m.in.contacts.Find(name)
		takes := func(other string) bool {
			return fold(other) == fold(name) || len(among(found, m.in.contacts.Find(other))) > 0
		}
		stranger := len(found) == 0 || fold(name) == fold(m.in.turn.Organizer.Name) || anyCalled(m.draft.People, name)
		if !stranger && !slices.ContainsFunc(names, takes) && !slices.Contains(m.base.Participants, name) {
			names = append(names, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(m.base.Participants, name) && !slices.Contains(m.heard.Participants, name)
	})
	if same(names, m.own.Participants) {
		return
	}
	inTitle := func(name string) bool { return together(words(name), words(m.own.Title)) }
	if m.own.Title == m.base.Title || slices.ContainsFunc(slices.Concat(names, m.own.Participants), inTitle) {
		m.own.Title = m.heard.Title
	}
	m.own.Participants = names
	m.note(meet.DoubtPeople)
}

// when takes days and hours that a phrase of the message names.
func (m *merge) when() {
	heard, edit, changed := m.draft.Heard, m.draft.Edit, false
	if slices.ContainsFunc(heard.Phrases, namesDay) || edit != nil {
		changed = take(m, meet.DoubtDay, &m.own.Dates, m.heard.Dates, m.base.Dates)
		changed = take(m, meet.DoubtDay, &m.own.ExcludedDates, m.heard.ExcludedDates, m.base.ExcludedDates) || changed
	}
	if slices.ContainsFunc(heard.Phrases, namesTime) || edit != nil {
		changed = take(m, meet.DoubtTime, &m.own.Hours, m.heard.Hours, m.base.Hours) || changed
	}
	if slices.ContainsFunc(heard.Phrases, namesTime) || slices.ContainsFunc(heard.Phrases, namesDay) {
		changed = take(m, meet.DoubtTime, &m.own.ExcludedHours, m.heard.ExcludedHours, m.base.ExcludedHours) || changed
	}
	if edit == nil {
		return
	}
	if !edit.ChangedTime && take(m, meet.DoubtTime, &edit.Preference, heard.Edit.Preference, meet.NoPreference) {
		edit.Conditional, changed = heard.Edit.Conditional, true
	}
	edit.ChangedTime = edit.ChangedTime || changed
}

// place takes the venue and the wishes for one, and how people meet if the message changes that.
func (m *merge) place() {
	edit := m.draft.Edit
	if edit != nil && !edit.NamedType && m.draft.Heard.Edit.NamedType {
		edit.NamedType = take(m, meet.DoubtPlace, &m.own.EventType, m.heard.EventType, m.base.EventType)
	}
	if m.own.Remote() || m.heard.Remote() {
		return
	}
	if m.heard.PlaceName != "" && take(m, meet.DoubtPlace, &m.own.PlaceName, m.heard.PlaceName, m.base.PlaceName) {
		m.own.Specificity = m.heard.Specificity
	}
	if kinds := words(strings.Join(m.own.SuggestedPlaceTypes, " ") + " " + m.own.PlaceName); m.own.PlaceName == "" &&
		m.heard.ActivitySearchQuery != "" && !together(kinds, words(m.heard.ActivitySearchQuery)) {
		take(m, meet.DoubtPlace, &m.own.ActivitySearchQuery, m.heard.ActivitySearchQuery, m.base.ActivitySearchQuery)
	}
	own, heard, base := &m.own.Wishes, m.heard.Wishes, m.base.Wishes
	if heard.Where != (meet.Whereabouts{}) {
		take(m, meet.DoubtPlace, &own.Where, heard.Where, base.Where)
	}
	features := elements(own.Features, heard.Features, base.Features)
	refused := elements(own.Excluded, heard.Excluded, base.Excluded)
	if same(features, own.Features) && same(refused, own.Excluded) {
		return
	}
	own.Features, own.Excluded = features, refused
	m.note(meet.DoubtPlace)
	if edit != nil && m.draft.Heard.Edit.Elsewhere {
		edit.Elsewhere = true
	}
}

// elements are those of a list as the model has it, with what only the rules added to the base, and without what only
// they removed from it.
func elements[T comparable](own, heard, base []T) []T {
	list := slices.DeleteFunc(slices.Clone(own), func(e T) bool {
		return slices.Contains(base, e) && !slices.Contains(heard, e)
	})
	for _, e := range heard {
		if !slices.Contains(base, e) && !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list
}
