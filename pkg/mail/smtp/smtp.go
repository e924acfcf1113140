// Package smtp hands mails to a server by SMTP (RFC 5321, 6409).
package smtp

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	client "github.com/wneessen/go-mail/smtp"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/outbound"
)

// Config says to which server mails are handed, and as whom.
type Config struct {
	// Server is its address: smtps:// for TLS from the start (port 465), smtp:// for STARTTLS (port 587).
	Server             string
	Username, Password string
	// Private allows servers that are in no public network, and smtp:// without TLS. A password is sent without TLS to
	// this machine alone.
	Private bool
	// TLS are settings beside the server's name. Defaults to those of the system.
	TLS *tls.Config
	// Limit bounds each exchange with the server. Defaults to 20 s.
	Limit time.Duration
	// AnswerLimit bounds the wait for the answer to a whole mail. Defaults to 40 s.
	AnswerLimit time.Duration
}

// Sender is a mail.Sender. It makes a connection for each mail and is safe for concurrent use.
type Sender struct {
	cfg     Config
	host    string
	port    int
	fromTLS bool
}

// New checks the server's address; the fault is that of a field named server. It connects to nothing.
func New(cfg Config) (*Sender, error) {
	u, err := url.Parse(cfg.Server)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || u.User != nil ||
		strings.Trim(u.Path, "/")+u.RawQuery+u.Fragment != "" {
		return nil, fault.Invalid("server", "must be an address as smtps://mail.example.com or smtp://mail.example.com:587")
	}
	s := &Sender{cfg: cfg, host: u.Hostname(), fromTLS: u.Scheme == "smtps", port: 587}
	if s.fromTLS {
		s.port = 465
	}
	if u.Port() != "" {
		if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
			return nil, fault.Invalid("server", "has no valid port")
		}
	}
	s.cfg.Limit = cmp.Or(cfg.Limit, 20*time.Second)
	s.cfg.AnswerLimit = cmp.Or(cfg.AnswerLimit, 40*time.Second)
	return s, nil
}

// Check connects and logs in, so that wrong settings are told when they are made.
func (s *Sender) Check(ctx context.Context) error {
	c, end, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer end()
	_ = c.Quit() // it was accepted
	return nil
}

// Send hands the mail over. If one recipient is refused, none gets it.
func (s *Sender) Send(ctx context.Context, e mail.Envelope, commit func() error) error {
	c, end, err := s.dial(ctx)
	if err != nil {
		return err
	}
	defer end()
	if err := c.Mail("<" + e.From + ">"); err != nil {
		return refused(err, "The mail server does not take mail from %s.", e.From)
	}
	for _, to := range e.To {
		if err := c.Rcpt("<" + to + ">"); err != nil {
			return refused(err, "The mail server does not take mail for %s, so nothing was sent.", to)
		}
	}
	w, err := c.Data()
	if err != nil {
		return refused(err, "The mail server does not take this mail.")
	}
	if err := c.UpdateDeadline(s.cfg.AnswerLimit); err != nil {
		return unreachable(err)
	}
	if _, err := w.Write(e.Content); err != nil {
		return unreachable(err) // without its end, no server accepts a mail (RFC 5321, 4.1.1.4)
	}
	if err := errors.Join(commit(), ctx.Err()); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		if _, answered := errors.AsType[*textproto.Error](err); answered {
			return refused(err, "The mail server does not take this mail.")
		}
		return err
	}
	_ = c.Quit() // it is on its way
	return nil
}

// dial connects and logs in. The caller calls end; so does the end of ctx.
func (s *Sender) dial(ctx context.Context) (c *client.Client, end func(), err error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.cfg.TLS != nil {
		config = s.cfg.TLS.Clone()
	}
	config.ServerName = cmp.Or(config.ServerName, s.host)
	var raw net.Conn
	policy := gomail.TLSMandatory
	switch {
	case s.fromTLS:
		policy = gomail.NoTLS
	case s.cfg.Private:
		policy = gomail.TLSOpportunistic
	}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTimeout(s.cfg.Limit), gomail.WithTLSPolicy(policy),
		gomail.WithTLSConfig(config), gomail.WithHELO("localhost"),
		gomail.WithDialContextFunc(func(ctx context.Context, network, address string) (net.Conn, error) {
			var err error
			if raw, err = outbound.Dialer(!s.cfg.Private).DialContext(ctx, network, address); err != nil || !s.fromTLS {
				return raw, err
			}
			secure := tls.Client(raw, config)
			return secure, secure.HandshakeContext(ctx)
		}),
	}
	if s.cfg.Username != "" {
		options = append(options, gomail.WithUsername(s.cfg.Username), gomail.WithPassword(s.cfg.Password),
			gomail.WithOpportunisticSMTPAuth(gomail.SMTPAuthSCRAMSHA256, gomail.SMTPAuthPlain, gomail.SMTPAuthLogin))
	}
	dialer, err := gomail.NewClient(s.host, options...)
	if err != nil {
		return nil, nil, fault.Invalid("server", "is no mail server's address").Because(err)
	}
	closed := func() {
		if raw != nil {
			_ = raw.Close() // nothing is expected of it any more
		}
	}
	c, err = dialer.DialToSMTPClientWithContext(ctx)
	if err != nil {
		closed()
		return nil, nil, notLetIn(err)
	}
	if err := c.UpdateDeadline(s.cfg.Limit); err != nil {
		closed()
		return nil, nil, unreachable(err)
	}
	stop := context.AfterFunc(ctx, closed)
	return c, func() { stop(); closed() }, nil
}

// notLetIn is the fault of a connection that could not be made.
func notLetIn(err error) error {
	if answer, ok := errors.AsType[*textproto.Error](err); ok && answer.Code == 535 {
		return fault.New(fault.Unavailable, "The mail server does not accept the user name and the password.").Because(err)
	}
	if _, private := errors.AsType[*outbound.NotPublicError](err); private {
		return fault.Invalid("server", "is in no public network").Because(err)
	}
	return unreachable(err)
}

// unreachable is the fault of a server that does not answer as it should, before it has the mail.
func unreachable(err error) error {
	return fault.New(fault.Unavailable, "The mail server could not be reached.").Later(0).Because(err)
}

// refused is the fault of an answer: for now (4yz) or for good (5yz). Without an answer the server is unreachable.
func refused(err error, format string, args ...any) error {
	answer, ok := errors.AsType[*textproto.Error](err)
	if !ok {
		return unreachable(err)
	}
	f := fault.New(fault.Unavailable, format, args...).Because(err)
	if answer.Code < 500 {
		return f.Later(0)
	}
	return f
}
