package candidates

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

func TestWishesAreGivenUpIfNothingIsFound(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		query meet.PlaceQuery
		want  []string
	}{
		{"nothing to give up", meet.PlaceQuery{}, []string{"anywhere, anything"}},
		{"close to somebody", meet.PlaceQuery{Close: true}, []string{"close, anything", "anywhere, anything"}},
		{"somewhere else", meet.PlaceQuery{Without: []string{"x"}}, []string{"anywhere, not shown", "anywhere, anything"}},
		{"both", meet.PlaceQuery{Close: true, Without: []string{"x"}}, []string{
			"close, not shown", "anywhere, not shown", "close, anything", "anywhere, anything",
		}},
	} {
		var got []string
		for _, q := range lessAndLess(tt.query, nil) {
			where, what := "anywhere", "anything"
			if q.Close {
				where = "close"
			}
			if len(q.Without) > 0 {
				what = "not shown"
			}
			got = append(got, where+", "+what)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// What the newest message wishes for stands. Of the older wishes as few go as possible, the oldest first, and what
// a person needs in order to eat there goes last.
func TestOlderWishesAreGivenUpFirst(t *testing.T) {
	t.Parallel()
	quiet, cheap, vegan := meet.Wish(meet.Quiet), meet.Wish(meet.Cheap), meet.Wish(meet.Vegan)
	in := meet.PlaceQuery{Features: []meet.Feature{meet.Quiet, meet.Cheap, meet.Vegan}, Area: "the Harbor"}
	const all, nowhere = "quiet cheap vegan, the Harbor", "quiet cheap vegan, "
	for _, tt := range []struct {
		name  string
		older []meet.Wish
		want  []string
	}{
		{"all are of this message", nil, []string{all}},
		{"one is older", []meet.Wish{cheap}, []string{all, "quiet vegan, the Harbor"}},
		{"where is older", []meet.Wish{meet.Somewhere}, []string{all, nowhere}},
		{"two are older", []meet.Wish{cheap, quiet}, []string{
			all, "quiet vegan, the Harbor", "cheap vegan, the Harbor", "vegan, the Harbor",
		}},
		{"a need is the oldest", []meet.Wish{vegan, quiet, meet.Somewhere}, []string{
			all, "cheap vegan, the Harbor", nowhere, "cheap vegan, ", "quiet cheap, the Harbor", "cheap, ",
		}},
	} {
		var got []string
		for _, q := range lessAndLess(in, tt.older) {
			var features []string
			for _, f := range q.Features {
				features = append(features, string(f))
			}
			got = append(got, strings.Join(features, " ")+", "+q.Area)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestTheSearchIsAroundAPerson(t *testing.T) {
	t.Parallel()
	home, work, middle := geo.Point{Latitude: 1}, geo.Point{Latitude: 2}, geo.Point{Latitude: 3}
	both := meet.Person{Name: "Ada Byron", Location: &meet.Location{Point: home}, Office: &meet.Location{Point: work}}
	atHome, atWork, nowhere := both, both, both
	atHome.Office, atWork.Location = nil, nil
	nowhere.Office, nowhere.Location = nil, nil
	for _, tt := range []struct {
		name      string
		organizer meet.Person
		around    *meet.Person
		where     meet.Whereabouts
		near      geo.Point
		notes     meet.SearchNotes
	}{
		{"nobody", both, nil, meet.Whereabouts{}, middle, meet.SearchNotes{}},
		{"my office", both, nil, meet.Whereabouts{Person: "me", Anchor: meet.AtOffice}, work, meet.SearchNotes{
			Around: "me", Anchor: meet.AtOffice,
		}},
		{"near me", both, nil, meet.Whereabouts{Person: "me", Anchor: meet.AtLocation}, home, meet.SearchNotes{
			Around: "me", Anchor: meet.AtLocation,
		}},
		{"an office that is not known", atHome, nil, meet.Whereabouts{Person: "me", Anchor: meet.AtOffice}, home,
			meet.SearchNotes{Around: "me", Anchor: meet.AtLocation, NoOffice: "me"}},
		{"only the office is known", atWork, nil, meet.Whereabouts{Person: "me", Anchor: meet.AtLocation}, work,
			meet.SearchNotes{Around: "me", Anchor: meet.AtOffice}},
		{"nothing is known", nowhere, nil, meet.Whereabouts{Person: "me", Anchor: meet.AtOffice}, middle,
			meet.SearchNotes{NoLocation: "me"}},
		{"somebody else", nowhere, &both, meet.Whereabouts{Person: "Ada", Anchor: meet.AtOffice}, work,
			meet.SearchNotes{Around: "Ada Byron", Anchor: meet.AtOffice}},
		{"a stranger", both, nil, meet.Whereabouts{Person: "Bo", Anchor: meet.AtLocation}, middle,
			meet.SearchNotes{NoLocation: "Bo"}},
	} {
		draft := meet.Draft{Template: meet.Template{Wishes: meet.Wishes{Where: tt.where}}, Around: tt.around}
		s := &search{Query: Query{Turn: meet.Turn{Organizer: tt.organizer}, Draft: draft}, middle: &middle}
		query, notes := s.anchored(meet.PlaceQuery{})
		if *query.Near != tt.near || !cmp.Equal(notes, tt.notes) || query.Close != (notes.Around != "") {
			t.Errorf("%s: around %v, close: %v, notes %+v", tt.name, *query.Near, query.Close, notes)
		}
	}
}

// Without a known location the wish must say where, or there is nowhere to look. An office is as good as a
// location.
func TestNoKnownLocation(t *testing.T) {
	t.Parallel()
	at := meet.Location{Point: geo.Point{Latitude: 1}}
	stranger, settled, busy := meet.Person{Name: "Bo"}, meet.Person{
		Name: "Al", Location: &at,
	}, meet.Person{Name: "Cy", Office: &at}
	for _, tt := range []struct {
		name    string
		people  []meet.Person
		where   meet.Whereabouts
		nowhere bool
	}{
		{"nobody's", []meet.Person{stranger, stranger}, meet.Whereabouts{}, true},
		{"one person's", []meet.Person{stranger, settled}, meet.Whereabouts{}, false},
		{"one person's office", []meet.Person{stranger, busy}, meet.Whereabouts{}, false},
		{"an area", []meet.Person{stranger}, meet.Whereabouts{Area: "the Harbor"}, false},
		{"a landmark", []meet.Person{stranger}, meet.Whereabouts{Landmark: "the station"}, false},
		{"near me", []meet.Person{stranger}, meet.Whereabouts{Person: meet.Myself, Anchor: meet.AtLocation}, true},
	} {
		draft := meet.Draft{Template: meet.Template{Wishes: meet.Wishes{Where: tt.where}}, People: tt.people[1:]}
		q := Query{Turn: meet.Turn{Organizer: tt.people[0]}, Draft: draft}
		query, notes := new(Finder).begin(t.Context(), q).anchored(meet.PlaceQuery{})
		if notes.Nowhere != tt.nowhere || tt.nowhere && query.Near != nil {
			t.Errorf("%s: around %v, nowhere: %v, want %v", tt.name, query.Near, notes.Nowhere, tt.nowhere)
		}
	}
}

// The distance from a person is never shown as the distance from the middle of everyone.
func TestDistances(t *testing.T) {
	t.Parallel()
	at, middle := geo.Point{Latitude: 37.80, Longitude: -122.4}, geo.Point{Latitude: 37.79, Longitude: -122.4}
	for _, tt := range []struct {
		name                   string
		close                  bool
		middle                 *geo.Point
		fromMiddle, fromAnchor float64
	}{
		{"from the middle", false, &middle, 0.5, 0},
		{"from somebody's office", true, &middle, 1.112, 0.5},
		{"from an office, where nobody is known to live anywhere", true, nil, 0, 0.5},
	} {
		places := []meet.Place{{Location: at, DistanceFromMidpointKm: 0.5}}
		(&search{middle: tt.middle}).measure(places, meet.PlaceQuery{Close: tt.close})
		if p := places[0]; p.DistanceFromMidpointKm != tt.fromMiddle || p.DistanceFromAnchorKm != tt.fromAnchor {
			t.Errorf("%s: %v km from the middle and %v km from the anchor, want %v and %v",
				tt.name, p.DistanceFromMidpointKm, p.DistanceFromAnchorKm, tt.fromMiddle, tt.fromAnchor)
		}
	}
}

// A participant who joins later moves the middle, and so changes the distances of places found before.
func TestCachedPlacesAreMeasuredAnew(t *testing.T) {
	t.Parallel()
	living := func(latitude float64) meet.Person {
		return meet.Person{Location: &meet.Location{Point: geo.Point{Latitude: latitude, Longitude: -122.4}}}
	}
	cached := []meet.Place{
		{Location: geo.Point{Latitude: 37.80, Longitude: -122.4}, DistanceFromMidpointKm: 0.5}, {DistanceFromMidpointKm: 0.5},
	}
	organizer := living(37.79)
	for _, tt := range []struct {
		name  string
		with  []meet.Person
		first float64
	}{
		{"alone", nil, 1.112}, {"with somebody farther off", []meet.Person{living(37.77)}, 2.224},
	} {
		found := placesFor(t, organizer, meet.Draft{CachedPlaces: cached, People: tt.with}).list
		if near, nowhere := found[0].DistanceFromMidpointKm, found[1].DistanceFromMidpointKm; near != tt.first ||
			nowhere != 0 {
			t.Errorf("%s: %v and %v km from the middle, want %v and 0", tt.name, near, nowhere, tt.first)
		}
	}
	if cached[0].DistanceFromMidpointKm != 0.5 {
		t.Error("the cached search was changed")
	}
}

// Whom the places of an earlier search are close to is said of them later too; how that search went was said then.
func TestCachedPlacesAreStillCloseToAPerson(t *testing.T) {
	t.Parallel()
	me := meet.Person{ID: "me", Name: "Mia", Location: &meet.Location{Point: geo.Point{Latitude: 1}}}
	draft := meet.Draft{
		Template: meet.Template{Wishes: meet.Wishes{Where: meet.Whereabouts{Person: "me", Anchor: meet.AtOffice}}},
	}
	got := placesFor(t, me, draft).notes
	if diff := cmp.Diff(meet.SearchNotes{Around: "me", Anchor: meet.AtLocation}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func placesFor(t *testing.T, organizer meet.Person, draft meet.Draft) placesFound {
	t.Helper()
	return new(Finder).begin(t.Context(), Query{Turn: meet.Turn{Organizer: organizer}, Draft: draft}).places(t.Context())
}

// wished is a place so far away, with so many wishes met and so many known not to be.
func wished(name string, km float64, met, unmet int) meet.Place {
	features := meet.Features()
	return meet.Place{
		ID: name, Name: name, DistanceFromMidpointKm: km, Types: []string{strings.ToLower(name[:1])},
		Wishes: &meet.Fit{Met: features[:met], Unmet: features[met : met+unmet]},
	}
}

func TestTheFittestGoFirst(t *testing.T) {
	t.Parallel()
	none, one, two, far := wished("None", 1, 0, 0), wished("One", 2, 1, 0), wished("Two", 4, 2, 0), wished("Far", 30, 1, 0)
	lacking, named, there := wished("Lacking", 0.5, 0, 1), wished("Zuni", 1, 0, 1), wished("There", 1, 0, 0)
	named.Named, there.InArea = true, true
	vegan := wished("Vegan", 9, 0, 0)
	vegan.Wishes.Met = []meet.Feature{meet.Vegan}
	for _, tt := range []struct {
		name   string
		places []meet.Place
		want   string
	}{
		{"who meets more", []meet.Place{none, one, two}, "Two One None"},
		{"but not from far away", []meet.Place{none, far}, "None Far"},
		{"who lacks it comes last", []meet.Place{lacking, none}, "None Lacking"},
		{"a name that was said stays", []meet.Place{named, two}, "Zuni Two"},
		{"where it was wished for weighs more than a feature", []meet.Place{one, there}, "There One"},
		{"what somebody eats weighs more than where", []meet.Place{there, vegan}, "Vegan There"},
		{"equals keep their order", []meet.Place{wished("B", 3, 1, 0), wished("A", 1, 1, 0)}, "B A"},
	} {
		var got []string
		for _, i := range fittestFirst(tt.places, withFirst(0, len(tt.places))) {
			got = append(got, tt.places[i].Name)
		}
		if names := strings.Join(got, " "); names != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, names, tt.want)
		}
	}
}

func TestAnOpenWishGetsKindsApart(t *testing.T) {
	t.Parallel()
	of := func(name, kind string) meet.Place { return meet.Place{Name: name, Types: []string{kind}} }
	places := []meet.Place{of("A", "cafe"), of("B", "cafe"), of("C", "park"), of("D", "cafe"), of("E", "museum")}
	if got := kindsApart(places, withFirst(0, len(places))); !slices.Equal(got, []int{0, 2, 4, 1, 3}) {
		t.Errorf("order %v", got)
	}
	for _, tt := range []struct {
		template meet.Template
		open     bool
	}{
		{meet.Template{Specificity: meet.Open}, true},
		{meet.Template{Specificity: meet.Open, SuggestedPlaceTypes: []string{"cafe", "park"}}, true},
		{meet.Template{Specificity: meet.Open, SuggestedPlaceTypes: []string{"cafe"}}, false},
		{meet.Template{Specificity: meet.Open, ActivitySearchQuery: "sushi"}, false},
		{meet.Template{Specificity: meet.ActivityType, SuggestedPlaceTypes: []string{"cafe", "park"}}, false},
	} {
		if got := leavesOpen(tt.template); got != tt.open {
			t.Errorf("%+v leaves open what to do: %v", tt.template, got)
		}
	}
}
