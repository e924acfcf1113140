package candidates

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// The decision table of pipeline.md, a row a case; the first that holds decides, so later rows are also tried with what
// the earlier ones look at.
func TestDetermineAlternativesToShow(t *testing.T) {
	t.Parallel()
	day := interval.Date{Year: 2031, Month: 5, Day: 6}
	neither := meet.Template{}
	timed := meet.Template{Dates: []interval.DateRange{{Start: day, End: day}}}
	hours := meet.Template{Hours: &meet.Hours{Week: interval.EveryDay(interval.Window{Start: 600, End: 600})}}
	placed := meet.Template{PlaceName: "The Corner", Specificity: meet.SpecificPlace}
	both := meet.Template{Dates: timed.Dates, PlaceName: "The Corner"}
	var (
		places  = meet.Shown{Places: true}
		times   = meet.Shown{Times: true}
		warning = meet.Shown{Times: true, ConflictWarning: true}
		nothing = meet.Shown{}
	)
	for _, tt := range []struct {
		name     string
		template meet.Template
		valid    bool
		edit     *meet.Edit
		want     meet.Shown
	}{
		{"explicit time conflicts", timed, false, nil, warning},
		{"explicit time conflicts, place given too", both, false, nil, warning},
		{"explicit time conflicts in an edit of both", both, false, &meet.Edit{
			ChangedTime: true, ChangedPlace: true,
		}, warning},
		{"explicit time conflicts in an edit of the place", placed, false, &meet.Edit{ChangedPlace: true}, warning},
		{"edit changed both time and place", both, true, &meet.Edit{ChangedTime: true, ChangedPlace: true}, nothing},
		{"edit changed both, neither was given before", neither, true, &meet.Edit{
			ChangedTime: true, ChangedPlace: true,
		}, nothing},
		{"edit changed time or date", timed, true, &meet.Edit{ChangedTime: true}, times},
		{"edit changed time, place given", both, true, &meet.Edit{ChangedTime: true}, times},
		{"edit asked for earlier", neither, true, &meet.Edit{ChangedTime: true, Preference: meet.Earlier}, times},
		{"edit changed place", placed, true, &meet.Edit{ChangedPlace: true}, places},
		{"edit changed place, time given", both, true, &meet.Edit{ChangedPlace: true}, places},
		{"edit changed neither, both given", both, true, &meet.Edit{}, nothing},
		{"edit changed neither, none given", neither, true, &meet.Edit{}, places},
		{"date and place both given and valid", both, true, nil, nothing},
		{"date given and valid", timed, true, nil, places},
		{"time given and valid", hours, true, nil, places},
		{"place given and valid", placed, true, nil, times},
		{"neither given", neither, true, nil, places},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := determineAlternativesToShow(tt.template, tt.valid, tt.edit)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
