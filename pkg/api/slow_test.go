package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/meet"
)

// wire is a server that is reached over pipes, in a bubble in which time passes only while everyone waits.
type wire struct {
	*testing.T
	*house
	network pipes
}

// onWires runs a test on a server as it runs in production.
func onWires(t *testing.T, run func(wire), change ...func(*Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, change...)
		w := wire{t, h, make(pipes)}
		server := h.server.HTTP()
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(h.server.Limit(w.network)) })
		defer serving.Wait()
		defer server.Close()
		run(w)
	})
}

// dial is a connection to the server.
func (w wire) dial() net.Conn { return w.dialFrom("127.0.0.1") }

func (w wire) dialFrom(address string) net.Conn {
	near, far := net.Pipe()
	w.network <- elsewhere{far, address}
	return near
}

// http2 speaks HTTP/2 with prior knowledge, and counts its connections.
func (w wire) http2() (transport *http.Transport, dials *int) {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	dials = new(int)
	return &http.Transport{Protocols: protocols, DialContext: func(context.Context, string, string) (net.Conn, error) {
		*dials++
		return w.dial(), nil
	}}, dials
}

// elsewhere is a connection that comes from an address.
type elsewhere struct {
	net.Conn
	address string
}

func (e elsewhere) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(e.address), Port: 1} }

// reply is what came over a connection, and when: the status line, and the end.
type reply struct {
	status  int
	at, end time.Duration
}

// trickle sends a head at once and then what follows, a byte every three seconds, for as long as the server reads.
func (w wire) trickle(head, drop string) reply {
	w.Helper()
	conn := w.dial()
	start := time.Now()
	var sending sync.WaitGroup
	sending.Go(func() {
		_, err := io.WriteString(conn, head)
		for err == nil {
			time.Sleep(3 * time.Second)
			_, err = io.WriteString(conn, drop)
		}
	})
	defer sending.Wait()
	defer conn.Close()
	var got reply
	reader := bufio.NewReader(conn)
	line, err := reader.ReadString('\n')
	got.at = time.Since(start)
	if err == nil {
		if _, err := fmt.Sscanf(line, "HTTP/1.1 %d", &got.status); err != nil {
			w.Errorf("status line %q", line)
		}
	}
	if _, err := io.Copy(io.Discard, reader); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		w.Error(err)
	}
	got.end = time.Since(start)
	return got
}

// A request that does not need its body is answered before that has come, and its connection does not outlive the
// answer.
func TestSlowBodiesHoldNothingUp(t *testing.T) {
	t.Parallel()
	const (
		json    = "Content-Type: application/json\r\n"
		some    = "Content-Length: 100\r\n\r\n{"
		chunks  = "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
		tooMuch = "Content-Length: 1000000000\r\n\r\n{"
	)
	for name, test := range map[string]struct {
		head, drop string
		key        bool
		want       int
	}{
		"a turn without a key":            {"POST /v1/turns HTTP/1.1\r\n" + json + some, " ", false, 401},
		"a turn without a key, in chunks": {"POST /v1/turns HTTP/1.1\r\n" + json + chunks, "1\r\n \r\n", false, 401},
		"an agent without a key":          {"POST /mcp HTTP/1.1\r\n" + json + some, " ", false, 401},
		"a chat without a key":            {"POST /v1/agui HTTP/1.1\r\n" + json + some, " ", false, 401},
		"no such address":                 {"POST /v1/nothing HTTP/1.1\r\n" + json + some, " ", true, 404},
		"no such address, by nobody":      {"POST /nothing HTTP/1.1\r\n" + json + chunks, "1\r\n \r\n", false, 401},
		"no such method":                  {"PUT /v1/turns HTTP/1.1\r\n" + json + some, " ", true, 405},
		"GET":                             {"GET /v1/people HTTP/1.1\r\n" + some, " ", true, 200},
		"GET, in chunks":                  {"GET /v1/people HTTP/1.1\r\n" + chunks, "1\r\n \r\n", true, 200},
		"GET of a probe":                  {"GET /healthz HTTP/1.1\r\n" + some, " ", false, 200},
		"HEAD":                            {"HEAD / HTTP/1.1\r\n" + some, " ", false, 200},
		"OPTIONS": {"OPTIONS /v1/people HTTP/1.1\r\nOrigin: " + site +
			"\r\nAccess-Control-Request-Method: POST\r\n" + some, " ", false, 204},
		"OPTIONS of everything":            {"OPTIONS * HTTP/1.1\r\n" + some, " ", true, 404},
		"DELETE":                           {"DELETE /v1/people/al HTTP/1.1\r\n" + some, " ", true, 204},
		"DELETE, in chunks":                {"DELETE /v1/people/al HTTP/1.1\r\n" + chunks, "1\r\n \r\n", true, 204},
		"a body that is announced too big": {"POST /v1/turns HTTP/1.1\r\n" + json + tooMuch, " ", true, 413},
		"a body that is no JSON": {"POST /v1/turns HTTP/1.1\r\nContent-Type: text/plain\r\n" + some, " ",
			true, 415},
		"a stream that has ended": {"GET /v1/turns/t1/events HTTP/1.1\r\n" + some, " ", true, 200},
		"a body that is expected": {"POST /v1/turns HTTP/1.1\r\nExpect: 100-continue\r\n" + json + some, " ",
			false, 401},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onWires(t, func(w wire) {
				line, rest, _ := strings.Cut(test.head, "\r\n")
				head := line + "\r\nHost: convene.example\r\n"
				if test.key {
					head += "Authorization: Bearer " + w.key + "\r\n"
				}
				got := w.trickle(head+rest, test.drop)
				if got.status != test.want || got.at != 0 || got.end > 2*time.Second {
					t.Errorf("%d after %s and closed after %s, want %d at once and closed within 2 s", got.status, got.at, got.end,
						test.want)
				}
			})
		})
	}
}

