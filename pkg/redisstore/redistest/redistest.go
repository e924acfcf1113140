// Package redistest runs a real Redis for a test, to hold the store against what production uses.
package redistest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"convene/pkg/testenv"
)

// startTimeout bounds how long the server may take to answer.
const startTimeout = 10 * time.Second

// Start runs Debian's redis-server on a free loopback port, with a directory of its own and nothing persisted, and
// ends it with the test. It returns the server's redis:// URL. Where redis-server is not installed, the test is
// skipped, or fails under CONVENE_TEST_STRICT=1.
func Start(tb testing.TB) (url string) {
	tb.Helper()
	program := testenv.Require(tb, "redis-server")
	// A free port may be taken by somebody else before the server listens; then another one is tried.
	var problem error
	for range 5 {
		address, err := start(tb, program)
		if err == nil {
			return "redis://" + address
		}
		problem = errors.Join(problem, err)
	}
	tb.Fatalf("redis-server does not start: %v", problem)
	return ""
}

func start(tb testing.TB, program string) (address string, err error) {
	tb.Helper()
	port, err := freePort(tb.Context())
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	server := exec.CommandContext(ctx, program, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", tb.TempDir(),
		"--save", "", "--appendonly", "no", "--daemonize", "no")
	if err := server.Start(); err != nil {
		cancel()
		return "", err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// It ends by being killed, which is no failure.
		_ = server.Wait()
	}()
	stop := func() {
		cancel()
		<-ended
	}
	address = net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	if err := awaitPong(ctx, address, server.Process.Pid, ended); err != nil {
		stop()
		return "", err
	}
	tb.Cleanup(stop)
	return address, nil
}

func freePort(ctx context.Context) (int, error) {
	var any net.ListenConfig
	l, err := any.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// awaitPong asks until this very server answers, and not another one that has got the port.
func awaitPong(ctx context.Context, address string, pid int, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		if got, err := askPid(ctx, address); err == nil && got == pid {
			return nil
		}
		select {
		case <-ended:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return fmt.Errorf("no answer at %s: %w", address, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// askPid is the process id of the server at address.
func askPid(ctx context.Context, address string) (int, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return 0, err
		}
	}
	if _, err := conn.Write([]byte("INFO server\r\n")); err != nil {
		return 0, err
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if pid, ok := strings.CutPrefix(lines.Text(), "process_id:"); ok {
			return strconv.Atoi(pid)
		}
	}
	return 0, errors.New("the answer has no process id")
}
