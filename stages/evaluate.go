package stages

import (
	"context"
	"time"

	"convene/pkg/meet"
)

// Evaluator runs only what a turn's models understand: stages 1 to 3, without any calendar. It serves evaluation.
type Evaluator struct {
	classify classifier
	template templater
}

// NewEvaluator reads with a model.
func NewEvaluator(m Model) (*Evaluator, error) {
	a, err := newAsker(m)
	if err != nil {
		return nil, err
	}
	return &Evaluator{newClassifier(a, Intents()), newTemplater(a, Intents(), nil)}, nil
}

// Read says what a message means after a conversation, at a time that carries the zone. The draft is nil where the
// message is not about an event.
func (e *Evaluator) Read(
	ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
) (meet.Understanding, *meet.Draft, error) {
	one := &run{
		circumstances: circumstances{turn: turn, now: now},
		conversation:  talk, asked: turn.Message, receipt: newTally(), journal: noJournal{}, contacts: nobody{},
	}
	understood, err := e.classify.run(ctx, turn.Message, talk, one.receipt)
	if err != nil || understood.Intent != meet.HandleEvent {
		return understood, nil, err
	}
	draft, err := e.template.run(ctx, one)
	return understood, &draft, err
}

// nobody has no contacts.
type nobody struct{}

func (nobody) Find(string) []meet.Person      { return nil }
func (nobody) Mentioned(string) []meet.Person { return nil }
