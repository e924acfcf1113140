// Package authtest keeps keys in memory, for tests.
package authtest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"convene/pkg/auth"
	"convene/pkg/meet"
)

// Ring keeps keys in memory. The zero value is empty and ready for use.
type Ring struct {
	mu      sync.Mutex
	keys    []auth.Key
	signers []auth.Signer
	fail    error
	reads   int
}

// NewKey adds a key to the ring.
func (r *Ring) NewKey(tenant meet.Tenant) (auth.KeyID, string) {
	return r.NewLimitedKey(tenant, auth.Allowance{})
}

// NewLimitedKey adds a key that may do no more than that.
func (r *Ring) NewLimitedKey(tenant meet.Tenant, to auth.Allowance) (auth.KeyID, string) {
	key, secret := auth.NewKey(tenant, "", time.Now())
	key.Allowance = to
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, key)
	return key.ID, secret
}

// Revoke revokes a key.
func (r *Ring) Revoke(id auth.KeyID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.keys, func(k auth.Key) bool { return k.ID == id })
	r.keys[i].Revoked = time.Now()
}

// Lose forgets all keys, as a Redis without persistence does when it restarts.
func (r *Ring) Lose() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys, r.signers = nil, nil
}

// Fail makes all later calls fail with err; nil ends that.
func (r *Ring) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fail = err
}

// Reads returns how often the ring was read.
func (r *Ring) Reads() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

// Signers returns the signing keys, in the order in which they were added.
func (r *Ring) Signers() []auth.Signer {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.signers)
}

// Keys implements auth.Ring.
func (r *Ring) Keys(context.Context) ([]auth.Key, []auth.Signer, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	return slices.Clone(r.keys), slices.Clone(r.signers), r.fail
}

// NoteUse implements auth.Ring.
func (r *Ring) NoteUse(_ context.Context, id auth.KeyID, at time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.IndexFunc(r.keys, func(k auth.Key) bool { return k.ID == id })
	r.keys[i].LastUsed = at
	return r.fail
}

// AddSigner implements auth.Ring.
func (r *Ring) AddSigner(_ context.Context, s auth.Signer, forget []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fail != nil {
		return r.fail
	}
	r.signers = slices.DeleteFunc(r.signers, func(s auth.Signer) bool { return slices.Contains(forget, s.ID) })
	r.signers = append(r.signers, s)
	return nil
}

// Mint makes a token with the key, or fails the test.
func Mint(tb testing.TB, door *auth.Door, key string, g auth.Grant) string {
	tb.Helper()
	caller, err := door.Caller(tb.Context(), key)
	if err != nil {
		tb.Fatal(err)
	}
	token, _, err := door.Mint(tb.Context(), caller, g, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return token
}
