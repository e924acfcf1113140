package openai

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"convene/pkg/llm"
)

const publicHost = "api.openai.com"

// Defaults are the settings of a stage that sets nothing. Reasoning is off: no stage needs it, and the models refuse
// function tools with it. A stage without an entry of its own has those of the template stage.
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

// Stage is what is in force for a stage, defaults included.
func (c Config) Stage(stage llm.Stage) StageConfig {
	s, d := c.Stages[stage], Defaults(stage)
	s.Model = cmp.Or(s.Model, d.Model)
	s.Effort = cmp.Or(s.Effort, defaultEffort(s.Model))
	s.Deadline = cmp.Or(s.Deadline, d.Deadline)
	s.ToolMode = cmp.Or(s.ToolMode, d.ToolMode)
	s.MaxTokens = cmp.Or(s.MaxTokens, d.MaxTokens)
	return s
}

// defaultEffort knows the models that take "none": gpt-5.1 and what came after it.
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
	cfg.Stall = cmp.Or(cfg.Stall, 6*time.Second)
	cfg.MaxAnswer = cmp.Or(cfg.MaxAnswer, 128<<10)
	cfg.MaxStream = cmp.Or(cfg.MaxStream, 8<<20)
	cfg.BreakerFailures = cmp.Or(cfg.BreakerFailures, 5)
	cfg.BreakerPause = cmp.Or(cfg.BreakerPause, 15*time.Second)
	cfg.HTTPClient = cmp.Or(cfg.HTTPClient, streamingClient())
	return cfg
}

// mostIdle is how many connections wait to be used again. A busy server has that many calls under way at once, and a
// new connection costs more than a call.
const mostIdle = 256

// maxHeader bounds the header of an answer, in bytes.
const maxHeader = 64 << 10

// streamingClient asks for no compression, which holds small chunks back. A request, which is long, is sent in one
// piece; what has piled up of an answer is read in one.
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
