package api

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestAcceptsChoosesAProtocol(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		accept    string
		want      protocol
		streaming bool
	}{
		{"text/event-stream;protocol=ag-ui", agUI, true},
		{"text/event-stream; Protocol=ui-message-stream; q=0.5", uiMessageStream, true},
		{"text/event-stream;protocol=ag-ui, text/event-stream", agUI, true},
		{"text/event-stream, text/event-stream;protocol=ag-ui", agUI, true},
		{"text/event-stream, text/event-stream;protocol=ag-ui;q=0.9", "", true},
		{"text/event-stream;protocol=ag-ui;q=0.8, text/event-stream;protocol=ui-message-stream;q=0.9", uiMessageStream, true},
		{"text/event-stream;protocol=ag-ui;q=0, text/event-stream;q=0.1", "", true},
		{"text/event-stream;protocol=ag-ui;q=0", "", false},
		{"text/event-stream;protocol=ag-ui;q=0.2, application/json", "", false},
		{"text/event-stream;protocol=ag-ui, application/json", agUI, true},
		{"text/event-stream;protocol=unheard", "", false},
		{"text/event-stream;charset=utf-8", "", true},
		{"*/*", "", false},
	} {
		if got, streaming := accepts(tt.accept); got != tt.want || streaming != tt.streaming {
			t.Errorf("accepts(%q) = %q, %t; want %q, %t", tt.accept, got, streaming, tt.want, tt.streaming)
		}
	}
}

// eventful is a turn in which updates become none, one and several events.
var eventful = []meet.Update{
	meet.AcknowledgmentUpdate{Text: "Let's see.", Intent: meet.HandleEvent, Language: "en"},
	meet.ProgressUpdate{Text: "Looking…", Stage: "select", Step: 5, Of: 5},
	meet.MessageDeltaUpdate{Text: "I've "}, meet.MessageDeltaUpdate{Text: "found"},
	meet.MessageUpdate{Text: "I've **found**", ComposedBy: meet.ByModel},
	meet.EventUpdate{Event: meet.Event{ID: "p1"}},
	meet.DoneUpdate{Outcome: meet.OutcomeProposed, Receipt: meet.Receipt{Stages: []meet.StageTime{}}},
}

// A reader that resumes anywhere gets the same bytes as one from the start, in every protocol.
func TestResumeInEveryProtocol(t *testing.T) {
	t.Parallel()
	for _, p := range []protocol{uiMessageStream, agUI} {
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			f.turns.script = eventful
			base := f.serve(t)
			accept := "text/event-stream;protocol=" + string(p)
			posted := do(t, "POST", base+"/v1/turns", plainTurn, "Accept", accept)
			if got := posted.header.Get("Content-Type"); got != "text/event-stream" ||
				posted.header.Get("Location") != "/v1/turns/t1" {
				t.Errorf("posted: %s at %q", got, posted.header.Get("Location"))
			}
			whole := strings.TrimPrefix(posted.body, "retry: 2000\n")
			last := len(eventful) + 1
			for after := range last {
				id := fmt.Sprint("\nid: ", after, "\n\n")
				rest := whole[max(0, strings.Index(whole, id)+len(id)):]
				if after == 0 {
					rest = whole
				}
				byHeader := do(t, "GET", base+"/v1/turns/t1/events", "", "Accept", accept, "Last-Event-ID", fmt.Sprint(after))
				byQuery := do(t, "GET", fmt.Sprint(base, "/v1/turns/t1/events?protocol=", p, "&lastEventId=", after), "",
					"Accept", "text/event-stream")
				wantDiff(t, fmt.Sprint("behind ", after), "retry: 2000\n"+rest, byHeader.body)
				wantDiff(t, "by the query", byHeader.body, byQuery.body)
			}
			over := do(t, "GET", base+"/v1/turns/t1/events", "", "Accept", accept, "Last-Event-ID", fmt.Sprint(last))
			if over.status != http.StatusNoContent || over.body != "" {
				t.Errorf("behind the end: %d %q, want an empty 204", over.status, over.body)
			}
			if got := posted.header.Get("X-Vercel-Ai-Ui-Message-Stream"); (got == "v1") != (p == uiMessageStream) {
				t.Errorf("the header of the UI message stream is %q", got)
			}
		})
	}
}

func TestUnknownProtocolIsRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.log.append("t1", meet.TurnUpdate{TurnID: "t1"}, meet.DoneUpdate{})
	base := f.serve(t)
	for _, a := range []answer{
		do(t, "GET", base+"/v1/turns/t1/events?protocol=smoke", ""),
		do(t, "POST", base+"/v1/turns?protocol=smoke", plainTurn),
	} {
		if p := a.problem(t); p.Status != http.StatusBadRequest || p.Field != "protocol" ||
			!strings.Contains(p.Detail, "ag-ui") {
			t.Errorf("problem = %+v, want what is known", p)
		}
	}
	if len(f.turns.started) != 0 {
		t.Error("the turn was started")
	}
}

