package schedule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/task"
)

// A day whose working hours are over is not offered as the lightest or the fullest one, unless all of them are.
func TestADayThatIsOverIsNotOffered(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{at("1", "Review", "09:00", "13:00")}} // on Thursday
	for _, d := range []struct{ now, which, until, want string }{
		{"2026-11-25T10:00:00+02:00", "lightest", "2026-11-26", "2026-11-25"},
		{"2026-11-25T18:50:00+02:00", "lightest", "2026-11-26", "2026-11-26"},
		{"2026-11-25T18:50:00+02:00", "lightest", "2026-11-27", "2026-11-27"},
		{"2026-11-26T18:50:00+02:00", "fullest", "2026-11-27", "2026-11-27"},
		{"2026-11-28T18:50:00+02:00", "lightest", "2026-11-26", "2026-11-25"},
	} {
		w := newWorld(c)
		w.Now, _ = time.Parse(time.RFC3339, d.now)
		data, _ := got[Utilization](t, w, "schedule_analyzeUtilization",
			fmt.Sprintf(`{"date":"2026-11-25","until":%q,"which":%q}`, d.until, d.which))
		if data.Date != d.want {
			t.Errorf("at %s the %s day until %s is %s, want %s", d.now, d.which, d.until, data.Date, d.want)
		}
	}
}

func TestFindGaps(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{
		at("1", "Standup", "09:20", "10:00"), block(meet.BreakBlock, "2", "Tea", "11:00", "11:15"),
	}}
	for _, g := range []struct {
		arguments string
		gaps      []string
		total     int
	}{
		{`{"date":"2026-11-26"}`, []string{"10:00-11:00", "11:15-17:00"}, 405},
		{`{"date":"2026-11-26","minDuration":15}`, []string{"09:00-09:20", "10:00-11:00", "11:15-17:00"}, 425},
		{`{"date":"2026-11-26","between":{"start":"08:00","end":"10:30"}}`, []string{"08:00-09:20", "10:00-10:30"}, 110},
		{`{"date":"2026-11-28"}`, []string{"09:00-22:00"}, 780}, // a Saturday
		{`{}`, []string{"09:00-17:00"}, 480},                    // today, before work
		{`{"between":{"start":"06:00","end":"09:00"}}`, []string{"08:05-09:00"}, 55},
		{`{"date":"2026-11-24"}`, nil, 0},
	} {
		data, _ := got[Gaps](t, newWorld(c), "schedule_findGaps", g.arguments)
		var list []string
		for _, gap := range data.Gaps {
			list = append(list, gap.StartTime[11:16]+"-"+gap.EndTime[11:16])
		}
		if !cmp.Equal(g.gaps, list) || data.TotalAvailableMinutes != g.total {
			t.Errorf("%s: %v, %d minutes; want %v, %d", g.arguments, list, data.TotalAvailableMinutes, g.gaps, g.total)
		}
	}
}

