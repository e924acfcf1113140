package caldav

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/interval"
)

// Discover finds a person's calendars with a user name, a password and the server's address: caldav.icloud.com,
// https://cloud.example.com/remote.php/dav or only the domain of an email address.
//
// home is the absolute URL of the account's calendars. address is the account's name for the person. The calendars are
// those for events; transparent ones do not block, and the server's default calendar is the target. Errors are faults
// about a field of the form: server or password.
func (c *Calendar) Discover(
	ctx context.Context, server string, cred account.Credential,
) (home, address string, calendars []account.Calendar, err error) {
	root, err := parseServer(server)
	if err != nil {
		return "", "", nil, err
	}
	s := c.open(root, account.Account{}, cred)
	at, user, err := s.findHome(ctx)
	if err != nil {
		return "", "", nil, undiscovered(ctx, err)
	}
	list, err := s.collections(ctx, at, vevent)
	if err != nil {
		return "", "", nil, undiscovered(ctx, err)
	}
	if len(list) == 0 {
		return "", "", nil, fault.Invalid("server", "This account has no calendar for events.")
	}
	address = user.Addresses.email()
	if address == "" {
		address = cred.Username
	}
	for _, one := range list {
		calendars = append(calendars, one.Calendar)
	}
	return at.String(), address, calendars, nil
}

// parseServer parses the server's address as a person writes it. Only this machine may be without https.
func parseServer(server string) (*url.URL, error) {
	server = strings.TrimSpace(server)
	if _, domain, isEmail := strings.Cut(server, "@"); isEmail && !strings.Contains(server, "/") {
		server = domain
	}
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	u, err := url.Parse(server)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fault.Invalid("server", "This is not the address of a server. One looks like https://caldav.example.com.")
	}
	u.Host = strings.ToLower(u.Host)
	if u.Scheme == "http" && !loopback(u.Hostname()) {
		return nil, fault.Invalid("server", "The address must begin with https, or others on the network could read the "+
			"password.")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}, nil
}

// undiscovered is the fault for a discovery that failed.
func undiscovered(ctx context.Context, err error) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	status, answered := errors.AsType[*statusError](err)
	switch {
	case answered && status.status == http.StatusUnauthorized:
		return fault.Invalid("password", "The server did not take this user name and password. "+
			"Many, iCloud and Fastmail among them, want a password that is made for one app only.").Because(err)
	case errors.Is(err, errUntrusted):
		return fault.Invalid("server", "The server sends us on to another one. Give the address of that one.").Because(err)
	case errors.Is(err, errNotDAV), answered && unable(err),
		answered && (status.status == http.StatusNotFound || status.status == http.StatusGone):
		return fault.Invalid("server", "There is no CalDAV server at this address.").Because(err)
	}
	f := reason(toRead, err)
	f.Message = strings.ToUpper(f.Message[:1]) + f.Message[1:] + "."
	return f
}

// starts are the addresses at which a server may name its user's principal: the given one, the well-known one of RFC
// 6764, the root, and Nextcloud's.
func starts(root *url.URL) []*url.URL {
	var list []*url.URL
	add := func(p string) {
		u := *root
		u.Path, u.RawPath = p, ""
		if !slices.ContainsFunc(list, func(o *url.URL) bool { return o.Path == p }) {
			list = append(list, &u)
		}
	}
	if strings.Trim(root.Path, "/") != "" {
		add(root.Path)
	}
	add("/.well-known/caldav")
	add("/")
	add("/remote.php/dav/")
	return list
}

// findHome finds the home of the user's calendars, and the user's properties.
func (s *session) findHome(ctx context.Context) (home *url.URL, user prop, err error) {
	var first error
	for _, start := range starts(s.root) {
		home, user, err = s.homeFrom(ctx, start)
		status, answered := errors.AsType[*statusError](err)
		switch {
		case err == nil:
			return home, user, nil
		case answered && (status.status == http.StatusUnauthorized || status.status == http.StatusTooManyRequests),
			!answered && !errors.Is(err, errNotDAV):
			return nil, prop{}, err
		case first == nil:
			first = err
		}
	}
	return nil, prop{}, first
}

