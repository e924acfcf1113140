package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/meet"
)

func (h *house) mint(t *testing.T, body string) (caller auth.Caller, until time.Time) {
	t.Helper()
	a := h.ask(t, "POST", "/v1/tokens", body, "Authorization", "Bearer "+h.key)
	var made mintedToken
	if err := json.Unmarshal([]byte(a.body), &made); err != nil || a.status != 201 {
		t.Fatalf("%s: %d %s", body, a.status, a.body)
	}
	caller, err := h.door.Caller(t.Context(), made.Token)
	if err != nil {
		t.Fatal(err)
	}
	return caller, made.ExpiresAt
}

func TestTokensAreMade(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	caller, until := h.mint(t, `{"origin":"https://app.example","organizers":["me"],"participants":["al"],`+
		`"conversations":["c1"],"contacts":true,"guests":true}`)
	want := auth.Grant{
		Origin: site, Organizers: []meet.PersonID{"me"}, Participants: []meet.PersonID{"al"}, Contacts: true, Guests: true,
		Conversations: []meet.ConversationID{"c1"},
	}
	wantDiff(t, "grant", want, caller.Grant)
	if caller.Tenant != "acme" || caller.Key != h.keyID {
		t.Errorf("caller %+v", caller)
	}
	if life := time.Until(until); life < 14*time.Minute || life > 15*time.Minute {
		t.Errorf("it lives for %v", life)
	}
	if _, until := h.mint(t,
		`{"origin":"https://app.example","organizers":["me"],"minutes":1440}`); time.Until(until) < 23*time.Hour {
		t.Errorf("until %v", until)
	}
}

// A visitor's tokens share their conversations; others' do not, nor do those of another tenant.
func TestConversationsOfAVisitor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	space := func(more string) string {
		caller, _ := h.mint(t, `{"origin":"https://app.example","organizers":["me"]`+more+`}`)
		return caller.Grant.Namespace
	}
	first, again, other := space(`,"visitor":"u-1"`), space(`,"visitor":"u-1"`), space(`,"visitor":"u-2"`)
	if first == "" || first != again || first == other {
		t.Errorf("%q, %q, %q", first, again, other)
	}
	if a, b := space(""), space(""); a == "" || a == b {
		t.Errorf("%q, %q", a, b)
	}
	if got := space(`,"conversations":["c1"]`); got != "" {
		t.Errorf("with conversations alone: %q", got)
	}
	if namespace(tokenRequest{Visitor: "u-1"}, "acme") == namespace(tokenRequest{Visitor: "u-1"}, "other") {
		t.Error("two tenants' visitors share conversations")
	}
}

func TestTokensThatAreNotMade(t *testing.T) {
	t.Parallel()
	h, long := newHouse(t), strings.Repeat("x", 201)
	for body, field := range map[string]string{
		`{}`:                                 "origin",
		`{"origin":"*","organizers":["me"]}`: "origin",
		`{"origin":"https://evil.example","organizers":["me"]}`:                                    "origin",
		`{"origin":"https://app.example/","organizers":["me"]}`:                                    "origin",
		`{"origin":"https://app.example"}`:                                                         "organizers",
		`{"origin":"https://app.example","organizers":["me","zoe"]}`:                               "organizers[1]",
		`{"origin":"https://app.example","organizers":["{me}"]}`:                                   "organizers[0]",
		`{"origin":"https://app.example","organizers":["me"],"participants":["zoe"]}`:              "participants[0]",
		`{"origin":"https://app.example","organizers":["me"],"conversations":["a b"]}`:             "conversations[0]",
		`{"origin":"https://app.example","organizers":["me"],"minutes":1441}`:                      "minutes",
		`{"origin":"https://app.example","organizers":["me"],"minutes":-1}`:                        "minutes",
		`{"origin":"https://app.example","organizers":["me"],"minutes":9000000000000000}`:          "minutes",
		`{"origin":"https://app.example","organizers":["me"],"tenant":"x"}`:                        "tenant",
		`{"origin":"https://app.example","organizers":["me"],"visitor":"` + long + `"}`:            "visitor",
		`{"origin":"https://app.example","organizers":[` + strings.Repeat(`"me",`, 100) + `"me"]}`: "organizers",
	} {
		a := h.ask(t, "POST", "/v1/tokens", body, "Authorization", "Bearer "+h.key)
		if p := a.problem(t); a.status != 400 || p.Field != field {
			t.Errorf("%.100s: %d %s, want 400 %s", body, a.status, a.body, field)
		}
	}
}

