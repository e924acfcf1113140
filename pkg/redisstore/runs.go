package redisstore

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/workflow"
)

// Runs keeps the plans that were carried out or wait for an answer, each for 30 days. It is a workflow.Store.
type Runs struct{ store *Store }

// Runs returns the runs of plans.
func (s *Store) Runs() Runs { return Runs{s} }

// fieldRun is the run in its hash, beside fieldRev.
const fieldRun = "run"

// Keep makes the stored run what a turn left of it. A run is listed when it begins.
func (r Runs) Keep(ctx context.Context, next workflow.Record) error {
	if next.Status == workflow.Running {
		if err := r.list(ctx, next); err != nil {
			return err
		}
	}
	listed := true
	_, err := r.change(ctx, next.ID, false, func(known *workflow.Record) error {
		listed = known.ID != "" || next.Status == workflow.Running
		known.Become(next)
		return nil
	})
	if err != nil || listed {
		return err
	}
	return r.list(ctx, next)
}

// list lists a run among its owner's, without those that have expired.
func (r Runs) list(ctx context.Context, run workflow.Record) error {
	index := r.store.own(ctx).runs(run.Owner)
	gone := strconv.FormatInt(r.store.config.Now().Add(-workflow.Life).UnixMilli(), 10)
	return r.store.do(ctx, "list run", func(ctx context.Context) error {
		_, err := r.store.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			pipe.ZAdd(ctx, index, redis.Z{Score: float64(run.Started.UnixMilli()), Member: run.ID})
			pipe.ZRemRangeByScore(ctx, index, "-inf", gone)
			pipe.PExpire(ctx, index, workflow.Life)
			return nil
		})
		return err
	})
}

// Change changes a run that is there, and returns what is stored. The function may be called several times, each time
// with a newer run; its error ends the change, and nothing is written.
func (r Runs) Change(
	ctx context.Context, id string, change func(*workflow.Record) error,
) (workflow.Record, error) {
	return r.change(ctx, id, true, change)
}

func (r Runs) change(
	ctx context.Context, id string, there bool, change func(*workflow.Record) error,
) (workflow.Record, error) {
	return versioned[workflow.Record, string]{
		read: func() (workflow.Record, string, error) {
			stored, rev, err := r.read(ctx, id)
			if !there && fault.CodeOf(err) == fault.NotFound {
				err = nil
			}
			return stored, rev, err
		},
		swap: func(rev string, changed workflow.Record) (bool, error) {
			raw, err := encode(changed)
			if err != nil {
				return false, fmt.Errorf("run %s: %w", id, err)
			}
			args := []any{rev, rand.Text(), fieldRun, raw, workflow.Life.Milliseconds()}
			return r.store.reply(ctx, r.store.do, "change run",
				call{runScript, []string{r.store.own(ctx).run(id)}, args}).Bool()
		},
		crowded: "This run is being changed by several people at once; please try again.",
	}.update(change)
}

// runScript is swapScript for a run, which may not be there yet.
var runScript = redis.NewScript(`
local rev = redis.call('HGET', KEYS[1], 'rev') or ''
if rev == ARGV[2] then return 1 end
if rev ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'rev', ARGV[2], ARGV[3], ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`)

// Run is a run by its id. An unknown one is fault.NotFound.
func (r Runs) Run(ctx context.Context, id string) (workflow.Record, error) {
	stored, _, err := r.read(ctx, id)
	return stored, err
}

func (r Runs) read(ctx context.Context, id string) (run workflow.Record, rev string, err error) {
	stored, err := ask(ctx, r.store.do, "load run", func(ctx context.Context) (map[string]string, error) {
		return r.store.shared.HGetAll(ctx, r.store.own(ctx).run(id)).Result()
	})
	switch {
	case err != nil:
		return run, "", err
	case len(stored) == 0:
		return run, "", fault.New(fault.NotFound, "There is no run with this id.")
	}
	run, err = decode[workflow.Record](stored[fieldRun])
	fault.Wrap(&err, "run %s", id)
	return run, stored[fieldRev], err
}

// Runs are the latest runs of a person, at most so many, the newest first.
func (r Runs) Runs(ctx context.Context, person meet.PersonID, most int) ([]workflow.Record, error) {
	own := r.store.own(ctx)
	stored, err := ask(ctx, r.store.do, "list runs", func(ctx context.Context) ([]*redis.StringCmd, error) {
		ids, err := r.store.shared.ZRevRange(ctx, own.runs(person), 0, int64(most)-1).Result()
		if err != nil || len(ids) == 0 {
			return nil, err
		}
		replies := make([]*redis.StringCmd, len(ids))
		_, err = r.store.shared.Pipelined(ctx, func(pipe redis.Pipeliner) error {
			for i, id := range ids {
				replies[i] = pipe.HGet(ctx, own.run(id), fieldRun)
			}
			return nil
		})
		if errors.Is(err, redis.Nil) { // one has expired
			err = nil
		}
		return replies, err
	})
	if err != nil {
		return nil, err
	}
	runs := make([]workflow.Record, 0, len(stored))
	for _, reply := range stored {
		if raw, err := reply.Result(); err == nil {
			run, err := decode[workflow.Record](raw)
			if err != nil {
				return nil, fmt.Errorf("runs of %s: %w", person, err)
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}
