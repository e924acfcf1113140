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
	// maxAnswer is how many bytes of an answer are read. A calendar beyond it is unreadable, which its owner is told.
	maxAnswer = 32 << 20
	// maxRedirects is how often one call is sent on.
	maxRedirects = 5
)

// session is one account's dealings with its server.
type session struct {
	client *http.Client
	now    func() time.Time
	// root is the address that the person gave, or that the account was found at. It decides who sees the password.
	root    *url.URL
	account account.Account
	cred    account.Credential
}

// open is a session with the account's server.
func (c *Calendar) open(root *url.URL, a account.Account, cred account.Credential) *session {
	return &session{client: c.cfg.Client, now: c.cfg.Now, root: root, account: a, cred: cred}
}

// errUntrusted says that a server named an address to which the password must not be sent.
var errUntrusted = errors.New("the address is of another site")

// trusts reports whether the password may be sent to u. It may be sent to the very origin that the person named, and
// over https to hosts of the same site, which is what one owner has registered: iCloud sends everybody on from
// caldav.icloud.com to p07-caldav.icloud.com. Nobody else gets it, whatever a redirect or an answer says. Without https
// it does not leave this machine.
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

// resolve is the address that href means at base. It is an error where the password must not be sent there.
func (s *session) resolve(base *url.URL, href string) (*url.URL, error) {
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return nil, fmt.Errorf("%w: it names an address that is none", errNotDAV)
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

// answer is what came of it, from wherever the call was sent on to.
type answer struct {
	status int
	header http.Header
	body   []byte
	url    *url.URL
}

// statusError is an answer that says no.
type statusError struct {
	method string
	status int
	// conditions are the preconditions named in the answer.
	conditions []string
	// after is when to try again, zero where the server does not say.
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

// do makes the call, wherever it is sent on to. Any status that is not of success is a *statusError.
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

// page reports whether a change was answered with a page, of those who want people to log in first, say. Nothing was
// changed then, whatever the status says.
func page(method string, a answer) bool {
	change := method == http.MethodPut || method == http.MethodDelete
	kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	return change && a.status == http.StatusOK && err == nil && kind == "text/html"
}

// redirects reports whether the same call is to be made at another address. Method and body stay as they are: what a
// browser does, to go on with GET, would lose the question. A change is sent on only where the server says that it is
// to stay one.
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
		// The address has the person's name in it and stays out of the log.
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

// multi makes a call whose answer is a multistatus, and gives the address that it came from beside it.
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

// props asks for properties of the resource itself. What the server does not have is empty.
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
