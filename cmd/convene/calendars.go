package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/account"
	"convene/pkg/api"
	"convene/pkg/calendar"
	"convene/pkg/calendar/cached"
	"convene/pkg/calendar/caldav"
	"convene/pkg/calendar/google"
	"convene/pkg/calendar/ics"
	"convene/pkg/calendar/local"
	"convene/pkg/calendar/microsoft"
	"convene/pkg/demo"
	"convene/pkg/mail"
	"convene/pkg/mail/gmail"
	"convene/pkg/mail/imap"
	"convene/pkg/mail/outlook"
	"convene/pkg/meet"
	"convene/pkg/outbound"
	"convene/pkg/redisstore"
	taskcaldav "convene/pkg/task/caldav"
	taskgoogle "convene/pkg/task/google"
	taskmicrosoft "convene/pkg/task/microsoft"
	"convene/pkg/task/remote"
)

// connectSettings say how people connect their own calendars.
type connectSettings struct {
	PublicURL      string   `help:"Where browsers reach this server, as https://convene.example; by default http://localhost and the port." placeholder:"URL"`
	ReturnTo       []string `help:"Origins to whose pages people may be sent back after connecting a calendar." placeholder:"ORIGIN"`
	SecretsKeyset  string   `help:"Keyset that seals tokens, passwords and webhook secrets: a file, or base64 of its JSON; 'convene secrets new' makes one. Without it they do not outlive the process." placeholder:"FILE"`
	PrivateServers bool     `help:"Allow CalDAV and mail servers, feeds and webhook endpoints in private networks, and imap:// without encryption."`

	Google    googleSettings    `embed:"" prefix:"google-"`
	Microsoft microsoftSettings `embed:"" prefix:"microsoft-"`
}

// googleSettings identify Convene to Google.
type googleSettings struct {
	ClientID     string `help:"Client id of the OAuth client at Google." placeholder:"ID"`
	ClientSecret string `help:"Secret of the OAuth client at Google." placeholder:"SECRET"`
	Endpoint     string `help:"Another server that speaks Google's Calendar, Tasks and Gmail APIs, for tests." placeholder:"URL"`
	OAuthURL     string `name:"oauth-url" help:"Another server that speaks Google's OAuth, for tests: /o/oauth2/v2/auth, /oauth2/token and /oauth2/revoke below it." placeholder:"URL"`
}

func (s googleSettings) client() account.OAuth {
	o := account.OAuth{ClientID: s.ClientID, ClientSecret: s.ClientSecret}
	if s.OAuthURL != "" {
		o.AuthURL = s.OAuthURL + "/o/oauth2/v2/auth"
		o.TokenURL, o.RevokeURL = s.OAuthURL+"/oauth2/token", s.OAuthURL+"/oauth2/revoke"
	}
	return o
}

// microsoftSettings identify Convene to Microsoft.
type microsoftSettings struct {
	ClientID     string `help:"Application id at Microsoft Entra." placeholder:"ID"`
	ClientSecret string `help:"Client secret of the application at Microsoft Entra." placeholder:"SECRET"`
	Tenant       string `help:"Whose accounts may be connected: an organization's id, organizations, or consumers; by default everyone's." placeholder:"TENANT"`
	Endpoint     string `help:"Another server that speaks Microsoft Graph, for tests." placeholder:"URL"`
	OAuthURL     string `name:"oauth-url" help:"Another server that speaks Microsoft's OAuth, for tests: /authorize and /token below it." placeholder:"URL"`
}

func (s microsoftSettings) client() account.OAuth {
	o := account.OAuth{ClientID: s.ClientID, ClientSecret: s.ClientSecret, Tenant: s.Tenant}
	if s.OAuthURL != "" {
		o.AuthURL, o.TokenURL = s.OAuthURL+"/authorize", s.OAuthURL+"/token"
	}
	return o
}

// publicURL is the address at which browsers reach a server that listens there.
func (s connectSettings) publicURL(listen string) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	_, port, err := net.SplitHostPort(listen)
	if err != nil {
		return ""
	}
	// Microsoft accepts localhost, not a loopback address.
	return "http://" + net.JoinHostPort("localhost", port)
}

