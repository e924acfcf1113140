package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/tool"
)

// calendar is a person's events; broken says that some cannot be read.
type calendar struct {
	events []meet.Occurrence
	broken bool
}

func (c calendar) Events(_ context.Context, _ meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	var found []meet.Occurrence
	for _, o := range c.events {
		if o.Span.Overlaps(span) {
			found = append(found, o)
		}
	}
	if c.broken {
		return found, errors.New("unreachable")
	}
	return found, nil
}

// thursday is the day of the tests, and now the morning before it.
var (
	zone     = time.FixedZone("", 2*60*60)
	thursday = interval.Date{Year: 2026, Month: time.November, Day: 26}
	now      = time.Date(2026, time.November, 25, 8, 2, 0, 0, zone)
)

// at is an event of Thursday.
func at(uid, title, start, end string) meet.Occurrence {
	clock := func(text string) time.Time {
		c, err := interval.ParseClock(text)
		if err != nil {
			panic(err)
		}
		t, _ := thursday.At(c, zone)
		return t
	}
	return meet.Occurrence{UID: uid, Title: title, Span: interval.Span{Start: clock(start), End: clock(end)}}
}

func block(kind meet.BlockKind, uid, title, start, end string) meet.Occurrence {
	o := at(uid, title, start, end)
	o.Kind = kind
	return o
}

func newWorld(c calendar) *world.World {
	dana := meet.Person{ID: "dana", Name: "Dana", Email: "dana@example.com"}
	return &world.World{Now: now, Owner: dana, Language: "en", Key: "turn", Agenda: agenda.NewCopy(c, dana)}
}

var set = sync.OnceValue(Set)

// call runs a tool of the family.
func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

// got runs a tool that must succeed, and decodes its data.
func got[Data any](t *testing.T, w *world.World, name, arguments string) (Data, world.Result) {
	t.Helper()
	result, err := call(t, w, name, arguments)
	if err != nil || result.Response.Error != nil {
		t.Fatalf("%s %s: %v, %+v", name, arguments, err, result.Response.Error)
	}
	if result.Response.Display.Description == "" || result.Response.Display.Title == "" {
		t.Errorf("%s: nothing is told: %+v", name, result.Response.Display)
	}
	if strings.ContainsAny(result.Response.Display.Description, "{}") {
		t.Errorf("%s: a hole is left: %s", name, result.Response.Display.Description)
	}
	var data Data
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data, result
}

// clocks are the times of events on Thursday, as "09:00-10:00 title".
func clocks(t *testing.T, events []agenda.Event) (list []string) {
	t.Helper()
	for _, e := range events {
		start, err := time.Parse(time.RFC3339, e.Start)
		if err != nil {
			t.Fatal(err)
		}
		end, err := time.Parse(time.RFC3339, e.End)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, start.Format("15:04")+"-"+end.Format("15:04")+" "+e.Title)
	}
	return list
}

func TestViewScheduleShowsTheDayWithItsNumbers(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{
		at("1", "Standup", "09:00", "09:30"), block(meet.WorkBlock, "2", "Focus", "09:15", "11:00"),
		at("3", "Review", "14:00", "15:00"),
	}}
	data, result := got[Schedule](t, newWorld(c), "schedule_viewSchedule", `{"date":"2026-11-26"}`)
	if data.Meetings != 2 || data.Blocks != 1 || data.BusyMinutes != 180 {
		t.Errorf("%+v", data)
	}
	want := []string{"09:00-09:30 Standup", "09:15-11:00 Focus", "14:00-15:00 Review"}
	if diff := cmp.Diff(want, clocks(t, data.Events)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var part struct{ Type, Title, StartTime, EndTime string }
	if err := json.Unmarshal(result.Response.Display.Components[1].Data, &part); err != nil {
		t.Fatal(err)
	}
	if part.Type != "work" || part.StartTime != "9:15 AM" || part.EndTime != "11:00 AM" {
		t.Errorf("component %+v", part)
	}
	if len(result.Changes) != 0 {
		t.Errorf("looking changes %v", result.Changes)
	}
}

