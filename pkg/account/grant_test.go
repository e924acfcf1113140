package account_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"convene/pkg/account"
	"convene/pkg/fault"
)

// Google gives lasting access once; a person who has agreed before is asked again, explicitly.
func TestNoRefreshTokenIsAskedForOnceMore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.authority.shy = true
	r := w.replica()
	landing := must(r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
		Person: "al", Provider: account.Google, Access: account.Write, Browser: browser, ReturnTo: "/done",
	}))(t), browser)))(t)
	if landing.Again == "" || landing.Account.ID != "" {
		t.Fatalf("landing = %+v, want to be asked again", landing)
	}
	landing = must(r.connector.Finish(w.ctx(), w.visit(landing.Again, browser)))(t)
	if w.authority.asked.Get("prompt") != "consent" || landing.Account.Access != account.Write ||
		landing.ReturnTo != "/done" {
		t.Errorf("asked with %v; landing = %+v", w.authority.asked, landing)
	}
}

func TestNoRefreshTokenForEver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	w.authority.fail = func(rw http.ResponseWriter, _ url.Values) bool {
		say(rw, map[string]any{"access_token": "access-s3cr3t", "expires_in": 3600})
		return true
	}
	landing := must(r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
		Person: "al", Provider: account.Google, Browser: browser,
	}))(t), browser)))(t)
	if _, err := r.connector.Finish(w.ctx(), w.visit(landing.Again, browser)); fault.CodeOf(err) != fault.CalendarFailed {
		t.Errorf("Finish = %v, want an end of it", err)
	}
}

func TestWhatThePersonGrants(t *testing.T) {
	t.Parallel()
	const g = "https://www.googleapis.com/auth/"
	for name, tt := range map[string]struct {
		provider account.Provider
		grants   string
		access   account.Access
		code     fault.Code
	}{
		"all": {account.Google, "openid " + g + "calendar.events.owned " +
			g + "calendar.calendarlist.readonly " + g + "calendar.events.freebusy", account.Write, ""},
		"writing unticked": {account.Google, g + "calendar.calendarlist.readonly " + g + "calendar.events.freebusy",
			account.Read, ""},
		"busy times unticked": {account.Google, g + "calendar.calendarlist.readonly " + g + "calendar.events.owned",
			"", fault.Cancelled},
		"nothing": {account.Google, "openid", "", fault.Cancelled},
		"Microsoft's long names": {account.Microsoft, "User.Read https://graph.microsoft.com/Calendars.ReadWrite",
			account.Write, ""},
		"Microsoft, reading":         {account.Microsoft, "User.Read Calendars.ReadBasic", account.Read, ""},
		"Microsoft, nothing of ours": {account.Microsoft, "User.Read", "", fault.Cancelled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.authority.grants = tt.grants
			r := w.replica()
			landing, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
				Person: "al", Provider: tt.provider, Access: account.Write, Browser: browser,
			}))(t), browser))
			if fault.CodeOf(err) != tt.code || landing.Account.Access != tt.access {
				t.Errorf("= %q, %v, want %q, %s", landing.Account.Access, err, tt.access, tt.code)
			}
			if discarded := tt.code != "" && tt.provider == account.Google; discarded != (len(w.authority.revoked) == 1) {
				t.Errorf("revoked %d tokens", len(w.authority.revoked))
			}
		})
	}
}

func TestAProviderSaysNo(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]struct {
		code fault.Code
		text string
	}{
		"access_denied":           {fault.Cancelled, "access to the Google calendar was not given"},
		"temporarily_unavailable": {fault.CalendarFailed, "try again in a few minutes"},
		"unauthorized_client":     {fault.CalendarFailed, "does not let this server"},
		"<script>":                {fault.CalendarFailed, "does not let this server"},
	} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.authority.declines = code
			r := w.replica()
			landing, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
				Person: "al", Provider: account.Google, Browser: browser, ReturnTo: "/back",
			}))(t), browser))
			if fault.CodeOf(err) != want.code || !strings.Contains(fault.As(err).Message, want.text) ||
				strings.Contains(err.Error(), "script") {
				t.Errorf("Finish = %v", err)
			}
			if landing.ReturnTo != "/back" {
				t.Errorf("landing = %+v; nobody knows the way back", landing)
			}
		})
	}
}

func TestAnExchangeFails(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		fail  func(http.ResponseWriter, url.Values) bool
		code  fault.Code
		again bool
	}{
		"a code that was used": {func(w http.ResponseWriter, _ url.Values) bool {
			refuse(w, 400, "invalid_grant")
			return true
		}, fault.InvalidRequest, false},
		"a wrong client secret": {func(w http.ResponseWriter, _ url.Values) bool {
			refuse(w, 401, "invalid_client")
			return true
		}, fault.CalendarFailed, false},
		"a broken server": {func(w http.ResponseWriter, _ url.Values) bool {
			w.WriteHeader(502)
			_, _ = fmt.Fprint(w, "<html>refresh-s3cr3t")
			return true
		}, fault.CalendarFailed, true},
		"no JSON": {func(w http.ResponseWriter, _ url.Values) bool {
			_, _ = fmt.Fprint(w, "<html>")
			return true
		}, fault.CalendarFailed, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.authority.fail = tt.fail
			r := w.replica()
			_, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
				Person: "al", Provider: account.Google, Browser: browser,
			}))(t), browser))
			if f := fault.As(err); f.Code != tt.code || f.Retryable != tt.again || containsSecret(err.Error()) {
				t.Errorf("Finish = %v", err)
			}
		})
	}
}
