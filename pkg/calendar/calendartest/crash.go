package calendartest

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
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
	_, o := open.class(t)
	for name, a := range crashing(o) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open.crashes(t, func(*testing.T, Served) agenda.Amendment { return a })
		})
		if a.Kind == agenda.Create {
			continue
		}
		t.Run(name+", undone", func(t *testing.T) {
			t.Parallel()
			open.crashes(t, func(t *testing.T, s Served) agenda.Amendment {
				t.Helper()
				return restore(a, s.applied(t, a))
			})
		})
	}
}

// class is a calendar with a series that has exceptions and a guest, and one of its occurrences.
func (open Server) class(t *testing.T) (Served, meet.Occurrence) {
	t.Helper()
	class := yoga()
	class.Guests = []meet.Attendee{{Name: "Al", Email: "al@example.com", Answer: meet.Accepted}}
	s := open(t, Owner(), class)
	events, err := s.Over(t, http.DefaultTransport).Events(t.Context(), Owner(), days(24, 24))
	if err != nil || len(events) != 1 {
		t.Fatalf("events: %+v, %v", events, err)
	}
	return s, events[0]
}

// crashes makes a change with a crash at each of its requests; prepare tells it, and may change more before.
func (open Server) crashes(t *testing.T, prepare func(t *testing.T, s Served) agenda.Amendment) {
	t.Helper()
	whole, _ := open.class(t)
	whole.applied(t, prepare(t, whole))
	want := whole.Dump(t)
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			s, _ := open.class(t)
			a := prepare(t, s)
			if !s.dies(t, a, n, after) {
				break
			}
			s.applied(t, a)
			if diff := gocmp.Diff(want, s.Dump(t)); diff != "" {
				t.Errorf("after a crash at request %d (carried out: %t) (-want +got):\n%s", n, after, diff)
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

// dies makes the change with a process that ends at its n-th request; false if it makes fewer.
func (s Served) dies(t *testing.T, a agenda.Amendment, n int, after bool) bool {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	wire := &dying{after: after, end: end}
	wire.left.Store(int64(n))
	_, err := s.Over(t, wire).Apply(ctx, Owner(), a)
	return err != nil
}

// dying is the connection of a process that ends at a request, before the server has it or after it has carried it out.
type dying struct {
	left  atomic.Int64
	after bool
	end   context.CancelFunc
}

func (d *dying) RoundTrip(req *http.Request) (*http.Response, error) {
	left := d.left.Add(-1)
	if left > 0 {
		return http.DefaultTransport.RoundTrip(req)
	}
	if left == 0 && d.after {
		if answer, err := http.DefaultTransport.RoundTrip(req.WithContext(context.WithoutCancel(req.Context()))); err == nil {
			_ = answer.Body.Close()
		}
	}
	d.end()
	return nil, errors.New("the connection broke")
}
