package message

import (
	"fmt"
	"testing"
	"time"

	"convene/pkg/meet"
)

// BenchmarkReader is a whole message about 24 times for twenty people in as many zones, reader included.
func BenchmarkReader(b *testing.B) {
	f := coffee(b)
	for i := range 19 {
		f.People = append(f.People, meet.Person{
			Name: fmt.Sprintf("P%c Person", 'a'+i), Timezone: fmt.Sprintf("Etc/GMT-%d", i%12),
		})
	}
	for i := range 19 {
		f.Slots = append(f.Slots, meet.Slot{Start: f.Now.Add(time.Duration(i+90) * time.Hour), State: meet.SlotFree})
	}
	text := f.Proposal(four())
	b.ResetTimer()
	for b.Loop() {
		if _, _, err := check(f, four(), PathProposal, text); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAcknowledgment is an ordinary one, in which nothing is wrong.
func BenchmarkAcknowledgment(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, problems := Acknowledgment("Let me find a good time for coffee with Al next week.",
			"Let's grab coffee with Al next week"); problems > 0 {
			b.Fatal(problems)
		}
	}
}

// BenchmarkNewReader is the facts of a proposal made ready for what a model writes of them, with 16 more places.
func BenchmarkNewReader(b *testing.B) {
	facts := coffee(b)
	for i := range 16 {
		facts.Places = append(facts.Places, meet.Place{
			Name: fmt.Sprintf("%c Café", 'A'+i), MapsURL: "https://maps.example/", Rating: 4.2,
			DistanceFromMidpointKm: float64(i+1) / 10, Features: []string{"outdoor seating", "quiet"},
		})
	}
	f := facts.Prepared()
	b.ReportAllocs()
	for b.Loop() {
		NewReader(f, four(), PathProposal)
	}
}
