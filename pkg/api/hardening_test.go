package api

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/meet"
)

func TestHugeBodyIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/turns"
	for _, accept := range []string{"application/json", "text/event-stream"} {
		a := do(t, "POST", url, `{"organizer":"me","message":"`+strings.Repeat("a", 100<<10)+`"}`, "Accept", accept)
		if p := a.problem(t); a.status != http.StatusRequestEntityTooLarge || p.Code != "too_large" {
			t.Errorf("got %d %s, want 413 too_large", a.status, p.Code)
		}
	}
}

func TestHugeMessageIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	url := f.serve(t) + "/v1/turns"
	send := func(n int) answer {
		return do(t, "POST", url, `{"organizer":"me","message":"`+strings.Repeat("é", n)+`"}`)
	}
	if a := send(8000); a.status != http.StatusAccepted {
		t.Errorf("8,000 characters: %d, want 202", a.status)
	}
	a := send(8001)
	if p := a.problem(t); a.status != http.StatusRequestEntityTooLarge || p.Code != "too_large" || p.Field != "message" {
		t.Errorf("8,001 characters: %d %s %q, want 413 too_large message", a.status, p.Code, p.Field)
	}
}

func TestBodyThatIsNotJSONIsRefused(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t) + "/v1/turns"
	headers := [][]string{
		{"Content-Type", "application/x-www-form-urlencoded"},
		{"Content-Type", "text/plain"}, {"Content-Type", "multipart/form-data; boundary=x"},
		{"Content-Type", "application/cbor"}, {"Content-Type", ""}, {"Content-Type", ";;"}, {"Content-Encoding", "gzip"},
	}
	for _, header := range headers {
		a := do(t, "POST", url, plainTurn, header...)
		if p := a.problem(t); a.status != http.StatusUnsupportedMediaType || p.Code != "unsupported_media_type" {
			t.Errorf("%v: %d %s, want 415", header, a.status, p.Code)
		}
	}
	if a := do(t, "POST", url, plainTurn, "Content-Type",
		"application/json; charset=utf-8"); a.status != http.StatusAccepted {
		t.Errorf("with a charset: %d, want 202", a.status)
	}
}

func TestDeeplyNestedBodyIsRefused(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t) + "/v1/turns"
	a := do(t, "POST", url, `{"message":"hi","organizer":`+strings.Repeat("[", 50000)+`}`)
	if a.status != http.StatusBadRequest {
		t.Errorf("status = %d, want 400", a.status)
	}
}

func TestSlowBodyIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		network := make(pipes)
		server := f.server.HTTP()
		done := make(chan struct{})
		go func() {
			defer close(done)
			_ = server.Serve(network)
		}()
		near, far := net.Pipe()
		network <- far
		start := time.Now()
		head := "POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
		if _, err := io.WriteString(near, head); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(near).ReadString('\n')
		if err != nil || !strings.Contains(line, " 408 ") {
			t.Errorf("answer = %q, %v; want 408", line, err)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("given up after %s, want 10 s", took)
		}
		near.Close()
		_ = server.Close()
		<-done
	})
}

func TestBadUpdateIDsAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
	url := f.serve(t) + "/v1/turns/t1/events"
	for _, id := range []string{"-1", "+1", "1.5", "one", "1 ", "0x1", "1000001", "99999999999999999999", "1\t2", "١"} {
		if strings.TrimSpace(id) == id { // a header loses the space around it
			if a := do(t, "GET", url, "", "Last-Event-ID", id); a.status != http.StatusBadRequest ||
				a.problem(t).Field != "Last-Event-ID" {
				t.Errorf("header %q: %d, want 400", id, a.status)
			}
		}
		if a := do(t, "GET", url+"?lastEventId="+queryEscape(id), ""); a.status != http.StatusBadRequest ||
			a.problem(t).Field != "lastEventId" {
			t.Errorf("query %q: %d, want 400", id, a.status)
		}
	}
}

