package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"convene/pkg/fault"
)

// OAuth identifies Convene to Google or Microsoft. Without a ClientID accounts there cannot be connected.
type OAuth struct {
	ClientID     string
	ClientSecret string
	// Tenant says which Microsoft accounts may sign in: an organization's id, organizations, or consumers. Defaults to
	// common, which is all.
	Tenant string
	// AuthURL, TokenURL and RevokeURL are the provider's endpoints. They default to the real ones.
	AuthURL, TokenURL, RevokeURL string
}

// Configured reports whether accounts can be connected.
func (o OAuth) Configured() bool { return o.ClientID != "" }

// Format keeps the client's secret out of formatted text.
func (o OAuth) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(o.ClientID)) } // fmt keeps it in memory

// Scopes are the scopes that a provider is asked for. They are exported for the README's test.
func Scopes(p Provider, access Access) []string {
	switch {
	case p == Google && access == Write:
		// Events are written to calendars that the person owns; busy times come from all that they can see.
		return append(Scopes(Google, Read), googleScope+"calendar.events.owned")
	case p == Google:
		return []string{googleScope + "calendar.events.freebusy", googleScope + "calendar.calendarlist.readonly"}
	case p == Gmail:
		return []string{googleScope + "gmail.modify"}
	case p == Outlook:
		return []string{"offline_access", "User.Read", "Mail.ReadWrite", "Mail.Send"}
	case p == Microsoft && access == Write:
		return []string{"offline_access", "User.Read", "Calendars.ReadWrite"}
	case p == Microsoft:
		return []string{"offline_access", "User.Read", "Calendars.ReadBasic"}
	default:
		return nil
	}
}

// TaskScopes are the further scopes for the tasks of an account.
func TaskScopes(p Provider) []string {
	switch p {
	case Google:
		return []string{googleScope + "tasks"}
	case Microsoft:
		return []string{"Tasks.ReadWrite"}
	default:
		return nil
	}
}

const googleScope = "https://www.googleapis.com/auth/"

// provider is the OAuth client of one provider.
type provider struct {
	name   Provider
	client *http.Client
	oauth2.Config
	revokeURL string
	// begin are further parameters of the authorization request.
	begin []oauth2.AuthCodeOption
	// read are the scopes for reading: one of each group. write is the further scope for writing.
	read  [][]string
	write string
}

// providers are those that are configured.
func providers(cfg Config) map[Provider]*provider {
	all := map[Provider]*provider{}
	if cfg.Google.Configured() {
		all[Google], all[Gmail] = google(cfg), gmail(cfg)
	}
	if cfg.Microsoft.Configured() {
		all[Microsoft], all[Outlook] = microsoft(cfg), outlook(cfg)
	}
	return all
}

func google(cfg Config) *provider {
	o := cfg.Google
	return &provider{
		name: Google, client: cfg.HTTP,
		Config: o.config(
			cmp.Or(o.AuthURL, "https://accounts.google.com/o/oauth2/v2/auth"),
			cmp.Or(o.TokenURL, "https://oauth2.googleapis.com/token")),
		revokeURL: cmp.Or(o.RevokeURL, "https://oauth2.googleapis.com/revoke"),
		begin: []oauth2.AuthCodeOption{
			oauth2.AccessTypeOffline, oauth2.SetAuthURLParam("include_granted_scopes", "true"),
		},
		read:  [][]string{{"calendar.events.freebusy"}, {"calendar.calendarlist.readonly"}},
		write: "calendar.events.owned",
	}
}

// gmail is the same client as google, with a consent of its own: what was granted to calendars is not asked for again.
func gmail(cfg Config) *provider {
	p := google(cfg)
	p.name, p.begin = Gmail, []oauth2.AuthCodeOption{oauth2.AccessTypeOffline}
	p.read, p.write = [][]string{{"gmail.modify"}}, "gmail.modify"
	return p
}

// microsoft has no endpoint to revoke a token: the owner does that on a page of the account.
func microsoft(cfg Config) *provider {
	o := cfg.Microsoft
	base := "https://login.microsoftonline.com/" + url.PathEscape(cmp.Or(o.Tenant, "common")) + "/oauth2/v2.0/"
	return &provider{
		name: Microsoft, client: cfg.HTTP,
		Config:    o.config(cmp.Or(o.AuthURL, base+"authorize"), cmp.Or(o.TokenURL, base+"token")),
		revokeURL: o.RevokeURL,
		read:      [][]string{{"calendars.readbasic", "calendars.read", "calendars.readwrite"}},
		write:     "calendars.readwrite",
	}
}

// outlook is the same client as microsoft, with a consent of its own.
func outlook(cfg Config) *provider {
	p := microsoft(cfg)
	p.name, p.read, p.write = Outlook, [][]string{{"mail.readwrite"}, {"mail.send"}}, "mail.readwrite"
	return p
}

