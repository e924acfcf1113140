package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/llm/openai"
)

// modelSettings choose the model that answers. With neither a key nor a base URL the built-in one does.
type modelSettings struct {
	Key     string `name:"openai-api-key" env:"OPENAI_API_KEY" help:"Key of the model provider." placeholder:"KEY"`
	BaseURL string `name:"openai-base-url" env:"OPENAI_BASE_URL" help:"Any OpenAI-compatible server." placeholder:"URL"`

	Classify stageSettings `embed:"" prefix:"classify-"`
	Template stageSettings `embed:"" prefix:"template-"`
	Select   stageSettings `embed:"" prefix:"select-"`
}

// stageSettings are one stage's; empty means the stage's default.
type stageSettings struct {
	Model    string        `help:"Model of this stage." placeholder:"NAME"`
	Effort   string        `help:"Reasoning effort of this stage; 'omitted' sends none." placeholder:"LEVEL"`
	Deadline time.Duration `help:"How long this stage's call may take." placeholder:"DURATION"`
	Tools    string        `help:"How this stage's model is made to call a function: tools or json_schema." enum:",tools,json_schema" default:"" placeholder:"MODE"`
}

func (s stageSettings) config() openai.StageConfig {
	return openai.StageConfig{Model: s.Model, Effort: s.Effort, Deadline: s.Deadline, ToolMode: openai.ToolMode(s.Tools)}
}

func (m modelSettings) configured() bool { return m.Key != "" || m.BaseURL != "" }

func (m modelSettings) stages() map[llm.Stage]openai.StageConfig {
	return map[llm.Stage]openai.StageConfig{
		llm.Classify: m.Classify.config(), llm.Template: m.Template.config(), llm.Select: m.Select.config(),
	}
}

// model is the configured one with the built-in one behind it, or the built-in one alone. Both are reached through the
// same client.
func (s settings) model(logs io.Writer) (llm.Model, error) {
	rules := offline.New(offline.Options{Now: s.clock()})
	builtIn, err := openai.New(openai.Config{
		BaseURL:    "http://built-in.invalid/v1/",
		HTTPClient: &http.Client{Transport: rules.Transport()},
	})
	if err != nil || !s.OpenAI.configured() {
		return builtIn, err
	}
	configured, err := openai.New(openai.Config{
		BaseURL: s.OpenAI.BaseURL, APIKey: s.OpenAI.Key, Stages: s.OpenAI.stages(),
	})
	if err != nil {
		return nil, misuse{err}
	}
	logger, err := s.logger(logs)
	if err != nil {
		return nil, err
	}
	return &llm.Fallback{Primary: configured, Secondary: builtIn, Notify: func(ctx context.Context, cause error) {
		note := &logger
		if own := zerolog.Ctx(ctx); own.GetLevel() != zerolog.Disabled {
			note = own
		}
		note.Warn().Err(cause).Msg("the model could not be reached; the built-in model answers")
	}}, nil
}

// modelOf is the name of the model that a stage asks.
func (s settings) modelOf(stage llm.Stage) string {
	if !s.OpenAI.configured() {
		return "built-in"
	}
	return openai.Config{Stages: s.OpenAI.stages()}.Stage(stage).Model
}

// modelName is what answers, for health.
func (s settings) modelName() string {
	switch {
	case !s.OpenAI.configured():
		return "built-in rules"
	case s.OpenAI.BaseURL != "":
		return "OpenAI-compatible server"
	default:
		return "OpenAI"
	}
}
