package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
)

// Vectors keeps the vectors of notes. They can be made again, and do not expire. It is a note.Vectors.
type Vectors struct{ store *Store }

// Vectors returns the stored vectors.
func (s *Store) Vectors() Vectors { return Vectors{s} }

// Vectors are all of a person's, by the notes' ids.
func (v Vectors) Vectors(ctx context.Context, person meet.PersonID) (map[string][]byte, error) {
	stored, err := ask(ctx, v.store.do, "vectors", func(ctx context.Context) (map[string]string, error) {
		return v.store.shared.HGetAll(ctx, v.store.own(ctx).vectors(person)).Result()
	})
	vectors := make(map[string][]byte, len(stored))
	for id, raw := range stored {
		vectors[id] = []byte(raw)
	}
	return vectors, err
}

// Replace keeps some vectors, and deletes others.
func (v Vectors) Replace(ctx context.Context, person meet.PersonID, keep map[string][]byte, gone []string) error {
	key := v.store.own(ctx).vectors(person)
	return v.store.do(ctx, "replace vectors", func(ctx context.Context) error {
		_, err := v.store.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for id, vector := range keep {
				p.HSet(ctx, key, id, vector)
			}
			if len(gone) > 0 {
				p.HDel(ctx, key, gone...)
			}
			return nil
		})
		return err
	})
}
