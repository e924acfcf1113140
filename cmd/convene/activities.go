package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/activity"
	"convene/pkg/activity/cached"
	"convene/pkg/activity/catalogue"
	"convene/pkg/activity/websearch"
	"convene/pkg/meet"
	"convene/pkg/redisstore"
)

// activitySettings choose where suggestions for what to do come from.
type activitySettings struct {
	Finder   string        `name:"activity-finder" default:"auto" enum:"auto,built-in,web" help:"Where suggestions for what to do come from: ${enum}; auto is the web if a model provider is configured."`
	Model    string        `name:"activity-model" help:"Model that searches the web for suggestions." placeholder:"NAME"`
	Effort   string        `name:"activity-effort" help:"Reasoning effort of that model; omitted sends nothing." placeholder:"LEVEL"`
	Deadline time.Duration `name:"activity-deadline" help:"How long a search of the web may take." placeholder:"DURATION"`
	Keep     time.Duration `name:"activities-keep" default:"3h" help:"How long the findings of a search of the web are kept; 0 is not at all."`
}

// noActivities is what a world has in place of the demo's catalogue.
type noActivities struct{}

func (noActivities) Suggest(context.Context, meet.ActivityQuery) ([]meet.Suggestion, error) {
	return []meet.Suggestion{}, nil
}

// activities is the web search with the built-in catalogue as fallback, or the catalogue alone.
func (s settings) activities(store *redisstore.Store, logger zerolog.Logger) (activity.Finder, error) {
	demo, err := catalogue.Embedded()
	if err != nil {
		return nil, err
	}
	var builtIn activity.Finder = demo
	if s.world != nil {
		builtIn = noActivities{}
	}
	switch {
	case !s.searchesWeb():
		return builtIn, nil
	case !s.OpenAI.configured():
		return nil, misuse{errors.New(
			"--activity-finder web: a model provider is needed: --openai-api-key or --openai-base-url")}
	}
	web, err := websearch.New(s.webSearch())
	if err != nil {
		return nil, misuse{fmt.Errorf("--activity-finder %s: %w", s.Activities.Finder, err)}
	}
	kept := cached.New(cached.Config{
		Source: web, Name: "web", Answers: store.ActivityAnswers(), Life: s.Activities.Keep,
		Notify: func(ctx context.Context, err error) {
			logOf(ctx, logger).Warn().Err(err).Msg("activities cannot be kept")
		},
	})
	return &activity.Fallback{Primary: kept, Secondary: builtIn, Notify: func(ctx context.Context, cause error) {
		logOf(ctx, logger).Warn().Err(cause).Msg(
			"the web could not be searched for activities; the built-in catalogue answers",
		)
	}}, nil
}

// searchesWeb reports whether suggestions come from the web.
func (s settings) searchesWeb() bool {
	return s.Activities.Finder == "web" || s.Activities.Finder == "auto" && s.OpenAI.configured()
}

// webSearch configures the web search.
func (s settings) webSearch() websearch.Config {
	return websearch.Config{
		BaseURL: s.OpenAI.BaseURL, Key: s.OpenAI.Key,
		Model: s.Activities.Model, Effort: s.Activities.Effort, Deadline: s.Activities.Deadline,
	}.WithDefaults()
}

// ideasPatience is how long the stage waits for a search: longer than its deadline, so that the catalogue can answer.
func (s settings) ideasPatience() time.Duration { return s.webSearch().Deadline + 5*time.Second }
