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
	// Kept is what a step gave, where it has finished before.
	Kept(step string) (result []byte, ok bool)
	// Keep keeps what a step gave. Once kept it stands.
	Keep(ctx context.Context, step string, result []byte) error
}

// step is a step of a turn as it is kept: its result, and the bill so far.
type step[T any] struct {
	Result  T            `json:"result"`
	Receipt meet.Receipt `json:"receipt"`
}

// once does a step of the turn, unless it has been done before: then it gives what it gave.
func once[T any](ctx context.Context, r *run, name string, do func() (T, error)) (T, error) {
	var kept step[T]
	if raw, ok := r.journal.Kept(name); ok {
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
	raw, err := json.Marshal(step[T]{result, r.receipt.total()})
	if err != nil {
		return result, fmt.Errorf("journal: step %s: %w", name, err)
	}
	return result, r.journal.Keep(ctx, name, raw)
}

// noJournal keeps nothing.
type noJournal struct{}

func (noJournal) Kept(string) ([]byte, bool)                 { return nil, false }
func (noJournal) Keep(context.Context, string, []byte) error { return nil }
