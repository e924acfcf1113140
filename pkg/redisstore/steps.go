package redisstore

import (
	"context"

	"convene/pkg/meet"
)

// Steps returns the results of the turn's finished steps, by their paths, so that a process that takes the turn over
// continues after them. They are kept as long as the turn's log. It is empty for a turn that has none, or has ended.
func (l *Log) Steps(ctx context.Context, turn meet.TurnID) (map[string][]byte, error) {
	stored, err := ask(ctx, l.store.do, "steps", func(ctx context.Context) (map[string]string, error) {
		return l.store.client.HGetAll(ctx, l.store.keys.steps(turn)).Result()
	})
	results := make(map[string][]byte, len(stored))
	for path, result := range stored {
		results[path] = []byte(result)
	}
	return results, err
}
