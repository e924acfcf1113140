package offline

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// offer is a document of stage 5: three days, the second place closed on the first of them.
func offer() selectData {
	return selectData{
		Language: "en", Title: "Coffee with Al", Mode: "new",
		Activity: "coffee", CalendarType: "personal", CalendarProviders: []string{"google", "local"},
		Slots: []slotData{
			{Index: 0, When: "Tuesday, March 10 at 2:00 PM", Short: "Tuesday at 2:00 PM", State: "free", Hint: "afternoon"},
			{Index: 1, When: "Tuesday, March 10 at 2:15 PM", Short: "Tuesday at 2:15 PM", State: "free"},
			{Index: 2, When: "Wednesday, March 11 at 6:00 PM", Short: "Wednesday at 6:00 PM", State: "free", Evening: true,
				Hint: "evening"},
			{Index: 3, When: "Saturday, March 14 at 10:00 AM", Short: "Saturday at 10:00 AM", State: "unknown", Weekend: true},
		},
		Places: []placeData{
			{Index: 2, Link: "[Mill Cafe](https://maps.example/mill)", Hint: "highly rated"},
			{Index: 1, Link: "[Shut Cafe](https://maps.example/shut)", ClosedAt: []int{0, 1}},
			{Index: 0, Link: "[Far Cafe](https://maps.example/far)"},
		},
		Sentences: sentences{Closing: "Let me know if you'd like to make any changes!"},
	}
}

func TestProposal(t *testing.T) {
	t.Parallel()
	got := propose(offer())
	want := eventArguments{
		RankedSlotIndices: []int{0, 2, 1, 3}, RankedPlaceIndices: []int{2, 0}, CalendarProvider: "google",
		Message: "I suggest **Coffee with Al** on **Tuesday, March 10 at 2:00 PM** at [Mill " +
			"Cafe](https://maps.example/mill).\n\n" +
			"Let me know if you'd like to make any changes!",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("proposal (-want +got):\n%s", diff)
	}
}

func TestProposalSaysAllThatItMust(t *testing.T) {
	t.Parallel()
	d := offer()
	d.Mode, d.Previous = "edit", "Monday, March 9 at 2:00 PM"
	d.ShowAlternativePlaces, d.ShowAlternativeTimes = true, true
	d.Sentences = sentences{
		Buffer: "I've left time.", Conflict: "It conflicts.",
		Unread: "Not checked.", NoCommonTime: "None suits.", Closing: "Bye!",
	}
	want := "I suggest moving **Coffee with Al** to **Tuesday, March 10 at 2:00 PM** at [Mill " +
		"Cafe](https://maps.example/mill). *I've left time.*\n\n" +
		"It conflicts.\n\nNone suits.\n\nNot checked.\n\n" +
		"I also considered these options:\n- [Far Cafe](https://maps.example/far)\n- **Wednesday at 6:00 PM** - evening\n" +
		"- **Tuesday at 2:15 PM**\n- **Saturday at 10:00 AM**\n\nBye!"
	if diff := cmp.Diff(want, propose(d).Message); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
	d.Previous = d.Slots[0].When
	if got, want := propose(d).Message[:42], "My new suggestion for **Coffee with Al**: "; got != want {
		t.Errorf("an edit at the same time begins %q, want %q", got, want)
	}
}

func TestUncheckedAndTakenTimesComeLast(t *testing.T) {
	t.Parallel()
	slots := []slotData{
		{Index: 0, Short: "Tuesday at 2:00 PM", State: "conflict"}, {Index: 1, Short: "Friday at 9:00 AM", State: "unknown"},
		{Index: 2, Short: "Tuesday at 3:00 PM", State: "free"}, {Index: 3, Short: "Monday at 9:00 AM", State: "conflict"},
		{Index: 4, Short: "Tuesday at 4:00 PM", State: "free"}, {Index: 5, Short: "Wednesday at 9:00 AM", State: "free"},
	}
	// The first is the time that was asked for, which stands whatever its state.
	if diff := cmp.Diff([]int{0, 5, 2, 4}, rankSlots(selectData{Slots: slots})); diff != "" {
		t.Errorf("ranked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{2, 5, 4, 1},
		rankSlots(selectData{Slots: slices.Insert(slices.Delete(slices.Clone(slots), 2, 3), 0, slots[2])})); diff != "" {
		t.Errorf("ranked (-want +got):\n%s", diff)
	}
}

func TestLeisureGoesToTheEveningOnAPersonalCalendar(t *testing.T) {
	t.Parallel()
	d := offer()
	d.Activity = "custom"
	if got := propose(d).RankedSlotIndices[0]; got != 2 {
		t.Errorf("best slot is %d, want the evening", got)
	}
	d.CalendarType = "work"
	if got := propose(d).RankedSlotIndices[0]; got != 0 {
		t.Errorf("best slot on a work calendar is %d, want the first", got)
	}
}

func TestNothingIsPairedWithAClosedPlace(t *testing.T) {
	t.Parallel()
	d := offer()
	d.Places = d.Places[1:2]
	got := propose(d)
	if got.RankedSlotIndices[0] != 2 || !cmp.Equal(got.RankedPlaceIndices, []int{1}) {
		t.Errorf("slots %v with places %v, want the evening, when it is open", got.RankedSlotIndices, got.RankedPlaceIndices)
	}
	d.Slots = d.Slots[:2]
	if got := propose(d); len(got.RankedPlaceIndices) != 0 {
		t.Errorf("places %v, want none while all are closed", got.RankedPlaceIndices)
	}
}

func TestNothingToPropose(t *testing.T) {
	t.Parallel()
	want := eventArguments{
		RankedSlotIndices: []int{}, RankedPlaceIndices: []int{}, CalendarProvider: "local",
		Message: "I couldn't find a suitable time. Let me know if you'd like to try something else!",
	}
	if diff := cmp.Diff(want, propose(selectData{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOtherTimes(t *testing.T) {
	t.Parallel()
	d := offer()
	d.Sentences.Standing = "Your original time, **Monday, March 9 at 2:00 PM**, still stands."
	want := alternativesArguments{
		RankedSlotIndices: []int{0, 2, 3},
		Message: "Your original time, **Monday, March 9 at 2:00 PM**, still stands.\n\n" +
			"I also considered these alternative times:\n- **Tuesday at 2:00 PM** - afternoon\n- **Wednesday at 6:00 PM** - " +
			"evening\n" +
			"- **Saturday at 10:00 AM** (may have conflicts)\n\nLet me know if you'd like to try one of these instead!",
	}
	if diff := cmp.Diff(want, otherTimes(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := otherTimes(selectData{}); len(got.RankedSlotIndices) != 0 || got.Message == "" {
		t.Errorf("without slots: %+v", got)
	}
}
