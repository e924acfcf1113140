package eval

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestMeaningOfATimePhrase(t *testing.T) {
	t.Parallel()
	// A Wednesday.
	now := time.Date(2026, time.March, 4, 9, 0, 0, 0, time.FixedZone("", -3*60*60))
	for _, c := range []struct {
		phrase, language string
		want             Time
	}{
		{"next Tuesday at 4pm", "en", Time{Start: "2026-03-10T16:00", Grain: "minute"}},
		{"from 2 to 4 on Monday", "en", Time{
			Start: "2026-03-09T14:00", End: "2026-03-09T16:00", Grain: "minute", Seconds: 7200,
		}},
		{"from 11pm to 1am", "en", Time{
			Start: "2026-03-04T23:00", End: "2026-03-05T01:00", Grain: "minute", TimeOnly: true, Seconds: 7200,
		}},
		{"at 7", "en", Time{Start: "2026-03-05T07:00", Grain: "minute", TimeOnly: true}},
		{"this week", "en", Time{Start: "2026-03-02", End: "2026-03-08", Grain: "day"}},
		{"before Friday", "en", Time{End: "2026-03-06", Grain: "day"}},
		{"around 5pm today", "en", Time{Start: "2026-03-04T17:00", Grain: "minute"}},
		{"for 3 days", "en", Time{Seconds: 3 * 24 * 60 * 60}},
		{"in 2 minutes", "en", Time{Start: "2026-03-04T09:02", Grain: "minute"}},
		{"5/4", "es", Time{Start: "2026-04-05", Grain: "day"}},
		{"מחר בבוקר", "he", Time{Start: "2026-03-05T08:00", End: "2026-03-05T12:00", Grain: "minute"}},
		{"nothing at all", "en", Time{}},
	} {
		got := timeOf(Item{Utterance: c.phrase, Lang: c.language, Reference: now})
		if diff := cmp.Diff(c.want, *got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.phrase, diff)
		}
	}
}
