package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Answers keeps the answers of other services for all processes. It does not wait for a Redis that is away: the caller
// can ask the service instead.
type Answers struct {
	store *Store
	// key spells the key of an answer's name.
	key func(string) string
}

// PlaceAnswers returns the answers to searches for places.
func (s *Store) PlaceAnswers() Answers { return Answers{s, s.keys.placeAnswer} }

// ActivityAnswers returns the answers to searches for activities.
func (s *Store) ActivityAnswers() Answers { return Answers{s, s.keys.activityAnswer} }

// Load returns the answer saved under the name, nil if there is none or it has expired.
func (a Answers) Load(ctx context.Context, name string) ([]byte, error) {
	return ask(ctx, a.store.once, "load an answer", func(ctx context.Context) ([]byte, error) {
		raw, err := a.store.client.Get(ctx, a.key(name)).Bytes()
		if errors.Is(err, redis.Nil) {
			return nil, nil
		}
		return raw, err
	})
}

// Save keeps an answer for life; without a life it does nothing.
func (a Answers) Save(ctx context.Context, name string, answer []byte, life time.Duration) error {
	if life <= 0 {
		return nil
	}
	return a.store.once(ctx, "save an answer", func(ctx context.Context) error {
		return a.store.client.Set(ctx, a.key(name), answer, life).Err()
	})
}
