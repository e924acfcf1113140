// Package smtptest has a mail server that keeps what it gets.
package smtptest

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"math/big"
	"net"
	"net/textproto"
	"strings"
	"sync"
	"testing"
	"time"
)

// Sink is a mail server on this machine. Its members are set before it is used.
type Sink struct {
	// Implicit is TLS from the start; StartTLS offers it.
	Implicit, StartTLS bool
	// Password, if set, must be given with PLAIN, for any user.
	Password string
	// Refuse are answers to recipients ("452 later"), and to a whole mail under "".
	Refuse map[string]string
	// Cut ends the connection after a whole mail was taken, without an answer.
	Cut bool

	t        *testing.T
	listener net.Listener
	cert     tls.Certificate
	mu       sync.Mutex
	got      []Mail
}

// Mail is what was handed over.
type Mail struct {
	From    string
	To      []string
	Content string
}

// Start starts the sink; the test's end stops it.
func (s *Sink) Start(t *testing.T) *Sink {
	t.Helper()
	s.t = t
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	s.cert = tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	var config net.ListenConfig
	if s.listener, err = config.Listen(t.Context(), "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if s.Implicit {
		s.listener = tls.NewListener(s.listener, s.tls())
	}
	var serving sync.WaitGroup
	t.Cleanup(func() {
		_ = s.listener.Close() // the test is over
		serving.Wait()
	})
	serving.Go(func() {
		for {
			conn, err := s.listener.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { s.serve(conn) })
		}
	})
	return s
}

func (s *Sink) tls() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{s.cert}, MinVersion: tls.VersionTLS12}
}

// Trust are settings for clients that trust the sink.
func (s *Sink) Trust() *tls.Config {
	pool := x509.NewCertPool()
	cert, err := x509.ParseCertificate(s.cert.Certificate[0])
	if err != nil {
		s.t.Fatal(err)
	}
	pool.AddCert(cert)
	return &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
}

// URL is the server's address.
func (s *Sink) URL() string {
	scheme := "smtp://"
	if s.Implicit {
		scheme = "smtps://"
	}
	return scheme + s.listener.Addr().String()
}

// Got are the mails that were taken.
func (s *Sink) Got() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail{}, s.got...)
}

// session is a connection.
type session struct {
	*Sink
	conn net.Conn
	text *textproto.Conn
	mail Mail
	in   bool
}

func (s *Sink) serve(conn net.Conn) {
	const longest = 10 * time.Second
	_ = conn.SetDeadline(time.Now().Add(longest)) // a test does not hang
	c := &session{Sink: s, conn: conn, text: textproto.NewConn(conn), in: s.Password == ""}
	defer func() { _ = c.conn.Close() }() // the client may have closed it
	c.say("220 sink")
	for {
		line, err := c.text.ReadLine()
		if err != nil || !c.answer(line) {
			return
		}
	}
}

func (c *session) say(line string) { _ = c.text.PrintfLine("%s", line) } // the next reading fails

// answer answers a line, and reports whether the session goes on.
func (c *session) answer(line string) bool {
	verb, rest, _ := strings.Cut(line, " ")
	switch strings.ToUpper(verb) {
	case "EHLO", "HELO":
		c.hello()
	case "STARTTLS":
		c.say("220 go")
		c.conn = tls.Server(c.conn, c.tls())
		c.text = textproto.NewConn(c.conn)
	case "AUTH":
		given, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
		if c.in = strings.HasSuffix(string(given), "\x00"+c.Password); c.in {
			c.say("235 ok")
		} else {
			c.say("535 wrong")
		}
	case "MAIL":
		if c.mail = (Mail{From: address(rest)}); c.in {
			c.say("250 ok")
		} else {
			c.say("530 log in")
		}
	case "RCPT":
		to := address(rest)
		if refused := c.Refuse[to]; refused != "" {
			c.say(refused)
			break
		}
		c.mail.To = append(c.mail.To, to)
		c.say("250 ok")
	case "DATA":
		return c.data()
	case "QUIT":
		c.say("221 bye")
		return false
	default:
		c.say("250 ok")
	}
	return true
}

func (c *session) hello() {
	lines := []string{"sink"}
	if _, secure := c.conn.(*tls.Conn); c.StartTLS && !secure {
		lines = append(lines, "STARTTLS")
	}
	if c.Password != "" {
		lines = append(lines, "AUTH PLAIN")
	}
	for _, line := range lines {
		c.say("250-" + line)
	}
	c.say("250 8BITMIME")
}

func (c *session) data() bool {
	c.say("354 go")
	content, err := io.ReadAll(bufio.NewReader(c.text.DotReader()))
	if err != nil {
		return false
	}
	if refused := c.Refuse[""]; refused != "" {
		c.say(refused)
		return true
	}
	c.mail.Content = string(content)
	c.mu.Lock()
	c.got = append(c.got, c.mail)
	c.mu.Unlock()
	if c.Cut {
		return false
	}
	c.say("250 taken")
	return true
}

func address(rest string) string {
	_, rest, _ = strings.Cut(rest, "<")
	address, _, _ := strings.Cut(rest, ">")
	return address
}
