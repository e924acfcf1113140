package redisstore

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

func xadd(key string, values ...any) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: key, Values: values}
}

// steps is a record of steps, each a name and a result.
func steps(named ...string) turn.Record {
	var r turn.Record
	for i := 0; i < len(named); i += 2 {
		r.Steps = append(r.Steps, turn.Step{Path: named[i], Result: []byte(named[i+1])})
	}
	return r
}

// with is the record with a state and entries.
func with(r turn.Record, state string, entries ...turn.Entry) turn.Record {
	r.Entries, r.State = entries, []byte(state)
	return r
}

func TestSteps(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s := t.open(Config{})
		one, other, ctx := s.Log(), t.open(Config{}).Log(), t.Context()
		if got := must(one.Steps(ctx, "t"))(t); len(got) > 0 {
			t.Errorf("an unknown turn has steps: %q", got)
		}
		check(t, one.Write(ctx, "t", steps("classify", `{"intent":"converse"}`, "template", "\x00\n\xff")))
		check(t, one.Write(ctx, "u", steps("template", "")))
		check(t, other.Write(ctx, "t", steps("classify", `{"intent":"converse"}`)))
		want := map[string][]byte{"classify": []byte(`{"intent":"converse"}`), "template": []byte("\x00\n\xff")}
		if diff := cmp.Diff(want, must(other.Steps(ctx, "t"))(t)); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		wantLife(t, s, s.keys.steps("t"), time.Hour)
	})
}

// An update is never stored without the result of its step, nor the result without the update.
func TestARecordIsWrittenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		s, ctx := t.open(Config{}), t.Context()
		l, turns, another := s.Log(), s.Turns(), t.open(Config{}).Log()
		check(t, l.Write(ctx, "t", with(steps(), "queued", entry(1))))
		check(t, l.Write(ctx, "t", with(steps("classify", "1"), "", entry(2))))
		wantLife(t, s, s.keys.of("").state("t"), turnLife)
		wantLife(t, s, s.keys.log("t"), logLife)
		for name, refused := range map[string]turn.Record{
			"another result":           with(steps("template", "1", "classify", "2"), "running", entry(3)),
			"a stored entry":           with(steps("template", "1"), "running", by("another", 2)),
			"an entry after a gap":     with(steps("template", "1"), "running", entry(4)),
			"one stored of several":    with(steps("template", "1"), "running", by("another", 2), entry(3)),
			"a gap between entries":    with(steps("template", "1"), "running", entry(3), entry(5)),
			"an entry after the last":  with(steps("template", "1"), "running", last(3), entry(4)),
			"another result, no entry": with(steps("template", "1", "classify", "2"), "running"),
		} {
			for _, writer := range []*Log{l, another} {
				if err := writer.Write(ctx, "t", refused); fault.CodeOf(err) != fault.Conflict {
					t.Errorf("%s: %v, want a fault.Conflict", name, err)
				}
			}
		}
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2)}, must(l.Written(ctx, "t"))(t)); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string][]byte{"classify": []byte("1")}, must(l.Steps(ctx, "t"))(t)); diff != "" {
			t.Errorf("steps (-want +got):\n%s", diff)
		}
		if got := must(turns.State(ctx, "t"))(t); string(got) != "queued" {
			t.Errorf("state %q, want that of before", got)
		}

		check(t, another.Write(ctx, "t", with(steps(), "running")))
		check(t, another.Write(ctx, "t", with(steps("select", "3"), "done", entry(3), entry(4), last(5))))
		if got := must(turns.State(ctx, "t"))(t); string(got) != "done" {
			t.Errorf("state %q, want done", got)
		}
		all := []turn.Entry{entry(1), entry(2), entry(3), entry(4), last(5)}
		if got := must(l.Written(ctx, "t"))(t); !cmp.Equal(got, all) {
			t.Errorf("entries %v, want five with an end", got)
		}
		if kept := must(l.Steps(ctx, "t"))(t); len(kept) > 0 {
			t.Errorf("steps of a turn that has ended: %q", kept)
		}
	})
}

