package main

import (
	"slices"
	"time"

	"convene/pkg/llm/offline"
	"convene/pkg/meet"
)

// unread accounts for the words of a message with the built-in rules' knowledge of languages.
func unread(text, language string, d meet.Draft, now time.Time) meet.Unread {
	t := d.Template
	e := offline.Expressed{
		Texts: textsOf(t, d.People), Absent: d.Absent, Minutes: t.Duration, Remote: t.Remote(), Now: now,
		Alone:   len(t.Participants)+len(d.People) == 0,
		Days:    t.Dates,
		Moves:   d.Edit != nil && d.Edit.ChangedTime,
		Near:    t.Wishes.Where != meet.Whereabouts{},
		Travels: t.TravelBuffer != (meet.TravelBuffer{}),
		Excludes: len(t.ExcludedDates) > 0 || t.ExcludedHours != nil || len(t.Wishes.Excluded) > 0 ||
			d.Edit != nil && d.Edit.Elsewhere,
	}
	if d.Mode == meet.ModeNew && e.Alone && t.PlaceName == "" && ofNoKind(t.Activity) {
		e.Title = t.Title
	}
	if len(t.Dates) == 1 && t.Dates[0].Start == t.Dates[0].End {
		e.Day = t.Dates[0].Start
	}
	if d.Anchor != nil {
		e.Texts = append(e.Texts, string(d.Anchor.Relation), d.Anchor.Event, d.Anchor.Second)
	}
	if t.Hours != nil {
		e.Hours = slices.Concat(t.Hours.Week[:]...)
		for _, on := range t.Hours.On {
			e.Hours = append(e.Hours, on.Windows...)
		}
	}
	for _, f := range t.Wishes.Features {
		e.Features = append(e.Features, string(f))
	}
	changedFrom(&e, d)
	if d.Previous != nil {
		e.Start = d.Previous.Start.In(now.Location())
		if d.Previous.Place != nil {
			e.Before = append(e.Before, d.Previous.Place.Name, d.Previous.Place.Address)
		}
	}
	u := offline.Account(text, language, e)
	return meet.Unread{
		Phrases: u.Phrases, Condition: u.Condition, Words: u.Words, Most: u.Most, Said: u.Said, Aside: u.Aside,
		Nameless: u.Nameless,
	}
}

// ofNoKind reports whether an activity says nothing of what is done.
func ofNoKind(a meet.Activity) bool { return a == meet.Custom || a == meet.Meeting }

// changedFrom adds what the event was like that the draft changes.
func changedFrom(e *offline.Expressed, d meet.Draft) {
	if d.Before == nil {
		return
	}
	t, before := d.Template, d.Before.Template
	e.Before = textsOf(before, d.Before.People)
	for _, f := range before.Wishes.Features {
		if !slices.Contains(t.Wishes.Features, f) {
			e.Dropped = append(e.Dropped, string(f))
		}
	}
	e.Travels = e.Travels || before.TravelBuffer != t.TravelBuffer
	e.Leaves = len(before.Participants) > len(t.Participants)
}

// textsOf are the free words of a template, and the people who take part.
func textsOf(t meet.Template, people []meet.Person) []string {
	texts := append([]string{t.Title, string(t.Activity), string(t.EventType)}, t.Participants...)
	if where := t.Wishes.Where; !t.Remote() {
		texts = append(texts, t.PlaceName, t.ActivitySearchQuery, where.Area, where.Landmark, where.Person)
		texts = append(append(texts, t.SuggestedPlaceTypes...), t.Wishes.Excluded...)
	}
	for _, p := range people {
		texts = append(texts, p.Name, p.Email)
	}
	return texts
}
