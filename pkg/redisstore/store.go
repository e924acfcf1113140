// Package redisstore keeps what Convene remembers: the queue of turns, their logs and steps, conversations,
// proposals, people, the built-in calendar and the locks of confirming. It speaks to one Redis; where none is
// configured, an embedded server serves, and nothing outlives the process. It may be one server, one that sentinels
// choose, or a cluster: what one command, script or transaction touches shares a hash slot.
//
// Everything here is a small struct on top of a Store, shaped for one consumer. Keys are spelled in keys.go only. All
// commands have a deadline, and what Redis cannot do becomes a fault at this edge. While Redis is away for a moment,
// operations wait for it; see Config.Patience.
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
	// URL is redis://[user:password@]host:port[/database], rediss:// for TLS, or unix:// for a socket. Where that server
	// is a node of a cluster, the whole cluster serves; ?addr=host:port, once or several times, names more nodes to
	// start from. With ?master_name= the addresses are those of sentinels, user and password are theirs, and
	// &username= and &password= are the server's. Empty means the embedded server.
	URL string
	// Prefix starts every key, so that several installations can share a Redis. Defaults to "convene:".
	Prefix string
	// ConnectTimeout bounds Open, which tries again while Redis is starting. Defaults to 10 s.
	ConnectTimeout time.Duration
	// CommandTimeout bounds each try of an operation. Defaults to 2 s.
	CommandTimeout time.Duration
	// Patience is for how long an operation is tried again while Redis is away, where its context has no deadline; one
	// that has is tried until then. Defaults to 5 s.
	Patience time.Duration
	// HoldWait bounds how long Hold waits for somebody else's hold to end. Defaults to 5 s.
	HoldWait time.Duration
	// PoolSize is how many connections are kept. Defaults to 10 for each CPU.
	PoolSize int
	// Now tells the time by which the age of events is judged. Defaults to time.Now.
	Now func() time.Time
	// OnError, where set, is told of each try of an operation that Redis refused or did not answer: there are some
	// dozens of operations, each with a short name. It must not block.
	OnError func(operation string)

	// sweepEvery is how often followed logs are checked for having expired; only tests change it.
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

// Store is a connection to Redis with what is kept there. It is safe for concurrent use.
type Store struct {
	client redis.UniversalClient
	// shared is for what turns ask all the time: its commands are sent in batches.
	shared   *redis.Client
	batches  *batches
	embedded *embedded
	keys     keys
	config   Config
	// clustered says that the keys are spread over several servers; replaceable, that a server may be replaced by one that
	// has not heard of the last writes.
	clustered, replaceable bool
	log                    *Log
	closing                sync.Once
	// closed is closed when Close begins.
	closed chan struct{}

	mu     sync.Mutex
	queues []*Queue

	people knownPeople
	// long are the keys of hashes that had many fields when they were read last.
	long sync.Map
}

// Open connects, and returns when Redis has answered or cannot be expected to any more. Its error names REDIS_URL and
// never its password. The caller closes the store.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	// go-redis writes lines of its own to standard error about what it also answers with.
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
	s.batches = newBatches(s)
	s.shared = s.batches.client()
	s.log = newLog(s)
	return s, nil
}

// Embedded reports whether nothing outlives the process, because no Redis is configured.
func (s *Store) Embedded() bool { return s.embedded != nil }

// Ping asks Redis whether it answers and takes what is written, and knows within a CommandTimeout: a Redis that is
// read-only or full is no use.
func (s *Store) Ping(ctx context.Context) error {
	return s.once(ctx, "ping", func(ctx context.Context) error {
		return s.client.Set(ctx, s.keys.ping(), "", time.Minute).Err()
	})
}

// Close ends all that follow a log, waits for the store's own goroutines and disconnects. Closing it again does
// nothing.
func (s *Store) Close() (err error) {
	s.closing.Do(func() {
		close(s.closed)
		s.log.close()
		s.closeQueues()
		err = errors.Join(s.disconnect(), s.shared.Close())
	})
	return err
}

// closeQueues waits until none of the queues asks Redis any more.
func (s *Store) closeQueues() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.queues {
		close(q.closed)
	}
	if s.embedded != nil {
		// Its end ends the reads that block, which nothing else does; what they might bring would be lost anyhow.
		s.embedded.close()
	}
	for _, q := range s.queues {
		q.reading <- struct{}{}
	}
}

func (s *Store) disconnect() error {
	if s.embedded != nil {
		s.embedded.close()
	}
	return s.client.Close()
}

// answerOf is what Redis says in err, if that is what failed and not that nothing is heard of it.
func answerOf(err error) (redis.Error, bool) { return errors.AsType[redis.Error](err) }

// once runs one operation under the CommandTimeout and turns its failure into a fault. redis.Nil and faults pass
// unchanged, and where the caller's own ctx has ended, its error is the answer. Over a connection that broke, the
// answer may have got lost, so the operation is run once more: whatever is done here must bear being done twice.
func (s *Store) once(ctx context.Context, operation string, run func(context.Context) error) error {
	bounded, cancel := context.WithTimeout(ctx, s.config.CommandTimeout)
	defer cancel()
	err := run(bounded)
	if broken(err) {
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

// broken reports whether the connection was cut, rather than refused or too slow.
func broken(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func unavailable(operation string, err error) error {
	return fault.New(fault.Unavailable, "Our memory is not reachable right now; please try again in a moment.").
		Later(time.Second).Because(fmt.Errorf("%s: %w", operation, err))
}

// together is how many keys one command may name, at most most: on a cluster they are anywhere.
func (s *Store) together(most int) int {
	if s.clustered {
		return 1
	}
	return most
}
