package courier_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/booking"
	"convene/pkg/booking/courier"
	"convene/pkg/calendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"

	"github.com/google/go-cmp/cmp"
)

// provider keeps entries and does as it is told.
type provider struct {
	name    string
	entries map[meet.PersonID]calendar.Entry
	fail    error
	hangs   bool
}

func (p *provider) Name() string { return p.name }
func (p *provider) Times(context.Context, meet.Person, interval.Span, string) (calendar.Times, error) {
	return calendar.Times{}, calendar.ErrNoCalendar
}

func (p *provider) Write(ctx context.Context, e calendar.Entry) (calendar.Written, error) {
	if p.hangs {
		<-ctx.Done()
		return calendar.Written{}, ctx.Err()
	}
	if p.fail != nil {
		return calendar.Written{}, p.fail
	}
	p.entries[e.Owner.ID] = e
	return calendar.Written{JoinURL: map[bool]string{true: "https://meet.example/" + p.name}[e.Online]}, nil
}

func (p *provider) Remove(_ context.Context, e calendar.Entry) error {
	delete(p.entries, e.Owner.ID)
	return p.fail
}

// silent is a provider that may not invite.
type silent struct {
	*provider
	invites bool
	err     error
}

func (s silent) Invites(context.Context, meet.Person) (bool, error) { return s.invites, s.err }

// feed is a provider that cannot write.
type feed struct{ calendar.Provider }

// accounts are what people have connected.
type accounts map[meet.PersonID][]account.Account

func (a accounts) List(_ context.Context, p meet.PersonID) ([]account.Account, error) {
	if p == "broken" {
		return nil, errors.New("no store")
	}
	return a[p], nil
}

func connected(provider account.Provider) account.Account {
	return account.Account{
		Provider: provider, Access: account.Write, Calendars: []account.Calendar{{ID: "a"}, {ID: "b", Target: true}},
	}
}

// world is two providers that invite, one that may, and one that is only read, in this order.
type world struct {
	google, microsoft *provider
	caldav            silent
	accounts          accounts
	courier           *courier.Courier
}

func newWorld() *world {
	w := &world{accounts: accounts{}}
	build := func(name string) *provider { return &provider{name: name, entries: map[meet.PersonID]calendar.Entry{}} }
	w.google, w.microsoft = build("google"), build("microsoft")
	w.caldav = silent{provider: build("caldav")}
	return w.open()
}

func (w *world) open() *world {
	w.courier = courier.New(courier.Config{
		Accounts: w.accounts, Deadline: 50 * time.Millisecond,
		Directory: &calendar.Directory{
			Sources: []calendar.Provider{feed{&provider{name: "ics"}}, w.google, w.microsoft, w.caldav},
		},
	})
	return w
}

var mia = meet.Person{ID: "me", Name: "Mia", Email: "mia@example.com"}

func coffee() meet.Event {
	start := time.Date(2026, 3, 10, 14, 0, 0, 0, time.UTC)
	return meet.Event{
		ID: "p1", UID: "p1@convene", Title: "Coffee", EventType: meet.InPerson, Start: start, End: start.Add(time.Hour),
		Participants: []meet.Participant{
			{ID: "me", Name: "Mia", Email: "mia@example.com"}, {ID: "al", Name: "Al", Email: "al@example.com"},
			{ID: "bo", Name: "Bo"}, {Name: "Zoe", Email: "zoe@example.com"}, {Name: "Sam"},
		},
	}
}

// lines are deliveries as "provider owner → guests", with what is special about them.
func lines(plan []booking.Delivery) []string {
	list := []string{}
	for _, d := range plan {
		line := d.Provider + " " + string(d.Owner.ID)
		for _, g := range d.Guests {
			line += " →" + g.Name
		}
		if d.Online {
			line += " online"
		}
		if d.Optional {
			line += " optional"
		}
		list = append(list, line)
	}
	return list
}

// tracking is a provider that says what became of invitations.
type tracking struct {
	silent
	said map[string]meet.Invitation
	err  error
}

func (t tracking) Invitations(context.Context, calendar.Entry) (map[string]meet.Invitation, error) {
	return t.said, t.err
}

