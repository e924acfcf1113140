package calendar_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// An invitation that only its organizer can change is refused when it is shown, and can still be declined or deleted.
func TestWhatOnlyItsOrganizerCanChange(t *testing.T) {
	t.Parallel()
	theirs := func(o *meet.Occurrence) { o.Theirs = true }
	hall := at(2, "16:00", "Town hall", invitedBy(ada), theirs)
	for name, arguments := range map[string]string{
		"calendar_moveEvents":   `{"selection":{"titleHas":["town hall"],"one":true},"to":{"byMinutes":30}}`,
		"calendar_updateEvents": `{"selection":{"titleHas":["town hall"],"one":true},"set":{"title":"Hall"}}`,
	} {
		result := call(t, worldOf(hall), name, arguments)
		e := result.Response.Error
		if e == nil || len(result.Changes) > 0 || !strings.Contains(e.Message, "Only Ada Byron can change Town hall") {
			t.Fatalf("%s: got %+v, %v", name, e, lines(t, result))
		}
		if diff := cmp.Diff([]string{"Decline town hall"}, e.SuggestedActions); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for name, arguments := range map[string]string{
		"calendar_respond":      `{"selection":{"titleHas":["town hall"]},"answer":"declined"}`,
		"calendar_deleteEvents": `{"selection":{"titleHas":["town hall"]}}`,
	} {
		if result := call(t, worldOf(hall), name, arguments); len(result.Changes) != 1 {
			t.Errorf("%s: got %+v", name, result.Response.Error)
		}
	}
	both := call(t, worldOf(hall, at(2, "14:00", "Plan")), "calendar_moveEvents",
		`{"selection":{"window":{"start":"2027-03-11","end":"2027-03-12"}},"to":{"byDays":1}}`)
	if diff := cmp.Diff([]string{"update Plan 2027-03-11T14:00 → 2027-03-12T14:00"}, lines(t, both)); diff != "" {
		t.Error(diff)
	}
	if got := both.Response.Display.Description; !strings.Contains(got, "can change it: Town hall") {
		t.Errorf("%q does not say what stays", got)
	}
}

func TestWhatIsFreeOrOverStaysWhenADayIsCleared(t *testing.T) {
	t.Parallel()
	free := func(o *meet.Occurrence) { o.Transparent = true }
	w := worldOf(at(0, "07:00", "Run"), at(0, "10:00", "Review"), at(0, "11:00", "Parade", free))
	result := call(t, w, "calendar_deleteEvents", `{"selection":{"window":{"start":"2027-03-09","end":"2027-03-10"}}}`)
	if diff := cmp.Diff([]string{"delete Review 2027-03-09T10:00"}, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	for _, says := range []string{"over already stays", "because it takes none of your time: Parade"} {
		if got := result.Response.Display.Description; !strings.Contains(got, says) {
			t.Errorf("%q does not say %q", got, says)
		}
	}
}

func TestWhatWasFoundIsChangedAndACalendarThatCannotBeReadTold(t *testing.T) {
	t.Parallel()
	w := worldOn(base{events: []meet.Occurrence{at(1, "09:00", "Budget review")}, broken: true})
	result := call(t, w, "calendar_deleteEvents", `{"selection":{"titleHas":["budget"]}}`)
	text := result.Response.Display.Description
	if len(result.Changes) != 1 || !result.Unsure || !strings.Contains(text, "could not be read") {
		t.Errorf("got %v, unsure %v, %q", lines(t, result), result.Unsure, text)
	}
	byID := call(t, w, "calendar_moveEvents", `{"selection":{"ids":["budget-review"]},"to":{"byMinutes":15}}`)
	if byID.Unsure {
		t.Error("an event that is named by its id is meant, whatever the other calendar has")
	}
	missing := call(t, w, "calendar_deleteEvents", `{"selection":{"titleHas":["dentist"]}}`)
	if e := missing.Response.Error; e == nil || e.Code != "calendar_failed" {
		t.Errorf("what is not among the rest may be in the other calendar: got %+v", e)
	}
}
