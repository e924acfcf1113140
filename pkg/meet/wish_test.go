package meet_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

func TestFit(t *testing.T) {
	t.Parallel()
	met := func(f ...meet.Feature) meet.Fit { return meet.Fit{Met: f} }
	unmet := func(f ...meet.Feature) meet.Fit { return meet.Fit{Unmet: f} }
	unknown := func(f ...meet.Feature) meet.Fit { return meet.Fit{Unconfirmed: f} }
	for _, tt := range []struct {
		name   string
		place  meet.Place
		wished meet.Feature
		want   meet.Fit
	}{
		{"what it has", meet.Place{Features: []string{"Outdoor Seating"}}, meet.OutdoorSeating, met(meet.OutdoorSeating)},
		{"what it lacks", meet.Place{Lacks: []meet.Feature{meet.OutdoorSeating}}, meet.OutdoorSeating,
			unmet(meet.OutdoorSeating)},
		{"what nobody knows", meet.Place{}, meet.OutdoorSeating, unknown(meet.OutdoorSeating)},
		{"vegan is vegetarian", meet.Place{Features: []string{"vegan"}}, meet.Vegetarian, met(meet.Vegetarian)},
		{"vegetarian need not be vegan", meet.Place{Features: []string{"vegetarian"}}, meet.Vegan, unknown(meet.Vegan)},
		{"lively is not quiet", meet.Place{Features: []string{"lively"}}, meet.Quiet, unmet(meet.Quiet)},
		{"the lowest price", meet.Place{Price: 1}, meet.Cheap, met(meet.Cheap)},
		{"another price", meet.Place{Price: 2}, meet.Cheap, unmet(meet.Cheap)},
		{"a price goes before a word", meet.Place{Price: 3, Features: []string{"cheap"}}, meet.Cheap, unmet(meet.Cheap)},
		{"no price", meet.Place{}, meet.Cheap, unknown(meet.Cheap)},
		{"the highest price", meet.Place{Price: 4}, meet.Upscale, met(meet.Upscale)},
		{"three of four", meet.Place{Price: 3}, meet.Upscale, unknown(meet.Upscale)},
	} {
		if diff := cmp.Diff(tt.want, tt.place.Fit([]meet.Feature{tt.wished})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if !(meet.Place{}).Fit(nil).Complete() || (meet.Place{}).Fit([]meet.Feature{meet.Quiet}).Complete() {
		t.Error("only a place without an open wish is complete")
	}
}

func TestOppositesAreMutual(t *testing.T) {
	t.Parallel()
	for _, f := range meet.Features() {
		if o := f.Opposite(); o != "" && o.Opposite() != f {
			t.Errorf("%s is the opposite of %s, and not the other way round", o, f)
		}
	}
}
