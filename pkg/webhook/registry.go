package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

const (
	// MostEndpoints bounds the endpoints of a tenant.
	MostEndpoints = 16
	// DefaultOverlap is how long the old secret signs beside a new one.
	DefaultOverlap = 24 * time.Hour
	// LongestOverlap is the longest overlap.
	LongestOverlap = 7 * 24 * time.Hour

	// mostSecrets bounds the secrets that sign at the same time.
	mostSecrets = 3
	// maxDescription bounds a description, in characters.
	maxDescription = 200
)

// RegistryConfig configures a Registry. Endpoints and Sealer are required.
type RegistryConfig struct {
	Endpoints Endpoints
	Sealer    Sealer
	// Private allows endpoints in private networks, and plain http to this machine.
	Private bool
	// Now defaults to time.Now.
	Now func() time.Time
}

// Registry keeps the endpoints of the tenant of ctx.
type Registry struct{ cfg RegistryConfig }

// NewRegistry fills in the defaults of cfg.
func NewRegistry(cfg RegistryConfig) *Registry {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Registry{cfg}
}

// Change is a change of an endpoint; nil fields stay as they are.
type Change struct {
	URL         *string
	Description *string
	// Types replaces the types; empty means all.
	Types *[]Type
	// Enabled resumes or stops messages. Those of events while it is disabled are not sent later.
	Enabled *bool
}

// apply changes the endpoint, or returns what is wrong with the change.
func (c Change) apply(e *Endpoint, private bool) error {
	if c.URL != nil {
		checked, err := checkURL(*c.URL, private)
		if err != nil {
			return err
		}
		e.URL = checked
	}
	if c.Description != nil {
		e.Description = strings.TrimSpace(*c.Description)
		if utf8.RuneCountInString(e.Description) > maxDescription {
			return fault.Invalid("description", "is too long: at most %d characters", maxDescription)
		}
	}
	if c.Types != nil {
		e.Types = slices.Compact(slices.Sorted(slices.Values(*c.Types)))
		for _, t := range e.Types {
			if !slices.Contains(Types(), t) {
				return fault.Invalid("types", "must be of %s", strings.Join(names(), ", "))
			}
		}
	}
	switch {
	case c.Enabled == nil:
	case *c.Enabled:
		e.Disabled, e.Failing = "", time.Time{}
	default:
		e.Disabled = cmp.Or(e.Disabled, Requested)
	}
	return nil
}

// Create adds an endpoint, and returns the key that signs its messages, which cannot be read later. A URL is required;
// if it is wrong, the error is the fault of its field.
func (r *Registry) Create(ctx context.Context, c Change) (Endpoint, Key, error) {
	e := Endpoint{ID: EndpointID("ep_" + rand.Text()), Created: r.cfg.Now().UTC().Truncate(time.Millisecond)}
	if c.URL == nil {
		c.URL = new(string)
	}
	if err := c.apply(&e, r.cfg.Private); err != nil {
		return Endpoint{}, Key{}, err
	}
	key := newKey()
	sealed, err := r.cfg.Sealer.Seal(key.bytes, purpose(ctx, e.ID)...)
	if err != nil {
		return Endpoint{}, Key{}, err
	}
	e.Secrets = []Secret{{Sealed: sealed}}
	return e, key, r.cfg.Endpoints.AddEndpoint(ctx, e, MostEndpoints)
}

// List returns all endpoints, oldest first.
func (r *Registry) List(ctx context.Context) ([]Endpoint, error) {
	return r.cfg.Endpoints.Endpoints(ctx)
}

// Endpoint returns the endpoint with that id.
func (r *Registry) Endpoint(ctx context.Context, id EndpointID) (Endpoint, error) {
	return r.cfg.Endpoints.Endpoint(ctx, id)
}

// Change changes an endpoint. Pending deliveries go to its new URL.
func (r *Registry) Change(ctx context.Context, id EndpointID, c Change) (Endpoint, error) {
	return r.cfg.Endpoints.UpdateEndpoint(ctx, id, func(e *Endpoint) error { return c.apply(e, r.cfg.Private) })
}

// Remove deletes an endpoint. Pending deliveries to it fail at their next attempt.
func (r *Registry) Remove(ctx context.Context, id EndpointID) error {
	return r.cfg.Endpoints.DeleteEndpoint(ctx, id)
}

// Rotate gives the endpoint a new key. During the overlap, the old one signs too.
func (r *Registry) Rotate(ctx context.Context, id EndpointID, overlap time.Duration) (Endpoint, Key, error) {
	if overlap < 0 || overlap > LongestOverlap {
		return Endpoint{}, Key{}, fault.Invalid("overlapHours", "must be between 0 and %d", int(LongestOverlap.Hours()))
	}
	key := newKey()
	sealed, err := r.cfg.Sealer.Seal(key.bytes, purpose(ctx, id)...)
	if err != nil {
		return Endpoint{}, Key{}, err
	}
	e, err := r.cfg.Endpoints.UpdateEndpoint(ctx, id, func(e *Endpoint) error {
		e.Secrets = rotated(e.Secrets, sealed, r.cfg.Now().UTC().Truncate(time.Millisecond), overlap)
		return nil
	})
	return e, key, err
}

// rotated returns the secrets with a new one first. An old one signs for the overlap, but no longer than before.
func rotated(old []Secret, sealed []byte, now time.Time, overlap time.Duration) []Secret {
	list := []Secret{{Sealed: sealed}}
	for _, s := range signing(old, now) {
		if end := now.Add(overlap); s.Until.IsZero() || end.Before(s.Until) {
			s.Until = end
		}
		list = append(list, s)
	}
	return signing(list[:min(len(list), mostSecrets)], now)
}

// signing returns the secrets that sign at a time.
func signing(all []Secret, now time.Time) []Secret {
	return slices.DeleteFunc(slices.Clone(all), func(s Secret) bool { return !s.Until.IsZero() && !now.Before(s.Until) })
}

// purpose is the purpose for which an endpoint's secrets are sealed.
func purpose(ctx context.Context, id EndpointID) []string {
	return []string{"webhook", string(meet.TenantOf(ctx)), string(id)}
}

// keys opens the secrets that sign now. It leaves out those that cannot be opened, and fails if that leaves none.
func keys(ctx context.Context, s Sealer, e Endpoint, now time.Time) (list []Key, err error) {
	for _, secret := range signing(e.Secrets, now) {
		value, cannot := s.Open(secret.Sealed, purpose(ctx, e.ID)...)
		if cannot != nil {
			err = cannot
			continue
		}
		list = append(list, Key{value})
	}
	if len(list) > 0 {
		err = nil
	}
	return list, err
}

func names() (all []string) {
	for _, t := range Types() {
		all = append(all, string(t))
	}
	return all
}
