package answers_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"convene/pkg/answers"
)

var errAway = errors.New("away")

// shelf is a store in memory, which can be away.
type shelf struct {
	kept map[string][]byte
	away bool
}

func (s *shelf) Load(_ context.Context, key string) ([]byte, error) {
	if s.away {
		return nil, errAway
	}
	return s.kept[key], nil
}

func (s *shelf) Save(_ context.Context, key string, answer []byte, _ time.Duration) error {
	if s.away {
		return errAway
	}
	s.kept[key] = answer
	return nil
}

func TestKept(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		store answers.Store
		life  time.Duration
		want  []string
		// failures is how often Notify is called for one answer saved and loaded.
		failures int
	}{
		"an answer":            {&shelf{kept: map[string][]byte{}}, time.Hour, []string{"a", "b"}, 0},
		"no life":              {&shelf{kept: map[string][]byte{}}, 0, nil, 0},
		"no store":             {nil, time.Hour, nil, 0},
		"a store that is away": {&shelf{away: true}, time.Hour, nil, 2},
	} {
		failures := 0
		kept := answers.Kept[[]string]{Store: c.store, Life: c.life, Notify: func(context.Context, error) { failures++ }}
		if got, found := kept.Load(t.Context(), "key"); found || got != nil {
			t.Errorf("%s: %q is kept before anything was", name, got)
		}
		failures = 0
		kept.Save(t.Context(), "key", []string{"a", "b"})
		got, found := kept.Load(t.Context(), "key")
		if !slices.Equal(got, c.want) || found != (c.want != nil) || failures != c.failures {
			t.Errorf("%s: %q, %v and %d failures, want %q and %d", name, got, found, failures, c.want, c.failures)
		}
	}
}

func TestWhatCannotBeReadIsNotAnAnswer(t *testing.T) {
	t.Parallel()
	failures := 0
	kept := answers.Kept[[]string]{
		Store: &shelf{kept: map[string][]byte{"key": []byte(`["a", 7]`)}}, Life: time.Hour,
		Notify: func(context.Context, error) { failures++ },
	}
	if got, found := kept.Load(t.Context(), "key"); got != nil || found || failures != 1 {
		t.Errorf("%q, %v and %d failures", got, found, failures)
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	type question struct{ Text string }
	seen := map[string]bool{}
	for _, c := range []struct {
		source  string
		version int
		text    string
	}{{"web", 1, "jazz"}, {"web", 1, "chess"}, {"web", 2, "jazz"}, {"file", 1, "jazz"}, {"web", 1, "jazz"}} {
		key, err := answers.Key(c.source, c.version, question{c.text})
		if err != nil || len(key) != 64 {
			t.Fatalf("key = %q, %v", key, err)
		}
		seen[key] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d keys of four questions", len(seen))
	}
}
