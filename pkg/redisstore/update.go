package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
)

// fieldRev is the version of a value in its hash, a new random one for each write.
const fieldRev = "rev"

// swapScript replaces a field if its hash's rev is as it was read. An update that is sent again, because the reply was
// lost, finds its own rev. ARGV are the rev, the new one, the field, its value, and the hash's life, 0 for no expiry.
var swapScript = redis.NewScript(`
local rev = redis.call('HGET', KEYS[1], 'rev')
if rev == ARGV[2] then return 1 end
if rev ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], ARGV[3], ARGV[4])
if tonumber(ARGV[5]) > 0 then redis.call('PEXPIRE', KEYS[1], ARGV[5]) end
return 1`)

// updateTries bounds update. Each lost race means that another update went through.
const updateTries = 32

// versioned is a stored value that several processes change.
type versioned[T, V any] struct {
	// read returns the value and its version.
	read func() (T, V, error)
	// swap stores the value if the version is still the latest, and reports whether it did.
	swap func(V, T) (bool, error)
	// crowded is the message of the retryable fault.Overloaded after updateTries lost races.
	crowded string
}

// update changes the latest value and returns what is stored. It may call change several times, each time with a newer
// value. An error of change ends the update; nothing is written then.
func (v versioned[T, V]) update(change func(*T) error) (T, error) {
	var none T
	for range updateTries {
		value, version, err := v.read()
		if err != nil {
			return none, err
		}
		if err := change(&value); err != nil {
			return none, err
		}
		swapped, err := v.swap(version, value)
		if err != nil {
			return none, err
		}
		if swapped {
			return value, nil
		}
	}
	return none, fault.New(fault.Overloaded, "%s", v.crowded).Later(time.Second)
}
