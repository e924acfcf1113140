// Package dovecottest runs a real Dovecot for tests, to hold the IMAP adapter against a server that others use.
package dovecottest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"convene/pkg/testenv/servertest"
)

// Password opens every user's mailbox.
const Password = "open-sesame"

// Server is one server for many tests, each with a user of its own. The zero value starts with its first user.
type Server struct {
	servertest.Server

	// Offers are the capabilities that it says it has, as "IMAP4rev1 UIDPLUS". Defaults to all of them.
	Offers string

	uid, gid int
}

// User is a user of this test alone, with an empty mailbox. If Dovecot is not installed the test is skipped, or fails
// under CONVENE_TEST_STRICT=1. The server speaks without TLS.
func (s *Server) User(tb testing.TB) string {
	tb.Helper()
	return fmt.Sprintf("user%d", s.Server.User(tb, servertest.Program{
		Name: "dovecot", Command: s.command, Answers: greets, Gently: true,
	}))
}

// Maildir is where the user's mailbox is. The owner of its files must be able to use files that a test puts there: Own
// sees to it.
func (s *Server) Maildir(user string) string { return filepath.Join(s.Dir, "mail", user, "Maildir") }

// Own makes files of a mailbox, which were written for the user, those of the server.
func (s *Server) Own(user string) error {
	return filepath.WalkDir(filepath.Join(s.Dir, "mail", user), func(name string, _ os.DirEntry, err error) error {
		if err == nil {
			err = os.Chown(name, s.uid, s.gid)
		}
		if errors.Is(err, os.ErrNotExist) {
			return nil // the server has moved it meanwhile
		}
		return err
	})
}

// Deliver puts mails into a user's inbox, each at once, as the server may be reading it.
func (s *Server) Deliver(user string, mails ...string) error {
	dir := s.Maildir(user)
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	var names []string
	for i, content := range mails {
		names = append(names, fmt.Sprintf("%d.%d.host", time.Now().UnixNano(), i))
		if err := os.WriteFile(filepath.Join(dir, "tmp", names[i]), []byte(content), 0o600); err != nil {
			return err
		}
	}
	if err := s.Own(user); err != nil {
		return err
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(dir, "tmp", name), filepath.Join(dir, "new", name)); err != nil {
			return err
		}
	}
	return nil
}

// text is the server's configuration.
const text = `base_dir = %[1]s/run
state_dir = %[1]s/run
log_path = /dev/stderr
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
    port = %[7]s
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
func (s *Server) settings(dir, port string) (string, error) {
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
	return fmt.Sprintf(text, dir, users, groups, Password, s.uid, s.gid, port, offers), nil
}

func (s *Server) command(program, dir, address string) ([]string, error) {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	settings, err := s.settings(dir, port)
	if err != nil {
		return nil, err
	}
	mails, file := filepath.Join(dir, "mail"), filepath.Join(dir, "config")
	return []string{program, "-F", "-c", file}, errors.Join(
		os.MkdirAll(mails, 0o755), os.Chmod(dir, 0o755), os.Chown(mails, s.uid, s.gid),
		os.WriteFile(file, []byte(settings), 0o600))
}

// greets reports whether a server is there.
func greets(ctx context.Context, address string) bool {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second)) // it is a fresh connection
	line := make([]byte, 64)
	n, _ := conn.Read(line) // what came, counts
	return strings.HasPrefix(string(line[:n]), "* OK")
}
