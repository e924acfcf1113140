package calendar_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/functions/world"
	"convene/pkg/meet"
)

func week() *world.World {
	return worldOf(
		at(0, "09:30", "Standup", weekly, guests(ada)),
		at(0, "14:00", "Budget review", guests(ada)),
		at(1, "09:00", "Ultrasound"),
		at(2, "14:00", "Offsite plan"),
		at(2, "16:00", "Town hall", invitedBy(ada)),
		at(3, "11:00", "Holiday feed", readOnly),
		at(7, "09:30", "Standup", weekly, guests(ada), func(o *meet.Occurrence) { o.UID = "series-standup" }),
	)
}

// thisWeek is a window from today to Friday.
const thisWeek = `"window":{"start":"2027-03-09","end":"2027-03-13"}`

func TestDeleteEvents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, arguments string
		want            []string
		says            string
	}{
		{
			"one", `{"selection":{"titleHas":["ultrasound"],"one":true}}`,
			[]string{"delete Ultrasound 2027-03-10T09:00"}, "",
		},
		{
			"the week but one, and what can only be read",
			`{"selection":{` + thisWeek + `,"except":[{"titleHas":["the ultrasound"]}]}}`, []string{
				"delete Standup 2027-03-09T09:30 this", "delete Budget review 2027-03-09T14:00",
				"delete Offsite plan 2027-03-11T14:00", "delete Town hall 2027-03-11T16:00",
			}, "because it can only be read here: Holiday feed",
		},
		{
			"a series without more is one occurrence", `{"selection":{"titleHas":["standup"]}}`,
			[]string{"delete Standup 2027-03-09T09:30 this"}, "",
		},
		{
			"a series in a time is its occurrences there",
			`{"selection":{"titleHas":["standup"],"window":{"start":"2027-03-09","end":"2027-03-31"}}}`,
			[]string{"delete Standup 2027-03-09T09:30 this", "delete Standup 2027-03-16T09:30 this"}, "",
		},
		{
			"one series in several days is all of it there",
			`{"selection":{"titleHas":["standup"],"one":true,"window":{"start":"2027-03-09","end":"2027-03-31"}}}`,
			[]string{"delete Standup 2027-03-09T09:30 this", "delete Standup 2027-03-16T09:30 this"}, "",
		},
		{
			"all of a series is one change",
			`{"selection":{"titleHas":["standup"],"window":{"start":"2027-03-09","end":"2027-03-31"}},"scope":"all"}`,
			[]string{"delete Standup 2027-03-09T09:30 all"}, "",
		},
		{
			"a series but its first one is what follows that",
			`{"selection":{"titleHas":["standup"],"except":[{` + thisWeek + `}]},"scope":"all"}`,
			[]string{"delete Standup 2027-03-16T09:30 following"}, "",
		},
		{
			"a series but a later one is what is before, one by one",
			`{"selection":{"titleHas":["standup"],"except":[{"window":{"start":"2027-03-16","end":"2027-03-17"}}]},
				"scope":"all"}`,
			[]string{"delete Standup 2027-03-09T09:30 this"}, "",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := call(t, week(), "calendar_deleteEvents", test.arguments)
			if diff := cmp.Diff(test.want, lines(t, result)); diff != "" {
				t.Error(diff)
			}
			if got := result.Response.Display.Description; !strings.Contains(got, test.says) {
				t.Errorf("%q does not say %q", got, test.says)
			}
			for _, e := range data[calendar.Changed](t, result).Events {
				if !e.Pending {
					t.Errorf("%s is not pending", e.Title)
				}
			}
		})
	}
}

func TestDeletedEventsAreGoneFromTheWorkingCopy(t *testing.T) {
	t.Parallel()
	w := week()
	call(t, w, "calendar_deleteEvents", `{"selection":{"titleHas":["ultrasound"]}}`)
	again := call(t, w, "calendar_findEvents", `{"selection":{"window":{"start":"2027-03-10","end":"2027-03-11"}}}`)
	if got := data[calendar.FoundEvents](t, again); got.Count != 0 {
		t.Errorf("got %v", titles(got.Events))
	}
}

