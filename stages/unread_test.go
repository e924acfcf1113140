package stages_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// What a model admits to have left out is said if the message has it, and keeps the event from being booked.
func TestWhatAModelAdmits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		admits []string
		said   string
	}{
		{nil, ""},
		{[]string{"Reserve a table for 3"}, "Reserve a table for 3"},
		{[]string{"reserve a table for 3", "a table", "pay for Ada"}, "reserve a table for 3"},
		{[]string{"everybody has agreed"}, ""},
	} {
		for _, auto := range []bool{false, true} {
			h := newHarness(t, newWorld())
			in := coffee()
			in.Unhandled = tt.admits
			h.script(template(in), first())
			run := h.say("coffee with Ada next week, and reserve a table for 3", func(in *meet.Turn) { in.AutoConfirm = auto })
			e := event(t, run)
			var want []meet.Doubt
			if tt.said != "" {
				want = []meet.Doubt{{
					Kind: meet.DoubtUnhandled, Said: tt.said, Text: "I did not take this into account: “" + tt.said + "”.",
				}}
			}
			if diff := cmp.Diff(want, e.Doubts); diff != "" {
				t.Errorf("%q, auto %v (-want +got):\n%s", tt.admits, auto, diff)
			}
			if booked := e.Status == meet.Confirmed; booked != (auto && tt.said == "") {
				t.Errorf("%q, auto %v: the event is %s", tt.admits, auto, e.Status)
			}
			said := func(u meet.Update) bool {
				m, ok := u.(meet.MessageUpdate)
				return ok && strings.Contains(m.Text, "I did not take this into account")
			}
			if slices.ContainsFunc(run.updates, said) != (tt.said != "") {
				t.Errorf("%q: the message does not say what is left out", tt.admits)
			}
		}
	}
}
