package api

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// visitOnly asks as a browser does, and does not go where it is sent.
func visitOnly(t *testing.T, f *fixture, address string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.serve(t)+address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "localhost:8080"
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return answer{status: res.StatusCode, header: res.Header}
}

func TestConnect(t *testing.T) {
	t.Parallel()
	const path = "/v1/people/me/calendars/google/connect"
	f, shelf := connecting(t)
	res := visitOnly(t, f, path+"?access=write&returnTo=/done")
	if res.status != 302 || res.header.Get("Location") != "https://accounts.example/auth?state=s1" {
		t.Fatalf("= %d to %s", res.status, res.header.Get("Location"))
	}
	cookie, err := http.ParseSetCookie(res.header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	if cookie.Name != browserCookie || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode ||
		cookie.MaxAge != 600 || len(cookie.Value) < 26 {
		t.Errorf("cookie = %v", cookie)
	}
	want := account.Request{
		Person: "me", Provider: account.Google, Access: account.Write, ReturnTo: "/done", Browser: cookie.Value,
	}
	wantDiff(t, "request", want, shelf.begun)

	// A browser that has begun already keeps its mark, so that two connections can be under way.
	visitOnly(t, f, strings.Replace(path, "google", "microsoft", 1), "Cookie", cookie.Name+"="+cookie.Value)
	want = account.Request{Person: "me", Provider: account.Microsoft, Browser: cookie.Value}
	wantDiff(t, "second request", want, shelf.begun)
	visitOnly(t, f, path, "Cookie", cookie.Name+"=x")
	if got := shelf.begun.Browser; got == "x" || len(got) < 26 {
		t.Errorf("a mark that is easy to guess was kept: %q", got)
	}
}

func TestConnectRefuses(t *testing.T) {
	t.Parallel()
	const google = "/v1/people/me/calendars/google/connect"
	for name, tt := range map[string]struct {
		path    string
		header  []string
		missing error
		status  int
	}{
		"nobody":                        {path: strings.Replace(google, "me", "zoe", 1), status: 404},
		"another provider":              {path: strings.Replace(google, "google", "caldav", 1), status: 404},
		"another access":                {path: google + "?access=everything", status: 400},
		"a page of strangers":           {path: google + "?returnTo=https://evil.example/", status: 400},
		"a page without a scheme":       {path: google + "?returnTo=//evil.example/", status: 400},
		"a page with backslashes":       {path: google + `?returnTo=/%5Cevil.example/`, status: 400},
		"a page with a line break":      {path: google + "?returnTo=/a%0Ab", status: 400},
		"a script":                      {path: google + "?returnTo=javascript:alert(1)", status: 400},
		"a login before a trusted name": {path: google + "?returnTo=https://app.example@evil.example/", status: 400},
		"a trusted name as a prefix":    {path: google + "?returnTo=https://app.example.evil.example/", status: 400},
		"a trusted name without TLS":    {path: google + "?returnTo=http://app.example/", status: 400},
		"coming from a page of stranger": {path: google, header: []string{
			"Sec-Fetch-Site", "cross-site", "Referer", "https://evil.example/",
		}, status: 403},
		"coming from nobody knows where": {path: google, header: []string{"Sec-Fetch-Site", "cross-site"}, status: 403},
		"what is not configured":         {path: google, missing: notOffered(), status: 501},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, shelf := connecting(t)
			shelf.missing = tt.missing
			if res := visitOnly(t, f, tt.path, tt.header...); res.status != tt.status {
				t.Errorf("= %d, want %d", res.status, tt.status)
			}
		})
	}
}

func notOffered() error {
	return fault.New(fault.Unavailable, "Google calendars cannot be connected here yet.")
}

