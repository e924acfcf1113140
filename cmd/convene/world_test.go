package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// folder writes files by their paths in it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// serveWorld serves a world at the time that it names.
func serveWorld(t *testing.T, dir string) (url string) {
	t.Helper()
	s := parseSettings(t, "--world="+dir)
	s.Now = fixedTime{}
	return wired(t, s).url()
}

// vcalendar is a calendar file with events.
func vcalendar(events ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n" + strings.Join(events, "") + "END:VCALENDAR\r\n"
}

func vevent(uid, title, start, more string) string {
	return "BEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTAMP:20270101T000000Z\r\nSUMMARY:" + title + "\r\nDTSTART:" + start +
		"\r\nDURATION:PT1H\r\n" + more + "END:VEVENT\r\n"
}

const (
	worldMetaJSON = `{"now":"2027-02-01T08:00:00+01:00","timezone":"Europe/Berlin","owner":"mira@example.org",` +
		`"working_hours":{"days":[1,2],"start":"10:00","end":"16:00"},"note":"for others"}`
	worldPeopleJSON = `[{"id":"mira","name":"Mira Stern","email":"mira@example.org"},` +
		`{"id":"otto","name":"Otto Lang","email":"otto@example.org","timezone":"Europe/Lisbon"}]`
)

// A world has a person's events as they stand in its files, by id and by address, in the world's zone.
func TestAWorldIsReadBack(t *testing.T) {
	t.Parallel()
	server := serveWorld(t, folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON,
		"calendars/mira@example.org/work.ics": vcalendar(vevent("w1", "Review", "20270201T100000Z", "")),
		"calendars/mira/home.ics": vcalendar(vevent("h1", "Choir", "20270105T180000Z", "RRULE:FREQ=WEEKLY\r\n"),
			vevent("h2", "Away", "20270202T080000Z", "STATUS:CANCELLED\r\n")),
		"calendars/otto.ics": "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n",
		"preferences.json":   `{"lunch_hours":{"start":"12:00","end":"13:00"}}`,
	}))
	type list struct {
		Events []struct {
			ID, Title, Start, Calendar, Series string
		}
		Problems []string
	}
	got := func(path string) (rows []string, problems []string) {
		var l list
		request(t, "GET "+server+"/v1/people/"+path, "", http.StatusOK, &l)
		for _, e := range l.Events {
			rows = append(rows, strings.Join([]string{e.ID, e.Title, e.Start, e.Calendar, e.Series}, "|"))
		}
		return rows, l.Problems
	}
	want := map[string][]string{
		"mira@example.org/events?from=2027-02-01&to=2027-02-03T20:00": {
			"w1|Review|2027-02-01T11:00:00+01:00|work|",
			"h1@20270202T180000Z|Choir|2027-02-02T19:00:00+01:00|home|h1",
		},
		"mira/events": {
			"h1@20270105T180000Z|Choir|2027-01-05T19:00:00+01:00|home|h1",
			"w1|Review|2027-02-01T11:00:00+01:00|work|",
		},
		"mira/events?limit=1": {"h1@20270105T180000Z|Choir|2027-01-05T19:00:00+01:00|home|h1"},
		"otto/events":         nil,
	}
	for path, rows := range want {
		events, problems := got(path)
		if diff := cmp.Diff(rows, events); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		if damaged := len(problems) > 0; damaged != strings.HasPrefix(path, "otto") {
			t.Errorf("%s: problems %q", path, problems)
		}
	}
	var preferences struct{ Preferences map[string]any }
	request(t, "GET "+server+"/v1/people/mira@example.org/preferences", "", http.StatusOK, &preferences)
	if preferences.Preferences["lunch_hours"] == nil {
		t.Errorf("preferences %v", preferences)
	}
	for path, status := range map[string]int{
		"me/events": 404, "none@example.org/events": 404, "mira/events?from=2027-02-01": 400,
		"mira/events?from=2027-02-03&to=2027-02-03": 400, "mira/events?from=soon&to=2027-02-03": 400,
		"mira/events?from=2027-02-03&to=2029-03-03": 400, "mira/events?limit=0": 422,
	} {
		request(t, "GET "+server+"/v1/people/"+path, "", status, nil)
	}
}

// The owner asks if nobody is named, in their own hours, and at the world's time; an address means its person.
func TestAWorldHasItsOwner(t *testing.T) {
	t.Parallel()
	server := serveWorld(t, folder(t, map[string]string{
		"meta.json": worldMetaJSON, "people.json": worldPeopleJSON, "calendars/mira-work.ics": vcalendar(),
		"calendars/otto.ics": vcalendar(),
	}))
	a := newAgent(t, server)
	wants(t, a.call("propose", map[string]any{"message": "call Otto on Tuesday"}), "outcome = proposed",
		"event.participants.0.id = mira", "event.start ~ 2027-02-02T1")
	wants(t, a.call("propose", map[string]any{"message": "call Mira tomorrow at 3pm", "organizer": "otto@example.org"}),
		"event.participants.0.id = otto", "event.start = 2027-02-02T15:00:00Z")
	wants(t, a.call("propose", map[string]any{"message": "call Otto", "organizer": "otto.lang@example.org"}),
		"error.field = organizer")
	for id, status := range map[string]int{"mira": 200, "al": 404, "me": 404} {
		request(t, "GET "+server+"/v1/people/"+id, "", status, nil)
	}
}

// What --now says wins over the world's time, and an owner who is no person of the file becomes one.
func TestAWorldWithoutPeople(t *testing.T) {
	t.Parallel()
	server := startServer(t, "", "--now=2027-03-01T09:00:00Z",
		"--world="+folder(t, map[string]string{"meta.json": worldMetaJSON, "calendars/mira@example.org.ics": vcalendar()}))
	wants(t, newAgent(t, server).call("propose", map[string]any{"message": "lunch alone tomorrow at noon"}),
		"event.start = 2027-03-02T12:00:00+01:00", "event.participants.0.name = mira")
}

func TestADamagedWorldIsRefused(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"meta.json: invalid character":         {"meta.json": "{,}"},
		`meta.json: now: "noon" is not a time`: {"meta.json": `{"now":"noon"}`},
		"meta.json: timezone":                  {"meta.json": `{"owner":"a","timezone":"Berlin"}`},
		"meta.json: working_hours.days: 7": {"meta.json": `{"owner":"a","working_hours":{"days":[7],"start":"09:00",` +
			`"end":"17:00"}}`},
		"meta.json: the owner's workingHours": {"meta.json": `{"owner":"a","working_hours":{"days":[1],"start":"17:00",` +
			`"end":"09:00"}}`},
		"people.json: read people: entry 1": {"people.json": `[{"name":"A"}]`},
		"preferences.json: json: cannot":    {"people.json": worldPeopleJSON, "preferences.json": `[]`},
		"is the same calendar of mira": {"people.json": worldPeopleJSON,
			"calendars/mira.ics": vcalendar(), "calendars/mira@example.org.ics": vcalendar()},
		"no .ics file":                         {"people.json": worldPeopleJSON, "calendars/readme.txt": "none"},
		"has no people.json, and no meta.json": {"other.json": "{}"},
	} {
		dir := folder(t, files)
		s := parseSettings(t, "--world="+dir)
		s.Now = fixedTime{}
		_, err := wire(t.Context(), s, io.Discard)
		if err == nil || !strings.HasPrefix(err.Error(), "--world "+dir) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", files, err, want)
		} else if statusOf(err) != exitMisuse {
			t.Errorf("%v is not misuse", err)
		}
	}
}
