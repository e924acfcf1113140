package webhook

import (
	"net/netip"
	"net/url"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

// maxURL bounds an endpoint's URL, in bytes.
const maxURL = 2048

// checkURL refuses a URL that cannot be an endpoint; the address of its host is checked at every connection. private
// allows addresses in private networks, and plain http to this machine.
func checkURL(raw string, private bool) (string, error) {
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return "", fault.Invalid("url", "is missing: where to send messages, as https://example.com/convene")
	}
	if len(raw) > maxURL {
		return "", fault.Invalid("url", "is too long: at most %d characters", maxURL)
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fault.Invalid("url", "must be an address as https://example.com/convene")
	}
	local, here := notPublic(u.Hostname())
	switch {
	case u.User != nil:
		return "", fault.Invalid("url", "must not have a user name or password in it; every message is signed instead")
	case u.Fragment != "":
		return "", fault.Invalid("url", "must not have a fragment (#)")
	case local && !private:
		return "", fault.Invalid("url", "must be reachable from the Internet: it is in a private network")
	case u.Scheme == "http" && !here:
		return "", fault.Invalid("url", "must begin with https://")
	}
	return raw, nil
}

// notPublic reports whether a host's name alone shows that it is not on the Internet, and whether it is this machine.
func notPublic(host string) (local, here bool) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true, true
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return false, false
	}
	return !outbound.Public(address), address.Unmap().IsLoopback()
}
