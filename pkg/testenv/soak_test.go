package testenv_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/testenv"
)

func TestSample(t *testing.T) {
	cases := []int{1, 2, 3, 4, 5, 6}
	for _, tt := range []struct {
		soak string
		some int
		want []int
	}{
		{"", 2, []int{1, 4}},
		{"", 4, []int{1, 2, 4, 5}},
		{"", 9, cases},
		{"1", 2, cases},
	} {
		t.Setenv(testenv.SoakVariable, tt.soak)
		if diff := cmp.Diff(tt.want, testenv.Sample(tt.some, cases)); diff != "" {
			t.Errorf("%d of six, soak %q (-want +got):\n%s", tt.some, tt.soak, diff)
		}
	}
}
