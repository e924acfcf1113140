// Package redisstore keeps Convene's state in Redis: the queue of turns, their logs and steps, conversations,
// proposals, people, the built-in calendar and the locks of confirmations. Redis is one server, a master that sentinels
// choose, or a cluster: the keys of one command, script or transaction share a hash slot. If none is configured, an
// embedded server takes its place, and nothing outlives the process.
//
// Each type here is a small struct on top of a Store, shaped for one consumer. Only keys.go spells keys. Every command
// has a deadline, and its failure becomes a fault here. While Redis is briefly away, operations wait for it; see
// Config.Patience.
package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"

	"convene/pkg/fault"
)

// Config says which Redis to use and how patiently. The zero value is a complete configuration.
type Config struct {
	// URL is redis://[user:password@]host:port[/database], rediss:// for TLS, or unix:// for a socket. If that server is
	// a node of a cluster, the store uses the whole cluster; each ?addr=host:port names another node to start from. With
	// ?master_name= the addresses, user and password are the sentinels', and &username= and &password= the server's.
	// ?pool_size= is the number of connections, by default 10 for each CPU. Empty means the embedded server.
	URL string
	// Prefix starts every key, so that several installations can share a Redis. Defaults to "convene:".
	Prefix string
	// ConnectTimeout bounds Open, which tries again while Redis is starting. Defaults to 10 s.
	ConnectTimeout time.Duration
	// CommandTimeout bounds each try of an operation. Defaults to 2 s.
	CommandTimeout time.Duration
	// Patience is how long an operation is retried while Redis is away. It applies if the operation's context has no
	// deadline; one with a deadline is retried until then. Defaults to 5 s.
	Patience time.Duration
	// HoldWait bounds how long Hold waits for another hold to end. Defaults to 5 s.
	HoldWait time.Duration
	// Now is the clock that the lives of events and proposals are counted from. Defaults to time.Now.
	Now func() time.Time
	// OnError, if set, is called for each try of an operation that Redis refused or did not answer, with one of a few
	// dozen short names. It must not block.
	OnError func(operation string)

	// sweepEvery is the interval between checks whether followed logs have expired; only tests change it.
	sweepEvery time.Duration
}

func (c Config) withDefaults() Config {
	c.Prefix = cmp.Or(c.Prefix, "convene:")
	c.ConnectTimeout = cmp.Or(c.ConnectTimeout, 10*time.Second)
	c.CommandTimeout = cmp.Or(c.CommandTimeout, 2*time.Second)
	c.Patience = cmp.Or(c.Patience, 5*time.Second)
	c.HoldWait = cmp.Or(c.HoldWait, 5*time.Second)
	c.sweepEvery = cmp.Or(c.sweepEvery, 15*time.Second)
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.OnError == nil {
		c.OnError = func(string) {}
	}
	return c
}

// Store is a connection to Redis. It is safe for concurrent use.
type Store struct {
	client redis.UniversalClient
	// shared sends its commands in batches: the frequent ones of turns.
	shared   *redis.Client
	batcher  *batcher
	embedded *embedded
	keys     keys
	config   Config
	// clustered says that the keys are spread over several servers; replaceable, that a server may be replaced by one
	// that lacks the last writes.
	clustered, replaceable bool
	log                    *Log
	closing                sync.Once
	// closed is closed when Close begins.
	closed chan struct{}

	mu     sync.Mutex
	queues []*Queue

	people personCache
	bells  bells
	// large has the keys of hashes that had many fields when they were last read.
	large sync.Map
}

// Open connects, and returns once Redis answers or refuses, or ConnectTimeout is over. Its error names REDIS_URL and
// never quotes its password. The caller closes the store.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	// go-redis also writes the errors that it returns to standard error.
	logging.Disable()
	cfg = cfg.withDefaults()
	s := &Store{keys: keys{cfg.Prefix}, config: cfg, closed: make(chan struct{})}
	if cfg.URL == "" {
		server, err := startEmbedded()
		if err != nil {
			return nil, err
		}
		s.embedded, cfg.URL = server, server.url()
	}
	if err := s.connect(ctx, cfg); err != nil {
		return nil, err
	}
	s.batcher = newBatcher(s)
	s.shared = s.batcher.client()
	s.log = newLog(s)
	return s, nil
}

// Embedded reports whether no Redis is configured, so that nothing outlives the process.
func (s *Store) Embedded() bool { return s.embedded != nil }

// Ping checks, within CommandTimeout, that Redis answers and accepts a write: a Redis that is read-only or full is no
// use.
func (s *Store) Ping(ctx context.Context) error {
	return s.once(ctx, "ping", func(ctx context.Context) error {
		return s.client.Set(ctx, s.keys.ping(), "", time.Minute).Err()
	})
}

// Close ends every Follow, waits for the store's goroutines and disconnects. Closing it again does nothing.
func (s *Store) Close() (err error) {
	s.closing.Do(func() {
		close(s.closed)
		s.log.close()
		s.closeQueues()
		err = errors.Join(s.disconnect(), s.shared.Close())
	})
	return err
}

// closeQueues ends the queues and waits for their last read.
func (s *Store) closeQueues() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.embedded != nil {
		// Nothing else interrupts blocking reads, and the turns that they might bring are lost with this process anyway.
		s.embedded.close()
	}
	for _, q := range s.queues {
		q.taking <- struct{}{}
	}
}

func (s *Store) disconnect() error {
	if s.embedded != nil {
		s.embedded.close()
	}
	return s.client.Close()
}

// errorReply is the error reply of Redis in err, if Redis has answered.
func errorReply(err error) (redis.Error, bool) { return errors.AsType[redis.Error](err) }

// once runs an operation under CommandTimeout and turns its failure into a fault. redis.Nil and faults pass unchanged;
// if ctx itself has ended, the error is ctx's. After a connection broke, the reply may be lost, so the operation runs
// once more: every operation must be safe to repeat.
func (s *Store) once(ctx context.Context, operation string, run func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, s.config.CommandTimeout)
	defer cancel()
	err := run(bounded)
	if disconnected(err) {
		err = run(bounded)
	}
	if err == nil || errors.Is(err, redis.Nil) {
		return err
	}
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", operation, ctx.Err())
	}
	s.config.OnError(operation)
	return unavailable(operation, err)
}

// disconnected reports whether the connection was cut, rather than refused or too slow.
func disconnected(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func unavailable(operation string, err error) error {
	return fault.New(fault.Unavailable, "Our memory is not reachable right now; please try again in a moment.").
		Later(time.Second).Because(fmt.Errorf("%s: %w", operation, err))
}

// ask runs an operation that has a result, with Store.do or Store.once.
func ask[T any](
	ctx context.Context, do func(context.Context, string, func(context.Context) error) error,
	operation string, run func(context.Context) (T, error),
) (result T, err error) {
	err = do(ctx, operation, func(ctx context.Context) (err error) {
		result, err = run(ctx)
		return err
	})
	return result, err
}

// reply is that to a script, which Store.do or Store.once runs.
func (s *Store) reply(
	ctx context.Context, do func(context.Context, string, func(context.Context) error) error, operation string, c call,
) (reply *redis.Cmd) {
	err := do(ctx, operation, func(ctx context.Context) error {
		reply = c.script.Run(ctx, s.client, c.keys, c.args...)
		return reply.Err()
	})
	if reply == nil {
		reply = redis.NewCmd(ctx)
	}
	reply.SetErr(err)
	return reply
}