// Guests whose invitation failed get a copy where they have connected a calendar; of the others it is only told.
func TestInvitations(t *testing.T) {
	t.Parallel()
	said := map[string]meet.Invitation{
		"al@example.com": meet.InvitationFailed, "zoe@example.com": meet.InvitationFailed,
		"bo@example.com": meet.InvitationDelivered,
	}
	w := newWorld()
	w.accounts["al"] = []account.Account{connected(account.Google)}
	w.accounts["bo"] = []account.Account{connected(account.Google)}
	for name, tt := range map[string]struct {
		of      booking.Delivery
		tracker calendar.Provider
		want    []string
		fails   bool
	}{
		"told": {booking.Delivery{Provider: "caldav"}, tracking{silent: w.caldav, said: said}, []string{
			"Al@example.com failed google al optional", "bo@example.com delivered", "cy@example.com ", "zoe@example.com failed",
		}, false},
		"nothing is ever told": {booking.Delivery{Provider: "google"}, tracking{silent: w.caldav, said: said}, nil, false},
		"it cannot be asked": {booking.Delivery{Provider: "caldav"}, tracking{
			silent: w.caldav, err: errors.New("503"),
		}, nil, true},
		"a provider that is gone": {booking.Delivery{Provider: "fax"}, tracking{silent: w.caldav, said: said}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := courier.New(courier.Config{
				Accounts: w.accounts, Directory: &calendar.Directory{Sources: []calendar.Provider{w.google, tt.tracker}},
			})
			tt.of.Owner = mia
			tt.of.Guests = []meet.Participant{
				{ID: "al", Name: "Al", Email: "Al@example.com"}, {ID: "bo", Name: "Bo", Email: "bo@example.com"},
				{ID: "cy", Name: "Cy", Email: "cy@example.com"}, {Name: "Zoe", Email: "zoe@example.com"},
			}
			all, err := c.Invitations(t.Context(), tt.of, coffee())
			var got []string
			for _, one := range all {
				line := one.Email + " " + string(one.Invitation)
				if one.Copy != nil {
					line += " " + lines([]booking.Delivery{*one.Copy})[0]
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || (err != nil) != tt.fails {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestPlan(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		setup func(*world)
		event func(*meet.Event)
		want  []string
	}{
		{"nobody has connected anything", func(*world) {}, nil, []string{}},
		{
			"the organizer's provider invites everybody with an address, who get no second copy",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.Google)}
				w.accounts["al"] = []account.Account{connected(account.Microsoft)}
			},
			nil, []string{"google me →Al →Zoe"},
		},
		{
			"a guest without an address gets a copy",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.Google)}
				w.accounts["bo"] = []account.Account{connected(account.CalDAV)}
			},
			nil, []string{"google me →Al →Zoe", "caldav bo"},
		},
		{
			"a server that sends no invitations has copies instead",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.CalDAV)}
				w.accounts["al"] = []account.Account{connected(account.Google)}
			},
			nil, []string{"caldav me", "google al"},
		},
		{
			"a server that sends invitations is like any other",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.CalDAV)}
				w.accounts["al"] = []account.Account{connected(account.Google)}
				w.caldav.invites = true
			},
			nil, []string{"caldav me →Al →Zoe"},
		},
		{
			"an organizer without a calendar",
			func(w *world) { w.accounts["al"] = []account.Account{connected(account.Microsoft)} },
			nil, []string{"microsoft al"},
		},
		{
			"the preferred provider that can be written to",
			func(w *world) {
				readOnly, broken, untargeted := connected(account.ICS), connected(account.Google), connected(account.Google)
				broken.Problem = "reconnect the Google calendar"
				untargeted.Calendars = []account.Calendar{{ID: "a"}}
				w.accounts["me"] = []account.Account{
					readOnly, broken, untargeted, connected(account.CalDAV), connected(account.Microsoft),
				}
				w.accounts["bo"] = []account.Account{{Provider: account.Google, Access: account.Read}}
			},
			nil, []string{"microsoft me →Al →Zoe"},
		},
		{
			"a meeting online asks the organizer's provider for an address",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.Google)}
				w.accounts["bo"] = []account.Account{connected(account.Google)}
			},
			func(e *meet.Event) { e.EventType = meet.Video }, []string{"google me →Al →Zoe online", "google bo"},
		},
		{
			"a calendar that could not be read before may be passed over, and an invitation may not",
			func(w *world) {
				w.accounts["me"] = []account.Account{connected(account.Google)}
				w.accounts["bo"] = []account.Account{connected(account.Google)}
			},
			func(e *meet.Event) { e.Unknown = []string{"Mia", "Bo"} }, []string{"google me →Al →Zoe", "google bo optional"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			tt.setup(w)
			e := coffee()
			if tt.event != nil {
				tt.event(&e)
			}
			plan, err := w.open().courier.Plan(t.Context(), e, mia)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, lines(plan)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// Where it cannot be told who is reached how, nothing is planned.
func TestPlanFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		setup     func(*world)
		organizer meet.Person
	}{
		"accounts cannot be read": {func(*world) {}, meet.Person{ID: "broken", Name: "Mia"}},
		"the server cannot be asked": {func(w *world) {
			w.accounts["me"] = []account.Account{connected(account.CalDAV)}
			w.caldav.err = errors.New("no answer")
		}, mia},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			tt.setup(w)
			if plan, err := w.open().courier.Plan(t.Context(), coffee(), tt.organizer); err == nil {
				t.Errorf("plan = %v, want an error", lines(plan))
			}
		})
	}
}

