package outbound

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestRedirects(t *testing.T) {
	t.Parallel()
	var hops atomic.Int32
	mux := http.NewServeMux()
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) {
		hops.Add(1)
		http.Redirect(w, r, "/loop", http.StatusFound)
	})
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/there", http.StatusFound)
	})
	mux.HandleFunc("/there", func(http.ResponseWriter, *http.Request) {})
	plain, safe := httptest.NewServer(mux), httptest.NewTLSServer(http.RedirectHandler("http://calendar.example/",
		http.StatusFound))
	t.Cleanup(plain.Close)
	t.Cleanup(safe.Close)
	client := Client(Config{Base: safe.Client().Transport})
	for path, ok := range map[string]bool{plain.URL + "/once": true, plain.URL + "/loop": false, safe.URL: false} {
		res, err := client.Get(path)
		if (err == nil) != ok {
			t.Errorf("%s: error = %v, want success: %t", path, err, ok)
		}
		if err == nil {
			check(t, res.Body.Close())
		}
	}
	if got := hops.Load(); got != maxRedirects+1 {
		t.Errorf("%d hops of a loop, want %d", got, maxRedirects+1)
	}
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for public, addresses := range map[bool][]string{
		true: {
			"8.8.8.8", "142.250.80.46", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.167.1.1",
			"223.255.255.255",
			"2a00:1450:4001::200e", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:0808:0808::1",
		},
		false: {
			"0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
			"172.16.0.1",
			"172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255",
			"198.51.100.7", "203.0.113.9",
			"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
			"::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1", "::10.0.0.1", "::8.8.8.8", "100::1",
			"fc00::1", "fd12::1", "fe80::1",
			"fec0::1", "ff02::1", "2001::1", "2001:db8::1", "3fff::1", "5f00::1", "fe80::1%eth0", "2a00:1450::1%1",
			"64:ff9b::10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8", "2002:7f00:0001::1",
			"2002:c0a8:0101::1", "2002:0a00:0001::",
		},
	} {
		for _, a := range addresses {
			if got := Public(netip.MustParseAddr(a)); got != public {
				t.Errorf("Public(%s) = %t", a, got)
			}
		}
	}
	if Public(netip.Addr{}) {
		t.Error("no address at all is public")
	}
}

func TestPublicOnlyRefusesOurOwnNetwork(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	own := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(own.Close)
	_, port, err := net.SplitHostPort(own.Listener.Addr().String())
	check(t, err)
	client := Client(Config{PublicOnly: true})
	// A redirect comes from outside; all else goes the client's own way.
	inside := client.Transport.(*transport)
	var sent atomic.Int32
	inside.base = outside{inside.base, own.URL, &sent}
	for name, address := range map[string]string{
		"an address":             own.URL,
		"a name that leads in":   "http://localhost:" + port,
		"an address in disguise": "http://[::ffff:127.0.0.1]:" + port,
		"a redirect":             "http://feeds.example/",
	} {
		sent.Store(0)
		res, err := client.Get(address)
		if err == nil {
			check(t, res.Body.Close())
		}
		if !errors.As(err, new(*NotPublicError)) {
			t.Errorf("%s: error = %v, want a NotPublicError", name, err)
		}
		want := int32(1)
		if name == "a redirect" {
			want = 2
		}
		if got := sent.Load(); got != want {
			t.Errorf("%s: %d requests, want %d and no further try", name, got, want)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("our own server was reached %d times", n)
	}
}

// outside is a host on the Internet that sends everyone on.
type outside struct {
	http.RoundTripper
	to   string
	sent *atomic.Int32
}

func (o outside) RoundTrip(req *http.Request) (*http.Response, error) {
	o.sent.Add(1)
	if req.URL.Host != "feeds.example" {
		return o.RoundTripper.RoundTrip(req)
	}
	return &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {o.to}}, Body: http.NoBody}, nil
}

func TestPublicOnlyUsesNoProxyAndNoUnknownBase(t *testing.T) {
	t.Parallel()
	proxied := &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse("http://proxy.example") }}
	if base := baseOf(Config{Base: proxied, PublicOnly: true}).(*http.Transport); base.Proxy != nil {
		t.Error("a proxy would connect to where we must not")
	}
	if _, _, err := call(t.Context(), Client(Config{Base: play(status(200)), PublicOnly: true, Attempts: 1}),
		""); !errors.Is(err, errOpaqueBase) {
		t.Errorf("error = %v, want a refusal", err)
	}
}

func TestCauseKeepsAddressesOut(t *testing.T) {
	t.Parallel()
	_, _, err := call(t.Context(), Client(Config{Base: play(cut()), Attempts: 1}), "")
	if !strings.Contains(err.Error(), "secret") {
		t.Fatalf("error = %v; nothing is proved", err)
	}
	if got := Cause(err); strings.Contains(got.Error(), "secret") || !errors.Is(got, errCut) {
		t.Errorf("Cause = %v", got)
	}
	twice := &url.Error{Op: "Get", URL: "https://example.com/secret", Err: fmt.Errorf("next: %w", err)}
	if got := Cause(twice); strings.Contains(got.Error(), "secret") || !errors.Is(got, errCut) {
		t.Errorf("Cause of a call in a call = %v", got)
	}
	if got := Cause(errCut); !errors.Is(got, errCut) {
		t.Errorf("Cause of another error = %v", got)
	}
}

func TestManyCallersShareAClient(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(bytes.ToUpper(body))
	}))
	t.Cleanup(server.Close)
	client := Client(Config{})
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			res, err := client.Post(server.URL, "text/plain", strings.NewReader("abc"))
			if err != nil {
				t.Error(err)
				return
			}
			defer res.Body.Close()
			if got, err := io.ReadAll(res.Body); err != nil || string(got) != "ABC" {
				t.Errorf("= %q, %v", got, err)
			}
		})
	}
	wg.Wait()
}
