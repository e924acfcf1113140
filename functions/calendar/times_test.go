package calendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
)

// span is a span of today's clock, so many days on.
func span(day int, from, to string) interval.Span {
	return interval.Span{Start: at(day, from, "").Span.Start, End: at(day, to, "").Span.Start}
}

// states are what an answer says of each person.
func states(a calendar.Availability) (all []string) {
	for _, p := range a.People {
		all = append(all, p.Name+" "+p.State)
	}
	return all
}

func TestCheckAvailability(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, arguments string
		want            []string
		free            bool
		says            string
	}{
		{
			"the owner is free", `{"start":"2027-03-09T12:00","end":"2027-03-09T13:00"}`, []string{"Mia Moss free"},
			true, "Yes, you are free: today, 12:00–1:00 PM.",
		},
		{
			"the owner reads with what", `{"people":["me"],"start":"2027-03-09T14:00"}`, []string{"Mia Moss busy"},
			false, "No: Budget review is 2:00–3:00 PM.",
		},
		{
			"what takes no time does not count", `{"start":"2027-03-11T09:00","end":"2027-03-11T10:00"}`,
			[]string{"Mia Moss free"}, true, "",
		},
		{
			"another one", `{"people":["Ada"],"start":"2027-03-10T15:30"}`, []string{"Ada Byron busy"}, false,
			"Ada Byron is busy",
		},
		{
			"another one, at another time", `{"people":["Ada"],"start":"2027-03-10T16:00"}`, []string{"Ada Byron free"},
			true, "Ada Byron is free",
		},
		{
			"both", `{"people":["Ada","me"],"window":{"start":"2027-03-10T15:00","end":"2027-03-10T18:00"}}`,
			[]string{"Ada Byron busy", "Mia Moss free"}, false, "",
		},
		{
			"a stranger is unknown, never free", `{"people":["zed@example.net"],"start":"2027-03-10T16:00"}`,
			[]string{"zed@example.net unknown"}, false, "cannot see the calendar",
		},
		{
			"so is a person whose calendar does not answer", `{"people":["Noel"],"start":"2027-03-10T16:00"}`,
			[]string{"Noel West unknown"}, false, "Noel West",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(at(0, "14:00", "Budget review"), at(2, "09:00", "Ada's birthday", func(o *meet.Occurrence) {
				o.Transparent = true
			}))
			w.Times = others{ada.ID: {Busy: interval.NewSet(span(1, "15:00", "16:00"))}}
			result := call(t, w, "calendar_checkAvailability", test.arguments)
			got := data[calendar.Availability](t, result)
			if diff := cmp.Diff(test.want, states(got)); diff != "" || got.Free != test.free {
				t.Errorf("free %v\n%s", got.Free, diff)
			}
			if text := result.Response.Display.Description; !strings.Contains(text, test.says) {
				t.Errorf("%q does not say %q", text, test.says)
			}
		})
	}
	refuses(t, worldOf(), "calendar_checkAvailability", `{}`, "start")
	refuses(t, worldOf(), "calendar_checkAvailability", `{"start":"2027-03-10T16:00","end":"2027-03-10T15:00"}`, "end")
	broken := worldOn(base{broken: true})
	got := data[calendar.Availability](t, call(t, broken, "calendar_checkAvailability", `{"start":"2027-03-10T16:00"}`))
	if diff := cmp.Diff([]string{"Mia Moss unknown"}, states(got)); diff != "" {
		t.Errorf("a calendar that cannot be read is unknown:\n%s", diff)
	}
}

