package webhook

import (
	"context"
	"time"
)

// The ports. What belongs to a tenant is that of ctx; what is not there is a fault.NotFound.
type (
	// Endpoints keep endpoints.
	Endpoints interface {
		// Endpoints are all of them, the oldest first.
		Endpoints(ctx context.Context) ([]Endpoint, error)
		Endpoint(ctx context.Context, id EndpointID) (Endpoint, error)
		// AddEndpoint is a fault.Conflict where there are most of them already.
		AddEndpoint(ctx context.Context, e Endpoint, most int) error
		// UpdateEndpoint changes one as if nobody else were there: change sees the latest version, and is called again
		// where another was stored meanwhile. Its error ends the update, is returned, and nothing is stored.
		UpdateEndpoint(ctx context.Context, id EndpointID, change func(*Endpoint) error) (Endpoint, error)
		DeleteEndpoint(ctx context.Context, id EndpointID) error
	}
	// Deliveries keep deliveries: those that have ended for Kept, and of all the newest few thousand of a tenant.
	Deliveries interface {
		// AddDeliveries keeps all of them or none. One that is there already stays as it is.
		AddDeliveries(ctx context.Context, parcels []Parcel, now time.Time) error
		// Page is deliveries that the filter takes, the newest first, behind the cursor after, or from the newest on. A page
		// may have fewer than most of them, even none; next is empty where it is the last.
		Page(ctx context.Context, f Filter, after string, most int) (page []Delivery, next string, err error)
		Delivery(ctx context.Context, id DeliveryID) (Delivery, error)
		// Reopen changes one that nobody is attempting and has it attempted when it says, if it is Pending then. One that is
		// being attempted is a retryable fault.Conflict.
		Reopen(ctx context.Context, id DeliveryID, now time.Time, change func(*Delivery)) (Delivery, error)
	}
	// Lanes hand out what is due, of all tenants.
	Lanes interface {
		// Due names lanes in which something is due now.
		Due(ctx context.Context, now time.Time) ([]Lane, error)
		// Claim takes at most most of what is due now. Nobody else gets it before until.
		Claim(ctx context.Context, l Lane, most int, now, until time.Time) ([]Job, error)
		// Settle keeps the job's delivery as it is now, and ends the claim: a Pending one is due at its Next. It is a
		// fault.Conflict where somebody has claimed it since.
		Settle(ctx context.Context, j Job, now time.Time) error
	}
	// Sealer keeps secrets from whoever reads the store. What was sealed for one purpose opens for no other.
	Sealer interface {
		Seal(value []byte, purpose ...string) ([]byte, error)
		Open(sealed []byte, purpose ...string) ([]byte, error)
	}
)
