// Package graph is what Microsoft Graph's APIs have in common: calls with an account's access token, pages, and what a
// refusal says.
package graph

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"convene/pkg/account"
	"convene/pkg/outbound"
)

// DefaultEndpoint is Microsoft Graph in the worldwide cloud.
const DefaultEndpoint = "https://graph.microsoft.com/v1.0"

// Config configures a Client. Accounts is required.
type Config struct {
	Accounts account.Opener
	// Endpoint is the root of the API, version included. Defaults to DefaultEndpoint.
	Endpoint string
	// Base makes the connections. Defaults to a transport of the client's own.
	Base http.RoundTripper
	// Deadline bounds one call with all its attempts, and MaxBody the bytes of its answer. They default to those of
	// pkg/outbound.
	Deadline time.Duration
	MaxBody  int64
}

// Client calls Graph. It is safe for concurrent use.
type Client struct {
	accounts account.Opener
	endpoint string
	http     *http.Client
	gate     gate
}

// New makes a Client. It makes no calls.
func New(cfg Config) (*Client, error) {
	if cfg.Accounts == nil {
		return nil, errors.New("microsoft: no accounts are configured")
	}
	endpoint, err := checkedEndpoint(cmp.Or(cfg.Endpoint, DefaultEndpoint))
	if err != nil {
		return nil, fmt.Errorf("microsoft: %w", err)
	}
	calls := outbound.Client(outbound.Config{
		Name: "microsoft", Base: cfg.Base, Deadline: cfg.Deadline, MaxBody: cfg.MaxBody,
	})
	return &Client{accounts: cfg.Accounts, endpoint: endpoint, http: &http.Client{
		Transport: calls.Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("graph sends the call on to another address")
		},
	}}, nil
}

// checkedEndpoint is the endpoint without a trailing slash.
func checkedEndpoint(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" {
		return "", errors.New("the endpoint is not an absolute http address")
	}
	return strings.TrimSuffix(endpoint, "/"), nil
}

// Query holds the parameters of a request, in order.
type Query []string

// With adds a parameter. Its name is not escaped, because Graph needs the dollar signs; spaces become %20, because
// Graph takes a plus in a filter literally.
func (q Query) With(name, value string) Query {
	return append(q[:len(q):len(q)], name+"="+strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
}

// Quoted is a text as a filter has it.
func Quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Request is one call of Graph.
type Request struct {
	Method string
	// Target is a path below the endpoint, or a whole address that Graph gave.
	Target string
	Query  Query
	// Body is written as JSON; nil for none.
	Body map[string]any
	// Prefer are preferences beside those of every request.
	Prefer []string
	// Match is the version to change; empty for any.
	Match string
	// Once forbids a repetition if the answer is lost: the caller first looks up whether the request was carried out.
	Once bool
}

// Get is the request for what is at a path.
func Get(path string, q Query) Request {
	return Request{Method: http.MethodGet, Target: path, Query: q}
}

// Follow is the request for a link of Graph's. A link to another server is an error: it would get the token.
func (c *Client) Follow(link string) (Request, error) {
	to, err := url.Parse(link)
	if err != nil {
		return Request{}, errors.New("graph gave a link that is no address")
	}
	if home, _ := url.Parse(c.endpoint); to.Scheme != home.Scheme || to.Host != home.Host {
		return Request{}, errors.New("graph gave a link to another server")
	}
	return Request{Method: http.MethodGet, Target: link}, nil
}

func (c *Client) address(r Request) string {
	target := r.Target
	if strings.HasPrefix(target, "/") {
		target = c.endpoint + target
	}
	if len(r.Query) > 0 {
		target += "?" + strings.Join(r.Query, "&")
	}
	return target
}

// Opener opens Graph: with an account, or a credential that is not stored yet.
type Opener struct {
	account account.ID
	given   *account.Credential
}

// By opens Graph with an account.
func By(id account.ID) Opener { return Opener{account: id} }

// Given opens Graph with a credential.
func Given(c account.Credential) Opener { return Opener{given: &c} }

// ErrAccount is a failure of our own account store, not of Graph.
var ErrAccount = errors.New("open account")

// Call sends a request with the account's credential, and again with a fresh one if the first is refused. The answer
// is decoded into a pointer, unless that is nil.
func (c *Client) Call(ctx context.Context, from Opener, r Request, into any) error {
	return c.call(ctx, from, r, func(res *http.Response, text []byte) error {
		if into == nil || res.StatusCode == http.StatusNoContent {
			return nil
		}
		if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != jsonType {
			return errors.New("graph gave an answer that is not JSON")
		}
		return json.Unmarshal(text, into)
	})
}

// Content is Call for an answer that is not JSON.
func (c *Client) Content(ctx context.Context, from Opener, r Request) (content []byte, err error) {
	err = c.call(ctx, from, r, func(_ *http.Response, text []byte) error {
		content = text
		return nil
	})
	return content, err
}

// reader takes a successful answer and its text.
type reader func(res *http.Response, text []byte) error

func (c *Client) call(ctx context.Context, from Opener, r Request, read reader) error {
	if from.given != nil {
		return c.send(ctx, *from.given, r, read)
	}
	leave, err := c.gate.enter(ctx, from.account)
	if err != nil {
		return fmt.Errorf("wait for other requests: %w", err)
	}
	defer leave()
	credential, err := c.accounts.Credential(ctx, from.account)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAccount, err)
	}
	err = c.send(ctx, credential, r, read)
	if !IsStatus(err, http.StatusUnauthorized) {
		return err
	}
	if err := c.accounts.Refused(ctx, from.account, credential); err != nil {
		return fmt.Errorf("%w again: %w", ErrAccount, err)
	}
	if credential, err = c.accounts.Credential(ctx, from.account); err != nil {
		return fmt.Errorf("%w again: %w", ErrAccount, err)
	}
	return c.send(ctx, credential, r, read)
}

