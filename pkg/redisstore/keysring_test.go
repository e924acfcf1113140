package redisstore

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

func TestKeyRing(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, other := t.open(Config{}), t.open(Config{})
		ring, ctx := s.KeyRing(), t.Context()
		if keys, signers, err := ring.Keys(ctx); len(keys) != 0 || len(signers) != 0 || err != nil {
			t.Errorf("an empty ring has %v, %v, %v", keys, signers, err)
		}
		now := time.Date(2026, 3, 9, 12, 0, 0, 5, time.UTC)
		first, secret := auth.NewKey("acme", "web site", now)
		second, _ := auth.NewKey("", "", now.Add(time.Minute))
		check(t, ring.Put(ctx, second))
		check(t, ring.Put(ctx, first))
		check(t, ring.NoteUse(ctx, first.ID, now))
		old := auth.Signer{ID: "old", Secret: []byte{1}, Created: now}
		young := auth.Signer{ID: "young", Secret: []byte{2}, Created: now}
		check(t, ring.AddSigner(ctx, old, nil))
		check(t, ring.AddSigner(ctx, young, []string{"old", "older"}))

		first.LastUsed = now.Truncate(time.Second)
		keys, signers, err := other.KeyRing().Keys(ctx)
		check(t, err)
		if diff := cmp.Diff([]auth.Key{first, second}, keys); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]auth.Signer{young}, signers); diff != "" {
			t.Errorf("signing keys (-want +got):\n%s", diff)
		}
		for _, raw := range must(s.client.HGetAll(ctx, s.keys.serverKeys()).Result())(t) {
			if strings.Contains(raw, secret) || strings.Contains(raw, secret[len(secret)-20:]) {
				t.Errorf("the key itself is kept: %s", raw)
			}
		}
	})
}

func TestKeysAreRevokedOnce(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		ring, ctx := t.open(Config{}).KeyRing(), t.Context()
		now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
		key, _ := auth.NewKey("acme", "", now)
		check(t, ring.Put(ctx, key))
		check(t, ring.Revoke(ctx, key.ID, now.Add(time.Hour)))
		check(t, ring.Revoke(ctx, key.ID, now.Add(2*time.Hour)))
		keys, _, err := ring.Keys(ctx)
		check(t, err)
		key.Revoked = now.Add(time.Hour)
		if diff := cmp.Diff([]auth.Key{key}, keys); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
		if err := ring.Revoke(ctx, "unknown", now); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("an unknown key: %v", err)
		}
	})
}
