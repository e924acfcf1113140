package api

import (
	"net/http"
	"strings"
	"testing"

	"convene/pkg/auth"
	"convene/pkg/meet"
)

// messageAlone is a message without an organizer, by the path that takes it in that form.
var messageAlone = map[string]string{
	"/v1/turns": `{"message":"coffee with Al"}`,
	"/v1/chat":  strings.Replace(chatBody, `"organizer":"me",`, "", 1),
	"/v1/agui":  strings.Replace(runBody, `"forwardedProps":{"organizer":"me"},`, "", 1),
}

func withPeople(ids ...meet.PersonID) func(*fixture) {
	return func(f *fixture) {
		f.people.people = map[meet.PersonID]meet.Person{}
		for _, id := range ids {
			f.people.people[id] = meet.Person{ID: id, Name: string(id)}
		}
	}
}

// A message alone is enough where only one person can be meant. Nobody else is guessed.
func TestWhoAsksWhereNobodyIsNamed(t *testing.T) {
	t.Parallel()
	demo := func(c *Config) { c.Organizer = "me" }
	plain := func(*Config) {}
	for _, tt := range []struct {
		name   string
		config func(*Config)
		people func(*fixture)
		want   meet.PersonID
	}{
		{"the only person", plain, withPeople("zoe"), "zoe"},
		{"the only person of the demo world", demo, withPeople("zoe"), "zoe"},
		{"me on the demo world", demo, withPeople("al", "me", "zoe"), "me"},
		{"nobody among several", plain, withPeople("al", "me"), ""},
		{"nobody where me has been forgotten", demo, withPeople("al", "zoe"), ""},
		{"nobody where nobody is stored", demo, withPeople(), ""},
	} {
		for path, body := range messageAlone {
			t.Run(tt.name+" by "+path, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, tt.config)
				tt.people(f)
				f.turns.script = wholeTurn
				a := do(t, "POST", f.serve(t)+path, body)
				f.check(t, a, tt.want, path)
			})
		}
	}
}

// check looks for a turn of the organizer, or for a problem that names the field where there is none.
func (f *fixture) check(t *testing.T, a answer, organizer meet.PersonID, path string) {
	t.Helper()
	if organizer != "" {
		if len(f.turns.started) != 1 || f.turns.started[0].Organizer.ID != organizer {
			t.Errorf("%d %s: turns %+v, want one of %s", a.status, a.body, f.turns.started, organizer)
		}
		return
	}
	field := map[string]string{"/v1/agui": "forwardedProps.organizer"}[path]
	if p := a.problem(t); p.Status != http.StatusBadRequest || p.Field != "organizer" && p.Field != field ||
		len(f.turns.started) > 0 {
		t.Errorf("problem = %+v with %d turns, want organizer", p, len(f.turns.started))
	}
}

// A token speaks for its only organizer, and a key of another tenant for nobody whom it does not name.
func TestWhoAsksWithATokenOrAKey(t *testing.T) {
	t.Parallel()
	me, both := bound(), bound()
	both.Organizers = []meet.PersonID{"al", "me"}
	none := auth.Grant{Origin: site, Guests: true, Namespace: "w1"}
	for name, tt := range map[string]struct {
		grant *auth.Grant
		want  meet.PersonID
	}{
		"a token of one": {&me, "me"}, "a token of two": {&both, ""}, "a token of nobody": {&none, ""}, "a key": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, func(c *Config) { c.Organizer = "me" })
			shown := []string{"Authorization", "Bearer " + h.key}
			if tt.grant != nil {
				shown = []string{"Authorization", "Bearer " + h.token(t, *tt.grant), "Origin", site}
			}
			h.check(t, h.ask(t, "POST", "/v1/turns", messageAlone["/v1/turns"], shown...), tt.want, "/v1/turns")
		})
	}
}