// connections are the calendars that people have connected.
type connections struct {
	// providers are cached, in order of preference.
	providers []calendar.Provider
	accounts  *account.Store
	secrets   *account.Secrets
	connector *account.Connector
	caches    []*cached.Calendar
	// tasks are those of the same accounts, in order of preference.
	tasks []remote.Server
	// boxes are the mailboxes of accounts, in order of preference; those of imap are the last.
	boxes []mailboxes
	imap  *imap.Provider
}

// mailboxes are those of accounts at one kind of server.
type mailboxes interface {
	mail.Provider
	// Forget forgets what is remembered of a person's.
	Forget(person meet.PersonID)
}

// connect wires people's own calendars.
func (s connectSettings) connect(
	store *redisstore.Store, publicURL string, logger zerolog.Logger, now func() time.Time,
) (*connections, error) {
	secrets, err := account.OpenSecrets(s.SecretsKeyset)
	if err != nil {
		return nil, misuse{fmt.Errorf("--secrets-keyset: %w", err)}
	}
	if !secrets.Lasting() && !store.Embedded() {
		logger.Warn().Msg("no --secrets-keyset: calendars that are connected now must be connected again after a restart, " +
			"and webhooks made anew")
	}
	records := store.Accounts()
	c := &connections{secrets: secrets}
	c.accounts = account.New(account.Config{
		Records: records, Locks: records, Secrets: secrets, HTTP: outbound.Client(outbound.Config{Name: "oauth"}),
		Google: s.Google.client(), Microsoft: s.Microsoft.client(), Changed: c.forget, Now: now,
	})
	graph, err := microsoft.New(microsoft.Config{
		Accounts: c.accounts, Endpoint: s.Microsoft.Endpoint, Identity: google.UID,
	})
	if err != nil {
		return nil, misuse{fmt.Errorf("--microsoft-endpoint: %w", err)}
	}
	identity := func(iCalUID string) string { return graph.UID(google.UID(iCalUID)) }
	workspace := google.New(google.Config{Accounts: c.accounts, Endpoint: s.Google.Endpoint, Identity: graph.UID})
	dav := caldav.New(caldav.Config{Accounts: c.accounts, Client: s.client("caldav"), Identity: identity, Now: now})
	feeds := ics.New(ics.Config{Accounts: c.accounts, Client: s.client("ics"), Identity: identity})
	sources := []calendar.Syncer{dav, feeds}
	c.tasks = []remote.Server{taskcaldav.Server{Calendar: dav, Now: now}}
	if s.Microsoft.client().Configured() {
		c.tasks = slices.Insert(c.tasks, 0, remote.Server(taskmicrosoft.Server{Calendar: graph}))
		sources = slices.Insert(sources, 0, calendar.Syncer(graph))
	}
	if s.Google.client().Configured() {
		c.tasks = slices.Insert(c.tasks, 0, remote.Server(taskgoogle.Server{Calendar: workspace}))
		sources = slices.Insert(sources, 0, calendar.Syncer(workspace))
	}
	for _, source := range sources {
		c.add(source, store, logger, now)
	}
	listers := map[account.Provider]account.Lister{account.Google: workspace, account.Microsoft: graph}
	if err := c.openMail(s, store, listers); err != nil {
		return nil, err
	}
	c.connector = account.NewConnector(account.ConnectorConfig{
		Store: c.accounts, Pending: records, RedirectURL: publicURL + api.CallbackPath,
		Listers: listers, CalDAV: dav, Feeds: feeds, Mailboxes: c.imap,
	})
	return c, nil
}

