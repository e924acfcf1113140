// Package servertest starts real servers that many tests share, to hold adapters against programs that others use.
package servertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// Server is a program that serves many tests over the network, each with a user of its own. The zero value starts with
// its first user, on a free loopback port and with a folder of its own.
type Server struct {
	// Dir is the server's folder, and Address its host and port, once it has a user.
	Dir, Address string

	once sync.Once
	err  error
	end  func()

	mu   sync.Mutex
	next int
}

// Program is how a Server is started.
type Program struct {
	Name string
	// Command is the command line by which the program at a path serves at an address. It may write to the folder.
	Command func(path, dir, address string) ([]string, error)
	// Answers reports whether the server at the address is ready.
	Answers func(ctx context.Context, address string) bool
	// Gently lets the program end by itself when it is told to; otherwise it is killed.
	Gently bool
}

// startTimeout bounds how long a server may take to answer.
const startTimeout = 20 * time.Second

// User is the number of a user of this test alone, from 0. If the program is not installed, the test is skipped, or
// fails under CONVENE_TEST_STRICT=1.
func (s *Server) User(tb testing.TB, p Program) int {
	tb.Helper()
	path := testenv.Require(tb, p.Name)
	s.once.Do(func() { s.err = s.run(context.WithoutCancel(tb.Context()), path, p) })
	if s.err != nil {
		tb.Fatalf("%s does not start: %v", p.Name, s.err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return s.next - 1
}

// Stop ends the server, if one was started, and forgets what it kept.
func (s *Server) Stop() {
	if s.end != nil {
		s.end()
	}
	if s.Dir != "" {
		_ = os.RemoveAll(s.Dir) // a temporary folder
	}
}

// run starts the server. The port may be taken by another process before the server listens; then another one is
// tried.
func (s *Server) run(ctx context.Context, path string, p Program) (err error) {
	if s.Dir, err = os.MkdirTemp("", p.Name); err != nil {
		return err
	}
	var problems []error
	for range 3 {
		err := s.runOnce(ctx, path, p)
		if err == nil {
			return nil
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

func (s *Server) runOnce(ctx context.Context, path string, p Program) (err error) {
	if s.Address, err = freeAddress(ctx); err != nil {
		return err
	}
	line, err := p.Command(path, s.Dir, s.Address)
	if err != nil {
		return err
	}
	// The shell ends the server when the pipe is closed, which it is even if this process is killed.
	script := `"$@" & read -r _; kill -9 $!`
	if p.Gently {
		script = `"$@" & read -r _; kill $!; wait $!`
	}
	line = append([]string{"-c", script, "sh"}, line...)
	command := exec.CommandContext(ctx, "/bin/sh", line...) //nolint:gosec // the command of a test
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
	if err := s.await(ctx, p.Answers, ended); err != nil {
		s.end()
		return fmt.Errorf("%w: %s", err, out.String())
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

// await asks until the server answers.
func (s *Server) await(
	ctx context.Context, answers func(ctx context.Context, address string) bool, ended <-chan struct{},
) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if answers(ctx, s.Address) {
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
