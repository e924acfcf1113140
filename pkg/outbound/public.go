package outbound

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	keepAlive   = 30 * time.Second
)

// errOpaqueBase is the error of each call of a client with PublicOnly and a Base of an unknown kind.
var errOpaqueBase = errors.New("outbound: PublicOnly needs a Base that is an *http.Transport")

// NotPublicError says that a name resolved to an address that is not public, to which nothing was sent.
type NotPublicError struct {
	Address netip.Addr
}

func (e *NotPublicError) Error() string { return fmt.Sprintf("%v is not a public address", e.Address) }

// baseOf is the transport that makes the client's connections.
func baseOf(cfg Config) http.RoundTripper {
	base := cfg.Base
	if base == nil {
		base = newBase()
	}
	if !cfg.PublicOnly {
		return base
	}
	own, ok := base.(*http.Transport)
	if !ok {
		return refusing{}
	}
	return onlyPublic(own)
}

func newBase() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           Dialer(false).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          256,
		MaxIdleConnsPerHost:   16,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   5 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
}

// Dialer makes connections for other protocols than HTTP. With publicOnly each address is checked as Config.PublicOnly
// says.
func Dialer(publicOnly bool) *net.Dialer {
	d := &net.Dialer{Timeout: dialTimeout, KeepAlive: keepAlive}
	if publicOnly {
		d.Control = checkPublic
	}
	return d
}

// onlyPublic checks the address of every connection after names are resolved. It keeps only the TLS settings of t: a
// proxy, for example, would make connections without the check.
func onlyPublic(t *http.Transport) *http.Transport {
	own := newBase()
	own.TLSClientConfig, own.DisableKeepAlives = t.TLSClientConfig.Clone(), t.DisableKeepAlives
	own.Proxy = nil
	own.DialContext = Dialer(true).DialContext
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

type refusing struct{}

// RoundTrip refuses.
func (refusing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errOpaqueBase }

// Public reports whether the address is a public one of the Internet: not private and not for special use. An IPv4
// address embedded in an IPv6 one is judged by itself.
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
	return slices.ContainsFunc(prefixes, func(p string) bool { return netip.MustParsePrefix(p).Contains(a) })
}

// specialV4 are IANA's special-purpose addresses and multicast.
func specialV4() []string {
	return []string{
		"0.0.0.0/8",       // this network
		"10.0.0.0/8",      // private
		"100.64.0.0/10",   // a carrier's own
		"127.0.0.0/8",     // loopback
		"169.254.0.0/16",  // link-local, with the metadata servers of clouds
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

// specialV6 are the special-purpose prefixes inside 2000::/3, outside which nothing is public.
func specialV6() []string {
	return []string{
		"2001::/23",     // protocols, Teredo among them
		"2001:db8::/32", // documentation
		"3fff::/20",     // documentation
	}
}
