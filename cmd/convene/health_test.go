package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	healthy := strings.TrimPrefix(startServer(t, ""), "http://")
	_, port, _ := strings.Cut(healthy, ":")
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	t.Cleanup(broken.Close)
	unready := strings.TrimPrefix(broken.URL, "http://")
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, c := range map[string]struct {
		args []string
		want int
		says string
	}{
		"alive":                 {[]string{"--listen=" + healthy}, exitDone, "ok"},
		"ready":                 {[]string{"--listen=" + healthy, "--ready"}, exitDone, "ok"},
		"as it listens to all":  {[]string{"--listen=:" + port}, exitDone, "ok"},
		"as it listens on IPv4": {[]string{"--listen=0.0.0.0:" + port}, exitDone, "ok"},
		"alive but not ready":   {[]string{"--listen=" + unready}, exitDone, "ok"},
		"not ready":             {[]string{"--listen=" + unready, "--ready"}, exitFailed, "503"},
		"gone":                  {[]string{"--listen=" + strings.TrimPrefix(gone.URL, "http://")}, exitFailed, "no server answers"},
		"no address":            {[]string{"--listen=8080"}, exitMisuse, "host:port"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			got := run(t.Context(), append([]string{"health"}, c.args...), streams{nil, &out, &errs})
			if got != c.want || !strings.Contains(out.String()+errs.String(), c.says) {
				t.Errorf("status %d, %q %q; want %d and %q", got, &out, &errs, c.want, c.says)
			}
		})
	}
}
