package redisstore

import (
	"context"

	"convene/pkg/meet"
)

// Steps is what finished steps of the turn gave, for as long as its log, so that a process that takes the turn over goes
// on behind them. For a turn that nothing is kept of, and one that has ended, it is empty.
func (l *Log) Steps(ctx context.Context, turn meet.TurnID) (results map[string][]byte, err error) {
	err = l.store.do(ctx, "steps", func(ctx context.Context) error {
		stored, err := l.store.client.HGetAll(ctx, l.store.keys.steps(turn)).Result()
		results = make(map[string][]byte, len(stored))
		for step, result := range stored {
			results[step] = []byte(result)
		}
		return err
	})
	return results, err
}
