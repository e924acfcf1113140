package redistest

import (
	"testing"

	"convene/pkg/testenv"
)

// Durable is a real Redis that writes everything to disk before it answers, and that a test can kill and restart.
type Durable struct {
	// URL is the same after every restart.
	URL string

	tb           testing.TB
	program, dir string
	port         int
	node         *node
}

// StartDurable is Start for a server that survives Kill.
func StartDurable(tb testing.TB) *Durable {
	tb.Helper()
	d := &Durable{tb: tb, program: testenv.Require(tb, "redis-server"), dir: tb.TempDir()}
	var err error
	if d.port, err = freePort(tb.Context()); err != nil {
		tb.Fatal(err)
	}
	d.Restart()
	d.URL = "redis://" + d.node.address
	tb.Cleanup(d.Kill)
	return d
}

// Kill ends the server without warning. Killing it again does nothing.
func (d *Durable) Kill() {
	if d.node != nil {
		d.node.stop()
		d.node = nil
	}
}

// Restart starts the server with everything that it had stored, and returns when it answers.
func (d *Durable) Restart() {
	d.tb.Helper()
	d.Kill()
	var err error
	d.node, err = startAt(d.tb.Context(), d.port, d.program, d.dir,
		"--save", "", "--appendonly", "yes", "--appendfsync", "always")
	if err != nil {
		d.tb.Fatalf("redis-server does not start: %v", err)
	}
}
