// Package redisstore keeps what Convene remembers: the queue of turns, their checkpoints and logs, conversations,
// proposals, people, the built-in calendar and the locks of confirming. It speaks to one Redis; where none is
// configured, an embedded server serves, and nothing outlives the process.
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
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"convene/pkg/fault"
)

// Config says which Redis to use and how patiently. The zero value is a complete configuration.
type Config struct {
	// URL is redis://[user:password@]host:port[/database], rediss:// for TLS, or unix:// for a socket. Empty means
	// the embedded server.
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

// options are the client's settings. The reason for which a URL is refused is not passed on: it may quote a password.
func (c Config) options() (*redis.Options, error) {
	opts, err := redis.ParseURL(c.URL)
	if err != nil {
		return nil, errors.New("REDIS_URL is not the address of a Redis: write redis://[user:password@]host:port[/database]")
	}
	opts.PoolSize = cmp.Or(c.PoolSize, opts.PoolSize)
	opts.DialTimeout = c.CommandTimeout
	opts.ReadTimeout = c.CommandTimeout
	opts.WriteTimeout = c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries = 2
	opts.DialerRetries = 1
	opts.MaxRetryBackoff = 100 * time.Millisecond
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return opts, nil
}

// Store is a connection to Redis with what is kept there. It is safe for concurrent use.
type Store struct {
	client   *redis.Client
	embedded *embedded
	keys     keys
	config   Config
	log      *Log
	closing  sync.Once
	// closed is closed when Close begins.
	closed chan struct{}

	mu     sync.Mutex
	queues []*Queue

	people knownPeople
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
	opts, err := cfg.options()
	if err != nil {
		return nil, err
	}
	s.client = redis.NewClient(opts)
	if err := s.awaitAnswer(ctx, opts.Addr); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
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
		err = s.disconnect()
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

// awaitAnswer pings until Redis answers. A refusal, a wrong password for one, is final at once; only a server that is
// still loading its data is worth waiting for.
func (s *Store) awaitAnswer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.ConnectTimeout)
	defer cancel()
	pause := 50 * time.Millisecond
	for {
		err := s.client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		if refused(err) {
			return fmt.Errorf("REDIS_URL: the Redis at %s refuses us: %w", address, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("REDIS_URL: no Redis answers at %s (%w): start one there, or leave REDIS_URL empty for the "+
				"embedded store", address, err)
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		}
	}
}

// refused reports whether Redis itself answered, with something that waiting will not change.
func refused(err error) bool {
	answer, ok := answerOf(err)
	return ok && !strings.HasPrefix(answer.Error(), "LOADING")
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