// A person whose browser is sent to the address reads why nothing comes of it, or is sent back.
func TestConnectTellsPeopleWhyNot(t *testing.T) {
	t.Parallel()
	const google = "/v1/people/me/calendars/google/connect"
	for name, tt := range map[string]struct {
		path           string
		header         []string
		status         int
		kind, location string
	}{
		"a browser": {path: google, header: []string{"Accept", "text/html,*/*;q=0.8"}, status: 501,
			kind: "text/html; charset=utf-8"},
		"a program": {path: google, header: []string{"Accept", "*/*"}, status: 501, kind: "application/problem+json"},
		"one that is sent back": {path: google + "?returnTo=/done", status: 303,
			location: "/done?error=unavailable&provider=google"},
		"one from nowhere": {
			path: google, header: []string{"Accept", "text/html", "Sec-Fetch-Site", "cross-site"},
			status: 403, kind: "text/html; charset=utf-8",
		},
		"somebody who writes pages": {
			path: google + "?access=everything", header: []string{"Accept", "text/html"},
			status: 400, kind: "application/problem+json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, shelf := connecting(t)
			shelf.missing = notOffered()
			res := visitOnly(t, f, tt.path, tt.header...)
			if got := res.header.Get("Content-Type"); res.status != tt.status || got != tt.kind ||
				res.header.Get("Location") != tt.location {
				t.Errorf("= %d %s to %q, want %d %s to %q", res.status, got, res.header.Get("Location"), tt.status, tt.kind,
					tt.location)
			}
		})
	}
}

// A page that asks for the address learns there and then that it would lead nowhere, and that trying again does not
// help.
func TestNoAddressWhereNothingCanBeConnected(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	shelf.missing = notOffered()
	p := do(t, "POST", f.serve(t)+"/v1/people/me/calendars/google/connect", "").problem(t)
	if p.Status != 501 || p.Code != fault.Unavailable || p.Retryable {
		t.Errorf("= %d %s, retryable: %t; want 501 unavailable, for good", p.Status, p.Code, p.Retryable)
	}
}

func TestConnectTrusts(t *testing.T) {
	t.Parallel()
	const google = "/v1/people/me/calendars/google/connect"
	for name, tt := range map[string]struct {
		path   string
		header []string
	}{
		"a page of an allowed origin": {path: google + "?returnTo=https://app.example/calendars%3Fx=1"},
		"a path here":                 {path: google + "?returnTo=/calendars%3Fx=1"},
		"coming from an allowed origin": {path: google, header: []string{
			"Sec-Fetch-Site", "cross-site", "Referer", "https://app.example/",
		}},
		"coming from a page here":         {path: google, header: []string{"Sec-Fetch-Site", "same-origin"}},
		"typed in":                        {path: google, header: []string{"Sec-Fetch-Site", "none"}},
		"a program that tells no origins": {path: google},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, _ := connecting(t)
			if res := visitOnly(t, f, tt.path, tt.header...); res.status != 302 {
				t.Errorf("= %d, want 302", res.status)
			}
		})
	}
}

// A cookie that was given to 127.0.0.1 would not come back to localhost.
func TestConnectMovesToTheNameOfTheCallback(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	res := visitOnly(t, f, "/v1/people/me/calendars/google/connect?access=write", "Host", "127.0.0.1:8080")
	if want := "http://localhost:8080/v1/people/me/calendars/google/connect?access=write"; res.status != 302 ||
		res.header.Get("Location") != want {
		t.Errorf("= %d to %q, want %q", res.status, res.header.Get("Location"), want)
	}
	if shelf.begun.Person != "" {
		t.Error("a connection was begun under the other name")
	}
	if res := visitOnly(t, f, "/v1/people/me/calendars/google/connect", "Host",
		"127.0.0.1:9999"); res.header.Get("Location") != "https://accounts.example/auth?state=s1" {
		t.Errorf("behind another port = %d to %q", res.status, res.header.Get("Location"))
	}
}

