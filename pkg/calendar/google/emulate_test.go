package google_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/account/google/gatetest"
	"convene/pkg/calendar"
	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/google/googletest"
	"convene/pkg/interval"
	"convene/pkg/testenv"
)

// emulated is the npm package emulate, which speaks Google's Calendar API as another person understands it, with one
// user and one event on March 3. It is the root of the API.
func emulated(t *testing.T) string {
	t.Helper()
	node := testenv.Require(t, "node")
	dir := filepath.Join("..", "..", "..", "testdata", "emulate")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "emulate")); err != nil {
		if os.Getenv(testenv.StrictVariable) == "1" {
			t.Fatalf("emulate is not installed; run npm ci in testdata/emulate: %v", err)
		}
		t.Skip("emulate is not installed; run npm ci in testdata/emulate")
	}
	seed, err := json.Marshal(map[string]any{
		"users": []any{map[string]any{"email": ola, "name": "Ola Owner"}},
		"calendars": []any{
			map[string]any{"id": ola, "user_email": ola, "summary": "Ola", "primary": true, "time_zone": "Europe/Berlin"},
			map[string]any{"id": team, "user_email": ola, "summary": "Team", "access_role": "freeBusyReader", "selected": true},
		},
		"calendar_events": []any{
			map[string]any{"id": "evt1", "calendar_id": ola, "summary": "One",
				"start_date_time": "2026-03-03T09:00:00Z", "end_date_time": "2026-03-03T10:00:00Z"},
			map[string]any{
				"id": "evt2", "calendar_id": ola, "summary": "A day", "start_date": "2026-03-05", "end_date": "2026-03-06",
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	program := exec.CommandContext(ctx, node, "start.js", "google", string(seed))
	program.Dir, program.Stderr = dir, os.Stderr
	input, errIn := program.StdinPipe()
	output, errOut := program.StdoutPipe()
	if err := errors.Join(errIn, errOut, program.Start()); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		defer cancel()
		_ = input.Close()
		if err := program.Wait(); err != nil {
			t.Errorf("emulate ended with %v", err)
		}
	})
	root, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("emulate did not start: %v", err)
	}
	return strings.TrimSpace(root)
}

// onlyFreeBusy is a Google that shows no events.
type onlyFreeBusy struct{}

func (onlyFreeBusy) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		return http.DefaultTransport.RoundTrip(req)
	}
	answer := httptest.NewRecorder()
	gatetest.Refuse(answer, http.StatusForbidden, "forbidden")
	return answer.Result(), nil
}

func TestAgainstEmulate(t *testing.T) {
	t.Parallel()
	root := emulated(t)
	// The emulator takes any token for its first user's.
	keys := googletest.New(t).Keys()
	keys.Connect("owner", ola)
	c := google.New(google.Config{Accounts: keys, Endpoint: root})

	address, calendars, err := c.List(t.Context(), account.Credential{AccessToken: "any"})
	if err != nil || address != ola {
		t.Fatalf("List: address %q, error %v", address, err)
	}
	wantCalendars := []account.Calendar{
		{ID: ola, Name: "Ola", Blocks: true, Target: true, Timezone: "Europe/Berlin"},
		{ID: team, Name: "Team", Timezone: "UTC"},
	}
	if diff := cmp.Diff(wantCalendars, calendars); diff != "" {
		t.Errorf("calendars (-want +got):\n%s", diff)
	}

	seeded := []string{"3 09:00 - 3 10:00", "4 23:00 - 5 23:00"}
	checkBusy(t, "events", c, seeded)
	// It knows whole days in UTC only.
	checkBusy(t, "free and busy", google.New(google.Config{Accounts: keys, Endpoint: root, Base: onlyFreeBusy{}}),
		[]string{"3 09:00 - 3 10:00", "5 00:00 - 6 00:00"})

	online := entry(t, moved(t))
	online.Online = true
	write(t, c, online)
	checkBusy(t, "after an event was written", c, []string{"3 09:00 - 3 10:00", "4 09:00 - 4 10:00", "4 23:00 - 5 23:00"})
	// It gives events ids of its own, so ours is not found again.
	if err := c.Remove(t.Context(), online); err != nil {
		t.Errorf("Remove: %v", err)
	}
	// It gives no sync tokens: each reading is anew.
	snapshot, err := c.Sync(t.Context(), calendartest.Owner(), week(t), calendar.Snapshot{})
	if err != nil || len(snapshot.Marks) != 0 {
		t.Errorf("Sync: marks %v, error %v", snapshot.Marks, err)
	}
}

func checkBusy(t *testing.T, what string, c *google.Calendar, want []string) {
	t.Helper()
	got, err := c.Times(t.Context(), calendartest.Owner(), week(t), "")
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, inUTC(got.Busy)); diff != "" ||
		got.State(interval.From(at(t, "7 12:00"), time.Hour)) != interval.Free {
		t.Errorf("%s: unknown %v, busy (-want +got):\n%s", what, got.Unknown, diff)
	}
}
