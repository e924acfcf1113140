package place_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/place"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	kinds, err := place.ReadKinds("# what is what\n\ncafe: 11 12\n  wine bar: 13\ncoffee: 11\nsushi: 14\n")
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		Names []string
		Words string
	}
	for written, want := range map[string]answer{
		"cafe":              {[]string{"11", "12"}, "cafe"},
		" Cafes ":           {[]string{"11", "12"}, "cafes"},
		"wine_bar":          {[]string{"13"}, "wine bar"},
		"sushi restaurants": {[]string{"14"}, "sushi restaurants"},
		"bowling":           {nil, "bowling"},
		"":                  {nil, ""},
	} {
		var got answer
		got.Names, got.Words = kinds.Of(written)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", written, diff)
		}
	}
	if kind, ok := kinds.Called("11"); kind != "cafe" || !ok {
		t.Errorf("11 is called %q, want cafe, which is the first that has it", kind)
	}
	if kind, ok := kinds.Called("99"); ok {
		t.Errorf("99 is called %q, want nothing", kind)
	}
	for _, damaged := range []string{"cafe", "cafe: ", "cafe: 11\nbar\n"} {
		if _, err := place.ReadKinds(damaged); err == nil {
			t.Errorf("%q was read", damaged)
		}
	}
}
