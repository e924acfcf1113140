package stages_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages"
	"convene/stages/candidates"
	"convene/stages/stagestest"
)

// vendor keeps the calendars of some people of a world, and takes its time to answer.
type vendor struct {
	name   string
	world  *stagestest.World
	people []meet.PersonID
	takes  time.Duration
	fails  error
	// busy, where not empty, is all that the calendars say.
	busy interval.Span
}

func (v vendor) Name() string { return v.name }

func (v vendor) Times(
	ctx context.Context, p meet.Person, _ interval.Span, _ string,
) (t calendar.Times, err error) {
	if !slices.Contains(v.people, p.ID) {
		return t, calendar.ErrNoCalendar
	}
	select {
	case <-time.After(v.takes):
	case <-ctx.Done():
		return t, ctx.Err()
	}
	t.Busy = interval.NewSet(v.world.Busy[p.ID]...)
	if !v.busy.Empty() {
		t.Busy = interval.NewSet(v.busy)
	}
	return t, v.fails
}

// timed is an update with the time that the person has waited for it.
type timed struct {
	after  time.Duration
	update meet.Update
}

// slowCoffee asks for coffee with Ada, whose calendar is at google and answers as told, and with the others.
// It runs on a clock of its own.
func slowCoffee(t *testing.T, google vendor, others ...meet.Person) (updates []timed) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, newWorld())
		h.world.People = append(h.world.People, others...)
		local := vendor{name: "local", world: h.world, people: []meet.PersonID{"me"}}
		for i, p := range others {
			local.people = append(local.people, p.ID)
			h.world.Busy[p.ID] = []interval.Span{interval.From(now.AddDate(0, 0, 3).Add(time.Duration(i)*time.Hour), time.Hour)}
		}
		google.name, google.world, google.people = "google", h.world, []meet.PersonID{"ada"}
		h.calendars(t, &calendar.Directory{Sources: []calendar.Provider{google, local}, Now: func() time.Time { return now }})
		h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(coffee())).
			Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0, 1, 2, 3}}))
		began := time.Now()
		in := meet.Turn{
			ID: "t_1", Conversation: "c", Message: "coffee with Ada next week", Organizer: h.world.People[0],
			Participants: others, Timezone: zone, ReceivedAt: now,
		}
		_, err := h.pipeline.Run(t.Context(), in, h.journal, func(_ context.Context, told ...meet.Update) error {
			for _, u := range told {
				updates = append(updates, timed{time.Since(began), u})
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
	return updates
}

// calendars has the pipeline read them instead of the world's.
func (h *harness) calendars(t *testing.T, c candidates.Calendars) {
	t.Helper()
	w := h.world
	p, err := stages.New(stages.Ports{
		Model: h.model, Calendars: c, Booked: stagestest.Booked{World: w}, Places: w, Activities: w, Contacts: w, Memory: w,
		Proposals: w, Confirmer: w, Now: func() time.Time { return now },
	}, stages.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h.pipeline = p
}

// only is the updates of one type, with the time of each.
func only[U meet.Update](updates []timed) (list []U, after []time.Duration) {
	for _, u := range updates {
		if u2, ok := u.update.(U); ok {
			list, after = append(list, u2), append(after, u.after)
		}
	}
	return list, after
}

// statusOf is the status of a person's calendar in an update.
func statusOf(u meet.CandidatesUpdate, id meet.PersonID) meet.CalendarStatus {
	i := slices.IndexFunc(u.Calendars, func(s meet.CalendarStatus) bool { return s.Person == id })
	return u.Calendars[i]
}

// crowd is eighteen more people, so that twenty take part.
func crowd() []meet.Person {
	var people []meet.Person
	for i := range 18 {
		people = append(people, meet.Person{
			ID: meet.PersonID(fmt.Sprint("p", i)), Name: fmt.Sprint("Person ", i), Timezone: zone,
		})
	}
	return people
}

func TestFastCalendarsAreShownBeforeASlowOneAnswers(t *testing.T) {
	t.Parallel()
	for name, others := range map[string][]meet.Person{"two people": nil, "twenty people": crowd()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atOnce := slowCoffee(t, vendor{}, others...)
			slow := slowCoffee(t, vendor{takes: 3 * time.Second}, others...)

			counts, after := only[meet.CandidatesUpdate](slow)
			if want := []time.Duration{150 * time.Millisecond, 3 * time.Second}; !slices.Equal(after, want) {
				t.Fatalf("candidates after %v, want %v", after, want)
			}
			early, final := counts[0], counts[1]
			if !early.Preliminary || final.Preliminary {
				t.Errorf("preliminary: %v and then %v, want the first only", early.Preliminary, final.Preliminary)
			}
			unread := meet.CalendarStatus{
				Person: "ada", Name: "Ada Byron", State: meet.CalendarUnchecked, Reason: "the calendar is still being read",
			}
			if diff := cmp.Diff(unread, statusOf(early, "ada")); diff != "" {
				t.Errorf("Ada's calendar at first (-want +got):\n%s", diff)
			}
			for _, status := range early.Calendars {
				if status.Person != "ada" && status.State != meet.Checked {
					t.Errorf("at first: %+v, want checked", status)
				}
			}
			if early.Slots == 0 || early.Places == 0 {
				t.Errorf("at first there are %d times and %d places, want some", early.Slots, early.Places)
			}
			undelayed, _ := only[meet.CandidatesUpdate](atOnce)
			if diff := cmp.Diff(undelayed, counts[1:]); diff != "" {
				t.Errorf("in the end (-undelayed +delayed):\n%s", diff)
			}
			want, _ := only[meet.EventUpdate](atOnce)
			got, _ := only[meet.EventUpdate](slow)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("the proposal (-undelayed +delayed):\n%s", diff)
			}
		})
	}
}

