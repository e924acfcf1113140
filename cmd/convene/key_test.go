package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"convene/pkg/redisstore/redistest"
)

// command runs the program with a Redis, which the environment names otherwise.
func command(t *testing.T, redis string, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), append(args, "--redis-url="+redis), streams{strings.NewReader(""), &o, &e})
	return status, o.String(), e.String()
}

// newKey makes a key with the program and gives it with its id.
func newKey(t *testing.T, redis, tenant string) (id, key string) {
	t.Helper()
	status, out, errs := command(t, redis, "key", "new", "--tenant="+tenant, "--name=web site")
	key = strings.TrimSpace(out)
	if status != exitDone || strings.Count(out, "\n") != 1 || !strings.HasPrefix(key, "convene_") ||
		strings.Contains(errs, key) {
		t.Fatalf("exit status %d: %q, %q; want the key alone on standard output", status, out, errs)
	}
	id, _, _ = strings.Cut(strings.TrimPrefix(key, "convene_"), "_")
	return id, key
}

// A key is made, opens the door that it closed, and is ended, while the server runs.
func TestTheLifeOfAKey(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	server := startServer(t, "", "--redis-url="+redis)
	people := func(key string) int {
		status, _, _ := get(t, server+"/v1/people", "Authorization", "Bearer "+key)
		return status
	}
	if got := people(""); got != http.StatusOK {
		t.Fatalf("before there are keys: %d", got)
	}
	id, key := newKey(t, redis, "")
	becomes(t, "without a key", func() int { return people("") }, http.StatusUnauthorized)
	if got := people(key); got != http.StatusOK {
		t.Errorf("with the key: %d", got)
	}
	status, out, _ := command(t, redis, "key", "list")
	if status != exitDone || !strings.Contains(out, id) || !strings.Contains(out, "web site") ||
		strings.Contains(out, key) {
		t.Errorf("exit status %d:\n%s", status, out)
	}
	if status, _, errs := command(t, redis, "key", "revoke", id); status != exitDone {
		t.Errorf("exit status %d: %s", status, errs)
	}
	becomes(t, "with a revoked key", func() int { return people(key) }, http.StatusUnauthorized)
	if got := people(""); got != http.StatusUnauthorized {
		t.Errorf("without a key, when the last was revoked: %d", got)
	}
	if _, out, _ := command(t, redis, "key", "list"); strings.Count(out, time.Now().UTC().Format("2006-")) < 2 {
		t.Errorf("it is not listed as revoked:\n%s", out)
	}
}

// A key of some families is listed as one, uses their tools only, and confirms nothing if it was made so.
func TestALimitedKey(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	server := startServer(t, "", "--redis-url="+redis)
	status, out, errs := command(t, redis, "key", "new", "--tenant=", "--families=calendar,items", "--no-confirm")
	if status != exitDone {
		t.Fatal(errs)
	}
	key := "Bearer " + strings.TrimSpace(out)
	if _, list, _ := command(t, redis, "key", "list"); !strings.Contains(list, "calendar,items but confirm") {
		t.Errorf("the list:\n%s", list)
	}
	for path, want := range map[string]int{"/events": http.StatusOK, "/preferences": http.StatusForbidden} {
		becomes(t, path, func() int {
			got, _, _ := get(t, server+"/v1/people/me"+path, "Authorization", key)
			return got
		}, want)
	}
	if status, _, errs := command(t, redis, "key", "new", "--tenant=", "--families=diary"); status != exitMisuse ||
		!strings.Contains(errs, "calendar") {
		t.Errorf("an unknown family: exit status %d: %s", status, errs)
	}
}

// becomes waits for an answer, as those who revoke a key have to.
func becomes(t *testing.T, what string, ask func() int, want int) {
	t.Helper()
	await(t, fmt.Sprintf("%s: %d", what, want), func() bool { return ask() == want })
}

func TestMisuseOfKeys(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	for name, test := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"no tenant":        {[]string{"key", "new", "--redis-url=" + redis}, exitMisuse, "--tenant"},
		"a strange tenant": {[]string{"key", "new", "--tenant=A b", "--redis-url=" + redis}, exitMisuse, "--tenant"},
		"a strange name": {[]string{
			"key", "new", "--tenant=a", "--name=a\tb", "--redis-url=" + redis,
		}, exitMisuse, "--name"},
		"no Redis":            {[]string{"key", "new", "--tenant=acme"}, exitMisuse, "REDIS_URL"},
		"no Redis to list":    {[]string{"key", "list"}, exitMisuse, "REDIS_URL"},
		"nothing to revoke":   {[]string{"key", "revoke", "--redis-url=" + redis}, exitMisuse, "<id>"},
		"an unknown key":      {[]string{"key", "revoke", "nobody", "--redis-url=" + redis}, exitFailed, "key list"},
		"not a Redis":         {[]string{"key", "list", "--redis-url=ftp://x"}, exitFailed, "REDIS_URL"},
		"required in process": {[]string{"serve", "--require-key"}, exitMisuse, "REDIS_URL"},
		"not an origin":       {[]string{"serve", "--origins=app.example"}, exitMisuse, "--origins"},
		"not a network":       {[]string{"serve", "--trusted-proxies=everybody"}, exitMisuse, "--trusted-proxies"},
		"not a rate":          {[]string{"serve", "--limit-key=often"}, exitMisuse, "--limit-key"},
		"no key to listen": {[]string{
			"serve", "--listen=0.0.0.0:0", "--redis-url=" + redis,
		}, exitMisuse, "convene key new"},
		"no address": {[]string{"serve", "--listen=8080", "--require-key", "--redis-url=" + redis}, exitMisuse, "host:port"},
	} {
		var out, errs bytes.Buffer
		status := run(t.Context(), test.args, streams{strings.NewReader(""), &out, &errs})
		if status != test.status || !strings.Contains(errs.String(), test.says) || strings.Count(errs.String(), "\n") != 1 ||
			out.Len() > 0 {
			t.Errorf("%s: exit status %d, %q, want %d and a line that says %s", name, status, &errs, test.status, test.says)
		}
	}
}

