package caldav

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"convene/pkg/account"
	"convene/pkg/outbound"
)

const (
	// maxAnswer bounds the bytes of an answer. A larger calendar is unreadable, which its owner is told.
	maxAnswer = 32 << 20
	// maxRedirects bounds the redirects of one call.
	maxRedirects = 5
)

// session calls one account's server.
type session struct {
	client *http.Client
	now    func() time.Time
	// root is the address that the person gave, or the account's home. It decides which hosts get the password.
	root    *url.URL
	account account.Account
	cred    account.Credential
}

// open makes a session with the account's server.
func (c *Calendar) open(root *url.URL, a account.Account, cred account.Credential) *session {
	return &session{client: c.cfg.Client, now: c.cfg.Now, root: root, account: a, cred: cred}
}

// errUntrusted says that a server named an address to which the password must not be sent.
var errUntrusted = errors.New("the address is of another site")

// trusts reports whether the password may be sent to u: to the origin that the person named, and over https to hosts of
// the same registrable domain, because iCloud redirects its users from caldav.icloud.com to p07-caldav.icloud.com. No
// other host gets it, whatever a redirect or an answer says. Without https it does not leave this machine.
func (s *session) trusts(u *url.URL) bool {
	host, own := strings.ToLower(u.Hostname()), strings.ToLower(s.root.Hostname())
	switch {
	case u.User != nil || host == "":
		return false
	case u.Scheme == "http":
		return s.root.Scheme == "http" && u.Host == s.root.Host && loopback(host)
	case u.Scheme != "https":
		return false
	default:
		return host == own || site(host) != "" && site(host) == site(own)
	}
}

