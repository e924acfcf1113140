package account_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

func TestConnectGoogle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	address := must(r.connector.Begin(w.ctx(), account.Request{
		Person: "al", Provider: account.Google, Browser: browser, ReturnTo: "/done",
	}))(t)
	asked := must(url.Parse(address))(t).Query()
	for name, want := range map[string]string{
		"scope": "https://www.googleapis.com/auth/calendar.events.freebusy " +
			"https://www.googleapis.com/auth/calendar.calendarlist.readonly",
		"access_type": "offline", "include_granted_scopes": "true", "prompt": "", "redirect_uri": callback,
	} {
		if got := asked.Get(name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	landing := must(r.connector.Finish(w.ctx(), w.visit(address, browser)))(t)
	want := account.Landing{Provider: account.Google, ReturnTo: "/done", Account: account.Account{
		ID: landing.Account.ID, Person: "al", Provider: account.Google,
		Access: account.Read, Address: "Al@Example.com", Connected: w.clock(),
		Calendars: w.found.calendars,
	}}
	if diff := cmp.Diff(want, landing); diff != "" {
		t.Errorf("landing (-want +got):\n%s", diff)
	}
	if got := must(r.Credential(w.ctx(), landing.Account.ID))(t); got != w.found.opened || got.AccessToken == "" {
		t.Error("the credential is not the token that was given")
	}
	if diff := cmp.Diff([]account.Account{want.Account},
		must(w.replica().Accounts(w.ctx(), "al", account.Google))(t)); diff != "" {
		t.Errorf("accounts on another replica (-want +got):\n%s", diff)
	}
	for person, provider := range map[meet.PersonID]account.Provider{"al": account.CalDAV, "me": account.Google} {
		if got := must(r.Accounts(w.ctx(), person, provider))(t); len(got) != 0 {
			t.Errorf("accounts of %s with %s = %v", person, provider, got)
		}
	}
}

func TestConnectMicrosoft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	for access, want := range map[account.Access]string{
		account.Read:  "offline_access User.Read Calendars.ReadBasic",
		account.Write: "offline_access User.Read Calendars.ReadWrite",
	} {
		got := w.connectTo(r, account.Request{Person: "al", Provider: account.Microsoft, Access: access, Browser: browser})
		if got.Access != access || w.authority.asked.Get("scope") != want || w.authority.asked.Has("access_type") {
			t.Errorf("%s = %s, asked for %q", access, got.Access, w.authority.asked.Get("scope"))
		}
	}
	if address := must(w.replica(func(c *account.Config) { c.Microsoft = account.OAuth{ClientID: "x", Tenant: "t/1"} }).
		connector.Begin(w.ctx(), account.Request{Provider: account.Microsoft}))(t); !strings.HasPrefix(address,
		"https://login.microsoftonline.com/t%2F1/oauth2/v2.0/authorize?") {
		t.Errorf("address of a tenant = %s", address)
	}
}

// The same calendar of the same person in two tenants is two accounts, wherever the provider sends the browser back to.
func TestAConnectionIsItsTenants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	ids := map[account.ID]bool{}
	for _, tenant := range []meet.Tenant{"", "a", "b"} {
		ctx := meet.InTenant(w.ctx(), tenant)
		address := must(r.connector.Begin(ctx, account.Request{Person: "al", Provider: account.Google, Browser: browser}))(t)
		landing := must(r.connector.Finish(w.ctx(), w.visit(address, browser)))(t)
		if landing.Tenant != tenant {
			t.Errorf("landed in %q, want %q", landing.Tenant, tenant)
		}
		ids[landing.Account.ID] = true
		if diff := cmp.Diff([]account.Account{landing.Account}, must(r.List(ctx, "al"))(t)); diff != "" {
			t.Errorf("accounts in %q (-want +got):\n%s", tenant, diff)
		}
		if _, err := r.Credential(meet.InTenant(w.ctx(), "c"), landing.Account.ID); fault.CodeOf(err) != fault.NotFound {
			t.Errorf("another tenant opens it: %v, want a fault.NotFound", err)
		}
		feed := must(r.connector.AddFeed(ctx, "al", "https://example.com/al.ics", ""))(t)
		ids[feed.ID] = true
	}
	if len(ids) != 6 {
		t.Errorf("%d ids of 6 accounts", len(ids))
	}
}

// Writing is asked for later, beside what was granted before, and makes no second account.
func TestAccessGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	before := w.connect(r, account.Read)
	no := false
	must(r.Choose(w.ctx(), "al", before.ID, []account.Choice{{Calendar: "team", Blocks: &no}}))(t)
	w.wait(time.Hour)
	w.found.address = "al@example.com"
	after := w.connect(r, account.Write)
	if !strings.HasSuffix(w.authority.asked.Get("scope"), "/auth/calendar.events.owned") {
		t.Errorf("asked for %q", w.authority.asked.Get("scope"))
	}
	want := before
	want.Access, want.Address = account.Write, "al@example.com"
	want.Calendars = []account.Calendar{
		{ID: "main", Name: "Al", Blocks: true, Target: true},
		{ID: "team", Name: "Team"}, {ID: "birthdays", Name: "Birthdays"},
	}
	if diff := cmp.Diff(want, after); diff != "" {
		t.Errorf("account (-want +got):\n%s", diff)
	}
	if got := must(r.List(w.ctx(), "al"))(t); len(got) != 1 {
		t.Errorf("%d accounts", len(got))
	}
}

