package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/sse"
)

func newPlayer(t *testing.T, cfg PlayerConfig) *Player {
	t.Helper()
	if cfg.Recordings == nil {
		cfg.Recordings = []Recording{shortTurn("one.1"), shortTurn("two.1"), shortTurn("two.2")}
	}
	if cfg.Speed == 0 {
		cfg.Speed = 1000
	}
	p, err := NewPlayer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// answer is what a server said.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request to a server and reads the answer.
func ask(t *testing.T, method, url, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(raw)}
}

func TestAMessageGetsItsRecordingAndAnyOtherTheNext(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newPlayer(t, PlayerConfig{}))
	defer server.Close()
	var got []string
	for _, message := range []string{"said in two.1", "  Said in TWO.2 ", "hello", "said in one.1", "hello", "hello",
		"hello"} {
		resp := ask(t, http.MethodPost, server.URL+turnsPath, `{"message":"`+message+`"}`, "Accept", sse.ContentType)
		got = append(got, resp.header.Get(RecordingHeader))
	}
	want := []string{"two.1", "two.2", "one.1", "one.1", "two.1", "two.2", "one.1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A message that is in two recordings goes on with the conversation that it is sent in.
func TestAConversationGoesOn(t *testing.T) {
	t.Parallel()
	first, second := shortTurn("a.1"), shortTurn("b.1")
	second.Request.Body = first.Request.Body
	second.Blocks[0].Bytes = strings.Replace(second.Blocks[0].Bytes, "c_x", "c_y", 1)
	p := newPlayer(t, PlayerConfig{Recordings: []Recording{first, second}})
	for conversation, want := range map[string]string{"c_x-7": "a.1", "c_y-3": "b.1"} {
		for range 3 {
			if got := p.begin("said in a.1", conversation).play.Name; got != want {
				t.Errorf("within %s: %s, want %s", conversation, got, want)
			}
		}
	}
	if a, b := p.begin("said in a.1", "").play.Name, p.begin("said in a.1", "").play.Name; a == b {
		t.Errorf("without a conversation: %s twice", a)
	}
}

// Both forms of a start are the same turn, as many may read it as want, and it has ids of its own.
func TestBothFormsAndResume(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newPlayer(t, PlayerConfig{}))
	defer server.Close()
	resp := ask(t, http.MethodPost, server.URL+turnsPath, `{"message":"said in one.1"}`)
	var accepted struct{ TurnID, ConversationID, EventsURL string }
	if err := json.Unmarshal([]byte(resp.body), &accepted); err != nil || resp.status != http.StatusAccepted {
		t.Fatalf("status %d: %s", resp.status, resp.body)
	}
	if want := resp.header.Get("Location") + "/events"; accepted.EventsURL != want {
		t.Errorf("events at %s, want %s", accepted.EventsURL, want)
	}
	whole := ask(t, http.MethodGet, server.URL+accepted.EventsURL, "").body
	if !strings.Contains(whole, accepted.TurnID) || !strings.Contains(whole, accepted.ConversationID) {
		t.Errorf("the stream does not have the ids %+v: %.200s", accepted, whole)
	}
	streamed := ask(t, http.MethodPost, server.URL+turnsPath, `{"message":"said in one.1","conversationId":"mine"}`,
		"Accept", sse.ContentType)
	if streamed.header.Get("Location") == "/v1/turns/"+accepted.TurnID ||
		!strings.Contains(streamed.body, `"conversationId":"mine"`) {
		t.Errorf("a second turn at %s: %.200s", streamed.header.Get("Location"), streamed.body)
	}
	for query, status := range map[string]int{"": 200, "?lastEventId=6": 204, "?lastEventId=x": 400,
		"?lastEventId=-1": 400} {
		if resp := ask(t, http.MethodGet, server.URL+accepted.EventsURL+query, ""); resp.status != status {
			t.Errorf("%q: status %d, want %d", query, resp.status, status)
		}
	}
	if resp := ask(t, http.MethodGet, server.URL+"/v1/turns/t_other/events", ""); resp.status != http.StatusNotFound {
		t.Errorf("status %d for a turn that is not there", resp.status)
	}
}

