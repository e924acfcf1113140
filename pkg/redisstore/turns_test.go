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
		wantLife(t, s, s.keys.of("").state("t1"), 24*time.Hour)
	})
}

func TestClaim(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, other := t.open(Config{}), t.open(Config{})
		claim := func(s *Store, key string, turn meet.TurnID) meet.TurnID {
			t.Helper()
			return must(s.Turns().Claim(t.Context(), key, "", turn))(t)
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
		wantLife(t, s, s.keys.of("").claim("k"), 24*time.Hour)
	})
}

func TestClaimIsForOneRequest(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		turns, ctx := t.open(Config{}).Turns(), t.Context()
		for _, tt := range []struct {
			digest string
			turn   meet.TurnID
			want   meet.TurnID
			code   fault.Code
		}{
			{"d1", "t1", "t1", ""},
			{"d1", "t2", "t1", ""},
			{"d2", "t3", "", fault.InvalidRequest},
			{"", "t3", "", fault.InvalidRequest},
			{"d1", "t1", "t1", ""},
		} {
			winner, err := turns.Claim(ctx, "k", tt.digest, tt.turn)
			if winner != tt.want || fault.CodeOf(err) != tt.code {
				t.Errorf("Claim(%q, %s) = %q, %v; want %q, %q", tt.digest, tt.turn, winner, err, tt.want, tt.code)
			}
			if err != nil && fault.As(err).Field != "Idempotency-Key" {
				t.Errorf("field = %q, want Idempotency-Key", fault.As(err).Field)
			}
		}
	})
}

func TestRelease(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		turns, ctx := t.open(Config{}).Turns(), t.Context()
		check(t, turns.Release(ctx, "k", "t1"))
		must(turns.Claim(ctx, "k", "d1", "t1"))(t)
		for _, step := range []struct {
			release, claim, want meet.TurnID
		}{
			{"t2", "t2", "t1"}, // not its own
			{"t", "t2", "t1"},  // nor one that begins alike
			{"t1", "t2", "t2"},
			{"t1", "t3", "t2"}, // no longer its own
		} {
			check(t, turns.Release(ctx, "k", step.release))
			if got := must(turns.Claim(ctx, "k", "d1", step.claim))(t); got != step.want {
				t.Errorf("after %s let go, %s claims and %s holds, want %s", step.release, step.claim, got, step.want)
			}
		}
	})
}

func TestOneOfManyClaimsSucceeds(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		turns := t.open(Config{}).Turns()
		winners := make([]meet.TurnID, 20)
		var all sync.WaitGroup
		for i := range winners {
			all.Go(func() {
				winner, err := turns.Claim(t.Context(), "k", "", meet.TurnID(fmt.Sprint("t", i)))
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
