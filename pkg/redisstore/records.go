package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/record"
)

// Records keeps what people own, of one kind. It does not expire. It is a record.Store.
type Records struct {
	store *Store
	kind  meet.ChangeWhat
}

// Records returns the stored records of a kind.
func (s *Store) Records(kind meet.ChangeWhat) Records { return Records{s, kind} }

// replaceScript replaces a field if it is as it was; a repeat is done.
var replaceScript = redis.NewScript(`
local now = redis.call('HGET', KEYS[1], ARGV[1]) or ''
if now == ARGV[3] then return 1 end
if now ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1`)

// Entries are all of the person's entries, by id.
func (r Records) Entries(ctx context.Context, person meet.PersonID) (map[string]record.Entry, error) {
	stored, err := ask(ctx, r.store.do, string(r.kind)+" records", func(ctx context.Context) (map[string]string, error) {
		return r.store.shared.HGetAll(ctx, r.store.own(ctx).records(r.kind, person)).Result()
	})
	if err != nil {
		return nil, err
	}
	entries := make(map[string]record.Entry, len(stored))
	for id, raw := range stored {
		if entries[id], err = decode[record.Entry](raw); err != nil {
			return nil, fmt.Errorf("%s %s of %s: %w", r.kind, id, person, err)
		}
	}
	return entries, nil
}

// Replace keeps after instead of before.
func (r Records) Replace(
	ctx context.Context, person meet.PersonID, id string, before, after record.Entry,
) (done bool, err error) {
	was := ""
	if before.Version > 0 {
		if was, err = encode(before); err != nil {
			return false, fmt.Errorf("replace %s: %w", r.kind, err)
		}
	}
	becomes, err := encode(after)
	if err != nil {
		return false, fmt.Errorf("replace %s: %w", r.kind, err)
	}
	keys := []string{r.store.own(ctx).records(r.kind, person)}
	return r.store.reply(ctx, r.store.do, "replace "+string(r.kind),
		call{replaceScript, keys, []any{id, was, becomes}}).Bool()
}