// site is the registrable domain of a host, such as icloud.com; empty for an IP address and for a public suffix.
func site(host string) string {
	if _, err := netip.ParseAddr(host); err == nil {
		return ""
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(host)
	if err != nil {
		return ""
	}
	return domain
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// resolve resolves href against base. It is an error if the password must not be sent there.
func (s *session) resolve(base *url.URL, href string) (*url.URL, error) {
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return nil, fmt.Errorf("%w: it has an invalid address", errNotDAV)
	}
	u := base.ResolveReference(ref)
	u.Fragment, u.RawFragment = "", ""
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "https" {
		u.Host = strings.TrimSuffix(u.Host, ":443")
	}
	if !s.trusts(u) {
		return nil, errUntrusted
	}
	return u, nil
}

// at is the address of one of the account's own calendars.
func (s *session) at(id string) (*url.URL, error) { return s.resolve(s.root, id) }

// request is a call to the server.
type request struct {
	method string
	url    *url.URL
	// depth is the Depth header; empty for none.
	depth string
	body  []byte
	// header are the other headers, in pairs of name and value.
	header []string
}

// answer is a request's answer, after redirects.
type answer struct {
	status int
	header http.Header
	body   []byte
	url    *url.URL
}

// statusError is an answer without a 2xx status.
type statusError struct {
	method string
	status int
	// conditions are the preconditions named in the answer.
	conditions []string
	// after is how long to wait before the next attempt; 0 if the server does not say.
	after time.Duration
}

func (e *statusError) Error() string {
	if len(e.conditions) > 0 {
		return fmt.Sprintf("%s answered %d (%s)", e.method, e.status, strings.Join(e.conditions, ", "))
	}
	return fmt.Sprintf("%s answered %d", e.method, e.status)
}

func (e *statusError) names(conditions ...string) bool {
	return slices.ContainsFunc(conditions, func(c string) bool { return slices.Contains(e.conditions, c) })
}

// do makes the call and follows redirects. Any status but 2xx is a *statusError.
func (s *session) do(ctx context.Context, r request) (answer, error) {
	for range maxRedirects {
		a, err := s.once(ctx, r)
		if err != nil {
			return answer{}, err
		}
		if !redirects(r.method, a) {
			if a.status/100 != 2 {
				return answer{}, &statusError{r.method, a.status, conditions(a.body), outbound.RetryAfter(a.header)}
			}
			if page(r.method, a) {
				return answer{}, fmt.Errorf("%s: %w: it is a page for people", r.method, errNotDAV)
			}
			return a, nil
		}
		if r.url, err = s.resolve(a.url, a.header.Get("Location")); err != nil {
			return answer{}, fmt.Errorf("%s was sent on: %w", r.method, err)
		}
	}
	return answer{}, fmt.Errorf("%s: %w: it sends us in circles", r.method, errNotDAV)
}

// page reports whether a change was answered with a page, as of a login portal. Nothing was changed then, whatever the
// status.
func page(method string, a answer) bool {
	change := method == http.MethodPut || method == http.MethodDelete
	kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	return change && a.status == http.StatusOK && err == nil && kind == "text/html"
}

// redirects reports whether the same call is to be made at another address. Method and body stay, because a change to
// GET, as in browsers, would lose the request. A PUT or DELETE follows only 307 and 308, which keep the method.
func redirects(method string, a answer) bool {
	if a.header.Get("Location") == "" {
		return false
	}
	switch a.status {
	case http.StatusMovedPermanently, http.StatusFound:
		return method != http.MethodPut && method != http.MethodDelete
	case http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	default:
		return false
	}
}

// once makes the call and reads its answer to the end.
func (s *session) once(ctx context.Context, r request) (a answer, err error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), bytes.NewReader(r.body))
	if err != nil {
		return answer{}, fmt.Errorf("%s: %w", r.method, err)
	}
	req.SetBasicAuth(s.cred.Username, s.cred.Password)
	req.Header.Set("User-Agent", "Convene")
	if r.depth != "" {
		req.Header.Set("Depth", r.depth)
	}
	if len(r.body) > 0 {
		req.Header.Set("Content-Type", `application/xml; charset="utf-8"`)
	}
	for i := 0; i+1 < len(r.header); i += 2 {
		req.Header.Set(r.header[i], r.header[i+1])
	}
	resp, err := s.client.Do(req)
	if err != nil {
		// The address contains the person's name and stays out of the log.
		return answer{}, fmt.Errorf("%s: %w", r.method, outbound.Cause(err))
	}
	defer func() { err = errors.Join(err, resp.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return answer{}, fmt.Errorf("read answer of %s: %w", r.method, err)
	}
	if len(body) > maxAnswer {
		return answer{}, fmt.Errorf("%s: %w", r.method, errTooLarge)
	}
	return answer{resp.StatusCode, resp.Header, body, r.url}, nil
}

// errTooLarge says that an answer has more than maxAnswer bytes.
var errTooLarge = fmt.Errorf("the answer has more than %d MB", maxAnswer>>20)

// multi makes a call whose answer is a multistatus, and also returns the address of the answer.
func (s *session) multi(ctx context.Context, r request) (multistatus, *url.URL, error) {
	a, err := s.do(ctx, r)
	if err != nil {
		return multistatus{}, nil, err
	}
	if a.status != http.StatusMultiStatus {
		return multistatus{}, nil, fmt.Errorf("%s: %w: it has status %d", r.method, errNotDAV, a.status)
	}
	m, err := parseMultistatus(a.body)
	if err != nil {
		return multistatus{}, nil, fmt.Errorf("%s: %w", r.method, err)
	}
	return m, a.url, nil
}

// props asks for properties of the resource itself. Missing ones are empty.
func (s *session) props(ctx context.Context, u *url.URL, names ...string) (prop, *url.URL, error) {
	m, from, err := s.multi(ctx, request{method: "PROPFIND", url: u, depth: "0", body: propfindBody(names...)})
	if err != nil {
		return prop{}, nil, err
	}
	if len(m.Responses) == 0 {
		return prop{}, nil, fmt.Errorf("PROPFIND: %w: it says nothing of what was asked for", errNotDAV)
	}
	p, _ := m.Responses[0].found()
	return p, from, nil
}