func TestChangesThatCannotBeMade(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, tool, arguments, code, says string }{
		{
			"nothing fits, but later", "calendar_deleteEvents",
			`{"selection":{"titleHas":["ultrasound"],"window":{"start":"2027-03-12","end":"2027-03-13"}}}`, "not_found",
			"The next one is Ultrasound",
		},
		{
			"nothing fits at all", "calendar_moveEvents",
			`{"selection":{"titleHas":["dentist"],"window":{"start":"2027-03-10","end":"2027-03-11"}},` +
				`"to":{"time":"10:00"}}`,
			"not_found", "There is Ultrasound",
		},
		{"nothing of an empty result", "calendar_deleteEvents", `{"selection":{"from":[]}}`, "not_found", "Nothing"},
		{
			"read only", "calendar_deleteEvents", `{"selection":{"titleHas":["holiday feed"]}}`, "calendar_failed",
			"cannot be changed: Holiday feed",
		},
		{
			"no invitation", "calendar_respond", `{"selection":{"titleHas":["ultrasound"]},"answer":"declined"}`,
			"not_found", "No one else invited you to Ultrasound",
		},
		{
			"mail", "calendar_notifyAttendees", `{"people":["Ada"],"text":"I am late"}`, "unavailable",
			"No mailbox",
		},
		{
			"a guest who is none", "calendar_updateEvents",
			`{"selection":{"titleHas":["budget"]},"set":{"removeAttendees":["Noel"]}}`, "not_found",
			"Noel is not invited",
		},
		{
			"a stranger", "calendar_updateEvents",
			`{"selection":{"titleHas":["budget"]},"set":{"addAttendees":["Zed"]}}`, "not_found", "no one called Zed",
		},
		{
			"a person without an address", "calendar_updateEvents",
			`{"selection":{"titleHas":["budget"]},"set":{"addAttendees":["Noel"]}}`, "not_found",
			"no e-mail address of Noel West",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := call(t, week(), test.tool, test.arguments)
			e := result.Response.Error
			if e == nil || e.Code != test.code || !strings.Contains(e.Message, test.says) || len(result.Changes) > 0 {
				t.Errorf("got %+v, changes %v", e, lines(t, result))
			}
		})
	}
}

func TestSeveralWhereOneWasMeantAreAskedAbout(t *testing.T) {
	t.Parallel()
	w := worldOf(at(1, "09:00", "Budget review"), at(2, "09:00", "Budget call"))
	result := call(t, w, "calendar_deleteEvents", `{"selection":{"titleHas":["budget"],"one":true}}`)
	want := []meet.Option{
		{ID: "budget-review", Label: "Budget review"}, {ID: "budget-call", Label: "Budget call"},
	}
	if result.Choices == nil || len(result.Changes) > 0 {
		t.Fatalf("got %+v", result)
	}
	for i := range result.Choices.Options {
		if result.Choices.Options[i].Detail == "" {
			t.Errorf("option %d does not say when", i)
		}
		result.Choices.Options[i].Detail = ""
	}
	if diff := cmp.Diff(want, result.Choices.Options); diff != "" {
		t.Error(diff)
	}
	sam := call(t, w, "calendar_updateEvents", `{"selection":{"titleHas":["review"]},"set":{"addAttendees":["Sam"]}}`)
	if sam.Choices == nil || len(sam.Choices.Options) != 2 || sam.Choices.Question != "Which Sam do you mean?" {
		t.Errorf("got %+v", sam.Choices)
	}
}

