package microsoft

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"convene/pkg/account"
	"convene/pkg/outbound"
)

const jsonType = "application/json"

func newClient(base http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: outbound.Client(outbound.Config{Name: "microsoft", Base: base}).Transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("graph sends the call on to another address")
		},
	}
}

// checkedEndpoint is the endpoint without a trailing slash.
func checkedEndpoint(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" {
		return "", errors.New("the endpoint is not an absolute http address")
	}
	return strings.TrimSuffix(endpoint, "/"), nil
}

// query holds the parameters of a request, in order.
type query []string

// with adds a parameter. Its name is not escaped, because Graph needs the dollar signs; spaces become %20, because
// Graph takes a plus in a filter literally.
func (q query) with(name, value string) query {
	return append(q[:len(q):len(q)], name+"="+strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
}

// request is one call of Graph.
type request struct {
	method string
	// target is a path below the endpoint, or a whole address that Graph gave.
	target string
	query  query
	// body is written as JSON; nil for none.
	body change
	// prefer are preferences beside those of every request.
	prefer []string
	// match is the version to change; empty for any.
	match string
	// once forbids a repetition if the answer is lost: the caller first looks up whether the request was carried out.
	once bool
}

func get(path string, q query) request {
	return request{method: http.MethodGet, target: path, query: q}
}

// follow is the request for a link of Graph's. A link to another server is an error: it would get the token.
func (c *Calendar) follow(link string) (request, error) {
	to, err := url.Parse(link)
	if err != nil {
		return request{}, errors.New("graph gave a link that is no address")
	}
	if home, _ := url.Parse(c.endpoint); to.Scheme != home.Scheme || to.Host != home.Host {
		return request{}, errors.New("graph gave a link to another server")
	}
	return request{method: http.MethodGet, target: link}, nil
}

func (c *Calendar) address(r request) string {
	target := r.target
	if strings.HasPrefix(target, "/") {
		target = c.endpoint + target
	}
	if len(r.query) > 0 {
		target += "?" + strings.Join(r.query, "&")
	}
	return target
}

// opener opens Graph: with an account, or a credential that is not stored yet.
type opener struct {
	account account.ID
	given   *account.Credential
}

func by(id account.ID) opener { return opener{account: id} }

// ask sends a request and decodes the answer. An answer that is not JSON, or is empty, is an error.
func ask[T any](ctx context.Context, c *Calendar, from opener, r request) (*T, error) {
	var answer *T
	err := c.call(ctx, from, r, &answer)
	if err == nil && answer == nil {
		err = errors.New("graph gave an empty answer")
	}
	return answer, err
}

type page[T any] struct {
	Value     []*T   `json:"value"`
	NextLink  string `json:"@odata.nextLink"`
	DeltaLink string `json:"@odata.deltaLink"`
}

// askPage is ask for a page of a collection. An answer without a list is an error: an empty calendar is never assumed.
func askPage[T any](ctx context.Context, c *Calendar, from opener, r request) (*page[T], error) {
	p, err := ask[page[T]](ctx, c, from, r)
	switch {
	case err != nil:
		return nil, err
	case p.Value == nil:
		return nil, errors.New("graph gave a page without a list")
	case slices.Contains(p.Value, nil):
		return nil, errors.New("graph gave a list with something missing")
	}
	return p, nil
}

// walk calls each with the items of all pages from first, and returns the delta link of the last one.
func walk[T any](
	ctx context.Context, c *Calendar, from opener, first request, each func(*T) error,
) (deltaLink string, err error) {
	for next, seen := first, map[string]bool{}; len(seen) < maxPages; {
		p, err := askPage[T](ctx, c, from, next)
		if err != nil {
			return "", err
		}
		for _, item := range p.Value {
			if err := each(item); err != nil {
				return "", err
			}
		}
		if p.NextLink == "" {
			return p.DeltaLink, nil
		}
		if seen[p.NextLink] {
			return "", errors.New("graph turns its pages in a circle")
		}
		seen[p.NextLink] = true
		if next, err = c.follow(p.NextLink); err != nil {
			return "", fmt.Errorf("next page: %w", err)
		}
	}
	return "", fmt.Errorf("graph has more than %d pages", maxPages)
}

// call sends a request with the account's credential, and again with a fresh one if the first is refused. The answer
// is decoded into a pointer, unless that is nil.
func (c *Calendar) call(ctx context.Context, from opener, r request, into any) error {
	if from.given != nil {
		return c.send(ctx, *from.given, r, into)
	}
	leave, err := c.gate.enter(ctx, from.account)
	if err != nil {
		return fmt.Errorf("wait for other requests: %w", err)
	}
	defer leave()
	credential, err := c.accounts.Credential(ctx, from.account)
	if err != nil {
		return fmt.Errorf("open account: %w", err)
	}
	err = c.send(ctx, credential, r, into)
	if !isStatus(err, http.StatusUnauthorized) {
		return err
	}
	if err := c.accounts.Refused(ctx, from.account, credential); err != nil {
		return fmt.Errorf("open account again: %w", err)
	}
	if credential, err = c.accounts.Credential(ctx, from.account); err != nil {
		return fmt.Errorf("open account again: %w", err)
	}
	return c.send(ctx, credential, r, into)
}

func (c *Calendar) send(ctx context.Context, credential account.Credential, r request, into any) error {
	req, err := c.request(ctx, r)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+credential.AccessToken)
	res, err := c.graph.Do(req)
	if err != nil {
		return outbound.Cause(err)
	}
	defer func() { _ = res.Body.Close() }() // what matters of it has been read
	if res.StatusCode >= http.StatusMultipleChoices {
		return refusal(res)
	}
	text, err := io.ReadAll(res.Body)
	if err != nil || into == nil || res.StatusCode == http.StatusNoContent {
		return err
	}
	if kind, _, err := mime.ParseMediaType(res.Header.Get("Content-Type")); err != nil || kind != jsonType {
		return errors.New("graph gave an answer that is not JSON")
	}
	return json.Unmarshal(text, into)
}

// request is r for the wire, without the credential.
func (c *Calendar) request(ctx context.Context, r request) (*http.Request, error) {
	if r.once {
		ctx = outbound.Once(ctx)
	}
	var content io.Reader = http.NoBody
	if r.body != nil {
		text, err := json.Marshal(r.body)
		if err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.address(r), content)
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if r.body != nil {
		req.Header.Set("Content-Type", jsonType)
	}
	req.Header.Set("Accept", jsonType)
	req.Header["Prefer"] = append([]string{inUTC, immutableIDs}, r.prefer...)
	if r.match != "" {
		req.Header.Set("If-Match", r.match)
	}
	return req, nil
}
