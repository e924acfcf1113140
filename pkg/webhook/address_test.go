package webhook

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"convene/pkg/fault"
	"convene/pkg/outbound"
)

func TestWhatMayBeAnEndpoint(t *testing.T) {
	t.Parallel()
	const always, private, never = "always", "private", "never"
	for url, want := range map[string]string{
		"https://example.com/hook":                           always,
		" https://example.com ":                              always,
		"https://example.com:8443/hook?key=1":                always,
		"https://8.8.8.8/hook":                               always,
		"https://[2606:4700::1111]/":                         always,
		"HTTPS://EXAMPLE.COM/":                               always,
		"https://hook.internal/":                             always, // where a name leads is looked at when it is called
		"https://localhost/":                                 private,
		"https://api.localhost:8443/":                        private,
		"https://127.0.0.1/":                                 private,
		"https://10.1.2.3/":                                  private,
		"https://169.254.169.254/latest":                     private,
		"https://[::1]/":                                     private,
		"https://[fd00::1]/":                                 private,
		"https://[::ffff:10.0.0.1]/":                         private,
		"http://localhost:9000/hook":                         private,
		"http://127.0.0.1:9000/hook":                         private,
		"http://[::1]:9000/":                                 private,
		"http://[::ffff:127.0.0.1]/":                         private,
		"http://example.com/hook":                            never,
		"http://10.1.2.3/hook":                               never,
		"http://127.0.0.1.example.com/":                      never,
		"https://me:secret@example.com/":                     never,
		"https://example.com/#part":                          never,
		"https:///hook":                                      never,
		"https:example.com":                                  never,
		"//example.com/hook":                                 never,
		"example.com/hook":                                   never,
		"ftp://example.com/":                                 never,
		"file:///etc/passwd":                                 never,
		"gopher://127.0.0.1:6379/_SET":                       never,
		"javascript:alert(1)":                                never,
		"https://exa mple.com/":                              never,
		"https://example.com/\r\nX-Injected: 1":              never,
		"":                                                   never,
		"https://example.com/" + strings.Repeat("x", maxURL): never,
	} {
		for _, allowed := range []bool{false, true} {
			_, err := checkURL(url, allowed)
			ok := want == always || want == private && allowed
			if (err == nil) != ok {
				t.Errorf("%.60q, private %t: %v, want %s", url, allowed, err, want)
			}
			if f := fault.As(err); err != nil && (f.Code != fault.InvalidRequest || f.Field != "url") {
				t.Errorf("%.60q: %v, want a fault of the URL", url, err)
			}
		}
	}
}

// Whatever stands in the store, and wherever a name or a redirect leads: nothing inside is reached.
func TestNoRequestGoesInside(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(inside.Close)
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s := NewSender(SenderConfig{HTTP: outbound.Client(outbound.Config{Attempts: 1, PublicOnly: true})})
	for _, url := range []string{
		inside.URL, "http://localhost:" + port, "http://[::1]:" + port,
		"http://[::ffff:127.0.0.1]:" + port, "http://0.0.0.0:" + port,
		"http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/",
		"http://[fd00::1]/",
		"http://[64:ff9b::7f00:1]/", "https://127.0.0.1:" + port,
	} {
		r := s.send(t.Context(), url, http.Header{}, []byte("{}"))
		if r.attempt.Problem != ProblemAddress || r.put {
			t.Errorf("%s: %+v, want it refused for its address", url, r)
		}
	}
	if n := reached.Load(); n != 0 {
		t.Errorf("the server inside was reached %d times", n)
	}
}
