package preference_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
)

var said = time.Date(2026, time.November, 21, 9, 0, 0, 0, time.UTC)

func rule(t *testing.T, r preference.Rule) []byte {
	t.Helper()
	raw, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// A rule that is off counts for nothing, keeps its value and its source, and is as before once it is on again.
func TestWhatIsOffCountsForNothing(t *testing.T) {
	t.Parallel()
	for key, value := range map[string]string{
		preference.LunchHours: `{"start":"12:30","end":"13:30"}`, preference.DefaultDuration: `25`,
		preference.Buffers: `{"afterMinutes":10}`, preference.Language: `"he"`, preference.Home: `"Noe Valley"`,
		preference.MeetingHours: `{"mon":[{"start":"09:00","end":"12:00"}]}`,
	} {
		on := preference.Rule{Value: json.RawMessage(value)}.SaidBy("as I said", said)
		off := on
		off.Off = true
		if got := preference.Read(preference.Values{key: rule(t, off)}); !reflect.DeepEqual(got, preference.Preferences{}) {
			t.Errorf("%s counts although it is off: %+v", key, got)
		}
		if got := preference.Read(preference.Values{key: rule(t, on)}); reflect.DeepEqual(got, preference.Preferences{}) {
			t.Errorf("%s counts for nothing although it is on", key)
		}
		if got := preference.RuleOf(rule(t, off)); !cmp.Equal(got, off) {
			t.Errorf("%s: %+v, want %+v", key, got, off)
		}
		if err := preference.Validate(key, rule(t, off)); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

// A value without a source that is on is kept as it is: files and older entries have no other form.
func TestAPlainValueIsARule(t *testing.T) {
	t.Parallel()
	const plain = `{"start":"12:30","end":"13:30"}`
	r := preference.RuleOf([]byte(plain))
	if string(r.Value) != plain || string(rule(t, r)) != plain || r.Off || r.Said != "" {
		t.Errorf("%+v", r)
	}
	long := r.SaidBy(strings.Repeat("words ", 200)+"https://evil.example", said)
	if len([]rune(long.Said)) > 300 || preference.Validate(preference.LunchHours, rule(t, long)) != nil {
		t.Errorf("%d characters", len(long.Said))
	}
	long.Said = strings.Repeat("x", 301)
	if err := preference.Validate(preference.LunchHours, rule(t, long)); fault.As(err).Field != "lunch_hours.rule.said" {
		t.Errorf("%v", err)
	}
}

// Of random protected times, what is kept free is just what Taken says is taken; what is urgent is let into those with
// exceptions alone, and Taken still names these.
func TestKeptIsWhatIsTaken(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	base := interval.Date{Year: 2026, Month: time.November, Day: 23}.Span(time.UTC)
	let, kept := 0, 0
	for range 2000 {
		var p preference.Preferences
		for range 1 + r.IntN(3) {
			start := interval.Clock(r.IntN(22 * 60))
			p.Protected = append(p.Protected, preference.Protected{
				KeptTime: meet.KeptTime{Key: preference.WritingBlock}, Exceptions: r.IntN(2) == 0,
				Week: interval.EveryDay(interval.Window{Start: start, End: start + 15 + interval.Clock(r.IntN(90))}),
			})
		}
		at := interval.From(base.Start.Add(time.Duration(r.IntN(24*60))*time.Minute), 30*time.Minute)
		normal := p.Kept(meet.Template{Activity: meet.Meeting}, at, time.UTC).Overlaps(at)
		urgent := p.Kept(meet.Template{Activity: meet.Meeting, Urgent: true}, at, time.UTC).Overlaps(at)
		strict := false
		for _, k := range p.Protected {
			strict = strict || !k.Exceptions && k.Week.Around(at, time.UTC).Overlaps(at)
		}
		taken := len(p.Taken(meet.Meeting, at, time.UTC)) > 0
		if normal != taken || urgent != strict {
			t.Fatalf("%v: kept %v, taken %v; urgent %v, want %v", at, normal, taken, urgent, strict)
		}
		if normal && !urgent {
			let++
		} else if urgent {
			kept++
		}
	}
	if let == 0 || kept == 0 {
		t.Errorf("%d let, %d kept: nothing is proved", let, kept)
	}
}

func TestUrgent(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Urgent: meet Al": true, "an urgent call": true, "meet Al ASAP!": true, "lunch with Al": false,
		"nothing urgent, a chat with Al": false, "it's not urgent": false, "it’s not urgent": false,
		"not urgent, but the other one is urgent": true, "urgency": false,
		"פגישה דחופה עם אל": true, "זה לא דחוף": false, "reunión urgente": true, "no es urgente": false,
		"nothing during my writing unless it's urgent": false,
	} {
		if got := preference.Urgent(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestScopeOf(t *testing.T) {
	t.Parallel()
	want := preference.Scope{Days: []string{"tuesday", "sunday"}, Hours: []string{"09:00-11:00"}}
	got := preference.ScopeOf(preference.WritingBlock, []byte(`{"days":["Tu","Su"],"start":"09:00","end":"11:00"}`))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got = preference.ScopeOf(preference.WorkCalendar, []byte(`"office"`))
	if !cmp.Equal(got.Calendars, []string{"office"}) {
		t.Errorf("%+v", got)
	}
}
