package redisstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"convene/pkg/fault"
)

// said is an error reply of Redis.
type said string

func (s said) Error() string { return string(s) }
func (s said) RedisError()   {}

var _ redis.Error = said("")

func TestTransientReplies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{redis.Nil, false},
		{fault.New(fault.Conflict, "taken"), false},
		{context.Canceled, false},
		{unavailable("x", errors.New("connection refused")), true},
		{unavailable("x", context.DeadlineExceeded), true},
		{unavailable("x", said("LOADING Redis is loading the dataset in memory")), true},
		{unavailable("x", said("READONLY You can't write against a read only replica.")), true},
		{unavailable("x", said("OOM command not allowed when used memory > 'maxmemory'.")), true},
		{unavailable("x", said("ERR max number of clients reached")), true},
		{unavailable("x", said("WRONGTYPE Operation against a key holding the wrong kind of value")), false},
		{unavailable("x", said("NOAUTH Authentication required.")), false},
		{unavailable("x", said("ERR unknown command 'XADD'")), false},
	} {
		if got := transient(tt.err); got != tt.want {
			t.Errorf("transient(%v) = %t, want %t", tt.err, got, tt.want)
		}
	}
}

func TestOperationsWaitForRedis(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ patience, deadline time.Duration }{
		"for as long as is configured":        {time.Minute, 0},
		"until the deadline of their context": {time.Millisecond, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			network, address := startProxy(t, openStore(t, Config{}).embedded.url())
			s := openStore(t, Config{URL: address, Patience: tt.patience})
			ctx := t.Context()
			if tt.deadline > 0 {
				bounded, cancel := context.WithTimeout(ctx, tt.deadline)
				defer cancel()
				ctx = bounded
			}
			network.off()
			done := make(chan error)
			go func() { done <- s.Turns().PutState(ctx, "t", []byte("{}")) }()
			<-network.refused
			network.on()
			check(t, <-done)
		})
	}
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	network, address := startProxy(t, openStore(t, Config{}).embedded.url())
	s := must(Open(t.Context(), Config{URL: address, Patience: safetyNet}))(t)
	network.off()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	err := s.Turns().PutState(ctx, "t", nil)
	if fault.CodeOf(err) != fault.Unavailable && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("PutState at the deadline = %v", err)
	}
	if took := time.Since(begun); took > safetyNet/2 {
		t.Errorf("PutState took %v, want about 100ms", took)
	}
	ended := make(chan error)
	go func() { ended <- s.Turns().PutState(t.Context(), "t", nil) }()
	<-network.refused
	check(t, s.Close())
	if err := <-ended; fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("PutState of a store that is closed = %v, want a fault.Unavailable", err)
	}
}
