package turntest

import (
	"context"
	"maps"
	"slices"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// Store is a log and a ledger in memory. Its zero value is empty and works.
type Store struct {
	mu      sync.Mutex
	changed chan struct{}
	entries map[meet.TurnID][]turn.Entry
	states  map[meet.TurnID][]byte
	steps   map[meet.TurnID]map[string][]byte
	claims  map[string]claim
	// names are those of the records that were stored last.
	names map[meet.TurnID]string
	// lost are records that are stored and reported as failed; refused are failed and not stored.
	lost, refused int
}

type claim struct {
	turn   meet.TurnID
	digest string
}

// Lose makes the next n updates fail although they are stored; Refuse makes them fail.
func (s *Store) Lose(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.lost = n }

// Refuse makes the next n updates fail.
func (s *Store) Refuse(n int) { s.mu.Lock(); defer s.mu.Unlock(); s.refused = n }

// Write stores a record whose entries follow the last one, which is not the end, and whose steps have no other result.
func (s *Store) Write(_ context.Context, turn meet.TurnID, r turn.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(r.Entries) > 0 && s.refused > 0 {
		s.refused--
		return fault.New(fault.Unavailable, "The store is away.")
	}
	if r.Name != "" && s.names[turn] == r.Name {
		return nil
	}
	if len(r.Entries) > 0 && r.Entries[0].ID > 1 && len(s.entries[turn]) == 0 {
		return fault.New(fault.NotFound, "There is no such turn.")
	}
	for i, e := range r.Entries {
		if n := len(s.entries[turn]); e.ID != n+1+i || n > 0 && s.entries[turn][n-1].Last {
			return fault.New(fault.Conflict, "The entry does not follow the last one.")
		}
	}
	for _, step := range r.Steps {
		if kept, ok := s.steps[turn][step.Path]; ok && !slices.Equal(kept, step.Result) {
			return fault.New(fault.Conflict, "The step has another result.")
		}
	}
	s.keep(turn, r)
	if len(r.Entries) > 0 && s.lost > 0 {
		s.lost--
		return fault.New(fault.Unavailable, "The answer was lost.")
	}
	return nil
}

// keep takes the record in; the caller holds the mutex.
func (s *Store) keep(id meet.TurnID, r turn.Record) {
	if s.entries == nil {
		s.entries, s.steps = map[meet.TurnID][]turn.Entry{}, map[meet.TurnID]map[string][]byte{}
		s.names = map[meet.TurnID]string{}
	}
	s.names[id] = r.Name
	if s.steps[id] == nil {
		s.steps[id] = map[string][]byte{}
	}
	for _, step := range r.Steps {
		s.steps[id][step.Path] = step.Result
	}
	if len(r.State) > 0 {
		s.put(id, r.State)
	}
	if len(r.Entries) > 0 {
		s.entries[id] = append(s.entries[id], r.Entries...)
		s.signal()
	}
}

// Steps is what finished steps gave.
func (s *Store) Steps(_ context.Context, turn meet.TurnID) (map[string][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.steps[turn]), nil
}

// Written is all entries so far.
func (s *Store) Written(_ context.Context, turn meet.TurnID) ([]turn.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.entries[turn]), nil
}

// Entries waits until the turn's last entry is there and gives all of them.
func (s *Store) Entries(ctx context.Context, turn meet.TurnID) ([]turn.Entry, error) {
	for {
		s.mu.Lock()
		all := s.entries[turn]
		wait := s.watch()
		s.mu.Unlock()
		if n := len(all); n > 0 && all[n-1].Last {
			return all, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return all, ctx.Err()
		}
	}
}

func (s *Store) watch() <-chan struct{} {
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return s.changed
}

func (s *Store) signal() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// PutState keeps a state.
func (s *Store) PutState(_ context.Context, id meet.TurnID, state []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(id, state)
	return nil
}

// put keeps a state; the caller holds the mutex.
func (s *Store) put(id meet.TurnID, state []byte) {
	if s.states == nil {
		s.states = map[meet.TurnID][]byte{}
	}
	s.states[id] = state
}

// State gives a state.
func (s *Store) State(_ context.Context, id meet.TurnID) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	state, ok := s.states[id]
	if !ok {
		return nil, fault.New(fault.NotFound, "There is no such turn.")
	}
	return state, nil
}

// Claim gives the key to the first turn.
func (s *Store) Claim(_ context.Context, key, digest string, turn meet.TurnID) (meet.TurnID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claims == nil {
		s.claims = map[string]claim{}
	}
	held, ok := s.claims[key]
	if !ok {
		held = claim{turn, digest}
		s.claims[key] = held
	}
	if held.digest != digest {
		return "", fault.Invalid("Idempotency-Key", "was used for another request")
	}
	return held.turn, nil
}

// Release frees the key where the turn holds it.
func (s *Store) Release(_ context.Context, key string, turn meet.TurnID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claims[key].turn == turn {
		delete(s.claims, key)
	}
	return nil
}
