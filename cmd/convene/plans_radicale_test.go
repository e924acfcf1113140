package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"convene/pkg/calendar/caldav/radicaletest"
)

// Requests of several steps do the same on a real CalDAV server as on files: the same conversations, with the user's
// own calendars in Radicale.
func TestPlansOnRadicale(t *testing.T) {
	t.Parallel()
	var radicale radicaletest.Server
	for _, s := range scenarios(t, "plans") {
		t.Run(s.name, func(t *testing.T) {
			c := onRadicale(t, &radicale, s)
			var seen []any
			for _, step := range s.steps {
				seen = append(seen, c.take(step))
				check(t, step, seen)
			}
		})
	}
}

// A calendar without any event is one by its name.
func TestAnEmptyCalendarOnRadicaleIsFilled(t *testing.T) {
	t.Parallel()
	var radicale radicaletest.Server
	all := scenarios(t, "plans")
	s := all[slices.IndexFunc(all, func(s scenario) bool { return s.name == "en" })]
	if err := os.WriteFile(filepath.Join(flagOf(t, s, "--calendars"), "me", "personal.ics"),
		[]byte(strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\nEND:VCALENDAR\n", "\n", "\r\n")),
		0o600); err != nil {
		t.Fatal(err)
	}
	c := onRadicale(t, &radicale, s)
	var seen []any
	for i, words := range []string{
		"sync my work and personal calendars for next week", "yes", "what is in my personal calendar next week?",
	} {
		seen = append(seen, c.take(step{n: i + 1, kind: "say", body: words}))
	}
	check(t, step{n: 2, wants: []string{"outcome = changed"}}, seen[:2])
	check(t, step{n: 3, wants: []string{"message.text ~ **Budget review**"}}, seen)
}

// onRadicale is a conversation with a server whose user has the calendars of a scenario on Radicale.
func onRadicale(t *testing.T, radicale *radicaletest.Server, s scenario) *client {
	t.Helper()
	user := radicale.User(t)
	uploads(t, radicale, user, filepath.Join(flagOf(t, s, "--calendars"), "me"))
	settings := append(s.settings, "--private-servers", "--secrets-keyset="+newKeyset(t))
	c := &client{t: t, server: wired(t, parseSettings(t, settings...)).url(), conversation: "c-" + s.name}
	status, answer := c.post("/v1/people/me/calendars/caldav", "application/json", fmt.Sprintf(
		`{"server": %q, "username": %q, "password": %q}`, radicale.URL(), user, radicaletest.Password))
	if status/100 != http.StatusOK/100 {
		t.Fatalf("connecting: %d %s", status, answer)
	}
	return c
}

// uploads moves the calendars of a folder to the server, where each is one of the user's.
func uploads(t *testing.T, radicale *radicaletest.Server, user, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.ics"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no calendars in %s: %v", folder, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".ics")
		calendar := strings.Replace(string(data), "\r\n", "\r\nX-WR-CALNAME:"+name+"\r\n", 1)
		if _, err := radicale.Call(t.Context(), user, http.MethodPut, "/"+user+"/"+name+"/", calendar); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
}

// flagOf is what a scenario's world gives serve for a flag.
func flagOf(t *testing.T, s scenario, flag string) string {
	t.Helper()
	for _, setting := range s.settings {
		if value, ok := strings.CutPrefix(setting, flag+"="); ok {
			return value
		}
	}
	t.Fatalf("%s: no %s", s.name, flag)
	return ""
}
