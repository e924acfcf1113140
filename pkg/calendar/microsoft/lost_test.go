package microsoft_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"convene/pkg/calendar/calendartest"
	"convene/pkg/calendar/microsoft/microsofttest"
	"convene/pkg/fault"
)

// An answer that was lost on its way is no reason to write twice, or to tell anyone twice.
func TestLostAnswerIsNoSecondEvent(t *testing.T) {
	t.Parallel()
	for _, method := range []string{http.MethodPost, http.MethodPatch, http.MethodDelete} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			in(t, func(t *testing.T, w world) {
				t.Helper()
				before := w.mailbox.Events(w.mailbox.Main())
				w.wire.lose(method, 1)
				e := entryOf(event("u1@convene"))
				mustWrite(t, w, e)
				e.Event.Start, e.Event.Sequence = at(13), 1
				mustWrite(t, w, e)
				if got := w.mailbox.Events(w.mailbox.Main()); len(got) != len(before)+1 {
					t.Errorf("%d events, want %d", len(got), len(before)+1)
				}
				if err := w.Remove(t.Context(), e); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(before, w.mailbox.Events(w.mailbox.Main()),
					cmpopts.IgnoreUnexported(microsofttest.Event{})); diff != "" {
					t.Errorf("after removal (-before +after):\n%s", diff)
				}
			})
		})
	}
}

// Whichever answer is lost, guests hear of each change once, also where Graph passes over the condition of a change.
func TestGuestsAreToldOnceWhenAnAnswerIsLost(t *testing.T) {
	t.Parallel()
	const title = "Coffee with Al"
	var want []microsofttest.Mail
	for _, kind := range []string{"invitation", "update", "cancellation"} {
		for _, to := range []string{"al@example.com", "Bo@example.com"} {
			want = append(want, microsofttest.Mail{Kind: kind, To: to, Subject: title})
		}
	}
	for _, careless := range []bool{false, true} {
		for _, lost := range []string{"creation", "change", "cancellation"} {
			t.Run(fmt.Sprintf("%s, careless %t", lost, careless), func(t *testing.T) {
				t.Parallel()
				in(t, func(t *testing.T, w world) {
					t.Helper()
					if careless {
						w.server.IgnoreIfMatch()
					}
					loses := func(what, method string) {
						if what == lost {
							w.wire.lose(method, 1)
						}
					}
					e := entryOf(event("u1@convene"))
					loses("creation", http.MethodPost)
					mustWrite(t, w, e)
					e.Event.Start, e.Event.Sequence = at(13), 1
					loses("change", http.MethodPatch)
					mustWrite(t, w, e)
					loses("cancellation", http.MethodPost)
					if err := w.Remove(t.Context(), e); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, w.server.Sent()); diff != "" {
						t.Errorf("mails (-want +got):\n%s", diff)
					}
				})
			})
		}
	}
}

// Who looked at the event before another person wrote a newer version does not write over that.
func TestAChangeIsMeantForTheVersionThatWasSeen(t *testing.T) {
	t.Parallel()
	w := open(t, calendartest.Owner())
	mustWrite(t, w, entryOf(event("u1@convene")))
	older, newer := event("u1@convene"), event("u1@convene")
	older.Start, older.End, older.Sequence = at(16), at(17), 1
	newer.Start, newer.End, newer.Sequence = at(11), at(12), 2
	var seen atomic.Bool
	w.server.Before(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPatch && !seen.Swap(true) {
			mustWrite(t, w, entryOf(newer))
		}
		return false
	})
	if _, err := w.Write(t.Context(), entryOf(older)); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("got %v, want a conflict", err)
	}
	if got := w.mailbox.Events(w.mailbox.Main()); len(got) != 1 || !got[0].Start.Equal(at(11)) {
		t.Errorf("stands as %+v, want it at %v", got, at(11))
	}
}

// Where every attempt is cut off the caller tries again later, and that finds what was written.
func TestWriteAfterAnUncertainOne(t *testing.T) {
	t.Parallel()
	in(t, func(t *testing.T, w world) {
		t.Helper()
		w.wire.lose(http.MethodPost, 3)
		if _, err := w.Write(t.Context(), entryOf(event("u1@convene"))); fault.As(err).Message != unreachable {
			t.Errorf("cut off: got %v, want %q", err, unreachable)
		}
		mustWrite(t, w, entryOf(event("u1@convene")))
		if got := w.server.Sent(); len(got) != 2 {
			t.Errorf("mails: %v, want one invitation each", got)
		}
	})
}
