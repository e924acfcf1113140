package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

// KeyRing keeps the digests of server keys, and the keys that sign tokens. Keys do not expire, and revoked ones stay,
// so that a service that had keys never looks like one without.
type KeyRing struct{ store *Store }

// KeyRing returns all keys.
func (s *Store) KeyRing() KeyRing { return KeyRing{s} }

// Keys returns all server keys, oldest first, and all signing keys.
func (r KeyRing) Keys(ctx context.Context) (list []auth.Key, signers []auth.Signer, err error) {
	var stored, used, signing *redis.MapStringStringCmd
	err = r.store.do(ctx, "keys", func(ctx context.Context) error {
		_, err := r.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			stored = p.HGetAll(ctx, r.store.keys.serverKeys())
			used = p.HGetAll(ctx, r.store.keys.keyUses())
			signing = p.HGetAll(ctx, r.store.keys.signers())
			return nil
		})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	for id, raw := range stored.Val() {
		key, err := decode[auth.Key](raw)
		if err != nil {
			return nil, nil, fmt.Errorf("key %s: %w", id, err)
		}
		if seconds, err := strconv.ParseInt(used.Val()[id], 10, 64); err == nil {
			key.LastUsed = time.Unix(seconds, 0).UTC()
		}
		list = append(list, key)
	}
	for id, raw := range signing.Val() {
		signer, err := decode[auth.Signer](raw)
		if err != nil {
			return nil, nil, fmt.Errorf("signing key %s: %w", id, err)
		}
		signers = append(signers, signer)
	}
	slices.SortFunc(list, func(a, b auth.Key) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	return list, signers, nil
}

// Put stores a server key under its id.
func (r KeyRing) Put(ctx context.Context, key auth.Key) error {
	raw, err := encode(key)
	if err != nil {
		return fmt.Errorf("put key: %w", err)
	}
	return r.store.do(ctx, "put key", func(ctx context.Context) error {
		return r.store.client.HSet(ctx, r.store.keys.serverKeys(), string(key.ID), raw).Err()
	})
}

// Revoke revokes a server key, and with it the tokens made with it. A revoked key stays as it is; an unknown id is a
// fault.NotFound.
func (r KeyRing) Revoke(ctx context.Context, id auth.KeyID, at time.Time) error {
	raw, err := ask(ctx, r.store.do, "revoke key", func(ctx context.Context) (string, error) {
		return r.store.client.HGet(ctx, r.store.keys.serverKeys(), string(id)).Result()
	})
	if errors.Is(err, redis.Nil) {
		return fault.New(fault.NotFound, "There is no key %s.", id)
	}
	if err != nil {
		return err
	}
	key, err := decode[auth.Key](raw)
	if err != nil {
		return fmt.Errorf("key %s: %w", id, err)
	}
	if !key.Revoked.IsZero() {
		return nil
	}
	key.Revoked = at.UTC().Truncate(time.Second)
	return r.Put(ctx, key)
}

// NoteUse stores when a key was last used. It does not wait for a Redis that is away.
func (r KeyRing) NoteUse(ctx context.Context, id auth.KeyID, at time.Time) error {
	return r.store.once(ctx, "note use", func(ctx context.Context) error {
		return r.store.client.HSet(ctx, r.store.keys.keyUses(), string(id), at.Unix()).Err()
	})
}

// AddSigner stores a signing key and removes the others named.
func (r KeyRing) AddSigner(ctx context.Context, signer auth.Signer, forget []string) error {
	raw, err := encode(signer)
	if err != nil {
		return fmt.Errorf("add signing key: %w", err)
	}
	return r.store.do(ctx, "add signing key", func(ctx context.Context) error {
		_, err := r.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.HSet(ctx, r.store.keys.signers(), signer.ID, raw)
			if len(forget) > 0 {
				p.HDel(ctx, r.store.keys.signers(), forget...)
			}
			return nil
		})
		return err
	})
}
