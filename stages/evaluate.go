package stages

import (
	"context"
	"time"

	"convene/functions"
	"convene/pkg/meet"
)

// Evaluator runs only the stages in which models read, without any calendar.
type Evaluator struct {
	classify classifier
	template templater
}

// NewEvaluator returns an evaluator of a model.
func NewEvaluator(m Model) (*Evaluator, error) {
	a, err := newAsker(m)
	if err != nil {
		return nil, err
	}
	return &Evaluator{newClassifier(a, Intents()), templater{asker: a, functions: functions.NewTemplates()}}, nil
}

// Read returns what a message means after a conversation, at a time that carries the zone. The draft is nil if the
// message is not about an event.
func (e *Evaluator) Read(
	ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
) (meet.Understanding, *meet.Draft, error) {
	in := situation{
		turn: turn, now: now, conversation: talk, asked: turn.Message, receipt: new(tally), contacts: circle{
			Names: nobody{}, turn: turn,
		},
	}
	understood, err := e.classify.understand(ctx, in)
	if err != nil || understood.Intent != meet.HandleEvent {
		return understood, nil, err
	}
	in.understood = understood
	draft, err := e.template.fill(ctx, in)
	return understood, &draft, err
}

// nobody has no contacts.
type nobody struct{}

func (nobody) Find(string) []meet.Person       { return nil }
func (nobody) Mentioned(string) []meet.Mention { return nil }
