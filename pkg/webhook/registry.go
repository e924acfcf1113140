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
	// MostEndpoints is how many a tenant may have.
	MostEndpoints = 16
	// DefaultOverlap is for how long the old secret signs beside a new one.
	DefaultOverlap = 24 * time.Hour
	// LongestOverlap is the most that can be asked for.
	LongestOverlap = 7 * 24 * time.Hour

	// mostSecrets is how many sign at the same time, where they are renewed in a hurry.
	mostSecrets = 3
	// maxDescription is in characters.
	maxDescription = 200
)

// RegistryConfig is what a Registry works with. Endpoints and Sealer are required.
type RegistryConfig struct {
	Endpoints Endpoints
	Sealer    Sealer
	// Private lets endpoints be in private networks, and be called without encryption where they are on this machine.
	Private bool
	// Now defaults to time.Now.
	Now func() time.Time
}

// Registry is which endpoints are told of events. What it does is for the tenant of ctx.
type Registry struct{ cfg RegistryConfig }

// NewRegistry fills in the defaults of cfg.
func NewRegistry(cfg RegistryConfig) *Registry {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Registry{cfg}
}

// Change is what is to be different about an endpoint; nil leaves it as it is.
type Change struct {
	URL         *string
	Description *string
	// Types takes the place of those there are; empty means all.
	Types *[]Type
	// Enabled has messages sent again, or not any more. What happens while none are sent is not made up for.
	Enabled *bool
}

// apply changes the endpoint, or says what is wrong with the change.
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
				return fault.Invalid("types", "must be of event.confirmed, event.moved, event.cancelled and event.undelivered")
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

// Create adds an endpoint, and gives the key that signs what it is sent: nobody can ask for it later. A URL is
// required; where it is wrong, the error is the fault of its field.
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

// List is all endpoints, the oldest first.
func (r *Registry) List(ctx context.Context) ([]Endpoint, error) {
	return r.cfg.Endpoints.Endpoints(ctx)
}

// Endpoint is the one with that id.
func (r *Registry) Endpoint(ctx context.Context, id EndpointID) (Endpoint, error) {
	return r.cfg.Endpoints.Endpoint(ctx, id)
}

// Change changes an endpoint. What is on its way to it goes where it is then.
func (r *Registry) Change(ctx context.Context, id EndpointID, c Change) (Endpoint, error) {
	return r.cfg.Endpoints.UpdateEndpoint(ctx, id, func(e *Endpoint) error { return c.apply(e, r.cfg.Private) })
}

// Remove forgets an endpoint. What is on its way to it is given up when its turn comes.
func (r *Registry) Remove(ctx context.Context, id EndpointID) error {
	return r.cfg.Endpoints.DeleteEndpoint(ctx, id)
}

// Rotate gives the endpoint a new key. Until the overlap is over, the old one signs beside it.
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

// rotated is the secrets with a new one at their head. None signs longer than it was to.
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

// signing are the secrets that sign at a time.
func signing(all []Secret, now time.Time) []Secret {
	return slices.DeleteFunc(slices.Clone(all), func(s Secret) bool { return !s.Until.IsZero() && !now.Before(s.Until) })
}

// purpose is what an endpoint's secrets are sealed for.
func purpose(ctx context.Context, id EndpointID) []string {
	return []string{"webhook", string(meet.TenantOf(ctx)), string(id)}
}

// keys open the secrets that sign now. One that cannot be opened is left out, as long as there is another.
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
