package cached_test

import (
	"context"
	"errors"
	"sync"
	"time"

	"convene/pkg/calendar"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// event is what a vendor knows: more than may be kept.
type event struct {
	id, uid, title, place string
	span                  interval.Span
	at                    *geo.Point
}

// vendor is a calendar that takes its time.
type vendor struct {
	mu     sync.Mutex
	events []event
	takes  time.Duration
	fails  error
	// reach, where set, is all that it answers for.
	reach interval.Span
	// readings counts; spans and lasts are what was asked.
	readings int
	spans    []interval.Span
	lasts    []calendar.Snapshot
	// tenants counts the readings of each.
	tenants map[meet.Tenant]int
}

func (*vendor) Name() string { return "google" }

func (v *vendor) Times(
	ctx context.Context, person meet.Person, span interval.Span, except string,
) (calendar.Times, error) {
	snapshot, err := v.Sync(ctx, person, span, calendar.Snapshot{})
	return snapshot.Times(except), err
}

func (v *vendor) Sync(
	ctx context.Context, _ meet.Person, span interval.Span, last calendar.Snapshot,
) (calendar.Snapshot, error) {
	v.mu.Lock()
	v.readings++
	if v.tenants == nil {
		v.tenants = map[meet.Tenant]int{}
	}
	v.tenants[meet.TenantOf(ctx)]++
	v.spans, v.lasts = append(v.spans, span), append(v.lasts, last)
	snapshot := calendar.Snapshot{Span: span, Marks: map[string]string{"primary": "sync-token"}}
	for _, e := range v.events {
		snapshot.Blocks = append(snapshot.Blocks, calendar.Block{
			Calendar: "primary", ID: e.id, UID: e.uid, Span: e.span, At: e.at,
		})
	}
	if !v.reach.Empty() {
		snapshot.Span = v.reach
	}
	takes, fails := v.takes, v.fails
	v.mu.Unlock()
	select {
	case <-time.After(takes):
	case <-ctx.Done():
		return calendar.Snapshot{}, ctx.Err()
	}
	if fails != nil {
		return calendar.Snapshot{}, fails
	}
	return snapshot, nil
}

func (v *vendor) set(change func(*vendor)) { v.mu.Lock(); defer v.mu.Unlock(); change(v) }

func (v *vendor) read() int { v.mu.Lock(); defer v.mu.Unlock(); return v.readings }

// memory is a store in this process.
type memory struct {
	mu       sync.Mutex
	values   map[string][]byte
	revision int64
	claimed  time.Time
	down     bool
}

var errDown = errors.New("the store is away")

func (m *memory) Load(_ context.Context, p meet.PersonID, window interval.Span) ([]byte, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return nil, 0, errDown
	}
	return m.values[string(p)+window.Start.String()+window.End.String()], m.revision, nil
}

func (m *memory) Save(_ context.Context, p meet.PersonID, window interval.Span, raw []byte, revision int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return errDown
	}
	if revision == m.revision {
		m.values[string(p)+window.Start.String()+window.End.String()] = raw
	}
	return nil
}

func (m *memory) Forget(context.Context, meet.PersonID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return errDown
	}
	m.revision++
	clear(m.values)
	return nil
}

func (m *memory) Claim(_ context.Context, _ meet.PersonID, ttl time.Duration) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down || time.Now().Before(m.claimed) {
		return false, nil
	}
	m.claimed = time.Now().Add(ttl)
	return true, nil
}
