package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"convene/pkg/redisstore/redistest"
	"convene/pkg/testenv"
)

// listener is another person's server, which is told of events.
type listener struct {
	t        *testing.T
	url      string
	endpoint string

	mu      sync.Mutex
	secrets []string
	// answers are the statuses of the next requests; 200 after that.
	answers []int
	heard   []message
}

// message is what a listener was sent.
type message struct {
	id   string
	Type string
	Data struct {
		ID, Status, Title, Replaces string
		Sequence                    int
	}
}

// listen starts a listener and has a server tell it of events.
func listen(t *testing.T, server string, answers ...int) *listener {
	t.Helper()
	l := &listener{t: t, answers: answers}
	receiver := httptest.NewServer(l)
	t.Cleanup(receiver.Close)
	l.url = receiver.URL + "/hook"
	var made struct{ ID, Secret string }
	request(t, "POST "+server+"/v1/webhooks/endpoints", fmt.Sprintf(`{"url": %q}`, l.url), http.StatusCreated, &made)
	l.endpoint = made.ID
	l.trust(made.Secret)
	return l
}

// trust has messages verified with a secret too.
func (l *listener) trust(secret string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secrets = append(l.secrets, secret)
}

// ServeHTTP takes a message that any library of the specification would take with each of the secrets.
func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // it was cut off, and comes again
	}
	for _, secret := range l.secrets {
		verifier, err := standard.NewWebhook(secret)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		if err != nil {
			l.t.Errorf("a message cannot be verified: %v", err)
		}
	}
	m := message{id: r.Header.Get("Webhook-Id")}
	if err := json.Unmarshal(body, &m); err != nil {
		l.t.Errorf("%s: %v", body, err)
	}
	l.heard = append(l.heard, m)
	if len(l.answers) > 0 {
		w.WriteHeader(l.answers[0])
		l.answers = l.answers[1:]
	}
}

