package calendartest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// proposal is a confirmed event of the owner's.
func proposal(d int, from, to float64) meet.Event {
	owner := Owner()
	return meet.Event{
		ID: "p1", UID: "p1@convene.example.com", Status: meet.Confirmed, Title: "Coffee with Ola",
		Start: berlin(d, from), End: berlin(d, to), Timezone: owner.Timezone,
		Participants: []meet.Participant{{ID: owner.ID, Name: owner.Name, Email: owner.Email}},
	}
}

// step is one use of a writer.
type step struct {
	remove bool
	event  meet.Event
}

func testWriter(t *testing.T, open Opener) {
	t.Helper()
	first := proposal(3, 10, 11)
	second := proposal(4, 15, 16)
	second.Sequence = 1
	write := func(e meet.Event) step { return step{event: e} }
	remove := func(e meet.Event) step { return step{remove: true, event: e} }
	beside := Event{UID: "1", Start: berlin(3, 14), End: berlin(3, 15)}
	for _, c := range []struct {
		name   string
		steps  []step
		except string
		want   []interval.Span
	}{
		{name: "write is busy", steps: []step{write(first)}, want: []interval.Span{hours(3, 10, 11)}},
		{name: "write twice is one", steps: []step{write(first), write(first)}, want: []interval.Span{hours(3, 10, 11)}},
		{name: "write again moves", steps: []step{write(first), write(second)},
			want: []interval.Span{hours(4, 15, 16)}},
		{name: "remove is free", steps: []step{write(first), remove(first)}},
		{name: "remove twice", steps: []step{write(first), remove(first), remove(first)}},
		{name: "remove what was never there", steps: []step{remove(first)}},
		{name: "write after remove", steps: []step{write(first), remove(first), write(second)},
			want: []interval.Span{hours(4, 15, 16)}},
		{name: "what is written can be excepted", steps: []step{write(first)}, except: first.UID},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := open(t, Owner(), beside)
			w, writes := p.(calendar.Writer)
			if !writes {
				t.Skipf("%s is read-only", p.Name())
			}
			for i, s := range c.steps {
				if err := s.do(t, w); err != nil {
					t.Fatalf("step %d: %v", i+1, err)
				}
			}
			got, err := p.Times(t.Context(), Owner(), days(2, 6), c.except)
			if err != nil {
				t.Fatalf("Times: %v", err)
			}
			busy := append(slices.Clone(c.want), hours(3, 14, 15))
			if diff := cmp.Diff(utc(interval.Availability{Busy: interval.NewSet(busy...)}), utc(got.Availability)); diff != "" {
				t.Errorf("availability (-want +got):\n%s", diff)
			}
		})
	}
}

func (s step) do(t *testing.T, w calendar.Writer) error {
	t.Helper()
	entry := calendar.Entry{Owner: Owner(), Event: s.event}
	if s.remove {
		return w.Remove(t.Context(), entry)
	}
	_, err := w.Write(t.Context(), entry)
	return err
}
