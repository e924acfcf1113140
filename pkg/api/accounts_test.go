package api

import (
	"context"
	"strings"
	"testing"

	"convene/pkg/account"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

// oneAccount is a shelf with one account of Mia's on it, "a1"; it connects others as it is told.
type oneAccount struct {
	account account.Account
	chosen  []account.Choice
	removed bool

	begun   account.Request
	came    account.Return
	landing account.Landing
	login   account.ServerLogin
	feed    string
	// outgoing is the SMTP server of a mailbox.
	outgoing string
	// missing is why no calendar can be connected at all.
	fail, missing error
}

func (o *oneAccount) List(_ context.Context, person meet.PersonID) ([]account.Account, error) {
	if person != o.account.Person || o.removed {
		return nil, nil
	}
	return []account.Account{o.account}, nil
}

func (o *oneAccount) own(person meet.PersonID, id account.ID) error {
	if person != o.account.Person || id != o.account.ID || o.removed {
		return fault.New(fault.NotFound, "This calendar is not connected.")
	}
	return nil
}

func (o *oneAccount) Choose(
	_ context.Context, person meet.PersonID, id account.ID, choices []account.Choice,
) (account.Account, error) {
	o.chosen = choices
	return o.account, o.own(person, id)
}

func (o *oneAccount) Remove(_ context.Context, person meet.PersonID, id account.ID) error {
	err := o.own(person, id)
	o.removed = o.removed || err == nil
	return err
}

func (o *oneAccount) RemoveAll(_ context.Context, person meet.PersonID) error {
	o.removed = o.removed || person == o.account.Person
	return nil
}

func (o *oneAccount) Offers(account.Provider) error { return o.missing }

func (o *oneAccount) Begin(_ context.Context, r account.Request) (string, error) {
	o.begun = r
	return "https://accounts.example/auth?state=s1", o.fail
}

func (o *oneAccount) Finish(_ context.Context, r account.Return) (account.Landing, error) {
	o.came = r
	return o.landing, o.fail
}

func (o *oneAccount) AddCalDAV(
	_ context.Context, person meet.PersonID, login account.ServerLogin,
) (account.Account, error) {
	o.login = login
	return account.Account{
		ID: "a2", Person: person, Provider: account.CalDAV, Access: account.Write, Address: login.Username,
	}, o.fail
}

func (o *oneAccount) AddFeed(_ context.Context, person meet.PersonID, address, name string) (account.Account, error) {
	o.feed = address
	return account.Account{ID: "a3", Person: person, Provider: account.ICS, Access: account.Read, Address: name}, o.fail
}

func (o *oneAccount) AddMail(
	_ context.Context, person meet.PersonID, login account.MailLogin,
) (account.Account, error) {
	o.login, o.outgoing = login.ServerLogin, login.Outgoing
	return account.Account{
		ID: "a4", Person: person, Provider: account.IMAP, Access: account.Write, Address: login.Username,
		Server: login.Server, Outgoing: login.Outgoing,
	}, o.fail
}

func newShelf() *oneAccount {
	return &oneAccount{account: account.Account{
		ID: "a1", Person: "me", Provider: account.Google, Access: account.Write, Address: "mia@example.com", Connected: noon,
		Calendars: []account.Calendar{
			{ID: "mia@example.com", Name: "Mia", Blocks: true, Target: true, Timezone: "Europe/Berlin"},
		},
	}}
}

func (o *oneAccount) calendars() Calendars {
	return Calendars{
		Accounts: o, Connector: o, PublicURL: "http://localhost:8080", ReturnTo: []string{"https://app.example"},
	}
}

func connecting(t *testing.T) (*fixture, *oneAccount) {
	t.Helper()
	shelf := newShelf()
	return newFixture(t, func(c *Config) { c.Calendars = shelf.calendars() }), shelf
}

func TestListCalendars(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	base := f.serve(t) + "/v1/people"
	const want = `{"accounts":[{"id":"a1","provider":"google","access":"write","address":"mia@example.com",` +
		`"state":"connected",` +
		`"connected":"2026-03-09T12:00:00Z","calendars":[{"id":"mia@example.com","name":"Mia","blocks":true,"target":true,` +
		`"timezone":"Europe/Berlin"}]}]}`
	if a := do(t, "GET", base+"/me/calendars", ""); a.status != 200 || strings.TrimSpace(a.body) != want {
		t.Errorf("list = %d %s, want %s", a.status, a.body, want)
	}
	if a := do(t, "GET", base+"/al/calendars", ""); strings.TrimSpace(a.body) != `{"accounts":[]}` {
		t.Errorf("list of somebody without any = %s", a.body)
	}
	if a := do(t, "GET", base+"/zoe/calendars", ""); a.status != 404 {
		t.Errorf("list of nobody = %d", a.status)
	}
	shelf.account.Problem = "reconnect the Google calendar"
	if a := do(t, "GET", base+"/me/calendars", ""); !strings.Contains(a.body,
		`"state":"problem","problem":"reconnect the Google calendar"`) {
		t.Errorf("list with a problem = %s", a.body)
	}
}

func TestConnectAtOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path, body string
		fail       error
		status     int
		field      string
	}{
		"a server": {"caldav", `{"server":"https://dav.example","username":"mia","password":"pw-1"}`, nil,
			200, ""},
		"a server by its name": {"caldav", `{"server":"icloud.com","username":"mia","password":"pw-1"}`, nil, 200, ""},
		"a server of one's own": {"caldav", `{"server":"http://localhost:5232","username":"mia","password":"pw-1"}`,
			nil, 200, ""},
		"no server":    {"caldav", `{"username":"mia","password":"pw-1"}`, nil, 400, "server"},
		"no user name": {"caldav", `{"server":"https://dav.example","password":"pw-1"}`, nil, 400, "username"},
		"no password":  {"caldav", `{"server":"https://dav.example","username":"mia"}`, nil, 400, "password"},
		"a server by an email": {"caldav", `{"server":"mia@fastmail.com","username":"mia@fastmail.com","password":"pw-1"}`,
			nil, 200, ""},
		"a server without end": {"caldav", `{"server":"https://` + strings.Repeat("x", 3000) +
			`","username":"mia","password":"pw-1"}`, nil, 400, "server"},
		"an unknown member": {"caldav", `{"server":"https://dav.example","user":"mia"}`, nil, 400, "user"},
		"too long a password": {"caldav", `{"server":"https://dav.example","username":"mia","password":"` +
			strings.Repeat("x", 600) + `"}`, nil, 400, "password"},
		"a wrong password": {"caldav", `{"server":"https://dav.example","username":"mia","password":"pw-1"}`,
			fault.New(fault.CalendarFailed, "the user name or the password is wrong"), 422, ""},
		"a server that is down": {"caldav", `{"server":"https://dav.example","username":"mia","password":"pw-1"}`,
			fault.New(fault.CalendarFailed, "the server does not answer").Later(0), 503, ""},
		"a feed":         {"ics", `{"url":"https://feeds.example/secret.ics","name":"Team"}`, nil, 200, ""},
		"no address":     {"ics", `{}`, nil, 400, "url"},
		"no web address": {"ics", `{"url":"ftp://feeds.example/secret.ics"}`, nil, 400, "url"},
		"an address without end": {"ics", `{"url":"https://feeds.example/` + strings.Repeat("x", 3000) + `"}`, nil,
			400, "url"},
		"too long a name": {"ics", `{"url":"https://feeds.example/secret.ics","name":"` + strings.Repeat("x", 300) +
			`"}`, nil, 400, "name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, shelf := connecting(t)
			shelf.fail = tt.fail
			a := do(t, "POST", f.serve(t)+"/v1/people/me/calendars/"+tt.path, tt.body)
			if a.status != tt.status {
				t.Fatalf("= %d %s, want %d", a.status, a.body, tt.status)
			}
			if tt.status != 200 && a.problem(t).Field != tt.field {
				t.Errorf("field = %q, want %q", a.problem(t).Field, tt.field)
			}
			for _, secret := range []string{"pw-1", "secret.ics"} {
				if strings.Contains(a.body, secret) || strings.Contains(f.lines.String(), secret) {
					t.Errorf("a secret is shown: %s\n%s", a.body, f.lines)
				}
			}
		})
	}
}

