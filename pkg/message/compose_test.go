package message

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestComposedMessagesAreGolden(t *testing.T) {
	t.Parallel()
	for tag, file := range goldenFiles() {
		var b strings.Builder
		for _, s := range scenes(t) {
			b.WriteString("== " + s.name + "\n" + new(withLanguage(s.facts, tag)).Proposal(s.choice) + "\n\n")
		}
		for _, s := range alternativeScenes(t) {
			b.WriteString("== alternatives: " + s.name + "\n" + new(withLanguage(s.facts, tag)).NoMatch(s.choice) + "\n\n")
		}
		f := withLanguage(coffee(t), tag)
		b.WriteString("== more\n" + f.More([]int{1, 2}, []int{3}) + "\n\n== no more\n" + f.More(nil, nil) + "\n")
		golden(t, file, b.String())
	}
}

// goldenFiles are the composed messages of each language, so that a speaker can read them all.
func goldenFiles() map[string]string {
	return map[string]string{
		"en": "testdata/composed.golden", "es": "testdata/composed.es.golden", "he": "testdata/composed.he.golden",
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", file, diff)
	}
}

func alternativeScenes(tb testing.TB) []scene {
	tb.Helper()
	f := edit(tb, coffee(tb))
	f.NoCommonTime = true
	busy := taken(unchecked(f, 1, "Al Rivera"), 0, "Al Rivera", meet.ConflictBusy)
	return []scene{
		{"some may conflict", busy, Choice{Slots: []int{0, 1, 2, 3}}},
		{"none", f, Choice{}},
		{"nothing before", func() Facts { g := f; g.Previous = nil; return g }(), Choice{Slots: []int{1}}},
		{"nine hours apart", berlin(busy), Choice{Slots: []int{0, 2}}},
		{"not checked", func() Facts { g := busy; g.Unread = []string{"Al Rivera"}; return g }(), Choice{Slots: []int{1}}},
	}
}

func TestComposedMessagesPassTheirOwnReader(t *testing.T) {
	t.Parallel()
	for tag := range goldenFiles() {
		for _, s := range scenes(t) {
			if s.facts.Booked {
				continue // what is said from then on is code's alone
			}
			t.Run(tag+": "+s.name, func(t *testing.T) {
				t.Parallel()
				f := withLanguage(s.facts, tag)
				passes(t, f, s.choice, PathProposal, f.Proposal(s.choice))
			})
		}
		for _, s := range alternativeScenes(t) {
			t.Run(tag+": alternatives: "+s.name, func(t *testing.T) {
				t.Parallel()
				f := withLanguage(s.facts, tag)
				passes(t, f, s.choice, PathAlternatives, f.NoMatch(s.choice))
			})
		}
	}
}

// passes holds that a message is accepted as it stands, and also without the marks of direction that a model may lose.
func passes(t *testing.T, f Facts, c Choice, path Path, text string) {
	t.Helper()
	for _, want := range []string{text, withoutIsolates(text)} {
		got, _, err := check(f, c, path, want)
		if err != nil || got != want {
			t.Errorf("refused: %v\n%s", err, at(want, err))
		}
	}
}

func TestNothingTellsWhatSomebodyElseDoes(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.Slots[0].State = meet.SlotConflict
	f.Slots[0].Conflicts = []meet.Conflict{{Name: "Al Rivera", Kind: meet.ConflictBusy, Text: "Al has a job interview"}}
	f.Slots[1] = f.Slots[0]
	all := f.Proposal(four()) + f.NoMatch(four()) + f.More([]int{0, 1}, nil) + f.SlotHint(0) + f.Sentences(four()).Conflict
	if strings.Contains(all, "interview") {
		t.Errorf("a message tells what another person's event is:\n%s", all)
	}
}

func TestNoMatchListsAtMostThreeTimesOnDifferentDays(t *testing.T) {
	t.Parallel()
	f := edit(t, coffee(t))
	f.Slots = append(f.Slots[:2:2], slotAt(t, f.Zone, "2026-11-25 12:00"), slotAt(t, f.Zone, "2026-11-26 12:00"))
	got := strings.Count(f.NoMatch(four()), "\n- ")
	if got != 3 {
		t.Errorf("lines = %d, want 3 (two of the four lie on one day):\n%s", got, f.NoMatch(four()))
	}
	if strings.Contains(f.NoMatch(four()), "conflicts)") {
		t.Error("a free time is said to have conflicts")
	}
}

func TestOnDifferentDays(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.Slots = nil
	for _, at := range []string{"2026-11-24 10:00", "2026-11-24 12:00", "2026-11-25 10:00", "2026-11-25 12:00",
		"2026-11-26 10:00", "2026-11-27 10:00"} {
		f.Slots = append(f.Slots, slotAt(t, f.Zone, at))
	}
	for _, test := range []struct{ slots, want []int }{
		{[]int{0, 1, 2, 3, 4, 5}, []int{0, 2, 4}},
		{[]int{1, 0, 3, 2}, []int{1, 3, 0}},
		{[]int{1, 0}, []int{1, 0}},
		{[]int{0, 0, 9, -1, 2}, []int{0, 2}},
		{nil, []int{}},
	} {
		if diff := cmp.Diff(test.want, f.OnDifferentDays(test.slots)); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.slots, diff)
		}
	}
}

func TestHintsSayNothingOfOtherTimes(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	moved := edit(t, f)
	moved.Previous.Start = f.Slots[1].Start.Add(1)
	for i := range f.Slots {
		if got, want := moved.SlotHint(i), f.SlotHint(i); got != want {
			t.Errorf("slot %d: %q where something is changed, %q where not", i, got, want)
		}
	}
}
