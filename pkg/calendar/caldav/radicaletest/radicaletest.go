// Package radicaletest runs a real Radicale for tests, to hold the CalDAV adapter against a server that others use.
package radicaletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// users is how many a server knows: user0, user1 and so on.
const users = 200

// Password opens every user's account.
const Password = "open sesame"

// startTimeout bounds how long the server may take to answer.
const startTimeout = 20 * time.Second

// Server is one server for many tests, each with a user of its own. The zero value starts with its first user.
type Server struct {
	start sync.Once
	url   string
	err   error
	dir   string
	end   func()

	mu   sync.Mutex
	next int
}

// User is a user of this test alone. If radicale is not installed the test is skipped, or fails under
// CONVENE_TEST_STRICT=1.
func (s *Server) User(tb testing.TB) string {
	tb.Helper()
	program := testenv.Require(tb, "radicale")
	s.start.Do(func() { s.err = s.run(context.WithoutCancel(tb.Context()), program) })
	if s.err != nil {
		tb.Fatalf("radicale does not start: %v", s.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == users {
		tb.Fatal("there are more tests than users")
	}
	s.next++
	return fmt.Sprintf("user%d", s.next-1)
}

// URL is the server's address, once it has a user.
func (s *Server) URL() string { return s.url }

// Stop ends the server, where one was started, and forgets what it kept.
func (s *Server) Stop() {
	if s.end != nil {
		s.end()
	}
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // a temporary folder
	}
}

// Call does what a client of the user's own would, and gives what the server answers. A refusal is an error.
func (s *Server) Call(ctx context.Context, user, method, path, body string) (answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
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

// run starts the server on a free loopback port with a folder of its own. The port may be taken by another process
// before the server listens; then another one is tried.
func (s *Server) run(ctx context.Context, program string) (err error) {
	if s.dir, err = os.MkdirTemp("", "radicale"); err != nil {
		return err
	}
	var known strings.Builder
	for i := range users {
		fmt.Fprintf(&known, "user%d:%s\n", i, Password)
	}
	if err := os.WriteFile(filepath.Join(s.dir, "users"), []byte(known.String()), 0o600); err != nil {
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

func (s *Server) runOnce(ctx context.Context, program string) error {
	address, err := freeAddress(ctx)
	if err != nil {
		return err
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
`, address, filepath.Join(s.dir, "users"), filepath.Join(s.dir, "collections"))
	file := filepath.Join(s.dir, "config")
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		return err
	}
	// Debian's program is for Debian's Python, whatever other one comes first in the path.
	line := []string{program, "--config", file}
	if _, err := os.Stat("/usr/bin/python3"); err == nil {
		line = append([]string{"/usr/bin/python3"}, line...)
	}
	// The shell ends the server when the pipe is closed, which it is even where this process is killed.
	command := exec.CommandContext(ctx, "/bin/sh",
		append([]string{"-c", `"$@" & read -r _; kill -9 $!`, "sh"}, line...)...)
	var log bytes.Buffer
	command.Stderr = &log
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
	s.url = "http://" + address
	if err := s.await(ctx); err != nil {
		s.end()
		return fmt.Errorf("%w: %s", err, log.String())
	}
	return nil
}

func freeAddress(ctx context.Context) (string, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// await asks until the server answers one of its own users.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if _, err := s.Call(ctx, "user0", "PROPFIND", "/user0/", ""); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("it does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
}
