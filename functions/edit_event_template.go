package functions

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"strings"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
	"convene/pkg/tool"
)

//go:embed edit_event_template.md
var editEventTemplateWords string

// EditArguments are a change of the cached template as a model read it. Null, empty or "none" changes nothing.
type EditArguments struct {
	EditType               string          `json:"editType" jsonschema:"enum=time,enum=date,enum=duration,enum=place,enum=participants,enum=title,enum=multiple,enum=undo,enum=original"`
	TimePreference         string          `json:"timePreference" jsonschema:"enum=earlier,enum=later,enum=none"`
	IsConditional          bool            `json:"isConditional"`
	NewTitle               *string         `json:"newTitle" jsonschema:"nullable"`
	NewEventType           *string         `json:"newEventType" jsonschema:"nullable,enum=in-person,enum=video,enum=phone"`
	NewActivity            *string         `json:"newActivity" jsonschema:"nullable,enum=coffee,enum=breakfast,enum=brunch,enum=lunch,enum=dinner,enum=drinks,enum=meeting,enum=call,enum=custom"`
	NewDuration            *int            `json:"newDuration" jsonschema:"nullable"`
	NewDates               []DateRange     `json:"newPreferredSchedulableDates"`
	NewHours               *Hours          `json:"newPreferredSchedulableHours" jsonschema:"nullable"`
	NewExcludedDates       []DateRange     `json:"newExcludedDates"`
	NewExcludedHours       *Hours          `json:"newExcludedHours" jsonschema:"nullable"`
	AddParticipants        []string        `json:"addParticipants"`
	RemoveParticipants     []string        `json:"removeParticipants"`
	NewPlaceType           *string         `json:"newPlaceType" jsonschema:"nullable"`
	NewPlaceName           *string         `json:"newPlaceName" jsonschema:"nullable"`
	NewActivitySearchQuery *string         `json:"newActivitySearchQuery" jsonschema:"nullable"`
	AddWishes              []Wish          `json:"addWishes"`
	RemoveWishes           []Wish          `json:"removeWishes"`
	NewWhere               *Where          `json:"newWhere" jsonschema:"nullable"`
	ExcludePlaces          []string        `json:"excludePlaces"`
	AllowPlaces            []string        `json:"allowPlaces"`
	NewTravelBuffer        *Buffer         `json:"newTravelBuffer" jsonschema:"nullable"`
	NewCalendarAnchor      *CalendarAnchor `json:"newCalendarAnchor" jsonschema:"nullable"`
	Unhandled              []string        `json:"unhandled"`
}

// EditEventTemplate changes the template of the cached search.
func EditEventTemplate() tool.Tool[TemplateContext, meet.Draft] {
	return tool.Define("editEventTemplate", editEventTemplateWords, editEventTemplate)
}

// editEventTemplate keeps three laws: what the edit does not name stays, the same edit twice has the effect of one, and
// undoing an edit restores the first template. Wishes are therefore kept as the user said them; the search for slots
// adds the room for travel.
func editEventTemplate(_ context.Context, c TemplateContext, in EditArguments) (meet.Draft, error) {
	if c.Search == nil {
		return meet.Draft{}, tool.BadArgument("", "there is no event to edit; call generateEventTemplate")
	}
	if in.EditType == undoLast || in.EditType == undoAll {
		return undone(c.Search, in.EditType == undoAll), nil
	}
	before := c.Search.Template
	after := before
	in.AddParticipants, in.RemoveParticipants = c.known(in.AddParticipants), c.known(in.RemoveParticipants)
	if err := editWhat(&after, in); err != nil {
		return meet.Draft{}, err
	}
	changedTime, err := editWhen(&after, in)
	if err != nil {
		return meet.Draft{}, err
	}
	elsewhere := editWhere(&after, in)
	if e := c.Search.Event; in.saysOnlyWhere() && e != nil && e.Place == nil {
		// The venue was not found before: the edit says where to look for it.
		after.PlaceName, after.Specificity = before.PlaceName, before.Specificity
	}

	draft := meet.Draft{
		Mode:         meet.ModeEdit,
		Template:     after,
		People:       withoutNamed(append(slices.Clone(c.Search.People), c.Turn.Participants...), in.RemoveParticipants),
		Previous:     c.Search.Event,
		CachedPlaces: c.Search.Places,
		Before:       bare(*c.Search),
		OnlyThen:     c.Search.OnlyThen && !changedTime,
		Anchor:       in.NewCalendarAnchor.read(),
		Older:        olderWishes(c.Search.Wished, after.Wishes, in),
		Edit: &meet.Edit{
			ChangedTime:  changedTime,
			ChangedPlace: elsewhere || ChangedPlace(before, after),
			NamedType:    in.NewEventType != nil,
			Elsewhere:    elsewhere,
			Conditional:  in.IsConditional,
			Preference:   timePreference(in.TimePreference),
		},
		Unhandled: trimmed(in.Unhandled),
	}
	return WithQuery(draft), nil
}

