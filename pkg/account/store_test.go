package account_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/fault"
)

func TestATokenIsUsedWhileItLasts(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		lifetime int
		wait     time.Duration
		renewals int
	}{
		"fresh":                          {3600, 0, 0},
		"six minutes before its end":     {3600, 54 * time.Minute, 0},
		"five minutes before its end":    {3600, 55 * time.Minute, 1},
		"after its end":                  {3600, 61 * time.Minute, 1},
		"one that lives a minute, fresh": {60, 0, 0},
		"one that lives a minute, later": {60, 45 * time.Second, 1},
		"one that never ends":            {0, 1000 * time.Hour, 0},
		"a clock that was set back":      {3600, -time.Hour, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.authority.lifetime = tt.lifetime
			r := w.replica()
			a := w.connect(r, account.Read)
			w.wait(tt.wait)
			got := must(r.Credential(w.ctx(), a.ID))(t)
			if w.authority.renewed() != tt.renewals || (got == w.found.opened) != (tt.renewals == 0) {
				t.Errorf("%d renewals, want %d", w.authority.renewed(), tt.renewals)
			}
			if again := must(r.Credential(w.ctx(), a.ID))(t); again != got || w.authority.renewed() != tt.renewals {
				t.Errorf("%d renewals after a second call, want %d", w.authority.renewed(), tt.renewals)
			}
		})
	}
}

func TestManyCallersAndReplicasRenewOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.authority.rotates = true
	replicas := []replica{w.replica(), w.replica(), w.replica()}
	a := w.connect(replicas[0], account.Read)
	w.wait(time.Hour)
	var (
		mu  sync.Mutex
		got = map[string]int{}
		wg  sync.WaitGroup
	)
	for i := range 100 {
		wg.Go(func() {
			cred, err := replicas[i%3].Credential(w.ctx(), a.ID)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got[cred.AccessToken]++
		})
	}
	wg.Wait()
	if len(got) != 1 || w.authority.renewed() != 1 {
		t.Errorf("%d tokens from %d renewals, want one from one", len(got), w.authority.renewed())
	}
}

func TestAReplacedRefreshTokenIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.authority.rotates = true
	r := w.replica()
	a := w.connect(r, account.Read)
	for i := range 3 {
		w.wait(time.Hour)
		if _, err := w.replica().Credential(w.ctx(), a.ID); err != nil {
			t.Fatalf("renewal %d: %v", i+1, err)
		}
	}
	if w.authority.renewed() != 3 || len(w.authority.valid) != 1 {
		t.Errorf("%d renewals, %d refresh tokens are valid", w.authority.renewed(), len(w.authority.valid))
	}
}

// Who asked may leave before the answer is there; what the provider replaced is stored all the same.
func TestARenewalOutlivesItsCaller(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.authority.rotates = true
	r := w.replica()
	a := w.connect(r, account.Read)
	w.wait(time.Hour)
	ctx, leave := context.WithCancel(w.ctx())
	w.authority.tell(func(a *authority) {
		a.fail = func(http.ResponseWriter, url.Values) bool { leave(); return false }
	})
	_, _ = r.Credential(ctx, a.ID) // may be the token, or that the caller has gone
	w.authority.tell(func(a *authority) { a.fail = nil })
	if _, err := r.Credential(w.ctx(), a.ID); err != nil || w.authority.renewed() != 1 {
		t.Errorf("Credential = %v after %d renewals", err, w.authority.renewed())
	}
}

func TestAnEndedGrantIsAProblem(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	a := w.connect(r, account.Read)
	w.authority.tell(func(a *authority) { clear(a.valid) })
	w.wait(time.Hour)
	for range 3 {
		_, err := r.Credential(w.ctx(), a.ID)
		if f := fault.As(err); f.Code != fault.CalendarFailed || f.Message != "reconnect the Google calendar" || f.Retryable {
			t.Errorf("Credential = %v, want to be told to reconnect", err)
		}
	}
	if w.authority.renewed() != 1 {
		t.Errorf("%d renewals, want no more than one", w.authority.renewed())
	}
	if got := must(w.replica().List(w.ctx(), "al"))(t); got[0].Problem != "reconnect the Google calendar" {
		t.Errorf("accounts = %+v, want the problem", got)
	}
	if again := w.connect(r, account.Read); again.ID != a.ID || again.Problem != "" {
		t.Errorf("connected anew = %+v", again)
	}
	if _, err := r.Credential(w.ctx(), a.ID); err != nil {
		t.Errorf("Credential after connecting anew = %v", err)
	}
}

