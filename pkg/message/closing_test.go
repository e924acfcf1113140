package message

import (
	"strings"
	"testing"

	"convene/pkg/meet"
)

func TestConfirmed(t *testing.T) {
	t.Parallel()
	f := coffee(t)
	f.Shown = meet.Shown{}
	booked := f
	booked.Booked = true
	moves := edit(t, f)
	moves.Moves = true
	rebooked := moves
	rebooked.Booked = true
	for _, test := range []struct {
		name        string
		facts       Facts
		want, opens string
	}{
		{"a new event", f, booked.Proposal(four()), "I've scheduled **Coffee with Al** for **" + f.When(0) + "**"},
		{"a change", moves, rebooked.Proposal(four()), "I've moved **Coffee with Al** to **" + moves.When(0) + "**"},
		{"in Spanish", withLanguage(f, "es"), new(withBooking(withLanguage(f, "es"))).Proposal(four()),
			"He programado **Coffee with Al** para el **"},
		{"in Hebrew", withLanguage(f, "he"), new(withBooking(withLanguage(f, "he"))).Proposal(four()), "קבעתי **"},
		{"booked already", booked, booked.Proposal(four()), "I've scheduled"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := test.facts.Confirmed(four())
			if got != test.want || !strings.HasPrefix(got, test.opens) {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			if strings.Contains(got, "When you") {
				t.Errorf("it still waits for the user:\n%s", got)
			}
		})
	}
}

// Who did not get the invitation is not said to get one.
func TestInvitationsThatFailed(t *testing.T) {
	t.Parallel()
	for language, want := range map[string][2]string{
		"en": {
			"It's in your personal calendar now. The invitation to Al couldn't be delivered, so please pass the event on.",
			"It's in your personal calendar now. The invitation to Al couldn't be delivered, so the event was added to their " +
				"own calendar.",
		},
		"es": {
			"Ya está en tu calendario personal. La invitación a Al no se pudo entregar, así que reenvía el evento, por favor.",
			"Ya está en tu calendario personal. La invitación a Al no se pudo entregar, así que el evento se añadió a su " +
				"propio calendario.",
		},
	} {
		f := withLanguage(coffee(t), language)
		f.Undelivered = []string{"Al Rivera"}
		if got := f.Confirmed(four()); !strings.Contains(got, want[0]) {
			t.Errorf("%s, not delivered:\n%s\nwant %s", language, got, want[0])
		}
		f.Undelivered, f.Copied = nil, f.Undelivered
		if got := f.Confirmed(four()); !strings.Contains(got, want[1]) {
			t.Errorf("%s, copied:\n%s\nwant %s", language, got, want[1])
		}
	}
}

func withBooking(f Facts) Facts {
	f.Booked = true
	return f
}

func TestKeptAsAskedOnlyWhereItWasAsked(t *testing.T) {
	t.Parallel()
	f := taken(taken(coffee(t), 0, "Al Rivera", meet.ConflictBusy), 1, "Al Rivera", meet.ConflictBusy)
	f.Shown = meet.Shown{Times: true, ConflictWarning: true}
	const kept = "kept it as you asked"
	if got := f.Sentences(four()).Conflict; strings.Contains(got, kept) {
		t.Errorf("nobody named a time: %s", got)
	}
	f.ExplicitTime = true
	if got := f.Sentences(four()).Conflict; !strings.Contains(got, kept) {
		t.Errorf("the user named it: %s", got)
	}
	if got := f.Sentences(Choice{Slots: []int{1, 0}}).Conflict; strings.Contains(got, kept) {
		t.Errorf("the user named another: %s", got)
	}
}

func TestUnchangedIsSaidOfNothingThatChanged(t *testing.T) {
	t.Parallel()
	const nothing = "Nothing changes: "
	if got := new(unchanged(t, coffee(t))).Proposal(four()); !strings.HasPrefix(got,
		nothing+"**Coffee with Al** stays on **") {
		t.Fatalf("got %s", got)
	}
	for name, change := range map[string]func(f *Facts){
		"another time":     func(f *Facts) { f.Previous.Start = f.Previous.Start.AddDate(0, 0, 1) },
		"another length":   func(f *Facts) { f.Previous.End = f.Previous.End.Add(1) },
		"another title":    func(f *Facts) { f.Previous.Title = "Tea with Al" },
		"another place":    func(f *Facts) { f.Previous.Place = &f.Places[1] },
		"no place before":  func(f *Facts) { f.Previous.Place = nil },
		"one more":         func(f *Facts) { f.People = append(f.People[:1:1], meet.Person{Name: "Bo"}) },
		"somebody else":    func(f *Facts) { f.People = []meet.Person{{Name: "Bo"}} },
		"another way":      func(f *Facts) { f.Template.EventType = meet.Video },
		"no travel before": func(f *Facts) { f.Previous.TravelBuffer = meet.TravelBuffer{} },
		"a new event":      func(f *Facts) { f.Mode = meet.ModeNew },
	} {
		f := unchanged(t, coffee(t))
		change(&f)
		if got := f.Proposal(four()); strings.HasPrefix(got, nothing) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestAModelMayCallItUpdatedThoughNothingChanged(t *testing.T) {
	t.Parallel()
	f := unchanged(t, coffee(t))
	text := "I've updated **coffee with Al**. It's on **" + f.When(0) + "** at " + f.PlaceLink(0) + "."
	if _, _, err := check(f, four(), PathProposal, text); err != nil {
		t.Errorf("refused: %v", err)
	}
}
