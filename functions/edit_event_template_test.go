package functions

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

func ptr[T any](v T) *T { return &v }

func cached() *meet.Search {
	day := interval.Date{Year: 2031, Month: 5, Day: 6}
	return &meet.Search{
		Template: meet.Template{
			Title: "Coffee with Ada", EventType: meet.InPerson, Activity: meet.Coffee, Duration: 30,
			Dates: []interval.DateRange{{Start: day, End: day.AddDays(4)}},
			Hours: &meet.Hours{
				Week: interval.EveryDay(interval.Window{Start: interval.At(9, 0), End: interval.At(12, 0)}),
			},
			Participants:        []string{"Ada"},
			SuggestedPlaceTypes: []string{"cafe"}, Specificity: meet.ActivityType,
			Wishes: meet.Wishes{
				Features: []meet.Feature{meet.OutdoorSeating, meet.Cheap}, Where: meet.Whereabouts{Area: "the Harbor"},
				Excluded: []string{"The Anchor"},
			},
			TravelBuffer: meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 15},
		},
		People: []meet.Person{{ID: "ada", Name: "Ada Byron"}},
		Places: []meet.Place{{Name: "The Corner"}},
		Event:  &meet.Event{ID: "p_1", UID: "u"},
	}
}

func edit(t *testing.T, s *meet.Search, in EditArguments) meet.Draft {
	t.Helper()
	if in.TimePreference == "" {
		in.TimePreference = "none"
	}
	draft, err := editEventTemplate(t.Context(), TemplateContext{Search: s}, in)
	if err != nil {
		t.Fatal(err)
	}
	return draft
}

func everyMorning() *Hours {
	w := []Window{{Start: "15:00", End: "15:00"}}
	return &Hours{Mon: w, Tue: w, Wed: w, Thu: w, Fri: w, Sat: w, Sun: w}
}

// edits are one change each, with the change that takes it back.
func edits() map[string][2]EditArguments {
	before := cached().Template
	return map[string][2]EditArguments{
		"duration": {{NewDuration: ptr(90)}, {NewDuration: ptr(30)}},
		"title":    {{NewTitle: ptr("a chat")}, {NewTitle: ptr("Coffee with Ada")}},
		"activity": {{NewActivity: ptr("lunch")}, {NewActivity: ptr("coffee")}},
		"type":     {{NewEventType: ptr("video")}, {NewEventType: ptr("in-person")}},
		"place":    {{NewPlaceType: ptr("restaurant")}, {NewPlaceType: ptr("cafe")}},
		"wishes": {
			{AddWishes: []Wish{"quiet", "vegan"}, RemoveWishes: []Wish{"outdoor seating"}},
			{AddWishes: []Wish{"outdoor seating"}, RemoveWishes: []Wish{"vegan", "quiet"}},
		},
		"opposites": {{AddWishes: []Wish{"upscale"}}, {AddWishes: []Wish{"cheap"}}},
		"where": {{NewWhere: &Where{Person: "me", Anchor: "office"}},
			{NewWhere: &Where{Area: "the Harbor", Anchor: "none"}}},
		"not there": {{ExcludePlaces: []string{"The Corner"}}, {AllowPlaces: []string{"the corner"}}},
		"people":    {{AddParticipants: []string{"Bo"}}, {RemoveParticipants: []string{"Bo"}}},
		"buffer": {
			{NewTravelBuffer: &Buffer{5, 5}},
			{NewTravelBuffer: &Buffer{before.TravelBuffer.BeforeMinutes, before.TravelBuffer.AfterMinutes}},
		},
		"date": {
			{NewDates: []DateRange{{"2031-06-01", "2031-06-01"}}},
			{NewDates: []DateRange{{before.Dates[0].Start.String(), before.Dates[0].End.String()}}},
		},
		"exact time": {{NewHours: everyMorning()}, {NewHours: &Hours{
			Mon: nineToNoon(), Tue: nineToNoon(), Wed: nineToNoon(), Thu: nineToNoon(), Fri: nineToNoon(),
			Sat: nineToNoon(), Sun: nineToNoon(),
		}}},
	}
}

func nineToNoon() []Window { return []Window{{Start: "09:00", End: "12:00"}} }