// homeFrom goes from any resource of the server to the user's principal, and from there to the calendar home.
func (s *session) homeFrom(ctx context.Context, start *url.URL) (*url.URL, prop, error) {
	p, from, err := s.props(ctx, start, propPrincipal, propHome, propAddresses)
	if err != nil {
		return nil, prop{}, err
	}
	if href := p.Principal.first(); href != "" && p.Home.first() == "" {
		principal, err := s.resolve(from, href)
		if err != nil {
			return nil, prop{}, err
		}
		if p, from, err = s.props(ctx, principal, propHome, propAddresses); err != nil {
			return nil, prop{}, err
		}
	}
	href := p.Home.first()
	if href == "" {
		return nil, prop{}, fmt.Errorf("%w: it names no calendar home", errNotDAV)
	}
	home, err := s.resolve(from, href)
	return home, p, err
}

// collection is a calendar as its server describes it.
type collection struct {
	account.Calendar
	url *url.URL
	// own says that it is the user's, not shared by another person.
	own      bool
	writable bool
	// single says that it takes objects of one component only.
	single bool
}

// collections are the readable calendars for a component in the home. At most one is the target: the server's default,
// else the first writable one of the user's own.
func (s *session) collections(ctx context.Context, home *url.URL, component string) ([]collection, error) {
	m, from, err := s.multi(ctx, request{method: "PROPFIND", url: home, depth: "1", body: propfindBody(
		propType, propName, propComponents, propZone, propTransparent, propPrivileges, propOwner, propPrincipal, propDefault,
	)})
	if err != nil {
		return nil, err
	}
	var list []collection
	preferred := ""
	for _, r := range m.Responses {
		p, ok := r.found()
		if href := p.Default.first(); href != "" {
			if u, err := s.resolve(from, href); err == nil {
				preferred = pathKey(u)
			}
		}
		if !ok || !p.Type.has("calendar") || p.Type.has("deleted-calendar") || !p.Components.take(component) ||
			!p.Privileges.allow("read", "all") {
			continue
		}
		u, err := s.resolve(from, r.href())
		if err != nil {
			return nil, err
		}
		list = append(list, describe(u, p))
	}
	if i := targetOf(list, preferred); i >= 0 {
		list[i].Target = true
	}
	return list, nil
}

func describe(u *url.URL, p prop) collection {
	name := strings.TrimSpace(p.Name)
	if name == "" {
		name = path.Base(u.Path)
	}
	owner, principal := p.Owner.first(), p.Principal.first()
	return collection{
		Calendar: account.Calendar{
			ID: u.String(), Name: name, Blocks: !p.Transparent.has("transparent"), Timezone: zoneName(p.Zone),
		},
		url:      u,
		own:      owner != "" && strings.TrimSuffix(owner, "/") == strings.TrimSuffix(principal, "/"),
		writable: p.Privileges.allow("write", "write-content", "bind", "all"),
		single:   len(p.Components.List) == 1,
	}
}

// targetOf is the index of the calendar to write to; -1 if none is writable.
func targetOf(list []collection, preferred string) int {
	for _, fits := range []func(collection) bool{
		func(c collection) bool { return pathKey(c.url) == preferred },
		func(c collection) bool { return c.own && c.Blocks },
		func(c collection) bool { return c.Blocks },
		func(collection) bool { return true },
	} {
		if i := slices.IndexFunc(list, func(c collection) bool { return c.writable && fits(c) }); i >= 0 {
			return i
		}
	}
	return -1
}

// zoneName is the IANA name in a VTIMEZONE; empty if there is none.
func zoneName(definition string) string {
	for line := range strings.Lines(definition) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		if name != "TZID" && name != "X-LIC-LOCATION" {
			continue
		}
		if _, err := interval.Zone(value); err == nil && value != "" {
			return value
		}
	}
	return ""
}

// chosen are the calendars that the person has chosen; without a choice, the main one.
func (s *session) chosen(ctx context.Context) ([]account.Calendar, error) {
	if len(s.account.Calendars) > 0 {
		return s.account.Calendars, nil
	}
	list, err := s.collections(ctx, s.root, vevent)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(c collection) bool { return c.Target })
	if i < 0 && len(list) > 0 {
		i = 0
	}
	if i < 0 {
		return nil, fault.New(fault.CalendarFailed, "the account has no calendar for events any more; %s", reasonReconnect)
	}
	main := list[i].Calendar
	main.Blocks = true
	return []account.Calendar{main}, nil
}