// checkedIn are the recordings of the repository.
func checkedIn(t *testing.T) []Recording {
	t.Helper()
	all, err := ReadFiles(filepath.Join("..", "..", "testdata", "streams"))
	if err != nil || len(all) < 30 {
		t.Fatalf("%d recordings: %v", len(all), err)
	}
	return all
}

// A client that resumes at any update of a recorded scenario gets the same bytes as one from the start.
func TestResumeAtEveryUpdateOfEveryRecording(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, PlayerConfig{Recordings: checkedIn(t), Speed: 1e6})
	server := httptest.NewServer(p)
	defer server.Close()
	for _, r := range p.plays {
		if !r.streamed() {
			continue
		}
		resp := ask(t, http.MethodPost, server.URL+turnsPath, string(r.Request.Body))
		var accepted struct{ EventsURL string }
		if err := json.Unmarshal([]byte(resp.body), &accepted); err != nil {
			t.Fatal(err)
		}
		whole := ask(t, http.MethodGet, server.URL+accepted.EventsURL, "").body
		retry, rest, _ := strings.Cut(whole, "\n")
		blocks := strings.SplitAfter(strings.TrimSuffix(rest, "\n\n"), "\n\n")
		for i := 1; i < len(blocks); i++ {
			want := retry + "\n" + strings.Join(blocks[i:], "") + "\n\n"
			got := ask(t, http.MethodGet, server.URL+accepted.EventsURL, "", "Last-Event-ID", fmt.Sprint(i)).body
			if got != want {
				t.Fatalf("%s after update %d:\n%s", r.Name, i, cmp.Diff(want, got))
			}
		}
	}
}

// All faults of the player at once, and those of the clients: every stream is still the one that was recorded.
func TestLoadOnAPlayerWithFaults(t *testing.T) {
	t.Parallel()
	recordings := checkedIn(t)
	p := newPlayer(t, PlayerConfig{
		Recordings: recordings, Speed: 1e5, Cut: 0.5, Stall: 0.2, StallFor: time.Millisecond, Duplicate: true, Seed: 7,
	})
	s := runLoad(t, p, Load{Turns: 150, Clients: 8, Cut: 0.3, Duplicate: true, Recordings: recordings, Seed: 3})
	if !s.OK() || s.Compared != 150 || s.Cuts == 0 || s.Connections <= 2*150+s.Cuts {
		t.Errorf("%s", s.Report())
	}
}

// A player of other recordings than the client's is noticed.
func TestAStreamThatIsNotTheRecordedOneIsNoticed(t *testing.T) {
	t.Parallel()
	changed := shortTurn("one.1")
	changed.Blocks[4].Bytes = strings.Replace(changed.Blocks[4].Bytes, "Monday", "Tuesday", 1)
	shorter := shortTurn("one.1")
	shorter.Blocks = append(shorter.Blocks[:4:4], Block{Bytes: block(5, `{"type":"done"}`)})
	for _, r := range []Recording{changed, shorter} {
		s := runLoad(t, newPlayer(t, PlayerConfig{Recordings: []Recording{r}}),
			Load{Turns: 2, Clients: 1, Recordings: []Recording{shortTurn("one.1")}})
		if s.Errors[Differs] != 2 {
			t.Errorf("errors %v: %q", s.Errors, s.Examples)
		}
	}
}

// What was recorded as a refusal is refused again.
func TestARefusalIsPlayed(t *testing.T) {
	t.Parallel()
	refusal := shortTurn("no.1")
	refusal.Response = Response{http.StatusBadRequest, map[string]string{"Content-Type": "application/problem+json"}}
	refusal.Blocks = []Block{{0, `{"code":"invalid_request"}`}}
	server := httptest.NewServer(newPlayer(t, PlayerConfig{Recordings: []Recording{refusal, shortTurn("one.1")}}))
	defer server.Close()
	resp := ask(t, http.MethodPost, server.URL+turnsPath, `{"message":"said in no.1"}`, "Accept", sse.ContentType)
	if resp.status != http.StatusBadRequest || resp.body != refusal.Blocks[0].Bytes ||
		resp.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("status %d: %s", resp.status, resp.body)
	}
}

