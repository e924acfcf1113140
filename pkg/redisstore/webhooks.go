package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// Webhooks are whom to tell of events, and what is on its way to them. What belongs to a tenant is that of ctx.
// Endpoints and deliveries that are pending do not expire.
type Webhooks struct{ store *Store }

// Webhooks is endpoints and deliveries.
func (s *Store) Webhooks() Webhooks { return Webhooks{s} }

// addEndpointScript keeps an endpoint, unless there are enough. It is kept already where the first answer got lost.
var addEndpointScript = redis.NewScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`)

// swapEndpointScript replaces an endpoint where nobody has since it was read. No two versions are the same; see
// encodeEndpoint.
var swapEndpointScript = redis.NewScript(`
local now = redis.call('HGET', KEYS[1], ARGV[1])
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`)

func (w Webhooks) endpointsOf(ctx context.Context) string {
	return w.store.keys.webhookEndpoints(meet.TenantOf(ctx))
}

// Endpoints are all of the tenant's, the oldest first. One that cannot be read is an error: left out, it would miss what
// it should be told.
func (w Webhooks) Endpoints(ctx context.Context) ([]webhook.Endpoint, error) {
	var stored map[string]string
	err := w.store.do(ctx, "webhook endpoints", func(ctx context.Context) (err error) {
		stored, err = w.store.client.HGetAll(ctx, w.endpointsOf(ctx)).Result()
		return err
	})
	if err != nil {
		return nil, err
	}
	list := make([]webhook.Endpoint, 0, len(stored))
	for id, raw := range stored {
		e, err := decodeEndpoint(raw)
		if err != nil {
			return nil, fmt.Errorf("webhook endpoint %s: %w", id, err)
		}
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b webhook.Endpoint) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(string(a.ID), string(b.ID)))
	})
	return list, nil
}

// Endpoint is the one with that id; none is a fault.NotFound.
func (w Webhooks) Endpoint(ctx context.Context, id webhook.EndpointID) (webhook.Endpoint, error) {
	_, e, err := w.readEndpoint(ctx, id)
	return e, err
}

func (w Webhooks) readEndpoint(ctx context.Context, id webhook.EndpointID) (raw string, e webhook.Endpoint, err error) {
	err = w.store.do(ctx, "webhook endpoint", func(ctx context.Context) (err error) {
		raw, err = w.store.client.HGet(ctx, w.endpointsOf(ctx), string(id)).Result()
		return err
	})
	if errors.Is(err, redis.Nil) {
		return "", e, unknownEndpoint()
	}
	if err != nil {
		return "", e, err
	}
	if e, err = decodeEndpoint(raw); err != nil {
		return "", e, fmt.Errorf("webhook endpoint %s: %w", id, err)
	}
	return raw, e, nil
}

// AddEndpoint keeps a new one; where there are most already, it is a fault.Conflict.
func (w Webhooks) AddEndpoint(ctx context.Context, e webhook.Endpoint, most int) error {
	raw, err := encodeEndpoint(e)
	if err != nil {
		return fmt.Errorf("add webhook endpoint: %w", err)
	}
	return w.store.do(ctx, "add webhook endpoint", func(ctx context.Context) error {
		added, err := addEndpointScript.Run(ctx, w.store.client, []string{w.endpointsOf(ctx)}, string(e.ID), raw, most).Bool()
		if err == nil && !added {
			return fault.New(fault.Conflict, "There are %d endpoints already, which is the most. Remove one first.", most)
		}
		return err
	})
}

// UpdateEndpoint changes the endpoint as if nobody else were there: change sees the latest version, and may be called
// several times. Its error ends the update, is returned, and nothing is written.
func (w Webhooks) UpdateEndpoint(
	ctx context.Context, id webhook.EndpointID, change func(*webhook.Endpoint) error,
) (webhook.Endpoint, error) {
	for range updateTries {
		old, e, err := w.readEndpoint(ctx, id)
		if err != nil {
			return webhook.Endpoint{}, err
		}
		if err := change(&e); err != nil {
			return webhook.Endpoint{}, err
		}
		raw, err := encodeEndpoint(e)
		if err != nil {
			return webhook.Endpoint{}, fmt.Errorf("update webhook endpoint: %w", err)
		}
		swapped := false
		err = w.store.do(ctx, "update webhook endpoint", func(ctx context.Context) (err error) {
			swapped, err = swapEndpointScript.Run(ctx, w.store.client, []string{w.endpointsOf(ctx)}, string(id), old, raw).Bool()
			return err
		})
		if err != nil || swapped {
			return e, err
		}
	}
	return webhook.Endpoint{}, fault.New(fault.Overloaded,
		"This endpoint is being changed by several at once; please try again.").Later(time.Second)
}

// DeleteEndpoint forgets it; none is a fault.NotFound.
func (w Webhooks) DeleteEndpoint(ctx context.Context, id webhook.EndpointID) error {
	if _, err := w.Endpoint(ctx, id); err != nil {
		return err
	}
	return w.store.do(ctx, "delete webhook endpoint", func(ctx context.Context) error {
		return w.store.client.HDel(ctx, w.endpointsOf(ctx), string(id)).Err()
	})
}

// encodeEndpoint begins with something that was never there before: an update that was sent twice, because its answer
// got lost, finds its own version.
func encodeEndpoint(e webhook.Endpoint) (string, error) {
	raw, err := encode(e)
	return rand.Text() + " " + raw, err
}

func decodeEndpoint(raw string) (webhook.Endpoint, error) {
	_, body, _ := strings.Cut(raw, " ")
	return decode[webhook.Endpoint](body)
}

func unknownEndpoint() error {
	return fault.New(fault.NotFound, "There is no webhook endpoint with this id.")
}

func unknownDelivery() error {
	return fault.New(fault.NotFound, "There is no webhook delivery with this id.")
}