func (c *Client) send(ctx context.Context, credential account.Credential, r Request, read reader) error {
	req, err := c.request(ctx, r)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+credential.AccessToken)
	res, err := c.http.Do(req)
	if err != nil {
		return outbound.Cause(err)
	}
	defer func() { _ = res.Body.Close() }() // what matters of it has been read
	if res.StatusCode >= http.StatusMultipleChoices {
		return refusal(res)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	return read(res, text)
}

// Upload sends the content of an upload session to the address that Graph gave for it, which needs no token, in pieces
// of at most 4 MB (https://learn.microsoft.com/graph/outlook-large-attachments).
func (c *Client) Upload(ctx context.Context, address string, content []byte) error {
	const most = 3 << 20
	for from := 0; from < len(content); from += most {
		until := min(from+most, len(content))
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(content[from:until]))
		if err != nil {
			return errors.New("graph gave an address that is not valid")
		}
		req.Header.Set("Content-Type", "application/octet-stream")
		req.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, until-1, len(content)))
		res, err := c.http.Do(req)
		if err != nil {
			return outbound.Cause(err)
		}
		_ = res.Body.Close()
		if res.StatusCode >= http.StatusMultipleChoices {
			return &Refusal{Status: res.StatusCode, header: res.Header}
		}
	}
	return nil
}

const jsonType = "application/json"

// The preferences of all requests: times in UTC, and ids that stay when an item is moved.
const (
	inUTC = `outlook.timezone="UTC"`
	// ImmutableIDs is needed by the requests of a batch, too.
	ImmutableIDs = `IdType="ImmutableId"`
)

// request is r for the wire, without the credential.
func (c *Client) request(ctx context.Context, r Request) (*http.Request, error) {
	if r.Once {
		ctx = outbound.Once(ctx)
	}
	var content io.Reader = http.NoBody
	if r.Body != nil {
		text, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, r.Method, c.address(r), content)
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if r.Body != nil {
		req.Header.Set("Content-Type", jsonType)
	}
	req.Header.Set("Accept", jsonType)
	req.Header["Prefer"] = append([]string{inUTC, ImmutableIDs}, r.Prefer...)
	if r.Match != "" {
		req.Header.Set("If-Match", r.Match)
	}
	return req, nil
}
