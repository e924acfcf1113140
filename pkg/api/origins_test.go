package api

import (
	"strings"
	"testing"
)

// Pages of the allowed origins may ask for all that the door guards, and pages of others for nothing.
func TestPreflight(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	ask := func(target, origin string) answer {
		return h.ask(t, "OPTIONS", target, "", "Origin", origin, "Access-Control-Request-Method", "POST",
			"Access-Control-Request-Headers", "authorization,content-type,idempotency-key,last-event-id")
	}
	for _, target := range []string{"/v1/turns", "/v1/turns/t1/events", "/v1/proposals/p1/confirm",
		"/v1/people/me/calendars"} {
		a := ask(target, site)
		if a.status != 204 || a.header.Get("Access-Control-Allow-Origin") != site || a.header.Get("Vary") != "Origin" ||
			!strings.Contains(a.header.Get("Access-Control-Allow-Methods"), "DELETE") ||
			a.header.Get("Access-Control-Max-Age") == "" {
			t.Errorf("%s: %d %v", target, a.status, a.header)
		}
		for _, name := range []string{"Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"} {
			if !strings.Contains(a.header.Get("Access-Control-Allow-Headers"), name) {
				t.Errorf("%s: %s may not be sent", target, name)
			}
		}
		if a.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: cookies are asked for", target)
		}
	}
	for _, origin := range []string{"https://evil.example", "https://app.example.evil.example", "http://app.example",
		"https://app.example:8443", "HTTPS://APP.EXAMPLE", "null"} {
		if a := ask("/v1/turns", origin); a.status != 403 || a.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", origin, a.status, a.header)
		}
	}
	if a := ask("/", site); a.status == 204 {
		t.Errorf("the page is shared: %v", a.header)
	}
}

// An allowed page can read why it was refused, and when to come back.
func TestAnswersCanBeRead(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	token := h.token(t, bound())
	for credential, want := range map[string]int{token: 200, h.expired(t): 401} {
		a := h.ask(t, "GET", "/v1/turns/t1", "", "Authorization", "Bearer "+credential, "Origin", site)
		if a.status != want || a.header.Get("Access-Control-Allow-Origin") != site ||
			!strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "Retry-After") {
			t.Errorf("%d %v", a.status, a.header)
		}
	}
	a := h.ask(t, "GET", "/v1/turns/t1", "", "Authorization", "Bearer "+token, "Origin", "https://evil.example")
	if a.status != 403 || a.header.Get("Access-Control-Allow-Origin") != "" || a.header.Get("Vary") != "Origin" {
		t.Errorf("another page: %d %v", a.status, a.header)
	}
}

// Where a token may be used from: the origin that a browser names, or what it says of the page otherwise.
func TestWhereATokenWorks(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	own := bound()
	own.Origin = "http://localhost:8080"
	gone := bound()
	gone.Origin = "https://gone.example"
	shared, here, past := h.token(t, bound()), h.token(t, own), h.token(t, gone)
	for name, test := range map[string]struct {
		token, target string
		header        []string
		want          int
	}{
		"its origin":                 {shared, "/v1/turns/t1", []string{"Origin", site}, 200},
		"another":                    {shared, "/v1/turns/t1", []string{"Origin", otherPage}, 403},
		"one that hides":             {shared, "/v1/turns/t1", []string{"Origin", "null"}, 403},
		"this server's page":         {here, "/v1/turns/t1", []string{"Sec-Fetch-Site", "same-origin"}, 200},
		"this server's, not its own": {shared, "/v1/turns/t1", []string{"Sec-Fetch-Site", "same-origin"}, 403},
		"an image of another site": {shared, "/v1/turns/t1", []string{
			"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors",
		}, 403},
		"an image of a neighbour": {shared, "/v1/turns/t1", []string{
			"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors",
		}, 403},
		"a link to something": {shared, "/v1/turns/t1", []string{
			"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
		}, 403},
		"a link to a calendar file": {shared, "/v1/proposals/p1.ics", []string{
			"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
		}, 200},
		"no browser":                     {shared, "/v1/turns/t1", nil, 200},
		"a site that is allowed no more": {past, "/v1/turns/t1", []string{"Origin", "https://gone.example"}, 403},
	} {
		if a := h.ask(t, "GET", test.target, "", append(test.header, "Authorization",
			"Bearer "+test.token)...); a.status != test.want {
			t.Errorf("%s: %d %s, want %d", name, a.status, a.body, test.want)
		}
	}
}

// A key in a browser is not for pages of other sites either.
func TestAKeyIsNotForOtherSites(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for name, test := range map[string]struct {
		header []string
		want   int
	}{
		"a server":         {nil, 200},
		"an allowed page":  {[]string{"Origin", site, "Sec-Fetch-Site", "cross-site"}, 200},
		"a page elsewhere": {[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
	} {
		if a := h.ask(t, "POST", "/v1/proposals/p1/cancel",
			"", append(test.header, "Authorization", "Bearer "+h.key)...); a.status != test.want {
			t.Errorf("%s: %d, want %d", name, a.status, test.want)
		}
	}
}

// Without keys an allowed page may do what this machine may, and others nothing.
func TestOriginsWithoutKeys(t *testing.T) {
	t.Parallel()
	url := newFixture(t, func(c *Config) { c.Origins = []string{"http://localhost:3000"} }).serve(t)
	for origin, want := range map[string]int{"http://localhost:3000": 202, "http://localhost:3001": 403} {
		a := do(t, "POST", url+"/v1/turns", plainTurn, "Origin", origin, "Sec-Fetch-Site", "cross-site")
		if a.status != want || (want == 202) != (a.header.Get("Access-Control-Allow-Origin") == origin) {
			t.Errorf("%s: %d %v", origin, a.status, a.header)
		}
	}
}

// Where a key is needed, whatever name the server goes by will do.
func TestNamesOfAServerWithKeys(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	if a := h.ask(t, "GET", "/v1/people", "", "Authorization", "Bearer "+h.key); a.status != 200 {
		t.Errorf("under another name: %d", a.status)
	}
	if a := do(t, "GET", newFixture(t).serve(t)+"/healthz", "", "Host", "evil.example"); a.status != 403 {
		t.Errorf("without keys: %d", a.status)
	}
}

func TestOriginsThatAreNone(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]bool{
		"https://app.example": true, "http://localhost:3000": true, "https://[::1]:8": true,
		"": false, "*": false, "null": false, "app.example": false, "https://app.example/": false,
		"https://app.example/x": false,
		"https://App.example":   false, "ftp://app.example": false, "https://": false, "https://u@app.example": false,
		"https://app.example?x": false,
	} {
		if got := IsOrigin(origin); got != want {
			t.Errorf("IsOrigin(%q) = %t", origin, got)
		}
		if _, err := New(Config{Origins: []string{origin}}); (err == nil) != want {
			t.Errorf("New with %q: %v", origin, err)
		}
	}
}

func TestEncryptedServersSaySo(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{"https://convene.example": "max-age=31536000",
		"http://localhost:8080": ""} {
		h := newHouse(t, func(c *Config) { c.Calendars.PublicURL = address })
		if got := h.ask(t, "GET", "/", "").header.Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: %q", address, got)
		}
	}
	h := newHouse(t)
	for target, want := range map[string]string{"/widget.js": "cross-origin", "/v1/people": "same-origin",
		"/": "same-origin"} {
		a := h.ask(t, "GET", target, "")
		if a.header.Get("Cross-Origin-Resource-Policy") != want ||
			!strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: %v", target, a.header)
		}
	}
}
