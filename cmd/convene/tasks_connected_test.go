package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/calendar/caldav/radicaletest"
	"convene/pkg/meet"
)

// A connected CalDAV account brings its task lists along: what another client wrote is listed and changed, new tasks go
// there, and all can be taken back.
func TestTheTasksOfAConnectedAccount(t *testing.T) {
	t.Parallel()
	radicale := &radicaletest.Server{}
	user := radicale.User(t)
	t.Cleanup(radicale.Stop)
	other := func(method, path, body string) string {
		t.Helper()
		answer, err := radicale.Call(context.WithoutCancel(t.Context()), user, method, "/"+user+"/work/"+path, body)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	other("MKCALENDAR", "", "") // it takes events and tasks
	other(http.MethodPut, "1.ics", vcalendar(vtodo("1", "Water the plants", "X-OTHER:7\r\n")))
	s := parseSettings(t, "--world="+folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
	}), "--private-servers")
	s.Now = fixedTime{}
	server := wired(t, s).url()
	request(t, "POST "+server+"/v1/people/mira/calendars/caldav", fmt.Sprintf(
		`{"server": %q, "username": %q, "password": %q}`, radicale.URL(), user, radicaletest.Password), http.StatusOK, nil)
	titles := func() (all string) {
		var list struct {
			Tasks []struct{ Title, Status, Provider string }
		}
		request(t, "GET "+server+"/v1/people/mira/tasks", "", http.StatusOK, &list)
		return fmt.Sprint(list.Tasks)
	}
	call := func(tool, arguments string) (c called) {
		t.Helper()
		request(t, "POST "+server+"/v1/tools/"+tool, `{"arguments":`+arguments+`}`, http.StatusOK, &c)
		if c.Response.Error != nil || c.Applied == nil || c.Applied.Outcome != meet.AllApplied {
			t.Fatalf("%s: %+v, %+v", tool, c.Response.Error, c.Applied)
		}
		return c
	}
	if got := titles(); got != "[{Water the plants backlog caldav}]" {
		t.Errorf("tasks %s", got)
	}
	done := call("task_completeTask", `{"selection":{"titleHas":["plants"],"one":true}}`)
	if got := other(http.MethodGet, "1.ics", ""); !strings.Contains(got, "STATUS:COMPLETED") ||
		!strings.Contains(got, "X-OTHER:7") {
		t.Errorf("the other client sees\n%s", got)
	}
	request(t, "POST "+server+"/v1/changes/"+done.Changes.ID+"/undo", "", http.StatusOK, nil)
	made := call("task_createTask", `{"title":"Buy stamps"}`)
	if got := other(http.MethodGet, "", ""); !strings.Contains(got, "SUMMARY:Buy stamps") ||
		strings.Contains(got, "STATUS:COMPLETED") {
		t.Errorf("the other client sees\n%s", got)
	}
	request(t, "POST "+server+"/v1/changes/"+made.Changes.ID+"/undo", "", http.StatusOK, nil)
	if got := titles(); got != "[{Water the plants backlog caldav}]" {
		t.Errorf("tasks at the end: %s", got)
	}
}
