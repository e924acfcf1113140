package caldav_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/calendar/caldav/caldavtest"
	"convene/pkg/meet"
)

// What the server says of an invitation is read whenever it says it, and writing the same again asks for no other.
func TestWhatBecameOfInvitations(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	e := invitation(0, 3, "al", "bo", "cy", "di")
	want := func(want map[string]meet.Invitation) {
		t.Helper()
		got, err := w.Invitations(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("invitations (-want +got):\n%s", diff)
		}
	}
	want(nil) // it was not written yet
	w.Status("al@example.com", "3.7")
	w.Status("bo@example.com", "1.0")
	w.Status("cy@example.com", "1.1")
	write(t, w, e)
	said := map[string]meet.Invitation{
		"al@example.com": meet.InvitationFailed, "bo@example.com": meet.InvitationUnknown,
		"cy@example.com": meet.InvitationUnknown,
	}
	want(said)
	w.Status("bo@example.com", "1.2")
	w.Status("cy@example.com", "5.2")
	said["bo@example.com"], said["cy@example.com"] = meet.InvitationDelivered, meet.InvitationFailed
	want(said)
	sent := len(w.Sent())
	write(t, w, e)
	want(said)
	if again := len(w.Sent()); again != sent {
		t.Errorf("%d messages to guests after writing the same again, want %d", again, sent)
	}
	e.Event.Start, e.Event.End, e.Event.Sequence = berlin(4, 10), berlin(4, 11), 1
	write(t, w, e)
	want(said)
}

// A server that does no scheduling says nothing, and nothing is made of it.
func TestNothingBecameOfWhatWasNotSent(t *testing.T) {
	t.Parallel()
	w := connect(t, caldavtest.Options{}, "work")
	write(t, w, entry(0, 3))
	if got, err := w.Invitations(t.Context(), entry(0, 3)); err != nil || len(got) > 0 {
		t.Errorf("got %v, %v; want nothing", got, err)
	}
}

func TestInvitationsThatCannotBeReadAreAnError(t *testing.T) {
	t.Parallel()
	w := connect(t, inviting(), "work")
	write(t, w, invitation(0, 3, "al"))
	w.Fail(0, answer(503, ""))
	if got, err := w.Invitations(t.Context(), invitation(0, 3, "al")); err == nil {
		t.Errorf("got %v and no error", got)
	}
}
