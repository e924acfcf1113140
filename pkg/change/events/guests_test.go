package events_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// page is a calendar that is only read.
type page []meet.Occurrence

func (p page) Events(context.Context, meet.Person, interval.Span) ([]meet.Occurrence, error) {
	return p, nil
}

func (page) Apply(context.Context, meet.Person, agenda.Amendment) (agenda.Amended, error) {
	return agenda.Amended{}, nil
}

// left is what a calendar gave that does not remember what an amendment replaced.
func left(t *testing.T, a agenda.Amendment) change.Written {
	t.Helper()
	var done agenda.Amended
	if after := a.After(); after != nil {
		done.Event = *after
	}
	raw, err := json.Marshal(done)
	if err != nil {
		t.Fatal(err)
	}
	return change.Written{Undo: raw}
}

// A deleted invitation is another person's event: bringing it back must not make one of the owner's own, to which all
// its guests are invited again.
func TestADeletedInvitationIsNotMadeAnew(t *testing.T) {
	t.Parallel()
	invitation := lunch()
	invitation.Organizer = &meet.Attendee{Name: "Bo", Email: "bo@example.com"}
	a := agenda.Amendment{Key: "k", Kind: agenda.Delete, Event: invitation}
	inverse, err := events.Writer{Calendars: page{}}.Inverse(t.Context(), owner, changeOf(t, a), left(t, a))
	if fault.CodeOf(err) != change.Changed {
		t.Errorf("it is made anew: %s, %v", inverse.Deed, err)
	}
}

// Guests without an address are told apart by their names.
func TestUndoingGuestsWithoutAddresses(t *testing.T) {
	t.Parallel()
	bo, cy := meet.Attendee{Name: "Bo"}, meet.Attendee{Name: "Cy"}
	for name, tt := range map[string]struct {
		guests []meet.Attendee
		set    agenda.Fields
	}{
		"invited":   {[]meet.Attendee{bo}, agenda.Fields{Invite: []meet.Attendee{cy}}},
		"uninvited": {[]meet.Attendee{bo, cy}, agenda.Fields{Uninvite: []meet.Attendee{cy}}},
	} {
		before := lunch()
		before.Attendees = tt.guests
		a := agenda.Amendment{Key: "k", Kind: agenda.Update, Event: before, Set: tt.set}
		inverse, err := events.Writer{Calendars: page{*a.After()}}.Inverse(t.Context(), owner, changeOf(t, a), left(t, a))
		var back agenda.Amendment
		if err != nil || json.Unmarshal(inverse.Deed, &back) != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.guests, back.After().Attendees); diff != "" {
			t.Errorf("%s, after the undo (-want +got):\n%s", name, diff)
		}
	}
}
