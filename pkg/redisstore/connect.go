package redisstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

const (
	mostRetries   = 2
	longestRetry  = 100 * time.Millisecond
	dialsPerRetry = 1
)

// dialed is a client and where it looks for Redis, without the password.
type dialed struct {
	client  redis.UniversalClient
	address string
	// See Store.
	clustered, replaceable bool
}

// dial makes the client that the URL asks for; nothing is sent yet. The reason for which a URL is refused is not passed
// on: it may quote a password.
func (c Config) dial() (d dialed, err error) {
	switch u, parsing := url.Parse(c.URL); {
	case parsing != nil:
		err = parsing
	case u.Query().Has("master_name"):
		d, err = c.dialSentinels()
	case u.Query().Has("addr"):
		d, err = c.dialCluster()
	default:
		d, err = c.dialOne()
	}
	if err != nil {
		return dialed{}, errors.New("REDIS_URL is not the address of a Redis: write redis://[user:password@]host:port[/database], " +
			"for a cluster redis://host:port?addr=host:port…, or with sentinels redis://sentinel:port?master_name=name&addr=sentinel:port…")
	}
	return d, nil
}

func (c Config) dialOne() (dialed, error) {
	opts, err := redis.ParseURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.PoolSize = cmp.Or(c.PoolSize, opts.PoolSize)
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = mostRetries, longestRetry, dialsPerRetry
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return dialed{client: redis.NewClient(opts), address: opts.Addr}, nil
}

// dialCluster starts from the addresses in the URL and learns the others from them.
func (c Config) dialCluster() (dialed, error) {
	opts, err := redis.ParseClusterURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.PoolSize = cmp.Or(c.PoolSize, opts.PoolSize)
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = mostRetries, longestRetry, dialsPerRetry
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return dialed{client: redis.NewClusterClient(opts), address: strings.Join(opts.Addrs, ", "), clustered: true, replaceable: true}, nil
}

// dialSentinels asks the sentinels in the URL which server is the master, again whenever that changes.
func (c Config) dialSentinels() (dialed, error) {
	opts, err := redis.ParseFailoverURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.PoolSize = cmp.Or(c.PoolSize, opts.PoolSize)
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = mostRetries, longestRetry, dialsPerRetry
	opts.DisableIdentity = true
	address := fmt.Sprintf("%q as the sentinels at %s know it", opts.MasterName, strings.Join(opts.SentinelAddrs, ", "))
	return dialed{client: redis.NewFailoverClient(opts), address: address, replaceable: true}, nil
}

// connect returns when Redis has answered or cannot be expected to any more. A server that turns out to be a node of a
// cluster is taken for the whole cluster.
func (s *Store) connect(ctx context.Context, cfg Config) error {
	d, err := cfg.dial()
	if err != nil {
		return err
	}
	s.client, s.clustered, s.replaceable = d.client, d.clustered, d.replaceable
	if err := s.awaitAnswer(ctx, d.address); err != nil {
		return errors.Join(err, s.disconnect())
	}
	one, single := d.client.(*redis.Client)
	if !single || d.replaceable || s.embedded != nil || !s.ofCluster(ctx, one) {
		return nil
	}
	// A node that is reached through a socket cannot stand for its cluster.
	if d, err = cfg.dialCluster(); err != nil {
		return errors.Join(errors.New("REDIS_URL: write the address of a node as redis://host:port"), s.disconnect())
	}
	if err := s.disconnect(); err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	s.client, s.clustered, s.replaceable = d.client, true, true
	if err := s.awaitAnswer(ctx, d.address); err != nil {
		return errors.Join(err, s.disconnect())
	}
	return nil
}

// ofCluster asks a server whether it is a node of a cluster; one that does not say is none.
func (s *Store) ofCluster(ctx context.Context, one *redis.Client) (yes bool) {
	_ = s.do(ctx, "info", func(ctx context.Context) error {
		info, err := one.Info(ctx, "cluster").Result()
		yes = strings.Contains(info, "cluster_enabled:1")
		return err
	})
	return yes
}

// awaitAnswer pings until Redis answers. A refusal, a wrong password for one, is final at once, unless it passes: a server
// that is still loading its data, or looking for its master, is worth waiting for.
func (s *Store) awaitAnswer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.ConnectTimeout)
	defer cancel()
	pause := 50 * time.Millisecond
	var unready redis.Error // what it said last
	for {
		err := s.client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		said, answered := answerOf(err)
		if answered && !passes(said) {
			return fmt.Errorf("REDIS_URL: the Redis at %s refuses us: %w", address, err)
		}
		if answered {
			unready = said
		}
		select {
		case <-ctx.Done():
			if unready != nil {
				return fmt.Errorf("REDIS_URL: the Redis at %s is not ready: %w", address, unready)
			}
			return fmt.Errorf("REDIS_URL: no Redis answers at %s (%w): start one there, or leave REDIS_URL empty for the "+
				"embedded store", address, err)
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		}
	}
}
