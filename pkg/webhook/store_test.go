package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// shelf keeps endpoints and deliveries in memory, as the store does.
type shelf struct {
	mu        sync.Mutex
	endpoints map[meet.Tenant][]Endpoint
	jobs      map[DeliveryID]*shelved
	// names are the deliveries in the order in which they came.
	names []DeliveryID
}

type shelved struct {
	job Job
	due time.Time
}

func newShelf() *shelf {
	return &shelf{endpoints: map[meet.Tenant][]Endpoint{}, jobs: map[DeliveryID]*shelved{}}
}

func (s *shelf) Endpoints(ctx context.Context) ([]Endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.endpoints[meet.TenantOf(ctx)]), nil
}

func (s *shelf) find(ctx context.Context, id EndpointID) (*Endpoint, error) {
	list := s.endpoints[meet.TenantOf(ctx)]
	if i := slices.IndexFunc(list, func(e Endpoint) bool { return e.ID == id }); i >= 0 {
		return &list[i], nil
	}
	return nil, fault.New(fault.NotFound, "no such endpoint")
}

func (s *shelf) Endpoint(ctx context.Context, id EndpointID) (Endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.find(ctx, id)
	if err != nil {
		return Endpoint{}, err
	}
	return *e, nil
}

func (s *shelf) AddEndpoint(ctx context.Context, e Endpoint, most int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := meet.TenantOf(ctx); len(s.endpoints[t]) < most {
		s.endpoints[t] = append(s.endpoints[t], e)
		return nil
	}
	return fault.New(fault.Conflict, "there are enough")
}

func (s *shelf) UpdateEndpoint(ctx context.Context, id EndpointID, change func(*Endpoint) error) (Endpoint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, err := s.find(ctx, id)
	if err != nil {
		return Endpoint{}, err
	}
	changed := *e
	if err := change(&changed); err != nil {
		return Endpoint{}, err
	}
	*e = changed
	return changed, nil
}

func (s *shelf) DeleteEndpoint(ctx context.Context, id EndpointID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := meet.TenantOf(ctx)
	s.endpoints[t] = slices.DeleteFunc(s.endpoints[t], func(e Endpoint) bool { return e.ID == id })
	return nil
}

func (s *shelf) AddDeliveries(ctx context.Context, parcels []Parcel, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range parcels {
		if s.jobs[p.Delivery.ID] != nil {
			continue
		}
		s.jobs[p.Delivery.ID] = &shelved{Job{Lane: Lane{meet.TenantOf(ctx), p.Delivery.Endpoint}, Parcel: p}, now}
		s.names = append(s.names, p.Delivery.ID)
	}
	return nil
}

func (s *shelf) Page(_ context.Context, f Filter, _ string, _ int) (page []Delivery, next string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.names {
		if d := s.jobs[id].job.Parcel.Delivery; f.Takes(d) {
			page = append(page, d)
		}
	}
	slices.Reverse(page)
	return page, "", nil
}

func (s *shelf) Delivery(_ context.Context, id DeliveryID) (Delivery, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept := s.jobs[id]; kept != nil {
		return kept.job.Parcel.Delivery, nil
	}
	return Delivery{}, fault.New(fault.NotFound, "no such delivery")
}

func (s *shelf) Reopen(_ context.Context, id DeliveryID, _ time.Time, change func(*Delivery)) (Delivery, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &s.jobs[id].job.Parcel.Delivery
	change(d)
	s.jobs[id].due = d.Next
	return *d, nil
}

func (s *shelf) Due(_ context.Context, now time.Time) ([]Lane, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lanes []Lane
	for _, kept := range s.jobs {
		if kept.isDue(now) && !slices.Contains(lanes, kept.job.Lane) {
			lanes = append(lanes, kept.job.Lane)
		}
	}
	return lanes, nil
}

func (k *shelved) isDue(now time.Time) bool {
	return k.job.Parcel.Delivery.State == Pending && !now.Before(k.due)
}

func (s *shelf) Claim(_ context.Context, l Lane, most int, now, until time.Time) ([]Job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var jobs []Job
	for _, id := range s.names {
		kept := s.jobs[id]
		if kept.job.Lane != l || !kept.isDue(now) || len(jobs) == most {
			continue
		}
		kept.due = until
		kept.job.Term++
		job := kept.job
		job.Parcel.Delivery.Attempts = slices.Clone(job.Parcel.Delivery.Attempts)
		jobs = append(jobs, job)
	}
	return jobs, nil
}

func (s *shelf) Settle(_ context.Context, j Job, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := s.jobs[j.Parcel.Delivery.ID]
	if kept.job.Term != j.Term {
		return fault.New(fault.Conflict, "claimed since")
	}
	kept.job.Parcel.Delivery, kept.due = j.Parcel.Delivery, j.Parcel.Delivery.Next
	return nil
}

// envelope seals what can be read, so that a test sees for what it was sealed.
type envelope struct {
	mu sync.Mutex
	// lost says that nothing can be opened any more.
	lost bool
}

func (*envelope) Seal(value []byte, purpose ...string) ([]byte, error) {
	return fmt.Appendf(nil, "%q:%s", purpose, value), nil
}

func (e *envelope) Open(sealed []byte, purpose ...string) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	value, ok := strings.CutPrefix(string(sealed), fmt.Sprintf("%q:", purpose))
	if !ok || e.lost {
		return nil, errors.New("sealed for something else")
	}
	return []byte(value), nil
}
