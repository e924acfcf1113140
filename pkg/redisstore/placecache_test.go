package redisstore

import (
	"testing"
	"time"
)

func TestPlaceAnswers(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		answers, ctx := s.PlaceAnswers(), t.Context()
		if got := must(answers.Load(ctx, "coffee"))(t); got != nil {
			t.Errorf("Load = %q before anything was saved", got)
		}
		check(t, answers.Save(ctx, "coffee", []byte("[]"), 24*time.Hour))
		check(t, answers.Save(ctx, "tea", []byte("[]"), 0))
		if got := must(answers.Load(ctx, "coffee"))(t); string(got) != "[]" {
			t.Errorf("Load = %q", got)
		}
		if got := must(answers.Load(ctx, "tea"))(t); got != nil {
			t.Errorf("an answer of no life is kept: %q", got)
		}
		wantLife(t, s, s.keys.placeAnswer("coffee"), 24*time.Hour)
	})
}