func TestWritten(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		one, other, ctx := t.open(Config{}).Log(), t.open(Config{}).Log(), t.Context()
		if got := must(other.Written(ctx, "t"))(t); len(got) > 0 {
			t.Errorf("an unknown turn has entries: %v", got)
		}
		check(t, one.Append(ctx, "t", entry(1)))
		check(t, one.Append(ctx, "t", entry(2)))
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2)}, must(other.Written(ctx, "t"))(t)); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
		check(t, other.Append(ctx, "t", last(3)))
		if diff := cmp.Diff([]turn.Entry{entry(1), entry(2), last(3)}, must(one.Written(ctx, "t"))(t)); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

// Once the new owner has written, every write of the former one is refused, whichever id it has reached.
func TestAFormerOwnerCannotWriteAfterTheNew(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		former, owner, ctx := t.open(Config{}).Log(), t.open(Config{}).Log(), t.Context()
		check(t, former.Append(ctx, "t", entry(1)))
		check(t, former.Append(ctx, "t", entry(2)))
		next := len(must(owner.Written(ctx, "t"))(t)) + 1
		check(t, owner.Append(ctx, "t", entry(next)))
		for range 2 {
			if err := former.Append(ctx, "t", by("former", 3)); fault.CodeOf(err) != fault.Conflict {
				t.Errorf("Append by the former owner = %v, want a fault.Conflict", err)
			}
			check(t, owner.Append(ctx, "t", entry(next+1)))
			next++
		}
		want := []turn.Entry{entry(1), entry(2), entry(3), entry(4), entry(5)}
		if diff := cmp.Diff(want, must(owner.Written(ctx, "t"))(t)); diff != "" {
			t.Errorf("entries (-want +got):\n%s", diff)
		}
	})
}

// by is an entry with the name of its writer.
func by(who string, id int) turn.Entry { return turn.Entry{ID: id, Data: []byte(who)} }

// A slow former owner races with the new one: the log has the former's entries, then the new one's, without a gap, and
// every entry whose Write succeeded.
func TestOwnersNeverMixInALog(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		former, owner, ctx := t.open(Config{}).Log(), t.open(Config{}).Log(), t.Context()
		const length = 12
		continued := 0
		for round := range 20 {
			accepted := meet.TurnID(fmt.Sprint("t", round))
			begun, both := round%4, sync.WaitGroup{}
			var its, mine []turn.Entry
			for id := 1; id <= begun; id++ {
				check(t, former.Append(ctx, accepted, by("former", id)))
				its = append(its, by("former", id))
			}
			// A try of the new owner lets the former one try too: each in one round, every second one in the next.
			race := make(chan struct{}, 2*length)
			both.Go(func() {
				for range race {
					// It writes until it is refused, as an owner does that has not heard of its loss.
					e := by("former", len(its)+1)
					if former.Append(ctx, accepted, e) != nil {
						return
					}
					its = append(its, e)
				}
			})
			both.Go(func() {
				defer close(race)
				var err error
				if mine, err = goOn(ctx, owner, accepted, length, func(try int) {
					if try%(1+round%2) == 0 {
						signal(race)
					}
				}); err != nil {
					t.Errorf("the new owner: %v", err)
				}
			})
			both.Wait()
			if len(mine) > 0 {
				continued++
			}
			got := must(owner.Written(ctx, accepted))(t)
			if diff := cmp.Diff(append(its, mine...), got); diff != "" || len(got) < length {
				t.Fatalf("entries of %s (-want +got):\n%s", accepted, diff)
			}
		}
		if continued == 0 {
			t.Error("the new owner never wrote anything: nothing was tested")
		}
	})
}

// goOn appends to the log until it has length entries, and reads it again if a former owner was faster. It calls before
// ahead of each try.
func goOn(
	ctx context.Context, l *Log, turn meet.TurnID, length int, before func(try int),
) (mine []turn.Entry, err error) {
	for try := 0; ; try++ {
		written, err := l.Written(ctx, turn)
		if err != nil || len(written) >= length {
			return mine, err
		}
		e := by("new", len(written)+1)
		before(try)
		switch err := l.Append(ctx, turn, e); {
		case err == nil:
			mine = append(mine, e)
		case fault.CodeOf(err) != fault.Conflict || len(mine) > 0:
			return mine, err
		}
	}
}
