package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"convene/pkg/meet"
	"convene/pkg/sse"
)

// steps is a connection on which things happen while what was written goes out.
type steps struct {
	*httptest.ResponseRecorder
	while []func()
	// out are the updates of each flush, by their numbers.
	out    []string
	before int
}

func (s *steps) Flush() {
	body := s.Body.String()
	var ids []string
	for line := range strings.Lines(body[s.before:]) {
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			ids = append(ids, strings.TrimSpace(id))
		}
	}
	s.out, s.before = append(s.out, strings.Join(ids, " ")), len(body)
	if len(s.while) > 0 {
		next := s.while[0]
		s.while = s.while[1:]
		next()
	}
}

// The headers go out with the first update, what gathers while a write goes on shares the next, and the last goes out
// with the end of the response.
func TestUpdatesThatAreReadyShareAFlush(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // no heartbeat comes between, however busy the machine is
		f := newFixture(t)
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		c := &steps{ResponseRecorder: httptest.NewRecorder(), while: []func(){
			func() {
				for range 3 {
					f.log.append("t1", meet.MessageDeltaUpdate{Text: "x"})
				}
			},
			func() { f.log.append("t1", meet.MessageUpdate{Text: "x"}, meet.DoneUpdate{}) },
		}}
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/v1/turns/t1/events", http.NoBody)
		f.server.Handler().ServeHTTP(c, req)
		c.Flush() // as net/http does in the end
		wantDiff(t, "flushes", []string{"1", "2 3 4", "5 6"}, c.out)
	})
}

// An update that takes its time is no silence, and neither is the moment after it.
func TestNoHeartbeatWhileSomethingIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t)
		f.log.append("t1", meet.TurnUpdate{TurnID: "t1"})
		slow := func() { time.Sleep(time.Second) }
		c := &steps{ResponseRecorder: httptest.NewRecorder(), while: []func(){slow}}
		time.AfterFunc(15500*time.Millisecond, func() { f.log.append("t1", meet.DoneUpdate{}) }) // 14.5 s of silence
		req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/v1/turns/t1/events", http.NoBody)
		f.server.Handler().ServeHTTP(c, req)
		if body := c.Body.String(); strings.Contains(body, sse.Heartbeat+"data: ") {
			t.Errorf("stream = %q, want no heartbeat", body)
		}
	})
}
