package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/preference"
)

// Preferences keeps what people prefer. It does not expire. It is a preference.Store.
type Preferences struct{ store *Store }

// Preferences returns the stored preferences.
func (s *Store) Preferences() Preferences { return Preferences{s} }

// replaceScript replaces a field if it is as it was; a repeat is done.
var replaceScript = redis.NewScript(`
local now = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`)

// Entries are all of the person's entries, by key.
func (p Preferences) Entries(ctx context.Context, person meet.PersonID) (map[string]preference.Entry, error) {
	stored, err := ask(ctx, p.store.do, "preferences", func(ctx context.Context) (map[string]string, error) {
		return p.store.shared.HGetAll(ctx, p.store.own(ctx).preferences(person)).Result()
	})
	if err != nil {
		return nil, err
	}
	entries := make(map[string]preference.Entry, len(stored))
	for key, raw := range stored {
		if entries[key], err = decode[preference.Entry](raw); err != nil {
			return nil, fmt.Errorf("preference %s of %s: %w", key, person, err)
		}
	}
	return entries, nil
}

// Replace keeps after instead of before.
func (p Preferences) Replace(
	ctx context.Context, person meet.PersonID, key string, before, after preference.Entry,
) (done bool, err error) {
	was := ""
	if before.Version > 0 {
		if was, err = encode(before); err != nil {
			return false, fmt.Errorf("replace preference: %w", err)
		}
	}
	becomes, err := encode(after)
	if err != nil {
		return false, fmt.Errorf("replace preference: %w", err)
	}
	keys := []string{p.store.own(ctx).preferences(person)}
	return ask(ctx, p.store.do, "replace preference", func(ctx context.Context) (bool, error) {
		return replaceScript.Run(ctx, p.store.client, keys, key, was, becomes).Bool()
	})
}