func TestAProviderThatIsDown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	a := w.connect(r, account.Read)
	w.authority.tell(func(a *authority) {
		a.fail = func(w http.ResponseWriter, form url.Values) bool {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = fmt.Fprint(w, form.Encode()) // some servers repeat what they are sent
			return true
		}
	})
	w.wait(57 * time.Minute)
	if got, err := r.Credential(w.ctx(), a.ID); err != nil || got != w.found.opened {
		t.Errorf("Credential = %v; the old token is still good", err)
	}
	w.wait(4 * time.Minute)
	_, err := r.Credential(w.ctx(), a.ID)
	if f := fault.As(err); f.Code != fault.CalendarFailed || !f.Retryable || containsSecret(err.Error()) {
		t.Errorf("Credential = %v, want to be told to come back", err)
	}
	if containsSecret(w.log.String()) {
		t.Errorf("the log shows a secret:\n%s", w.log)
	}
	w.authority.tell(func(a *authority) { a.fail = nil })
	if got, err := r.Credential(w.ctx(), a.ID); err != nil || got == w.found.opened {
		t.Errorf("Credential = %v when the provider is back", err)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	a := w.connect(r, account.Read)
	used := must(r.Credential(w.ctx(), a.ID))(t)
	if err := r.Refused(w.ctx(), a.ID, used); !fault.As(err).Retryable || w.authority.renewed() != 0 {
		t.Errorf("Refused of a token that was just issued = %v, %d renewals", err, w.authority.renewed())
	}
	w.wait(time.Minute)
	for range 3 { // several calls that used the same token
		if err := r.Refused(w.ctx(), a.ID, used); err != nil {
			t.Fatal(err)
		}
	}
	if next := must(r.Credential(w.ctx(), a.ID))(t); next == used || w.authority.renewed() != 1 {
		t.Errorf("%d renewals, want one", w.authority.renewed())
	}
	w.wait(time.Minute)
	w.authority.tell(func(a *authority) { clear(a.valid) })
	used = must(r.Credential(w.ctx(), a.ID))(t)
	for range 2 {
		if err := r.Refused(w.ctx(), a.ID, used); fault.As(err).Message != "reconnect the Google calendar" {
			t.Errorf("Refused = %v, want the problem", err)
		}
	}
}

func TestRefusedWithoutAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	server := must(r.connector.AddCalDAV(w.ctx(), "al", account.ServerLogin{
		Server: "https://dav.example", Username: "al", Password: "old",
	}))(t)
	const want = "reconnect the CalDAV calendar"
	used := must(r.Credential(w.ctx(), server.ID))(t)
	if err := r.Refused(w.ctx(), server.ID, account.Credential{Username: "al", Password: "older"}); err != nil {
		t.Errorf("Refused of what was replaced = %v", err)
	}
	if err := r.Refused(w.ctx(), server.ID, used); fault.As(err).Message != want {
		t.Errorf("Refused = %v, want %q", err, want)
	}
	if _, err := r.Credential(w.ctx(), server.ID); fault.As(err).Message != want {
		t.Errorf("Credential = %v, want %q", err, want)
	}
	must(r.connector.AddCalDAV(w.ctx(), "al", account.ServerLogin{
		Server: "https://dav.example", Username: "al", Password: "new",
	}))(t)
	if got, err := r.Credential(w.ctx(), server.ID); err != nil || got.Password != "new" {
		t.Errorf("Credential after connecting anew = %v", err)
	}
}

// What is wrong with a feed is shown, and its address is still given, because it may come back by itself.
func TestAFeedsProblemIsNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	feed := must(r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/1", ""))(t)
	for _, want := range []string{"the feed is gone", ""} {
		if err := r.Note(w.ctx(), feed.ID, want); err != nil {
			t.Fatal(err)
		}
		if got := must(r.List(w.ctx(), "al"))(t)[0].Problem; got != want {
			t.Errorf("the problem is %q, want %q", got, want)
		}
		if got := must(r.Credential(w.ctx(), feed.ID))(t); got.URL != "https://feeds.example/1" {
			t.Errorf("with the problem %q the address is not given", want)
		}
	}
	if err := r.Note(w.ctx(), "nobody's", "gone"); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("Note of an unknown feed = %v", err)
	}
}

// A person who reconnects while a token is renewed has the last word.
func TestANewConnectionIsNotOverwritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r, other := w.replica(), w.replica()
	a := w.connect(r, account.Read)
	w.wait(time.Hour)
	var once sync.Once
	var newest account.Credential
	w.authority.tell(func(auth *authority) {
		auth.fail = func(_ http.ResponseWriter, form url.Values) bool {
			if form.Get("grant_type") == "refresh_token" {
				once.Do(func() {
					auth.mu.Unlock()
					defer auth.mu.Lock()
					w.connect(other, account.Read)
					newest = w.found.opened
				})
			}
			return false
		}
	})
	if got := must(r.Credential(w.ctx(), a.ID))(t); got != newest {
		t.Error("the renewed token was given instead of the new connection's")
	}
	if got := must(other.Credential(w.ctx(), a.ID))(t); got != newest {
		t.Error("the renewed token has taken the place of the new connection's")
	}
}

