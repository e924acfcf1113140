package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Answers are what other services answered, kept for all processes. Nothing here waits for a Redis that is away: the
// service can be asked instead.
type Answers struct {
	store *Store
	// key spells a question's name.
	key func(string) string
}

// PlaceAnswers are those of searches for places.
func (s *Store) PlaceAnswers() Answers { return Answers{s, s.keys.placeAnswer} }

// ActivityAnswers are those of searches for what is going on.
func (s *Store) ActivityAnswers() Answers { return Answers{s, s.keys.activityAnswer} }

// Load is what was saved under the name, nil where that is nothing any more.
func (a Answers) Load(ctx context.Context, name string) (raw []byte, err error) {
	err = a.store.once(ctx, "load an answer", func(ctx context.Context) error {
		raw, err = a.store.client.Get(ctx, a.key(name)).Bytes()
		if errors.Is(err, redis.Nil) {
			raw, err = nil, nil
		}
		return err
	})
	return raw, err
}

// Save keeps an answer for so long; one of no life is not kept.
func (a Answers) Save(ctx context.Context, name string, answer []byte, life time.Duration) error {
	if life <= 0 {
		return nil
	}
	return a.store.once(ctx, "save an answer", func(ctx context.Context) error {
		return a.store.client.Set(ctx, a.key(name), answer, life).Err()
	})
}
