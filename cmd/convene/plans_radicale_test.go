package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"convene/pkg/calendar/caldav/radicaletest"
)

// Requests of several steps do the same on a real CalDAV server as on files: the same conversations, with the user's own
// calendars in Radicale.
func TestPlansOnRadicale(t *testing.T) {
	t.Parallel()
	var radicale radicaletest.Server
	keyset := newKeyset(t)
	for _, s := range scenarios(t, "plans") {
		t.Run(s.name, func(t *testing.T) {
			user := radicale.User(t)
			uploads(t, &radicale, user, filepath.Join(flagOf(t, s, "--calendars"), "me"))
			settings := append(s.settings, "--private-servers", "--secrets-keyset="+keyset)
			server := wired(t, parseSettings(t, settings...)).url()
			c := &client{t: t, server: server, conversation: "c-" + s.name}
			status, answer := c.post("/v1/people/me/calendars/caldav", "application/json", fmt.Sprintf(
				`{"server": %q, "username": %q, "password": %q}`, radicale.URL(), user, radicaletest.Password))
			if status/100 != http.StatusOK/100 {
				t.Fatalf("connecting: %d %s", status, answer)
			}
			var seen []any
			for _, step := range s.steps {
				seen = append(seen, c.take(step))
				check(t, step, seen)
			}
		})
	}
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
