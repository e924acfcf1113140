package api

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"convene/pkg/auth"
	"convene/pkg/fault"
)

// Buckets count requests against limits.
type Buckets interface {
	// Take counts one request in all buckets or, if one is empty, in none, and returns the level of each.
	Take(ctx context.Context, buckets []auth.Bucket) ([]auth.Level, error)
}

// Limits are the rate limits. The zero value has none.
type Limits struct {
	// Buckets is required if there is a limit.
	Buckets Buckets
	// Key and Token limit one key and one token. Address limits an address from which requests come with a token or
	// without a valid credential: the visitors of an office share it.
	Key, Token, Address auth.Rate
	// Open limits an address while no key is needed.
	Open auth.Rate
}

// buckets returns the buckets that count a request.
func (l Limits) buckets(caller auth.Caller, address string) (list []auth.Bucket) {
	add := func(policy, holder string, r auth.Rate) {
		if r.Limited() {
			list = append(list, auth.Bucket{Policy: policy, Holder: holder, Rate: r})
		}
	}
	switch caller.Kind {
	case auth.Open:
		add("address", holderOf(address), l.Open)
	case auth.ByKey:
		add("key", string(caller.Key), l.Key)
	case auth.ByToken:
		add("token", caller.Token, l.Token)
		add("address", holderOf(address), l.Address)
	default:
		add("address", holderOf(address), l.Address)
	}
	return list
}

// holderOf returns the holder of an address: with IPv6 its /64 network, which a home or an office has.
func holderOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	network, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return network.String()
}

// count counts the request and sets the RateLimit headers. If the buckets cannot be reached the request passes; its
// handler will report the fault.
func (s *Server) count(c echo.Context, caller auth.Caller) error {
	buckets := s.cfg.Limits.buckets(caller, c.RealIP())
	if len(buckets) == 0 {
		return nil
	}
	levels, err := s.cfg.Limits.Buckets.Take(c.Request().Context(), buckets)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	var policies, left []string
	var wait time.Duration
	for i, b := range buckets {
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", b.Policy, b.Rate.Requests, seconds(b.Rate.Window)))
		left = append(left, fmt.Sprintf("%q;r=%d;t=%d", b.Policy, levels[i].Left,
			seconds(max(levels[i].Full, levels[i].Next))))
		wait = max(wait, levels[i].Next)
	}
	c.Response().Header().Set("RateLimit-Policy", strings.Join(policies, ", "))
	c.Response().Header().Set("RateLimit", strings.Join(left, ", "))
	if wait > 0 {
		return fault.New(fault.Overloaded, "There were too many requests from you. Please wait a moment. ").Later(wait)
	}
	return nil
}
