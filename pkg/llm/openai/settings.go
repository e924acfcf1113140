package openai

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"convene/pkg/llm"
)

// usualStall is how long a model may be silent in a stage of the usual deadlines.
const usualStall = 6 * time.Second

const publicHost = "api.openai.com"

// Defaults returns the default settings of a stage; an unknown stage has those of Template. Reasoning is off: no stage
// needs it, and the models refuse function tools with it.
func Defaults(stage llm.Stage) StageConfig {
	switch stage {
	case llm.Classify:
		return StageConfig{Model: "gpt-5.4-nano", ToolMode: Tools, Deadline: 5 * time.Second, MaxTokens: 512}
	case llm.Select:
		return StageConfig{Model: "gpt-5.4-mini", ToolMode: Tools, Deadline: 20 * time.Second, MaxTokens: 2048}
	default:
		return StageConfig{Model: "gpt-5.4-mini", ToolMode: Tools, Deadline: 12 * time.Second, MaxTokens: 2048}
	}
}

// Stage returns the settings of a stage, defaults included.
func (c Config) Stage(stage llm.Stage) StageConfig {
	s, d := c.Stages[stage], Defaults(stage)
	s.Model = cmp.Or(s.Model, d.Model)
	s.Effort = cmp.Or(s.Effort, defaultEffort(s.Model))
	s.Deadline = cmp.Or(s.Deadline, d.Deadline)
	s.ToolMode = cmp.Or(s.ToolMode, d.ToolMode)
	s.MaxTokens = cmp.Or(s.MaxTokens, d.MaxTokens)
	return s
}

// defaultEffort is "none" for the models that accept it: gpt-5.1 and later.
func defaultEffort(model string) string {
	name := model[strings.LastIndex(model, "/")+1:] // gateways write "openai/gpt-…"
	version, _, _ := strings.Cut(strings.TrimPrefix(name, "gpt-"), "-")
	if number, err := strconv.ParseFloat(version, 64); err == nil && number > 5 {
		return "none"
	}
	return EffortOmitted
}

func withDefaults(cfg Config) Config {
	cfg.BaseURL = cmp.Or(cfg.BaseURL, DefaultBaseURL)
	cfg.Attempts = cmp.Or(cfg.Attempts, 3)
	cfg.Backoff = cmp.Or(cfg.Backoff, 200*time.Millisecond)
	cfg.MaxBackoff = cmp.Or(cfg.MaxBackoff, 2*time.Second)
	cfg.MaxAnswer = cmp.Or(cfg.MaxAnswer, 128<<10)
	cfg.MaxStream = cmp.Or(cfg.MaxStream, 8<<20)
	cfg.BreakerFailures = cmp.Or(cfg.BreakerFailures, 5)
	cfg.BreakerPause = cmp.Or(cfg.BreakerPause, 15*time.Second)
	cfg.HTTPClient = cmp.Or(cfg.HTTPClient, streamingClient())
	return cfg
}

// mostIdle bounds the idle connections. A busy server has that many concurrent calls, and a new connection costs more
// than a call.
const mostIdle = 256

// maxHeader bounds the header of an answer, in bytes.
const maxHeader = 64 << 10

// streamingClient disables compression, which delays small chunks, and has buffers for a whole request and the buffered
// part of an answer.
func streamingClient() *http.Client {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return &http.Client{}
	}
	transport = transport.Clone()
	transport.DisableCompression = true
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = mostIdle, mostIdle
	transport.WriteBufferSize = 32 << 10
	transport.ReadBufferSize = readSize
	transport.MaxResponseHeaderBytes = maxHeader
	return &http.Client{Transport: transport}
}
