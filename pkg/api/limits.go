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
	// Take counts one request in all buckets or, where one is empty, in none, and answers with a level for each.
	Take(ctx context.Context, buckets []auth.Bucket) ([]auth.Level, error)
}

// Limits are how often requests may come. The zero value is no limit.
type Limits struct {
	// Buckets is required where there is a limit.
	Buckets Buckets
	// Key and Token are what one of each may do. Address is what one may do that shows a token or nothing that is valid:
	// the visitors of an office share it, a site's servers have their key's.
	Key, Token, Address auth.Rate
	// Open is what an address may do where no key is needed.
	Open auth.Rate
}

// buckets are those in which a request is counted.
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

// holderOf is whose the address is: a home or an office has a whole network of version 6.
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

// count counts the request and says how many may follow. Where nobody can be asked it passes: what it asks for will
// fail by itself.
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
		return fault.New(fault.Overloaded, "There were too many requests from you. Please wait a moment.").Later(wait)
	}
	return nil
}
