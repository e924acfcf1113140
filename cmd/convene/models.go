package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/api"
	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/llm/openai"
	"convene/pkg/meet"
	"convene/stages"
)

// modelSettings choose the model. Without a key and a base URL it is the built-in one.
type modelSettings struct {
	Key     string `name:"openai-api-key" env:"OPENAI_API_KEY" help:"Key of the model provider." placeholder:"KEY"`
	BaseURL string `name:"openai-base-url" env:"OPENAI_BASE_URL" help:"Any server that speaks OpenAI's Chat Completions." placeholder:"URL"`

	Embedding string `name:"embedding-model" default:"text-embedding-3-small" help:"The provider's model of embeddings, by which notes are found by meaning; built-in needs no provider." placeholder:"NAME"`

	Classify stageSettings `embed:"" prefix:"classify-"`
	Template stageSettings `embed:"" prefix:"template-"`
	Select   stageSettings `embed:"" prefix:"select-"`
	Plan     stageSettings `embed:"" prefix:"plan-"`
}

// stageSettings configure one stage; an empty field is the stage's default.
type stageSettings struct {
	Model    string        `help:"Model of this stage." placeholder:"NAME"`
	Effort   string        `help:"Reasoning effort of this stage; none is for models that take it, omitted sends nothing." placeholder:"LEVEL"`
	Deadline time.Duration `help:"How long this stage's call may take." placeholder:"DURATION"`
	Tools    string        `help:"How this stage's model calls functions: tools, or json_schema for servers that ignore tool_choice." enum:",tools,json_schema" default:"" placeholder:"MODE"`
}

func (s stageSettings) config() openai.StageConfig {
	return openai.StageConfig{Model: s.Model, Effort: s.Effort, Deadline: s.Deadline, ToolMode: openai.ToolMode(s.Tools)}
}

func (m modelSettings) configured() bool { return m.Key != "" || m.BaseURL != "" }

func (m modelSettings) stages() map[llm.Stage]openai.StageConfig {
	return map[llm.Stage]openai.StageConfig{
		llm.Classify: m.Classify.config(), llm.Template: m.Template.config(), llm.Select: m.Select.config(),
		llm.Plan: m.Plan.config(),
	}
}

// answering is the model that answers turns.
type answering struct {
	llm.Model
	// name is what answers, for the operator of the server.
	name string
	// rules are the built-in model if another one is configured; nil if it answers itself.
	rules stages.Model
	// failing reports whether the last call did not reach the configured model, so that the built-in model answered.
	failing func() bool
}

// state is the model's state for health.
func (a answering) state() api.PartState {
	if a.failing() {
		return api.PartState{State: api.PartDegraded, Detail: a.name + " cannot be reached; the built-in rules answer"}
	}
	return api.PartState{State: api.PartUp, Detail: a.name}
}

// model is the configured model with the built-in one as fallback, or the built-in one alone. Both are called through
// the same client.
func (s settings) model(logger zerolog.Logger) (answering, error) {
	rules := offline.New(offline.Options{Now: s.clock()})
	builtIn, err := builtInClient(rules, s.TurnDeadline)
	if err != nil || !s.OpenAI.configured() {
		return answering{
			Model: builtIn, name: "built-in rules", failing: func() bool { return false },
		}, err
	}
	configured, err := openai.New(openai.Config{
		BaseURL: s.OpenAI.BaseURL, APIKey: s.OpenAI.Key, Stages: s.OpenAI.stages(),
	})
	if err != nil {
		return answering{}, misuse{err}
	}
	both := &llm.Fallback{Primary: configured, Secondary: builtIn, Notify: func(ctx context.Context, cause error) {
		logOf(ctx, logger).Warn().Err(cause).Msg("the model could not be reached; the built-in model answers")
	}}
	name := "OpenAI"
	if s.OpenAI.BaseURL != "" {
		name = "OpenAI-compatible server"
	}
	return answering{Model: both, name: name, rules: rules, failing: both.Failing}, nil
}

// builtInClient asks the built-in model. Its calls end with their turn at the latest: what takes long is a processor
// with much to do, and a call given up then has only cost the others time.
func builtInClient(rules *offline.Model, turn time.Duration) (*openai.Client, error) {
	patient := map[llm.Stage]openai.StageConfig{}
	for _, stage := range []llm.Stage{llm.Classify, llm.Template, llm.Select, llm.Plan} {
		patient[stage] = openai.StageConfig{Deadline: turn}
	}
	return openai.New(openai.Config{
		BaseURL:    "http://built-in.invalid/v1/",
		HTTPClient: &http.Client{Transport: rules.Transport()},
		Stages:     patient,
		Stall:      turn,
	})
}

// prepared makes what is made once a process before it reads the first message, so that nobody waits for it.
var prepared = sync.OnceFunc(func() {
	offline.Prepare()
	ground.Read(ground.Message{Text: "coffee with al", Language: "en"})
})

// logOf is the logger of ctx, which names the request or the turn; without one, the program's.
func logOf(ctx context.Context, program zerolog.Logger) *zerolog.Logger {
	if own := zerolog.Ctx(ctx); own.GetLevel() != zerolog.Disabled {
		return own
	}
	return &program
}

// modelOf is the name of the model that a stage asks.
func (s settings) modelOf(stage llm.Stage) string {
	if !s.OpenAI.configured() {
		return "built-in"
	}
	return openai.Config{Stages: s.OpenAI.stages()}.Stage(stage).Model
}

// askedOf is what a message asks for of the proposal before it, by the built-in rules, with the message's language.
func askedOf(message string, earlier []meet.Exchange) (aspects []meet.Aspect, language string) {
	names, language := offline.Asked(message, exchanges(earlier))
	for _, name := range names {
		aspects = append(aspects, meet.Aspect(name))
	}
	return aspects, language
}

// standingOf are the parts of a message that may name what stands in a calendar, by the built-in rules.
var standingOf = offline.Standing

// exchanges are earlier turns as the built-in rules see them.
func exchanges(earlier []meet.Exchange) []offline.Exchange {
	all := make([]offline.Exchange, 0, len(earlier))
	for _, e := range earlier {
		all = append(all, offline.Exchange{User: e.User, Assistant: e.Assistant})
	}
	return all
}
