package microsoft

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	abstractions "github.com/microsoft/kiota-abstractions-go"
	"github.com/microsoft/kiota-abstractions-go/authentication"
	"github.com/microsoft/kiota-abstractions-go/serialization"
	nethttp "github.com/microsoft/kiota-http-go"
	jsonserialization "github.com/microsoft/kiota-serialization-json-go"

	"convene/pkg/account"
	"convene/pkg/outbound"
)

const jsonType = "application/json"

// newAdapter is kiota's adapter over our own client: kiota's would compress requests, and its retries leak bodies.
func newAdapter(base http.RoundTripper) (*nethttp.NetHttpRequestAdapter, error) {
	client := &http.Client{
		Transport: unchallenged{outbound.Client(outbound.Config{Name: "microsoft", Base: base}).Transport},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("graph sends the call on to another address")
		},
	}
	return nethttp.NewNetHttpRequestAdapterWithParseNodeFactoryAndSerializationWriterFactoryAndHttpClient(
		&authentication.AnonymousAuthenticationProvider{}, nodes{jsonserialization.NewJsonParseNodeFactory()},
		jsonserialization.NewJsonSerializationWriterFactory(), client)
}

// unchallenged hides the challenge of a 401 from kiota, which panics on some; call renews the token.
type unchallenged struct{ next http.RoundTripper }

// RoundTrip makes the call.
func (u unchallenged) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := u.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	response.Header.Del("WWW-Authenticate")
	return response, nil
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
	method abstractions.HttpMethod
	// target is a path below the endpoint, or a whole address that Graph gave.
	target string
	query  query
	// body is nil for none.
	body serialization.Parsable
	// prefer are preferences beside those of every request.
	prefer []string
	// match is the version to change; empty for any.
	match string
	// once forbids a repetition if the answer is lost: the caller first looks up whether the request was carried out.
	once bool
}

func get(path string, q query) request {
	return request{method: abstractions.GET, target: path, query: q}
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
	return request{method: abstractions.GET, target: link}, nil
}

func (c *Calendar) address(r request) (*url.URL, error) {
	target := r.target
	if strings.HasPrefix(target, "/") {
		target = c.endpoint + target
	}
	if len(r.query) > 0 {
		target += "?" + strings.Join(r.query, "&")
	}
	return url.Parse(target)
}

// opener opens Graph: with an account, or a credential that is not stored yet.
type opener struct {
	account account.ID
	given   *account.Credential
}

func by(id account.ID) opener { return opener{account: id} }

// ask sends a request and reads the answer into the result of factory. An answer that is not JSON, or is empty, is an
// error.
func ask[T serialization.Parsable](
	ctx context.Context, c *Calendar, from opener, r request, factory func() T,
) (answer T, err error) {
	parsed, err := c.call(ctx, from, r, func(serialization.ParseNode) (serialization.Parsable, error) {
		return factory(), nil
	})
	if err != nil {
		return answer, err
	}
	answer, ok := parsed.(T)
	if !ok {
		return answer, errors.New("graph gave an empty answer")
	}
	return answer, nil
}

// call sends a request with the account's credential, and once more with a fresh one if the first is refused. Without a
// factory the answer is ignored.
func (c *Calendar) call(
	ctx context.Context, from opener, r request, factory serialization.ParsableFactory,
) (serialization.Parsable, error) {
	if from.given != nil {
		return c.send(ctx, *from.given, r, factory)
	}
	leave, err := c.gate.enter(ctx, from.account)
	if err != nil {
		return nil, fmt.Errorf("wait for other requests: %w", err)
	}
	defer leave()
	credential, err := c.accounts.Credential(ctx, from.account)
	if err != nil {
		return nil, fmt.Errorf("open account: %w", err)
	}
	answer, err := c.send(ctx, credential, r, factory)
	if !isStatus(err, http.StatusUnauthorized) {
		return answer, err
	}
	if err := c.accounts.Refused(ctx, from.account, credential); err != nil {
		return nil, fmt.Errorf("open account again: %w", err)
	}
	if credential, err = c.accounts.Credential(ctx, from.account); err != nil {
		return nil, fmt.Errorf("open account again: %w", err)
	}
	return c.send(ctx, credential, r, factory)
}

func (c *Calendar) send(
	ctx context.Context, credential account.Credential, r request, factory serialization.ParsableFactory,
) (serialization.Parsable, error) {
	address, err := c.address(r)
	if err != nil {
		return nil, errors.New("the address is not valid")
	}
	if r.once {
		ctx = outbound.Once(ctx)
	}
	info := abstractions.NewRequestInformation()
	info.Method = r.method
	info.SetUri(*address)
	info.Headers.Add("Authorization", "Bearer "+credential.AccessToken)
	info.Headers.Add("Accept", jsonType)
	for _, preference := range append([]string{inUTC, immutableIDs}, r.prefer...) {
		info.Headers.Add("Prefer", preference)
	}
	if r.match != "" {
		info.Headers.Add("If-Match", r.match)
	}
	if r.body != nil {
		if err := info.SetContentFromParsable(ctx, c.graph, jsonType, r.body); err != nil {
			return nil, fmt.Errorf("write request: %w", err)
		}
		info.Headers.Add("Content-Length", strconv.Itoa(len(info.Content)))
	}
	if factory == nil {
		return nil, outbound.Cause(c.graph.SendNoContent(ctx, info, mappings()))
	}
	answer, err := c.graph.Send(ctx, info, factory, mappings())
	return answer, outbound.Cause(err)
}
