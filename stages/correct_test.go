package stages_test

import (
	"testing"

	"convene/pkg/meet"
)

// A no that begins a message calls off what waits, also if nobody understands the rest.
func TestANoCallsOffWhatWaits(t *testing.T) {
	t.Parallel()
	d := newDay(t, nil, monday()...)
	d.plans("act", deleteThem, syncGone)
	shown, _ := find[meet.ChangesUpdate](d.say("delete the sync"))
	d.plans("act", deleteThem, `{"selection":{"titleHas":["opera"],"one":true}}`)
	ends(t, d.say("no, delete the opera"), meet.OutcomeAnswered)
	if set, _, err := d.day.Of(meet.Turn{}).Get(t.Context(), shown.Changes.ID); err != nil ||
		set.Status != meet.ChangesCancelled {
		t.Errorf("the set is %s, %v", set.Status, err)
	}
	d.wants("called off", "Budget 5 12:00", "Dentist 5 10:00", "Sync 5 15:00")
}

// What was done at once is taken back if the user says that something else was meant.
func TestACorrectionTakesBackWhatWasDone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, message string
		want          []string
	}{
		{"corrected", "no, move the budget to 4", []string{"Budget 5 16:00", "Dentist 5 10:00"}},
		{"something else", "move the budget to 4", []string{"Budget 5 16:00", "Dentist 5 16:00"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil, on(3, "10:00", "Dentist"), on(3, "12:00", "Budget"))
			d.plans("act", moveThem, dentistTo4)
			ends(t, d.say("move the dentist to 4"), meet.OutcomeChanged)
			d.plans("act", moveThem, `{"selection":{"titleHas":["budget"],"one":true},"to":{"time":"16:00"}}`)
			if got := d.say(tt.message); got.err != nil {
				t.Fatal(got.err)
			}
			d.wants(tt.name, tt.want...)
		})
	}
}
