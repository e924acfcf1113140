package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/llm/offline"
	"convene/pkg/sse"
)

// answered is what became of a turn that a client asked for.
type answered struct {
	status     int
	retryAfter string
	// code is that of the problem, or of the stream's error.
	code string
	// retry says that the stream told its client when to come back.
	retry bool
	// whole says that the stream ended in one done.
	whole    bool
	outcome  string
	degraded int
	event    bool
	comeBack float64
}

// ask sends a message of a conversation of its own and reads the answer to its end.
func ask(ctx context.Context, server, conversation, accept string) (answered, error) {
	message := fmt.Sprintf(`{"message": "Let's grab coffee with Al next week", "organizer": "me", "conversationId": %q}`,
		conversation)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server+"/v1/turns", strings.NewReader(message))
	if err != nil {
		return answered{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answered{}, err
	}
	defer resp.Body.Close()
	a := answered{status: resp.StatusCode, retryAfter: resp.Header.Get("Retry-After")}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return a, err
	}
	if !strings.HasPrefix(resp.Header.Get("Content-Type"), sse.ContentType) {
		var problem struct{ Code string }
		err := json.Unmarshal(body, &problem)
		a.code = problem.Code
		return a, err
	}
	return a, a.read(body)
}

func (a *answered) read(stream []byte) error {
	decoder := sse.NewDecoder(bytes.NewReader(stream))
	for done, n := 0, 0; ; {
		event, err := decoder.Next()
		if errors.Is(err, io.EOF) {
			a.whole = done == 1
			return nil
		}
		if err != nil {
			return err
		}
		var u struct {
			Type, Code, Outcome string
			RetryAfterSeconds   float64
			Receipt             struct{ Degraded []string }
		}
		if err := json.Unmarshal(event.Data, &u); err != nil {
			return err
		}
		if n++; event.ID != "" && event.ID != fmt.Sprint(n) {
			return fmt.Errorf("update %s where %d follows", event.ID, n)
		}
		if done > 0 {
			return fmt.Errorf("%s behind done", u.Type)
		}
		a.retry = a.retry || event.Retry > 0
		switch u.Type {
		case "error":
			a.code, a.comeBack = u.Code, u.RetryAfterSeconds
		case "event":
			a.event = true
		case "done":
			done++
			a.outcome, a.degraded = u.Outcome, len(u.Receipt.Degraded)
		}
	}
}

// askAtOnce has n clients ask at the same time, every other one for a stream where both is set.
func askAtOnce(ctx context.Context, t *testing.T, server string, n int, accept func(int) string) []answered {
	t.Helper()
	all := make([]answered, n)
	var clients sync.WaitGroup
	for i := range n {
		clients.Go(func() {
			var err error
			if all[i], err = ask(ctx, server, fmt.Sprint("client-", i), accept(i)); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
		})
	}
	clients.Wait()
	return all
}

// holdingModel is the built-in model on a server that says that it is still there until it may answer.
func holdingModel(t *testing.T, may <-chan struct{}) string {
	t.Helper()
	rules := offline.New(offline.Options{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", sse.ContentType)
		for tick := time.NewTicker(100 * time.Millisecond); ; {
			select {
			case <-may:
				tick.Stop()
				rules.ServeHTTP(w, r)
				return
			case <-r.Context().Done():
				tick.Stop()
				return
			case <-tick.C:
				_, _ = io.WriteString(w, ": still here\n\n")
				_ = http.NewResponseController(w).Flush()
			}
		}
	}))
	t.Cleanup(model.Close)
	return model.URL
}

// A queue that is full turns people away at the door: a request for JSON with 429 and Retry-After, one for a stream
// with a stream that says when to come back, because EventSource gives up for good on anything but 200.
func TestAFullQueueTurnsPeopleAway(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	const room, crowd = 4, 24
	// The turns wait for the model until all others have been turned away.
	var away atomic.Int32
	answering := make(chan struct{})
	model := holdingModel(t, answering)
	server := startServer(t, "", "--openai-base-url="+model+"/v1", fmt.Sprint("--max-queue=", room),
		"--classify-deadline=10m", "--template-deadline=10m", "--select-deadline=10m", "--turn-deadline=10m")
	accepts := []string{"application/json", sse.ContentType}
	all := make([]answered, crowd)
	var clients sync.WaitGroup
	for i := range all {
		clients.Go(func() {
			var err error
			if all[i], err = ask(ctx, server, fmt.Sprint("client-", i), accepts[i%2]); err != nil {
				t.Errorf("client %d: %v", i, err)
			}
			if all[i].code == "overloaded" && away.Add(1) == crowd-room {
				close(answering)
			}
		})
	}
	clients.Wait()
	accepted, turnedAway := 0, map[string]int{}
	for i, a := range all {
		stream := accepts[i%2] == sse.ContentType
		switch {
		case a.status == http.StatusAccepted, stream && a.code == "" && a.whole && a.event:
			accepted++
		case !stream && a.status == http.StatusTooManyRequests && a.code == "overloaded" && a.retryAfter == "2",
			stream && a.status == http.StatusOK && a.code == "overloaded" && a.whole && a.retry && a.comeBack == 2:
			turnedAway[accepts[i%2]]++
		default:
			t.Errorf("client %d, which accepts %s: %+v", i, accepts[i%2], a)
		}
	}
	if accepted != room {
		t.Errorf("%d turns were accepted, want %d", accepted, room)
	}
	if len(turnedAway) != 2 {
		t.Errorf("turned away: %v, want clients of both kinds", turnedAway)
	}
}

// While the model fails in all ways, 64 clients at once are answered all the same: by the built-in model, or with an
// error. Each stream ends in one done, and the queue is empty afterwards.
func TestAModelThatFailsUnderLoad(t *testing.T) {
	t.Parallel()
	for name, faults := range map[string]string{
		"now and then":     "429:0.15,500:0.15,503:0.1,cut:0.15,garbage:0.1,empty:0.1,refusal:0.1",
		"too many":         "429",
		"broken":           "500",
		"cut":              "cut",
		"nothing is heard": "stall",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			failing, err := offline.ParseFaults(faults)
			if err != nil {
				t.Fatal(err)
			}
			model := httptest.NewServer(offline.New(offline.Options{Latency: 5 * time.Millisecond, Faults: failing}))
			t.Cleanup(model.Close)
			const clients, room = 64, 40
			server := startServer(t, "", "--openai-base-url="+model.URL+"/v1", fmt.Sprint("--max-queue=", room),
				"--max-turns=16",
				"--classify-deadline=1s", "--template-deadline=1s", "--select-deadline=1s")
			events, degraded, codes := 0, 0, map[string]int{}
			stream := func(int) string { return sse.ContentType }
			for i, a := range askAtOnce(ctx, t, server, clients, stream) {
				if a.status != http.StatusOK || !a.whole || a.event == (a.code != "") {
					t.Errorf("client %d: %+v, want a stream with an event or an error, and one done", i, a)
				}
				if a.code != "" {
					codes[a.code]++
				}
				if a.event {
					events++
				}
				if a.degraded > 0 {
					degraded++
				}
			}
			if events == 0 || degraded == 0 {
				t.Errorf("%d events, %d of them without the model; errors %v: want the built-in model to answer", events,
					degraded, codes)
			}
			if a, err := ask(ctx, server, "afterwards", sse.ContentType); err != nil || !a.whole || a.code == "overloaded" {
				t.Errorf("afterwards: %+v, %v, want room for another turn", a, err)
			}
		})
	}
}