// bare is a search without its event and its candidates.
func bare(s meet.Search) *meet.Search {
	s.Event, s.Places, s.Slots, s.OfferedSlots, s.OfferedPlaces = nil, nil, nil, nil, nil
	return &s
}

// editWhat changes the purpose, the length and the participants.
func editWhat(t *meet.Template, in EditArguments) (err error) {
	if title := text(in.NewTitle); title != "" {
		t.Title = titleCase(title, slices.Concat(t.Participants, in.AddParticipants))
	}
	if in.NewEventType != nil {
		t.EventType = meet.EventType(*in.NewEventType)
	}
	if in.NewActivity != nil {
		t.Activity = meet.Activity(*in.NewActivity)
	}
	if in.NewDuration != nil {
		if t.Duration, err = duration("newDuration", *in.NewDuration); err != nil {
			return err
		}
	}
	if in.NewTravelBuffer != nil {
		if t.TravelBuffer, err = travel("newTravelBuffer", in.NewTravelBuffer); err != nil {
			return err
		}
	}
	t.Participants = slices.DeleteFunc(slices.Clone(t.Participants), func(name string) bool {
		return slices.ContainsFunc(in.RemoveParticipants, func(gone string) bool { return sameName(gone, name) })
	})
	for _, name := range people(in.AddParticipants) {
		if !namedIn(name, t.Participants) {
			t.Participants = append(t.Participants, name)
		}
	}
	return nil
}

// editWhen changes days and hours, and reports whether the edit named any.
func editWhen(t *meet.Template, in EditArguments) (changed bool, err error) {
	dates, badDates := dateRanges("newPreferredSchedulableDates", in.NewDates)
	wanted, badHours := hours("newPreferredSchedulableHours", in.NewHours)
	excluded, badExcluded := dateRanges("newExcludedDates", in.NewExcludedDates)
	excludedHours, badExcludedHours := hours("newExcludedHours", in.NewExcludedHours)
	if err := cmp.Or(badDates, badHours, badExcluded, badExcludedHours); err != nil {
		return false, err
	}
	if dates != nil {
		t.Dates = dates
		t.Hours = hoursOn(t.Hours, dates)
		t.ExcludedDates = withoutNamedDays(t.ExcludedDates, dates)
	}
	if timePreference(in.TimePreference) != meet.NoPreference {
		t.Hours = nil
	}
	if _, at, exact := t.ExactStart(); exact && in.NewActivity != nil && !slot.Usual(t.Activity, at) {
		t.Hours = nil // "dinner instead" of a lunch at 12:30 is no dinner at 12:30
	}
	if wanted != nil {
		t.Hours = everyDay(wanted, t.Dates)
	}
	for _, r := range excluded {
		if !slices.Contains(t.ExcludedDates, r) {
			t.ExcludedDates = append(slices.Clone(t.ExcludedDates), r)
		}
	}
	t.ExcludedHours = bothHours(t.ExcludedHours, excludedHours)
	named := dates != nil || wanted != nil || excluded != nil || excludedHours != nil
	return named || timePreference(in.TimePreference) != meet.NoPreference, nil
}

