package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"convene/pkg/api"
	"convene/stages"
)

// serveCommand serves the API.
type serveCommand struct {
	settings `embed:""`

	Listen        string        `default:"127.0.0.1:8080" help:"Address to listen on; without keys, only an address of this machine."`
	MetricsListen string        `help:"Separate address for /metrics, /healthz and /readyz, without a key, for everyone who reaches it." placeholder:"HOST:PORT"`
	Drain         time.Duration `default:"15s" help:"How long running turns may take to finish at shutdown."`
	Pprof         string        `help:"Loopback address for profiles; without it there are none." placeholder:"HOST:PORT"`
}

// Run serves until ctx ends, then lets running turns finish.
func (c *serveCommand) Run(ctx context.Context, app *kong.Application, std streams) error {
	if err := c.guard(ctx); err != nil {
		return err
	}
	c.publicURL = c.Connect.publicURL(c.Listen)
	a, err := wire(ctx, c.settings, std.err)
	if err != nil {
		return err
	}
	defer a.close()
	if a.store.Embedded() {
		setGCPercent(garbageWithRedis)
	}
	endProfiles, err := a.profile(ctx, c.Pprof)
	if err != nil {
		return err
	}
	defer endProfiles()
	server, err := a.start(ctx, c.Listen)
	if err != nil {
		return err
	}
	endMetrics, err := a.measure(ctx, c.MetricsListen)
	if err != nil {
		return errors.Join(err, server.stop(ctx))
	}
	defer endMetrics()
	server.patience = c.Drain
	for _, stray := range strayVariables(app, os.Environ()) {
		a.log.Warn().Msg(stray)
	}
	a.greet(c.settings, server.url())
	return server.until(ctx)
}

// greet logs what is running, and which parts of it are for demonstrations.
func (a *app) greet(s settings, url string) {
	if a.store.Embedded() {
		a.log.Warn().Msg("no REDIS_URL: state is kept in this process, and nothing outlives it")
	}
	if !s.OpenAI.configured() {
		a.log.Warn().Msg("no OPENAI_API_KEY or OPENAI_BASE_URL: the built-in model answers; it is a set of rules, not a " +
			"language model")
	}
	if s.Door.RequireKey {
		a.log.Info().Msg("a key or a token is needed: 'convene key new' makes keys")
	}
	a.log.Info().Str("url", url).Msg("Convene answers")
}

// running is a server that has been started.
type running struct {
	app      *app
	listener net.Listener
	http     *http.Server
	ended    chan error
	patience time.Duration

	// background is the work beside the requests: turns, until the runner stops; finishing the bookings and changes of
	// processes that died, and telling what falls due, until endTidying; and sending webhooks, until endSending.
	background             sync.WaitGroup
	endTidying, endSending context.CancelFunc
}

// start listens and serves; the caller must stop it. Addresses that others reach are only taken if a key is required.
func (a *app) start(ctx context.Context, address string) (*running, error) {
	open := listenLoopback
	if a.guarded {
		open = listenOn
	}
	listener, err := open(ctx, "--listen", address)
	if err != nil {
		return nil, err
	}
	r := &running{
		app: a, listener: listener, http: a.api.HTTP(), ended: make(chan error, 1), patience: 10 * time.Second,
	}
	working := a.log.WithContext(context.WithoutCancel(ctx))
	r.http.Handler = a.telemetry.Continue(r.http.Handler)
	r.http.ErrorLog = log.New(a.log.With().Str("level", "warn").Logger(), "", 0)
	r.http.BaseContext = func(net.Listener) context.Context { return working }
	go prepared()
	r.background.Go(func() { a.runner.Work(working) })
	goOn := func(work func(context.Context)) context.CancelFunc {
		ctx, end := context.WithCancel(working)
		r.background.Go(func() { work(ctx) })
		return end
	}
	endBookings, endChanges, endAlarms := goOn(a.desk.Work), goOn(a.changes.Work), goOn(a.remind)
	r.endTidying = func() { endBookings(); endChanges(); endAlarms() }
	r.endSending = goOn(a.hooks.sender.Work)
	go func() { r.ended <- r.http.Serve(a.api.Limit(listener)) }()
	return r, nil
}

// serveAside starts a server for a command that talks to it; it logs less than a server by itself. stop ends it.
func (s settings) serveAside(
	ctx context.Context, logs io.Writer, with ...func(*stages.Ports),
) (url string, stop func() error, err error) {
	if s.LogLevel == "info" {
		s.LogLevel = "error" // the user wants to see the command's own output
	}
	a, err := wire(ctx, s, logs, with...)
	if err != nil {
		return "", nil, err
	}
	server, err := a.start(ctx, "127.0.0.1:0")
	if err != nil {
		a.close()
		return "", nil, err
	}
	return server.url(), func() error {
		defer a.close()
		return server.stop(ctx)
	}, nil
}

func (r *running) url() string { return "http://" + r.listener.Addr().String() }

// until waits until ctx ends or the server fails, and then stops.
func (r *running) until(ctx context.Context) error {
	select {
	case <-ctx.Done():
		r.app.log.Info().Msg("shutting down")
		return r.stop(ctx)
	case err := <-r.ended:
		return errors.Join(fmt.Errorf("serve: %w", err), r.stop(ctx))
	}
}

// partingTime is how long responses and streams may take to end after their turns.
const partingTime = 2 * time.Second

// stop refuses new connections, lets running turns finish and their streams end, and closes. It takes at most patience
// and partingTime. http.Server.Shutdown comes last, because it drops further requests on open connections unanswered.
func (r *running) stop(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	r.app.api.Leave()
	_ = r.listener.Close() // it may be closed already
	r.http.SetKeepAlivesEnabled(false)
	ctx, cancel := context.WithTimeout(ctx, r.patience+partingTime)
	defer cancel()
	r.endSending() // later deliveries are sent by other processes, or after the next start
	finishing, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	r.app.runner.Stop(finishing)
	defer r.background.Wait()
	r.endTidying()
	err := r.http.Shutdown(ctx)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("shut down: %w", err)
	}
	return r.http.Close()
}

// listenLoopback refuses any other address: without keys, every client that can connect could read calendars.
func listenLoopback(ctx context.Context, flag, address string) (net.Listener, error) {
	if err := api.CheckListen(address); err != nil {
		return nil, misuse{fmt.Errorf("%s: %w", flag, err)}
	}
	return listenOn(ctx, flag, address)
}

// listenOn listens on the address that the flag sets.
func listenOn(ctx context.Context, flag, address string) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; choose another address with %s", address, err, flag)
	}
	return listener, nil
}
