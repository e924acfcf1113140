package auth_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/auth"
	"convene/pkg/auth/authtest"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// clock is a time that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time         { return c.at }
func (c *clock) passes(d time.Duration) { c.at = c.at.Add(d) }

// entrance is a door with its ring and its clock.
type entrance struct {
	*auth.Door
	ring  *authtest.Ring
	clock *clock
}

func newEntrance() entrance {
	ring, now := &authtest.Ring{}, &clock{time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)}
	return entrance{auth.NewDoor(auth.DoorConfig{Ring: ring, Now: now.now}), ring, now}
}

// code is what becomes of a credential: a fault's code, or the kind of caller.
func (e entrance) code(t *testing.T, credential string) string {
	t.Helper()
	caller, err := e.Caller(t.Context(), credential)
	if err != nil {
		if caller.Kind != "" {
			t.Errorf("a caller of kind %s beside %v", caller.Kind, err)
		}
		return string(fault.CodeOf(err))
	}
	return string(caller.Kind)
}

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// The first key closes the door, and revoking the last one does not open it.
func TestTheDoorClosesWithTheFirstKey(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	want(t, "no keys", e.code(t, ""), "open")
	want(t, "no keys, and a credential", e.code(t, "anything"), "open")
	id, key := e.ring.NewKey("acme")
	e.clock.passes(2 * time.Second)
	want(t, "nothing shown", e.code(t, ""), "unauthorized")
	want(t, "the key", e.code(t, key), "key")
	e.ring.Revoke(id)
	want(t, "a key that was revoked just now", e.code(t, key), "key")
	e.clock.passes(2 * time.Second)
	want(t, "a key that was revoked", e.code(t, key), "unauthorized")
	want(t, "no key that works", e.code(t, ""), "unauthorized")
}

// A Redis that has lost the keys, as one without persistence that starts anew, opens no door that was closed.
func TestTheDoorStaysClosedWhereKeysAreLost(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	want(t, "nothing shown", e.code(t, ""), "unauthorized")
	e.ring.Lose()
	e.clock.passes(2 * time.Second)
	want(t, "nothing shown, and no keys", e.code(t, ""), "unauthorized")
	want(t, "the key that was lost", e.code(t, key), "unauthorized")
	if closed, err := e.Closed(t.Context()); !closed || err != nil {
		t.Errorf("Closed = %t, %v where keys were lost", closed, err)
	}
}

func TestADoorThatIsToldToBeClosed(t *testing.T) {
	t.Parallel()
	ring := &authtest.Ring{}
	door := auth.NewDoor(auth.DoorConfig{Ring: ring, Required: true})
	if _, err := door.Caller(t.Context(), ""); fault.CodeOf(err) != auth.Unauthorized {
		t.Errorf("without keys: %v, want nobody to be let in", err)
	}
	ring.Fail(fault.New(fault.Unavailable, "away"))
	if closed, err := door.Closed(t.Context()); !closed || err != nil {
		t.Errorf("Closed = %t, %v while the ring is away", closed, err)
	}
}

// Where nobody can be asked which keys there are, nobody is let in.
func TestTheDoorFailsClosed(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	want(t, "before", e.code(t, ""), "open")
	e.ring.Fail(fault.New(fault.Unavailable, "away"))
	e.clock.passes(2 * time.Second)
	for _, credential := range []string{"", "convene_abcdefghij_x", "a.b.c"} {
		want(t, "with "+credential, e.code(t, credential), "unavailable")
	}
	e.ring.Fail(nil)
	want(t, "afterwards", e.code(t, ""), "open")
}

// Keys are read once in a while, not for every request.
func TestKeysAreReadOnceInAWhile(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	for range 100 {
		want(t, "the key", e.code(t, key), "key")
		want(t, "a key of nobody's", e.code(t, "convene_aaaaaaaaaa_"+strings.Repeat("x", 43)), "unauthorized")
	}
	want(t, "readings", e.ring.Reads(), 1)
	_, later := e.ring.NewKey("acme")
	e.clock.passes(250 * time.Millisecond)
	want(t, "a key that is new", e.code(t, later), "key")
}

func TestKeysThatOpenNothing(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	id, key := e.ring.NewKey("acme")
	for name, credential := range map[string]string{
		"cut short":      key[:len(key)-1],
		"one more":       key + "A",
		"in capitals":    strings.ToUpper(key),
		"no secret":      "convene_" + string(id) + "_",
		"id alone":       "convene_" + string(id),
		"prefix alone":   "convene_",
		"another secret": "convene_" + string(id) + "_" + strings.Repeat("A", 43),
		"a space":        " " + key,
	} {
		want(t, name, e.code(t, credential), "unauthorized")
	}
	if !strings.HasPrefix(key, "convene_"+string(id)+"_") || len(key) != len("convene_")+10+1+43 {
		t.Errorf("the key is %q", key)
	}
}