// Once there is a key, the server may be reached by others, and needs keys for good.
func TestWhereAServerMayListen(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	listen := func(address string, requireKey bool) (bool, error) {
		c := serveCommand{Listen: address}
		c.RedisURL, c.Door.RequireKey = redis, requireKey
		err := c.guard(t.Context())
		return c.Door.RequireKey, err
	}
	if _, err := listen("0.0.0.0:0", false); err == nil {
		t.Error("without a key it may be reached by others")
	}
	if required, err := listen("0.0.0.0:0", true); err != nil || !required {
		t.Errorf("with --require-key: %t, %v", required, err)
	}
	newKey(t, redis, "acme")
	if required, err := listen("0.0.0.0:0", false); err != nil || !required {
		t.Errorf("with a key: %t, %v", required, err)
	}
	if required, err := listen("127.0.0.1:0", false); err != nil || required {
		t.Errorf("on this machine: %t, %v", required, err)
	}
}

// The whole way of a page: its server has a token made, and the page talks with it.
func TestATokenFromEndToEnd(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	_, key := newKey(t, redis, "")
	const (
		site  = "https://app.example"
		lunch = `{"message":"Lunch with Grace on Thursday","organizer":"me"}`
		read  = `"person":"grace"`
	)
	server := startServer(t, "", "--redis-url="+redis, "--origins="+site)
	backend := &talker{t: t, server: server, credential: key}
	var made struct{ Token string }
	backend.send(http.MethodPost, "/v1/tokens", `{"origin":"https://app.example","organizers":["me"],`+
		`"participants":["al"],"visitor":"u-1"}`, http.StatusCreated, &made)
	browser := &talker{t: t, server: server, credential: made.Token, origin: site}
	var started struct{ TurnID, ConversationID, EventsURL string }
	browser.send(http.MethodPost, "/v1/turns", `{"message":"Let's grab coffee with Al next week","organizer":"me"}`,
		http.StatusAccepted, &started)
	status, stream, header := get(t, server+started.EventsURL+"?token="+made.Token, "Origin", site)
	if status != http.StatusOK || header.Get("Access-Control-Allow-Origin") != site ||
		bytes.Contains(stream, []byte(made.Token)) {
		t.Fatalf("stream: %d %v", status, header)
	}
	var state struct{ Event struct{ ID string } }
	browser.send(http.MethodGet, "/v1/turns/"+started.TurnID, "", http.StatusOK, &state)
	if state.Event.ID == "" {
		t.Fatalf("no proposal in %s", stream)
	}
	browser.send(http.MethodPost, "/v1/proposals/"+state.Event.ID+"/confirm", "{}", http.StatusOK, nil)
	if status, _, _ := get(t, server+"/v1/proposals/"+state.Event.ID+".ics?token="+made.Token, "Sec-Fetch-Site",
		"cross-site", "Sec-Fetch-Mode", "navigate"); status != http.StatusOK {
		t.Errorf("calendar file: %d", status)
	}

	// Another visitor sees nothing of it, and a name outside the token's people means nobody.
	backend.send(http.MethodPost, "/v1/tokens", `{"origin":"https://app.example","organizers":["me"],`+
		`"participants":["al"],"visitor":"u-2"}`, http.StatusCreated, &made)
	other := &talker{t: t, server: server, credential: made.Token, origin: site}
	for _, path := range []string{"/v1/turns/" + started.TurnID, started.EventsURL, "/v1/proposals/" + state.Event.ID,
		"/v1/proposals/" + state.Event.ID + ".ics"} {
		other.send(http.MethodGet, path, "", http.StatusNotFound, nil)
	}
	other.send(http.MethodPost, "/v1/turns", fmt.Sprintf(`{"message":"any earlier?","organizer":"me","conversationId":%q}`,
		started.ConversationID), http.StatusNotFound, nil)
	other.send(http.MethodPost, "/v1/turns", lunch, http.StatusAccepted, &started)
	_, stream, _ = get(t, server+started.EventsURL, "Authorization", "Bearer "+made.Token, "Origin", site)
	if bytes.Contains(stream, []byte(read)) || bytes.Contains(stream, []byte("grace@example.com")) {
		t.Errorf("somebody was looked up whom the token does not name: %s", stream)
	}

	// Its server may ask for anyone.
	backend.send(http.MethodPost, "/v1/turns", lunch, http.StatusAccepted, &started)
	if _, stream, _ = get(t, server+started.EventsURL, "Authorization", "Bearer "+key); !bytes.Contains(stream,
		[]byte(read)) {
		t.Errorf("a turn of the server's own does not look Grace up: %s", stream)
	}
}