func (o OAuth) config(authURL, tokenURL string) oauth2.Config {
	return oauth2.Config{
		ClientID: o.ClientID, ClientSecret: o.ClientSecret,
		Endpoint: oauth2.Endpoint{AuthURL: authURL, TokenURL: tokenURL, AuthStyle: oauth2.AuthStyleInParams},
	}
}

// address is the authorization URL.
func (p *provider) address(state string, c connection) string {
	cfg := p.Config
	cfg.RedirectURL, cfg.Scopes = c.Redirect, Scopes(p.name, c.Access)
	options := append([]oauth2.AuthCodeOption{oauth2.S256ChallengeOption(c.Verifier)}, p.begin...)
	if c.Tasks {
		cfg.Scopes = append(cfg.Scopes, TaskScopes(p.name)...)
	}
	if c.Consent {
		options = append(options, oauth2.SetAuthURLParam("prompt", "consent"))
	}
	return cfg.AuthCodeURL(state, options...)
}

// exchange exchanges the authorization code for tokens.
func (p *provider) exchange(ctx context.Context, code string, c connection) (*oauth2.Token, error) {
	cfg := p.Config
	cfg.RedirectURL = c.Redirect
	token, err := cfg.Exchange(context.WithValue(ctx, oauth2.HTTPClient, p.client), code,
		oauth2.VerifierOption(c.Verifier))
	return token, cleaned(err)
}

func (p *provider) refresh(ctx context.Context, refreshToken string) (*oauth2.Token, error) {
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.client)
	token, err := p.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
	return token, cleaned(err)
}

// revoke revokes the token (RFC 7009). An invalid token is no error.
func (p *provider) revoke(ctx context.Context, token string) error {
	if p.revokeURL == "" || token == "" {
		return nil
	}
	form := strings.NewReader(url.Values{"token": {token}}.Encode())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.revokeURL, form)
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := p.client.Do(req)
	if err != nil {
		return fmt.Errorf("revoke: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode >= http.StatusInternalServerError || res.StatusCode == http.StatusTooManyRequests {
		return fmt.Errorf("revoke: status %d", res.StatusCode)
	}
	return nil
}

// granted is the granted access, which may be less than requested: people can untick scopes. Without a list of scopes
// it is the requested access (RFC 6749, 5.1). ok is false if even reading is not allowed.
func (p *provider) granted(token *oauth2.Token, asked Access) (access Access, ok bool) {
	list, _ := token.Extra("scope").(string)
	if list == "" {
		return asked, true
	}
	has := func(s string) bool { return lists(list, s) }
	for _, group := range p.read {
		if !slices.ContainsFunc(group, has) {
			return Read, false
		}
	}
	if has(p.write) {
		return Write, true
	}
	return Read, true
}

// grantsTasks reports whether tasks, which were asked for, may be read and changed.
func (p *provider) grantsTasks(token *oauth2.Token) bool {
	list, _ := token.Extra("scope").(string)
	return list == "" || lists(list, strings.ToLower(path.Base(TaskScopes(p.name)[0])))
}

// lists reports whether a list of scopes has one, which is given in lower case and without its address.
func lists(list, scope string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(s string) bool {
		return strings.ToLower(path.Base(s)) == scope
	})
}

// secretOf is the secret to store for new tokens.
func secretOf(token *oauth2.Token, now time.Time) secret {
	x := secret{Credential: Credential{AccessToken: token.AccessToken}, RefreshToken: token.RefreshToken, Issued: now}
	if token.ExpiresIn > 0 {
		x.Expires = now.Add(time.Duration(token.ExpiresIn) * time.Second)
	}
	return x
}

// tokenError is an error of a token endpoint, without its text, which may hold anything.
type tokenError struct {
	status int
	code   string
}

func (e *tokenError) Error() string {
	return fmt.Sprintf("token endpoint: status %d, error %q", e.status, e.code)
}

// cleaned removes the token endpoint's answer from an error, except its code.
func cleaned(err error) error {
	answer, ok := errors.AsType[*oauth2.RetrieveError](err)
	if !ok {
		return err
	}
	return &tokenError{status: answer.Response.StatusCode, code: codeWord(answer.ErrorCode)}
}

// codeWord is s if it looks like an OAuth error code; empty otherwise.
func codeWord(s string) string {
	if len(s) > 64 || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") != "" {
		return ""
	}
	return s
}

// final reports whether a refresh token will never be accepted again, so that its owner must reconnect.
func final(err error) bool {
	e, ok := errors.AsType[*tokenError](err)
	return ok && slices.Contains([]string{
		"invalid_grant", "interaction_required", "consent_required", "login_required",
	}, e.code)
}

// unreachable is the fault of a provider that temporarily issues no tokens.
func unreachable(p Provider, err error) error {
	return fault.New(fault.CalendarFailed, "the %s %s could not be reached; try again in a moment", p.Title(),
		p.Thing()).
		Later(0).Because(err)
}

func notConfigured(p Provider) error {
	return fault.New(
		fault.Unavailable,
		"A %s %s cannot be connected here yet: this server has no client id for it. "+
			"The guide at /docs/calendars says how to get one.",
		p.Title(), p.Thing(),
	)
}
