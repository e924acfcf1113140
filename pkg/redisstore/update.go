package redisstore

import (
	"time"

	"convene/pkg/fault"
)

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
