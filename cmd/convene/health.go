package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthCommand probes a server on this machine, for a container without any other client.
type healthCommand struct {
	Listen string        `default:"127.0.0.1:8080" help:"Address on which the server listens."`
	Ready  bool          `help:"Ask whether it can work, rather than whether it is alive."`
	Wait   time.Duration `default:"4s" help:"How long it may take to answer."`
}

// Run prints ok if the server is well, and fails otherwise.
func (c *healthCommand) Run(ctx context.Context, std streams) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return misuse{fmt.Errorf("--listen: %q is not of the form host:port", c.Listen)}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // not a name: a container may resolve none
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Wait, time.Second))
	defer cancel()
	path := "/healthz"
	if c.Ready {
		path = "/readyz"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return misuse{fmt.Errorf("--listen: %w", err)}
	}
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // without a proxy of the environment
	resp, err := direct.Do(req)
	if err != nil {
		return fmt.Errorf("no server answers: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return errors.New("the server answers " + resp.Status)
	}
	_, err = fmt.Fprintln(std.out, "ok")
	return err
}
