package webhook

import (
	"context"
	"time"
)

// The ports. They act for the tenant of ctx; an unknown id is fault.NotFound.
type (
	// Endpoints stores endpoints.
	Endpoints interface {
		// Endpoints returns all of them, oldest first.
		Endpoints(ctx context.Context) ([]Endpoint, error)
		Endpoint(ctx context.Context, id EndpointID) (Endpoint, error)
		// AddEndpoint returns fault.Conflict if there are most of them already.
		AddEndpoint(ctx context.Context, e Endpoint, most int) error
		// UpdateEndpoint changes one atomically: change gets the latest version, and is called again if another one was
		// stored meanwhile. Its error is returned, and nothing is stored.
		UpdateEndpoint(ctx context.Context, id EndpointID, change func(*Endpoint) error) (Endpoint, error)
		DeleteEndpoint(ctx context.Context, id EndpointID) error
	}
	// Deliveries stores deliveries: ended ones for Kept, and only the newest few thousand of a tenant.
	Deliveries interface {
		// AddDeliveries stores all of them or none. Existing ones stay as they are.
		AddDeliveries(ctx context.Context, parcels []Parcel, now time.Time) error
		// Page returns deliveries that the filter takes, newest first, after the cursor after, or from the newest. A page may
		// have fewer than most, even none; next is empty on the last page.
		Page(ctx context.Context, f Filter, after string, most int) (page []Delivery, next string, err error)
		Delivery(ctx context.Context, id DeliveryID) (Delivery, error)
		// Reopen changes a delivery that no process is attempting; if it is Pending then, it is due at its Next. One that is
		// being attempted is a retryable fault.Conflict.
		Reopen(ctx context.Context, id DeliveryID, now time.Time, change func(*Delivery)) (Delivery, error)
	}
	// Lanes hands out due deliveries of all tenants.
	Lanes interface {
		// Due returns lanes with deliveries that are due.
		Due(ctx context.Context, now time.Time) ([]Lane, error)
		// Claim takes at most most due deliveries. No other process gets them before until.
		Claim(ctx context.Context, l Lane, most int, now, until time.Time) ([]Job, error)
		// Settle stores the job's delivery and ends the claim: a Pending one is due at its Next. It returns fault.Conflict if
		// the delivery was claimed again since.
		Settle(ctx context.Context, j Job, now time.Time) error
	}
	// Sealer encrypts secrets in the store. A secret sealed for one purpose opens for no other.
	Sealer interface {
		Seal(value []byte, purpose ...string) ([]byte, error)
		Open(sealed []byte, purpose ...string) ([]byte, error)
	}
)