func TestARepeatedEditChangesNothingAndItsUndoRestores(t *testing.T) {
	t.Parallel()
	for name, pair := range edits() {
		s := cached()
		once := edit(t, s, pair[0])
		s.Template = once.Template
		twice := edit(t, s, pair[0])
		if diff := cmp.Diff(once.Template, twice.Template); diff != "" {
			t.Errorf("%s: twice differs from once (-once +twice):\n%s", name, diff)
		}
		if twice.PlaceQuery != nil {
			t.Errorf("%s: the second time still searches places", name)
		}
		undone := edit(t, s, pair[1])
		if diff := cmp.Diff(cached().Template, undone.Template); diff != "" {
			t.Errorf("%s: undoing does not give the first template (-first +undone):\n%s", name, diff)
		}
		if cmp.Diff(cached().Template, once.Template) == "" {
			t.Errorf("%s changed nothing", name)
		}
	}
}

// Any number of edits in any order, each then undone in reverse order, leaves the template as it was.
func TestAnySequenceOfEditsCanBeUndone(t *testing.T) {
	t.Parallel()
	all := edits()
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 7))
		random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		chosen := names[:random.IntN(len(names))+1]
		s := cached()
		for _, name := range chosen {
			s.Template = edit(t, s, all[name][0]).Template
		}
		for i := len(chosen) - 1; i >= 0; i-- {
			s.Template = edit(t, s, all[chosen[i]][1]).Template
		}
		if diff := cmp.Diff(cached().Template, s.Template); diff != "" {
			t.Fatalf("seed %d, %v (-first +now):\n%s", seed, chosen, diff)
		}
	}
}

func TestEditFlags(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		in     EditArguments
		want   meet.Edit
		search bool
	}{
		{"earlier, asked", EditArguments{TimePreference: "earlier", IsConditional: true},
			meet.Edit{ChangedTime: true, Conditional: true, Preference: meet.Earlier}, false},
		{"longer", EditArguments{NewDuration: ptr(90)}, meet.Edit{}, false},
		{"another day", EditArguments{
			NewDates: []DateRange{{"2031-05-08", "2031-05-08"}},
		}, meet.Edit{ChangedTime: true}, false},
		{"lunch instead", EditArguments{NewActivity: ptr("lunch"), NewPlaceType: ptr("restaurant")},
			meet.Edit{ChangedPlace: true}, true},
		{"the same kind of place", EditArguments{NewPlaceType: ptr("cafe")}, meet.Edit{}, false},
		{"quieter", EditArguments{AddWishes: []Wish{"quiet"}}, meet.Edit{ChangedPlace: true}, true},
		{"a wish that there is", EditArguments{AddWishes: []Wish{"cheap"}}, meet.Edit{}, false},
		{"somewhere else", EditArguments{ExcludePlaces: []string{"The Corner"}}, meet.Edit{
			ChangedPlace: true, Elsewhere: true,
		}, true},
		{"between us", EditArguments{NewWhere: &Where{Anchor: "none"}}, meet.Edit{ChangedPlace: true}, true},
		{"video", EditArguments{NewEventType: ptr("video"), NewPlaceType: ptr("restaurant")}, meet.Edit{
			ChangedPlace: true, NamedType: true,
		}, false},
	} {
		draft := edit(t, cached(), tt.in)
		if diff := cmp.Diff(tt.want, *draft.Edit); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if got := draft.PlaceQuery != nil; got != tt.search {
			t.Errorf("%s: searches places = %v, want %v", tt.name, got, tt.search)
		}
	}
}

// A venue that could not be found before is looked for where the next message says; one that was found gives way to
// that.
func TestSayingWhereKeepsAVenueThatWasNotFound(t *testing.T) {
	t.Parallel()
	harbor := &Where{Area: "the Old Harbor", Anchor: "none"}
	for _, tt := range []struct {
		name  string
		place *meet.Place
		in    EditArguments
		want  string
	}{
		{"not found", nil, EditArguments{NewWhere: harbor}, "Blue Anchor"},
		{"found", &meet.Place{Name: "Blue Anchor"}, EditArguments{NewWhere: harbor}, ""},
		{"another kind", nil, EditArguments{NewWhere: harbor, NewPlaceType: ptr("bar")}, ""},
		{"another venue", nil, EditArguments{NewWhere: harbor, NewPlaceName: ptr("Red Lantern")}, "Red Lantern"},
		{"another wish", nil, EditArguments{NewWhere: harbor, AddWishes: []Wish{"quiet"}}, ""},
	} {
		s := cached()
		s.Template.PlaceName, s.Event.Place = "Blue Anchor", tt.place
		draft := edit(t, s, tt.in)
		if draft.Template.PlaceName != tt.want || draft.PlaceQuery == nil || draft.PlaceQuery.Name != tt.want {
			t.Errorf("%s: looks for %q by %+v, want %q", tt.name, draft.Template.PlaceName, draft.PlaceQuery, tt.want)
		}
	}
}