func TestChoicesOutliveANewConnection(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for name, tt := range map[string]struct {
		choice account.Choice
		found  []string
		target string
	}{
		"another target":          {account.Choice{Calendar: "team", Target: &yes}, []string{"main", "team"}, "team"},
		"no target":               {account.Choice{Calendar: "main", Target: &no}, []string{"main", "team"}, ""},
		"a target that went away": {account.Choice{Calendar: "team", Target: &yes}, []string{"main"}, "main"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.replica()
			a := w.connect(r, account.Write)
			must(r.Choose(w.ctx(), "al", a.ID, []account.Choice{tt.choice}))(t)
			w.found.calendars = nil
			for _, id := range tt.found {
				w.found.calendars = append(w.found.calendars, account.Calendar{ID: id, Target: id == "main"})
			}
			got := ""
			for _, k := range w.connect(r, account.Write).Calendars {
				if k.Target {
					got += k.ID
				}
			}
			if got != tt.target {
				t.Errorf("target = %q, want %q", got, tt.target)
			}
		})
	}
}

// Tasks are asked for only if the person wants them. An account that has them keeps them, and one to which they were
// not granted is connected for calendars.
func TestTasksAreAskedForIfTheyAreWanted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	for provider, scope := range map[account.Provider]string{
		account.Google: "https://www.googleapis.com/auth/tasks", account.Microsoft: "Tasks.ReadWrite",
	} {
		asked := func() bool { return strings.HasSuffix(w.authority.asked.Get("scope"), " "+scope) }
		request := account.Request{Person: "al", Provider: provider, Browser: browser}
		if got := w.connectTo(r, request); got.Tasks || asked() {
			t.Errorf("%s: tasks were asked for", provider)
		}
		request.Tasks = true
		w.authority.tell(func(a *authority) { a.grants = strings.Join(account.Scopes(provider, account.Read), " ") })
		if got := w.connectTo(r, request); got.Tasks || !asked() {
			t.Errorf("%s: tasks that were not granted: %+v", provider, got)
		}
		w.authority.tell(func(a *authority) { a.grants = "" })
		if got := w.connectTo(r, request); !got.Tasks {
			t.Errorf("%s: tasks were not connected", provider)
		}
		request.Tasks = false
		if got := w.connectTo(r, request); !got.Tasks || !asked() {
			t.Errorf("%s: the account lost its tasks", provider)
		}
	}
}

func TestReconnectingAsksForWhatThereWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	for _, want := range []account.Access{account.Read, account.Write} {
		a := w.connect(r, want)
		w.authority.tell(func(a *authority) { clear(a.valid) })
		w.wait(time.Hour)
		if _, err := r.Credential(w.ctx(), a.ID); err == nil {
			t.Fatal("the account has no problem")
		}
		if got := w.connect(r, ""); got.Access != want || got.Problem != "" {
			t.Errorf("connected anew = %+v, want access to %s", got, want)
		}
	}
	if got := w.connect(r, ""); got.Access != account.Read {
		t.Errorf("an account without a problem was asked for %s", got.Access)
	}
}

func TestANewAccountCannotBeListed(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*found){
		"the adapter fails": func(f *found) { f.err = fault.New(fault.CalendarFailed, "not now") },
		"it has no address": func(f *found) { f.address = "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			spoil(w.found)
			r := w.replica()
			_, err := r.connector.Finish(w.ctx(), w.visit(must(r.connector.Begin(w.ctx(), account.Request{
				Person: "al", Provider: account.Google, Browser: browser,
			}))(t), browser))
			if fault.CodeOf(err) != fault.CalendarFailed || len(must(r.List(w.ctx(), "al"))(t)) != 0 {
				t.Errorf("Finish = %v, want a failure and no account", err)
			}
		})
	}
}

