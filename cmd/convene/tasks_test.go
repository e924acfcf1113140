package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

func vtodo(uid, title, more string) string {
	return "BEGIN:VTODO\r\nUID:" + uid + "\r\nSUMMARY:" + title + "\r\n" + more + "END:VTODO\r\n"
}

// sprint is a board of two people, of which Mira is one.
var sprint = vcalendar(
	vtodo("1", "Fix the login", "DUE;VALUE=DATE:20270129\r\nX-BOARD:Web\r\nX-LIST:In Progress\r\nSTATUS:IN-PROCESS\r\n"+
		"ATTENDEE:mailto:otto@example.org\r\n"),
	vtodo("2", "Draw the logo",
		"X-BOARD:Web\r\nX-LIST:In Review\r\nSTATUS:IN-PROCESS\r\nATTENDEE:mailto:otto@example.org\r\n"),
	vtodo("3", "Water the plants", "DUE;VALUE=DATE:20270202\r\nRRULE:FREQ=WEEKLY\r\nPRIORITY:9\r\n"),
	vtodo("4", "Plan the year", "X-BOARD:Web\r\nX-LIST:Completed\r\nSTATUS:COMPLETED\r\n"),
)

// called is what a call of a tool gives.
type called struct {
	Response struct {
		Error   *meet.ResponseError
		Display meet.Display
	}
	Changes *struct {
		ID, Digest, Status string
		Changes            []struct{ Title, Class string }
	}
	Applied *meet.Applied
}

// Tasks come from a file, are changed by tools under the ids that they have there, and are taken back.
func TestTheTasksOfAWorld(t *testing.T) {
	t.Parallel()
	server := serveWorld(t, folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON, "tasks.ics": sprint,
	}))
	standing := func() map[string]string {
		var list struct {
			Tasks []struct{ ID, Title, Assignee, Column, Due, Status string }
		}
		request(t, "GET "+server+"/v1/people/mira@example.org/tasks", "", http.StatusOK, &list)
		rows := map[string]string{}
		for _, one := range list.Tasks {
			rows[one.Title+" "+one.Due] = strings.Join([]string{one.Assignee, one.Column, one.Status}, "|")
		}
		return rows
	}
	call := func(tool, arguments string) (c called) {
		t.Helper()
		request(t, "POST "+server+"/v1/tools/"+tool, `{"arguments":`+arguments+`}`, http.StatusOK, &c)
		if c.Response.Error != nil {
			t.Fatalf("%s: %+v", tool, c.Response.Error)
		}
		return c
	}
	want := map[string]string{
		"Fix the login 2027-01-29":    "otto@example.org|In Progress|in_progress",
		"Draw the logo ":              "otto@example.org|In Review|in_progress",
		"Water the plants 2027-02-02": "||backlog", "Plan the year ": "|Completed|completed",
	}
	check := func(what string) {
		t.Helper()
		if diff := cmp.Diff(want, standing()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", what, diff)
		}
	}
	check("the world's")

	moved := call("task_updateTask",
		`{"selection":{"assignee":"Otto","status":"in_progress"},"updates":{"column":"in review"}}`)
	check("another's are asked for first")
	if moved.Changes.Status != "pending" || len(moved.Changes.Changes) != 1 || moved.Changes.Changes[0].Class != "R2" {
		t.Errorf("%+v", moved.Changes)
	}
	request(t, "POST "+server+"/v1/changes/"+moved.Changes.ID+"/confirm", `{"digest":"`+moved.Changes.Digest+`"}`,
		http.StatusOK, nil)
	want["Fix the login 2027-01-29"] = "otto@example.org|In Review|in_progress"
	check("confirmed")

	done := call("task_completeTask", `{"selection":{"titleHas":["plants"],"one":true}}`)
	want["Water the plants 2027-02-02"], want["Water the plants 2027-02-09"] = "||completed", "||backlog"
	check("a recurring one comes back")
	request(t, "POST "+server+"/v1/changes/"+done.Changes.ID+"/undo", "", http.StatusOK, nil)
	want["Water the plants 2027-02-02"] = "||backlog"
	delete(want, "Water the plants 2027-02-09")
	check("undone")

	for path, status := range map[string]int{
		"otto/tasks": 200, "none@example.org/tasks": 404, "mira/tasks?limit=0": 422, "mira/tasks/export?format=doc": 422,
	} {
		request(t, "GET "+server+"/v1/people/"+path, "", status, nil)
	}
	var other struct{ Tasks []json.RawMessage }
	request(t, "GET "+server+"/v1/people/otto/tasks", "", http.StatusOK, &other)
	if other.Tasks == nil || len(other.Tasks) > 0 {
		t.Errorf("Otto sees %s", other.Tasks)
	}
}

// What is exported in any format is read again by --tasks, from a file or from a folder.
func TestTasksAreExportedAndImported(t *testing.T) {
	t.Parallel()
	people := filepath.Join(folder(t, map[string]string{"people.json": worldPeopleJSON}), "people.json")
	listed := func(server string) (rows []string) {
		var list struct {
			Tasks []struct{ ID, Title, Assignee, Board, Column, Due, Status, Priority string }
		}
		request(t, "GET "+server+"/v1/people/mira/tasks", "", http.StatusOK, &list)
		for _, one := range list.Tasks {
			rows = append(rows, fmt.Sprint(one))
		}
		slices.Sort(rows)
		return rows
	}
	of := func(files map[string]string) string {
		return wired(t, parseSettings(t, "--people="+people, "--tasks="+folder(t, files))).url()
	}
	server := of(map[string]string{"mira@example.org.ics": sprint, "nobody.ics": sprint})
	want := listed(server)
	if len(want) != 4 {
		t.Fatalf("tasks %v", want)
	}
	for _, format := range []string{"ics", "txt", "json"} {
		resp, err := http.Get(server + "/v1/people/mira/tasks/export?format=" + format)
		if err != nil {
			t.Fatal(err)
		}
		file, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s, %v", format, resp.StatusCode, file, err)
		}
		if diff := cmp.Diff(want, listed(of(map[string]string{"mira." + format: string(file)}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", format, diff, file)
		}
	}
	for name, text := range map[string]string{"mira.doc": "none of", "mira.json": "tasks"} {
		s := parseSettings(t, "--people="+people, "--tasks="+folder(t, map[string]string{name: "{"}))
		if _, err := wire(t.Context(), s, io.Discard); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v, want %q", name, err, text)
		}
	}
}

// A bare file is the organizer's; without people of one's own that is the demo's user. Agents see its tasks too.
func TestAFileOfTasks(t *testing.T) {
	t.Parallel()
	file := filepath.Join(folder(t, map[string]string{"todo.txt": "(A) Call the dentist due:2026-03-10\nPay rent\n"}),
		"todo.txt")
	agent := newAgent(t, startServer(t, "", "--tasks="+file))
	wants(t, agent.call("task_viewTasks", map[string]any{}), "response.data.total = 2",
		"response.data.tasks.0.title = Call the dentist", "response.data.tasks.0.priority = high")
	wants(t, agent.call("task_createTask", map[string]any{"title": "Buy stamps"}), "changes.changes.0.kind = create")
}
