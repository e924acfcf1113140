package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkDay asks the program for the user's own day on the demo world, one request after the other: a tool call
// should take at most 3 ms at the median, one over 30 days of 2,000 events 25 ms, and a turn of a look, with the
// built-in model, 10 ms.
func BenchmarkDay(b *testing.B) {
	path := program(b)
	serving := func(more ...string) string {
		_, log := launch(b, path, append([]string{
			"serve", "--listen=127.0.0.1:0", "--limit-key=off", "--limit-address=off", "--now=2026-11-23T08:00:00-08:00",
		}, more...)...)
		return addressIn(b, log)
	}
	demo, full := serving(), serving("--calendars="+fullCalendar(b))
	for _, c := range []struct{ name, server, path, body string }{
		{
			"a tool call", demo, "/v1/tools/schedule_viewSchedule",
			`{"organizer":"me","arguments":{"from":"2026-11-23","to":"2026-11-29"}}`,
		},
		{"a look", demo, "/v1/turns", `{"organizer":"me","message":"what's my week like?"}`},
		{
			"a tool call over 2,000 events", full, "/v1/tools/schedule_viewSchedule",
			`{"organizer":"me","arguments":{"from":"2026-11-23","to":"2026-12-22"}}`,
		},
		{
			"a search in 2,000 events", full, "/v1/tools/calendar_findEvents",
			`{"organizer":"me","arguments":{"selection":{"window":{"start":"2026-11-23","end":"2026-12-23"}}}}`,
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				asks(b, c.server+c.path, c.body)
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
		})
	}
}

// fullCalendar is a folder with 2,000 events of the organizer in 30 days.
func fullCalendar(b *testing.B) string {
	b.Helper()
	const form = "20060102T150405Z"
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//convene//EN\r\n")
	start := time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC)
	for i := range 2000 {
		at := start.Add(time.Duration(i) * 21 * time.Minute)
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d@example.com\r\nDTSTART:%s\r\nDTEND:%s\r\nSUMMARY:Event %d\r\n"+
			"ATTENDEE:mailto:al@example.com\r\nEND:VEVENT\r\n",
			i, at.Format(form), at.Add(25*time.Minute).Format(form), i)
	}
	text.WriteString("END:VCALENDAR\r\n")
	folder := b.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "me.ics"), []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	return folder
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