// Days are counted from today; several days are those between two dates, both included.
func TestViewScheduleOfOtherDays(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{at("1", "Standup", "09:00", "09:30")}}
	for arguments, want := range map[string]int{
		`{}`: 0, `{"date":"2026-11-27"}`: 0, `{"from":"2026-11-20","to":"2026-11-26"}`: 1, `{"from":"2026-11-26"}`: 1,
	} {
		if data, _ := got[Schedule](t, newWorld(c), "schedule_viewSchedule", arguments); len(data.Events) != want {
			t.Errorf("%s: %d events, want %d", arguments, len(data.Events), want)
		}
	}
}

func TestAnUnreadableCalendarIsSaid(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{at("1", "Standup", "09:00", "09:30")}, broken: true}
	for name, arguments := range map[string]string{
		"schedule_viewSchedule":       `{"date":"2026-11-26"}`,
		"schedule_findGaps":           `{"date":"2026-11-26"}`,
		"schedule_analyzeUtilization": `{"date":"2026-11-26"}`,
	} {
		data, result := got[struct{ Unread bool }](t, newWorld(c), name, arguments)
		if !data.Unread || !strings.Contains(result.Response.Display.Description, "could not be read") {
			t.Errorf("%s does not say it: %s", name, result.Response.Display.Description)
		}
	}
	result, err := call(t, newWorld(c), "schedule_deleteTimeBlock", `{"blockId":"gone"}`)
	if err != nil || result.Response.Error == nil || result.Response.Error.Code != "calendar_failed" {
		t.Errorf("a block that may be in it: %v %+v", err, result.Response.Error)
	}
}

func TestCreateTimeBlock(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{at("1", "Standup", "09:30", "10:30")}})
	data, result := got[Blocks](t, w, "schedule_createTimeBlock",
		`{"type":"work","title":"Write report","date":"2026-11-26","startTime":"09:00","endTime":"11:00"}`)
	if len(result.Changes) != 1 || result.Changes[0].Kind != meet.CreateThing || result.Changes[0].What != meet.BlockThing {
		t.Fatalf("changes %+v", result.Changes)
	}
	if b := data.Blocks[0]; !b.Pending || b.Kind != meet.WorkBlock || b.ID == "" {
		t.Errorf("block %+v", b)
	}
	// The meeting under it is told, and the block is made all the same.
	if len(data.Conflicts) != 1 || data.Conflicts[0].Event.Title != "Standup" ||
		!strings.Contains(result.Response.Display.Description, "Standup") {
		t.Errorf("conflicts %+v, told %q", data.Conflicts, result.Response.Display.Description)
	}
	// Later steps see it.
	seen, _ := got[Schedule](t, w, "schedule_viewSchedule", `{"date":"2026-11-26"}`)
	if seen.Blocks != 1 {
		t.Errorf("the working copy has %+v", seen)
	}
}

// What takes no time is no conflict.
func TestWhatTakesNoTimeIsInNoWay(t *testing.T) {
	t.Parallel()
	free, declined := at("1", "Birthday", "09:00", "10:00"), at("2", "All hands", "09:00", "10:00")
	free.Transparent = true
	declined.Attendees = []meet.Attendee{{Email: "dana@example.com", Self: true, Answer: meet.Declined}}
	c := calendar{events: []meet.Occurrence{free, declined}}
	data, _ := got[Blocks](t, newWorld(c), "schedule_createTimeBlock",
		`{"type":"break","title":"Walk","date":"2026-11-26","startTime":"09:00","endTime":"10:00"}`)
	if len(data.Conflicts) != 0 {
		t.Errorf("conflicts %+v", data.Conflicts)
	}
	gaps, _ := got[Gaps](t, newWorld(c), "schedule_findGaps", `{"date":"2026-11-26"}`)
	if gaps.TotalAvailableMinutes != 8*60 {
		t.Errorf("%d free minutes, want all", gaps.TotalAvailableMinutes)
	}
}

