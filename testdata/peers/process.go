package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	startTimeout = 20 * time.Second
	stopTimeout  = 5 * time.Second
	// tick is the unit of /proc/PID/stat: USER_HZ is 100 on every Linux that Go runs on.
	tick = 10 * time.Millisecond
)

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// process is a server that this program has started.
type process struct {
	cmd   *exec.Cmd
	url   string
	log   string
	ended chan struct{}
}

// start runs a server that prints the address it listens on, and returns when it has. What the server prints goes to a
// file in dir, as it would in production, so that nobody has to be awake to read it.
func start(ctx context.Context, dir string, env []string, program string, args ...string) (*process, error) {
	log, err := os.CreateTemp(dir, filepath.Base(program)+"-*.log")
	if err != nil {
		return nil, fmt.Errorf("make a log: %w", err)
	}
	defer log.Close()
	p := &process{cmd: exec.CommandContext(ctx, program, args...), log: log.Name(), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	p.cmd.WaitDelay = stopTimeout
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", filepath.Base(program), err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // how it ended does not matter: a server that is gone fails the next turn
	}()
	err = p.await(ctx, func() bool {
		p.url = string(address.Find(p.printed()))
		return p.url != ""
	})
	return p, err
}

// printed is what the process has printed so far.
func (p *process) printed() []byte {
	content, err := os.ReadFile(p.log)
	if err != nil {
		return nil
	}
	return content
}

// await asks until the process is ready; where it does not become ready, it is stopped.
func (p *process) await(ctx context.Context, ready func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for !ready() {
		select {
		case <-p.ended:
			return fmt.Errorf("%s ended at once:\n%s", filepath.Base(p.cmd.Path), p.printed())
		case <-ctx.Done():
			p.stop()
			return fmt.Errorf("%s did not start:\n%s", filepath.Base(p.cmd.Path), p.printed())
		case <-time.After(10 * time.Millisecond):
		}
	}
	return nil
}

// stop ends the process and waits for it. A nil process is none.
func (p *process) stop() {
	if p == nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// cpu is the processor time that the process has taken so far, in user and kernel mode.
func (p *process) cpu() (time.Duration, error) {
	if p == nil {
		return 0, nil
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "stat"))
	if err != nil {
		return 0, fmt.Errorf("read the processor time: %w", err)
	}
	// The second field is the name in brackets, which may hold anything; utime and stime are the 14th and the 15th.
	_, rest, _ := strings.Cut(string(stat[strings.LastIndexByte(string(stat), ')'):]), " ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("/proc/PID/stat is not as expected")
	}
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("read the processor time: %w", err)
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

// startRedis runs a Redis that keeps nothing, on a free port.
func startRedis(ctx context.Context, program, dir string) (*process, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	where := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	_, port, _ := net.SplitHostPort(where)
	p := &process{ended: make(chan struct{}), url: "redis://" + where}
	p.cmd = exec.CommandContext(ctx, program, "--bind", "127.0.0.1", "--port", port, "--dir", dir,
		"--save", "", "--appendonly", "no", "--daemonize", "no")
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // as above
	}()
	return p, p.await(ctx, func() bool {
		dialer := net.Dialer{Timeout: time.Second}
		conn, err := dialer.DialContext(ctx, "tcp", where)
		return err == nil && conn.Close() == nil
	})
}
