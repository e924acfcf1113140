package calendartest

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/testenv"
)

// Served is a calendar that a server keeps.
type Served struct {
	// Over makes the adapter anew, as another process has it, with its connections made by base.
	Over func(t *testing.T, base http.RoundTripper) calendar.Amender
	// Dump is everything that is kept, and all that guests were told, without versions.
	Dump func(t *testing.T) string
}

// Server makes a calendar of the owner's with these events, which have the same ids each time.
type Server func(t *testing.T, owner meet.Person, events ...Event) Served

// TestCrashes runs each change, and each undo, with a process that dies at its first request, its second, and so on,
// before the server has it or after it has carried it out. The next process makes the change whole; no guest hears of
// it twice.
func TestCrashes(t *testing.T, open Server) {
	t.Helper()
	class, single, invitation := yoga(), budget(), review()
	class.Guests = []meet.Attendee{{Name: "Al", Email: "al@example.com", Answer: meet.Accepted}}
	for name, a := range crashing(open.with(t, class).only(t)) {
		t.Run(name, func(t *testing.T) { open.crash(t, class, a) })
	}
	o := open.with(t, single).only(t)
	for name, a := range map[string]agenda.Amendment{
		"update one": update(o, "", agenda.Fields{Title: to("Costs"), Invite: []meet.Attendee{{Email: "cy@example.com"}}}),
		"delete one": remove(o, ""),
	} {
		t.Run(name, func(t *testing.T) { open.crash(t, single, a) })
	}
	o = open.with(t, invitation).only(t)
	for _, answer := range []meet.Answer{meet.Accepted, meet.Declined} {
		t.Run(string(answer), func(t *testing.T) {
			open.crash(t, invitation, agenda.Amendment{Key: "answer-1", Kind: agenda.Respond, Event: o, Answer: answer})
		})
	}
}

// crash runs a change of the calendar with that event, and its undo if it has one.
func (open Server) crash(t *testing.T, event Event, a agenda.Amendment) {
	t.Helper()
	t.Parallel()
	open.crashes(t, event, func(*testing.T, Served) agenda.Amendment { return a })
	if a.Kind == agenda.Create || len(open.with(t, event).applied(t, a).Former) == 0 {
		return
	}
	t.Run("undone", func(t *testing.T) {
		t.Parallel()
		open.crashes(t, event, func(t *testing.T, s Served) agenda.Amendment {
			t.Helper()
			return restore(a, s.applied(t, a))
		})
	})
}

func (open Server) with(t *testing.T, event Event) Served {
	t.Helper()
	return open(t, Owner(), event)
}

// only is the event of the calendar; of a series the occurrence that the changes name.
func (s Served) only(t *testing.T) meet.Occurrence {
	t.Helper()
	events, err := s.Over(t, http.DefaultTransport).Events(t.Context(), Owner(), days(2, 24))
	if err != nil || len(events) == 0 {
		t.Fatalf("events: %+v, %v", events, err)
	}
	return slices.MaxFunc(events, func(a, b meet.Occurrence) int { return a.Span.Start.Compare(b.Span.Start) })
}

// crashes makes a change with a crash at each of its requests; prepare tells it, and may change more before.
func (open Server) crashes(t *testing.T, event Event, prepare func(t *testing.T, s Served) agenda.Amendment) {
	t.Helper()
	whole := open.with(t, event)
	whole.applied(t, prepare(t, whole))
	want := whole.Dump(t)
	accidents := []accident{diesBefore, diesAfter, losesAnswer}
	if a := prepare(t, open.with(t, event)); a.Kind == agenda.Restore && !testenv.Soak() {
		accidents = accidents[:2] // a client waits before it repeats a request whose answer is lost
	}
	for _, how := range accidents {
		for n := 1; ; n++ {
			s := open.with(t, event)
			a := prepare(t, s)
			if !s.suffers(t, a, n, how) {
				break
			}
			s.applied(t, a)
			if diff := gocmp.Diff(want, s.Dump(t)); diff != "" {
				t.Errorf("after %s %d (-want +got):\n%s", how, n, diff)
			}
		}
	}
}

// crashing are changes of an occurrence, and a new event.
func crashing(o meet.Occurrence) map[string]agenda.Amendment {
	fields := agenda.Fields{
		Title: to("Pilates"), Span: to(interval.From(o.Span.Start.Add(2*time.Hour), 90*time.Minute)),
		Invite: []meet.Attendee{{Name: "Bo", Email: "bo@example.com"}},
	}
	all := map[string]agenda.Amendment{"create": {Key: "create-1", Kind: agenda.Create, Event: meet.Occurrence{
		Title: "Lunch", Span: hours(3, 12, 13), Attendees: fields.Invite,
	}}}
	for _, scope := range []meet.Scope{meet.ThisOne, meet.Following, meet.AllOfThem} {
		all["update "+string(scope)], all["delete "+string(scope)] = update(o, scope, fields), remove(o, scope)
	}
	return all
}

func (s Served) applied(t *testing.T, a agenda.Amendment) agenda.Amended {
	t.Helper()
	done, err := s.Over(t, http.DefaultTransport).Apply(t.Context(), Owner(), a)
	if err != nil {
		t.Fatalf("Apply %s: %v", a.Kind, err)
	}
	return done
}

// accident is what happens at a request.
type accident string

const (
	diesBefore  accident = "a crash before request"
	diesAfter   accident = "a crash after request"
	losesAnswer accident = "losing the answer to request"
)

// suffers makes the change with an accident at its n-th request; false if it makes fewer.
func (s Served) suffers(t *testing.T, a agenda.Amendment, n int, how accident) bool {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	wire := &wire{how: how, end: end}
	wire.left.Store(int64(n))
	_, err := s.Over(t, wire).Apply(ctx, Owner(), a)
	if how == losesAnswer && err != nil && !fault.As(err).Retryable {
		t.Errorf("losing the answer to request %d is final: %v", n, err)
	}
	return wire.left.Load() <= 0
}

// wire is a connection with an accident at one request. A process that dies makes no more of them.
type wire struct {
	left atomic.Int64
	how  accident
	end  context.CancelFunc
}

func (w *wire) RoundTrip(req *http.Request) (*http.Response, error) {
	left := w.left.Add(-1)
	if left > 0 || left < 0 && w.how == losesAnswer {
		return http.DefaultTransport.RoundTrip(req)
	}
	if left == 0 && w.how != diesBefore {
		if answer, err := http.DefaultTransport.RoundTrip(req.WithContext(context.WithoutCancel(req.Context()))); err == nil {
			_ = answer.Body.Close()
		}
	}
	if w.how != losesAnswer {
		w.end()
	}
	return nil, errors.New("the connection broke")
}