func TestRemove(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	a := w.connect(r, account.Read)
	if err := r.Remove(w.ctx(), "me", a.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("Remove of somebody else's = %v", err)
	}
	if err := r.Remove(w.ctx(), "al", a.ID); err != nil {
		t.Fatal(err)
	}
	if len(w.authority.revoked) != 1 || !strings.HasPrefix(w.authority.revoked[0], "refresh-") ||
		len(w.authority.valid) != 0 {
		t.Errorf("revoked %v", w.authority.revoked)
	}
	for name, err := range map[string]error{
		"Remove": r.Remove(w.ctx(), "al", a.ID), "Credential": second(r.Credential(w.ctx(), a.ID)),
		"Refused": r.Refused(w.ctx(), a.ID, account.Credential{}),
	} {
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s of what is gone = %v", name, err)
		}
	}
	if dump := w.redis.Dump(); strings.Contains(dump, string(a.ID)) {
		t.Errorf("something of it is left:\n%s", dump)
	}
}

func TestRemoveWhereNothingCanBeRevoked(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*account.Config){
		"the network is down": func(c *account.Config) { c.HTTP = &http.Client{Transport: roundTrip(brokenHTTP)} },
		"the key is lost":     func(c *account.Config) { c.Secrets = must(account.OpenSecrets(""))(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.connect(w.replica(), account.Read)
			r := w.replica(spoil)
			if err := r.RemoveAll(w.ctx(), "al"); err != nil {
				t.Fatal(err)
			}
			if got := must(r.List(w.ctx(), "al"))(t); len(got) != 0 ||
				!strings.Contains(w.log.String(), "could not be revoked") {
				t.Errorf("left %v; log %s", got, w.log)
			}
		})
	}
}

func TestRemoveAtMicrosoft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	a := w.connectTo(r, account.Request{Person: "al", Provider: account.Microsoft, Browser: browser})
	if err := r.Remove(w.ctx(), "al", a.ID); err != nil || len(w.authority.revoked) != 0 {
		t.Errorf("Remove = %v, revoked %v", err, w.authority.revoked)
	}
}

func TestChoose(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, tt := range map[string]struct {
		feed    bool
		choices []account.Choice
		field   string
		want    []account.Calendar
	}{
		"blocks": {false, []account.Choice{
			{Calendar: "team", Blocks: &no}, {Calendar: "birthdays", Blocks: &yes},
		}, "", []account.Calendar{
			{ID: "main", Name: "Al", Blocks: true, Target: true},
			{ID: "team", Name: "Team"}, {ID: "birthdays", Name: "Birthdays", Blocks: true},
		}},
		"another target": {false, []account.Choice{{Calendar: "team", Target: &yes}}, "", []account.Calendar{
			{ID: "main", Name: "Al", Blocks: true}, {ID: "team", Name: "Team", Blocks: true, Target: true},
			{ID: "birthdays", Name: "Birthdays"},
		}},
		"no target": {false, []account.Choice{{Calendar: "main", Target: &no}}, "", []account.Calendar{
			{ID: "main", Name: "Al", Blocks: true}, {ID: "team", Name: "Team", Blocks: true},
			{ID: "birthdays", Name: "Birthdays"},
		}},
		"two targets": {false, []account.Choice{
			{Calendar: "main", Target: &yes}, {Calendar: "team", Target: &yes},
		}, "calendars[1].target", nil},
		"a feed as a target": {true, []account.Choice{{Calendar: "feed", Target: &yes}}, "calendars[0].target", nil},
		"an unknown one":     {false, []account.Choice{{Calendar: "main"}, {Calendar: "other"}}, "calendars[1].id", nil},
		"one without any id": {false, []account.Choice{{}}, "calendars[0].id", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.replica()
			a := w.connect(r, account.Read)
			if tt.feed {
				a = must(r.connector.AddFeed(w.ctx(), "al", "https://feeds.example/1", ""))(t)
			}
			got, err := r.Choose(w.ctx(), "al", a.ID, tt.choices)
			if tt.field != "" {
				if fault.As(err).Field != tt.field {
					t.Errorf("Choose = %v, want the fault of %s", err, tt.field)
				}
				tt.want = a.Calendars
				for _, stored := range must(r.List(w.ctx(), "al"))(t) {
					if stored.ID == a.ID {
						got = stored
					}
				}
			}
			if diff := cmp.Diff(tt.want, got.Calendars); diff != "" {
				t.Errorf("calendars (-want +got):\n%s", diff)
			}
			if _, err := r.Choose(w.ctx(), "me", a.ID, tt.choices); fault.CodeOf(err) != fault.NotFound {
				t.Errorf("Choose by somebody else = %v", err)
			}
		})
	}
}
