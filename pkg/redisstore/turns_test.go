package redisstore

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestTurnState(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		turns, ctx := s.Turns(), t.Context()
		if _, err := turns.State(ctx, "t1"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("an unknown turn = %v, want a fault.NotFound", err)
		}
		for _, want := range []string{`{"state":"running"}`, `{"state":"done"}`} {
			check(t, turns.PutState(ctx, "t1", []byte(want)))
			if got := string(must(turns.State(ctx, "t1"))(t)); got != want {
				t.Errorf("State = %s, want %s", got, want)
			}
		}
		wantLife(t, s, s.keys.state("t1"), 24*time.Hour)
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, other := t.open(Config{}), t.open(Config{})
		claim := func(s *Store, key string, turn meet.TurnID) meet.TurnID {
			t.Helper()
			return must(s.Turns().Claim(t.Context(), key, turn))(t)
		}
		for _, tt := range []struct {
			store *Store
			key   string
			turn  meet.TurnID
			want  meet.TurnID
		}{
			{s, "k", "t1", "t1"},
			{s, "k", "t2", "t1"},
			{other, "k", "t3", "t1"},
			{s, "k", "t1", "t1"},
			{s, "another {key}:\n", "t2", "t2"},
			{s, "", "t3", "t3"},
		} {
			if got := claim(tt.store, tt.key, tt.turn); got != tt.want {
				t.Errorf("Claim(%q, %s) = %s, want %s", tt.key, tt.turn, got, tt.want)
			}
		}
		wantLife(t, s, s.keys.claim("k"), 24*time.Hour)
	})
}

func TestOneOfManyClaimsWins(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		turns := t.open(Config{}).Turns()
		winners := make([]meet.TurnID, 20)
		var all sync.WaitGroup
		for i := range winners {
			all.Go(func() {
				winner, err := turns.Claim(t.Context(), "k", meet.TurnID(fmt.Sprint("t", i)))
				if err != nil {
					t.Errorf("Claim: %v", err)
				}
				winners[i] = winner
			})
		}
		all.Wait()
		for _, w := range winners {
			if w == "" || w != winners[0] {
				t.Fatalf("winners = %q, want one for all", winners)
			}
		}
	})
}
