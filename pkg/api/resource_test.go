package api

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestPeople(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/people"
	zoe := `{"id":"zoe@example.com","name":"Zoe","timezone":"Asia/Tokyo","location":{"latitude":35.7,"longitude":139.7},` +
		`"office":{"latitude":35.6,"longitude":139.8,"label":"Shibuya"},"workingHours":{"mon":[{"start":"22:00",` +
		`"end":"24:00"}]}}`
	if a := do(t, "PUT", url+"/zoe@example.com", zoe); a.status != http.StatusOK || strings.TrimSpace(a.body) != zoe {
		t.Errorf("put = %d %s, want the person", a.status, a.body)
	}
	if a := do(t, "GET", url+"/zoe%40example.com", ""); a.status != http.StatusOK || strings.TrimSpace(a.body) != zoe {
		t.Errorf("get = %d %s, want the person", a.status, a.body)
	}
	if a := do(t, "GET", url, ""); !strings.HasPrefix(a.body, `{"people":[{"id":"al","name":"Al Chen"},{"id":"me"`) {
		t.Errorf("list = %s", a.body)
	}
	if a := do(t, "DELETE", url+"/zoe@example.com", ""); a.status != http.StatusNoContent {
		t.Errorf("delete = %d, want 204", a.status)
	}
	if a := do(t, "GET", url+"/zoe@example.com", ""); a.status != http.StatusNotFound {
		t.Errorf("get after delete = %d, want 404", a.status)
	}
	for path, field := range map[string]string{"/inline:1": "id", "/a%20b": "id", "/other": "id"} {
		if a := do(t, "PUT", url+path, zoe); a.status != http.StatusBadRequest || a.problem(t).Field != field {
			t.Errorf("put %s = %d %s, want 400 %s", path, a.status, a.body, field)
		}
	}
	if a := do(t, "PUT", url+"/zoe", `{"name":"Zoe","nick":"Z"}`); a.problem(t).Field != "nick" {
		t.Errorf("unknown member: %s", a.body)
	}
}

func TestProposal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/proposals/p1"
	if a := do(t, "GET", url, ""); a.status != http.StatusOK || !strings.Contains(a.body, `"title":"Coffee with Al"`) {
		t.Errorf("get = %d %s", a.status, a.body)
	}
	a := do(t, "GET", url+".ics", "")
	if a.status != http.StatusOK || a.body != "BEGIN:VCALENDAR Coffee with Al" ||
		a.header.Get("Content-Type") != "text/calendar; charset=utf-8" ||
		a.header.Get("Content-Disposition") != `attachment; filename="p1.ics"` {
		t.Errorf("ics = %d %v %q", a.status, a.header, a.body)
	}
	if a := do(t, "POST", url+"/cancel", ""); a.status != http.StatusOK ||
		!strings.Contains(a.body, `"status":"cancelled"`) {
		t.Errorf("cancel = %d %s", a.status, a.body)
	}
}

func TestFileOfAProposalWhoseEventStandsAsAnother(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*meet.Event){
		"moved":              func(e *meet.Event) { e.ReplacedBy = "p2" },
		"a withdrawn change": func(e *meet.Event) { e.Replaces = "p2" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.desk.event.Status = meet.Cancelled
			change(&f.desk.event)
			url := f.serve(t) + "/v1/proposals/p1"
			if a := do(t, "GET", url, ""); a.status != http.StatusOK || !strings.Contains(a.body, `":"p2"`) {
				t.Errorf("get = %d %s", a.status, a.body)
			}
			if a := do(t, "GET", url+".ics", ""); a.status != http.StatusConflict ||
				!strings.Contains(a.problem(t).Detail, "p2") {
				t.Errorf("ics = %d %s, want a conflict that names p2: a file would cancel the event that stands as p2", a.status,
					a.body)
			}
		})
	}
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	one, zero := 1, 0
	tests := []struct {
		name, body string
		want       booking.Choice
	}{
		{"without a body", "", booking.Choice{}},
		{"with an empty choice", "{}", booking.Choice{}},
		{"with a slot and a place", `{"slot":1,"place":0}`, booking.Choice{Slot: &one, Place: &zero}},
		{"with the start that is meant", `{"slot":1,"start":"2026-03-09T12:00:00Z"}`,
			booking.Choice{Slot: &one, Start: noon}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			a := do(t, "POST", f.serve(t)+"/v1/proposals/p1/confirm", tt.body)
			if a.status != http.StatusOK || !strings.Contains(a.body, `"status":"confirmed"`) {
				t.Errorf("confirm = %d %s", a.status, a.body)
			}
			wantDiff(t, "choice", tt.want, f.desk.chosen)
		})
	}
	url := newFixture(t).serve(t) + "/v1/proposals/p1/confirm"
	for body, field := range map[string]string{`{"slot":"1"}`: "slot", `{"slot":1.5}`: "slot", `{"time":1}`: "time",
		`{"start":"noon"}`: "start"} {
		if a := do(t, "POST", url, body); a.status != http.StatusBadRequest || a.problem(t).Field != field {
			t.Errorf("confirm with %s = %d, want 400 %s", body, a.status, field)
		}
	}
}

func TestSlotThatHasGoneComesWithOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.desk.fail = &booking.GoneError{
		Fault: fault.New(fault.SlotGone, "Al is no longer free."),
		Slots: []meet.Slot{{Start: noon, End: noon, State: meet.SlotFree}},
	}
	a := do(t, "POST", f.serve(t)+"/v1/proposals/p1/confirm", "")
	p := a.problem(t)
	if a.status != http.StatusConflict || p.Code != "slot_gone" || len(p.Slots) != 1 || !p.Slots[0].Start.Equal(noon) {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	parts := func(redis, model State) map[string]PartState {
		return map[string]PartState{"redis": {State: redis}, "model": {State: model, Detail: "built in"}}
	}
	tests := []struct {
		name   string
		parts  map[string]PartState
		status int
		body   string
	}{
		{"all is well", parts(PartUp, PartUp), 200, `{"state":"up"`},
		{"a model is down", parts(PartUp, PartDown), 200, `{"state":"degraded"`},
		{"redis is down", parts(PartDown, PartUp), 503, `{"state":"down"`},
		{"no turns are accepted", map[string]PartState{"turns": {State: PartDown}}, 503, `{"state":"down"`},
		{"nothing to ask", nil, 200, `{"state":"up"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			url := newFixture(t, func(c *Config) {
				c.Health = func(context.Context) map[string]PartState { return tt.parts }
			}).serve(t)
			if a := do(t, "GET", url+"/readyz", ""); a.status != tt.status || !strings.HasPrefix(a.body, tt.body) {
				t.Errorf("readyz = %d %s, want %d %s", a.status, a.body, tt.status, tt.body)
			}
			if a := do(t, "GET", url+"/healthz", ""); a.status != http.StatusOK ||
				strings.TrimSpace(a.body) != `{"state":"up"}` {
				t.Errorf("healthz = %d %s", a.status, a.body)
			}
		})
	}
}
