package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// PlaceAnswers are the answers of searches for places that are kept for all processes. Nothing here waits for a Redis
// that is away: the source can be asked instead.
type PlaceAnswers struct{ store *Store }

// PlaceAnswers are those of this store.
func (s *Store) PlaceAnswers() PlaceAnswers { return PlaceAnswers{s} }

// Load is what was saved under the key, nil where that is nothing any more.
func (p PlaceAnswers) Load(ctx context.Context, key string) (raw []byte, err error) {
	err = p.store.once(ctx, "load places", func(ctx context.Context) error {
		raw, err = p.store.client.Get(ctx, p.store.keys.placeAnswer(key)).Bytes()
		if errors.Is(err, redis.Nil) {
			raw, err = nil, nil
		}
		return err
	})
	return raw, err
}

// Save keeps an answer for so long; one of no life is not kept.
func (p PlaceAnswers) Save(ctx context.Context, key string, answer []byte, life time.Duration) error {
	if life <= 0 {
		return nil
	}
	return p.store.once(ctx, "save places", func(ctx context.Context) error {
		return p.store.client.Set(ctx, p.store.keys.placeAnswer(key), answer, life).Err()
	})
}