// A request that does not arrive in time is given up: after five seconds without all its headers, after ten without all
// of its body.
func TestSlowRequestsAreGivenUp(t *testing.T) {
	t.Parallel()
	const (
		whole  = headerTime * 2
		length = "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
		chunks = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n"
	)
	for name, test := range map[string]struct {
		head, drop string
		want       reply
	}{
		"nothing":           {"", "", reply{0, headerTime, headerTime}},
		"a request line":    {"GE", "T", reply{400, headerTime, headerTime}},
		"headers":           {"GET / HTTP/1.1\r\n", "A: b\r\n", reply{0, headerTime, headerTime}},
		"HTTP/2 by half":    {"PRI * HTTP/2.0\r\n", "\r", reply{400, headerTime, headerTime}},
		"a turn":            {"POST /v1/turns HTTP/1.1\r\n" + length, " ", reply{408, whole, whole + lingerTime}},
		"a turn, in chunks": {"POST /v1/turns HTTP/1.1\r\n" + chunks, "1\r\n \r\n", reply{408, whole, whole + lingerTime}},
		"a chat":            {"POST /v1/agui HTTP/1.1\r\n" + length, " ", reply{408, whole, whole + lingerTime}},
		"an agent":          {"POST /mcp HTTP/1.1\r\n" + length, " ", reply{408, whole, whole + lingerTime}},
		"a person":          {"PUT /v1/people/al HTTP/1.1\r\n" + length, " ", reply{408, whole, whole + lingerTime}},
		"the rest of a chunk": {"POST /v1/turns HTTP/1.1\r\n" + strings.TrimSuffix(chunks, "\r\n"), "", reply{
			408, whole, whole + lingerTime,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onWires(t, func(w wire) {
				head := test.head
				if line, rest, ok := strings.Cut(head, "\r\n"); ok && strings.Contains(rest, "\r\n") {
					head = line + "\r\nHost: convene.example\r\nAuthorization: Bearer " + w.key + "\r\n" + rest
				}
				got := w.trickle(head, test.drop)
				if got.status != test.want.status || got.at != test.want.at || got.end < test.want.at || got.end > test.want.end {
					t.Errorf("got %+v, want %+v at most", got, test.want)
				}
			})
		})
	}
}

// How long a request may take can be set, for the headers too.
func TestTheReadTimeoutIsASetting(t *testing.T) {
	t.Parallel()
	onWires(t, func(w wire) {
		if got := w.trickle("GET / HTTP/1.1\r\n", ""); got.end != 2*time.Second {
			t.Errorf("headers: %+v", got)
		}
		got := w.trickle("POST /v1/turns HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+w.key+
			"\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n", "")
		if got.status != http.StatusRequestTimeout || got.at != 2*time.Second {
			t.Errorf("body: %+v", got)
		}
	}, func(c *Config) { c.ReadTimeout = 2 * time.Second })
}

