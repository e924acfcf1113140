package redisstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
)

// objectField starts the names of the fields of a person's changed calendar objects, beside fieldRev.
const objectField = "object:"

// swapObjectsScript sets fields if the hash's rev is as it was read. A swap that is sent again, because the reply was
// lost, finds its own rev. ARGV are the rev, the new one, and fields with their values.
var swapObjectsScript = redis.NewScript(`
local rev = redis.call('HGET', KEYS[1], 'rev') or ''
if rev == ARGV[2] then return 1 end
if rev ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], unpack(ARGV, 3))
return 1`)

// Objects are the calendar objects that the person changed over files, by their names, and their revision. They do not
// expire, as files do not.
func (e Events) Objects(
	ctx context.Context, person meet.PersonID,
) (objects map[string]string, revision string, err error) {
	stored, err := ask(ctx, e.store.do, "changed events", func(ctx context.Context) (map[string]string, error) {
		return e.store.hash(ctx, e.store.own(ctx).objects(person))
	})
	if err != nil {
		return nil, "", err
	}
	objects = map[string]string{}
	for field, raw := range stored {
		name, ok := strings.CutPrefix(field, objectField)
		if !ok {
			continue
		}
		if objects[name], err = decode[string](raw); err != nil {
			return nil, "", fmt.Errorf("changed event %s: %w", name, err)
		}
	}
	return objects, stored[fieldRev], nil
}

// SwapObjects keeps these objects beside the others if the revision is still the latest, and reports whether it is.
func (e Events) SwapObjects(
	ctx context.Context, person meet.PersonID, revision string, objects map[string]string,
) (bool, error) {
	args := []any{revision, rand.Text()}
	for name, object := range objects {
		raw, err := encode(object)
		if err != nil {
			return false, fmt.Errorf("change event: %w", err)
		}
		args = append(args, objectField+name, raw)
	}
	return e.store.reply(ctx, e.store.do, "change event",
		call{swapObjectsScript, []string{e.store.own(ctx).objects(person)}, args}).Bool()
}
