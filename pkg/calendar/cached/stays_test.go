package cached_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/geo"
	"convene/pkg/meet"
)

// A snapshot keeps where events are, and only that of them.
func TestStaysAreKept(t *testing.T) {
	scene(t, func(q question) {
		q.vendor.set(func(v *vendor) { v.events[0].at = &geo.Point{Latitude: 52.52, Longitude: 13.405} })
		want := []meet.Stay{{Span: hours(10, 11), At: geo.Point{Latitude: 52.52, Longitude: 13.405}}}
		for _, when := range []string{"as it was read", "from memory"} {
			got, err := q.Times(q.Context(), al, hours(8, 18), "")
			if diff := cmp.Diff(want, got.Stays); diff != "" || err != nil {
				q.Errorf("%s: error %v, stays (-want +got):\n%s", when, err, diff)
			}
			time.Sleep(time.Second)
		}
		if got, _ := q.Times(q.Context(), al, hours(8, 18), "uid-1@example.com"); len(got.Stays) > 0 {
			q.Errorf("the excepted event is at %v", got.Stays)
		}
		if got, _ := q.Times(q.Context(), al, hours(12, 18), ""); len(got.Stays) > 0 {
			q.Errorf("an event at another time is at %v", got.Stays)
		}
	})
}
