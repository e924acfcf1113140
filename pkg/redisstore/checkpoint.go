package redisstore

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Checkpoints keep what each finished stage of a turn gave, for as long as the turn's log, so that a process that takes
// the turn over goes on behind them. Queue.Finish drops them.
type Checkpoints struct{ store *Store }

// Checkpoints is what finished stages gave.
func (s *Store) Checkpoints() Checkpoints { return Checkpoints{s} }

// saveStageScript keeps the first result of a stage. It answers 0 where another one is there.
var saveStageScript = redis.NewScript(`
local first = redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2])
if first == 0 and redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1`)

// SaveStage keeps what the stage gave. The first result stands: saving the same again is well, another one is a
// fault.Conflict, by which a process learns that a former or later owner of the turn was faster; what holds is then in
// LoadStages.
func (c Checkpoints) SaveStage(
	ctx context.Context, turn meet.TurnID, conversation meet.ConversationID, stage string, result []byte,
) error {
	names := []string{c.store.own(ctx).stages(conversation, turn)}
	return c.store.do(ctx, "save stage", func(ctx context.Context) error {
		saved, err := saveStageScript.Run(ctx, c.store.client, names, stage, result, logLife.Milliseconds()).Bool()
		if err == nil && !saved {
			return fault.New(fault.Conflict, "This message is being answered elsewhere.").
				Because(fmt.Errorf("save stage: turn %s has another result of %s", turn, stage))
		}
		return err
	})
}

// LoadStages is what was saved, by stage. For a turn that nothing is kept of it is empty.
func (c Checkpoints) LoadStages(
	ctx context.Context, turn meet.TurnID, conversation meet.ConversationID,
) (results map[string][]byte, err error) {
	err = c.store.do(ctx, "load stages", func(ctx context.Context) error {
		stored, err := c.store.client.HGetAll(ctx, c.store.own(ctx).stages(conversation, turn)).Result()
		results = make(map[string][]byte, len(stored))
		for stage, result := range stored {
			results[stage] = []byte(result)
		}
		return err
	})
	return results, err
}