// hoursOn are the hours if they have windows on one of the days, or else nil: "Monday morning or Tuesday afternoon"
// leaves a Wednesday open to any usual time.
func hoursOn(h *meet.Hours, days []interval.DateRange) *meet.Hours {
	for _, r := range days {
		for d := r.Start; h != nil && !r.End.Before(d); d = d.AddDays(1) {
			if len(h.For(d)) > 0 {
				return h
			}
		}
	}
	return nil
}

// withoutNamedDays lifts the exclusion of days that the edit names. A longer range, like "next week", names no single
// day.
func withoutNamedDays(excluded, wanted []interval.DateRange) []interval.DateRange {
	return slices.DeleteFunc(slices.Clone(excluded), func(out interval.DateRange) bool {
		return slices.ContainsFunc(wanted, func(in interval.DateRange) bool {
			return in.Start == in.End && out.Contains(in.Start)
		})
	})
}

// bothHours is the union of excluded hours.
func bothHours(a, b *meet.Hours) *meet.Hours {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	both := &meet.Hours{On: slices.Concat(a.On, b.On)}
	for day := range both.Week {
		both.Week[day] = slices.Clone(a.Week[day])
		for _, w := range b.Week[day] {
			if !slices.Contains(both.Week[day], w) {
				both.Week[day] = append(both.Week[day], w)
			}
		}
	}
	return both
}

// saysOnlyWhere reports whether an edit says where the venue should be, and neither its name nor its kind.
func (in EditArguments) saysOnlyWhere() bool {
	what := text(in.NewPlaceType) + text(in.NewActivitySearchQuery) + text(in.NewPlaceName)
	return in.NewWhere != nil && what == "" && len(in.AddWishes) == 0
}

// noPlace is the kind of place of an event that needs no venue: at a person's home.
const noPlace = "none"

// editWhere changes the wish for a place, and reports whether the edit asks for another one than before. A new kind of
// place, a new query or a new wish drops a venue named before.
func editWhere(t *meet.Template, in EditArguments) (elsewhere bool) {
	kind, query, name := text(in.NewPlaceType), text(in.NewActivitySearchQuery), text(in.NewPlaceName)
	elsewhere = editWishes(&t.Wishes, in)
	wishes := len(in.AddWishes) > 0 || in.NewWhere != nil || elsewhere
	switch {
	case kind == "" && query == "" && name == "" && !wishes:
		return elsewhere
	case kind == noPlace:
		t.PlaceName, t.ActivitySearchQuery, t.SuggestedPlaceTypes, t.Specificity = "", "", nil, meet.Open
		t.Wishes.Features, t.Wishes.Where = nil, meet.Whereabouts{}
		return elsewhere
	}
	if t.PlaceName != "" || name != "" || kind != "" || query != "" {
		t.Specificity = meet.ActivityType
	}
	if t.PlaceName = name; name != "" {
		t.Specificity = meet.SpecificPlace
	}
	if kind != "" {
		t.SuggestedPlaceTypes = []string{kind}
	}
	if kind != "" || query != "" {
		t.ActivitySearchQuery = query
	}
	return elsewhere
}

// ChangedPlace reports whether two templates ask for different places.
func ChangedPlace(before, after meet.Template) bool {
	b, a := before.Wishes, after.Wishes
	return before.PlaceName != after.PlaceName || before.ActivitySearchQuery != after.ActivitySearchQuery ||
		!slices.Equal(before.SuggestedPlaceTypes, after.SuggestedPlaceTypes) ||
		b.Where != a.Where || !slices.Equal(b.Features, a.Features)
}

func timePreference(s string) meet.TimePreference {
	if s == "none" {
		return meet.NoPreference
	}
	return meet.TimePreference(s)
}

func withoutNamed(people []meet.Person, names []string) []meet.Person {
	return slices.DeleteFunc(slices.Clone(people), func(p meet.Person) bool {
		return slices.ContainsFunc(names, p.Called)
	})
}

func namedIn(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(name))
	})
}

// sameName reports whether one name is the other or its first name.
func sameName(a, b string) bool {
	return meet.Person{Name: a}.Called(b) || meet.Person{Name: b}.Called(a)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return meet.Caption(*s)
}
