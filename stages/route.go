package stages

import (
	"context"

	"convene/pkg/meet"
)

// path answers a turn once it is known what it is about.
type path func(ctx context.Context, r *run) (meet.Outcome, error)

// route is stage 2: a table from intent to path. New intents are added here and nowhere else. What nobody knows is
// conversation, which does nothing but answer.
func (p *Pipeline) route(intent meet.Intent) path {
	routes := map[meet.Intent]path{
		meet.HandleEvent:       p.schedule,
		meet.ShowMore:          p.showMore,
		meet.SuggestActivities: p.suggestActivities,
		meet.Converse:          p.converse,
	}
	if path, ok := routes[intent]; ok {
		return path
	}
	return p.converse
}

// converse has nothing to add: the acknowledgment is the whole answer.
func (p *Pipeline) converse(_ context.Context, r *run) (meet.Outcome, error) {
	return meet.Outcome{Kind: meet.OutcomeAnswered, Message: r.understood.Acknowledgment}, nil
}