// With a share of 1 every connection breaks off, and a reader still comes to the end.
func TestEveryConnectionIsCut(t *testing.T) {
	t.Parallel()
	s := runLoad(t, newPlayer(t, PlayerConfig{Cut: 1}), Load{Turns: 20, Clients: 4})
	if !s.OK() || s.Connections <= 20 {
		t.Errorf("%s", s.Report())
	}
}

func TestTwoConnectionsAtOnceBreakOffAtTheSameByte(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, PlayerConfig{Cut: 0.7, Stall: 0.7, Duplicate: true})
	at := place{"t", 0}
	for range 50 {
		first := p.open(at, 30)
		if second := p.open(at, 30); first != second {
			t.Fatalf("%+v and %+v", first, second)
		}
		p.close(at)
		if third := p.open(at, 30); first != third {
			t.Fatalf("%+v and %+v", first, third)
		}
		p.close(at)
		p.close(at)
	}
	if len(p.shared) != 0 {
		t.Errorf("%d places are kept", len(p.shared))
	}
}

// Updates come as they were recorded, or so many times as fast; a stall holds up what is after it.
func TestThePaceOfTheRecording(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		speed float64
		plan  faults
		after int
		want  []time.Duration // in milliseconds
	}{
		"as recorded":  {1, faults{cutAt: -1, stallAt: -1}, 0, []time.Duration{0, 10, 20, 30, 40, 50}},
		"ten times":    {10, faults{cutAt: -1, stallAt: -1}, 0, []time.Duration{0, 1, 2, 3, 4, 5}},
		"half":         {0.5, faults{cutAt: -1, stallAt: -1}, 3, []time.Duration{60, 80, 100}},
		"with a stall": {1, faults{cutAt: -1, stallAt: 2}, 0, []time.Duration{0, 10, 35, 35, 40, 50}},
		"with a cut":   {1, faults{cutAt: 1, stallAt: -1}, 1, []time.Duration{10, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPlayer(t, PlayerConfig{Speed: test.speed, StallFor: 25 * time.Millisecond})
				turn := p.begin("said in one.1", "")
				start := time.Now()
				var got []time.Duration
				err := p.play(t.Context(), turn, test.after, test.plan, func([]byte) error {
					got = append(got, time.Since(start)/time.Millisecond)
					return nil
				})
				if (err != nil) != (test.plan.cutAt >= 0) {
					t.Error(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
			})
		})
	}
}

func TestAPlayerThatCannotPlaySaysSo(t *testing.T) {
	t.Parallel()
	cut := shortTurn("cut.1")
	cut.Blocks = cut.Blocks[:3]
	for name, cfg := range map[string]PlayerConfig{
		"no recordings":   {},
		"without done":    {Recordings: []Recording{cut}},
		"backwards":       {Recordings: []Recording{shortTurn("one.1")}, Speed: -1},
		"too many cuts":   {Recordings: []Recording{shortTurn("one.1")}, Cut: 1.1},
		"too many stalls": {Recordings: []Recording{shortTurn("one.1")}, Stall: -0.1},
	} {
		if _, err := NewPlayer(cfg); err == nil {
			t.Errorf("%s: it plays", name)
		}
	}
}

// Another web page cannot have a browser read recordings by giving this machine a name of its own.
func TestAPlayerAnswersToTheNamesOfThisMachineOnly(t *testing.T) {
	t.Parallel()
	p := newPlayer(t, PlayerConfig{})
	for host, want := range map[string]int{
		"localhost:8080": 202, "127.0.0.1": 202, "[::1]:8080": 202, "evil.example": 403, "127.0.0.1.evil.example:80": 403,
	} {
		req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, turnsPath, strings.NewReader(`{"message":"hi"}`))
		req.Host = host
		w := httptest.NewRecorder()
		p.ServeHTTP(w, req)
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", host, w.Code, want)
		}
	}
}
