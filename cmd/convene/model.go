package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"convene/pkg/llm/offline"
)

// modelCommand serves only the built-in model.
type modelCommand struct {
	Listen          string         `default:"127.0.0.1:8081" help:"Loopback address to listen on."`
	Latency         time.Duration  `help:"Wait this long before each answer."`
	TokensPerSecond float64        `help:"Pace of the answers; 0 does not pause."`
	Fail            offline.Faults `help:"Failures and their shares, as 429:0.1,cut:0.05." placeholder:"FAULT:SHARE,…"`
}

// Run serves until ctx ends.
func (c *modelCommand) Run(ctx context.Context, std streams) error {
	model := offline.New(offline.Options{Latency: c.Latency, TokensPerSecond: c.TokensPerSecond, Faults: c.Fail})
	return serveHTTP(ctx, c.Listen, model, func(addr net.Addr) {
		fmt.Fprintf(std.err, "The built-in model answers at http://%s/v1 (OPENAI_BASE_URL). It is a set of rules, not a "+
			"language model.\n", addr)
	})
}

// serveHTTP serves on a loopback address until ctx ends, then lets running requests finish.
func serveHTTP(ctx context.Context, address string, h http.Handler, ready func(net.Addr)) error {
	listener, err := listenLoopback(ctx, "--listen", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	ready(listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if err := server.Shutdown(closing); err != nil {
		return fmt.Errorf("shut down: %w", err)
	}
	return nil
}
