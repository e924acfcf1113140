package schedule

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

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
	if c := result.Changes; len(c) != 1 || c[0].Kind != meet.CreateThing || c[0].What != meet.BlockThing {
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

// A block of which the length is said, but not the hour, takes the first free time, and is asked for.
func TestABlockFindsItsPlace(t *testing.T) {
	t.Parallel()
	busy := calendar{events: []meet.Occurrence{at("1", "Standup", "09:30", "10:30"), at("2", "Review", "11:00", "17:00")}}
	for _, c := range []struct {
		arguments, want, refused, invalid string
		asked                             bool
	}{
		{arguments: `"startTime":"08:00","endTime":"12:00","durationMinutes":90`, want: "08:00-09:30", asked: true},
		{arguments: `"startTime":"09:00","endTime":"12:00","durationMinutes":30`, want: "09:00-09:30", asked: true},
		{arguments: `"startTime":"09:15","endTime":"12:00","durationMinutes":30`, want: "10:30-11:00", asked: true},
		{arguments: `"startTime":"09:00","endTime":"12:00","durationMinutes":180`, want: "09:00-12:00"},
		{arguments: `"startTime":"10:00","durationMinutes":45`, want: "10:00-10:45"},
		{arguments: `"durationMinutes":30`, want: "09:00-09:30", asked: true},
		{arguments: `"durationMinutes":120`, refused: "no gap of 2 hours"},
		{arguments: `"startTime":"11:00","endTime":"16:00","durationMinutes":30`, refused: "no gap of 30 minutes"},
		{arguments: `"endTime":"16:00","durationMinutes":30`, invalid: "startTime"},
		{arguments: `"startTime":"16:00"`, invalid: "endTime"},
		{arguments: `"title":"x"`, invalid: "startTime"},
		{arguments: `"durationMinutes":0`, invalid: "durationMinutes"},
	} {
		result, err := call(t, newWorld(busy), "schedule_createTimeBlock",
			`{"type":"work","title":"Write","date":"2026-11-26",`+c.arguments+`}`)
		if err != nil || c.invalid != "" {
			if wrong, ok := errors.AsType[*tool.ArgumentError](err); !ok || wrong.Field != c.invalid {
				t.Errorf("%s: %v, want a mistake in %q", c.arguments, err, c.invalid)
			}
			continue
		}
		if c.refused != "" {
			if e := result.Response.Error; e == nil || !strings.Contains(e.Message, c.refused) || len(result.Changes) > 0 {
				t.Errorf("%s: %+v, want %q", c.arguments, e, c.refused)
			}
			continue
		}
		var data Blocks
		if err := json.Unmarshal(result.Response.Data, &data); err != nil || len(data.Blocks) != 1 {
			t.Fatalf("%s: %v %s", c.arguments, err, result.Response.Data)
		}
		got := data.Blocks[0].Start[11:16] + "-" + data.Blocks[0].End[11:16]
		if got != c.want || result.Unsure != c.asked {
			t.Errorf("%s: %s, asked %v; want %s, %v", c.arguments, got, result.Unsure, c.want, c.asked)
		}
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
		block(meet.WorkBlock, "a", "Focus on A", "09:00", "10:00"),
		block(meet.WorkBlock, "b", "Focus on B", "11:00", "12:00"),
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

// A week begins with its days. Once all of it is over, what is next is told too.
func TestAWeekIsNamedAndWhatIsNextIsTold(t *testing.T) {
	t.Parallel()
	past, next := at("1", "Standup", "09:00", "09:30"), at("2", "Review", "14:00", "15:00")
	past.Span = past.Span.Widen(48*time.Hour, -48*time.Hour) // Tuesday
	for _, c := range []struct {
		arguments   string
		says, keeps string
	}{
		{`{"from":"2026-11-23","to":"2026-11-29"}`, "This week, Monday, November 23 to Sunday:\n", "The next one"},
		{`{"from":"2026-11-23","to":"2026-11-25"}`, "The next one is Review, tomorrow, 2:00–3:00 PM.", "This week"},
		{`{"from":"2026-11-25","to":"2026-11-29"}`, "From today to Sunday:\n", "The next one"},
		{`{"from":"2026-11-24","to":"2026-11-24"}`, "Standup", "The next one"},
	} {
		w := newWorld(calendar{events: []meet.Occurrence{past, next}})
		_, result := got[Schedule](t, w, "schedule_viewSchedule", c.arguments)
		if text := result.Response.Display.Description; !strings.Contains(text, c.says) || strings.Contains(text, c.keeps) {
			t.Errorf("%s: %s", c.arguments, text)
		}
	}
}

// On a day without work the share is that of a usual working day.
func TestADayOffHasAShareToo(t *testing.T) {
	t.Parallel()
	o := at("1", "Move house", "09:00", "13:00")
	o.Span = o.Span.Widen(-48*time.Hour, 48*time.Hour) // Saturday
	data, result := got[Utilization](t, newWorld(calendar{events: []meet.Occurrence{o}}), "schedule_analyzeUtilization",
		`{"date":"2026-11-28"}`)
	text := result.Response.Display.Description
	if data.Utilization != 50 || !strings.Contains(text, "50% of a usual working day") {
		t.Errorf("%d: %s", data.Utilization, text)
	}
}

// Gaps keep out of the hours without meetings, and carry the offset of the owner's zone whatever that of the events is.
func TestGapsKeepToMeetingHoursAndTheZone(t *testing.T) {
	t.Parallel()
	o := at("1", "Standup", "11:00", "12:00")
	o.Span.Start, o.Span.End = o.Span.Start.UTC(), o.Span.End.UTC()
	w := newWorld(calendar{events: []meet.Occurrence{o}})
	w.Preferences = map[string][]byte{"meeting_hours": []byte(`{"days":["Thursday"],"start":"10:00","end":"15:00"}`)}
	data, result := got[Gaps](t, w, "schedule_findGaps", `{"date":"2026-11-26"}`)
	want := []world.Gap{
		{StartTime: "2026-11-26T10:00:00+02:00", EndTime: "2026-11-26T11:00:00+02:00", Duration: 60},
		{StartTime: "2026-11-26T12:00:00+02:00", EndTime: "2026-11-26T15:00:00+02:00", Duration: 180},
	}
	if diff := cmp.Diff(want, data.Gaps); diff != "" {
		t.Error(diff)
	}
	if text := result.Response.Display.Description; !strings.Contains(text, "hours without meetings") {
		t.Error(text)
	}
	if data, _ := got[Gaps](t, w, "schedule_findGaps",
		`{"date":"2026-11-26","between":{"start":"08:00","end":"10:00"}}`); len(data.Gaps) != 1 {
		t.Errorf("hours that the owner names: %+v", data)
	}
}

// Whether a point in time is free is a question with yes or no.
func TestAPointInTimeIsFreeOrNot(t *testing.T) {
	t.Parallel()
	w := newWorld(calendar{events: []meet.Occurrence{at("1", "Vendor call", "15:00", "15:30")}})
	w.Preferences = map[string][]byte{"lunch_hours": []byte(`{"start":"12:00","end":"13:00"}`)}
	for between, want := range map[string]string{
		`{"start":"15:00","end":"15:30"}`: "No: Vendor call is 3:00–3:30 PM.",
		`{"start":"16:00","end":"16:30"}`: "Yes, you are free: tomorrow, 4:00–4:30 PM.",
		`{"start":"12:00","end":"12:30"}`: "Yes, you are free: tomorrow, 12:00–12:30 PM. " +
			"You usually keep that time free: lunch.",
	} {
		_, result := got[Gaps](t, w, "schedule_findGaps", `{"date":"2026-11-26","between":`+between+`}`)
		if text := result.Response.Display.Description; text != want {
			t.Errorf("%s: %q, want %q", between, text, want)
		}
	}
}