func TestWhatIsConnected(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	base := f.serve(t) + "/v1/people/me/calendars"
	do(t, "POST", base+"/caldav", `{"server":" https://dav.example ","username":" mia ","password":" pw 1 "}`)
	if want := (account.ServerLogin{Server: "https://dav.example", Username: "mia",
		Password: " pw 1 "}); shelf.login != want {
		t.Errorf("login is for %q and %q, and the password has %d bytes", shelf.login.Server, shelf.login.Username,
			len(shelf.login.Password))
	}
	do(t, "POST", base+"/ics", `{"url":"webcal://feeds.example/a b.ics?k=1"}`)
	if want := "https://feeds.example/a%20b.ics?k=1"; shelf.feed != want {
		t.Errorf("feed = %q, want %q", shelf.feed, want)
	}
	if a := do(t, "POST", strings.Replace(base, "me", "zoe", 1)+"/ics",
		`{"url":"https://feeds.example/x"}`); a.status != 404 {
		t.Errorf("for nobody = %d %s", a.status, a.body)
	}
}

func TestChooseCalendars(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	base := f.serve(t) + "/v1/people/me/calendars"
	a := do(t, "PATCH", base+"/a1", `{"calendars":[{"id":"x","blocks":false},{"id":"y","target":true}]}`)
	if a.status != 200 {
		t.Fatalf("= %d %s", a.status, a.body)
	}
	no, yes := false, true
	wantDiff(t, "choices", []account.Choice{{Calendar: "x", Blocks: &no}, {Calendar: "y", Target: &yes}}, shelf.chosen)
	for body, field := range map[string]string{
		`{}`: "calendars", `{"calendars":[{"id":"x","colour":"red"}]}`: "calendars[0].colour",
		`{"calenders":[]}`:                         "calenders",
		`{"calendars":[{"id":"x","blocks":"no"}]}`: "calendars[0].blocks",
	} {
		if a := do(t, "PATCH", base+"/a1", body); a.status != 400 || a.problem(t).Field != field {
			t.Errorf("%s = %d %s, want field %s", body, a.status, a.body, field)
		}
	}
	for _, path := range []string{"/a2", "/%20"} {
		if a := do(t, "PATCH", base+path, `{"calendars":[{"id":"x"}]}`); a.status != 404 {
			t.Errorf("%s = %d", path, a.status)
		}
	}
}

