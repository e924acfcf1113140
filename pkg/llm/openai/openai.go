// Package openai asks a model behind the OpenAI wire (Chat Completions), be it OpenAI's own service, a compatible
// server or the built-in model. One Complete is one function call: it streams always, bounds how long it waits, tries
// again where nothing has been handed out yet, and stops asking a service that keeps failing. Address,
// authentication and headers are the SDK's; the chunks of a stream are decoded here, because that is the hot spot of a
// turn.
package openai

import (
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

// DefaultBaseURL is the public service, the only one that cannot be asked without a key.
const DefaultBaseURL = "https://api.openai.com/v1/"

// ToolMode is how the model is made to answer with a function call.
type ToolMode string

const (
	// Tools offers strict function tools and sets tool_choice.
	Tools ToolMode = "tools"
	// JSONSchema asks for a JSON text of the function's schema (response_format), for servers that ignore
	// tool_choice, as Ollama does.
	JSONSchema ToolMode = "json_schema"
)

// EffortOmitted sends no reasoning effort at all, for servers that refuse the field.
const EffortOmitted = "omitted"

// Config is the settings of a client. The zero value but for the key asks OpenAI.
type Config struct {
	// BaseURL ends before "chat/completions". Defaults to DefaultBaseURL.
	BaseURL string
	// APIKey is required for the public service and goes to no other host than BaseURL's.
	APIKey string
	// HTTPClient carries the requests; the built-in model is reached by one whose transport stays in the process.
	// It must have no Timeout of its own, which would cut long streams. Defaults to one made for streams.
	HTTPClient *http.Client
	// Stages has what differs from the stage's defaults; see StageConfig.
	Stages map[llm.Stage]StageConfig
	// Attempts is how often a request is sent at most, where the service is unreachable, overloaded (429, 500, 502,
	// 503, 504) or cuts the stream before its first delta. Defaults to 3.
	Attempts int
	// Backoff is the wait before the second attempt; it doubles for each further one up to MaxBackoff, plus up to a
	// quarter by chance. A longer Retry-After is honoured where the deadline allows it, and ends the attempts
	// where not. They default to 200 ms and 2 s.
	Backoff, MaxBackoff time.Duration
	// Stall ends an attempt in which no byte has arrived for so long. Defaults to 6 s.
	Stall time.Duration
	// MaxAnswer bounds the text and the arguments of an answer, in bytes, and MaxStream all bytes that bring it, comments
	// and empty blocks too. An answer beyond them, or of more than eight calls, or with an event of more than 256 KiB, is
	// given up for good: it is not asked for again. They default to 128 KiB and 8 MiB.
	MaxAnswer, MaxStream int
	// BreakerFailures in a row open the breaker: for BreakerPause every Complete fails at once, then one is let
	// through to see. They default to 5 and 15 s.
	BreakerFailures uint
	BreakerPause    time.Duration
}

// StageConfig is how one stage asks. Each zero field has the default that Defaults lists for the stage.
type StageConfig struct {
	Model string
	// Effort is the reasoning effort. From gpt-5.4 on, Chat Completions takes function tools with "none" only.
	// Defaults to "none" for models named gpt-5.1 and up, and to EffortOmitted for others.
	Effort string
	// Deadline bounds all attempts together.
	Deadline time.Duration
	// ToolMode defaults to Tools.
	ToolMode ToolMode
	// MaxTokens bounds the answer; one that reaches it is given up for good too.
	MaxTokens int
}

// Client is an llm.Model. It is safe for concurrent use.
type Client struct {
	cfg     Config
	request *http.Request
	retried failsafe.Executor[any]
	breaker circuitbreaker.CircuitBreaker[any]
	tools   toolTexts
	// buffers has those, as *readBuffer, that streams are read through, one after the other.
	buffers sync.Pool
}

var _ llm.Model = (*Client)(nil)

// New checks the settings and connects to nothing. Nothing is read from the environment.
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

// emptyRequest is a request as the SDK makes it, with address, authentication and headers. All requests are alike but
// for their body, so it is made once, and not sent.
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
	client := sdk.Client{Options: options} // NewClient would add what the environment says
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

// Complete makes the call within the stage's deadline. Its errors are faults, but for one of onDelta's, which is
// returned as it is.
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
		reply, failed = c.attempt(bounded, body, c.newAnswer(req, stage.ToolMode, onDelta))
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