func TestDeliverAndWithdraw(t *testing.T) {
	t.Parallel()
	w := newWorld()
	to := booking.Delivery{Provider: "google", Owner: mia, Guests: coffee().Participants[1:2], Online: true}
	url, err := w.courier.Deliver(t.Context(), to, coffee())
	if err != nil || url != "https://meet.example/google" {
		t.Fatalf("deliver = %q, %v", url, err)
	}
	want := calendar.Entry{Owner: mia, Event: coffee(), Guests: to.Guests, Online: true}
	if diff := cmp.Diff(want, w.google.entries["me"]); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	if err := w.courier.Withdraw(t.Context(), to, coffee()); err != nil || len(w.google.entries) > 0 {
		t.Errorf("withdraw = %v, leaving %d", err, len(w.google.entries))
	}
}

// A calendar that is not connected any more can neither be written to nor be tidied; anything else that fails is told.
func TestDeliverAndWithdrawFail(t *testing.T) {
	t.Parallel()
	gone := fault.New(fault.CalendarFailed, "no Google calendar is connected").Because(calendar.ErrNoCalendar)
	refused := fault.New(fault.CalendarFailed, "reconnect the Google calendar")
	tests := []struct {
		name, provider       string
		fail                 error
		delivered, withdrawn string
	}{
		{"not connected any more", "google", gone, "no Google calendar", ""},
		{"refused", "google", refused, "reconnect", "reconnect"},
		{"not offered any more", "fax", nil, "connect another", ""},
		{"only read", "ics", nil, "connect another", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.google.fail = tt.fail
			at := booking.Delivery{Provider: tt.provider, Owner: mia}
			_, err := w.courier.Deliver(t.Context(), at, coffee())
			if err == nil || fault.CodeOf(err) != fault.CalendarFailed ||
				!strings.Contains(fault.As(err).Message, tt.delivered) {
				t.Errorf("deliver = %v, want to be told %q", err, tt.delivered)
			}
			err = w.courier.Withdraw(t.Context(), at, coffee())
			if (err == nil) != (tt.withdrawn == "") || err != nil && !strings.Contains(fault.As(err).Message, tt.withdrawn) {
				t.Errorf("withdraw = %v, want %q", err, tt.withdrawn)
			}
		})
	}
}

func TestADeliveryHasADeadline(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.google.hangs = true
	if _, err := w.courier.Deliver(t.Context(), booking.Delivery{Provider: "google", Owner: mia},
		coffee()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("deliver = %v, want that it took too long", err)
	}
}

// An organizer who has connected a calendar thinks that events get there and guests are invited. Where that cannot be,
// nothing is booked, and it is said what to do.
func TestAnOrganizersCalendarThatCannotBeWrittenTo(t *testing.T) {
	t.Parallel()
	readOnly, broken, chosen := connected(account.Google), connected(account.Microsoft), connected(account.Google)
	readOnly.Access, broken.Problem, chosen.Calendars = account.Read,
		"reconnect the Microsoft calendar", []account.Calendar{{ID: "a"}}
	for name, tt := range map[string]struct {
		account account.Account
		want    string
	}{
		"may only be read":         {readOnly, "/v1/people/me/calendars/google/connect?access=write"},
		"has to be reconnected":    {broken, "reconnect the Microsoft calendar"},
		"is not wanted":            {chosen, ""},
		"is a feed, never written": {connected(account.ICS), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.accounts["me"] = []account.Account{tt.account}
			_, err := w.open().courier.Plan(t.Context(), coffee(), mia)
			if tt.want == "" {
				if err != nil {
					t.Errorf("error = %v, want none", err)
				}
				return
			}
			f := fault.As(err)
			if f.Code != fault.CalendarFailed || f.Retryable || !strings.Contains(f.Message, tt.want) {
				t.Errorf("fault = %+v, want a final one with %q", f, tt.want)
			}
		})
	}
}
