package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"convene/pkg/api"
	"convene/pkg/auth"
	"convene/pkg/redisstore"
)

// doorSettings say who may call, from where, how often, how slowly and over how many connections.
type doorSettings struct {
	RequireKey     bool     `help:"Answer only requests with a key or a token, even before the first key is made."`
	Origins        []string `help:"Sites whose pages may use the API and be given tokens, as https://app.example." placeholder:"ORIGIN"`
	TrustedProxies []string `help:"Networks of proxies, as 10.0.0.0/8, whose X-Forwarded-For is believed." placeholder:"CIDR"`
	LimitKey       rate     `default:"1200/1m" help:"How often one key may call, or off."`
	LimitToken     rate     `default:"120/1m" help:"How often one token may call, or off."`
	LimitAddress   rate     `help:"How often one address may call, or off; 600/1m if keys are needed." placeholder:"RATE"`

	ReadTimeout              time.Duration `default:"10s" help:"How long a client may take to send a request, headers and body; the headers within 5s."`
	MaxConnections           int           `default:"10000" help:"How many connections there may be. A new one replaces the one that has been idle for longest; if all have a request, it is refused. 0 is no limit."`
	MaxConnectionsPerAddress int           `default:"1000" help:"How many of them from one address, or IPv6 /64, other than trusted proxies and this machine. 0 is no limit."`
}

// usualAddressRate is the rate for an address if keys are needed: several visitors share one.
const usualAddressRate = "600/1m"

// rate is a limit on the command line. The zero value means that it is not set.
type rate struct {
	auth.Rate
	text string
}

// UnmarshalText reads 600/1m, or off.
func (r *rate) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		return nil
	}
	r.text = string(b)
	r.Rate, err = auth.ParseRate(r.text)
	return err
}

// String is the rate as it was written.
func (r rate) String() string { return r.text }

// limits are those of the API. An address without a setting is limited only if keys are needed.
func (s doorSettings) limits(store *redisstore.Store) (api.Limits, error) {
	limits := api.Limits{
		Buckets: store.Buckets(), Key: s.LimitKey.Rate,
		Token: s.LimitToken.Rate, Address: s.LimitAddress.Rate, Open: s.LimitAddress.Rate,
	}
	if s.LimitAddress.text != "" {
		return limits, nil
	}
	var err error
	limits.Address, err = auth.ParseRate(usualAddressRate)
	return limits, err
}

// proxies are the trusted networks. A single address is a network of one.
func (s doorSettings) proxies() (networks []*net.IPNet, err error) {
	for _, text := range s.TrustedProxies {
		if ip := net.ParseIP(text); ip != nil {
			text += map[bool]string{true: "/32", false: "/128"}[ip.To4() != nil]
		}
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			return nil, misuse{fmt.Errorf("--trusted-proxies: %q is not a network such as 10.0.0.0/8", text)}
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// check validates the settings before anything is started.
func (s doorSettings) check() error {
	for _, origin := range s.Origins {
		if !api.IsOrigin(origin) {
			return misuse{
				fmt.Errorf("--origins: %q is not an origin such as https://app.example, in lower case and without a path", origin),
			}
		}
	}
	if s.ReadTimeout < 0 || s.MaxConnections < 0 || s.MaxConnectionsPerAddress < 0 {
		return misuse{errors.New("--read-timeout, --max-connections and --max-connections-per-address must not be below 0")}
	}
	_, err := s.proxies()
	return err
}

// open makes the server's door.
func (s doorSettings) open(store *redisstore.Store) *auth.Door {
	return auth.NewDoor(auth.DoorConfig{Ring: store.KeyRing(), Required: s.RequireKey})
}

// guard checks whether the server may listen on the address: other machines reach only a server that needs keys. Such
// a server needs them for its lifetime, whatever happens to its Redis.
func (c *serveCommand) guard(ctx context.Context) error {
	if err := c.Door.check(); err != nil {
		return err
	}
	if c.Door.RequireKey && c.RedisURL == "" {
		return misuse{
			errors.New("--require-key needs REDIS_URL: keys are kept in Redis, and the embedded one has none"),
		}
	}
	local := api.CheckListen(c.Listen)
	if local == nil || c.Door.RequireKey && isAddress(c.Listen) {
		return nil
	}
	if c.RedisURL == "" || !isAddress(c.Listen) {
		return misuse{fmt.Errorf("--listen: %w", local)}
	}
	store, err := redisstore.Open(ctx, redisstore.Config{URL: c.RedisURL})
	if err != nil {
		return err
	}
	closed, err := c.Door.open(store).Closed(ctx)
	if err = errors.Join(err, store.Close()); err != nil {
		return fmt.Errorf("--listen %s needs a key, and it is unknown whether there is one: %w", c.Listen, err)
	}
	if !closed {
		return misuse{fmt.Errorf("--listen: %w", local)}
	}
	c.Door.RequireKey = true
	return nil
}

func isAddress(listen string) bool {
	_, _, err := net.SplitHostPort(listen)
	return err == nil
}
