package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"convene/pkg/meet"
)

// Journal keeps what each finished step of one turn gave, so that a process that takes the turn over goes on after the
// last step that is kept: its model is not asked again. Steps are kept while the next ones are done already; what must
// not be done twice in two ways, or be seen by others, waits for Settle.
type Journal interface {
	// Begin gives what the step gave, if it has finished before.
	Begin(step string) (result []byte, finished bool)
	// Finish says what a step gave. It is kept with the next update that is told, or before, and then it stands.
	Finish(step string, result []byte)
	// Settle returns when what all finished steps gave is kept. Its error ends the turn: another process may have it.
	Settle() error
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
	raw, finished := r.journal.Begin(name)
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
	raw, err = encodeStep(result, r.receipt.total())
	if err != nil {
		return result, fmt.Errorf("journal: step %s: %w", name, err)
	}
	r.journal.Finish(name, raw)
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

// noJournal keeps nothing.
type noJournal struct{}

func (noJournal) Begin(string) ([]byte, bool) { return nil, false }
func (noJournal) Finish(string, []byte)       {}
func (noJournal) Settle() error               { return nil }
