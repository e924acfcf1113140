package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/sse"
)

func get(t *testing.T, url string, header ...string) (status int, body []byte, h http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
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
	body, err = io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, body, resp.Header
}

// begin starts a turn without following it, and gives the path of its stream.
func (c *client) begin(message string) string {
	c.t.Helper()
	body := fmt.Sprintf(`{"message": %q, "organizer": "me", "conversationId": %q}`, message, c.conversation)
	status, answer := c.post("/v1/turns", "application/json", body)
	var accepted struct{ EventsURL string }
	if err := json.Unmarshal(answer, &accepted); err != nil || status != http.StatusAccepted {
		c.t.Fatalf("status %d: %s", status, answer)
	}
	return accepted.EventsURL
}

// Two messages of one conversation sent at the same time are answered one after the other: the second sees what the
// first proposed.
func TestTwoTurnsOfOneConversationAtOnce(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "both"}
	first := c.begin("coffee with Al on Wednesday at 1pm")
	second := c.begin("make it 45 minutes")
	var got [2]any
	var wg sync.WaitGroup
	for i, path := range []string{first, second} {
		wg.Go(func() {
			_, body, _ := get(t, c.server+path)
			got[i] = collect(t, readStream(t, bytes.NewReader(body)))
		})
	}
	wg.Wait()
	check(t, step{n: 1, wants: []string{"event.title = Coffee with Al", "event.end = 2026-11-25T13:30:00-08:00"}}, got[:1])
	check(t, step{n: 2, wants: []string{
		"event.title = Coffee with Al", "event.start = $1.event.start", "event.end = 2026-11-25T13:45:00-08:00",
		"event.replaces = $1.event.id",
	}}, got[:])
}

// A reader that resumes anywhere gets the same bytes as one that read from the start.
func TestResumeAtEveryUpdate(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "resume"}
	path := c.begin("Let's grab coffee with Al next week")
	_, whole, header := get(t, c.server+path)
	if kind := header.Get("Content-Type"); kind != sse.ContentType {
		t.Errorf("content type %q", kind)
	}
	_, updates, ok := bytes.Cut(quiet(whole), []byte("retry: 2000\n"))
	if !ok {
		t.Fatalf("no retry in the first block: %.80s", whole)
	}
	blocks := bytes.SplitAfter(bytes.TrimSuffix(updates, []byte("\n\n")), []byte("\n\n"))
	for i := 1; i < len(blocks); i++ {
		_, rest, _ := get(t, c.server+path, "Last-Event-ID", fmt.Sprint(i))
		_, rest, _ = bytes.Cut(rest, []byte("retry: 2000\n"))
		if want := append(bytes.Join(blocks[i:], nil), "\n\n"...); !bytes.Equal(rest, want) {
			t.Fatalf("after update %d:\n%s\nwant\n%s", i, rest, want)
		}
	}
	if status, _, _ := get(t, c.server+path, "Last-Event-ID", fmt.Sprint(len(blocks))); status != http.StatusNoContent {
		t.Errorf("status %d behind the last update, want 204", status)
	}
}

// Many confirmations of each of many proposals for one time make exactly one event, and everyone else is told.
func TestManyConfirmationsMakeOneEvent(t *testing.T) {
	t.Parallel()
	server := startServer(t, "")
	rivals := make([]*client, 12)
	for i := range rivals {
		rivals[i] = &client{t: t, server: server, conversation: fmt.Sprint("rival", i)}
		rivals[i].take(step{kind: "say", body: "coffee with Al on Tuesday at 4pm"})
	}
	const repeats = 8
	var wg sync.WaitGroup
	answers := make(chan [2]int, len(rivals)*repeats)
	for i, c := range rivals {
		for range repeats {
			wg.Go(func() {
				answers <- [2]int{i, confirmAt(t, server+"/v1/proposals/"+c.proposal+"/confirm")}
			})
		}
	}
	wg.Wait()
	close(answers)
	statuses := make([]int, len(rivals))
	for a := range answers {
		if before := statuses[a[0]]; before != 0 && before != a[1] {
			t.Errorf("the same confirmation was answered with %d and with %d", before, a[1])
		}
		statuses[a[0]] = a[1]
	}
	booked := 0
	for _, status := range statuses {
		switch status {
		case http.StatusOK:
			booked++
		case http.StatusConflict:
		default:
			t.Errorf("status %d", status)
		}
	}
	if booked != 1 {
		t.Errorf("%d proposals for one time were booked", booked)
	}
}

func TestAHugeMessageIsRefusedByName(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "huge"}
	body, err := json.Marshal(map[string]string{"message": strings.Repeat("coffee with Al ", 7000), "organizer": "me"})
	if err != nil {
		t.Fatal(err)
	}
	status, answer := c.post("/v1/turns", sse.ContentType, string(body))
	if status != http.StatusRequestEntityTooLarge || !strings.Contains(string(answer), `"code":"too_large"`) {
		t.Errorf("status %d: %s", status, answer)
	}
}

func TestOnlyLoopbackAddressesAreServed(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	status := run(t.Context(), []string{"serve", "--listen", "0.0.0.0:0"}, streams{strings.NewReader(""), &out, &errs})
	if status != exitMisuse || !strings.Contains(errs.String(), "loopback") || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("exit status %d: %q", status, &errs)
	}
}

