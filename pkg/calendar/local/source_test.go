package local_test

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/local/localtest"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// asking is a file of the recurrence corpus: the first day that its case asks about, and how often to ask.
type asking struct {
	day   time.Time
	times int
}

// recurrences are all files of the corpus.
func recurrences(t *testing.T) map[string]asking {
	t.Helper()
	paths, err := filepath.Glob("../icalendar/testdata/recurrence/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]asking{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			fields, body, _ := strings.Cut(string(f.Data), "\n\n")
			_, asked, _ := strings.Cut(fields, "\nspan: ")
			day, err := interval.ParseDate(asked[:len(time.DateOnly)])
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(body, "BEGIN:VCALENDAR") {
				body = "BEGIN:VCALENDAR\n" + body + "END:VCALENDAR\n"
			}
			times := 12
			if strings.HasSuffix(path, "hostile.txtar") {
				times = 2 // each is as much work as is allowed
			}
			files[body] = asking{day.Start(time.UTC), times}
		}
	}
	return files
}

// However often a file was asked before, and about which days, its answer is that of a file that was never asked.
func TestAnswersDoNotDependOnEarlierOnes(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(8, 13))
	files := recurrences(t)
	if len(files) < 100 {
		t.Fatalf("%d files, which cannot be all", len(files))
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		asked := files[file]
		schedule, err := icalendar.Parse([]byte(file))
		if err != nil {
			continue // of a damaged file nothing is ever known
		}
		c := local.New(&localtest.Memory{}, map[string][]byte{"ola.ics": []byte(file)})
		for range asked.times {
			ola := meet.Person{ID: "ola", Timezone: []string{"", "Europe/Berlin", "Asia/Tokyo"}[rng.IntN(3)]}
			if rng.IntN(4) == 0 {
				ola.Email = "ola@example.com"
			}
			start := asked.day.Add(time.Duration(rng.IntN(48*60)-24*60) * time.Minute).
				Add(time.Duration(rng.IntN(2)) * time.Millisecond)
			span := interval.From(start, time.Duration(rng.IntN(20*24))*time.Hour)
			except := []string{"", "e", "another"}[rng.IntN(3)]
			got, _ := c.Times(t.Context(), ola, span, except)
			if diff := cmp.Diff(expanded(t, schedule.Without(except), ola, span), got, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%v without %q (-want +got):\n%s\n%s", span, except, diff, file)
			}
		}
	}
}

// expanded is what the events of a schedule take, worked out for that stretch alone.
func expanded(
	t *testing.T, schedule *icalendar.Schedule, owner meet.Person, span interval.Span,
) (times calendar.Times) {
	t.Helper()
	who := icalendar.Owner{Email: owner.Email}
	if owner.Timezone != "" {
		who.Zone = owner.Zone()
	}
	taken, unknown, err := schedule.Instances(t.Context(), span, who)
	if err != nil {
		t.Fatal(err)
	}
	var busy []interval.Span
	for _, one := range taken {
		busy = append(busy, one.Span)
		if one.At != nil {
			times.Stays = append(times.Stays, meet.Stay{Span: one.Span, At: *one.At})
		}
	}
	times.Busy, times.Unknown = interval.NewSet(busy...).Intersect(interval.NewSet(span)), unknown
	return times
}
