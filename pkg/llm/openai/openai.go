// Package openai asks a model over the OpenAI API (Chat Completions), be it OpenAI's own service, a compatible server
// or the built-in model. One Complete is one function call: it always streams, bounds how long it waits, retries as
// long as no delta has been handed out, and stops asking a service that keeps failing. Address, authentication and
// headers are the SDK's; the chunks of a stream are decoded here, because that is the hot spot of a turn.
package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"convene/pkg/llm"
)

// DefaultBaseURL is the public service, the only one that always needs a key.
const DefaultBaseURL = "https://api.openai.com/v1/"

// ToolMode is how a request forces a function call.
type ToolMode string

const (
	// Tools offers strict function tools and sets tool_choice.
	Tools ToolMode = "tools"
	// JSONSchema asks for a JSON text of the function's schema (response_format), for servers that ignore tool_choice, as
	// Ollama.
	JSONSchema ToolMode = "json_schema"
)

// EffortOmitted sends no reasoning effort, for servers that refuse the field.
const EffortOmitted = "omitted"

// Config configures a Client. With only a key it asks OpenAI.
type Config struct {
	// BaseURL ends before "chat/completions". Defaults to DefaultBaseURL.
	BaseURL string
	// APIKey is required for the public service, and sent to BaseURL's host only.
	APIKey string
	// HTTPClient sends the requests; that of the built-in model has an in-process transport. It must have no Timeout,
	// which would cut long streams. Defaults to one made for streams.
	HTTPClient *http.Client
	// Stages overrides the stages' defaults; see StageConfig.
	Stages map[llm.Stage]StageConfig
	// Attempts bounds how often a request is sent if the service is unreachable, overloaded (429, 500, 502, 503, 504) or
	// cuts the stream before its first delta. Defaults to 3.
	Attempts int
	// Backoff is the wait before the second attempt; it doubles for each further one up to MaxBackoff, plus a random part
	// of up to a quarter. A longer Retry-After is honoured if the deadline allows it, and otherwise ends the attempts.
	// They default to 200 ms and 2 s.
	Backoff, MaxBackoff time.Duration
	// Stall ends an attempt after this time without a byte. Defaults to 6 s, and to a quarter of the deadline of a stage
	// that has more: a model that is given more time may be silent for longer.
	Stall time.Duration
	// MaxAnswer bounds the text and the arguments of an answer in bytes, and MaxStream all bytes of its stream, comments
	// and empty blocks included. An answer beyond them, or of more than eight calls, or with an event of more than 256
	// KiB, fails without a retry. They default to 128 KiB and 8 MiB.
	MaxAnswer, MaxStream int
	// BreakerFailures in a row open the breaker: for BreakerPause every Complete fails at once, then one is let through as
	// a probe. They default to 5 and 15 s.
	BreakerFailures uint
	BreakerPause    time.Duration
}

// StageConfig configures the requests of one stage. A zero field has the stage's default; see Defaults.
type StageConfig struct {
	Model string
	// Effort is the reasoning effort. From gpt-5.4 on, Chat Completions takes function tools with "none" only.
	// Defaults to "none" for models named gpt-5.1 and up, and to EffortOmitted for others.
	Effort string
	// Deadline bounds all attempts together.
	Deadline time.Duration
	// ToolMode defaults to Tools.
	ToolMode ToolMode
	// MaxTokens bounds the answer; one that reaches it fails without a retry.
	MaxTokens int
}

// Client is an llm.Model. It is safe for concurrent use.
type Client struct {
	cfg     Config
	request *http.Request
	retried failsafe.Executor[any]
	breaker circuitbreaker.CircuitBreaker[any]
	tools   toolTexts
	// buffers has the *readBuffer of streams, for reuse.
	buffers sync.Pool
}

var _ llm.Model = (*Client)(nil)

// New checks the settings. It connects to nothing and reads nothing from the environment.
func New(cfg Config) (*Client, error) {
	cfg = withDefaults(cfg)
	if err := check(cfg); err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	request, err := emptyRequest(cfg)
	if err != nil {
		return nil, fmt.Errorf("openai: %w", err)
	}
	return &Client{
		cfg: cfg, request: request, retried: failsafe.With[any](newRetryPolicy(cfg)), breaker: newBreaker(cfg),
		buffers: sync.Pool{New: func() any { return new(readBuffer) }},
	}, nil
}

// emptyRequest returns a request as the SDK makes it, with address, authentication and headers, without sending it. All
// requests differ in their bodies only, so it is made once.
func emptyRequest(cfg Config) (made *http.Request, err error) {
	options := []option.RequestOption{
		option.WithBaseURL(cfg.BaseURL),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(func(req *http.Request, _ option.MiddlewareNext) (*http.Response, error) {
			made = req
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		}),
	}
	if cfg.APIKey != "" {
		options = append(options, option.WithAPIKey(cfg.APIKey))
	}
	client := sdk.Client{Options: options} // NewClient would read the environment
	var unsent *http.Response
	err = client.Post(context.Background(), "chat/completions", []byte("{}"), &unsent)
	return made, err
}

func check(cfg Config) error {
	base, err := url.Parse(cfg.BaseURL)
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") {
		return errors.New("the base URL of the model must be an absolute http or https address")
	}
	if cfg.APIKey == "" && strings.EqualFold(base.Hostname(), publicHost) {
		return errors.New("the model at " + publicHost + " needs an API key (OPENAI_API_KEY)")
	}
	if min(cfg.Attempts, cfg.MaxAnswer, cfg.MaxStream, int(cfg.Backoff), int(cfg.MaxBackoff), int(cfg.Stall),
		int(cfg.BreakerPause)) < 0 {
		return errors.New("attempts, sizes and durations must not be negative")
	}
	for stage, s := range cfg.Stages {
		if s.ToolMode != "" && s.ToolMode != Tools && s.ToolMode != JSONSchema {
			return fmt.Errorf("stage %s: unknown tool mode %q; it is %q or %q", stage, s.ToolMode, Tools, JSONSchema)
		}
		if s.Deadline < 0 || s.MaxTokens < 0 {
			return fmt.Errorf("stage %s: deadline and tokens must not be negative", stage)
		}
	}
	return nil
}

// Complete makes the call within the stage's deadline. Its errors are faults, except an error of onDelta, which it
// returns as it is.
func (c *Client) Complete(ctx context.Context, req llm.Request, onDelta func(string) error) (llm.Reply, error) {
	stage := c.cfg.Stage(req.Stage)
	body, err := requestBody(req, stage, &c.tools)
	if err != nil {
		return llm.Reply{}, fmt.Errorf("openai: %s: request: %w", req.Stage, err)
	}
	bounded, cancel := context.WithTimeout(ctx, stage.Deadline)
	defer cancel()

	var reply llm.Reply
	var failed error
	ended := c.retried.WithContext(bounded).Run(func() error {
		a := c.newAnswer(req, stage.ToolMode, onDelta)
		a.stall = cmp.Or(c.cfg.Stall, max(usualStall, stage.Deadline/4))
		reply, failed = c.attempt(bounded, body, a)
		return failed
	})
	if failed == nil && reply.Calls == nil {
		failed = ended // the context ended before the first attempt
	}
	if failed != nil {
		return llm.Reply{}, fmt.Errorf("openai: %s: %w", req.Stage, c.asFault(ctx, bounded, failed))
	}
	return reply, nil
}