// openMail wires people's own mailboxes, and how their owners' addresses are learned.
func (c *connections) openMail(
	s connectSettings, store *redisstore.Store, listers map[account.Provider]account.Lister,
) error {
	if s.Google.client().Configured() {
		p := gmail.New(gmail.Config{
			Accounts: c.accounts, Moved: mailBook(store, gmail.Name), Endpoint: s.Google.Endpoint,
		})
		listers[account.Gmail] = gmail.Lister{Provider: p}
		c.boxes = append(c.boxes, p)
	}
	if s.Microsoft.client().Configured() {
		p, err := outlook.New(outlook.Config{Accounts: c.accounts, Endpoint: s.Microsoft.Endpoint})
		if err != nil {
			return misuse{fmt.Errorf("--microsoft-endpoint: %w", err)}
		}
		listers[account.Outlook] = outlook.Lister{Provider: p}
		c.boxes = append(c.boxes, p)
	}
	c.imap = imap.New(imap.Config{
		Accounts: c.accounts, Dialer: outbound.Dialer(!s.PrivateServers), Plain: s.PrivateServers,
	})
	c.boxes = append(c.boxes, c.imap)
	return nil
}

// client calls servers at addresses that users give.
func (s connectSettings) client(name string) *http.Client {
	return outbound.Client(outbound.Config{Name: name, PublicOnly: !s.PrivateServers})
}

// add puts a cache before the source.
func (c *connections) add(
	source calendar.Syncer, store *redisstore.Store, logger zerolog.Logger, now func() time.Time,
) {
	sampled := logger.Sample(&zerolog.BurstSampler{Burst: 5, Period: time.Minute})
	cache := cached.New(cached.Config{
		Source: source, Snapshots: store.Snapshots(source.Name()), Now: now,
		Notify: func(_ context.Context, err error) {
			sampled.Warn().Err(err).Str("provider", source.Name()).Msg("a calendar could not be read")
		},
	})
	c.caches = append(c.caches, cache)
	c.providers = append(c.providers, cache)
}

// Needed reports whether people connect accounts at the provider.
func (c *connections) Needed(provider string) bool {
	return slices.ContainsFunc(c.providers, func(p calendar.Provider) bool { return p.Name() == provider })
}

// Connected names the providers at which the person has calendars.
func (c *connections) Connected(ctx context.Context, person meet.PersonID) (names []string, err error) {
	accounts, err := c.accounts.List(ctx, person)
	for _, a := range accounts {
		if !a.Provider.KeepsMail() {
			names = append(names, string(a.Provider))
		}
	}
	return names, err
}

// close ends the readings in the background, and connections that are kept.
func (c *connections) close() {
	c.imap.Close()
	for _, cache := range c.caches {
		cache.Close()
	}
}

// routes are the parts that the API needs.
func (c *connections) routes(s connectSettings, publicURL string) api.Calendars {
	return api.Calendars{
		Accounts: c.accounts, Connector: c.connector,
		PublicURL: publicURL, ReturnTo: s.ReturnTo,
	}
}

// forget clears what is remembered of a person whose connected accounts have changed. Otherwise the caches would still
// show a disconnected calendar, and not yet a new one.
func (c *connections) forget(ctx context.Context, person meet.PersonID) {
	for _, b := range c.boxes {
		b.Forget(person)
	}
	all := calendar.Directory{Sources: c.providers}
	if err := all.Forget(ctx, person); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the cached readings of a person's calendars could not be forgotten")
	}
}

// calendarFiles are the files of --calendars, of --world or of the demo, by name.
func (s settings) calendarFiles(now time.Time) (map[string][]byte, error) {
	switch {
	case s.Calendars == "" && s.world != nil:
		return s.world.calendars, nil
	case s.Calendars == "":
		return demo.Calendars(now)
	}
	files, err := local.ReadDir(s.Calendars)
	if err != nil {
		return nil, misuse{fmt.Errorf("--calendars: %w", err)}
	}
	return files, nil
}

// reportDamage logs the calendars that cannot be read. The demo has one on purpose.
func (s settings) reportDamage(logger zerolog.Logger, problems []error) {
	for _, problem := range problems {
		if s.Calendars == "" && s.world == nil {
			logger.Info().Err(problem).Msg("a calendar of the demo is damaged on purpose; its owner's time is unknown")
			continue
		}
		logger.Warn().Err(problem).Msg("a calendar file cannot be read; its owner's time is unknown")
	}
}
