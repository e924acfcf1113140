// Package changetest has the records of change sets in memory, for tests that use a real desk.
package changetest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"convene/pkg/change"
	"convene/pkg/claim"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Records keeps the records of change sets in memory, as they are stored.
type Records struct {
	// Raw are the records in JSON, by tenant and id: "tenant/id". No desk may be at work while a test reads or changes it.
	Raw map[string]string

	mu     sync.Mutex
	claims map[string]taken
	terms  int64
}

type taken struct {
	token string
	until time.Time
}

// NewRecords returns empty records.
func NewRecords() *Records { return &Records{Raw: map[string]string{}, claims: map[string]taken{}} }

// A record's keys are its tenant's.
func keyOf(ctx context.Context, id string) string { return string(meet.TenantOf(ctx)) + "/" + id }

// Claim takes the record of a set.
func (r *Records) Claim(ctx context.Context, c claim.Claim) (rec change.Record, term int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if held := r.claims[keyOf(ctx, c.ID)]; held.token != c.Token && time.Now().Before(held.until) {
		return rec, 0, fault.New(fault.Conflict, "claimed")
	}
	r.claims[keyOf(ctx, c.ID)] = taken{c.Token, time.Now().Add(c.For)}
	r.terms++
	if raw, there := r.Raw[keyOf(ctx, c.ID)]; there {
		err = json.Unmarshal([]byte(raw), &rec)
	}
	return rec, r.terms, err
}

func (r *Records) mine(ctx context.Context, c claim.Claim) error {
	if held := r.claims[keyOf(ctx, c.ID)]; held.token != c.Token || !time.Now().Before(held.until) {
		return fault.New(fault.Conflict, "claimed by another")
	}
	return nil
}

// Renew restarts the time of a claim.
func (r *Records) Renew(ctx context.Context, c claim.Claim) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.mine(ctx, c); err != nil {
		return err
	}
	r.claims[keyOf(ctx, c.ID)] = taken{c.Token, time.Now().Add(c.For)}
	return nil
}

// Release ends a claim.
func (r *Records) Release(ctx context.Context, c claim.Claim, _ time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.mine(ctx, c); err != nil {
		return err
	}
	delete(r.claims, keyOf(ctx, c.ID))
	return nil
}

// Load reads a record.
func (r *Records) Load(ctx context.Context, id meet.ChangesID) (rec change.Record, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	raw, there := r.Raw[keyOf(ctx, string(id))]
	if !there {
		return rec, fault.New(fault.NotFound, "no such changes")
	}
	return rec, json.Unmarshal([]byte(raw), &rec)
}

// Save keeps a record.
func (r *Records) Save(ctx context.Context, c claim.Claim, rec change.Record) error {
	raw, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.mine(ctx, c); err != nil {
		return err
	}
	r.Raw[keyOf(ctx, c.ID)] = string(raw)
	return nil
}

// Due are the open records that no process has claimed.
func (r *Records) Due(context.Context) (due []claim.Due, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for key, raw := range r.Raw {
		var rec change.Record
		if err := json.Unmarshal([]byte(raw), &rec); err != nil {
			return nil, err
		}
		if rec.Open() && !time.Now().Before(r.claims[key].until) {
			tenant, id, _ := strings.Cut(key, "/")
			due = append(due, claim.Due{Tenant: meet.Tenant(tenant), ID: id})
		}
	}
	return due, nil
}
