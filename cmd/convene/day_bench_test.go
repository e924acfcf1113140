package main

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"
)

// BenchmarkDay asks the program for the user's own day on the demo world, one request after the other: a tool call
// should take at most 3 ms at the median, and a turn of a look, with the built-in model, 10 ms.
func BenchmarkDay(b *testing.B) {
	_, log := launch(b, program(b), "serve", "--listen=127.0.0.1:0", "--limit-key=off", "--limit-address=off")
	server := addressIn(b, log)
	for _, c := range []struct{ name, path, body string }{
		{
			"a tool call", "/v1/tools/schedule_viewSchedule",
			`{"organizer":"me","arguments":{"from":"2026-11-23","to":"2026-11-29"}}`,
		},
		{"a look", "/v1/turns", `{"organizer":"me","message":"what's my week like?"}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				asks(b, server+c.path, c.body)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// asks sends a request and reads its whole answer.
func asks(b *testing.B, url, body string) {
	b.Helper()
	request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, bytes.NewReader([]byte(body)))
	if err != nil {
		b.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream, application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer response.Body.Close()
	if answer, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusOK {
		b.Fatalf("%d %s, %v", response.StatusCode, answer, err)
	}
}
