package outbound

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	keepAlive   = 30 * time.Second
)

// errOpaqueBase is why a client with PublicOnly and a Base of an unknown kind calls nobody.
var errOpaqueBase = errors.New("outbound: PublicOnly needs a Base that is an *http.Transport")

// NotPublicError says that a name led to an address that is not public, to which nothing was sent.
type NotPublicError struct {
	Address netip.Addr
}

func (e *NotPublicError) Error() string { return fmt.Sprintf("%v is not a public address", e.Address) }

// baseOf is what makes the client's connections.
func baseOf(cfg Config) http.RoundTripper {
	if cfg.Base != nil && !cfg.PublicOnly {
		return cfg.Base
	}
	own, ok := cfg.Base.(*http.Transport)
	switch {
	case cfg.Base == nil:
		own = newBase()
	case !ok:
		return refusing{errOpaqueBase}
	}
	if !cfg.PublicOnly {
		return own
	}
	return onlyPublic(own)
}

func newBase() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   5 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// onlyPublic has every connection checked when it is made, after names are resolved. Nothing else of how t connects is
// kept: a proxy, for one, would make connections that nobody checks.
func onlyPublic(t *http.Transport) *http.Transport {
	own := newBase()
	own.TLSClientConfig, own.DisableKeepAlives = t.TLSClientConfig.Clone(), t.DisableKeepAlives
	own.Proxy = nil
	own.DialContext = (&net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive, Control: checkPublic}).DialContext
	return own
}

func checkPublic(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	if !Public(at.Addr()) {
		return &NotPublicError{at.Addr()}
	}
	return nil
}

type refusing struct{ err error }

// RoundTrip refuses.
func (r refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, r.err }

// Public reports whether the address is one of the public Internet, that is, of nobody's own network and for no special
// use. An IPv4 address counts for itself in whatever way it stands inside an IPv6 one.
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsValid() || a.Zone() != "" {
		return false
	}
	if a.Is4() {
		return !special(a, specialV4())
	}
	b := a.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(a): // NAT64
		return Public(netip.AddrFrom4([4]byte(b[12:])))
	case netip.MustParsePrefix("2002::/16").Contains(a): // 6to4
		return Public(netip.AddrFrom4([4]byte(b[2:])))
	}
	return netip.MustParsePrefix("2000::/3").Contains(a) && !special(a, specialV6())
}

func special(a netip.Addr, prefixes []string) bool {
	for _, p := range prefixes {
		if netip.MustParsePrefix(p).Contains(a) {
			return true
		}
	}
	return false
}

// specialV4 are the IANA's special-purpose addresses, with those for many receivers.
func specialV4() []string {
	return []string{
		"0.0.0.0/8",       // this network
		"10.0.0.0/8",      // private
		"100.64.0.0/10",   // a carrier's own
		"127.0.0.0/8",     // loopback
		"169.254.0.0/16",  // link-local, and where clouds tell secrets
		"172.16.0.0/12",   // private
		"192.0.0.0/24",    // protocols
		"192.0.2.0/24",    // documentation
		"192.88.99.0/24",  // 6to4 relays
		"192.168.0.0/16",  // private
		"198.18.0.0/15",   // benchmarks
		"198.51.100.0/24", // documentation
		"203.0.113.0/24",  // documentation
		"224.0.0.0/4",     // multicast
		"240.0.0.0/4",     // reserved, and broadcast
	}
}

// specialV6 are those inside 2000::/3, outside of which nothing is public.
func specialV6() []string {
	return []string{
		"2001::/23",     // protocols, Teredo among them
		"2001:db8::/32", // documentation
		"3fff::/20",     // documentation
	}
}
