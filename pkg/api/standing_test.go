package api

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

func telling(c *Config) {
	c.Tell = func(e meet.Event) meet.MessageUpdate {
		return meet.MessageUpdate{Text: "It is " + string(e.Status), ComposedBy: meet.ByCode}
	}
}

// What stands is asked of the stored proposal, for turns that are over and whose event is no longer as they left it.
func TestStandingOf(t *testing.T) {
	t.Parallel()
	proposed := func(id meet.ProposalID) meet.TurnState {
		return meet.TurnState{Phase: meet.TurnDone, Event: &meet.Event{ID: id, Status: meet.Proposed}}
	}
	running := proposed("p1")
	running.Phase = meet.TurnRunning
	for _, test := range []struct {
		name   string
		state  meet.TurnState
		status meet.Status
		fail   error
		want   string
	}{
		{"still proposed", proposed("p1"), meet.Proposed, nil, "Coffee with Al"},
		{"confirmed", proposed("p1"), meet.Confirmed, nil, "It is confirmed"},
		{"cancelled", proposed("p1"), meet.Cancelled, nil, "It is cancelled"},
		{"under way", running, meet.Confirmed, nil, "nothing"},
		{"without an event", meet.TurnState{Phase: meet.TurnDone}, meet.Confirmed, nil, "nothing"},
		{"kept no longer", proposed("p9"), meet.Confirmed, nil, "nothing"},
		{"cannot be asked", proposed("p1"), meet.Confirmed, fault.New(fault.Unavailable, "Not now."), "Not now."},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, telling)
			f.desk.event.Status, f.desk.fail = test.status, test.fail
			now, err := f.server.standingOf(t.Context(), test.state)
			got := "nothing"
			switch {
			case err != nil:
				got = fault.As(err).Message
			case now != nil:
				got = cmp.Or(now.message.Text, now.event.Title)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A replay has the same entries under the same numbers, with the current message and event.
func TestCurrentEntries(t *testing.T) {
	t.Parallel()
	var entries []turn.Entry
	for i, u := range []meet.Update{
		meet.TurnUpdate{TurnID: "t1"}, meet.MessageDeltaUpdate{Text: "I suggest"}, meet.MessageUpdate{Text: "I suggest it."},
		meet.EventUpdate{Event: meet.Event{ID: "p1", Status: meet.Proposed}}, meet.DoneUpdate{Outcome: meet.OutcomeProposed},
	} {
		data, err := meet.MarshalUpdate(u)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, turn.Entry{ID: i + 1, Data: data})
	}
	now := &standing{meet.Event{ID: "p1", Status: meet.Confirmed}, meet.MessageUpdate{Text: "It is confirmed."}}
	told, err := now.current(entries)
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for i, e := range told {
		if e.ID != i+1 {
			t.Errorf("entry %d has the number %d", i+1, e.ID)
		}
		all += fmt.Sprintf("%s\n", e.Data)
	}
	if strings.Contains(all, "suggest") || !strings.Contains(all, "It is confirmed.") ||
		strings.Contains(all, `"status":"proposed"`) || !strings.Contains(all, `"outcome":"proposed"`) {
		t.Errorf("told\n%s", all)
	}
	if same, err := (*standing)(nil).current(entries); err != nil || &same[0] != &entries[0] {
		t.Errorf("where nothing has changed: %v", err)
	}
}
