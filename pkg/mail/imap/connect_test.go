package imap_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/imap"
	"convene/pkg/mail/imap/dovecottest"
	"convene/pkg/mail/mailtest"
	"convene/pkg/outbound"
)

// secured is the full server over TLS, and settings that trust its certificate, which is for 127.0.0.1.
func secured(t *testing.T) (address string, trusting *tls.Config) {
	t.Helper()
	own := httptest.NewTLSServer(nil)
	t.Cleanup(own.Close)
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: own.TLS.Certificates})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", full.Address)
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(server, client); _ = server.Close() }()
			go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
		}
	}()
	pool := x509.NewCertPool()
	pool.AddCert(own.Certificate())
	return l.Addr().String(), &tls.Config{RootCAs: pool}
}

// A new account is logged in to, over TLS with a certificate that is trusted, and what is wrong is said by its field.
func TestCheck(t *testing.T) {
	t.Parallel()
	user := full.User(t)
	address, trusting := secured(t)
	_, port, _ := net.SplitHostPort(address)
	for name, tt := range map[string]struct {
		login            account.MailLogin
		plain, strangers bool
		field, says      string
	}{
		"TLS":                    {login: login("imaps://"+address, user)},
		"without a scheme":       {login: login(address, user)},
		"another name":           {login: login("localhost:"+port, user), field: "server", says: "certificate"},
		"an unknown certificate": {login: login(address, user), strangers: true, field: "server", says: "certificate"},
		"no encryption": {
			login: login("imap://"+full.Address, user), field: "server", says: "begin with imaps://",
		},
		"no encryption, allowed": {login: login("imap://"+full.Address, user), plain: true},
		"another protocol":       {login: login("https://"+address, user), field: "server", says: "address of a server"},
		"a wrong password": {
			login: account.MailLogin{ServerLogin: account.ServerLogin{Server: address, Username: user, Password: "x"}},
			field: "password", says: "did not take",
		},
		"a wrong SMTP server": {
			login: account.MailLogin{ServerLogin: login(address, user).ServerLogin, Outgoing: "imaps://s.example"},
			field: "smtp", says: "smtps://",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := imap.Config{Dialer: new(net.Dialer), Plain: tt.plain, TLS: trusting}
			if tt.strangers {
				cfg.TLS = nil
			}
			server, _, err := imap.New(cfg).Check(t.Context(), tt.login)
			if tt.field == "" {
				if err != nil || !strings.Contains(server, "://127.0.0.1:") {
					t.Errorf("%q, %v", server, err)
				}
				return
			}
			if f := fault.As(err); f.Field != tt.field || !strings.Contains(f.Message, tt.says) {
				t.Errorf("%v, want that %s %q", err, tt.field, tt.says)
			}
		})
	}
}

func login(server, user string) account.MailLogin {
	return account.MailLogin{
		ServerLogin: account.ServerLogin{Server: server, Username: user, Password: dovecottest.Password},
	}
}

// A password that no longer opens the mailbox is reported once it is refused, and an address that is not public is not
// called.
func TestAccountsThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	user := full.User(t)
	refused := make(chan account.Credential, 9)
	of := accounts{
		owner: mailtest.Owner().ID, refused: refused, cred: account.Credential{Username: user, Password: "old"},
		list: []account.Account{{
			ID: "a", Provider: account.IMAP, Server: "imap://" + full.Address, Outgoing: "smtps://s.example:465",
		}},
	}
	p := imap.New(imap.Config{Accounts: of, Dialer: outbound.Dialer(false), Plain: true})
	if _, err := p.List(t.Context(), mailtest.Owner(), mail.Query{}); err == nil || len(refused) != 1 {
		t.Errorf("%v, reported %d times", err, len(refused))
	}
	p = imap.New(imap.Config{Accounts: of, Dialer: outbound.Dialer(true), Plain: true})
	_, err := p.List(t.Context(), mailtest.Owner(), mail.Query{})
	if f := fault.As(err); f.Code != fault.Unavailable || !strings.Contains(f.Message, "not a public one") {
		t.Errorf("a private address: %v", err)
	}
	server, cred, err := p.Outgoing(t.Context(), mailtest.Owner())
	if server != "smtps://s.example:465" || cred != of.cred || err != nil {
		t.Errorf("mail leaves by %q, %v", server, err)
	}
}

// A server that says nothing is said not to answer.
func TestASilentServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	p := imap.New(imap.Config{Dialer: new(net.Dialer), Plain: true, Limit: 50 * time.Millisecond})
	_, _, err = p.Check(t.Context(), login("imap://"+l.Addr().String(), "user"))
	if f := fault.As(err); !f.Retryable || !strings.Contains(f.Message, "did not answer in time") {
		t.Error(err)
	}
}
