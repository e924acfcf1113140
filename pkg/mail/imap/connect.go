package imap

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// Check logs in at a new account's server, which may be named without imaps://. Errors are faults about a field of the
// form, server, smtp or password, unless they are temporary.
func (p *Provider) Check(ctx context.Context, login account.MailLogin) (server, outgoing string, err error) {
	if server, err = address("server", login.Server, map[string]string{"imaps": "993", "imap": "143"}); err != nil {
		return "", "", err
	}
	if strings.HasPrefix(server, "imap:") && !p.cfg.Plain {
		return "", "", fault.Invalid("server", "must begin with imaps://, or others on the network could read the password")
	}
	if login.Outgoing != "" {
		outgoing, err = address("smtp", login.Outgoing, map[string]string{"smtps": "465", "smtp": "587"})
		if err != nil {
			return "", "", err
		}
	}
	s, err := p.cfg.connect(ctx, server, account.Credential{Username: login.Username, Password: login.Password})
	if err == nil {
		_, _, err = s.folders()
		s.end()
	}
	switch {
	case err == nil:
		return server, outgoing, nil
	case isRefusal(err):
		return "", "", fault.Invalid("password", "The server did not take this user name and password. "+
			"Many want a password that is made for one app only.").Because(err)
	case errors.Is(ctx.Err(), context.Canceled):
		return "", "", err
	}
	f := reason(err)
	if !f.Retryable {
		f.Code, f.Field = fault.InvalidRequest, "server"
	}
	return "", "", f
}

// address is a server's address as it is kept: with a scheme, which is the one for TLS if none is given, and a port.
func address(field, given string, ports map[string]string) (string, error) {
	given = strings.TrimSpace(given)
	secure := map[string]string{"server": "imaps", "smtp": "smtps"}[field]
	if !strings.Contains(given, "://") {
		given = secure + "://" + given
	}
	u, err := url.Parse(given)
	if err != nil || ports[u.Scheme] == "" || u.Hostname() == "" || u.User != nil ||
		strings.Trim(u.Path, "/")+u.RawQuery+u.Fragment != "" {
		return "", fault.Invalid(field, "must be the address of a server, as %s://mail.example.com", secure)
	}
	port := u.Port()
	if port == "" {
		port = ports[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port), nil
}
