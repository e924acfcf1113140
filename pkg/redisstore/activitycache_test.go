package redisstore

import (
	"testing"
	"time"
)

func TestActivityAnswers(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		answers, ctx := s.ActivityAnswers(), t.Context()
		if got := must(answers.Load(ctx, "jazz"))(t); got != nil {
			t.Errorf("Load = %q before anything was saved", got)
		}
		check(t, answers.Save(ctx, "jazz", []byte("[]"), 3*time.Hour))
		check(t, answers.Save(ctx, "chess", []byte("[]"), 0))
		if got := must(answers.Load(ctx, "jazz"))(t); string(got) != "[]" {
			t.Errorf("Load = %q", got)
		}
		if got := must(answers.Load(ctx, "chess"))(t); got != nil {
			t.Errorf("an answer of no life is kept: %q", got)
		}
		wantLife(t, s, s.keys.activityAnswer("jazz"), 3*time.Hour)
	})
}
