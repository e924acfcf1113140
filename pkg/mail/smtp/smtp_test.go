package smtp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/mail/smtp"
	"convene/pkg/mail/smtp/smtptest"
)

func Example() {
	s, err := smtp.New(smtp.Config{Server: "smtps://mail.example.com", Username: "dana", Password: "secret"})
	fmt.Println(s != nil, err)
	// Output: true <nil>
}

const content = "From: dana@example.com\r\nSubject: Hi\r\n\r\nHello.\r\n.dots stay\r\n"

func sender(t *testing.T, s *smtptest.Sink, with ...func(*smtp.Config)) *smtp.Sender {
	t.Helper()
	cfg := smtp.Config{Server: s.URL(), Private: true, TLS: s.Trust()}
	for _, w := range with {
		w(&cfg)
	}
	sender, err := smtp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// send sends a mail to two people, and counts the commits.
func send(ctx context.Context, s *smtp.Sender) (commits int, err error) {
	to := []string{"al@example.com", "bea@example.net"}
	e := mail.Envelope{From: "dana@example.com", To: to, Content: []byte(content)}
	err = s.Send(ctx, e, func() error {
		commits++
		return nil
	})
	return commits, err
}

func login(cfg *smtp.Config) { cfg.Username, cfg.Password = "dana", "secret" }

// A mail is handed over once and whole, in each way to connect.
func TestAMailIsHandedOver(t *testing.T) {
	t.Parallel()
	for name, sink := range map[string]*smtptest.Sink{
		"plain": {}, "STARTTLS": {StartTLS: true, Password: "secret"}, "TLS": {Implicit: true, Password: "secret"},
	} {
		sink.Start(t)
		s := sender(t, sink, login)
		if sink.Password == "" {
			s = sender(t, sink)
		}
		commits, err := send(t.Context(), s)
		got := sink.Got()
		if err != nil || commits != 1 || len(got) != 1 {
			t.Errorf("%s: %v, %d commits, got %+v", name, err, commits, got)
			continue
		}
		if got[0].Content != strings.ReplaceAll(content, "\r\n", "\n") || got[0].From != "dana@example.com" ||
			strings.Join(got[0].To, " ") != "al@example.com bea@example.net" {
			t.Errorf("%s: got %+v", name, got[0])
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("%s: Check: %v", name, err)
		}
	}
}

// What a server refuses is sent to nobody, and a fault says why. Only after the whole mail is there a commit.
func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	refusing := func(whom, answer string) *smtptest.Sink {
		return &smtptest.Sink{Refuse: map[string]string{whom: answer}}
	}
	for name, c := range map[string]struct {
		sink    *smtptest.Sink
		login   bool
		commits int
		later   bool
		says    string
	}{
		"a recipient for good":    {refusing("bea@example.net", "550 who"), false, 0, false, "bea@example.net"},
		"a recipient for now":     {refusing("al@example.com", "451 wait"), false, 0, true, "al@example.com"},
		"the mail for good":       {refusing("", "554 no"), false, 1, false, "this mail"},
		"the mail for now":        {refusing("", "452 full"), false, 1, true, "this mail"},
		"without a login":         {&smtptest.Sink{Password: "secret", StartTLS: true}, false, 0, false, "dana@example.com"},
		"with the wrong password": {&smtptest.Sink{Password: "other", StartTLS: true}, true, 0, false, "password"},
	} {
		sink := c.sink.Start(t)
		s := sender(t, sink)
		if c.login {
			s = sender(t, sink, login)
		}
		commits, err := send(t.Context(), s)
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Retryable != c.later || !strings.Contains(f.Message, c.says) || commits != c.commits ||
			len(sink.Got()) != 0 {
			t.Errorf("%s: %v, %d commits, got %+v", name, err, commits, sink.Got())
		}
	}
}

// A connection that ends after the mail leaves it open whether it was taken: the error is no fault.
func TestACutAfterTheMail(t *testing.T) {
	t.Parallel()
	sink := (&smtptest.Sink{Cut: true}).Start(t)
	commits, err := send(t.Context(), sender(t, sink))
	if _, told := errors.AsType[*fault.Error](err); err == nil || told || commits != 1 || len(sink.Got()) != 1 {
		t.Errorf("%v, %d commits, got %d", err, commits, len(sink.Got()))
	}
}

// Without a commit nothing is sent.
func TestARefusedCommit(t *testing.T) {
	t.Parallel()
	sink := new(smtptest.Sink).Start(t)
	lost := errors.New("the claim is lost")
	e := mail.Envelope{From: "dana@example.com", To: []string{"al@example.com"}, Content: []byte(content)}
	err := sender(t, sink).Send(t.Context(), e, func() error { return lost })
	if !errors.Is(err, lost) || len(sink.Got()) != 0 {
		t.Errorf("%v, got %+v", err, sink.Got())
	}
}

// Public servers alone are reached, with TLS, unless private ones are allowed.
func TestServersThatAreNotReached(t *testing.T) {
	t.Parallel()
	sink := new(smtptest.Sink).Start(t)
	_, err := send(t.Context(), sender(t, sink, func(cfg *smtp.Config) { cfg.Private = false }))
	if fault.CodeOf(err) != fault.InvalidRequest || len(sink.Got()) != 0 {
		t.Errorf("a private server: %v", err)
	}
	untrusted := (&smtptest.Sink{Implicit: true}).Start(t)
	if _, err := send(t.Context(), sender(t, untrusted, func(cfg *smtp.Config) { cfg.TLS = nil })); err == nil {
		t.Error("a server whose certificate nobody knows is trusted")
	}
	plain := (&smtptest.Sink{Password: "secret"}).Start(t)
	if _, err := send(t.Context(), sender(t, plain, login)); err != nil {
		t.Errorf("a password to this machine: %v", err)
	}
	for _, server := range []string{"", "mail.example.com", "imaps://x", "smtps://u:p@x", "smtps://x/y", "smtp://x:0"} {
		if _, err := smtp.New(smtp.Config{Server: server}); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%q: %v", server, err)
		}
	}
}