// A meal at another time of day is not at the old hour.
func TestAnExactHourOfAnotherMealIsDropped(t *testing.T) {
	t.Parallel()
	s := cached()
	s.Template.Hours = &meet.Hours{
		Week: interval.EveryDay(interval.Window{Start: interval.At(10, 30), End: interval.At(10, 30)}),
	}
	if got := edit(t, s, EditArguments{NewActivity: ptr("dinner")}).Template.Hours; got != nil {
		t.Errorf("dinner at %+v", got)
	}
	if got := edit(t, s, EditArguments{NewActivity: ptr("brunch")}).Template.Hours; got == nil {
		t.Error("brunch lost its hour")
	}
}

func TestEarlierClearsTheHours(t *testing.T) {
	t.Parallel()
	if got := edit(t, cached(), EditArguments{TimePreference: "earlier"}).Template.Hours; got != nil {
		t.Errorf("hours = %+v, want none", got)
	}
}

// An edit must not change the cached search: the event stays if nothing matches.
func TestAnEditLeavesTheCachedSearchAlone(t *testing.T) {
	t.Parallel()
	for name, pair := range edits() {
		s := cached()
		edit(t, s, pair[0])
		if diff := cmp.Diff(cached(), s); diff != "" {
			t.Errorf("%s changed the cache (-before +after):\n%s", name, diff)
		}
	}
}

func TestHoursOfOtherDaysDoNotBindANewDay(t *testing.T) {
	t.Parallel()
	s := cached()
	s.Template.Hours = &meet.Hours{Week: interval.Week{1: {{Start: interval.At(9, 0), End: interval.At(12, 0)}}}}
	wednesday := []DateRange{{"2031-05-14", "2031-05-14"}}
	if got := edit(t, s, EditArguments{NewDates: wednesday}).Template.Hours; got != nil {
		t.Errorf("hours on a Wednesday = %+v, want none", got)
	}
	monday := []DateRange{{"2031-05-12", "2031-05-12"}}
	if got := edit(t, s, EditArguments{NewDates: monday}).Template.Hours; got == nil {
		t.Error("the hours of Mondays are gone on another Monday")
	}
}

func TestAnotherNameOfAParticipantIsTheSamePerson(t *testing.T) {
	t.Parallel()
	c := TemplateContext{Search: cached(), Alias: func(name string) string {
		if name == "Byron" {
			return "Ada"
		}
		return name
	}}
	draft, err := editEventTemplate(t.Context(), c, EditArguments{
		TimePreference: "none", AddParticipants: []string{"Byron", "Tom"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Ada", "Tom"}, draft.Template.Participants); diff != "" {
		t.Errorf("somebody came twice (-want +got):\n%s", diff)
	}
	draft, err = editEventTemplate(t.Context(), c, EditArguments{
		TimePreference: "none", RemoveParticipants: []string{"Byron"},
	})
	if err != nil || len(draft.Template.Participants) != 0 || len(draft.People) != 0 {
		t.Errorf("%v %v, %v, want nobody", draft.Template.Participants, draft.People, err)
	}
}

func TestNoVenueIsSearchedForAnEventAtHome(t *testing.T) {
	t.Parallel()
	draft := edit(t, cached(), EditArguments{NewPlaceType: ptr("none")})
	if SeeksPlace(draft.Template) || draft.PlaceQuery != nil || len(draft.CachedPlaces) > 0 || !draft.Edit.ChangedPlace {
		t.Errorf("got %+v", draft)
	}
	again := edit(t, &meet.Search{Template: draft.Template}, EditArguments{NewPlaceType: ptr("cafe")})
	if !SeeksPlace(again.Template) || again.PlaceQuery == nil {
		t.Errorf("got %+v", again)
	}
}

func TestTitlesKeepTheCaseOfTheirWriter(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"coffee with ada": "Coffee with Ada", "cita con el dentista": "Cita con el dentista",
		"budget review with ada, Grace and will": "Budget review with Ada, Grace and Will",
		"Q3 planning":                            "Q3 planning", "iOS demo": "iOS demo", "קפה עם דנה": "קפה עם דנה",
		"lunch with my mom and the team": "Lunch with my mom and the team",
	} {
		if got := titleCase(title, []string{"ada lovelace", "will", "my mom", "the team"}); got != want {
			t.Errorf("titleCase(%q) = %q, want %q", title, got, want)
		}
	}
}
