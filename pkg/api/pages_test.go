package api

import (
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"convene/pkg/widget"
)

// The script is for pages of any site, which may load it as a classic script, as a module or with a checksum.
func TestWidgetScriptIsForAnySite(t *testing.T) {
	t.Parallel()
	a := do(t, "GET", newFixture(t).serve(t)+"/widget.js", "", "Accept-Encoding", "identity", "Origin", "https://host.example")
	if a.status != 200 || a.body != string(widget.Script()) {
		t.Errorf("status %d, %d bytes, want the script", a.status, len(a.body))
	}
	for name, want := range map[string]string{
		"Content-Type": "text/javascript; charset=utf-8", "Access-Control-Allow-Origin": "*", "Vary": "Accept-Encoding",
		"Cross-Origin-Resource-Policy": "cross-origin", "X-Content-Type-Options": "nosniff", "Content-Encoding": "",
		"Cache-Control": "no-cache",
	} {
		if got := a.header.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
}

func TestWidgetScriptIsCompressed(t *testing.T) {
	t.Parallel()
	a := do(t, "GET", newFixture(t).serve(t)+"/widget.js", "", "Accept-Encoding", "br, gzip")
	r, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil || a.header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("Content-Encoding = %q: %v", a.header.Get("Content-Encoding"), err)
	}
	script, err := io.ReadAll(r)
	if err != nil || string(script) != string(widget.Script()) {
		t.Errorf("unpacked to %d bytes: %v", len(script), err)
	}
}

// What the browser has already is not sent again, and what is packed is not taken for what is not.
func TestPagesAreSentOnce(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	tags := map[string]bool{}
	for _, tt := range []struct{ path, encoding string }{{"/", ""}, {"/static/page.css", ""}, {"/widget.js", "gzip"}, {"/widget.js", "identity"}} {
		tag := do(t, "GET", url+tt.path, "", "Accept-Encoding", tt.encoding).header.Get("Etag")
		if tag == "" || tags[tag] {
			t.Errorf("%s has the tag %q, want one of its own", tt.path, tag)
		}
		tags[tag] = true
		again := do(t, "GET", url+tt.path, "", "Accept-Encoding", tt.encoding, "If-None-Match", tag)
		if again.status != 304 || again.body != "" {
			t.Errorf("%s again = %d with %d bytes, want 304 and none", tt.path, again.status, len(again.body))
		}
		if other := do(t, "GET", url+tt.path, "", "If-None-Match", `"other"`).status; other != 200 {
			t.Errorf("%s for another tag = %d, want 200", tt.path, other)
		}
	}
}

// Whoever asks only whether a page is there gets all but the page, where keys are needed too.
func TestPagesAreThereForHEAD(t *testing.T) {
	t.Parallel()
	h, url := newHouse(t), newFixture(t).serve(t)
	for _, path := range []string{"/", "/docs", "/static/page.css", "/widget.js", "/client.d.ts", "/openapi.json"} {
		full, a := do(t, "GET", url+path, ""), do(t, "HEAD", url+path, "")
		if closed := h.ask(t, "HEAD", path, ""); closed.status != 200 {
			t.Errorf("%s with keys: %d", path, closed.status)
		}
		if a.status != 200 || a.body != "" || a.header.Get("Content-Type") != full.header.Get("Content-Type") ||
			a.header.Get("Access-Control-Allow-Origin") != full.header.Get("Access-Control-Allow-Origin") {
			t.Errorf("%s: %d %q %v", path, a.status, a.body, a.header)
		}
	}
	if a := h.ask(t, "HEAD", "/static/nothing.js", ""); a.status != 404 {
		t.Errorf("what is not there: %d", a.status)
	}
}
