package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// step is a step of a turn as it is kept: its result, and the bill so far.
type step[T any] struct {
	Result  T            `json:"result"`
	Receipt meet.Receipt `json:"receipt"`
}

// once does a step of the turn, in a context of its own, unless it has been done before: then it gives what it gave.
func once[T any](ctx context.Context, r *run, name string, do func(context.Context) (T, error)) (T, error) {
	var kept step[T]
	if err := r.emit(ctx); err != nil {
		return kept.Result, err
	}
	ctx = turn.Enter(ctx, name)
	path := turn.PathOf(ctx)
	raw, finished := r.journal.Begin(path)
	if finished {
		if err := json.Unmarshal(raw, &kept); err != nil {
			return kept.Result, fmt.Errorf("journal: step %s: %w", path, err)
		}
		r.receipt.resume(kept.Receipt)
		return kept.Result, nil
	}
	result, err := do(ctx)
	if err != nil {
		return result, err
	}
	raw, err = encodeStep(result, r.receipt.total())
	if err != nil {
		return result, fmt.Errorf("journal: step %s: %w", path, err)
	}
	r.journal.Finish(path, raw)
	return result, nil
}

// encodeStep is a step as JSON, as the type has it. What was encoded already is taken as it is.
func encodeStep(result any, bill meet.Receipt) ([]byte, error) {
	receipt, err := json.Marshal(bill)
	if err != nil {
		return nil, err
	}
	raw := slices.Concat([]byte(`{"receipt":`), receipt, []byte(`,"result":`))
	found, ok := result.(meet.Candidates)
	if ok && found.Lists.Slots != nil {
		lists := found.Lists
		found.Slots, found.Places = nil, nil
		raw, err = meet.AppendWith(raw, found,
			meet.Member{Name: "Slots", JSON: lists.Slots}, meet.Member{Name: "Places", JSON: lists.Places})
	} else {
		var whole []byte
		whole, err = json.Marshal(result)
		raw = append(raw, whole...)
	}
	return append(raw, '}'), err
}
