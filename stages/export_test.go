package stages

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/meet"
	"convene/pkg/turn"
)

// Journal is a turn's, under a name that tests of this package can use beside theirs for what came of a turn.
type Journal = turn.Journal

// WithIntent is a pipeline whose table has one more row.
func (p *Pipeline) WithIntent(
	in functions.Intent, needsEvent func(language string) string, text string,
) (*Pipeline, error) {
	with := *p
	with.intents = append(slices.Clone(p.intents),
		intent{Intent: in, needsEvent: needsEvent, answer: func(ctx context.Context, r *run) (meet.Outcome, error) {
			return r.say(ctx, meet.OutcomeAnswered, text)
		}})
	prompts, err := newAsker(p.ports.Model)
	with.classify = newClassifier(prompts, described(with.intents))
	return &with, err
}