func TestMoveEvents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, arguments string
		want            []string
		says            string
	}{
		{
			"to a clock time", `{"selection":{"titleHas":["budget"]},"to":{"time":"16:00"}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-09T16:00"}, "",
		},
		{
			"to a day", `{"selection":{"titleHas":["budget"]},"to":{"date":"2027-03-12"}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-12T14:00"}, "",
		},
		{
			"over the change of the clocks", `{"selection":{"titleHas":["budget"]},"to":{"byDays":7}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-16T14:00"}, "",
		},
		{
			"to a start, with an overlap", `{"selection":{"titleHas":["budget"]},"to":{"start":"2027-03-10T09:30"}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-10T09:30"}, "It overlaps Ultrasound.",
		},
		{
			"earlier", `{"selection":{"titleHas":["budget"]},"to":{"byMinutes":-45}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-09T13:15"}, "",
		},
		{
			"several keep their distances",
			`{"selection":{"titleHas":["budget","ultrasound"]},"to":{"start":"2027-03-11T10:00"}}`,
			[]string{
				"update Budget review 2027-03-09T14:00 → 2027-03-11T10:00",
				"update Ultrasound 2027-03-10T09:00 → 2027-03-12T05:00",
			},
			"",
		},
		{
			"several on a day keep their clock times",
			`{"selection":{"window":{"start":"2027-03-11","end":"2027-03-12"}},"to":{"date":"2027-03-12"}}`,
			[]string{
				"update Offsite plan 2027-03-11T14:00 → 2027-03-12T14:00",
				"update Town hall 2027-03-11T16:00 → 2027-03-12T16:00",
			},
			"Someone else invited you to Town hall",
		},
		{
			"several that are named one by one are all on the day",
			`{"selection":{"titleHas":["ultrasound","offsite plan"]},"to":{"date":"2027-03-12"}}`,
			[]string{
				"update Ultrasound 2027-03-10T09:00 → 2027-03-12T09:00",
				"update Offsite plan 2027-03-11T14:00 → 2027-03-12T14:00",
			},
			"",
		},
		{
			"several together",
			`{"selection":{"window":{"start":"2027-03-11","end":"2027-03-12"}},"to":{"start":"2027-03-12T13:00",` +
				`"together":true}}`,
			[]string{
				"update Offsite plan 2027-03-11T14:00 → 2027-03-12T13:00",
				"update Town hall 2027-03-11T16:00 → 2027-03-12T14:00",
			},
			"",
		},
		{
			"a series and all later",
			`{"selection":{"titleHas":["standup"]},"to":{"time":"10:00"},"scope":"following"}`,
			[]string{"update Standup 2027-03-09T09:30 → 2027-03-09T10:00 following"}, "",
		},
		{
			"in the half of the day where it is", `{"selection":{"titleHas":["standup"]},"to":{"time":"18:30?"}}`,
			[]string{"update Standup 2027-03-09T09:30 → 2027-03-09T06:30 this"}, "",
		},
		{
			"not into the night", `{"selection":{"titleHas":["standup"]},"to":{"time":"02:00?"}}`,
			[]string{"update Standup 2027-03-09T09:30 → 2027-03-09T14:00 this"}, "",
		},
		{
			"with a new length", `{"selection":{"titleHas":["ultrasound"]},"to":{"time":"10:00","durationMinutes":90}}`,
			[]string{"update Ultrasound 2027-03-10T09:00 → 2027-03-10T10:00"}, "",
		},
		{"where it is already", `{"selection":{"titleHas":["budget"]},"to":{"time":"14:00"}}`, nil, "already"},
		{
			"into the past", `{"selection":{"titleHas":["budget"]},"to":{"time":"07:00"}}`,
			[]string{"update Budget review 2027-03-09T14:00 → 2027-03-09T07:00"}, "over already",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := call(t, week(), "calendar_moveEvents", test.arguments)
			if diff := cmp.Diff(test.want, lines(t, result)); diff != "" {
				t.Error(diff)
			}
			if got := result.Response.Display.Description; !strings.Contains(got, test.says) {
				t.Errorf("%q does not say %q", got, test.says)
			}
		})
	}
}

func TestMoveEventsOfWholeDays(t *testing.T) {
	t.Parallel()
	wholeDay := func(o *meet.Occurrence) {
		o.AllDay = true
		o.Span.End = o.Span.Start.AddDate(0, 0, 1)
	}
	for arguments, want := range map[string]string{
		`{"selection":{},"to":{"date":"2027-03-15"}}`:                "update Offsite 2027-03-10 → 2027-03-15",
		`{"selection":{},"to":{"date":"2027-03-15","time":"15:00"}}`: "update Offsite 2027-03-10 → 2027-03-15T15:00",
	} {
		result := call(t, worldOf(at(1, "00:00", "Offsite", wholeDay)), "calendar_moveEvents", arguments)
		if got := strings.Join(lines(t, result), "; "); got != want {
			t.Errorf("%s: got %s", arguments, got)
		}
	}
}

func TestUpdateEvents(t *testing.T) {
	t.Parallel()
	const update = "calendar_updateEvents"
	noted := at(0, "14:00", "Budget review", guests(ada), func(o *meet.Occurrence) { o.Description = "Room 4" })
	for _, test := range []struct{ name, set, want string }{
		{"rename", `{"title":"Q2 budget"}`, `"title":"Q2 budget"`},
		{"place", `{"location":"Annex"}`, `"location":"Annex"`},
		{"notes are added to those there", `{"addNotes":"Bring figures"}`, `"description":"Room 4\nBring figures"`},
		{"notes in place of those there", `{"description":"Cancelled room"}`, `"description":"Cancelled room"`},
		{
			"a guest more, and none is lost", `{"addAttendees":["Sam Poe"]}`,
			`"attendees":["ada@example.com","sam.poe@example.com"]`,
		},
		{
			"an address more", `{"addAttendees":["zed@example.net"]}`,
			`"attendees":["ada@example.com","zed@example.net"]`,
		},
		{"a guest less", `{"removeAttendees":["ada"]}`, `"attendees":[]`},
		{"private", `{"visibility":"private"}`, `"visibility":"private"`},
		{"shorter", `{"longerByMinutes":-15}`, `"end":"2027-03-09T14:45:00-05:00"`},
		{"a length", `{"durationMinutes":90}`, `"end":"2027-03-09T15:30:00-05:00"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			result := call(t, worldOf(noted), update, `{"selection":{"titleHas":["budget"]},"set":`+test.set+`}`)
			if len(result.Changes) != 1 || !strings.Contains(string(result.Changes[0].After), test.want) {
				t.Errorf("got %+v", result.Changes)
			}
		})
	}
	refuses(t, worldOf(noted), update, `{"selection":{},"set":{}}`, "set")
	refuses(t, worldOf(noted), update, `{"selection":{},"set":{"title":" "}}`, "set.title")
	refuses(t, worldOf(noted), update, `{"selection":{},"set":{"longerByMinutes":-60}}`, "set.durationMinutes")
	same := call(t, worldOf(noted), update, `{"selection":{},"set":{"title":"Budget review"}}`)
	if len(same.Changes) > 0 || !strings.Contains(same.Response.Display.Description, "already so") {
		t.Errorf("got %v, %q", lines(t, same), same.Response.Display.Description)
	}
}

