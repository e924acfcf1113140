package websearch

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestClockTimes(t *testing.T) {
	t.Parallel()
	la, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"2026-11-21T20:00":          "2026-11-21T20:00:00-08:00",
		"2026-11-21T20:00:00":       "2026-11-21T20:00:00-08:00",
		"2026-11-21 20:00":          "2026-11-21T20:00:00-08:00",
		"2026-11-21T20:00:00-08:00": "2026-11-21T20:00:00-08:00",
		"2026-11-21T20:00:00-07:00": "", // the clocks were put back three weeks before
		"2026-11-21T20:00:00Z":      "",
		"2026-03-08T02:30":          "", // the clocks skip it
		"2026-11-01T01:30":          "2026-11-01T01:30:00-07:00",
		"2026-02-30T20:00":          "",
		"2026-11-21":                "",
		"20:00":                     "",
		"":                          "",
		"tomorrow":                  "",
	} {
		got := ""
		if at, err := clockTime(said, la); err == nil {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}

// What was cut off may be what matters, also where the rest can be read.
func TestOnlyAWholeAnswerCounts(t *testing.T) {
	t.Parallel()
	for status, whole := range map[string]bool{"completed": true, "": true, "incomplete": false, "failed": false,
		"cancelled": false} {
		raw := `{"status":"` + status + `","output":[{"type":"message","content":[{"type":"output_text",` +
			`"text":"{\"activities\":[]}"}]}]}`
		if _, err := readAnswer([]byte(raw)); (err == nil) != whole {
			t.Errorf("status %q: error = %v", status, err)
		}
	}
	for _, raw := range []string{``, `[]`, `{"status":"completed"}`, `<html>`,
		`{"output":[{"type":"message","content":[{"type":"output_text","text":"Sorry."}]}]}`} {
		if _, err := readAnswer([]byte(raw)); err == nil {
			t.Errorf("%q is an answer", raw)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://www.Example.org/a/?utm_source=x&b=2#top":  "https://www.example.org/a/?b=2",
		"https://example.org":                              "https://example.org",
		"http://example.org/":                              "",
		"https://user@example.org/":                        "",
		"https://example.org:8443/":                        "",
		"https://127.0.0.1/":                               "",
		"https://[::1]/":                                   "",
		"https://localhost/":                               "",
		"https://db.internal/":                             "",
		"javascript:alert(1)":                              "",
		"data:text/html,x":                                 "",
		"//example.org/":                                   "",
		"https://example.org/" + strings.Repeat("a", 2000): "",
	} {
		if got, _ := shownPage(address); got != want {
			t.Errorf("%.60q is shown as %q, want %q", address, got, want)
		}
	}
	same := []string{"https://www.example.org/a/", "http://example.org/a", "https://EXAMPLE.org/a?utm_campaign=y#z"}
	for _, address := range same {
		if got, ok := pageKey(address); got != "example.org/a" || !ok {
			t.Errorf("%q has the key %q", address, got)
		}
	}
	for _, address := range []string{"https://example.org/b", "https://example.org/a?id=1",
		"https://example.org.evil.example/a"} {
		if got, _ := pageKey(address); got == "example.org/a" {
			t.Errorf("%q passes for another page", address)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, said := range []string{"Jazz **night**", "[x](https://evil.example)", "\x1b[31m\u202e", "a\ue200cite\ue201b",
		"www.evil.example", "<b>x</b>", "ג'אז\u200f"} {
		f.Add(said)
	}
	f.Fuzz(func(t *testing.T, said string) {
		got := plain(said, 40)
		if utf8.RuneCountInString(got) > 40 || !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t\x00\x1b\u202e*`") ||
			strings.Contains(got, "://") || strings.Contains(got, "www.") || strings.TrimSpace(got) != got {
			t.Errorf("plain(%q) = %q", said, got)
		}
	})
}

func TestDefaultEffort(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"gpt-5.4-mini": "low", "gpt-5": "low", "openai/gpt-6-large": "low", "o3": "low", "gpt-4.1": EffortOmitted,
		"llama3": EffortOmitted, "": EffortOmitted,
	} {
		if got := defaultEffort(model); got != want {
			t.Errorf("%q has the effort %q, want %q", model, got, want)
		}
	}
}
