package redistest

import (
	"context"
	"net"
	"os/exec"
	"strconv"
	"testing"

	"convene/pkg/testenv"
)

// Durable is a real Redis that writes everything to disk before it answers, and that a test can kill and start again.
type Durable struct {
	// URL is the same for every start.
	URL string

	tb            testing.TB
	program, dir  string
	address, port string
	kill          func()
}

// StartDurable is Start for a server that outlives being killed.
func StartDurable(tb testing.TB) *Durable {
	tb.Helper()
	d := &Durable{tb: tb, program: testenv.Require(tb, "redis-server"), dir: tb.TempDir()}
	port, err := freePort(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	d.port = strconv.Itoa(port)
	d.address = net.JoinHostPort("127.0.0.1", d.port)
	d.URL = "redis://" + d.address
	d.Restart()
	tb.Cleanup(func() { d.Kill() })
	return d
}

// Kill ends the server without warning. Killing it again does nothing.
func (d *Durable) Kill() {
	if d.kill != nil {
		d.kill()
		d.kill = nil
	}
}

// Restart starts the server, after Kill with all that it had stored, and returns when it answers.
func (d *Durable) Restart() {
	d.tb.Helper()
	d.Kill()
	ctx, cancel := context.WithCancel(context.WithoutCancel(d.tb.Context()))
	server := exec.CommandContext(ctx, d.program, "--bind", "127.0.0.1", "--port", d.port, "--dir", d.dir,
		"--save", "", "--appendonly", "yes", "--appendfsync", "always", "--daemonize", "no")
	if err := server.Start(); err != nil {
		cancel()
		d.tb.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// It ends by being killed, which is no failure.
		_ = server.Wait()
	}()
	d.kill = func() {
		cancel()
		<-ended
	}
	if err := awaitPong(ctx, d.address, server.Process.Pid, ended); err != nil {
		d.Kill()
		d.tb.Fatalf("redis-server does not start: %v", err)
	}
}
