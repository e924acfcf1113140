package api

import (
	"compress/gzip"
	"io"
	"strconv"
	"strings"
	"testing"

	"convene/pkg/widget"
)

// The script is for pages of any site, which may load it as a classic script, as a module or with a checksum.
func TestWidgetScriptIsForAnySite(t *testing.T) {
	t.Parallel()
	a := do(t, "GET", newFixture(t).serve(t)+"/widget.js", "", "Accept-Encoding", "identity", "Origin",
		"https://host.example")
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

// What is served to everyone is sent packed to those who can unpack it, and once: what the browser has already is not
// sent again, and what is packed is not taken for what is not.
func TestFilesArePackedAndSentOnce(t *testing.T) {
	t.Parallel()
	url := newFixture(t).serve(t)
	paths := []string{"/", "/docs", "/widget.js", "/client.d.ts", "/openapi.json"}
	for _, name := range widget.Pages() {
		paths = append(paths, "/static/"+name)
	}
	for _, path := range paths {
		plain, packed := do(t, "GET", url+path, "", "Accept-Encoding", "identity"),
			do(t, "GET", url+path, "", "Accept-Encoding", "br, gzip")
		r, err := gzip.NewReader(strings.NewReader(packed.body))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if unpacked, err := io.ReadAll(r); err != nil || string(unpacked) != plain.body || len(plain.body) == 0 {
			t.Errorf("%s is unpacked to %d bytes of %d: %v", path, len(unpacked), len(plain.body), err)
		}
		tags := map[string]bool{}
		for encoding, a := range map[string]answer{"": plain, "gzip": packed} {
			tag := a.header.Get("Etag")
			if a.header.Get("Content-Encoding") != encoding || a.header.Get("Vary") != "Accept-Encoding" ||
				a.header.Get("Cache-Control") != "no-cache" ||
				!strings.HasPrefix(tag, `"`) || tags[tag] || a.header.Get("Content-Length") != strconv.Itoa(len(a.body)) {
				t.Errorf("%s %s: %v", path, encoding, a.header)
			}
			tags[tag] = true
			ask := func(method, known string) answer {
				return do(t, method, url+path, "", "Accept-Encoding", encoding, "If-None-Match", known)
			}
			for _, known := range []string{tag, `"other", ` + tag, "W/" + tag, "*"} {
				if again := ask("GET", known); again.status != 304 || again.body != "" || again.header.Get("Etag") != tag ||
					again.header.Get("Vary") == "" ||
					again.header.Get("Cache-Control") == "" {
					t.Errorf("%s for who has %s = %d with %d bytes, %v", path, known, again.status, len(again.body), again.header)
				}
			}
			if other := ask("GET", `"other"`); other.status != 200 || other.body != a.body {
				t.Errorf("%s for who has another = %d", path, other.status)
			}
			if head := ask("HEAD", `"other"`); head.status != 200 || head.body != "" ||
				head.header.Get("Content-Length") != a.header.Get("Content-Length") {
				t.Errorf("HEAD %s = %d, %v", path, head.status, head.header)
			}
		}
	}
}

func TestGzipIsForThoseWhoTakeIt(t *testing.T) {
	t.Parallel()
	for accepted, want := range map[string]bool{
		"": false, "gzip": true, "GZIP;q=0.5": true, "deflate, gzip;q=1.0, *;q=0.5": true, "gzip; q=0": false,
		"gzip;q=0.000, br": false, "identity": false,
		"x-gzip-like": false, "br,gzip": true,
	} {
		if got := takesGzip(accepted); got != want {
			t.Errorf("%q: %t, want %t", accepted, got, want)
		}
	}
}

// A client that asks only whether a page is there gets all but the page, where keys are needed too.
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