// Preferences say when the owner works, and what is kept free.
func TestGapsKeepPreferences(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{})
	var err error
	w.Preferences, err = preference.Parse([]byte(`{
		"working_hours": {"days": ["Thursday"], "start": "10:00", "end": "15:00"},
		"lunch_hours": {"defaultStart": "12:00", "defaultEnd": "13:00"},
		"gym_schedule": [{"day": "Thursday", "start": "07:00", "end": "08:00"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	data, result := got[Gaps](t, w, "schedule_findGaps", `{"date":"2026-11-26"}`)
	if data.TotalAvailableMinutes != 240 || !cmp.Equal(data.Kept, []string{preference.LunchHours}) {
		t.Errorf("%+v", data)
	}
	if !strings.Contains(result.Response.Display.Description, "lunch") {
		t.Errorf("lunch is not told: %s", result.Response.Display.Description)
	}
}

func TestBatchCreateBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{at("1", "Standup", "10:00", "10:30")}})
	data, result := got[Batch](t, w, "schedule_batchCreateBlocks", `{"date":"2026-11-26","blocks":[
		{"type":"work","title":"One","startTime":"09:00","endTime":"10:00"},
		{"type":"email","title":"Two","startTime":"10:15","endTime":"11:00"},
		{"type":"break","title":"Three","startTime":"11:00","endTime":"11:15"}]}`)
	want := []string{"09:00-10:00 One", "11:00-11:15 Three"}
	if diff := cmp.Diff(want, clocks(t, data.Created)); diff != "" || len(result.Changes) != 2 {
		t.Errorf("%d changes (-want +got):\n%s", len(result.Changes), diff)
	}
	if len(data.Conflicts) != 1 || data.Conflicts[0].Block.Title != "Two" ||
		!strings.Contains(data.Conflicts[0].Reason, "Standup") {
		t.Errorf("conflicts %+v", data.Conflicts)
	}
	if keys := map[string]bool{data.Created[0].ID: true, data.Created[1].ID: true}; len(keys) != 2 {
		t.Errorf("two blocks have one id: %v", keys)
	}
}

// The blocks of one call count against each other.
func TestABatchKeepsToFourAtOnce(t *testing.T) {
	t.Parallel()
	one := `{"type":"work","title":"Again","startTime":"09:00","endTime":"10:00"}`
	data, _ := got[Batch](t, newWorld(calendar{}), "schedule_batchCreateBlocks",
		`{"date":"2026-11-26","blocks":[`+strings.Repeat(one+",", 5)+one+`]}`)
	if len(data.Created) != 4 || len(data.Conflicts) != 2 {
		t.Errorf("%d created, %d conflicts", len(data.Created), len(data.Conflicts))
	}
}

func TestAnalyzeUtilization(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{
		at("1", "Standup", "09:00", "09:30"), block(meet.WorkBlock, "2", "Focus", "09:50", "11:00"),
		at("3", "Review", "10:30", "12:00"), block(meet.BreakBlock, "4", "Lunch", "12:00", "13:00"),
		at("5", "Dinner", "19:00", "21:00"),
	}}
	data, result := got[Utilization](t, newWorld(c), "schedule_analyzeUtilization", `{"date":"2026-11-26"}`)
	// Of 480 working minutes 30 + 130 are taken; lunch and dinner do not count.
	if data.Utilization != 33 || data.FocusTime != 70 || data.FragmentedTime != 20 || data.WorkingMinutes != 480 {
		t.Errorf("%+v", data)
	}
	if len(data.Suggestions) == 0 || !cmp.Equal(data.Suggestions, result.Response.UI.Suggestions) {
		t.Errorf("suggestions %v, %v", data.Suggestions, result.Response.UI.Suggestions)
	}
}

// A suggestion can be carried out: it is for time that is free and not over.
func TestSuggestionsCanBeCarriedOut(t *testing.T) {
	t.Parallel()
	whole := calendar{events: []meet.Occurrence{at("1", "Workshop", "09:00", "17:00")}}
	for name, c := range map[string]struct {
		calendar  calendar
		arguments string
		want      int
	}{
		"an empty day":       {calendar{}, `{"date":"2026-11-26"}`, 1},
		"a full day":         {whole, `{"date":"2026-11-26"}`, 0},
		"a day that is over": {calendar{}, `{"date":"2026-11-24"}`, 0},
		"an unread day":      {calendar{broken: true}, `{"date":"2026-11-26"}`, 0},
		"three hours without a break": {calendar{events: []meet.Occurrence{
			at("1", "Workshop", "09:00", "12:00"), block(meet.WorkBlock, "2", "Focus", "13:00", "16:30"),
		}}, `{"date":"2026-11-26"}`, 2},
		"a block after a short gap": {calendar{events: []meet.Occurrence{
			at("1", "Workshop", "09:00", "11:00"), block(meet.WorkBlock, "2", "Focus", "11:15", "17:00"),
		}}, `{"date":"2026-11-26"}`, 1},
	} {
		data, _ := got[Utilization](t, newWorld(c.calendar), "schedule_analyzeUtilization", c.arguments)
		if len(data.Suggestions) != c.want {
			t.Errorf("%s: %q, want %d", name, data.Suggestions, c.want)
		}
	}
}

func TestADayWithoutWorkIsNotBusy(t *testing.T) {
	t.Parallel()
	data, result := got[Utilization](t, newWorld(calendar{}), "schedule_analyzeUtilization", `{"date":"2026-11-28"}`)
	if data.Utilization != 0 || !strings.Contains(result.Response.Display.Description, "no working time") {
		t.Errorf("%+v: %s", data, result.Response.Display.Description)
	}
}

func TestFillWorkBlockSaysThatThereAreNoTasks(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{block(meet.WorkBlock, "a", "Focus", "09:00", "10:00")}})
	result, err := call(t, w, "schedule_fillWorkBlock", `{"blockId":"a"}`)
	if err != nil || result.Response.Error == nil || result.Response.Error.Code != "unavailable" ||
		len(result.Changes) != 0 || result.Response.Error.Message == "" {
		t.Errorf("%v, %+v", err, result)
	}
}

// backlog is a person's tasks.
type backlog []task.Task

func (b backlog) Tasks(context.Context, meet.Person) ([]task.Task, error) { return b, nil }

func (backlog) Home(context.Context, meet.Person) string { return "convene" }

// A block gets the tasks that fit into what its own leave, and they are always asked for.
func TestFillWorkBlock(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{block(meet.WorkBlock, "a", "Focus", "09:00", "10:00")}})
	w.Tasks = task.NewCopy(backlog{
		{ID: "in", Title: "Is in it", Status: task.Scheduled, BlockID: "a", EstimatedMinutes: 20},
		{ID: "long", Title: "Long", Status: task.Backlog, EstimatedMinutes: 45},
		{ID: "fits", Title: "Fits", Status: task.Backlog, EstimatedMinutes: 35},
		{ID: "als", Title: "Al's", Status: task.Backlog, EstimatedMinutes: 5, Assignee: "al@example.com"},
	}, w.Owner, nil)
	data, result := got[Filled](t, w, "schedule_fillWorkBlock", `{"blockId":"a"}`)
	if len(result.Changes) != 1 || result.Changes[0].Title != "Fits" || result.Changes[0].Class != meet.R2 {
		t.Fatalf("changes %+v", result.Changes)
	}
	if said := result.Response.Display.Description; said != "Fits would use 35 minutes; Focus has 40 minutes left." {
		t.Errorf("said %q", said)
	}
	if got := world.Percent(data.Block.Filled); got != "92" || len(data.Block.Tasks) != 2 {
		t.Errorf("%s%% filled by %d tasks", got, len(data.Block.Tasks))
	}
	again, err := call(t, w, "schedule_fillWorkBlock", `{"blockId":"a"}`)
	if err != nil || again.Response.Error == nil || again.Response.Error.Code != "not_found" {
		t.Errorf("a full block: %v, %+v", err, again.Response.Error)
	}
	gone, err := call(t, w, "schedule_deleteTimeBlock", `{"blockId":"a"}`)
	if err != nil || len(gone.Changes) != 1 || gone.Changes[0].Class != meet.R2 {
		t.Errorf("a block with tasks is deleted: %v, %+v", err, gone.Changes)
	}
}

// The same call in the same world makes the same changes, with the same keys: a turn that runs again does nothing
// twice.
func TestARepeatedCallMakesTheSameChanges(t *testing.T) {
	t.Parallel()
	arguments := `{"type":"work","title":"A","date":"2026-11-26","startTime":"09:00","endTime":"10:00"}`
	_, first := got[Blocks](t, newWorld(calendar{}), "schedule_createTimeBlock", arguments)
	_, again := got[Blocks](t, newWorld(calendar{}), "schedule_createTimeBlock", arguments)
	if diff := cmp.Diff(first.Changes, again.Changes); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkTools(b *testing.B) {
	var c calendar
	for i := range 2000 {
		start := time.Date(2026, time.November, 25, 8, 0, 0, 0, zone).Add(time.Duration(i) * 20 * time.Minute)
		c.events = append(c.events, meet.Occurrence{
			UID: fmt.Sprint("event-", i), Title: fmt.Sprint("Event ", i), Span: interval.From(start, 25*time.Minute),
			Attendees: []meet.Attendee{{Email: "al@example.com"}, {Email: "dana@example.com", Self: true}},
		})
	}
	c.events[1000].Kind = meet.WorkBlock
	for name, arguments := range map[string]string{
		"schedule_viewSchedule":       `{"from":"2026-11-25","to":"2026-12-24"}`,
		"schedule_findGaps":           `{"date":"2026-11-26"}`,
		"schedule_analyzeUtilization": `{"date":"2026-11-26"}`,
		"schedule_moveTimeBlock":      `{"blockId":"event-1000","newStartTime":"06:00"}`,
	} {
		of := set()[slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				result, err := of.Call(b.Context(), newWorld(c), []byte(arguments))
				if err != nil || result.Response.Error != nil {
					b.Fatal(err, result.Response.Error)
				}
			}
		})
	}
}