func TestUseIsNoted(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	lastUsed := func() time.Time {
		keys, _, err := e.ring.Keys(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return keys[0].LastUsed
	}
	first := e.clock.now()
	want(t, "the key", e.code(t, key), "key")
	e.clock.passes(30 * time.Second)
	want(t, "the key", e.code(t, key), "key")
	want(t, "soon after", lastUsed(), first)
	e.clock.passes(30 * time.Second)
	want(t, "the key", e.code(t, key), "key")
	want(t, "a minute later", lastUsed(), first.Add(time.Minute))
}

var grant = auth.Grant{
	Origin: "https://app.example", Organizers: []meet.PersonID{"me"},
	Participants: []meet.PersonID{"al"}, Guests: true, Namespace: "w1",
}

// A token says again what it was made for, and lives for as long as was asked.
func TestTokens(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	id, key := e.ring.NewKey("acme")
	owner, err := e.Caller(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ asked, life time.Duration }{
		{0, 15 * time.Minute}, {time.Hour, time.Hour}, {240 * time.Hour, 24 * time.Hour},
	} {
		token, until, err := e.Mint(t.Context(), owner, grant, test.asked)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "until", until, e.clock.now().Add(test.life))
		caller, err := e.Caller(t.Context(), token)
		if err != nil || caller.Token == "" {
			t.Errorf("caller %+v, %v", caller, err)
		}
		caller.Token = ""
		want(t, "caller", caller, auth.Caller{Tenant: "acme", Kind: auth.ByToken, Key: id, Grant: grant})
		began := e.clock.at
		e.clock.passes(test.life + 5*time.Second)
		want(t, "within the skew", e.code(t, token), "token")
		e.clock.passes(6 * time.Second)
		want(t, "expired", e.code(t, token), "token_expired")
		e.clock.at = began.Add(-11 * time.Second)
		want(t, "not valid yet", e.code(t, token), "unauthorized")
		e.clock.at = began
	}
}

func TestOnlyKeysMakeTokens(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	browser, err := e.Caller(t.Context(), authtest.Mint(t, e.Door, key, grant))
	if err != nil {
		t.Fatal(err)
	}
	for _, caller := range []auth.Caller{{}, {Kind: auth.Open}, browser} {
		if _, _, err := e.Mint(t.Context(), caller, grant, 0); fault.CodeOf(err) != auth.Forbidden {
			t.Errorf("%q: %v", caller.Kind, err)
		}
	}
}

// A token is worth no more than the key with which it was made.
func TestTokensEndWithTheirKey(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	id, key := e.ring.NewKey("acme")
	token := authtest.Mint(t, e.Door, key, grant)
	want(t, "before", e.code(t, token), "token")
	e.ring.Revoke(id)
	e.clock.passes(2 * time.Second)
	want(t, "after", e.code(t, token), "unauthorized")
}