func TestNothingIsPreliminaryIfNoCalendarIsSlow(t *testing.T) {
	t.Parallel()
	counts, after := only[meet.CandidatesUpdate](slowCoffee(t, vendor{takes: 149 * time.Millisecond}))
	if len(counts) != 1 || counts[0].Preliminary || after[0] != 149*time.Millisecond {
		t.Errorf("got %+v after %v, want one that is final", counts, after)
	}
}

func TestACalendarThatNeverAnswersIsUnknown(t *testing.T) {
	t.Parallel()
	updates := slowCoffee(t, vendor{takes: time.Hour})
	counts, after := only[meet.CandidatesUpdate](updates)
	if want := []time.Duration{150 * time.Millisecond, calendar.DefaultDeadline}; !slices.Equal(after, want) {
		t.Fatalf("candidates after %v, want %v", after, want)
	}
	status := statusOf(counts[1], "ada")
	if status.State != meet.CalendarUnchecked ||
		status.Reason != "the calendar did not answer in time; try again in a moment" {
		t.Errorf("in the end Ada's calendar is %+v", status)
	}
	events, _ := only[meet.EventUpdate](updates)
	if len(events) != 1 || !slices.Equal(events[0].Event.Unknown, []string{"Ada Byron"}) {
		t.Errorf("the proposal does not say that Ada's calendar could not be checked: %+v", events)
	}
}

func TestAFailingCalendarIsNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	counts, _ := only[meet.CandidatesUpdate](slowCoffee(t, vendor{
		fails: fault.New(fault.CalendarFailed, "reconnect the Google calendar").Because(errors.New("invalid_grant")),
	}))
	want := meet.CalendarStatus{
		Person: "ada", Name: "Ada Byron", Provider: "google", State: meet.CalendarUnchecked, AsOf: now,
		Reason: "reconnect the Google calendar",
	}
	if diff := cmp.Diff(want, statusOf(counts[0], "ada")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What the preliminary update counted is never offered: Ada turns out to be busy all week but for Friday afternoon.
func TestNothingIsChosenBeforeAllHaveAnswered(t *testing.T) {
	t.Parallel()
	monday := time.Date(2031, 5, 5, 0, 0, 0, 0, now.Location())
	free := monday.Add(4*24*time.Hour + 15*time.Hour)
	updates := slowCoffee(t, vendor{takes: time.Second, busy: interval.Span{Start: monday, End: free}})
	counts, _ := only[meet.CandidatesUpdate](updates)
	if len(counts) != 2 || counts[0].Slots <= counts[1].Slots {
		t.Errorf("counts %+v, want fewer in the end", counts)
	}
	events, _ := only[meet.EventUpdate](updates)
	if len(events) != 1 {
		t.Fatalf("%d proposals, want 1", len(events))
	}
	offered := append([]meet.Slot{{Start: events[0].Event.Start}}, events[0].Event.Alternatives.Slots...)
	for _, s := range offered {
		if s.Start.Before(free) {
			t.Errorf("%v is offered though Ada is busy", s.Start)
		}
	}
}

// recorded is a journal in memory.
type recorded map[string][]byte

func (r recorded) Begin(step string) ([]byte, bool) {
	raw, ok := r[step]
	return raw, ok
}

func (r recorded) Finish(step string, raw []byte) { r[step] = raw }

func (recorded) Settle() error { return nil }

// Where a process dies after the preliminary update, or after the final one, the next one gives the final one again.
func TestAWaitingTurnIsTakenOver(t *testing.T) {
	t.Parallel()
	undelayed, _ := only[meet.CandidatesUpdate](slowCoffee(t, vendor{}))
	for _, dies := range []struct {
		name string
		at   func(meet.CandidatesUpdate) bool
	}{
		{"after the preliminary update", func(u meet.CandidatesUpdate) bool { return u.Preliminary }},
		{"after the final update", func(u meet.CandidatesUpdate) bool { return !u.Preliminary }},
	} {
		t.Run(dies.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h := newHarness(t, newWorld())
				google := vendor{name: "google", world: h.world, people: []meet.PersonID{"ada"}, takes: 3 * time.Second}
				local := vendor{name: "local", world: h.world, people: []meet.PersonID{"me"}}
				h.calendars(t, &calendar.Directory{
					Sources: []calendar.Provider{google, local}, Now: func() time.Time { return now },
				})
				h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(coffee())).
					Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
				in := meet.Turn{
					ID: "t_1", Conversation: "c", Message: "coffee with Ada next week", Organizer: h.world.People[0],
					Timezone: zone, ReceivedAt: now,
				}
				journal, died := recorded{}, errors.New("the process died")
				_, err := h.pipeline.Run(t.Context(), in, journal, func(_ context.Context, told ...meet.Update) error {
					for _, u := range told {
						if u, ok := u.(meet.CandidatesUpdate); ok && dies.at(u) {
							return died
						}
					}
					return nil
				})
				if !errors.Is(err, died) {
					t.Fatalf("got %v, want %v", err, died)
				}
				var again []meet.CandidatesUpdate
				_, err = h.pipeline.Run(t.Context(), in, journal, func(_ context.Context, told ...meet.Update) error {
					for _, u := range told {
						if u, ok := u.(meet.CandidatesUpdate); ok && !u.Preliminary {
							again = append(again, u)
						}
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
				if diff := cmp.Diff(undelayed, again); diff != "" {
					t.Errorf("after the takeover (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// A proposal that one process stores and another emits is the same, also for a person without a known zone.
func TestAProposalIsEmittedAsStoredAfterATakeover(t *testing.T) {
	t.Parallel()
	h := newHarness(t, newWorld())
	h.world.People[1].Timezone = ""
	h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(coffee())).
		Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}, RankedPlaceIndices: []int{0}}))
	in := meet.Turn{
		ID: "t_1", Conversation: "c", Message: "coffee with Ada next week", Organizer: h.world.People[0],
		Timezone: zone, ReceivedAt: now,
	}
	var told []meet.EventUpdate
	journal, died := recorded{}, errors.New("the process died")
	take := func(_ context.Context, updates ...meet.Update) error {
		for _, u := range updates {
			if u, ok := u.(meet.EventUpdate); ok {
				told = append(told, u)
				if len(told) == 1 {
					return died
				}
			}
		}
		return nil
	}
	if _, err := h.pipeline.Run(t.Context(), in, journal, take); !errors.Is(err, died) {
		t.Fatalf("got %v, want %v", err, died)
	}
	if _, err := h.pipeline.Run(t.Context(), in, journal, take); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(told[:1], told[1:]); diff != "" {
		t.Errorf("what the second process told (-first +second):\n%s", diff)
	}
}
