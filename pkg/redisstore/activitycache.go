package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// ActivityAnswers are the answers of searches for activities that are kept for all processes. Nothing here waits for a Redis
// that is away: the source can be asked instead.
type ActivityAnswers struct{ store *Store }

// ActivityAnswers are those of this store.
func (s *Store) ActivityAnswers() ActivityAnswers { return ActivityAnswers{s} }

// Load is what was saved under the key, nil where that is nothing any more.
func (p ActivityAnswers) Load(ctx context.Context, key string) (raw []byte, err error) {
	err = p.store.once(ctx, "load activities", func(ctx context.Context) error {
		raw, err = p.store.client.Get(ctx, p.store.keys.activityAnswer(key)).Bytes()
		if errors.Is(err, redis.Nil) {
			raw, err = nil, nil
		}
		return err
	})
	return raw, err
}

// Save keeps an answer for so long; one of no life is not kept.
func (p ActivityAnswers) Save(ctx context.Context, key string, answer []byte, life time.Duration) error {
	if life <= 0 {
		return nil
	}
	return p.store.once(ctx, "save activities", func(ctx context.Context) error {
		return p.store.client.Set(ctx, p.store.keys.activityAnswer(key), answer, life).Err()
	})
}
