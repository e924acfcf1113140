// Package dovecottest runs a real Dovecot for tests, to hold the IMAP adapter against a server that others use.
package dovecottest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// Password opens every user's mailbox.
const Password = "open-sesame"

// startTimeout bounds how long the server may take to answer.
const startTimeout = 10 * time.Second

// Server is one server for many tests, each with a user of its own. The zero value starts with its first user.
type Server struct {
	// Offers are the capabilities that it says it has, as "IMAP4rev1 UIDPLUS". Defaults to all of them.
	Offers string

	start sync.Once
	addr  string
	err   error
	dir   string
	uid   int
	gid   int
	end   func()

	mu   sync.Mutex
	next int
}

// User is a user of this test alone, with an empty mailbox. If Dovecot is not installed the test is skipped, or fails
// under CONVENE_TEST_STRICT=1.
func (s *Server) User(tb testing.TB) string {
	tb.Helper()
	program := testenv.Require(tb, "dovecot")
	s.start.Do(func() { s.err = s.run(context.WithoutCancel(tb.Context()), program) })
	if s.err != nil {
		tb.Fatalf("dovecot does not start: %v", s.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return fmt.Sprintf("user%d", s.next)
}

// Address is the server's host and port, once it has a user. It speaks without TLS.
func (s *Server) Address() string { return s.addr }

// Maildir is where the user's mailbox is. The owner of its files must be able to use files that a test puts there: Own
// sees to it.
func (s *Server) Maildir(user string) string { return filepath.Join(s.dir, "mail", user, "Maildir") }

// Own makes files of a mailbox, which were written for the user, those of the server.
func (s *Server) Own(user string) error {
	return filepath.WalkDir(filepath.Join(s.dir, "mail", user), func(name string, _ os.DirEntry, err error) error {
		return errors.Join(err, os.Chown(name, s.uid, s.gid))
	})
}

// Deliver puts mails into a user's inbox.
func (s *Server) Deliver(user string, mails ...string) error {
	dir := filepath.Join(s.Maildir(user), "new")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for i, content := range mails {
		name := filepath.Join(dir, fmt.Sprintf("%d.%d.host", time.Now().Unix(), i))
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return err
		}
	}
	return s.Own(user)
}

// Stop ends the server, if one was started, and forgets what it kept.
func (s *Server) Stop() {
	if s.end != nil {
		s.end()
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // a temporary folder
	}
}

// run starts the server on a free loopback port with a folder of its own. The port may be taken by another process
// before the server listens; then another one is tried.
func (s *Server) run(ctx context.Context, program string) (err error) {
	if s.dir, err = os.MkdirTemp("", "dovecot"); err != nil {
		return err
	}
	var problems []error
	for range 3 {
		err := s.runOnce(ctx, program)
		if err == nil {
			return nil
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// text is the server's configuration.
const text = `base_dir = %[1]s/run
state_dir = %[1]s/run
log_path = %[1]s/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
%[2]s
%[3]s
mail_location = maildir:%[1]s/mail/%%u/Maildir
mail_max_userip_connections = 0
first_valid_uid = 1
auth_failure_delay = 0
passdb {
  driver = static
  args = password=%[4]s
}
userdb {
  driver = static
  args = uid=%[5]d gid=%[6]d home=%[1]s/mail/%%u
}
namespace inbox {
  inbox = yes
  mailbox Drafts {
    special_use = \Drafts
  }
  mailbox "Sent Mail" {
    special_use = \Sent
  }
  mailbox Rubbish {
    special_use = \Trash
  }
}
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = %[7]d
  }
  inet_listener imaps {
    port = 0
  }
}
service imap {
  process_limit = 200
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
protocol imap {
  %[8]s
}
`

// settings are for a server of one user of this machine: Dovecot refuses to keep root's mail.
func (s *Server) settings(port int) (string, error) {
	me, err := user.Current()
	if err != nil {
		return "", err
	}
	group, err := user.LookupGroupId(me.Gid)
	if err != nil {
		return "", err
	}
	s.uid, s.gid = os.Getuid(), os.Getgid()
	users := fmt.Sprintf("default_login_user = %[1]s\ndefault_internal_user = %[1]s", me.Username)
	groups := "default_internal_group = " + group.Name
	if s.uid == 0 { // the users of its package
		const nobody = 65534
		s.uid, s.gid, users, groups = nobody, nobody, "", ""
	}
	offers := ""
	if s.Offers != "" {
		offers = "imap_capability = " + s.Offers
	}
	return fmt.Sprintf(text, s.dir, users, groups, Password, s.uid, s.gid, port, offers), nil
}

func (s *Server) runOnce(ctx context.Context, program string) error {
	port, err := freePort(ctx)
	if err != nil {
		return err
	}
	settings, err := s.settings(port)
	if err != nil {
		return err
	}
	mails := filepath.Join(s.dir, "mail")
	if err := errors.Join(os.MkdirAll(mails, 0o755), os.Chmod(s.dir, 0o755), os.Chown(mails, s.uid, s.gid)); err != nil {
		return err
	}
	file := filepath.Join(s.dir, "config")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return err
	}
	// The shell ends the server when the pipe is closed, which it is even if this process is killed.
	const run = `"$@" & read -r _; kill $!; wait $!`
	command := exec.CommandContext(ctx, "/bin/sh", "-c", run, "sh", program, "-F", "-c", file)
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, &out
	pipe, err := command.StdinPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = command.Wait() // it ends by being killed, which is no failure
	}()
	s.end = func() {
		_ = pipe.Close() // it is open
		<-ended
	}
	s.addr = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if err := s.await(ctx, ended); err != nil {
		s.end()
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		return fmt.Errorf("%w: %s%s", err, out.String(), log)
	}
	return nil
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// await asks until the server greets.
func (s *Server) await(ctx context.Context, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if s.greets(ctx) {
			return nil
		}
		select {
		case <-ended:
			return errors.New("it ends")
		case <-ctx.Done():
			return errors.New("it does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *Server) greets(ctx context.Context) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.addr)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second)) // it is a fresh connection
	line := make([]byte, 64)
	n, _ := conn.Read(line) // what came, counts
	return strings.HasPrefix(string(line[:n]), "* OK")
}
