package message

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestVocabulariesHoldNoWordOfTime is what the reader's promise stands on. The exceptions are days, months and hours
// of other languages only; "may" is a month with a capital, which the reader refuses.
func TestVocabulariesHoldNoWordOfTime(t *testing.T) {
	t.Parallel()
	want := map[string][]string{
		"en": {"did", "here", "may", "mean", "out", "set", "too"},
		"es": {"más", "será", "sin", "son", "tal"},
		"he": nil,
	}
	got := map[string][]string{}
	for tag, v := range vocabularies() {
		got[tag] = nil
		for word := range v.words {
			if meaningOf(word) != "" {
				got[tag] = append(got[tag], word)
			}
		}
		slices.Sort(got[tag])
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("words of time in vocabularies (-want +got):\n%s", diff)
	}
}

func TestCalendarNamesAreComplete(t *testing.T) {
	t.Parallel()
	if len(names()) < 60 {
		t.Fatalf("languages = %d, want at least 60", len(names()))
	}
	for tag, n := range names() {
		for _, name := range append(n.Weekdays[:], n.Months[:]...) {
			if name == "" {
				t.Errorf("%s: a name is missing", tag)
			}
		}
		for pattern, holes := range map[string]string{n.Long: "{weekday} {day} {month} {hour}:{minute}",
			n.LongYear: "{weekday} {day} {month} {year} {hour}:{minute}", n.Short: "{weekday} {hour}:{minute}"} {
			for hole := range strings.FieldsSeq(holes) {
				if strings.Count(pattern, hole) != 1 {
					t.Errorf("%s: pattern %q should have %s once", tag, pattern, hole)
				}
			}
		}
	}
}

func TestMeaningOf(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"Friday": KindWeekday, "FRI": KindWeekday, "viernes": KindWeekday, "Miercoles": KindWeekday, "пятница": KindWeekday,
		"октября": KindWeekday, "金曜日": KindWeekday, "الجمعة": KindWeekday, "באוקטובר": "", "אוקטובר": KindWeekday,
		"vendredi": KindWeekday,
		"noon":     KindTime, "three": KindTime, "שלוש": KindTime, "mañana": KindTime, "２": KindTime, "PST": KindZone,
		"Pacific": KindZone,
		"coffee":  "", "calendar": "", "": "",
	} {
		if got := meaningOf(word); got != want {
			t.Errorf("meaningOf(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestWordingsAreComplete(t *testing.T) {
	t.Parallel()
	for tag, p := range wordings() {
		for _, text := range []string{p.Suggested.New, p.Suggested.Moved, p.Suggested.Updated, p.Done.New, p.Done.Moved,
			p.Done.Updated, p.Kept, p.Nearest, p.Unread,
			p.Invite, p.Stands, p.Caution, p.More, p.NoMore, p.DayParts[5], p.WeekendParts[5], p.Distance, p.Closest} {
			if text == "" {
				t.Errorf("%s: a phrase is missing", tag)
			}
		}
	}
	if len(wordings()) == 0 {
		t.Error("no wordings")
	}
}
