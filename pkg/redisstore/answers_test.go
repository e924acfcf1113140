package redisstore

import (
	"testing"
	"time"
)

func TestAnswers(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, ctx := t.open(Config{}), t.Context()
		for kind, c := range map[string]struct {
			answers Answers
			key     string
			life    time.Duration
		}{
			"places":     {s.PlaceAnswers(), s.keys.placeAnswer("coffee"), 24 * time.Hour},
			"activities": {s.ActivityAnswers(), s.keys.activityAnswer("coffee"), 3 * time.Hour},
		} {
			if got := must(c.answers.Load(ctx, "coffee"))(t); got != nil {
				t.Errorf("%s: Load = %q before anything was saved", kind, got)
			}
			check(t, c.answers.Save(ctx, "coffee", []byte(kind), c.life))
			check(t, c.answers.Save(ctx, "tea", []byte("[]"), 0))
			if got := must(c.answers.Load(ctx, "coffee"))(t); string(got) != kind {
				t.Errorf("%s: Load = %q", kind, got)
			}
			if got := must(c.answers.Load(ctx, "tea"))(t); got != nil {
				t.Errorf("%s: an answer of no life is kept: %q", kind, got)
			}
			wantLife(t, s, c.key, c.life)
		}
	})
}