func TestAStateIsGoodOnceAndForOneBrowser(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*world, replica, *account.Return){
		"used before": func(w *world, r replica, back *account.Return) { must(r.connector.Finish(w.ctx(), *back))(w.T) },
		"used before by a stranger": func(w *world, r replica, back *account.Return) {
			other := *back
			other.Browser = "browser-of-eve"
			if _, err := r.connector.Finish(w.ctx(), other); err == nil {
				w.Error("a stranger has finished the connection")
			}
		},
		"another browser": func(_ *world, _ replica, back *account.Return) { back.Browser = "browser-of-eve" },
		"no cookie":       func(_ *world, _ replica, back *account.Return) { back.Browser = "" },
		"no state":        func(_ *world, _ replica, back *account.Return) { back.State = "" },
		"a state that nobody gave": func(_ *world, _ replica, back *account.Return) {
			back.State = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
		},
		"ten minutes have passed": func(w *world, _ replica, _ *account.Return) { w.wait(10*time.Minute + time.Second) },
		"Redis has forgotten it": func(w *world, _ replica, _ *account.Return) {
			w.redis.FastForward(10*time.Minute + time.Second)
		},
		"begun for somebody else":   swapPending("me", account.Google),
		"begun at another provider": swapPending("al", account.Microsoft),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.replica()
			back := w.visit(must(r.connector.Begin(w.ctx(), account.Request{
				Person: "al", Provider: account.Google, Browser: browser,
			}))(t), browser)
			spoil(w, r, &back)
			exchanged := w.authority.issued
			_, err := r.connector.Finish(w.ctx(), back)
			if f := fault.As(err); err == nil || f.Code != fault.InvalidRequest || f.Field != "state" {
				t.Errorf("Finish = %v, want the fault of the state", err)
			}
			if w.authority.issued != exchanged {
				t.Error("the code was exchanged all the same")
			}
		})
	}
}

// swapPending puts what was begun by another connection in the place of Al's, as a person with access to Redis could.
func swapPending(person meet.PersonID, provider account.Provider) func(*world, replica, *account.Return) {
	return func(w *world, r replica, _ *account.Return) {
		w.Helper()
		keys := func() (list []string) {
			for _, k := range w.redis.Keys() {
				if strings.Contains(k, ":connection:") {
					list = append(list, k)
				}
			}
			return list
		}
		als := keys()[0]
		must(r.connector.Begin(w.ctx(), account.Request{Person: person, Provider: provider, Browser: browser}))(w.T)
		for _, k := range keys() {
			if k != als {
				if err := w.redis.Set(als, must(w.redis.Get(k))(w.T)); err != nil {
					w.Fatal(err)
				}
			}
		}
	}
}

func TestAStateIsBoundToTheRedirect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica()
	back := w.visit(must(r.connector.Begin(w.ctx(), account.Request{
		Person: "al", Provider: account.Google, Browser: browser,
	}))(t), browser)
	moved := account.NewConnector(account.ConnectorConfig{
		Store: r.Store, Pending: r.config.Records.(account.Pending), RedirectURL: "https://elsewhere.example/callback",
		Listers: map[account.Provider]account.Lister{account.Google: w.found},
	})
	if _, err := moved.Finish(w.ctx(), back); fault.CodeOf(err) != fault.InvalidRequest {
		t.Errorf("Finish = %v, want a refusal", err)
	}
}

func TestWhatIsNotConfigured(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.replica(func(c *account.Config) { c.Google = account.OAuth{} })
	if _, err := r.connector.Begin(w.ctx(), account.Request{Person: "al", Provider: account.Google,
		Browser: browser}); fault.CodeOf(err) != fault.Unavailable {
		t.Errorf("Begin = %v", err)
	}
	bare := account.NewConnector(account.ConnectorConfig{Store: r.Store})
	for name, err := range map[string]error{
		"Begin": second(bare.Begin(w.ctx(), account.Request{
			Person: "al", Provider: account.Microsoft, Browser: browser,
		})),
		"AddCalDAV": second(bare.AddCalDAV(w.ctx(), "al", account.ServerLogin{})),
		"AddMail":   second(bare.AddMail(w.ctx(), "al", account.MailLogin{})),
		"AddFeed":   second(bare.AddFeed(w.ctx(), "al", "https://feeds.example", "")),
	} {
		if fault.CodeOf(err) != fault.Unavailable {
			t.Errorf("%s = %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A cache of readings of a person's calendars hears of each change of them, in the person's tenant.
func TestChangesOfCalendarsAreTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var told []string
	r := w.replica(func(c *account.Config) {
		c.Changed = func(ctx context.Context, p meet.PersonID) {
			told = append(told, string(meet.TenantOf(ctx))+" "+string(p))
		}
	})
	ctx := meet.InTenant(w.ctx(), "a")
	address := must(r.connector.Begin(ctx, account.Request{Person: "al", Provider: account.Google, Browser: browser}))(t)
	landing := must(r.connector.Finish(w.ctx(), w.visit(address, browser)))(t)
	_ = must(r.Choose(ctx, "al", landing.Account.ID, nil))(t)
	_ = must(r.connector.AddFeed(ctx, "bo", "https://example.com/bo.ics", ""))(t)
	for _, person := range []meet.PersonID{"al", "bo"} {
		if err := r.RemoveAll(ctx, person); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"a al", "a al", "a bo", "a al", "a bo"}; !slices.Equal(told, want) {
		t.Errorf("told of %q, want %q", told, want)
	}
}
