package icalendar_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/task"
	"convene/pkg/task/tasktest"
)

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// What is written is read back, member for member.
func TestTasksSurviveAFile(t *testing.T) {
	t.Parallel()
	zone := berlin(t)
	want := []task.Task{
		tasktest.Full(),
		{ID: "2", Title: "Call the dentist", Status: task.Backlog},
		{ID: "3", Title: "By name", Assignee: "Nia \"N\" Johnson", Status: task.Scheduled, Due: "2026-12-01",
			Priority: task.Medium},
		{
			ID: "4", Title: "שלום, עולם", Status: task.Completed, Completed: "2026-11-20T10:00:00+01:00", Priority: task.Low,
			EstimatedMinutes: 90,
		},
	}
	got, problems, err := icalendar.ReadTasks(icalendar.WriteTasks(want, time.Unix(0, 0)), zone)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	want[2].Assignee = "Nia 'N' Johnson" // a parameter has no quotation marks
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
}

// Files of other programs: floating times, a length instead of a due date, alarms before it, cancelled tasks.
func TestTasksOfOtherPrograms(t *testing.T) {
	t.Parallel()
	file := strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
BEGIN:VTODO
UID:1
SUMMARY:Pay rent
DUE:20261201T090000
PRIORITY:3
PERCENT-COMPLETE:100
BEGIN:VALARM
TRIGGER:-PT30M
END:VALARM
END:VTODO
BEGIN:VTODO
UID:2
SUMMARY:Off
STATUS:CANCELLED
END:VTODO
BEGIN:VTODO
UID:3
SUMMARY:Odd
DUE:soon
END:VTODO
BEGIN:VEVENT
UID:4
SUMMARY:No task
DTSTART:20261201T090000
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")
	got, problems, err := icalendar.ReadTasks([]byte(file), berlin(t))
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Error(), "Odd") {
		t.Errorf("problems: %v, %v", problems, err)
	}
	want := []task.Task{{
		ID: "1", Title: "Pay rent", Due: "2026-12-01T09:00:00+01:00", Reminder: "2026-12-01T08:30:00+01:00",
		Priority: task.High, Status: task.Completed,
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}
}

// A change of a task leaves what others wrote in its object.
func TestAnAmendedTaskKeepsWhatOthersWrote(t *testing.T) {
	t.Parallel()
	object := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Pay rent\r\n" +
		"DUE;TZID=Asia/Tokyo:20261201T090000\r\n" +
		"X-APPLE-SORT-ORDER:7\r\nGEO:1;2\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
	got, err := icalendar.AmendTask([]byte(object), task.Task{ID: "1", Title: "Pay the rent"}, []string{"title"},
		time.Unix(0, 0))
	want := strings.Replace(object, "SUMMARY:Pay rent", "SUMMARY:Pay the rent", 1)
	want = strings.Replace(want, "GEO:1;2\r\n",
		"GEO:1;2\r\nDTSTAMP:19700101T000000Z\r\nLAST-MODIFIED:19700101T000000Z\r\n", 1)
	if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := icalendar.AmendTask([]byte(object), task.Task{ID: "2"}, nil, time.Unix(0, 0)); err == nil {
		t.Error("a task that is not in the object was amended")
	}
}

// An occurrence that differs stays as it is if its series is changed, wherever it stands.
func TestASeriesOfTasksIsAmended(t *testing.T) {
	t.Parallel()
	const occurrence = "BEGIN:VTODO\r\nUID:1\r\nRECURRENCE-ID:20261201T090000Z\r\nSUMMARY:Pay half\r\nEND:VTODO\r\n"
	object := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + occurrence +
		"BEGIN:VTODO\r\nUID:1\r\nSUMMARY:Pay rent\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"
	to := task.Task{ID: "1", Title: "Pay it"}
	got, err := icalendar.AmendTask([]byte(object), to, []string{"title"}, time.Unix(0, 0))
	if err != nil || !strings.Contains(string(got), occurrence) || !strings.Contains(string(got), "SUMMARY:Pay it\r\n") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestTheNextDueDate(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 9, 0, 0, 0, berlin(t)) // a Monday
	for _, c := range []struct{ rule, due, next, left string }{
		{"FREQ=WEEKLY;BYDAY=FR", "2026-11-27", "2026-12-04", "FREQ=WEEKLY;BYDAY=FR"},
		{"FREQ=WEEKLY", "2026-11-02", "2026-11-30", "FREQ=WEEKLY"}, // those that were missed are left out
		{"FREQ=DAILY", "2026-11-23", "2026-11-24", "FREQ=DAILY"},
		{"FREQ=MONTHLY;BYMONTHDAY=-1", "2026-11-30", "2026-12-31", "FREQ=MONTHLY;BYMONTHDAY=-1"},
		{"FREQ=DAILY", "2026-11-22T18:00:00+01:00", "2026-11-23T18:00:00+01:00", "FREQ=DAILY"},
		{"FREQ=WEEKLY", "2026-10-20T18:00:00+02:00", "2026-11-24T18:00:00+01:00", "FREQ=WEEKLY"}, // the same clock
		{"FREQ=DAILY", "2026-11-22T10:00:00-08:00", "2026-11-23T10:00:00+01:00", "FREQ=DAILY"},   // moved to Berlin since
		{"FREQ=DAILY", "2026-11-22T17:00:00Z", "2026-11-23T18:00:00+01:00", "FREQ=DAILY"},
		{"FREQ=DAILY;COUNT=3", "2026-11-23", "2026-11-24", "FREQ=DAILY;COUNT=2"},
		{"FREQ=DAILY;COUNT=1", "2026-11-23", "", ""},
		{"FREQ=DAILY;UNTIL=20261123", "2026-11-23", "", ""},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "2024-02-29", "2028-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"},
		{"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-02-28", "", ""},
		{"now and then", "2026-11-23", "", ""},
		{"FREQ=DAILY", "soon", "", ""},
		{"FREQ=DAILY\r\nX-A:1", "2026-11-23", "", ""},
	} {
		if next, left := icalendar.NextDue(c.rule, c.due, now); next != c.next || left != c.left {
			t.Errorf("%s from %s: %q, %q; want %q, %q", c.rule, c.due, next, left, c.next, c.left)
		}
	}
}
