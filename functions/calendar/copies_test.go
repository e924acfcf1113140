package calendar_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/pkg/meet"
)

// Where either half of the day is as likely, the user chooses, and the choice stands in the argument.
func TestAnHourWithoutItsHalfIsAskedFor(t *testing.T) {
	t.Parallel()
	result := call(t, week(), "calendar_moveEvents", `{"selection":{"titleHas":["budget"]},"to":{"time":"09:00?"}}`)
	want := []meet.Option{{ID: "09:00", Label: "9:00 AM"}, {ID: "21:00", Label: "9:00 PM"}}
	if result.Choices == nil || result.Argument != "to.time" {
		t.Fatalf("got %+v", result)
	}
	if diff := cmp.Diff(want, result.Choices.Options); diff != "" {
		t.Error(diff)
	}
}

func TestCopyEvents(t *testing.T) {
	t.Parallel()
	result := call(t, week(), "calendar_copyEvents",
		`{"selection":{"titleHas":["standup","ultrasound"],"one":true},"to":{"date":"2027-03-12"}}`)
	want := []string{"create Standup → 2027-03-12T09:30", "create Ultrasound → 2027-03-13T09:00"}
	if diff := cmp.Diff(want, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	for _, e := range data[calendar.Changed](t, result).Events {
		if len(e.Attendees) > 0 {
			t.Errorf("got %+v", e)
		}
	}
	refuses(t, week(), "calendar_copyEvents", `{"selection":{"titleHas":["standup"]},"to":{}}`, "to")
}

func TestCopyMissing(t *testing.T) {
	t.Parallel()
	personal := func(o *meet.Occurrence) { o.Calendar, o.UID = "personal", "p-"+o.UID }
	w := worldOf(
		at(1, "09:00", "Dentist", personal), at(2, "09:00", "School", personal, readOnly), at(3, "09:00", "Gym", personal),
		at(3, "09:00", "Gym"),
	)
	const arguments = `{"from":"personal","to":"Work"}`
	result := call(t, w, "calendar_copyMissing", arguments)
	want := []string{"create Dentist → 2027-03-10T09:00", "create School → 2027-03-11T09:00"}
	if diff := cmp.Diff(want, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	for _, e := range data[calendar.Changed](t, result).Events {
		if e.Calendar != "work" || len(e.Attendees) > 0 || !strings.Contains(e.Description, "personal") {
			t.Errorf("got %+v", e)
		}
	}
	again := call(t, w, "calendar_copyMissing", arguments)
	if len(again.Changes) > 0 || !strings.Contains(again.Response.Display.Description, "Nothing is missing") {
		t.Errorf("got %v, %q", lines(t, again), again.Response.Display.Description)
	}
	refuses(t, w, "calendar_copyMissing", `{"from":"work","to":"WORK"}`, "to")
	refuses(t, w, "calendar_copyMissing", `{"to":"work","both":true}`, "to")
	w = worldOf(at(1, "09:00", "Dentist", personal), at(2, "09:00", "School", personal), at(3, "09:00", "Review"))
	result = call(t, w, "calendar_copyMissing", `{"to":"work","selection":{"titleHas":["school"]}}`)
	if diff := cmp.Diff([]string{"create School → 2027-03-11T09:00"}, lines(t, result)); diff != "" {
		t.Errorf("from all others: %s", diff)
	}
}

// Nothing goes into another calendar than the one that is named, or is looked for in all of them.
func TestACalendarThatIsNotThere(t *testing.T) {
	t.Parallel()
	holidays := func(o *meet.Occurrence) { o.Calendar = "holidays" }
	for name, arguments := range map[string]string{
		"calendar_createEvents": `{"events":[{"title":"New","start":"2027-03-10T20:00","calendar":"family"}]}`,
		"calendar_findEvents":   `{"selection":{"calendars":["family"]},"aspect":"list"}`,
		"calendar_copyMissing":  `{"from":"work","to":"family"}`,
		"calendar_deleteEvents": `{"selection":{"calendars":["family"]}}`,
	} {
		w := worldOf(at(1, "09:00", "Review"), at(2, "09:00", "Liberation", holidays, readOnly))
		result := call(t, w, name, arguments)
		const want = "You have no calendar called family. There is work and holidays."
		if e := result.Response.Error; len(result.Changes) > 0 || e == nil || e.Message != want {
			t.Errorf("%s: %+v, %v", name, e, lines(t, result))
		}
	}
	w := worldOf(at(1, "09:00", "Review"), at(2, "09:00", "Liberation", holidays, readOnly))
	result := call(t, w, "calendar_createEvents",
		`{"events":[{"title":"New","start":"2027-03-10T20:00","calendar":"holidays"}]}`)
	if e := result.Response.Error; len(result.Changes) > 0 || e == nil || !strings.Contains(e.Message, "only be read") {
		t.Errorf("a calendar that can only be read: %+v", e)
	}
	w = worldOf(at(1, "09:00", "Review"))
	result = call(t, w, "calendar_findEvents", `{"selection":{"calendars":["office"]},"aspect":"list"}`)
	if e := result.Response.Error; e != nil {
		t.Errorf("the office's calendar is that for work: %+v", e)
	}
}

func TestCopyBothWaysWithoutWhatIsPrivate(t *testing.T) {
	t.Parallel()
	personal := func(o *meet.Occurrence) { o.Calendar, o.UID = "personal", "p-"+o.UID }
	secret := func(o *meet.Occurrence) { o.Visibility = meet.Private }
	w := worldOf(
		at(1, "09:00", "Dentist", personal), at(1, "12:00", "Lawyer", personal, secret), at(2, "09:00", "Review"),
		at(2, "12:00", "Interview", secret),
	)
	const arguments = `{"from":"work","to":"personal","both":true,"withoutPrivate":true}`
	want := []string{"create Review → 2027-03-11T09:00", "create Dentist → 2027-03-10T09:00"}
	if diff := cmp.Diff(want, lines(t, call(t, w, "calendar_copyMissing", arguments))); diff != "" {
		t.Error(diff)
	}
	if again := call(t, w, "calendar_copyMissing", arguments); len(again.Changes) > 0 {
		t.Errorf("copies are copied again: %v", lines(t, again))
	}
}
