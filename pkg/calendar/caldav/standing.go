package caldav

import (
	"context"
	"net/url"
	"strings"
	"sync"
	"time"

	"convene/pkg/account"
	"convene/pkg/meet"
)

const (
	// standingFor is how long a standing is remembered.
	standingFor = time.Hour
	// maxStandings bounds the accounts with a remembered standing.
	maxStandings = 4096
)

// standing is a server's description of its user.
type standing struct {
	// addresses are the user's calendar user addresses (RFC 6638): mailto: and other URIs.
	addresses []string
	// email is the preferred address to invite from; empty if the server knows none.
	email string
	// schedules says that the server invites the attendees of its user's events (RFC 6638).
	schedules bool

	server string
	until  time.Time
}

// invites reports whether the server sends invitations for this user.
func (st standing) invites() bool { return st.schedules && st.email != "" }

// organizer is the address from which the person invites: the person's own if the server knows it.
func (st standing) organizer(email string) string {
	for _, a := range st.addresses {
		if own, ok := emailOf(a); ok && strings.EqualFold(own, email) {
			return own
		}
	}
	return st.email
}

// standings are the standings that were read recently.
type standings struct {
	mu    sync.Mutex
	known map[account.ID]standing
}

func (s *standings) load(id account.ID, server string, now time.Time) (standing, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	st, ok := s.known[id]
	return st, ok && st.server == server && now.Before(st.until)
}

func (s *standings) store(id account.ID, st standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || len(s.known) >= maxStandings {
		s.known = map[account.ID]standing{}
	}
	s.known[id] = st
}

// Invites reports whether the person's server sends invitations and changes to the guests of the person's events. If it
// does not, Write refuses an entry with guests: each of them needs a copy of their own.
func (c *Calendar) Invites(ctx context.Context, person meet.Person) (bool, error) {
	s, _, err := c.target(ctx, person, toWrite)
	if err != nil {
		return false, err
	}
	st, err := c.standing(ctx, s)
	return st.invites(), c.explain(ctx, s, toWrite, err)
}

// standing is the standing of the session's user, at most an hour old.
func (c *Calendar) standing(ctx context.Context, s *session) (standing, error) {
	if st, ok := c.standings.load(s.account.ID, s.account.Server, s.now()); ok {
		return st, nil
	}
	st, err := s.askStanding(ctx)
	if err != nil {
		return standing{}, err
	}
	st.server, st.until = s.account.Server, s.now().Add(standingFor)
	c.standings.store(s.account.ID, st)
	return st, nil
}

func (s *session) askStanding(ctx context.Context) (standing, error) {
	p, from, err := s.props(ctx, s.root, propPrincipal, propAddresses)
	if err != nil {
		return standing{}, err
	}
	principal := s.root
	if href := p.Principal.first(); href != "" {
		if principal, err = s.resolve(from, href); err != nil {
			return standing{}, err
		}
		if p, _, err = s.props(ctx, principal, propAddresses); err != nil {
			return standing{}, err
		}
	}
	st := standing{email: p.Addresses.email()}
	for _, href := range p.Addresses.List {
		st.addresses = append(st.addresses, strings.TrimSpace(href.Value))
	}
	st.schedules, err = s.schedules(ctx, principal)
	return st, err
}

// schedules asks whether the server supports scheduling. One that does not answer OPTIONS does not.
func (s *session) schedules(ctx context.Context, u *url.URL) (bool, error) {
	a, err := s.do(ctx, request{method: "OPTIONS", url: u})
	if unable(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, line := range a.header.Values("DAV") {
		for class := range strings.SplitSeq(line, ",") {
			if strings.EqualFold(strings.TrimSpace(class), "calendar-auto-schedule") {
				return true, nil
			}
		}
	}
	return false, nil
}

// email is the preferred email address among hrefs, else the first; empty if there is none.
func (h hrefs) email() string {
	first := ""
	for _, href := range h.List {
		email, ok := emailOf(href.Value)
		switch {
		case !ok:
		case href.Preferred == "1":
			return email
		case first == "":
			first = email
		}
	}
	return first
}

// emailOf is the address in a mailto: URI.
func emailOf(uri string) (string, bool) {
	const scheme = "mailto:"
	uri = strings.TrimSpace(uri)
	if len(uri) <= len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", false
	}
	email, err := url.PathUnescape(uri[len(scheme):])
	return email, err == nil
}
