package redisstore

import (
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
	maxRetries      = 2
	maxRetryBackoff = 100 * time.Millisecond
	dialsPerRetry   = 1
)

// dialed is a client and the address where it looks for Redis, without the password.
type dialed struct {
	client  redis.UniversalClient
	address string
	// See Store.
	clustered, replaceable bool
}

// dial makes the client that the URL asks for, and sends nothing yet. Its error hides the parser's, which may quote a
// password.
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
		return dialed{}, errors.New("REDIS_URL is not the address of a Redis: write " +
			"redis://[user:password@]host:port[/database], for a cluster redis://host:port?addr=host:port…, " +
			"or with sentinels redis://sentinel:port?master_name=name&addr=sentinel:port…")
	}
	return d, nil
}

func (c Config) dialOne() (dialed, error) {
	opts, err := redis.ParseURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = maxRetries, maxRetryBackoff, dialsPerRetry
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return dialed{client: redis.NewClient(opts), address: opts.Addr}, nil
}

// dialCluster starts from the addresses in the URL, which name the other nodes.
func (c Config) dialCluster() (dialed, error) {
	opts, err := redis.ParseClusterURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = maxRetries, maxRetryBackoff, dialsPerRetry
	opts.DisableIdentity = true
	opts.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	client, address := redis.NewClusterClient(opts), strings.Join(opts.Addrs, ", ")
	return dialed{client: client, address: address, clustered: true, replaceable: true}, nil
}

// dialSentinels makes a client that asks the sentinels in the URL for the master, and follows its changes.
func (c Config) dialSentinels() (dialed, error) {
	opts, err := redis.ParseFailoverURL(c.URL)
	if err != nil {
		return dialed{}, err
	}
	opts.DialTimeout, opts.ReadTimeout, opts.WriteTimeout = c.CommandTimeout, c.CommandTimeout, c.CommandTimeout
	opts.ContextTimeoutEnabled = true
	opts.MaxRetries, opts.MaxRetryBackoff, opts.DialerRetries = maxRetries, maxRetryBackoff, dialsPerRetry
	opts.DisableIdentity = true
	address := fmt.Sprintf("%q as the sentinels at %s know it", opts.MasterName, strings.Join(opts.SentinelAddrs, ", "))
	return dialed{client: redis.NewFailoverClient(opts), address: address, replaceable: true}, nil
}

// connect dials and waits for an answer, at most ConnectTimeout. If the server is a node of a cluster, it connects to
// the whole cluster.
func (s *Store) connect(ctx context.Context, cfg Config) error {
	d, err := cfg.dial()
	if err != nil {
		return err
	}
	if err := s.use(ctx, d); err != nil {
		return err
	}
	one, single := d.client.(*redis.Client)
	if !single || d.replaceable || s.embedded != nil || !s.ofCluster(ctx, one) {
		return nil
	}
	// A URL of a socket cannot name a cluster.
	if d, err = cfg.dialCluster(); err != nil {
		return errors.Join(errors.New("REDIS_URL: write the address of a node as redis://host:port"), s.disconnect())
	}
	if err := s.disconnect(); err != nil {
		return fmt.Errorf("REDIS_URL: %w", err)
	}
	return s.use(ctx, d)
}

func (s *Store) use(ctx context.Context, d dialed) error {
	s.client, s.clustered, s.replaceable = d.client, d.clustered, d.replaceable
	if err := s.awaitAnswer(ctx, d.address); err != nil {
		return errors.Join(err, s.disconnect())
	}
	return nil
}

// ofCluster asks a server whether it is a node of a cluster; no answer means no.
func (s *Store) ofCluster(ctx context.Context, one *redis.Client) (yes bool) {
	_ = s.do(ctx, "info", func(ctx context.Context) error {
		info, err := one.Info(ctx, "cluster").Result()
		yes = strings.Contains(info, "cluster_enabled:1")
		return err
	})
	return yes
}

// awaitAnswer pings until Redis answers. An error reply, for instance to a wrong password, is final unless it is
// transient: a server may still be loading its data or looking for its master.
func (s *Store) awaitAnswer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.ConnectTimeout)
	defer cancel()
	pause := 50 * time.Millisecond
	var unready redis.Error // the last transient reply
	for {
		err := s.client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		reply, answered := errorReply(err)
		if answered && !transientReply(reply) {
			return fmt.Errorf("REDIS_URL: the Redis at %s refuses us: %w", address, err)
		}
		if answered {
			unready = reply
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