// What a browser may put into a turn.
func TestTurnsOfABrowser(t *testing.T) {
	t.Parallel()
	guests, contacts := bound(), bound()
	guests.Guests, contacts.Contacts = true, true
	alone := bound()
	alone.Namespace = ""
	const busy = `,"availability":[{"person":%q,"busy":[]}]`
	for name, test := range map[string]struct {
		grant  auth.Grant
		body   string // without the message
		status int
		field  string
	}{
		"its people":                 {bound(), `"organizer":"me","participants":["al"]`, 202, ""},
		"its conversation":           {bound(), `"organizer":"me","conversationId":"c1"`, 202, ""},
		"one of its own":             {bound(), `"organizer":"me","conversationId":"w1.x"`, 202, ""},
		"somebody else's":            {bound(), `"organizer":"me","conversationId":"c2"`, 404, ""},
		"one that looks like it":     {bound(), `"organizer":"me","conversationId":"w1x"`, 404, ""},
		"a new one that it may not":  {alone, `"organizer":"me"`, 400, "conversationId"},
		"as somebody else":           {bound(), `"organizer":"al"`, 400, "organizer"},
		"somebody it may not invite": {bound(), `"organizer":"me","participants":["eve"]`, 400, "participants[0]"},
		"nobody":                     {bound(), `"organizer":"me","participants":["zoe"]`, 400, "participants[0]"},
		"a contact":                  {contacts, `"organizer":"me","participants":["eve"]`, 202, ""},
		"as a contact":               {contacts, `"organizer":"eve"`, 400, "organizer"},
		"a guest":                    {guests, `"organizer":"me","participants":[{"name":"Zoe"}]`, 202, ""},
		"as a guest":                 {guests, `"organizer":{"name":"Zoe","email":"zoe@example.com"}`, 202, ""},
		"a guest that it may not":    {bound(), `"organizer":"me","participants":[{"name":"Zoe"}]`, 400, "participants[0]"},
		"a guest under an id": {guests, `"organizer":"me","participants":[{"name":"Zoe","id":"eve"}]`,
			400, "participants[0]"},
		"a guest under its own id": {guests, `"organizer":{"name":"Zoe","id":"me"}`, 400, "organizer"},
		"a guest who is eve": {guests, `"organizer":"me","participants":[{"name":"Zoe","email":"EVE@example.com"}]`,
			400, "participants[0]"},
		"as a guest who is eve": {guests, `"organizer":{"name":"Zoe","email":"eve@example.com"}`, 400, "organizer"},
		"a guest who is Mia":    {guests, `"organizer":{"name":"Mia","email":"mia@example.com"}`, 202, ""},
		"its own time":          {bound(), `"organizer":"me"` + fmt.Sprintf(busy, "me"), 202, ""},
		"a guest's time": {guests, `"organizer":"me","participants":[{"name":"Zoe"}]` + fmt.Sprintf(busy, "Zoe"),
			202, ""},
		"a participant's time": {bound(), `"organizer":"me","participants":["al"]` + fmt.Sprintf(busy, "al"), 400,
			"availability[0].person"},
		"a participant's, by name": {bound(), `"organizer":"me","participants":["al"]` + fmt.Sprintf(busy, "Al Chen"),
			400, "availability[0].person"},
		"somebody else's time": {contacts, `"organizer":"me"` + fmt.Sprintf(busy, "eve"), 400, "availability[0].person"},
	} {
		h := newHouse(t)
		h.people.people["eve"] = meet.Person{ID: "eve", Name: "Eve", Email: "eve@example.com"}
		a := h.ask(t, "POST", "/v1/turns", `{"message":"hi",`+test.body+`}`, "Authorization",
			"Bearer "+h.token(t, test.grant), "Origin", site)
		if a.status != test.status || test.field != "" && a.problem(t).Field != test.field {
			t.Errorf("%s: %d %s, want %d %s", name, a.status, a.body, test.status, test.field)
		}
	}
}

