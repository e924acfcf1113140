// Package websearch suggests activities found on the web. A model behind the OpenAI Responses API searches with its own
// tool and answers with JSON, which code checks as far as it can: see Finder.
package websearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"convene/pkg/activity"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/outbound"
)

const (
	// DefaultBaseURL is the public service, the only one that requires a key.
	DefaultBaseURL = "https://api.openai.com/v1/"
	// DefaultModel is the model without configuration.
	DefaultModel = "gpt-5.4-mini"
	// DefaultDeadline bounds a search, which takes a model several steps.
	DefaultDeadline = 20 * time.Second
	// EffortOmitted sends no reasoning effort at all, for models that refuse the field.
	EffortOmitted = "omitted"
)

const (
	// maxTokens bounds the answer and the reasoning before it.
	maxTokens = 8192
	// maxSearches bounds the cost of one question.
	maxSearches = 6
	// maxBody bounds an answer, in bytes.
	maxBody = 4 << 20
)

// Config is the connection to the provider. The zero value with a key asks OpenAI.
type Config struct {
	// BaseURL ends before "responses". Defaults to DefaultBaseURL.
	BaseURL string
	// Key is required for the public service, and goes to no other host than BaseURL's.
	Key string
	// Model defaults to DefaultModel.
	Model string
	// Effort is the reasoning effort. Defaults to "low" for models that reason (gpt-5 and up, o1 and up), because
	// some of them do not search with less, and to EffortOmitted for others.
	Effort string
	// Deadline bounds a search with all its attempts. Defaults to DefaultDeadline.
	Deadline time.Duration
	// Base makes the connections. Defaults to a transport of the finder's own.
	Base http.RoundTripper
}

// Finder is an activity.Finder that searches the web. It is safe for concurrent use.
//
// Every suggestion has passed these checks. It begins when the query wants, at a clock time that exists at the venue,
// and ends later. Its source is a page that the search really visited, by the provider's own list, and its link is such
// a page too, with https and a public name. Its words are plain text of bounded length: no Markdown, addresses or
// invisible characters. It appears once.
type Finder struct {
	cfg  Config
	http *http.Client
	// schemaless is set once the provider has refused to search and keep to a schema at the same time.
	schemaless atomic.Bool
}

var _ activity.Finder = (*Finder)(nil)

// New validates the settings. It connects to nothing.
func New(cfg Config) (*Finder, error) {
	cfg = cfg.WithDefaults()
	base, err := url.Parse(cfg.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fault.Invalid("baseUrl", "The base URL of the model must be an absolute http or https address.")
	}
	if public, _ := url.Parse(DefaultBaseURL); cfg.Key == "" && strings.EqualFold(base.Hostname(), public.Hostname()) {
		return nil, fault.Invalid("key", "A web search by OpenAI needs an API key.")
	}
	client := outbound.Client(outbound.Config{
		Name: "the web search", Base: cfg.Base, Deadline: cfg.Deadline, MaxBody: maxBody,
		Retryable: func(res *http.Response) bool { return res.StatusCode == http.StatusInternalServerError },
	})
	// A redirect could take the key elsewhere.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Finder{cfg: cfg, http: client}, nil
}

// WithDefaults fills in the defaults.
func (cfg Config) WithDefaults() Config {
	cfg.BaseURL = strings.TrimSuffix(cmp.Or(cfg.BaseURL, DefaultBaseURL), "/") + "/"
	cfg.Model = cmp.Or(cfg.Model, DefaultModel)
	cfg.Effort = cmp.Or(cfg.Effort, defaultEffort(cfg.Model))
	cfg.Deadline = cmp.Or(cfg.Deadline, DefaultDeadline)
	return cfg
}

// defaultEffort is "low" for models that reason.
func defaultEffort(model string) string {
	name := model[strings.LastIndex(model, "/")+1:] // gateways write "openai/gpt-…"
	version, _, _ := strings.Cut(strings.TrimPrefix(name, "gpt-"), "-")
	number, err := strconv.ParseFloat(version, 64)
	reasons := err == nil && number >= 5 || len(name) > 1 && name[0] == 'o' && name[1] >= '1' && name[1] <= '9'
	if reasons {
		return "low"
	}
	return EffortOmitted
}

// Suggest answers as activity.Finder promises. An answer without any credible activity is an error, and does not mean
// that nothing is on.
func (f *Finder) Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Deadline)
	defer cancel()
	a, err := f.search(ctx, q)
	if r, refused := errors.AsType[*refusal](err); refused && r.ofRoute() {
		err = fmt.Errorf("%w: %w", activity.ErrNoSearch, err)
	}
	if err != nil {
		return nil, activity.Unavailable(err)
	}
	found, refused := check(a, q)
	if len(found) == 0 && refused != nil {
		return nil, activity.Unavailable(refused)
	}
	return found[:min(len(found), activity.Limit(q))], nil
}

// search asks with a schema, or without one if the provider rejects it beside a search.
func (f *Finder) search(ctx context.Context, q meet.ActivityQuery) (answer, error) {
	if !f.schemaless.Load() {
		a, err := f.ask(ctx, q, strict)
		if refused, ok := errors.AsType[*refusal](err); !ok || !refused.ofSchema() {
			return a, err
		}
		f.schemaless.Store(true)
	}
	return f.ask(ctx, q, loose)
}
