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
	// snapshotLife is how long a provider's snapshots of a person are kept after the last was saved: going on from one
	// is worth while for longer than it may answer.
	snapshotLife = 24 * time.Hour
	// mostWindows is how many snapshots of one person are kept at a provider; one more takes the place of all.
	mostWindows = 8
)

// Snapshots are what one provider said of people's time when it was last read. Nothing here waits for a Redis that is
// away: the provider can be asked instead.
type Snapshots struct {
	store    *Store
	provider string
}

// Snapshots are those of a provider.
func (s *Store) Snapshots(provider string) Snapshots { return Snapshots{s, provider} }

// A person's snapshots are a hash: the revision, and a value for each window.
const revisionField = "revision"

// Load is what was saved last of the person's time in the window, nil where that is nothing, and the revision to save
// the next with.
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

// saveSnapshotScript keeps a window's snapshot where the revision stands.
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

// Save keeps a snapshot for a day. It does nothing where the person's snapshots were forgotten since the revision: what
// was read before then may be wrong.
func (s Snapshots) Save(
	ctx context.Context, person meet.PersonID, window interval.Span, raw []byte, revision int64,
) error {
	return s.store.once(ctx, "save snapshot", func(ctx context.Context) error {
		return saveSnapshotScript.Run(ctx, s.store.client, []string{s.key(ctx, person)}, revisionField, revision, field(window), raw,
			snapshotLife.Milliseconds(), mostWindows).Err()
	})
}

// forgetSnapshotsScript erases all but the revision, and counts that up.
var forgetSnapshotsScript = redis.NewScript(`
local revision = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0') + 1
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], ARGV[1], string.format('%d', revision))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return revision`)

// Forget erases the person's snapshots, and those that are being read now are not kept.
func (s Snapshots) Forget(ctx context.Context, person meet.PersonID) error {
	return s.store.once(ctx, "forget snapshots", func(ctx context.Context) error {
		return forgetSnapshotsScript.Run(ctx, s.store.client, []string{s.key(ctx, person)}, revisionField,
			snapshotLife.Milliseconds()).Err()
	})
}

// Claim reports whether nobody else has claimed the person within ttl.
func (s Snapshots) Claim(ctx context.Context, person meet.PersonID, ttl time.Duration) (first bool, err error) {
	err = s.store.once(ctx, "claim snapshot", func(ctx context.Context) error {
		err := s.store.client.SetArgs(ctx, s.store.own(ctx).snapshotClaim(s.provider, person), "", redis.SetArgs{
			Mode: "NX", TTL: ttl,
		}).Err()
		first = err == nil
		if errors.Is(err, redis.Nil) {
			return nil // somebody has it
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
