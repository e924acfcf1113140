package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"
	"time"

	"convene/pkg/api"
)

// profiles answers /debug/pprof/ to this machine. Other host names are refused, because DNS rebinding may lead a page
// in its browser here.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if api.CheckListen(r.Host) != nil {
			http.Error(w, "profiles are for this machine only", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// allocated is how many allocated bytes a memory profile samples once: Go's default. Without profiles nothing is
// sampled, because that takes a hundredth of a turn's time.
const allocated = 512 << 10

// profile serves the profiles until end is called; without an address it does nothing.
func (a *app) profile(ctx context.Context, address string) (end func(), err error) {
	if address != "" && api.CheckListen(address) != nil {
		return nil, misuse{
			fmt.Errorf("--pprof: %q is not a loopback address such as 127.0.0.1:6060; a profile holds what people said",
				address),
		}
	}
	if address != "" {
		runtime.MemProfileRate = allocated
	}
	// There is no write timeout: the client says how long a profile takes.
	return a.beside(ctx, "--pprof", address, &http.Server{Handler: profiles()})
}

// measure serves the metrics and the probes until end is called, also while the server shuts down and whatever its
// number of connections; without an address it does nothing. They hold nothing about people and take no key.
func (a *app) measure(ctx context.Context, address string) (end func(), err error) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", a.metrics)
	mux.Handle("GET /healthz", a.api.Handler())
	mux.Handle("GET /readyz", a.api.Handler())
	return a.beside(ctx, "--metrics-listen", address, &http.Server{
		Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: time.Minute,
	})
}

// beside serves on an address of its own, which a flag sets, until end is called.
func (a *app) beside(ctx context.Context, flag, address string, server *http.Server) (end func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := listenOn(ctx, flag, address)
	if err != nil {
		return nil, err
	}
	server.ReadHeaderTimeout, server.IdleTimeout, server.MaxHeaderBytes = 5*time.Second, time.Minute, 64<<10
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends when it is closed
	}()
	a.log.Info().Str("address", listener.Addr().String()).Str("setting", flag).Msg("another address is served")
	return func() {
		_ = server.Close() // an error of closing a connection changes nothing
		<-ended
	}, nil
}