// Signing keys are renewed; what an old one signed is valid until it expires, and then the key is forgotten.
func TestSigningKeysRotate(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	owner, err := e.Caller(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	authtest.Mint(t, e.Door, key, grant)
	e.clock.passes(30*24*time.Hour - time.Minute)
	old, _, err := e.Mint(t.Context(), owner, grant, 24*time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	want(t, "signing keys", len(e.ring.Signers()), 1)
	e.clock.passes(time.Minute)
	authtest.Mint(t, e.Door, key, grant)
	want(t, "signing keys after a month", len(e.ring.Signers()), 2)
	want(t, "signed by the old one", e.code(t, old), "token")
	e.clock.passes(24 * time.Hour)
	want(t, "a day later", e.code(t, old), "token_expired")
	e.clock.passes(30 * 24 * time.Hour)
	authtest.Mint(t, e.Door, key, grant)
	want(t, "signing keys after two months", len(e.ring.Signers()), 2)
}

// Another replica's new signing key is found when a token of its turns up.
func TestTokensOfAnotherReplica(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	want(t, "the key", e.code(t, key), "key") // reads the ring, which has no signing key
	other := auth.NewDoor(auth.DoorConfig{Ring: e.ring, Now: e.clock.now})
	token := authtest.Mint(t, other, key, grant)
	e.clock.passes(250 * time.Millisecond)
	want(t, "its token", e.code(t, token), "token")
}

// part decodes a part of a token, has it changed, and encodes it again.
func part(t *testing.T, encoded string, change func(map[string]any)) string {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	var content map[string]any
	if err := json.Unmarshal(raw, &content); err != nil {
		t.Fatal(err)
	}
	change(content)
	if raw, err = json.Marshal(content); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func TestForgedTokens(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	token := authtest.Mint(t, e.Door, key, grant)
	parts := strings.Split(token, ".")
	header := func(name string, value any) string {
		return part(t, parts[0], func(h map[string]any) { h[name] = value })
	}
	claim := func(name string, value any) string {
		return part(t, parts[1], func(c map[string]any) { c[name] = value })
	}
	secret := e.ring.Signers()[0].Secret
	sign := func(head, body string, with []byte) string {
		mac := hmac.New(sha256.New, with)
		mac.Write([]byte(head + "." + body))
		return head + "." + body + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	owner, err := e.Caller(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	ticket, err := e.Ticket(t.Context(), owner, "me", "/v1/somewhere")
	if err != nil {
		t.Fatal(err)
	}
	want(t, "signed again", e.code(t, sign(parts[0], parts[1], secret)), "token")
	for name, forged := range map[string]string{
		"another signature":        parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(make([]byte, 32)),
		"no signature":             parts[0] + "." + parts[1] + ".",
		"algorithm none":           header("alg", "none") + "." + parts[1] + ".",
		"algorithm None":           header("alg", "None") + "." + parts[1] + ".",
		"another algorithm":        sign(header("alg", "HS512"), parts[1], secret),
		"a public key's algorithm": sign(header("alg", "RS256"), parts[1], secret),
		"no kid":                   sign(header("kid", nil), parts[1], secret),
		"an unknown kid":           sign(header("kid", "x"), parts[1], secret),
		"a kid that is no string":  sign(header("kid", []int{1}), parts[1], secret),
		"another secret":           sign(parts[0], parts[1], []byte("secret")),
		"another issuer":           sign(parts[0], claim("iss", "somebody"), secret),
		"another audience":         sign(parts[0], claim("aud", "convene/connect"), secret),
		"another tenant":           sign(parts[0], claim("tenant", "other"), secret),
		"another key":              sign(parts[0], claim("key", "aaaaaaaaaa"), secret),
		"no expiry":                sign(parts[0], claim("exp", nil), secret),
		"no beginning":             sign(parts[0], claim("nbf", nil), secret),
		"changed without signing":  parts[0] + "." + claim("organizers", []string{"al"}) + "." + parts[2],
		"a ticket":                 ticket,
		"no token":                 "a.b.c",
		"nothing":                  "..",
		"huge":                     strings.Repeat("a", 10_000),
	} {
		want(t, name, e.code(t, forged), "unauthorized")
	}
}

// Where everyone is let in, a ticket would be one of no key's, and open nothing.
func TestAnOpenDoorNeedsNoTickets(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	anybody, err := e.Caller(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if ticket, err := e.Ticket(t.Context(), anybody, "me", "/v1/people/me/calendars/google/connect"); ticket != "" ||
		err != nil {
		t.Errorf("ticket = %q, %v; want none", ticket, err)
	}
}

// A ticket opens one address for a minute.
func TestTickets(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	_, key := e.ring.NewKey("acme")
	owner, err := e.Caller(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	const address = "/v1/people/me/calendars/google/connect?access=read"
	ticket, err := e.Ticket(t.Context(), owner, "me", address)
	if err != nil {
		t.Fatal(err)
	}
	admit := func(ticket, address string) string {
		caller, err := e.Admit(t.Context(), ticket, address)
		if err != nil {
			return string(fault.CodeOf(err))
		}
		if caller.Tenant != "acme" || !caller.MayOrganize("me") || caller.MayOrganize("al") || caller.MayInvite("al") ||
			caller.MayFollow("c1") {
			t.Errorf("it may do more, or less: %+v", caller)
		}
		return string(caller.Kind)
	}
	want(t, "its address", admit(ticket, address), "token")
	want(t, "another address", admit(ticket, address+"&returnTo=x"), "unauthorized")
	want(t, "a token", admit(authtest.Mint(t, e.Door, key, grant), address), "unauthorized")
	e.clock.passes(71 * time.Second)
	want(t, "later", admit(ticket, address), "token_expired")
}

// A caller who gives up waiting for the ring does not keep others from what it says.
func TestACallerWhoGivesUp(t *testing.T) {
	t.Parallel()
	e := newEntrance()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Caller(ctx, ""); err != nil && fault.CodeOf(err) != fault.Internal {
		t.Errorf("given up: %v", err)
	}
	want(t, "another", e.code(t, ""), "open")
}
