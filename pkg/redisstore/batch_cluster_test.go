package redisstore

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/meet"
	"convene/pkg/redisstore/redistest"
)

// One node of a cluster hangs while logs are written on all of them.
func TestAHangingNodeDelaysNoOther(t *testing.T) {
	t.Parallel()
	nodes := redistest.StartCluster(t)
	t.Cleanup(nodes.Close)
	s := openStore(t, Config{
		URL: nodes.URL, Prefix: rand.Text() + ":", CommandTimeout: time.Second, Patience: time.Millisecond,
	})
	cluster, ok := s.client.(*redis.ClusterClient)
	if !ok {
		t.Fatalf("the client is a %T", s.client)
	}
	nodeOf := func(turn meet.TurnID) *redis.Client {
		return must(cluster.MasterForKey(t.Context(), s.keys.log(turn)))(t)
	}
	check(t, s.Log().Append(t.Context(), "t", entry(1)))
	hanging := nodeOf("t")
	var others []meet.TurnID
	for i := range 20 {
		turn := meet.TurnID(fmt.Sprint("t", i))
		check(t, s.Log().Append(t.Context(), turn, entry(1)))
		if nodeOf(turn) != hanging {
			others = append(others, turn)
		}
	}
	check(t, hanging.Do(t.Context(), "client", "pause", safetyNet.Milliseconds(), "write").Err())
	held := make(chan error, 1)
	go func() { held <- s.Log().Append(t.Context(), "t", entry(2)) }()
	found, known := s.batcher.nodes.Load(hanging)
	if !known {
		t.Fatal("the hanging node has no sender")
	}
	until(t, "a request to the hanging node is under way", func() bool { return len(found.(*sender).sending) == 1 })
	for _, turn := range others {
		check(t, s.Log().Append(t.Context(), turn, entry(2)))
	}
	select {
	case err := <-held:
		t.Errorf("the hanging node answered before the others: %v", err)
	default:
	}
	check(t, hanging.Do(t.Context(), "client", "unpause").Err())
	check(t, <-held)
}
