package booking_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/redisstore"
)

// dying are the sagas of a process that dies: nothing that it says of them after that is heard.
type dying struct {
	booking.Sagas
	dead *atomic.Bool
}

var errGone = errors.New("this process is gone")

func (s dying) Renew(ctx context.Context, c booking.Claim) error {
	if s.dead.Load() {
		return errGone
	}
	return s.Sagas.Renew(ctx, c)
}

func (s dying) Save(ctx context.Context, c booking.Claim, saga booking.Saga) error {
	if s.dead.Load() {
		return errGone
	}
	return s.Sagas.Save(ctx, c, saga)
}

func (s dying) Release(ctx context.Context, c booking.Claim, pause time.Duration) error {
	if s.dead.Load() {
		return errGone
	}
	return s.Sagas.Release(ctx, c, pause)
}

// tenantsCourier brings everything to one calendar, and says for whom.
type tenantsCourier struct {
	deliver func(ctx context.Context) error
}

func (tenantsCourier) Plan(_ context.Context, _ meet.Event, organizer meet.Person) ([]booking.Delivery, error) {
	return []booking.Delivery{{Provider: "google", Owner: organizer}}, nil
}

func (c tenantsCourier) Deliver(ctx context.Context, _ booking.Delivery, _ meet.Event) (string, error) {
	return "", c.deliver(ctx)
}
func (tenantsCourier) Invitations(context.Context, booking.Delivery, meet.Event) ([]booking.Invited, error) {
	return nil, nil
}
func (tenantsCourier) Withdraw(context.Context, booking.Delivery, meet.Event) error { return nil }
func (tenantsCourier) Forget(context.Context, []meet.PersonID) error                { return nil }

// allFree is calendars with nothing in them.
type allFree struct{}

func (allFree) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	readings := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		readings[p.ID] = meet.Schedule{Status: meet.CalendarStatus{State: meet.Checked}}
	}
	return readings, nil
}

// TestTenantsBookThemselves books the same people at the same time under the same ids for three tenants, on a process
// that dies each time before the event is in a calendar. Another one finishes all of them, each for its tenant.
func TestTenantsBookThemselves(t *testing.T) {
	t.Parallel()
	start := time.Now().Add(48 * time.Hour).Truncate(time.Second).UTC()
	store, err := redisstore.Open(t.Context(), redisstore.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	desk := func(sagas booking.Sagas, deliver func(ctx context.Context) error) *booking.Desk {
		return booking.New(booking.Config{
			Proposals: store.Proposals(), Calendars: allFree{}, Book: store.Events(), Holds: store.Holds(), Sagas: sagas,
			Courier: tenantsCourier{deliver}, HoldFor: 300 * time.Millisecond,
		})
	}
	event := meet.Event{
		ID: "p", UID: "p@convene", Status: meet.Proposed,
		Title: "Coffee", Timezone: "UTC", Start: start, End: start.Add(time.Hour),
		Participants: []meet.Participant{{ID: "me", Name: "Mia"}, {ID: "al", Name: "Al"}},
	}
	tenants := []meet.Tenant{"", "a", "b"}
	for _, tenant := range tenants {
		ctx := meet.InTenant(t.Context(), tenant)
		turn := meet.Turn{
			ID: "t", Conversation: "c", Organizer: meet.Person{ID: "me", Name: "Mia"},
			Participants: []meet.Person{{ID: "al", Name: "Al"}},
		}
		if err := store.Proposals().SaveProposal(ctx, event, nil, turn); err != nil {
			t.Fatal(err)
		}
		var dead atomic.Bool
		victim := desk(dying{store.Sagas(), &dead}, func(context.Context) error {
			dead.Store(true)
			return fault.New(fault.CalendarFailed, "It died.")
		})
		if _, err := victim.Confirm(ctx, event.ID, booking.Choice{}); err == nil {
			t.Fatal("a process that died has confirmed")
		}
	}
	served := map[meet.Tenant]int{}
	var mu sync.Mutex
	heir := desk(store.Sagas(), func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		served[meet.TenantOf(ctx)]++
		return nil
	})
	deadline, tick := time.After(20*time.Second), time.NewTicker(20*time.Millisecond)
	defer tick.Stop()
	for len(served) < len(tenants) {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("only %v are served", served)
		}
		if err := heir.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for _, tenant := range tenants {
		ctx := meet.InTenant(t.Context(), tenant)
		if confirmed, err := heir.Proposal(ctx, event.ID); err != nil || confirmed.Status != meet.Confirmed ||
			served[tenant] != 1 {
			t.Errorf("tenant %q: %s after %d deliveries, %v", tenant, confirmed.Status, served[tenant], err)
		}
		for _, person := range []meet.PersonID{"me", "al"} {
			booked, err := store.Events().Between(ctx, person, interval.Span{Start: start, End: start.Add(time.Hour)})
			if err != nil || len(booked) != 1 {
				t.Errorf("tenant %q: %s has %d events, %v", tenant, person, len(booked), err)
			}
		}
	}
}