// Trouble that passes is told in the protocol of the client, which would not come back from another status either.
func TestTroubleInEveryProtocol(t *testing.T) {
	t.Parallel()
	for p, want := range map[protocol][]string{
		uiMessageStream: {`{"type":"error","errorText":"Not now."}`, `"finishReason":"error"`, "data: [DONE]"},
		agUI:            {`{"type":"RUN_ERROR","message":"Not now.","code":"unavailable"}`},
	} {
		f := newFixture(t)
		f.turns.fail = fault.New(fault.Unavailable, "Not now.").Because(errInternal)
		a := do(t, "POST", f.serve(t)+"/v1/turns?protocol="+string(p), plainTurn)
		if a.status != http.StatusOK || !strings.HasPrefix(a.body, "retry: ") || strings.Contains(a.body, "10.0.0.7") ||
			strings.Contains(a.body, "id: ") {
			t.Errorf("%s: %d %s", p, a.status, a.body)
		}
		for _, w := range want {
			if !strings.Contains(a.body, w) {
				t.Errorf("%s: %s has no %s", p, a.body, w)
			}
		}
	}
}

// A log that fails on the way ends the stream with an error that the client understands.
func TestLogThatFailsInEveryProtocol(t *testing.T) {
	t.Parallel()
	for p, want := range map[protocol]string{uiMessageStream: `"errorText":"The log cannot be read."`,
		agUI: `"type":"RUN_ERROR"`} {
		f := newFixture(t)
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"}, meet.MessageDeltaUpdate{Text: "I've "})
		f.log.fail = fault.New(fault.Unavailable, "The log cannot be read.")
		a := do(t, "GET", f.serve(t)+"/v1/turns/t1/events?protocol="+string(p), "")
		if !strings.Contains(a.body, want) || strings.Count(a.body, "\nid:") != 2 {
			t.Errorf("%s: %s, want two updates and %s", p, a.body, want)
		}
	}
}

// A stream that the server ends early looks broken to clients that take a clean end for the end of the answer, and to
// no others.
func TestEarlyEndLooksBrokenInOtherProtocols(t *testing.T) {
	t.Parallel()
	for query, broken := range map[string]bool{"": false, "?protocol=ag-ui": true, "?protocol=ui-message-stream": true} {
		for _, version := range []int{1, 2} {
			f := newFixture(t)
			f.log.append("t1", meet.TurnUpdate{TurnID: "t1", ConversationID: "c1"})
			url, client := f.speaking(t, version)
			res, err := client.Get(url + "/v1/turns/t1/events" + query)
			if err != nil || res.ProtoMajor != version {
				t.Fatalf("HTTP/%d: %v", version, err)
			}
			if _, err := res.Body.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			f.server.Drain()
			rest, err := io.ReadAll(res.Body)
			res.Body.Close()
			if (err != nil) != broken || !strings.Contains(string(rest), "id: 1") {
				t.Errorf("HTTP/%d%s: %q, %v; want broken: %t", version, query, rest, err, broken)
			}
		}
	}
}

// speaking serves, and gives a client that speaks one version of HTTP.
func (f *fixture) speaking(t *testing.T, version int) (url string, client *http.Client) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.Config = f.server.HTTP()
	server.Start()
	t.Cleanup(server.Close)
	protocols := new(http.Protocols)
	protocols.SetHTTP1(version == 1)
	protocols.SetUnencryptedHTTP2(version == 2)
	transport := &http.Transport{Protocols: protocols}
	t.Cleanup(transport.CloseIdleConnections)
	return server.URL, &http.Client{Transport: transport}
}

// A heartbeat keeps a silent stream open in every protocol; it is no event in any.
func TestHeartbeatInEveryProtocol(t *testing.T) {
	t.Parallel()
	onPipes(t, func(b bubble) {
		t, f := b.T, b.fixture
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		res, err := b.client.Get("http://localhost/v1/turns/t1/events?protocol=ag-ui")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		go func() {
			time.Sleep(40 * time.Second)
			f.log.append("t1", meet.DoneUpdate{Outcome: meet.OutcomeAnswered})
		}()
		body := readAll(t, res)
		if strings.Count(body, ": \n") != 2 || len(events(t, body)) != 4 {
			t.Errorf("stream = %q, want two heartbeats and four events", body)
		}
	})
}
