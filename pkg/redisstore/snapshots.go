package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// snapshotLife is how long a provider's snapshots of a person are kept after the last was saved: they remain a base
	// for incremental reads after they are too old to answer with.
	snapshotLife = 24 * time.Hour
	// maxWindows is how many snapshots of a person are kept for a provider; one more replaces all.
	maxWindows = 8
)

// Snapshots keeps a provider's last answers about people's time. It does not wait for a Redis that is away: the caller
// can ask the provider instead.
type Snapshots struct {
	store    *Store
	provider string
}

// Snapshots returns the provider's snapshots.
func (s *Store) Snapshots(provider string) Snapshots { return Snapshots{s, provider} }

// revisionField is the revision in the hash of a person's snapshots. The other fields are windows.
const revisionField = "revision"

// Load returns the person's snapshot for the window, nil if there is none, and the revision to pass to Save.
func (s Snapshots) Load(
	ctx context.Context, person meet.PersonID, window interval.Span,
) (raw []byte, revision int64, err error) {
	err = s.store.once(ctx, "load snapshot", func(ctx context.Context) error {
		values, err := s.store.client.HMGet(ctx, s.key(ctx, person), revisionField, field(window)).Result()
		if err != nil {
			return err
		}
		if counted, ok := values[0].(string); ok {
			if revision, err = strconv.ParseInt(counted, 10, 64); err != nil {
				return fmt.Errorf("revision %q: %w", counted, errFormat)
			}
		}
		if kept, ok := values[1].(string); ok {
			raw = []byte(kept)
		}
		return nil
	})
	return raw, revision, err
}

// saveSnapshotScript stores a window's snapshot if the revision is unchanged.
var saveSnapshotScript = redis.NewScript(`
local revision = redis.call('HGET', KEYS[1], ARGV[1]) or '0'
if revision ~= ARGV[2] then return 0 end
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[6]) and redis.call('HEXISTS', KEYS[1], ARGV[3]) == 0 then
	redis.call('DEL', KEYS[1])
	redis.call('HSET', KEYS[1], ARGV[1], revision)
end
redis.call('HSET', KEYS[1], ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`)

// Save keeps a snapshot for a day. It does nothing if Forget was called since the revision: a snapshot that was read
// before may be wrong.
func (s Snapshots) Save(
	ctx context.Context, person meet.PersonID, window interval.Span, raw []byte, revision int64,
) error {
	return s.store.once(ctx, "save snapshot", func(ctx context.Context) error {
		return saveSnapshotScript.Run(ctx, s.store.client, []string{s.key(ctx, person)},
			revisionField, revision, field(window), raw, snapshotLife.Milliseconds(), maxWindows).Err()
	})
}

// forgetSnapshotsScript removes all fields but the revision, and increments that.
var forgetSnapshotsScript = redis.NewScript(`
local revision = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') + 1
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', revision))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return revision`)

// Forget removes the person's snapshots. Those that are being read now will not be saved.
func (s Snapshots) Forget(ctx context.Context, person meet.PersonID) error {
	return s.store.once(ctx, "forget snapshots", func(ctx context.Context) error {
		return forgetSnapshotsScript.Run(ctx, s.store.client, []string{s.key(ctx, person)}, revisionField,
			snapshotLife.Milliseconds()).Err()
	})
}

// Claim claims the person for ttl, and reports whether no other claim stands.
func (s Snapshots) Claim(ctx context.Context, person meet.PersonID, ttl time.Duration) (first bool, err error) {
	err = s.store.once(ctx, "claim snapshot", func(ctx context.Context) error {
		err := s.store.client.SetArgs(ctx, s.store.own(ctx).snapshotClaim(s.provider, person), "", redis.SetArgs{
			Mode: "NX", TTL: ttl,
		}).Err()
		first = err == nil
		if errors.Is(err, redis.Nil) {
			return nil // another claim stands
		}
		return err
	})
	return first, err
}

func (s Snapshots) key(ctx context.Context, person meet.PersonID) string {
	return s.store.own(ctx).snapshots(s.provider, person)
}

// field names a window.
func field(window interval.Span) string {
	return fmt.Sprintf("%d-%d", window.Start.Unix(), window.End.Unix())
}
