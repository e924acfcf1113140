package functions

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

func TestWishesOfANewEvent(t *testing.T) {
	t.Parallel()
	in := TemplateArguments{
		Title: "coffee", EventType: "in-person", Activity: "coffee", IntentSpecificity: "open", PlaceName: "The Anchor",
		Wishes: []Wish{"vegan", "lively", "quiet", "vegan"}, Where: &Where{Area: " the   Harbor ", Anchor: "office"},
		ExcludedPlaces: []string{" The Mill", "the mill", ""},
	}
	draft, err := generateEventTemplate(t.Context(), TemplateContext{Search: cached()}, in)
	if err != nil {
		t.Fatal(err)
	}
	want := meet.Wishes{
		Features: []meet.Feature{meet.Quiet, meet.Vegan}, // the last of two opposites, each once, in their order
		Where:    meet.Whereabouts{Area: "the Harbor"},
		Excluded: []string{"The Mill"}, // and The Anchor not any more, which is asked for by name
	}
	if diff := cmp.Diff(want, draft.Template.Wishes); diff != "" {
		t.Errorf("wishes (-want +got):\n%s", diff)
	}
	query := &meet.PlaceQuery{Name: "The Anchor", Features: want.Features, Area: "the Harbor", Excluded: want.Excluded}
	if diff := cmp.Diff(query, draft.PlaceQuery); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
}

func TestWhereAPersonIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in   *Where
		want meet.Whereabouts
	}{
		{nil, meet.Whereabouts{}},
		{&Where{Anchor: "none"}, meet.Whereabouts{}},
		{&Where{Anchor: "office"}, meet.Whereabouts{}},
		{&Where{Person: "me", Anchor: "office"}, meet.Whereabouts{Person: "me", Anchor: meet.AtOffice}},
		{&Where{Person: "Ada", Anchor: "none"}, meet.Whereabouts{Person: "Ada", Anchor: meet.AtLocation}},
		{&Where{Landmark: "the Pier"}, meet.Whereabouts{Landmark: "the Pier"}},
	} {
		if got := whereabouts(tt.in); got != tt.want {
			t.Errorf("%+v is %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

// What asks for a place at all makes one be looked for; at home, nothing is wished of it.
func TestAWishSeeksAPlace(t *testing.T) {
	t.Parallel()
	open := meet.Template{EventType: meet.InPerson, Specificity: meet.Open}
	if SeeksPlace(open) {
		t.Error("nothing is wished for, and a place is looked for")
	}
	open.Wishes.Excluded = []string{"The Mill"}
	if SeeksPlace(open) {
		t.Error("a place that was turned down is no wish for another")
	}
	open.Wishes.Where.Person = "me"
	if !SeeksPlace(open) {
		t.Error("near me is somewhere")
	}
	draft := edit(t, cached(), EditArguments{NewPlaceType: ptr("none")})
	if w := draft.Template.Wishes; len(w.Features) > 0 || w.Where != (meet.Whereabouts{}) || len(w.Excluded) == 0 {
		t.Errorf("at home, wishes are %+v", w)
	}
}

func TestAnotherPlaceWasNotShown(t *testing.T) {
	t.Parallel()
	s := cached()
	s.ShownPlaces = []string{"corner", "The Corner"}
	draft := edit(t, s, EditArguments{ExcludePlaces: []string{"The Corner"}})
	if diff := cmp.Diff(s.ShownPlaces, draft.PlaceQuery.Without); diff != "" {
		t.Errorf("what was shown (-want +left out):\n%s", diff)
	}
	if draft = edit(t, s, EditArguments{AddWishes: []Wish{"quiet"}}); draft.PlaceQuery.Without != nil {
		t.Error("a wish leaves out what was shown")
	}
	if draft = edit(t, s, EditArguments{NewPlaceName: ptr("the anchor")}); len(draft.Template.Wishes.Excluded) != 0 {
		t.Error("a venue that is asked for by name is still turned down")
	}
}

// What the newest message wishes for is never among those that are given up for it.
func TestOlderWishes(t *testing.T) {
	t.Parallel()
	quiet, cheap, outside := meet.Wish(meet.Quiet), meet.Wish(meet.Cheap), meet.Wish(meet.OutdoorSeating)
	for _, tt := range []struct {
		name string
		in   EditArguments
		want []meet.Wish
	}{
		{"nothing of a place", EditArguments{NewDuration: ptr(90)}, []meet.Wish{cheap, meet.Somewhere, outside}},
		{"another wish", EditArguments{AddWishes: []Wish{"vegan"}}, []meet.Wish{cheap, meet.Somewhere, outside}},
		{"one that there was", EditArguments{AddWishes: []Wish{"cheap"}}, []meet.Wish{meet.Somewhere, outside}},
		{"its opposite", EditArguments{AddWishes: []Wish{"upscale"}}, []meet.Wish{meet.Somewhere, outside}},
		{"one less", EditArguments{RemoveWishes: []Wish{"outdoor seating"}}, []meet.Wish{cheap, meet.Somewhere}},
		{"somewhere else", EditArguments{NewWhere: &Where{Person: "me", Anchor: "office"}}, []meet.Wish{cheap, outside}},
	} {
		s := cached()
		s.Wished = []meet.Wish{cheap, quiet, meet.Somewhere, outside}
		if diff := cmp.Diff(tt.want, edit(t, s, tt.in).Older); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}