// of is what was heard of a proposal: "event.confirmed 1" with its sequence, each message once, and how often any came.
func (l *listener) of(proposal string) (once []string, times int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	seen := map[string]bool{}
	for _, m := range l.heard {
		if m.Data.ID != proposal {
			continue
		}
		times++
		if !seen[m.id] {
			seen[m.id] = true
			once = append(once, fmt.Sprint(m.Type, " ", m.Data.Sequence))
		}
	}
	return once, times
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	until := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !so() {
		select {
		case <-tick.C:
		case <-until:
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// request sends "GET http://…", which is answered with a status, and reads the answer into v.
func request(t *testing.T, line, body string, status int, v any) {
	t.Helper()
	method, url, _ := strings.Cut(line, " ")
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != status {
		t.Fatalf("%s %s: %d %s, want %d", method, url, resp.StatusCode, answer, status)
	}
	if v == nil {
		return
	}
	if err := json.Unmarshal(answer, v); err != nil {
		t.Fatalf("%s: %v", answer, err)
	}
}

// sent is a delivery as the API shows it.
type sent struct {
	ID, WebhookID, Endpoint, Type, Proposal, State, NextAttemptAt string
	Attempts                                                      []struct {
		Status  int
		Problem string
	}
}

func deliveries(t *testing.T, server, query string) []sent {
	t.Helper()
	var page struct{ Deliveries []sent }
	request(t, "GET "+server+"/v1/webhooks/deliveries?limit=100&"+query, "", http.StatusOK, &page)
	return page.Deliveries
}

// A receiver hears once of a confirmation, of a move and of a cancellation, and can look up what was sent.
func TestWebhooksOfAnEvent(t *testing.T) {
	t.Parallel()
	server := startServer(t, "", "--private-servers")
	l := listen(t, server)
	c := &client{t: t, server: server, conversation: "heard"}
	c.take(step{kind: "say", body: "call Al on Wednesday at 1pm"})
	c.take(step{kind: "confirm"})
	first := c.proposal
	c.take(step{kind: "say", body: "make it 2pm"})
	c.take(step{kind: "confirm"})
	moved := c.proposal
	c.take(step{kind: "cancel"})
	await(t, "three messages", func() bool {
		_, a := l.of(first)
		_, b := l.of(moved)
		return a+b == 3
	})
	got, _ := l.of(first)
	if diff := cmp.Diff([]string{"event.confirmed 0"}, got); diff != "" {
		t.Errorf("heard of the first (-want +got):\n%s", diff)
	}
	got, _ = l.of(moved)
	slices.Sort(got) // messages may overtake one another
	if diff := cmp.Diff([]string{"event.cancelled 2", "event.moved 1"}, got); diff != "" {
		t.Errorf("heard of the change (-want +got):\n%s", diff)
	}
	for _, m := range l.heard {
		if m.Type == "event.moved" && (m.Data.Replaces != first || m.Data.Status != "confirmed" || m.Data.Title == "") {
			t.Errorf("the move is told as %+v", m)
		}
	}
	await(t, "three deliveries", func() bool { return len(deliveries(t, server, "state=delivered")) == 3 })
	var types []string
	for _, d := range deliveries(t, server, "endpoint="+l.endpoint) {
		types = append(types, d.Type)
		if d.State != "delivered" || len(d.Attempts) != 1 || d.Attempts[0].Status != 200 {
			t.Errorf("%+v, want it delivered", d)
		}
	}
	if diff := cmp.Diff([]string{"event.cancelled", "event.moved", "event.confirmed"}, types); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
	_, metrics, _ := get(t, server+"/metrics")
	if !bytes.Contains(metrics, []byte(`convene_webhook_attempts_total{result="delivered"} 3`)) {
		t.Error("the metrics do not count three messages")
	}
}

// A message that was refused is seen to wait, and comes at once where a person asks; with a new secret both sign.
func TestAWebhookIsRetried(t *testing.T) {
	t.Parallel()
	server := startServer(t, "", "--private-servers")
	l := listen(t, server, http.StatusInternalServerError)
	c := &client{t: t, server: server, conversation: "retried"}
	c.take(step{kind: "say", body: "call Al on Wednesday at 1pm"})
	c.take(step{kind: "confirm"})
	var waiting []sent
	await(t, "a failed attempt", func() bool {
		waiting = deliveries(t, server, "state=pending")
		return len(waiting) == 1 && len(waiting[0].Attempts) == 1
	})
	if d := waiting[0]; d.NextAttemptAt == "" || d.Attempts[0].Status != 500 || d.Attempts[0].Problem != "status" {
		t.Errorf("%+v, want it to wait", d)
	}
	var renewed struct{ Secret, OldSecretUntil string }
	request(t, "POST "+server+"/v1/webhooks/endpoints/"+l.endpoint+"/secret", `{"overlapHours": 1}`, http.StatusOK,
		&renewed)
	if renewed.OldSecretUntil == "" {
		t.Error("nobody says until when the old secret signs")
	}
	l.trust(renewed.Secret)
	request(t, "POST "+server+"/v1/webhooks/deliveries/"+waiting[0].ID+"/retry", "", http.StatusAccepted, nil)
	await(t, "the second attempt", func() bool { return len(deliveries(t, server, "state=delivered")) == 1 })
	once, times := l.of(c.proposal)
	if diff := cmp.Diff([]string{"event.confirmed 0"}, once); diff != "" || times != 2 {
		t.Errorf("heard %d times (-want +got):\n%s", times, diff)
	}
	for _, path := range []string{"/v1/webhooks/endpoints", "/v1/webhooks/deliveries"} {
		if _, body, _ := get(t, server+path); bytes.Contains(body, []byte("whsec_")) ||
			bytes.Contains(body, []byte("ealed")) {
			t.Errorf("%s shows a secret: %s", path, body)
		}
	}
}

// A server that wants no more is left alone.
func TestAWebhookEndpointThatIsGone(t *testing.T) {
	t.Parallel()
	server := startServer(t, "", "--private-servers")
	l := listen(t, server, http.StatusGone)
	c := &client{t: t, server: server, conversation: "gone"}
	c.take(step{kind: "say", body: "call Al on Wednesday at 1pm"})
	c.take(step{kind: "confirm"})
	var e struct{ State, Reason string }
	await(t, "the endpoint is disabled", func() bool {
		request(t, "GET "+server+"/v1/webhooks/endpoints/"+l.endpoint, "", http.StatusOK, &e)
		return e.State == "disabled"
	})
	if e.Reason != "gone" {
		t.Errorf("disabled because of %q", e.Reason)
	}
	c.take(step{kind: "cancel"})
	if got := deliveries(t, server, ""); len(got) != 1 || got[0].Type != "event.confirmed" {
		t.Errorf("%+v, want nothing but the first", got)
	}
	request(t, "DELETE "+server+"/v1/webhooks/endpoints/"+l.endpoint, "", http.StatusNoContent, nil)
	request(t, "GET "+server+"/v1/webhooks/endpoints/"+l.endpoint, "", http.StatusNotFound, nil)
}

// Unless it is allowed, no endpoint is in a network of one's own.
func TestWebhookEndpointsInPrivateNetworksAreRefused(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	for _, url := range []string{
		"http://127.0.0.1:6379/", "https://localhost/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data",
		"https://[::1]/",
		"https://[::ffff:192.168.0.1]/", "http://example.com/", "https://me:secret@example.com/", "file:///etc/passwd",
	} {
		var problem struct{ Code, Field string }
		request(t, "POST "+server+"/v1/webhooks/endpoints", fmt.Sprintf(`{"url": %q}`, url), http.StatusBadRequest, &problem)
		if problem.Code != "invalid_request" || problem.Field != "url" {
			t.Errorf("%s: %+v", url, problem)
		}
	}
}

// sealing is the flags of replicas that can open each other's secrets.
func sealing(t *testing.T, redis string) []string {
	t.Helper()
	return []string{"--redis-url=" + redis, "--now=" + friday, "--secrets-keyset=" + newKeyset(t), "--private-servers"}
}

// newKeyset is a file with a key that seals secrets.
func newKeyset(t *testing.T) string {
	t.Helper()
	keyset := filepath.Join(t.TempDir(), "keyset")
	var out bytes.Buffer
	if status := run(t.Context(), []string{"secrets", "new", keyset},
		streams{strings.NewReader(""), &out, &out}); status != exitDone {
		t.Fatalf("secrets: %s", &out)
	}
	return keyset
}

// Two replicas share the work: a receiver hears once of each of many events.
func TestTwoReplicasTellOnce(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	args := sealing(t, redis)
	replicas := []string{startReplica(t, args...).url, startReplica(t, args...).url}
	l := listen(t, replicas[0])
	const events = 20
	var proposals []string
	for i := range events {
		name := fmt.Sprint("kim", i)
		c := stranger(t, replicas[i%2], name, name+"-lee", "call Lee on Tuesday at 10am")
		if status := confirmAt(t, replicas[i%2]+"/v1/proposals/"+c.proposal+"/confirm"); status != http.StatusOK {
			t.Fatalf("confirm: %d", status)
		}
		proposals = append(proposals, c.proposal)
	}
	await(t, "all are delivered", func() bool { return len(deliveries(t, replicas[1], "state=delivered")) == events })
	for _, p := range proposals {
		if once, times := l.of(p); len(once) != 1 || times != 1 {
			t.Errorf("heard %q, %d times", once, times)
		}
	}
}

// lastCommands is how many of the commands that a confirmation gives to Redis a replica is killed after: those around
// its being recorded, and all that come after.
const lastCommands = 16

// A replica is killed after each of the last commands of a confirmation. A receiver hears of the event if it is
// confirmed, by whichever process, and all that it hears of it is one message.
func TestAKilledReplicaTellsOnce(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	args := sealing(t, redis)
	survivor := startReplica(t, args...)
	l := listen(t, survivor.url)
	// confirm has a replica killed after n commands, and reports whether it was; used is how many there were.
	confirm := func(name string, n int) (c *client, used int, killed bool) {
		wire := newTripwire(t, redis)
		wire.victim = startReplica(t, append([]string{"--redis-url=" + wire.url()}, args[1:]...)...)
		c = stranger(t, survivor.url, name, name+"-lee", "call Lee on Tuesday at 10am")
		wire.stretch(n, c)
		if confirmed(t, wire.victim.url+"/v1/proposals/"+c.proposal+"/confirm") {
			wire.mu.Lock()
			defer wire.mu.Unlock()
			wire.about = nil
			return c, n - wire.left, false
		}
		wire.awaitKill(t)
		return c, 0, true
	}
	first, _, _ := confirm("first", 1000) // with which Redis hears all scripts for the first time
	second, used, _ := confirm("second", 1000)
	clients := []*client{first, second}
	stride := testenv.Count(4, 1)
	for n := max(0, used-lastCommands); ; n += stride {
		c, _, killed := confirm(fmt.Sprint("kim", n), n)
		clients = append(clients, c)
		if !killed {
			break
		}
	}
	if killed := len(clients) - 3; killed*stride < lastCommands/4 {
		t.Fatalf("of %d commands, only %d were the last of a replica", used, killed)
	}
	awaitSettled(t, redis)
	hears := func(wanted func(status string) int) func() bool {
		return func() bool {
			return !slices.ContainsFunc(clients, func(c *client) bool {
				once, _ := l.of(c.proposal)
				return len(once) < wanted(proposalStatus(t, survivor.url, c.proposal))
			})
		}
	}
	// What a dead replica had claimed is another person's after half a minute.
	await(t, "all that are confirmed are heard of", hears(func(status string) int {
		return map[string]int{"confirmed": 1}[status]
	}))
	for _, c := range clients {
		if status := confirmAt(t, survivor.url+"/v1/proposals/"+c.proposal+"/confirm"); status != http.StatusOK {
			t.Errorf("asked again: %d", status)
		}
	}
	await(t, "all are heard of", hears(func(string) int { return 1 }))
	awaitSettled(t, redis)
	for _, c := range clients {
		if once, _ := l.of(c.proposal); !slices.Equal(once, []string{"event.confirmed 0"}) {
			t.Errorf("%s: heard %q, want one message", c.conversation, once)
		}
	}
	if got := deliveries(t, survivor.url, ""); len(got) != len(clients) {
		t.Errorf("%d deliveries for %d events", len(got), len(clients))
	}
}