func TestCallback(t *testing.T) {
	t.Parallel()
	gone := fault.New(fault.Cancelled, "Nothing was connected, because access to the Google calendar was not given.")
	for name, tt := range map[string]struct {
		landing  account.Landing
		fail     error
		status   int
		location string
		text     string
	}{
		"connected": {
			landing: account.Landing{Provider: account.Google, Account: account.Account{Address: "<mia>@example.com"}},
			status:  200, text: "<bdi>&lt;mia&gt;@example.com</bdi> is connected",
		},
		"connected, and back": {
			landing: account.Landing{Provider: account.Google, ReturnTo: "/calendars?x=1"},
			status:  303, location: "/calendars?connected=google&provider=google&x=1",
		},
		"asked again": {landing: account.Landing{Again: "https://accounts.example/auth?prompt=consent"}, status: 302,
			location: "https://accounts.example/auth?prompt=consent"},
		"declined": {landing: account.Landing{Provider: account.Google}, fail: gone, status: 409,
			text: "access to the <bdi>Google</bdi> calendar was not given"},
		"declined, and back": {
			landing: account.Landing{Provider: account.Google, ReturnTo: "https://app.example/done"}, fail: gone,
			status: 303, location: "https://app.example/done?error=cancelled&provider=google",
		},
		"used twice": {fail: fault.Invalid("state", "This connection has expired."), status: 400,
			text: "This connection has expired, was used already"},
		"a failure of ours": {fail: context.DeadlineExceeded, status: 504, text: "Please try again in a few minutes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, shelf := connecting(t)
			shelf.landing, shelf.fail = tt.landing, tt.fail
			address := f.serve(t) + CallbackPath + "?state=s1&code=c-secret&scope=x&authuser=0&error=e1"
			client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Cookie", browserCookie+"=b1")
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			page, err := io.ReadAll(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			if res.StatusCode != tt.status || res.Header.Get("Location") != tt.location ||
				!strings.Contains(string(page), tt.text) {
				t.Errorf("= %d to %q, want %d to %q; page %s", res.StatusCode, res.Header.Get("Location"), tt.status, tt.location,
					page)
			}
			if tt.text != "" && !strings.Contains(res.Header.Get("Content-Security-Policy"), "default-src 'none'") {
				t.Errorf("headers = %v", res.Header)
			}
			wantDiff(t, "return", account.Return{State: "s1", Code: "c-secret", Failure: "e1", Browser: "b1"}, shelf.came)
			if strings.Contains(f.lines.String(), "c-secret") {
				t.Error("the log shows the code")
			}
		})
	}
}

// Mail at Google and Microsoft is connected like a calendar, as an account of its own kind.
func TestConnectMail(t *testing.T) {
	t.Parallel()
	const google = "/v1/people/me/mail/google/connect"
	at := func(from, to string) string { return strings.Replace(google, from, to, 1) }
	shelf := newShelf()
	f := newFixture(t, func(c *Config) {
		c.Calendars, c.Mail, c.MailConnector = shelf.calendars(), noMail{}, shelf
	})
	for path, provider := range map[string]account.Provider{
		google: account.Gmail, at("google", "microsoft"): account.Outlook,
	} {
		res := visitOnly(t, f, path+"?returnTo=/done")
		if res.status != 302 || res.header.Get("Location") != "https://accounts.example/auth?state=s1" {
			t.Fatalf("= %d to %s", res.status, res.header.Get("Location"))
		}
		want := account.Request{
			Person: "me", Provider: provider, Access: account.Write, ReturnTo: "/done", Browser: shelf.begun.Browser,
		}
		wantDiff(t, "request", want, shelf.begun)
	}
	for path, status := range map[string]int{
		at("google", "gmail"): 404, at("google", "outlook"): 404, at("mail/google", "calendars/gmail"): 404,
		google + "?returnTo=https://evil.example": 400,
	} {
		if res := visitOnly(t, f, path); res.status != status {
			t.Errorf("%s = %d, want %d", path, res.status, status)
		}
	}
}
