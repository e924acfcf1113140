package redistest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// startTimeout bounds how long a server may take to answer.
const startTimeout = 10 * time.Second

// node is one redis-server: a Redis on its own, a node of a cluster or a sentinel.
type node struct {
	address string
	// stop kills the server and waits for its end.
	stop func()
}

// start runs redis-server on a free loopback port. Another process may take the port first: then it tries another port.
func start(ctx context.Context, program, dir string, args ...string) (*node, error) {
	var problems []error
	for range 5 {
		port, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		n, err := startAt(ctx, port, program, dir, args...)
		if err == nil {
			return n, nil
		}
		problems = append(problems, err)
	}
	return nil, errors.Join(problems...)
}

// startAt runs redis-server on the port and returns once it answers. The server outlives ctx.
func startAt(ctx context.Context, port int, program, dir string, args ...string) (*node, error) {
	running, cancel := context.WithCancel(context.WithoutCancel(ctx))
	args = append(args, "--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir)
	server := exec.CommandContext(running, program, args...)
	if err := server.Start(); err != nil {
		cancel()
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Wait() // being killed is no failure
	}()
	n := &node{address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), stop: func() { cancel(); <-ended }}
	if err := n.awaitStart(ctx, server.Process.Pid, ended); err != nil {
		n.stop()
		return nil, err
	}
	return n, nil
}

func freePort(ctx context.Context) (int, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// awaitStart asks until the process pid answers: another server may have got the port.
func (n *node) awaitStart(ctx context.Context, pid int, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		info, err := n.ask(ctx, "INFO server")
		if err == nil && strings.Contains(info, fmt.Sprintf("process_id:%d\r", pid)) {
			return nil
		}
		select {
		case <-ended:
			return errors.New("it ended at once")
		case <-ctx.Done():
			return fmt.Errorf("no answer at %s: %w", n.address, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// tell sends a command that answers OK.
func (n *node) tell(ctx context.Context, format string, args ...any) error {
	command := fmt.Sprintf(format, args...)
	answer, err := n.ask(ctx, command)
	if err == nil && answer != "OK" {
		err = errors.New(answer)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

// await asks until the answer contains all the wants. A server that is being promoted cuts its connections: await asks
// again.
func (n *node) await(ctx context.Context, command string, wants ...string) error {
	for {
		answer, err := n.ask(ctx, command)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, syscall.ECONNRESET) {
			return fmt.Errorf("%s: %w", command, err)
		}
		missing := ""
		for _, want := range wants {
			if !strings.Contains(answer, want) {
				missing = want
			}
		}
		if missing == "" {
			return nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%s: no %s: %w", command, missing, ctx.Err())
		}
	}
}

// ask returns the answer to one command, as text, over a connection of its own.
func (n *node) ask(ctx context.Context, command string) (string, error) {
	client := redis.NewClient(&redis.Options{
		Addr: n.address, Protocol: 2, DisableIdentity: true, ContextTimeoutEnabled: true, MaxRetries: -1, DialerRetries: 1,
	})
	defer client.Close()
	var args []any
	for _, word := range strings.Fields(command) {
		args = append(args, word)
	}
	answer, err := client.Do(ctx, args...).Result()
	if err != nil {
		return "", err
	}
	return fmt.Sprint(answer), nil
}
