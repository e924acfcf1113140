// Package radicaletest runs a real Radicale for tests, to hold the CalDAV adapter against a server that others use.
package radicaletest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"convene/pkg/testenv/servertest"
)

// users is how many a server knows: user0, user1 and so on.
const users = 200

// Password opens every user's account.
const Password = "open sesame"

// Server is one server for many tests, each with a user of its own. The zero value starts with its first user.
type Server struct{ servertest.Server }

// User is a user of this test alone. If radicale is not installed the test is skipped, or fails under
// CONVENE_TEST_STRICT=1.
func (s *Server) User(tb testing.TB) string {
	tb.Helper()
	answers := func(ctx context.Context, _ string) bool {
		_, err := s.Call(ctx, "user0", "PROPFIND", "/user0/", "")
		return err == nil
	}
	n := s.Server.User(tb, servertest.Program{Name: "radicale", Command: command, Answers: answers})
	if n >= users {
		tb.Fatal("there are more tests than users")
	}
	return fmt.Sprintf("user%d", n)
}

// URL is the server's address, once it has a user.
func (s *Server) URL() string { return "http://" + s.Address }

// Call does what a client of the user's own would, and gives what the server answers. A refusal is an error.
func (s *Server) Call(ctx context.Context, user, method, path, body string) (answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.SetBasicAuth(user, Password)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	answer, err = io.ReadAll(resp.Body)
	if resp.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, resp.Status, answer)
	}
	return answer, errors.Join(err, resp.Body.Close())
}

// command serves with all users' accounts.
func command(program, dir, address string) ([]string, error) {
	var known strings.Builder
	for i := range users {
		fmt.Fprintf(&known, "user%d:%s\n", i, Password)
	}
	settings := fmt.Sprintf(`[server]
hosts = %s
[auth]
type = htpasswd
htpasswd_filename = %s
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = %s
[logging]
level = warning
`, address, filepath.Join(dir, "users"), filepath.Join(dir, "collections"))
	file := filepath.Join(dir, "config")
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "users"), []byte(known.String()), 0o600),
		os.WriteFile(file, []byte(settings), 0o600))
	line := []string{program, "--config", file}
	// Debian's program is for Debian's Python, whatever other one comes first in the path.
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		line = append([]string{"/usr/bin/python3"}, line...)
	}
	return line, err
}