func queryEscape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func TestIDsThatAreNoneReachNoStore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.cfg.Turns, f.server.cfg.Proposals, f.server.cfg.People = nil, nil, nil // a call would panic
	url := f.serve(t)
	for _, id := range []string{"%2e%2e%2f%2e%2e", "a%00b", "a%0d%0ab", "%7Bt1%7D", "*", "a%20b", strings.Repeat("a", 200),
		"%zz"} {
		for _, path := range []string{"GET /v1/turns/%s", "GET /v1/turns/%s/events", "DELETE /v1/turns/%s",
			"GET /v1/proposals/%s.ics", "POST /v1/proposals/%s/confirm", "GET /v1/people/%s"} {
			method, path, _ := strings.Cut(path, " ")
			if id == "%zz" {
				continue
			}
			a := do(t, method, url+fmt.Sprintf(path, id), "")
			if a.status != http.StatusNotFound {
				t.Errorf("%s %s with %q = %d, want 404", method, path, id, a.status)
			}
		}
	}
}

func TestIdempotencyKeyWithoutSense(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t) + "/v1/turns"
	for _, key := range []string{"a b", "schlüssel", strings.Repeat("k", 201)} {
		if a := do(t, "POST", url, plainTurn, "Idempotency-Key", key); a.status != http.StatusBadRequest ||
			a.problem(t).Field != "Idempotency-Key" {
			t.Errorf("key %q: %d, want 400", key, a.status)
		}
	}
}

func TestNamesCannotBreakLines(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	for field, value := range map[string]string{
		"name": `Al\r\nATTENDEE:mailto:eve@example.com`, "email": `al@example.com\r\nBcc: eve@example.com`,
		"bookingLink": `https://x.example/\u0000`,
	} {
		body := fmt.Sprintf(`{"name":"Al",%q:"%s"}`, field, value)
		if a := do(t, "PUT", url+"/v1/people/al", body); a.status != http.StatusBadRequest || a.problem(t).Field != field {
			t.Errorf("%s: %d %s, want 400", field, a.status, a.body)
		}
	}
}

func TestRebindingAForeignNameGetsNowhere(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(c *Config) { c.Hosts = []string{"Convene.example"} })
	url := f.serve(t)
	for host, want := range map[string]int{
		"evil.example": 403, "evil.example:8080": 403, "127.0.0.1.evil.example": 403, "192.168.1.1": 403,
		"localhost:1": 200, "LOCALHOST": 200, "127.0.0.1": 200, "[::1]:80": 200, "convene.example:443": 200,
	} {
		if a := do(t, "GET", url+"/v1/people", "", "Host", host); a.status != want {
			t.Errorf("host %s: %d, want %d", host, a.status, want)
		}
	}
}

func TestOtherSitesCannotAct(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	for _, header := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		a := do(t, "POST", url+"/v1/proposals/p1/confirm", "", header...)
		if p := a.problem(t); a.status != http.StatusForbidden || p.Code != "forbidden" {
			t.Errorf("%v: %d, want 403", header, a.status)
		}
		if got := a.header.Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("%v: CORS header %q", header, got)
		}
	}
	if a := do(t, "POST", url+"/v1/proposals/p1/confirm", "", "Origin", url); a.status != http.StatusOK {
		t.Errorf("own origin: %d, want 200", a.status)
	}
}

// panickingPeople has a mistake in it.
type panickingPeople struct{ *memoryPeople }

func (panickingPeople) All(context.Context) ([]meet.Person, error) { panic("secret state") }

func TestPanicTellsNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.server.cfg.People = panickingPeople{}
	url := f.serve(t) + "/v1/people"
	for range 2 { // the server goes on
		a := do(t, "GET", url, "")
		if p := a.problem(t); a.status != http.StatusInternalServerError || p.Code != "internal" ||
			strings.Contains(a.body, "secret") {
			t.Errorf("got %d %s", a.status, a.body)
		}
	}
	if !strings.Contains(f.lines.String(), "secret state") {
		t.Error("the log does not say what happened")
	}
}

func TestLogTellsNoSecrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.turns.script = wholeTurn
	url := f.serve(t)
	do(t, "POST", url+"/v1/turns?token=s3cret", `{"message":"meet my therapist","organizer":"me"}`, "Authorization",
		"Bearer k3y", "Accept", "text/event-stream")
	do(t, "GET", url+"/v1/turns/t1/events?token=s3cret&lastEventId=2", "", "Cookie", "c00kie=1")
	do(t, "POST", url+"/v1/turns", `{"message":"","organizer":"me"}`)
	log := f.lines.String()
	for _, secret := range []string{"s3cret", "therapist", "k3y", "c00kie"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q: %s", secret, log)
		}
	}
	var got []map[string]any
	for line := range strings.Lines(log) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"ms", "bytes", "request", "ip"} {
			if _, ok := fields[name]; !ok {
				t.Errorf("line without %s: %s", name, line)
			}
			delete(fields, name)
		}
		got = append(got, fields)
	}
	want := []map[string]any{
		{"level": "info", "message": "request", "method": "POST", "path": "/v1/turns", "status": 200.0, "turn": "t1",
			"conversation": "c1", "stream": "done"},
		{"level": "info", "message": "request", "method": "GET", "path": "/v1/turns/t1/events", "status": 200.0, "turn": "t1",
			"conversation": "c1", "stream": "done"},
		{"level": "info", "message": "request", "method": "POST", "path": "/v1/turns", "status": 400.0,
			"code": "invalid_request", "field": "message"},
	}
	wantDiff(t, "log", want, got)
}

func TestAddressesAreNotBelieved(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	do(t, "GET", f.serve(t)+"/v1/people", "", "X-Forwarded-For", "6.6.6.6", "X-Real-IP", "6.6.6.6")
	if log := f.lines.String(); strings.Contains(log, "6.6.6.6") || !strings.Contains(log, `"ip":"127.0.0.1"`) {
		t.Errorf("log = %s, want the address of the connection", log)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t) + "/v1/people/eve"
	if got := do(t, "GET", url, "", "X-Request-Id", "mine-1").problem(t).RequestID; got != "mine-1" {
		t.Errorf("request id = %q, want the client's", got)
	}
	for _, id := range []string{"", "a b", strings.Repeat("x", 65), `"},{"`} {
		a := do(t, "GET", url, "", "X-Request-Id", id)
		if got := a.header.Get("X-Request-Id"); got == id || len(got) < 16 || got != a.problem(t).RequestID {
			t.Errorf("request id for %q = %q, want one of our own", id, got)
		}
	}
}

func TestEveryAnswerIsGuarded(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	// Only what is the same for everyone is packed: its length could tell what else an answer holds.
	for path, encoding := range map[string]string{"/": "gzip", "/docs": "gzip", "/openapi.json": "gzip", "/v1/people": "",
		"/nothing": "", "/healthz": ""} {
		h := do(t, "GET", url+path, "", "Accept-Encoding", "gzip").header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Content-Encoding": encoding,
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s = %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestCheckListen(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]bool{
		"127.0.0.1:8080": true, "127.8.9.1:0": true, "localhost:80": true, "[::1]:8080": true, "[::ffff:127.0.0.1]:1": true,
		":8080": false, "0.0.0.0:8080": false, "[::]:8080": false, "192.168.1.5:80": false, "example.com:80": false,
		"8080": false, "": false, "127.0.0.1": false, "127.0.0.1.evil.example:80": false,
	} {
		if err := CheckListen(addr); (err == nil) != want {
			t.Errorf("CheckListen(%q) = %v, want it allowed: %t", addr, err, want)
		}
	}
	if err := CheckListen("0.0.0.0:80"); !strings.Contains(err.Error(),
		"with no keys configured Convene answers on loopback only") {
		t.Errorf("error = %v, want it to say what to do", err)
	}
}
