package imap

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"net"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"convene/pkg/account"
)

// mostRead bounds the bytes that a server may send in one call.
const mostRead = 96 << 20

// errTooMuch says that a server sends more than that.
var errTooMuch = errors.New("the server sends too much")

// session is one connection, logged in. It is used by one call at a time.
type session struct {
	*imapclient.Client
	conn  *bounded
	timer *time.Timer
	// selected is the folder that is open, with its UIDVALIDITY and the flags that last.
	selected selected
	// changes says that folders are opened to change them.
	changes bool
}

type selected struct {
	name     string
	validity uint32
	lasting  []imap.Flag
}

// connect logs in to a server, which has imaps:// before its name or, if that is allowed, imap://.
func (c *Config) connect(ctx context.Context, server string, cred account.Credential) (*session, error) {
	at, err := url.Parse(server)
	if err != nil || at.Scheme == "imap" && !c.Plain {
		return nil, errors.Join(errPlain, err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	raw, err := c.Dialer.DialContext(ctx, "tcp", at.Host)
	if err != nil {
		return nil, err
	}
	conn := &bounded{Conn: raw}
	conn.left.Store(mostRead)
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	var stream net.Conn = conn
	if at.Scheme == "imaps" {
		settings := &tls.Config{}
		if c.TLS != nil {
			settings = c.TLS.Clone()
		}
		settings.ServerName = at.Hostname()
		secure := tls.Client(conn, settings)
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		stream = secure
	}
	s := &session{Client: imapclient.New(stream, &imapclient.Options{WordDecoder: &mime.WordDecoder{}}), conn: conn}
	if err = s.WaitGreeting(); err == nil && s.State() == imap.ConnStateNotAuthenticated {
		err = s.Login(cred.Username, cred.Password).Wait()
	}
	if answer, ok := errors.AsType[*imap.Error](err); ok && answer.Type == imap.StatusResponseTypeNo {
		err = &refusal{answer}
	}
	if err == nil && len(s.Caps()) == 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		s.end()
		return nil, errors.Join(ctx.Err(), err)
	}
	return s, nil
}

// begin prepares a connection for another call.
func (s *session) begin() {
	s.conn.left.Store(mostRead)
	s.changes = false
	s.selected = selected{} // what others did to the folder since is told when it is opened again
}

// end closes the connection.
func (s *session) end() { _ = s.conn.Close() } // nothing is expected of it any more

// broken reports whether the connection has ended.
func (s *session) broken() bool { return s.State() == imap.ConnStateLogout }

// open opens a folder, if it is not open.
func (s *session) open(name string) error {
	if s.selected.name == name {
		return nil
	}
	s.selected = selected{}
	is, err := s.Select(name, &imap.SelectOptions{ReadOnly: !s.changes}).Wait()
	if err == nil {
		s.selected = selected{name, is.UIDValidity, is.PermanentFlags}
	}
	return err
}

// bounded is a connection that reads only so many bytes.
type bounded struct {
	net.Conn
	left atomic.Int64
}

// Read fails beyond the bound.
func (b *bounded) Read(p []byte) (int, error) {
	left := b.left.Load()
	if left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.Conn.Read(p[:min(int64(len(p)), left)])
	b.left.Add(-int64(n))
	return n, err
}
