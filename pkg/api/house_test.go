package api

import (
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/auth/authtest"
	"convene/pkg/meet"
)

const (
	site      = "https://app.example"
	otherPage = "https://other.example"
)

// house is a server with a closed door, a turn t1 and a proposal p1 in the conversation c1, and what opens the door.
type house struct {
	*fixture
	shelf *oneAccount
	ring  *authtest.Ring
	door  *auth.Door
	keyID auth.KeyID
	key   string
}

func newHouse(t *testing.T, change ...func(*Config)) *house {
	t.Helper()
	h := &house{ring: &authtest.Ring{}}
	h.keyID, h.key = h.ring.NewKey("acme")
	h.door = auth.NewDoor(auth.DoorConfig{Ring: h.ring})
	h.shelf = newShelf()
	h.fixture = newFixture(t, append([]func(*Config){measured, newHook().offered, shelved, func(c *Config) {
		c.Mail, c.MailConnector = noMail{}, h.shelf
		c.Calendars, c.Door, c.Origins = h.shelf.calendars(), h.door, []string{site, otherPage}
		c.Chats = &memoryChats{latest: map[meet.ConversationID]meet.TurnID{"c1": "t1"}}
		c.MCP = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	}}, change...)...)
	h.turns.script = []meet.Update{meet.DoneUpdate{Outcome: meet.OutcomeProposed}}
	h.log.append("t1", meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"}, meet.DoneUpdate{Outcome: meet.OutcomeProposed})
	return h
}

// bound is what the house's own token allows.
func bound() auth.Grant {
	return auth.Grant{
		Origin: site, Organizers: []meet.PersonID{"me"}, Participants: []meet.PersonID{"al"},
		Conversations: []meet.ConversationID{"c1"}, Namespace: "w1",
	}
}

func (h *house) token(t *testing.T, g auth.Grant) string {
	t.Helper()
	return authtest.Mint(t, h.door, h.key, g)
}

// expired is a token that was valid an hour ago.
func (h *house) expired(t *testing.T) string {
	t.Helper()
	past := auth.NewDoor(auth.DoorConfig{Ring: h.ring, Now: func() time.Time { return time.Now().Add(-time.Hour) }})
	return authtest.Mint(t, past, h.key, bound())
}

// ask sends a request from afar.
func (h *house) ask(t *testing.T, method, target, body string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	r.Host = "convene.example"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.server.Handler().ServeHTTP(w, r)
	return answer{w.Code, w.Header(), w.Body.String()}
}

// refused are credentials that open nothing.
func (h *house) refused(t *testing.T) map[string]string {
	t.Helper()
	token := h.token(t, bound())
	parts := strings.Split(token, ".")
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`))
	id, revoked := h.ring.NewKey("acme")
	h.ring.Revoke(id)
	_, unknown := (&authtest.Ring{}).NewKey("acme")
	owner, err := h.door.Caller(t.Context(), h.key)
	if err != nil {
		t.Fatal(err)
	}
	ticket, err := h.door.Ticket(t.Context(), owner, "me", "/v1/people/me/calendars/google/connect")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{
		"nothing":                          "",
		"a word":                           "sesame",
		"an unknown key":                   unknown,
		"a revoked key":                    revoked,
		"an expired token":                 h.expired(t),
		"a token with another signature":   parts[0] + "." + parts[1] + "." + strings.Repeat("A", 43),
		"a token without a signature":      unsigned + "." + parts[1] + ".",
		"a ticket that stands for a token": ticket,
	}
}