func TestAtMostFourBlocksOverlap(t *testing.T) {
	t.Parallel()
	var c calendar
	for i := range 4 {
		start, end := fmt.Sprintf("%02d:00", 9+i), fmt.Sprintf("%02d:30", 12+i)
		c.events = append(c.events, block(meet.WorkBlock, fmt.Sprint(i), fmt.Sprint("Block ", i), start, end))
	}
	for arguments, fits := range map[string]bool{
		`"startTime":"09:00","endTime":"12:00"`: true, `"startTime":"12:30","endTime":"13:00"`: true,
		`"startTime":"12:15","endTime":"12:45"`: false, `"startTime":"08:00","endTime":"18:00"`: false,
	} {
		result, err := call(t, newWorld(c), "schedule_createTimeBlock",
			`{"type":"work","title":"Fifth","date":"2026-11-26",`+arguments+`}`)
		if err != nil || (result.Response.Error == nil) != fits {
			t.Errorf("%s: %v, %+v; fits should be %v", arguments, err, result.Response.Error, fits)
		}
		if !fits && (len(result.Changes) != 0 || len(result.Response.Error.SuggestedActions) == 0) {
			t.Errorf("%s: %+v", arguments, result)
		}
	}
}

func TestMoveTimeBlock(t *testing.T) {
	t.Parallel()
	c := calendar{events: []meet.Occurrence{
		block(meet.WorkBlock, "focus", "Focus", "09:00", "10:30"), at("1", "Review", "14:00", "15:00"),
	}}
	for arguments, want := range map[string]string{
		`{"blockId":"focus","newStartTime":"13:00"}`:                        "13:00-14:30 Focus",
		`{"blockId":"focus","newStartTime":"13:00","newEndTime":"13:30"}`:   "13:00-13:30 Focus",
		`{"selection":{"titleHas":["focus"]},"newStartTime":"08:00"}`:       "08:00-09:30 Focus",
		`{"blockId":"focus","newStartTime":"09:00","newDate":"2026-11-27"}`: "09:00-10:30 Focus",
		`{"blockId":"focus","newStartTime":"22:00","newEndTime":"00:30"}`:   "22:00-00:30 Focus",
		`{"blockId":"focus","newStartTime":"23:00","newEndTime":"24:00"}`:   "23:00-00:00 Focus",
	} {
		data, result := got[Blocks](t, newWorld(c), "schedule_moveTimeBlock", arguments)
		if diff := cmp.Diff([]string{want}, clocks(t, data.Blocks)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", arguments, diff)
		}
		if len(result.Changes) != 1 || result.Changes[0].Kind != meet.UpdateThing {
			t.Errorf("%s: changes %+v", arguments, result.Changes)
		}
	}
}

func TestOneOfASeriesMovesAlone(t *testing.T) {
	t.Parallel()
	o := block(meet.WorkBlock, "series", "Focus", "09:00", "10:00")
	o.RecurrenceID = o.Span.Start
	w := newWorld(calendar{events: []meet.Occurrence{o}})
	for _, name := range []string{"schedule_moveTimeBlock", "schedule_deleteTimeBlock"} {
		arguments := `{"blockId":"` + o.Key() + `"}`
		if name == "schedule_moveTimeBlock" {
			arguments = `{"blockId":"` + o.Key() + `","newStartTime":"11:00"}`
		}
		_, result := got[Blocks](t, w, name, arguments)
		if result.Changes[0].Scope != meet.ThisOne || !strings.Contains(result.Response.Display.Description, "series") {
			t.Errorf("%s: scope %q, told %q", name, result.Changes[0].Scope, result.Response.Display.Description)
		}
	}
}

func TestDeleteTimeBlock(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{block(meet.EmailBlock, "mail", "Inbox", "09:00", "10:00")}})
	data, result := got[Blocks](t, w, "schedule_deleteTimeBlock", `{"selection":{"titleHas":["inbox"]}}`)
	if len(data.Blocks) != 1 || result.Changes[0].Kind != meet.DeleteThing {
		t.Errorf("%+v, %+v", data, result.Changes)
	}
	if seen, _ := got[Schedule](t, w, "schedule_viewSchedule", `{"date":"2026-11-26"}`); len(seen.Events) != 0 {
		t.Errorf("the working copy still has %+v", seen.Events)
	}
}

