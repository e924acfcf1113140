package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
)

// askLines has a conversation in the terminal command on a fixed clock.
func askLines(t *testing.T, lines ...string) (out, complaints string) {
	t.Helper()
	var shown, errs bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	if status := run(t.Context(), []string{"ask", "--now=" + friday}, streams{in, &shown, &errs}); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	return shown.String(), errs.String()
}

var numbered = regexp.MustCompile(`(?m)^ +│? +(\d+)  (.+)$`)

// Each number that is shown confirms what stands beside it: a time or a place, of the proposal or of "what else?".
func TestConfirmCountsAsShown(t *testing.T) {
	t.Parallel()
	talk := []string{"coffee with Al next week", "what else?"}
	shown, _ := askLines(t, talk...)
	offered := numbered.FindAllStringSubmatch(shown, -1)
	if len(offered) != 12 || offered[11][1] != "12" {
		t.Fatalf("offered %q, want 1 to 12:\n%s", offered, shown)
	}
	for _, offer := range [][]string{offered[1], offered[4], offered[7], offered[10]} {
		t.Run(offer[1], func(t *testing.T) {
			t.Parallel()
			out, complaints := askLines(t, append(talk, "/confirm "+offer[1])...)
			_, card, confirmed := strings.Cut(out, "· confirmed")
			want := strings.Replace(offer[2], " Nov, ", " Nov 2026, ", 1)
			if !confirmed || !strings.Contains(card, want) {
				t.Errorf("/confirm %s did not confirm %q: %s%s", offer[1], offer[2], card, complaints)
			}
		})
	}
}

// What is not on offer is refused before anything is sent, and nothing is booked.
func TestConfirmOfWhatIsNotOnOffer(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/confirm 7": `"7" is not on offer: choose a number from 1 to 6`, "/confirm 0": `"0" is not on offer`,
		"/confirm two": `"two" is not on offer`,
		"/confirm 1 2": "one time and one place", "/confirm 4 5": "one time and one place",
		"/confirm -1": `"-1" is not on offer`,
	} {
		out, complaints := askLines(t, "coffee with Al next week", line)
		if !strings.Contains(complaints, want) || strings.Contains(out, "confirmed") {
			t.Errorf("%s: %q, want %q:\n%s", line, complaints, want, out)
		}
	}
	if _, complaints := askLines(t, "/confirm 1"); !strings.Contains(complaints, "nothing else is on offer") {
		t.Errorf("without a proposal: %q", complaints)
	}
}

// Times that take the place of those that have gone have numbers of their own, and the places follow them.
func TestOffersThatAreRenewed(t *testing.T) {
	t.Parallel()
	at := func(day int) meet.Slot { return meet.Slot{Start: time.Date(2031, 5, day, 10, 0, 0, 0, time.UTC)} }
	var o offers
	o.add(meet.AlternativeOffer{
		Slots: []meet.Slot{at(5), at(6)}, Places: []meet.Place{{Name: "The Pot"}, {Name: "The Cup"}},
	})
	lines := o.renew([]meet.Slot{at(7)})
	if got := strings.Join(lines, "|"); got != " 1  Wed 7 May, 10:00| 2  The Pot| 3  The Cup" {
		t.Errorf("lines = %q", got)
	}
	choice, err := o.choice([]string{"1", "3"})
	if err != nil || *choice.Slot != 0 || !choice.Start.Equal(at(7).Start) || *choice.Place != 1 {
		t.Errorf("choice = %+v, %v", choice, err)
	}
}

// A message may come from standard input, in as many lines as it has.
func TestAskReadsAMessageFromStandardInput(t *testing.T) {
	t.Parallel()
	var out, errs bytes.Buffer
	in := strings.NewReader("Coffee with Al\non Wednesday at 1pm\n\n")
	if status := run(t.Context(), []string{"ask", "--now=" + friday, "-"}, streams{in, &out, &errs}); status != exitDone {
		t.Fatalf("exit status %d: %s", status, &errs)
	}
	if strings.Count(out.String(), "· proposed") != 1 || !strings.Contains(out.String(), "Wed 25 Nov 2026, 13:00") {
		t.Errorf("not one turn:\n%s", &out)
	}
	errs.Reset()
	if status := run(t.Context(), []string{"ask", "-"},
		streams{strings.NewReader(" \n"), &out, &errs}); status != exitMisuse {
		t.Errorf("nothing said: exit status %d: %s", status, &errs)
	}
}
