package redisstore

import (
	"testing"

	"convene/pkg/meet"
	"convene/pkg/turn"
)

// The known entries are read while no new entry can miss the feed.
func TestAFeedStartsWithTheKnownEntries(t *testing.T) {
	t.Parallel()
	h := newHub()
	f := h.join("t", func(meet.TurnID) []turn.Entry {
		if h.mu.TryLock() {
			h.mu.Unlock()
			t.Error("an entry that is written now would find no feed")
		}
		return []turn.Entry{entry(1)}
	})
	defer h.leave(f)
	h.publish("t", []turn.Entry{entry(2)})
	if ready, _, _, err := f.next(0); len(ready) != 2 || err != nil {
		t.Errorf("%d entries are ready, %v; want 2", len(ready), err)
	}
}