// A block that cannot be found, told apart or written is never guessed at.
func TestWhichBlockIsMeant(t *testing.T) {
	t.Parallel()
	theirs := block(meet.WorkBlock, "feed", "Feed", "16:00", "17:00")
	theirs.ReadOnly = true
	c := calendar{events: []meet.Occurrence{
		block(meet.WorkBlock, "a", "Focus on A", "09:00", "10:00"), block(meet.WorkBlock, "b", "Focus on B", "11:00", "12:00"),
		at("m", "Standup", "13:00", "13:30"), theirs,
	}}
	for arguments, want := range map[string]string{
		`{"blockId":"x"}`: "not_found", `{"blockId":"m"}`: "conflict", `{"blockId":"feed"}`: "calendar_failed",
		`{"selection":{"titleHas":["focus"]}}`: "ambiguous", `{"selection":{"titleHas":["yoga"]}}`: "not_found",
	} {
		result, err := call(t, newWorld(c), "schedule_deleteTimeBlock", arguments)
		if err != nil || result.Response.Error == nil || result.Response.Error.Code != want || len(result.Changes) != 0 {
			t.Errorf("%s: %v, %+v, %v; want %s", arguments, err, result.Response.Error, result.Changes, want)
		}
		switch want {
		case "ambiguous":
			if c := result.Choices; c == nil || len(c.Options) != 2 || c.Options[0].ID != "a" || c.Options[0].Detail == "" {
				t.Errorf("choices %+v", c)
			}
		default:
			if e := result.Response.Error; e.Message == "" {
				t.Errorf("%s: nothing is told", arguments)
			}
		}
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, field string }{
		{"schedule_viewSchedule", `{"date":"tomorrow"}`, "date"},
		{"schedule_viewSchedule", `{"from":"2026-11-26","to":"2026-11-20"}`, "to"},
		{"schedule_viewSchedule", `{"date":"2026-11-26","to":"2026-11-27"}`, "date"},
		{"schedule_createTimeBlock", `{"type":"work","title":" ","startTime":"09:00","endTime":"10:00"}`, "title"},
		{"schedule_createTimeBlock", `{"type":"work","title":"A","startTime":"9","endTime":"10:00"}`, "startTime"},
		{"schedule_createTimeBlock", `{"type":"work","title":"A","startTime":"15:00","endTime":"14:00"}`, "endTime"},
		{"schedule_createTimeBlock", `{"type":"work","title":"A","startTime":"15:00","endTime":"15:00"}`, "endTime"},
		{"schedule_moveTimeBlock", `{"newStartTime":"15:00"}`, "blockId"},
		{"schedule_findGaps", `{"minDuration":0}`, "minDuration"},
		{"schedule_findGaps", `{"between":{"start":"25:00","end":"26:00"}}`, "between.start"},
		{"schedule_batchCreateBlocks", `{"blocks":[]}`, "blocks"},
		{"schedule_batchCreateBlocks",
			`{"blocks":[{"type":"work","title":"","startTime":"09:00","endTime":"10:00"}]}`, "blocks[0].title"},
		{"schedule_createTimeBlock", `{"type":"play","title":"A","startTime":"09:00","endTime":"10:00"}`, ""},
	} {
		_, err := call(t, newWorld(calendar{}), c.name, c.arguments)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if !ok || wrong.Field != c.field {
			t.Errorf("%s %s: %v, want one that names %q", c.name, c.arguments, err, c.field)
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

// The same call in the same world makes the same changes, with the same keys: a turn that runs again does nothing twice.
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
				if result, err := of.Call(b.Context(), newWorld(c), []byte(arguments)); err != nil || result.Response.Error != nil {
					b.Fatal(err, result.Response.Error)
				}
			}
		})
	}
}
