package icalendar_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/testenv"
)

// The corpus is the .txtar files in testdata/recurrence: each has many cases, and a case is a few fields, an empty
// line and a calendar.
//
//	why: what the case is about, and what says that the answer is right
//	owner: the zone of the calendar's owner
//	span: the first day that is asked about, and the day after the last, on the owner's clocks
//	busy: one stretch a line, on the owner's clocks
//	unknown: likewise
//	ical.js: why that program gives another answer, where it does
//	rrule: likewise
//
// A calendar that does not begin with BEGIN:VCALENDAR is what stands inside of one.
type corpusCase struct {
	why, owner, span string
	busy, unknown    []string
	calendar         []byte
}

const (
	corpus       = "testdata/recurrence"
	corpusPeers  = "../../../testdata/recurrence"
	corpusOwner  = "ola@example.com"
	corpusMinute = "2006-01-02T15:04Z07:00"
	corpusSecond = "2006-01-02T15:04:05Z07:00"
)

// readCorpus gives the cases by "area/name".
func readCorpus(tb testing.TB) map[string]corpusCase {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join(corpus, "*.txtar"))
	if err != nil {
		tb.Fatal(err)
	}
	cases := map[string]corpusCase{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		area := strings.TrimSuffix(filepath.Base(path), ".txtar")
		for _, file := range archive.Files {
			name := area + "/" + file.Name
			if _, twice := cases[name]; twice {
				tb.Fatalf("%s is there twice", name)
			}
			cases[name] = parseCase(tb, name, string(file.Data))
		}
	}
	return cases
}

func parseCase(tb testing.TB, name, text string) (c corpusCase) {
	tb.Helper()
	fields, body, found := strings.Cut(text, "\n\n")
	if !found {
		tb.Fatalf("%s has no calendar", name)
	}
	for line := range strings.SplitSeq(fields, "\n") {
		key, value, _ := strings.Cut(line, ": ")
		switch key {
		case "why":
			c.why = value
		case "owner":
			c.owner = value
		case "span":
			c.span = value
		case "busy":
			c.busy = append(c.busy, value)
		case "unknown":
			c.unknown = append(c.unknown, value)
		case "ical.js", "rrule":
		default:
			tb.Fatalf("%s: what is %q?", name, line)
		}
	}
	if c.why == "" || c.owner == "" || c.span == "" {
		tb.Fatalf("%s needs a reason, an owner and a span", name)
	}
	if !strings.HasPrefix(body, "BEGIN:VCALENDAR") {
		body = "BEGIN:VCALENDAR\nVERSION:2.0\n" + body + "END:VCALENDAR\n"
	}
	c.calendar = []byte(body)
	return c
}

// asked is the span on the owner's clocks.
func (c corpusCase) asked(t *testing.T, loc *time.Location) interval.Span {
	t.Helper()
	first, last, _ := strings.Cut(c.span, "/")
	start, err := interval.ParseDate(first)
	if err != nil {
		t.Fatal(err)
	}
	end, err := interval.ParseDate(last)
	if err != nil {
		t.Fatal(err)
	}
	return interval.Span{Start: start.Start(loc), End: end.Start(loc)}
}

func stretches(set interval.Set, loc *time.Location) (lines []string) {
	format := func(at time.Time) string {
		if at.Second() != 0 {
			return at.In(loc).Format(corpusSecond)
		}
		return at.In(loc).Format(corpusMinute)
	}
	for _, s := range set {
		lines = append(lines, format(s.Start)+"/"+format(s.End))
	}
	return lines
}

// TestCorpus pins what each case means. The answers were checked by hand and against two other programs, which
// TestCorpusAgainstOtherPrograms asks again.
func TestCorpus(t *testing.T) {
	t.Parallel()
	for name, c := range readCorpus(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			loc := location(t, c.owner)
			s, err := icalendar.Parse(c.calendar)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			got, err := busyOf(t.Context(), s, c.asked(t, loc), icalendar.Owner{Zone: loc, Email: corpusOwner})
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
			if diff := cmp.Diff(c.busy, stretches(got.Busy, loc)); diff != "" {
				t.Errorf("%s\nbusy (-want +got):\n%s", c.why, diff)
			}
			if diff := cmp.Diff(c.unknown, stretches(got.Unknown, loc)); diff != "" {
				t.Errorf("%s\nunknown (-want +got):\n%s", c.why, diff)
			}
		})
	}
}

func TestCorpusIsWhole(t *testing.T) {
	t.Parallel()
	if n := len(readCorpus(t)); n < 300 {
		t.Errorf("the corpus has %d cases; some are missing", n)
	}
}

// TestCorpusAgainstOtherPrograms asks ical.js, and where it understands the case rrule.js, what each calendar means.
func TestCorpusAgainstOtherPrograms(t *testing.T) {
	t.Parallel()
	t.Logf("%s", runPeer(t, "check.js", corpus))
}

// TestWindowsTableIsTheUnicodeConsortiums compares the table with npm's cldr-core.
func TestWindowsTableIsTheUnicodeConsortiums(t *testing.T) {
	t.Parallel()
	want := runPeer(t, "windows.js")
	got, err := os.ReadFile("windows.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("windows.txt (-want +got):\n%s", diff)
	}
}

// runPeer runs one of the scripts beside the packages that they need, and gives what it prints.
func runPeer(t *testing.T, script string, args ...string) string {
	t.Helper()
	node := testenv.Require(t, "node")
	if _, err := os.Stat(filepath.Join(corpusPeers, "node_modules")); err != nil {
		const missing = "testdata/recurrence has no node_modules; run: npm ci --prefix testdata/recurrence --ignore-scripts"
		if os.Getenv(testenv.StrictVariable) == "1" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, node, append([]string{filepath.Join(corpusPeers, script)}, args...)...).
		CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
