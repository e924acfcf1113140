package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/meet"
)

func TestTurnState(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"}, meet.DoneUpdate{})
	a := do(t, "GET", f.serve(t)+"/v1/turns/t1", "")
	want := meet.TurnState{
		TurnID: "t1", ConversationID: "c1", Phase: meet.TurnDone, Outcome: meet.OutcomeProposed, LastUpdate: 2,
	}
	var got meet.TurnState
	if err := json.Unmarshal([]byte(a.body), &got); err != nil {
		t.Fatalf("status %d, %s: %v", a.status, a.body, err)
	}
	wantDiff(t, "state", want, got)
	for _, word := range []string{"$schema", "0001-01-01"} {
		if strings.Contains(a.body, word) {
			t.Errorf("body has %s: %s", word, a.body)
		}
	}
}

func TestCancelledTurnEndsItsStream(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	url := f.serve(t) + "/v1/turns/t1"
	stream := open(t, "GET", url+"/events", "")
	defer stream.Body.Close()
	if a := do(t, "DELETE", url, ""); a.status != http.StatusAccepted {
		t.Errorf("cancel = %d, want 202", a.status)
	}
	body := readAll(t, stream)
	wantDiff(t, "updates", []string{"1 turn", "2 done"}, kinds(t, events(t, body)))
	if a := do(t, "DELETE", url, ""); a.status != http.StatusNoContent {
		t.Errorf("cancel after the end = %d, want 204", a.status)
	}
}

func TestUnknownThingsAreNotFound(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	paths := []string{
		"GET /v1/turns/t9", "GET /v1/turns/t9/events", "DELETE /v1/turns/t9", "GET /v1/proposals/p9",
		"GET /v1/proposals/p9.ics",
		"POST /v1/proposals/p9/confirm", "POST /v1/proposals/p9/cancel", "GET /v1/people/eve", "DELETE /v1/people/eve",
		"GET /v1/nothing",
		"GET /static/nothing.js", "GET /static/..%2fapi.go",
	}
	for _, path := range paths {
		method, path, _ := strings.Cut(path, " ")
		a := do(t, method, url+path, "")
		if p := a.problem(t); a.status != http.StatusNotFound || p.Code != "not_found" {
			t.Errorf("%s %s = %d %s, want 404 not_found", method, path, a.status, p.Code)
		}
	}
	if a := do(t, "PATCH", url+"/v1/turns", ""); a.status != http.StatusMethodNotAllowed ||
		a.problem(t).Code != "method_not_allowed" || a.header.Get("Allow") == "" {
		t.Errorf("PATCH = %d, Allow %q", a.status, a.header.Get("Allow"))
	}
}

func TestFaultsBecomeProblems(t *testing.T) {
	t.Parallel()
	for _, tt := range faults() {
		t.Run(fmt.Sprint(tt.err), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.turns.fail = tt.err
			a := do(t, "POST", f.serve(t)+"/v1/turns", plainTurn)
			p := a.problem(t)
			if a.status != tt.status || string(p.Code) != tt.code || a.header.Get("Retry-After") != tt.retryAfter {
				t.Errorf("got %d %s, Retry-After %q; want %d %s, %q", a.status, p.Code, a.header.Get("Retry-After"), tt.status,
					tt.code, tt.retryAfter)
			}
			if strings.Contains(a.body, "10.0.0.7") {
				t.Errorf("the problem tells something internal: %s", a.body)
			}
		})
	}
}