// What follows a request without being one ends the connection once the request is answered.
func TestGarbageBehindARequest(t *testing.T) {
	t.Parallel()
	onWires(t, func(w wire) {
		conn := w.dial()
		defer conn.Close()
		go func() {
			_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\x00\xff garbage\r\n\r\n")
		}()
		all, err := io.ReadAll(conn)
		if err != nil || strings.Count(string(all), "HTTP/1.1 ") != 2 || !strings.Contains(string(all), "HTTP/1.1 400 ") {
			t.Errorf("%v: %s", err, all)
		}
	})
}

// The time to read a request ends no stream, however it was asked for.
func TestStreamsOutliveTheReadTimeout(t *testing.T) {
	t.Parallel()
	const long = 8 * time.Minute
	for name, test := range map[string]struct{ head, body string }{
		"GET":                  {"GET /v1/turns/t2/events HTTP/1.1\r\n", ""},
		"POST":                 {"POST /v1/turns HTTP/1.1\r\nAccept: text/event-stream\r\n", plainTurn},
		"GET with half a body": {"GET /v1/turns/t2/events HTTP/1.1\r\nContent-Length: 100\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onWires(t, func(w wire) {
				w.turns.script = nil
				w.log.append("t2", meet.TurnUpdate{TurnID: "t2"})
				w.turns.started = make([]meet.Turn, 1) // so that the next is t2
				conn := w.dial()
				defer conn.Close()
				head := test.head + "Host: a\r\nAuthorization: Bearer " + w.key + "\r\n"
				if test.body != "" {
					head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(test.body))
				}
				var ending sync.WaitGroup
				defer ending.Wait()
				ending.Go(func() {
					_, _ = io.WriteString(conn, head+"\r\n"+test.body)
					time.Sleep(long)
					w.log.append("t2", meet.DoneUpdate{})
				})
				start := time.Now()
				reader := bufio.NewReader(conn)
				for {
					line, err := reader.ReadString('\n')
					if err != nil {
						t.Fatalf("cut off after %s: %v", time.Since(start), err)
					}
					if strings.Contains(line, `"type":"done"`) {
						break
					}
				}
				if took := time.Since(start); took != long {
					t.Errorf("the end came after %s, want %s", took, long)
				}
			})
		})
	}
}

// A client that takes no answer is given up like one that sends no request.
func TestAnswersThatNobodyTakesAreGivenUp(t *testing.T) {
	t.Parallel()
	onWires(t, func(w wire) {
		conn := w.dial()
		defer conn.Close()
		start := time.Now()
		if _, err := io.WriteString(conn, "GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		var err error
		for err == nil { // what follows the request is taken until the server hangs up
			_, err = io.WriteString(conn, "x")
		}
		if took := time.Since(start); took != answerTime {
			t.Errorf("given up after %s, want %s", took, answerTime)
		}
	})
}

// In HTTP/2 the rest of a body holds up neither its own answer nor other requests of the connection.
func TestSlowBodiesInHTTP2(t *testing.T) {
	t.Parallel()
	onWires(t, func(w wire) {
		transport, dials := w.http2()
		defer transport.CloseIdleConnections()
		for name, test := range map[string]struct {
			method, path, key string
			want              int
			after             time.Duration
		}{
			"without a key":   {"POST", "/v1/turns", "", 401, 0},
			"no such address": {"POST", "/v1/nothing", w.key, 404, 0},
			"DELETE":          {"DELETE", "/v1/people/al", w.key, 204, 0},
			"a turn":          {"POST", "/v1/turns", w.key, 408, 10 * time.Second},
		} {
			body, sending := io.Pipe()
			req, err := http.NewRequestWithContext(w.Context(), test.method, "http://convene.example"+test.path, body)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Authorization", "Bearer "+test.key)
			req.Header.Set("Content-Type", "application/json")
			start := time.Now()
			res, err := transport.RoundTrip(req)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if took := time.Since(start); res.StatusCode != test.want || took != test.after {
				t.Errorf("%s: %d after %s, want %d after %s", name, res.StatusCode, took, test.want, test.after)
			}
			res.Body.Close()
			sending.Close()
		}
		if *dials != 1 {
			t.Errorf("%d connections were made, want one for all", *dials)
		}
	})
}
