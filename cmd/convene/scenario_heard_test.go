package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	playback "convene/pkg/replay"
)

// between stands between a server and who talks to it, and keeps what was answered.
type between struct {
	url     string
	mu      sync.Mutex
	answers []*response
}

// response is the response to a turn, a confirmation or a cancellation.
type response struct {
	status int
	header http.Header
	body   bytes.Buffer
}

func listenIn(t *testing.T, server string) *between {
	t.Helper()
	target, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	h := &between{}
	proxy := &httputil.ReverseProxy{
		FlushInterval:  -1,
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: h.keep,
	}
	relay := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		// A server closes a body that is still read when an answer begins, and with that the way to the other server.
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(relay.Close)
	h.url = relay.URL
	return h
}

func (h *between) keep(r *http.Response) error {
	if r.Request.Method != http.MethodPost {
		return nil
	}
	a := &response{status: r.StatusCode, header: r.Header}
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.TeeReader(r.Body, &a.body), r.Body}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answers = append(h.answers, a)
	return nil
}

// converse has the scenario's conversation, and gives what each of its steps streamed.
func (h *between) converse(t *testing.T, s scenario) (seen []any) {
	t.Helper()
	if slices.ContainsFunc(s.steps, func(st step) bool { return st.kind != "say" }) {
		client := &client{t: t, server: h.url, conversation: "c-" + s.name}
		for _, step := range s.steps {
			seen = append(seen, client.take(step))
		}
		return seen
	}
	turns := h.typed(t, s)
	for i, a := range h.answers {
		streamed := readStream(t, bytes.NewReader(a.body.Bytes()))
		if !slices.EqualFunc(streamed, turns[i], bytes.Equal) {
			t.Errorf("step %d: the terminal shows\n%s\nwhere this is streamed:\n%s", i+1, bytes.Join(turns[i], []byte("\n")),
				bytes.Join(streamed, []byte("\n")))
		}
		seen = append(seen, collect(t, streamed))
	}
	return seen
}

// typed types the scenario's messages at the terminal command, and gives the updates that it shows of each.
func (h *between) typed(t *testing.T, s scenario) [][][]byte {
	t.Helper()
	var lines strings.Builder
	for _, step := range s.steps {
		lines.WriteString(strings.Join(strings.Fields(step.body), " ") + "\n")
	}
	var out, logs bytes.Buffer
	args := []string{"ask", "--json", "--organizer=me", "--log-level=disabled", "--server=" + h.url}
	if status := run(t.Context(), args, streams{strings.NewReader(lines.String()), &out, &logs}); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &logs)
	}
	turns := splitTurns(t, out.Bytes())
	if len(turns) != len(s.steps) || len(h.answers) != len(s.steps) {
		t.Fatalf("%d turns were answered and %d shown, want %d: %s", len(h.answers), len(turns), len(s.steps), &logs)
	}
	return turns
}

func splitTurns(t *testing.T, lines []byte) [][][]byte {
	t.Helper()
	var turns [][][]byte
	for line := range bytes.Lines(lines) {
		var u struct{ Type string }
		if err := json.Unmarshal(line, &u); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		if u.Type == "turn" {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], bytes.Clone(bytes.TrimSpace(line)))
	}
	return turns
}

// record writes the recordings of the conversation that was heard, as if it were had again.
func (h *between) record(t *testing.T, s scenario, folder string) {
	t.Helper()
	next := 0
	again := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		a := h.answers[next]
		next++
		w.Header().Set("Content-Type", a.header.Get("Content-Type"))
		w.WriteHeader(a.status)
		_, _ = w.Write(a.body.Bytes())
	}))
	defer again.Close()
	script, err := readRecorded(filepath.Join("..", "..", "testdata", s.folder, s.name+scenarioExtension))
	if err != nil {
		t.Fatal(err)
	}
	recordings, err := script.run(t.Context(), playback.NewRecorder(again.URL, s.name))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range recordings {
		if _, err := r.Save(folder); err != nil {
			t.Fatal(err)
		}
	}
}
