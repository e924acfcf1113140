package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"convene/pkg/api"
)

// profiles answers /debug/pprof/ to this machine. A name that is not the machine's own is refused, because a page in its
// browser may be made to believe that the name is here.
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

// profile serves the profiles until end is called; with no address it does nothing.
func (a *app) profile(ctx context.Context, address string) (end func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	if err := api.CheckListen(address); err != nil {
		return nil, misuse{fmt.Errorf("--pprof: %q is not a loopback address such as 127.0.0.1:6060; a profile holds what people said", address)}
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w; choose another address with --pprof", address, err)
	}
	server := &http.Server{Handler: profiles(), ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends when it is closed
	}()
	a.log.Info().Str("url", "http://"+listener.Addr().String()+"/debug/pprof/").Msg("profiles are served")
	return func() {
		_ = server.Close() // there is nothing to do about a connection that does not close well
		<-ended
	}, nil
}