func TestDisconnectCalendar(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	base := f.serve(t) + "/v1/people"
	if a := do(t, "DELETE", base+"/al/calendars/a1", ""); a.status != 404 || shelf.removed {
		t.Errorf("somebody else's = %d", a.status)
	}
	for _, status := range []int{204, 404} {
		if a := do(t, "DELETE", base+"/me/calendars/a1", ""); a.status != status || !shelf.removed {
			t.Errorf("= %d, want %d", a.status, status)
		}
	}
}

func TestCalendarRoutesAreDocumented(t *testing.T) {
	t.Parallel()
	f, _ := connecting(t)
	address := f.serve(t)
	text := do(t, "GET", address+"/openapi.json", "").body
	for _, path := range []string{
		"/v1/people/{id}/calendars", "/v1/people/{id}/calendars/caldav", "/v1/people/{id}/calendars/ics",
		"/v1/people/{id}/calendars/{cid}",
		"/v1/people/{id}/calendars/{provider}/connect", CallbackPath,
	} {
		if !strings.Contains(text, `"`+path+`"`) {
			t.Errorf("%s is not documented", path)
		}
	}
	if strings.Contains(text, browserCookie) {
		t.Error("the cookie is documented as a parameter")
	}
	list := do(t, "GET", address+"/v1/people/me/calendars", "").body
	if err := validate(t, compile(t, text, "AccountsOutputBody"), []byte(list)); err != nil {
		t.Errorf("list is not as documented: %v\n%s", err, list)
	}
	for schema, body := range map[string]string{"CaldavRequest": `{"server":"s","username":"u","password":"p"}`,
		"FeedRequest": `{"url":"u"}`, "ChoicesRequest": `{"calendars":[{"id":"x"}]}`} {
		if err := validate(t, compile(t, text, schema), []byte(body)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
		if validate(t, compile(t, text, schema), []byte(strings.Replace(body, "{", `{"more":1,`, 1))) == nil {
			t.Errorf("%s takes what is not known", schema)
		}
	}
}

func TestWithoutAccountsThereAreNoSuchRoutes(t *testing.T) {
	t.Parallel()
	if a := do(t, "GET", newFixture(t).serve(t)+"/v1/people/me/calendars", ""); a.status != 404 {
		t.Errorf("= %d", a.status)
	}
}

// A deleted person has no connected calendars.
func TestADeletedPersonIsDisconnected(t *testing.T) {
	t.Parallel()
	f, shelf := connecting(t)
	if a := do(t, "DELETE", f.serve(t)+"/v1/people/me", ""); a.status != 204 || !shelf.removed {
		t.Errorf("delete = %d, disconnected %v", a.status, shelf.removed)
	}
}

func TestMailboxesAreConnectedAndListed(t *testing.T) {
	t.Parallel()
	shelf := newShelf()
	shelf.account.Provider, shelf.account.Server = account.IMAP, "imaps://mail.example:993"
	f := newFixture(t, func(c *Config) {
		c.Calendars, c.Mail, c.MailConnector = shelf.calendars(), noMail{}, shelf
	})
	base := f.serve(t) + "/v1/people/me"
	for name, tt := range map[string]struct {
		body, field string
		status      int
	}{
		"both servers": {
			`{"server":"imaps://m.example","smtp":"smtps://s.example","username":" mia ","password":"pw-1"}`, "", 200,
		},
		"no server":   {`{"username":"mia","password":"pw-1"}`, "server", 400},
		"no password": {`{"server":"imaps://m.example","username":"mia"}`, "password", 400},
		"a long smtp": {
			`{"server":"m","username":"mia","password":"p","smtp":"` + strings.Repeat("s", 2049) + `"}`, "smtp", 400,
		},
	} {
		a := do(t, "POST", base+"/mail/imap", tt.body)
		if a.status != tt.status || tt.field != "" && !strings.Contains(a.body, `"field":"`+tt.field+`"`) {
			t.Errorf("%s: %d %s", name, a.status, a.body)
		}
		if strings.Contains(a.body, "pw-1") {
			t.Errorf("%s: the password is shown: %s", name, a.body)
		}
	}
	if shelf.login.Username != "mia" || shelf.outgoing != "smtps://s.example" {
		t.Errorf("connected as %q, sending by %s", shelf.login.Username, shelf.outgoing)
	}
	if a := do(t, "GET", base+"/mail/accounts", ""); !strings.Contains(a.body, `"server":"imaps://mail.example:993"`) {
		t.Errorf("listed: %s", a.body)
	}
	if a := do(t, "GET", base+"/calendars", ""); strings.TrimSpace(a.body) != `{"accounts":[]}` {
		t.Errorf("listed as a calendar: %s", a.body)
	}
	if a := do(t, "DELETE", base+"/mail/accounts/a1", ""); a.status != 204 || !shelf.removed {
		t.Errorf("disconnect: %d %s", a.status, a.body)
	}
}

// noMail are empty mailboxes.
type noMail struct{ mail.Base }

func (noMail) Folders(context.Context, meet.Person) ([]mail.Folder, error) {
	return mail.Purposes(), nil
}

func (noMail) List(context.Context, meet.Person, mail.Query) (mail.Page, error) {
	return mail.Page{}, nil
}
