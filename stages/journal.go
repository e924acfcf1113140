package stages

import (
	"context"
	"encoding/json"
	"fmt"

	"convene/pkg/meet"
)

// Journal keeps what each finished step of one turn gave, so that whoever takes the turn over from a process that died
// goes on behind it: no model is asked twice, and nothing is proposed twice.
type Journal interface {
	// Begin returns when what all steps before gave is kept; where this one has finished before, with what it gave.
	Begin(ctx context.Context, step string) (result []byte, finished bool, err error)
	// Finish says what a step gave. It is kept together with the update that tells of it, and then it stands.
	Finish(step string, result []byte)
}

// step is a step of a turn as it is kept: its result, and the bill so far.
type step[T any] struct {
	Result  T            `json:"result"`
	Receipt meet.Receipt `json:"receipt"`
}

// once does a step of the turn, unless it has been done before: then it gives what it gave.
func once[T any](ctx context.Context, r *run, name string, do func() (T, error)) (T, error) {
	var kept step[T]
	if err := r.emit(ctx); err != nil {
		return kept.Result, err
	}
	raw, finished, err := r.journal.Begin(ctx, name)
	if err != nil {
		return kept.Result, err
	}
	if finished {
		if err := json.Unmarshal(raw, &kept); err != nil {
			return kept.Result, fmt.Errorf("journal: step %s: %w", name, err)
		}
		r.receipt.resume(kept.Receipt)
		return kept.Result, nil
	}
	result, err := do()
	if err != nil {
		return result, err
	}
	raw, err = json.Marshal(step[T]{result, r.receipt.total()})
	if err != nil {
		return result, fmt.Errorf("journal: step %s: %w", name, err)
	}
	r.journal.Finish(name, raw)
	return result, nil
}

// noJournal keeps nothing.
type noJournal struct{}

func (noJournal) Begin(context.Context, string) ([]byte, bool, error) { return nil, false, nil }
func (noJournal) Finish(string, []byte)                               {}