// Mistakes on the command line are one line that says what to do.
func TestMisuse(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"unknown flag":      {"--colour"},
		"unknown command":   {"dance"},
		"no such file":      {"ask", "--people", "/does/not/exist", "hi"},
		"no such directory": {"ask", "--calendars", "/does/not/exist", "hi"},
		"not a time":        {"ask", "--now", "noon", "hi"},
		"no key":            {"ask", "--openai-base-url", "https://api.openai.com/v1", "hi"},
		"no input":          {"eval"},
		"bad fault":         {"model", "--fail", "earthquake:1"},
		"no time to read":   {"serve", "--read-timeout=-1s"},
		"fewer than none":   {"serve", "--max-connections=-1"},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), args, streams{strings.NewReader(""), &out, &errs}); status != exitMisuse {
			t.Errorf("%s: exit status %d, %q", name, status, &errs)
		}
		if lines := strings.Count(errs.String(), "\n"); lines != 1 {
			t.Errorf("%s: %d lines: %q", name, lines, &errs)
		}
	}
}

func TestConfigPrintsNoSecrets(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	args := []string{"config", "--openai-api-key=sk-secret", "--redis-url=redis://:hush@localhost:1", "--notice=2h"}
	if status := run(t.Context(), args, streams{strings.NewReader(""), &out, &errs}); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	for _, secret := range []string{"sk-secret", "hush"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("%q is printed", secret)
		}
	}
	if !strings.Contains(out.String(), "2h0m0s") || !strings.Contains(out.String(), "command line") {
		t.Errorf("settings:\n%s", &out)
	}
}

// What nobody has set is listed as it counts.
func TestConfigPrintsWhatIsInForce(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{nil, []string{
			`classify-model .* built-in +default`, `select-deadline .* 20s +default`, `template-tools .* tools +default`,
			`public-url .* http://localhost:8080 +default`,
			`limit-address .* 600/1m where keys are needed +default`, `require-key .* false +default`,
			`activity-model .* - +default`,
		}},
		{[]string{"--openai-api-key=sk", "--select-model=own", "--classify-deadline=2s", "--listen=127.0.0.1:9"}, []string{
			`classify-model .* gpt-5.4-nano +default`,
			`classify-deadline .* 2s +command line`, `select-model .* own +command line`,
			`select-effort .* omitted +default`, `template-model .* gpt-5.4-mini +default`,
			`activity-model .* gpt-5.4-mini +default`,
			`activity-deadline .* 20s +default`, `public-url .* http://localhost:9 +default`,
		}},
	} {
		var out, errs bytes.Buffer
		if status := run(t.Context(), append([]string{"config"}, tt.args...), streams{nil, &out, &errs}); status != exitDone {
			t.Fatalf("exit status %d: %s", status, &errs)
		}
		for _, want := range tt.want {
			if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(out.String()) {
				t.Errorf("%v: no line %q in\n%s", tt.args, want, &out)
			}
		}
	}
}

// Every setting is listed, and none that has a secret in it shows it.
func TestConfigListsEverySetting(t *testing.T) {
	t.Parallel()
	var cli commands
	parser, err := kong.New(&cli, kong.DefaultEnvars("CONVENE"))
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"config", "--openai-base-url=https://me:hush@models.example/v1"}
	for _, name := range secretFlags {
		args = append(args, "--"+name+"=hush")
	}
	if status := run(t.Context(), args, streams{nil, &out, &errs}); status != exitDone ||
		strings.Contains(out.String(), "hush") {
		t.Fatalf("exit status %d: %s%s", status, &out, &errs)
	}
	secret := regexp.MustCompile(`(^|-)(key|secret|token|password|keyset)$`)
	for _, command := range parser.Model.Children {
		for _, flag := range command.Flags {
			if command.Name != "serve" || flag.Name == "help" {
				continue
			}
			if line := regexp.MustCompile(`(?m)^` + flag.Name + ` +` + flag.Envs[0] + ` `); !line.MatchString(out.String()) {
				t.Errorf("--%s, %s is not listed:\n%s", flag.Name, flag.Envs[0], &out)
			}
			if flag.Target.Kind() == reflect.String && secret.MatchString(flag.Name) &&
				!slices.Contains(secretFlags, flag.Name) {
				t.Errorf("--%s would be shown", flag.Name)
			}
		}
	}
}

// Many streams share one connection where the client speaks HTTP/2 without TLS.
func TestStreamsOverHTTP2(t *testing.T) {
	t.Parallel()
	c := &client{t: t, server: startServer(t, ""), conversation: "h2"}
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	t.Cleanup(transport.CloseIdleConnections)
	var wg sync.WaitGroup
	for range 8 {
		path := c.begin("coffee with Grace next week")
		wg.Go(func() {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.server+path, nil)
			if err != nil {
				t.Error(err)
				return
			}
			resp, err := (&http.Client{Transport: transport}).Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			if got := collect(t, readStream(t, resp.Body)); resp.ProtoMajor != 2 || got == nil {
				t.Errorf("protocol %s", resp.Proto)
			}
		})
	}
	wg.Wait()
}

// A server that cannot take connections any more stops as one does that was told to: nothing of it runs on.
func TestAServerThatFailsStops(t *testing.T) {
	t.Parallel()
	a, err := wire(t.Context(), parseSettings(t), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.close)
	server, err := a.start(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := server.listener.Close(); err != nil {
		t.Fatal(err)
	}
	if err := server.until(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "serve: ") {
		t.Errorf("it ended with %v, want that it could not serve", err)
	}
	if _, err := a.runner.Start(t.Context(), meet.Turn{Message: "coffee"}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("a turn is taken behind the end: %v", err)
	}
}
