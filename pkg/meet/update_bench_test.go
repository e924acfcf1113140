package meet_test

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

// The longest of a turn's updates and one of the shortest.
func BenchmarkMarshalUpdate(b *testing.B) {
	updates := []meet.Update{
		meet.MessageUpdate{
			Text: strings.Repeat("Blue Bottle & Co. ", 60),
			HTML: strings.Repeat("<p>Blue Bottle</p>", 100), ComposedBy: meet.ByModel,
		},
		meet.ProgressUpdate{Text: "Narrowing down times & places...", Stage: "candidates", Step: 4, Of: 5},
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, u := range updates {
			if _, err := meet.MarshalUpdate(u); err != nil {
				b.Fatal(err)
			}
		}
	}
}