func TestWhoHears(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string][]string{
		`{"selection":{"titleHas":["ultrasound"]},"set":{"title":"Scan"}}`:                     nil,
		`{"selection":{"titleHas":["budget"]},"set":{"title":"Q2"}}`:                           {ada.Email},
		`{"selection":{"titleHas":["budget"]},"set":{"addAttendees":["sam.poe@example.com"]}}`: {ada.Email, sam1.Email},
	} {
		if diff := cmp.Diff(want, affected(call(t, week(), "calendar_updateEvents", arguments))); diff != "" {
			t.Errorf("%s:\n%s", arguments, diff)
		}
	}
}

func TestRespond(t *testing.T) {
	t.Parallel()
	result := call(t, week(), "calendar_respond", `{"selection":{"titleHas":["town hall"]},"answer":"declined"}`)
	if diff := cmp.Diff([]string{"respond Town hall 2027-03-11T16:00 → 2027-03-11T16:00"}, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	if got := data[calendar.Changed](t, result).Events[0]; got.Response != meet.Declined {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff([]string{ada.Email}, affected(result)); diff != "" {
		t.Errorf("the organizer hears:\n%s", diff)
	}
	many := call(t, week(), "calendar_respond", `{"selection":{`+thisWeek+`},"answer":"accepted"}`)
	if got := lines(t, many); len(got) != 1 {
		t.Errorf("only invitations are answered: got %v", got)
	}
}

func TestCreateEvents(t *testing.T) {
	t.Parallel()
	w := week()
	result := call(t, w, "calendar_createEvents", `{"events":[
		{"title":"Planning","start":"2027-03-10T09:30","durationMinutes":30,"attendees":["Ada","me"]},
		{"title":"Trip","start":"2027-03-15","end":"2027-03-17"}]}`)
	want := []string{"create Planning → 2027-03-10T09:30", "create Trip → 2027-03-15"}
	if diff := cmp.Diff(want, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{ada.Email}, affected(result)); diff != "" {
		t.Error(diff)
	}
	got := data[calendar.Changed](t, result)
	if diff := cmp.Diff([]string{"Ultrasound"}, titles(got.Conflicts)); diff != "" {
		t.Error(diff)
	}
	if !got.Events[1].AllDay || got.Events[1].End != "2027-03-17" || got.Events[0].ID == "" {
		t.Errorf("got %+v", got.Events)
	}
	moved := call(t, w, "calendar_moveEvents", `{"selection":{"ids":["`+got.Events[0].ID+`"]},"to":{"time":"11:00"}}`)
	if got := lines(t, moved); len(got) != 1 || got[0] != "update Planning 2027-03-10T09:30 → 2027-03-10T11:00" {
		t.Errorf("a later step sees it: got %v", got)
	}
	refuses(t, week(), "calendar_createEvents", `{"events":[]}`, "events")
	refuses(t, week(), "calendar_createEvents", `{"events":[{"title":"A","start":"soon"}]}`, "start")
	refuses(t, week(), "calendar_createEvents",
		`{"events":[{"title":"A","start":"2027-03-10T10:00","end":"2027-03-10T09:00"}]}`, "end")
	refuses(t, week(), "calendar_moveEvents", `{"selection":{},"to":{}}`, "to")
	refuses(t, week(), "calendar_moveEvents", `{"selection":{},"to":{"date":"friday"}}`, "to.date")
}

// Nothing goes on without an exception that no event fits: the owner may mean one that is called otherwise.
func TestAnExceptionThatIsNotThereStops(t *testing.T) {
	t.Parallel()
	result := call(t, week(), "calendar_deleteEvents",
		`{"selection":{"window":{"start":"2027-03-10","end":"2027-03-11"},"except":[{"titleHas":["scan"]}]}}`)
	if e := result.Response.Error; e == nil || !strings.Contains(e.Message, "no scan") || len(result.Changes) > 0 {
		t.Errorf("%d changes, error %v", len(result.Changes), e)
	}
}
