package redisstore

import (
	"testing"
	"time"

	"convene/pkg/fault"
)

func TestChatsKnowTheirLatestTurn(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		chats, ctx := s.Chats(), t.Context()
		if _, err := chats.Latest(ctx, "c1"); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("Latest of an unknown chat = %v, want a fault.NotFound", err)
		}
		check(t, chats.Remember(ctx, "c1", "t1"))
		check(t, chats.Remember(ctx, "c2", "t2"))
		check(t, chats.Remember(ctx, "c1", "t3"))
		if got := must(chats.Latest(ctx, "c1"))(t); got != "t3" {
			t.Errorf("Latest = %s, want t3", got)
		}
		wantLife(t, s, s.keys.of("").chat("c1"), time.Hour)
	})
}
