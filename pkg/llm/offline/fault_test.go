package offline_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/llm/offline"
)

func TestLatencyAndPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		via := offline.New(offline.Options{Latency: 3 * time.Second, TokensPerSecond: 10}).Transport()
		start := time.Now()
		res := ask(t, via, body(`,"stream":true`))
		if took := res.firstByte.Sub(start); took != 3*time.Second {
			t.Errorf("first byte after %v, want 3s", took)
		}
		if _, ended := chunks(t, res.stream()); !ended {
			t.Error("the stream did not end")
		}
		if took := time.Since(start); took < 5*time.Second || took > 20*time.Second {
			t.Errorf("all of it took %v at ten tokens a second", took)
		}
	})
}

func TestCancelledRequestsStop(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stall, err := offline.ParseFaults("stall")
		if err != nil {
			t.Fatal(err)
		}
		via := offline.New(offline.Options{Faults: stall}).Transport()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		res, err := exchange(ctx, via, inProcess, body(`,"stream":true`))
		if err != nil || !errors.Is(res.err, context.DeadlineExceeded) {
			t.Errorf("reading a stalled stream: %v, %v, want the deadline", err, res.err)
		}

		slow := offline.New(offline.Options{Latency: time.Hour}).Transport()
		ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := exchange(ctx, slow, inProcess, body("")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waiting for the header: %v, want the deadline", err)
		}
	})
}

func TestClosingTheBodyStopsTheModel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, inProcess,
			strings.NewReader(body(`,"stream":true`)))
		if err != nil {
			t.Fatal(err)
		}
		res, err := offline.New(offline.Options{TokensPerSecond: 0.001}).Transport().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		if err := res.Body.Close(); err != nil {
			t.Error(err)
		}
		// The bubble ends only when no goroutine of it is left.
	})
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]outcome{
		"429":     {status: http.StatusTooManyRequests, retryAfter: true},
		"500":     {status: http.StatusInternalServerError},
		"503":     {status: http.StatusServiceUnavailable, retryAfter: true},
		"cut":     {status: http.StatusOK, chosen: true},
		"garbage": {status: http.StatusOK, chosen: true, ended: true},
		"empty":   {status: http.StatusOK, ended: true},
		"refusal": {status: http.StatusOK, chosen: true, ended: true, refused: true},
		"429:0":   {status: http.StatusOK, chosen: true, ended: true, valid: true},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			faults, err := offline.ParseFaults(fault)
			if err != nil {
				t.Fatal(err)
			}
			got := outcomeOf(t, ask(t, offline.New(offline.Options{Faults: faults}).Transport(), body(`,"stream":true`)))
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// outcome is what a client sees of a streamed answer: a choice at all, an end mark, a refusal, arguments that are JSON.
type outcome struct {
	status                        int
	retryAfter                    bool
	chosen, ended, refused, valid bool
}

func outcomeOf(t *testing.T, r reply) outcome {
	t.Helper()
	o := outcome{status: r.status, retryAfter: r.header.Get("Retry-After") != ""}
	if r.status != http.StatusOK {
		return o
	}
	list, ended := chunks(t, r.stream())
	o.ended = ended
	var arguments strings.Builder
	for _, c := range list {
		for _, choice := range c.Choices {
			o.chosen = true
			o.refused = o.refused || choice.Delta.Refusal != nil
			for _, call := range choice.Delta.ToolCalls {
				arguments.WriteString(call.Function.Arguments)
			}
		}
	}
	o.valid = json.Valid([]byte(arguments.String()))
	return o
}

func TestACutAnswerIsShorterThanItPromised(t *testing.T) {
	t.Parallel()
	faults, err := offline.ParseFaults("cut")
	if err != nil {
		t.Fatal(err)
	}
	model := offline.New(offline.Options{Faults: faults})
	server := httptest.NewServer(model)
	t.Cleanup(server.Close)
	for name, via := range map[string]http.RoundTripper{"in process": model.Transport(),
		"over TCP": http.DefaultTransport} {
		res, err := exchange(t.Context(), via, server.URL+"/v1/chat/completions", body(""))
		if err != nil || !errors.Is(res.err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %v, %v, want an unexpected end", name, err, res.err)
		}
	}
}

func TestParseFaults(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "429": "429:1", "429:0.1,cut:0.05": "429:0.1,cut:0.05", " stall : 0.5 , 500:0.5 ": "stall:0.5,500:0.5",
		"garbage:0": "garbage:0",
	} {
		got, err := offline.ParseFaults(in)
		if err != nil || got.String() != want {
			t.Errorf("ParseFaults(%q) = %q, %v, want %q", in, got, err, want)
		}
		var again offline.Faults
		if text, err := got.MarshalText(); err != nil || again.UnmarshalText(text) != nil || again.String() != want {
			t.Errorf("%q does not come back: %q", in, again)
		}
	}
	for _, in := range []string{"404", "429:2", "429:-1", "429:x", "429:NaN", "429:0.6,500:0.6"} {
		if got, err := offline.ParseFaults(in); err == nil {
			t.Errorf("ParseFaults(%q) = %q, want an error", in, got)
		}
	}
}

func TestFaultsKeepTheirShare(t *testing.T) {
	t.Parallel()
	faults, err := offline.ParseFaults("429:0.25,500:0.125")
	if err != nil {
		t.Fatal(err)
	}
	statuses := func() (all []int) {
		via := offline.New(offline.Options{Faults: faults}).Transport()
		for range 64 {
			all = append(all, ask(t, via, body("")).status)
		}
		return all
	}
	first := statuses()
	count := map[int]int{}
	for _, s := range first {
		count[s]++
	}
	if diff := cmp.Diff(map[int]int{200: 40, 429: 16, 500: 8}, count); diff != "" {
		t.Errorf("of 64 answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(first, statuses()); diff != "" {
		t.Errorf("a second run differs:\n%s", diff)
	}
}