// Who is not there and who may not be named are told apart by nothing.
func TestRefusalsTellNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.people.people["eve"] = meet.Person{ID: "eve", Name: "Eve"}
	ask := func(method, target, body string) string {
		a := h.ask(t, method, target, body, "Authorization", "Bearer "+h.token(t, bound()), "Origin", site, "X-Request-Id",
			"r")
		return fmt.Sprint(a.status, strings.NewReplacer("eve", "X", "zoe", "X").Replace(a.body))
	}
	h.log.append("t2", meet.TurnUpdate{TurnID: "t2"}, meet.DoneUpdate{})
	for _, body := range []string{`{"message":"hi","organizer":%q}`, `{"message":"hi","organizer":"me",` +
		`"participants":[%q]}`, `{"message":"hi","organizer":"me","availability":[{"person":%q,"busy":[]}]}`} {
		if there, not := ask("POST", "/v1/turns", fmt.Sprintf(body, "eve")),
			ask("POST", "/v1/turns", fmt.Sprintf(body, "zoe")); there != not {
			t.Errorf("somebody who is there: %s\nand who is not: %s", there, not)
		}
	}
	if there, not := ask("GET", "/v1/people/eve/calendars", ""), ask("GET", "/v1/people/zoe/calendars", ""); there != not {
		t.Errorf("calendars: %s\nand: %s", there, not)
	}
}

// A turn is run where nobody knows who asked for it, so it carries what its caller may.
func TestTurnsCarryTheirBounds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	start := func(credential string) meet.Turn {
		h.ask(t, "POST", "/v1/turns", `{"message":"hi","organizer":"me"}`, "Authorization", "Bearer "+credential)
		return h.turns.started[len(h.turns.started)-1]
	}
	turn := start(h.token(t, bound()))
	wantDiff(t, "circle", []meet.PersonID{"me", "al"}, turn.Circle)
	if !strings.HasPrefix(string(turn.Conversation), "w1.") {
		t.Errorf("conversation %q", turn.Conversation)
	}
	turn = start(h.key)
	if turn.Circle != nil || turn.Conversation != "" {
		t.Errorf("a server's turn: %+v", turn)
	}
}

// The key of a repeated request is the caller's own: nobody finds a turn of others by it, nor takes it away from them.
func TestRepeatedRequestsOfOthers(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := bound()
	other.Conversations, other.Namespace = nil, "w2"
	ask := func(g auth.Grant) answer {
		return h.ask(t, "POST", "/v1/turns", `{"message":"hi","organizer":"me"}`,
			"Authorization", "Bearer "+h.token(t, g), "Origin", site, "Idempotency-Key", "k1", "Accept", "text/event-stream")
	}
	h.turns.script = []meet.Update{meet.DoneUpdate{}}
	if a := ask(bound()); a.status != 200 {
		t.Fatalf("first: %d %s", a.status, a.body)
	}
	if a := ask(bound()); a.status != 200 || len(h.turns.started) != 1 {
		t.Errorf("again: %d, %d turns", a.status, len(h.turns.started))
	}
	if a := ask(other); a.status != 200 || len(h.turns.started) != 2 {
		t.Errorf("somebody else: %d, %d turns, want one of their own", a.status, len(h.turns.started))
	}
	if a := ask(other); a.status != 200 || len(h.turns.started) != 2 {
		t.Errorf("somebody else again: %d, %d turns", a.status, len(h.turns.started))
	}
	a := h.ask(t, "POST", "/v1/turns", `{"message":"hi","organizer":"me"}`, "Authorization", "Bearer "+h.key,
		"Idempotency-Key", "k1")
	if a.status != 202 || len(h.turns.started) != 3 {
		t.Errorf("the site's server: %d, %d turns", a.status, len(h.turns.started))
	}
}

// A token that may only go on with conversations has no name of its own, so a key counts within the conversation.
func TestRepeatedRequestsInOneConversation(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ask := func(in meet.ConversationID) answer {
		g := bound()
		g.Conversations, g.Namespace = []meet.ConversationID{in}, ""
		return h.ask(t, "POST", "/v1/turns", `{"message":"hi","organizer":"me","conversationId":"`+string(in)+`"}`,
			"Authorization", "Bearer "+h.token(t, g), "Origin", site, "Idempotency-Key", "k1")
	}
	for i, test := range []struct {
		in   meet.ConversationID
		want int
	}{{"c1", 1}, {"c1", 1}, {"c2", 2}, {"c2", 2}} {
		if a := ask(test.in); a.status != 202 || len(h.turns.started) != test.want {
			t.Errorf("request %d: %d %s, %d turns, want %d", i+1, a.status, a.body, len(h.turns.started), test.want)
		}
	}
}
