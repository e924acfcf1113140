package stages

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// Journal is turn.Journal for tests that have a turn of their own.
type Journal = turn.Journal

// WithIntent returns a pipeline with one more row, whose path has one step after the route, of the intent's name.
func (p *Pipeline) WithIntent(
	in functions.Intent, needsEvent func(language string) string, text string,
) (*Pipeline, error) {
	with := *p
	with.intents = append(slices.Clone(p.intents), intent{
		Intent: in, needsEvent: needsEvent, steps: []string{"classify", "route", string(in.Name)},
		answer: func(ctx context.Context, r *run) (meet.Outcome, error) {
			if err := r.progress(ctx, string(in.Name), "Working..."); err != nil {
				return meet.Outcome{}, err
			}
			return r.say(ctx, meet.OutcomeAnswered, text)
		},
	})
	prompts, err := newAsker(p.ports.Model)
	with.classify = newClassifier(prompts, described(with.intents))
	return &with, err
}