func TestFindTimes(t *testing.T) {
	t.Parallel()
	const today = `"window":{"start":"2027-03-09","end":"2027-03-10"}`
	for _, test := range []struct {
		name, arguments string
		want            []string
	}{
		{
			"in working hours, without own events", `{"durationMinutes":90,` + today + `}`,
			[]string{"09T10:30", "09T12:00", "09T15:00"},
		},
		{"the first ones", `{"durationMinutes":60,"limit":2}`, []string{"09T10:30", "09T11:30"}},
		{
			"for two", `{"people":["Ada"],"durationMinutes":60,` + today + `}`,
			[]string{"09T10:30", "09T11:30", "09T16:00"},
		},
		{
			"at a time of day", `{"durationMinutes":60,"timeOfDay":{"start":"17:00","end":"19:00"},` + today + `}`,
			[]string{"09T17:00", "09T18:00"},
		},
		{
			"in some hours", `{"durationMinutes":30,"window":{"start":"2027-03-09T20:00","end":"2027-03-09T21:00"}}`,
			[]string{"09T20:00", "09T20:30"},
		},
		{
			"on the grid", `{"durationMinutes":45,"window":{"start":"2027-03-09T20:07","end":"2027-03-09T21:00"}}`,
			[]string{"09T20:15"},
		},
		{"on a working day first", `{"limit":1,"window":{"start":"2027-03-13","end":"2027-03-16"}}`, []string{"15T09:00"}},
		{
			"at the weekend if it is named", `{"limit":1,"window":{"start":"2027-03-13","end":"2027-03-14"}}`,
			[]string{"13T09:00"},
		},
		{"none that is over", `{"window":{"start":"2027-03-09T07:00","end":"2027-03-09T08:45"}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(at(0, "09:00", "Standup", lasting(80)), at(0, "14:00", "Review"))
			w.Times = others{ada.ID: {Busy: interval.NewSet(span(0, "13:00", "16:00"))}}
			result := call(t, w, "calendar_findTimes", test.arguments)
			var got []string
			for _, s := range data[calendar.Times](t, result).Times {
				got = append(got, s.Start[8:16])
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	result := call(t, worldOf(), "calendar_findTimes", `{"people":["Noel"],`+today+`}`)
	text := result.Response.Display.Description
	if got := data[calendar.Times](t, result); len(got.Unknown) != 1 || !strings.Contains(text, "Noel West") {
		t.Errorf("who cannot be read is told: got %+v", got)
	}
	refuses(t, worldOf(), "calendar_findTimes", `{"durationMinutes":0}`, "durationMinutes")
	refuses(t, worldOf(), "calendar_findTimes", `{"timeOfDay":{"start":"9","end":"10"}}`, "timeOfDay.start")
}

// slot is a time on offer of half an hour.
func slot(day int, clock string, busy ...string) meet.Slot {
	start := at(day, clock, "").Span.Start
	s := meet.Slot{Start: start, End: start.Add(30 * time.Minute), State: meet.SlotFree}
	for _, name := range busy {
		s.State = meet.SlotConflict
		s.Conflicts = append(s.Conflicts, meet.Conflict{Name: name, Text: name + " has another event"})
	}
	return s
}

func TestScheduleMeeting(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, arguments string
		slots           []meet.Slot
		want            []string
		alternatives    int
		says            string
	}{
		{
			"at the best time, with a block to prepare",
			`{"title":"Sync","people":["Ada"],"durationMinutes":30,"prepMinutes":15}`,
			[]meet.Slot{slot(1, "10:00"), slot(2, "11:00")},
			[]string{"create Sync → 2027-03-10T10:00", "create Prepare: Sync → 2027-03-10T09:45"}, 1, "",
		},
		{
			"with time to prepare", `{"title":"Sync","people":["Ada"],"durationMinutes":30,"prepMinutes":30}`,
			[]meet.Slot{slot(0, "15:00"), slot(1, "11:00")},
			[]string{"create Sync → 2027-03-10T11:00", "create Prepare: Sync → 2027-03-10T10:30"}, 0, "",
		},
		{
			"at a start that does not suit: other times", `{"title":"Sync","people":["Ada"],"start":"2027-03-10T10:00"}`,
			[]meet.Slot{slot(1, "10:00", "Ada Byron"), slot(1, "11:00")}, nil, 1, "Ada Byron has another event",
		},
		{
			"not outside the wish", `{"title":"Sync","people":["Ada"],"window":{"start":"2027-03-10","end":"2027-03-11"}}`,
			[]meet.Slot{slot(2, "10:00")}, nil, 1, "No such time suits everyone",
		},
		{
			"with an own event there", `{"title":"Sync","people":["Ada"],"start":"2027-03-09T14:00"}`,
			[]meet.Slot{slot(0, "14:00")}, []string{"create Sync → 2027-03-09T14:00"}, 0, "overlaps Review",
		},
		{"at no time", `{"title":"Sync","people":["Ada"]}`, nil, nil, 0, "No such time"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(at(0, "14:00", "Review"))
			w.Scheduler = &scheduler{slots: test.slots}
			result := call(t, w, "calendar_scheduleMeeting", test.arguments)
			if diff := cmp.Diff(test.want, lines(t, result)); diff != "" {
				t.Error(diff)
			}
			if got := data[calendar.Meeting](t, result); len(got.Alternatives) != test.alternatives {
				t.Errorf("alternatives: %v", got.Alternatives)
			}
			if text := result.Response.Display.Description; !strings.Contains(text, test.says) {
				t.Errorf("%q does not say %q", text, test.says)
			}
		})
	}
	refuses(t, worldOf(), "calendar_scheduleMeeting", `{"title":"","people":["Ada"]}`, "title")
	none := call(t, worldOf(), "calendar_scheduleMeeting", `{"title":"Sync","people":["Ada"]}`)
	if e := none.Response.Error; e == nil || e.Code != "unavailable" {
		t.Errorf("without a scheduler: got %+v", e)
	}
}

func TestConflictsAreToldInTheOwnersLanguage(t *testing.T) {
	t.Parallel()
	taken := slot(1, "10:00", ada.Name)
	taken.Conflicts[0].Person, taken.Conflicts[0].Kind = ada.ID, meet.ConflictBusy
	for _, language := range []string{"he", "es"} {
		w := worldOf()
		w.Language, w.Scheduler = language, &scheduler{slots: []meet.Slot{taken}}
		result := call(t, w, "calendar_scheduleMeeting", `{"title":"Sync","people":["Ada"],"start":"2027-03-10T10:00"}`)
		if text := result.Response.Display.Description; strings.Contains(text, "another event") {
			t.Errorf("%s: %q", language, text)
		}
	}
}

func TestWhatTheSchedulerIsAsked(t *testing.T) {
	t.Parallel()
	w, s := worldOf(at(0, "14:00", "Review", guests(ada, sam1), func(o *meet.Occurrence) {
		o.Attendees[1].Answer = meet.Declined
	})), &scheduler{}
	w.Scheduler = s
	call(t, w, "calendar_rescheduleMeeting", `{"selection":{"titleHas":["review"]},"to":{
		"window":{"start":"2027-03-10","end":"2027-03-12"},"timeOfDay":{"start":"12:00","end":"17:00"}}}`)
	if s.asked.Previous == nil || s.asked.Previous.UID != "review" || s.asked.Template.Duration != 60 {
		t.Errorf("the meeting blocks itself: got %+v", s.asked)
	}
	if len(s.asked.People) != 1 || s.asked.People[0].ID != ada.ID {
		t.Errorf("got %+v, want those who have not declined", s.asked.People)
	}
	wednesday := interval.Date{Year: 2027, Month: 3, Day: 10}
	dates := []interval.DateRange{{Start: wednesday, End: wednesday.AddDays(1)}}
	if diff := cmp.Diff(dates, s.asked.Template.Dates); diff != "" || s.asked.Template.Hours == nil {
		t.Error(diff)
	}
}

func TestRescheduleMeeting(t *testing.T) {
	t.Parallel()
	w := worldOf(at(0, "14:00", "Review", guests(ada)))
	moved := slot(1, "10:00")
	moved.End = moved.Start.Add(time.Hour)
	w.Scheduler = &scheduler{slots: []meet.Slot{moved, slot(2, "10:00")}}
	result := call(t, w, "calendar_rescheduleMeeting",
		`{"selection":{"titleHas":["review"]},"newTime":"2027-03-10T10:00"}`)
	if diff := cmp.Diff([]string{"update Review 2027-03-09T14:00 → 2027-03-10T10:00"}, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{ada.Email}, affected(result)); diff != "" {
		t.Error(diff)
	}
	w = worldOf(at(0, "14:00", "Review", guests(ada)), at(0, "13:00", "Prepare: Review", func(o *meet.Occurrence) {
		o.Kind = meet.WorkBlock
	}))
	w.Scheduler = &scheduler{slots: []meet.Slot{moved}}
	result = call(t, w, "calendar_rescheduleMeeting", `{"selection":{"titleHas":["review"],"first":1},"prepMinutes":30,
		"newTime":"2027-03-10T10:00"}`)
	if diff := cmp.Diff([]string{
		"update Review 2027-03-09T14:00 → 2027-03-10T10:00", "update Prepare: Review 2027-03-09T13:00 → 2027-03-10T09:30",
	}, lines(t, result)); diff != "" {
		t.Errorf("the block to prepare goes along (-want +got):\n%s", diff)
	}
	several := worldOf(at(0, "14:00", "Review A", guests(ada)), at(1, "14:00", "Review B", guests(ada)))
	asked := call(t, several, "calendar_rescheduleMeeting", `{"selection":{"titleHas":["review"]}}`)
	if asked.Choices == nil {
		t.Errorf("got %v", lines(t, asked))
	}
}

func TestSuggestLighter(t *testing.T) {
	t.Parallel()
	day := []meet.Occurrence{
		at(0, "09:00", "Standup", guests(ada)), at(0, "10:00", "Focus", func(o *meet.Occurrence) {
			o.Kind, o.Span.End = meet.WorkBlock, o.Span.Start.Add(2*time.Hour)
		}),
		at(0, "13:00", "Lunch", func(o *meet.Occurrence) { o.Kind = meet.BreakBlock }), at(0, "14:00", "Expenses"),
		at(0, "15:00", "Town hall", invitedBy(ada)), at(0, "16:00", "Feed", readOnly),
		at(1, "09:00", "Workshop", lasting(8*60)),
	}
	full := worldOf(day...)
	result := call(t, full, "calendar_suggestLighter", `{"date":"2027-03-09"}`)
	got := data[calendar.Lighter](t, result)
	var moves []string
	for _, m := range got.Moves {
		moves = append(moves, m.ID+" "+m.Start[8:16])
		if m.Reason == "" {
			t.Errorf("%s moves without a reason", m.ID)
		}
	}
	if diff := cmp.Diff([]string{"focus 11T10:00", "expenses 11T09:00"}, moves); diff != "" {
		t.Errorf("own events, the longest first, to the nearest lighter days:\n%s", diff)
	}
	if len(result.Changes) > 0 || got.BusyMinutes != 7*60 || len(result.Response.UI.Suggestions) != 2 {
		t.Errorf("got %+v, %v", got, result.Response.UI.Suggestions)
	}
	for selection, want := range map[string][]string{
		`{"ids":["focus","expenses"]}`: {
			"update Focus 2027-03-09T10:00 → 2027-03-11T10:00", "update Expenses 2027-03-09T14:00 → 2027-03-11T09:00",
		},
		`{"ids":["expenses"]}`: {"update Expenses 2027-03-09T14:00 → 2027-03-11T09:00"},
	} {
		moved := call(t, worldOf(day...), result.Offer.Tool, `{"selection":`+selection+`,"to":{"lighterThan":"2027-03-09"}}`)
		if diff := cmp.Diff(want, lines(t, moved)); diff != "" {
			t.Errorf("%s, where it was suggested or to a lighter day:\n%s", selection, diff)
		}
	}
	refuses(t, full, result.Offer.Tool, `{"selection":{"ids":["focus"]},"to":{"lighterThan":"today"}}`, "to.lighterThan")
	empty := call(t, worldOf(at(0, "09:00", "Standup", guests(ada))), "calendar_suggestLighter", `{"date":"2027-03-09"}`)
	if got := data[calendar.Lighter](t, empty); len(got.Moves) > 0 {
		t.Errorf("got %v", got.Moves)
	}
	refuses(t, full, "calendar_suggestLighter", `{"date":"today"}`, "date")
}

// What the owner prefers reaches every tool that finds or makes something.
func TestPreferencesReachTimes(t *testing.T) {
	t.Parallel()
	prefer := func(w *world.World, values string) *world.World {
		read, err := preference.Parse([]byte(values))
		if err != nil {
			t.Fatal(err)
		}
		w.Preferences = read
		return w
	}
	for _, test := range []struct {
		name, preferences, arguments string
		want                         []string
	}{
		{"working hours", `{"working_hours":{"days":["Wednesday"],"start":"07:00","end":"09:00"}}`, `{"limit":3}`,
			[]string{"10T07:00", "10T08:00", "17T07:00"}},
		{"lunch", `{"lunch_hours":{"start":"11:30","end":"15:30"}}`, `{"limit":3}`,
			[]string{"09T10:00", "09T15:30", "10T09:00"}},
		{"hours for meetings", `{"meeting_hours":{"days":["Thursday"],"start":"10:00","end":"11:00"}}`, `{"limit":1}`,
			[]string{"11T10:00"}},
		{"but not against the owner's words", `{"meeting_hours":{"days":["Thursday"],"start":"10:00","end":"11:00"}}`,
			`{"limit":1,"timeOfDay":{"start":"16:00","end":"17:00"}}`, []string{"09T16:00"}},
		{"minutes between events", `{"buffers":{"afterMinutes":15}}`, `{"limit":1}`, []string{"09T10:15"}},
		{"the usual length", `{"default_duration":45}`,
			`{"window":{"start":"2027-03-09T20:00","end":"2027-03-09T20:50"}}`, []string{"09T20:00"}},
	} {
		w := prefer(worldOf(at(0, "09:00", "Standup")), test.preferences)
		var got []string
		for _, s := range data[calendar.Times](t, call(t, w, "calendar_findTimes", test.arguments)).Times {
			got = append(got, s.Start[8:16])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	w := prefer(worldOf(at(0, "09:00", "Report"), at(0, "11:00", "Filing")),
		`{"protected_times":[{"start":"00:00","end":"16:00"}]}`)
	for _, move := range data[calendar.Lighter](t, call(t, w, "calendar_suggestLighter", `{"date":"2027-03-09"}`)).Moves {
		if move.Start[11:16] < "16:00" {
			t.Errorf("moved into time that is kept free: %+v", move)
		}
	}
	w = prefer(worldOf(), `{"meeting_hours":{"days":["Thursday"],"start":"10:00","end":"11:00"}}`)
	w.Scheduler = &scheduler{slots: []meet.Slot{slot(1, "10:00"), slot(2, "10:00")}}
	result := call(t, w, "calendar_scheduleMeeting", `{"title":"Sync","people":["Ada"]}`)
	if diff := cmp.Diff([]string{"create Sync → 2027-03-11T10:00"}, lines(t, result)); diff != "" {
		t.Error(diff)
	}
	w = prefer(worldOf(at(0, "10:00", "Standup"), at(0, "19:00", "Yoga", func(o *meet.Occurrence) { o.Calendar = "home" }),
		at(0, "20:00", "Match", readOnly, func(o *meet.Occurrence) { o.Calendar = "team" })),
		`{"work_calendar_id":"team","personal_calendar_id":"Home"}`)
	for start, want := range map[string]string{"2027-03-10T20:00": "home", "2027-03-10T10:00": ""} {
		result = call(t, w, "calendar_createEvents", `{"events":[{"title":"New","start":"`+start+`"}]}`)
		if got := result.Changes[0].Where.Calendar; got != want {
			t.Errorf("%s goes to %q, want %q", start, got, want)
		}
	}
	w = worldOf(at(0, "10:00", "Chess", func(o *meet.Occurrence) { o.Calendar, o.CalendarName = "c-1", "Club" }))
	result = call(t, w, "calendar_createEvents",
		`{"events":[{"title":"New","start":"2027-03-10T20:00","calendar":"club"}]}`)
	if c := result.Changes[0]; c.Where.Calendar != "Club" || !strings.Contains(string(c.Deed), `"Calendar":"c-1"`) {
		t.Errorf("a calendar that goes by its name: %+v, %s", c.Where, c.Deed)
	}
}

// What reads shows what it found as components too.
func TestWhatReadsShowsComponents(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		arguments string
		part      meet.ComponentType
		n         int
	}{
		"calendar_findEvents":        {`{"selection":{}}`, meet.ScheduleBlockPart, 2},
		"calendar_findTimes":         {`{}`, meet.GapListPart, 1},
		"calendar_checkAvailability": {`{"people":["Ada","me"],"start":"2027-03-09"}`, meet.PersonCardPart, 2},
		"calendar_suggestLighter":    {`{"date":"2027-03-09"}`, meet.ScheduleBlockPart, 1},
	} {
		w := worldOf(at(0, "09:00", "Report"), at(0, "11:00", "Filing"))
		parts := call(t, w, name, want.arguments).Response.Display.Components
		if len(parts) != want.n || parts[0].Type != want.part {
			t.Errorf("%s: %d components: %+v", name, len(parts), parts)
		}
	}
}
