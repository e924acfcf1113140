package redisstore

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/webhook"
)

// Webhooks keeps webhook endpoints and deliveries, those of ctx's tenant unless a lane is given. Endpoints and pending
// deliveries do not expire.
type Webhooks struct{ store *Store }

// Webhooks returns the webhook endpoints and deliveries.
func (s *Store) Webhooks() Webhooks { return Webhooks{s} }

// addEndpointScript stores an endpoint, unless there are enough. One that is stored already counts as added: the first
// reply may have been lost.
var addEndpointScript = redis.NewScript(`
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 1 end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1`)

// swapEndpointScript replaces an endpoint if it is as it was read. No two versions are equal; see encodeEndpoint.
var swapEndpointScript = redis.NewScript(`
local now = redis.call('HGET', KEYS[1], ARGV[1])
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`)

func (w Webhooks) endpointsOf(ctx context.Context) string {
	return w.store.keys.webhookEndpoints(meet.TenantOf(ctx))
}

// Endpoints returns the tenant's endpoints, oldest first. One that cannot be decoded is an error: without it, its
// deliveries would be lost.
func (w Webhooks) Endpoints(ctx context.Context) ([]webhook.Endpoint, error) {
	stored, err := ask(ctx, w.store.do, "webhook endpoints", func(ctx context.Context) (map[string]string, error) {
		return w.store.client.HGetAll(ctx, w.endpointsOf(ctx)).Result()
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
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// Endpoint returns the endpoint with that id; an unknown id is a fault.NotFound.
func (w Webhooks) Endpoint(ctx context.Context, id webhook.EndpointID) (webhook.Endpoint, error) {
	e, _, err := w.readEndpoint(ctx, id)
	return e, err
}

func (w Webhooks) readEndpoint(ctx context.Context, id webhook.EndpointID) (e webhook.Endpoint, raw string, err error) {
	raw, err = ask(ctx, w.store.do, "webhook endpoint", func(ctx context.Context) (string, error) {
		return w.store.client.HGet(ctx, w.endpointsOf(ctx), string(id)).Result()
	})
	if errors.Is(err, redis.Nil) {
		return e, "", fault.New(fault.NotFound, "There is no webhook endpoint with this id.")
	}
	if err != nil {
		return e, "", err
	}
	if e, err = decodeEndpoint(raw); err != nil {
		return e, "", fmt.Errorf("webhook endpoint %s: %w", id, err)
	}
	return e, raw, nil
}

// AddEndpoint stores a new endpoint; if the tenant has most already, it is a fault.Conflict.
func (w Webhooks) AddEndpoint(ctx context.Context, e webhook.Endpoint, most int) error {
	raw, err := encodeEndpoint(e)
	if err != nil {
		return fmt.Errorf("add webhook endpoint: %w", err)
	}
	keys := []string{w.endpointsOf(ctx)}
	return w.store.do(ctx, "add webhook endpoint", func(ctx context.Context) error {
		added, err := addEndpointScript.Run(ctx, w.store.client, keys, string(e.ID), raw, most).Bool()
		if err == nil && !added {
			return fault.New(fault.Conflict, "There are %d endpoints already, which is the most. Remove one first.", most)
		}
		return err
	})
}

// UpdateEndpoint changes the endpoint: change gets the latest version, may be called several times, and must only
// change the endpoint. Its error ends the update and is returned; nothing is written then.
func (w Webhooks) UpdateEndpoint(
	ctx context.Context, id webhook.EndpointID, change func(*webhook.Endpoint) error,
) (webhook.Endpoint, error) {
	return versioned[webhook.Endpoint, string]{
		read:    func() (webhook.Endpoint, string, error) { return w.readEndpoint(ctx, id) },
		swap:    func(old string, e webhook.Endpoint) (bool, error) { return w.swapEndpoint(ctx, id, old, e) },
		crowded: "This endpoint is being changed by several people at once; please try again.",
	}.update(change)
}

func (w Webhooks) swapEndpoint(
	ctx context.Context, id webhook.EndpointID, old string, e webhook.Endpoint,
) (bool, error) {
	raw, err := encodeEndpoint(e)
	if err != nil {
		return false, fmt.Errorf("update webhook endpoint: %w", err)
	}
	keys := []string{w.endpointsOf(ctx)}
	return w.store.reply(ctx, w.store.do, "update webhook endpoint",
		call{swapEndpointScript, keys, []any{string(id), old, raw}}).Bool()
}

// DeleteEndpoint removes the endpoint; an unknown id is a fault.NotFound.
func (w Webhooks) DeleteEndpoint(ctx context.Context, id webhook.EndpointID) error {
	if _, err := w.Endpoint(ctx, id); err != nil {
		return err
	}
	return w.store.do(ctx, "delete webhook endpoint", func(ctx context.Context) error {
		return w.store.client.HDel(ctx, w.endpointsOf(ctx), string(id)).Err()
	})
}

// encodeEndpoint encodes e after a new random prefix: an update that is sent again, because the reply was lost, finds
// its own version.
func encodeEndpoint(e webhook.Endpoint) (string, error) {
	raw, err := encode(e)
	return rand.Text() + " " + raw, err
}

func decodeEndpoint(raw string) (webhook.Endpoint, error) {
	_, body, _ := strings.Cut(raw, " ")
	return decode[webhook.Endpoint](body)
}
