package stages

import (
	"context"
	"slices"

	"convene/functions"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
	"convene/prompts"
)

// classifier is stage 1: one nano call that tells what a message is about.
type classifier struct {
	asker
	set tool.Set[struct{}, meet.Understanding]
}

func newClassifier(a asker, rows []functions.Intent) classifier {
	return classifier{a, tool.Set[struct{}, meet.Understanding]{functions.ClassifyIntent(rows)}}
}

// understand reads the message in the light of the conversation. An intent about an event that does not exist is not
// corrected; route says that there is no event.
func (c classifier) understand(ctx context.Context, in situation) (meet.Understanding, error) {
	prompt, err := c.prompts.Classify(prompts.Classify{
		Message:       in.turn.Message,
		RecentTurns:   recentTurns(in.conversation),
		HasEvent:      in.conversation.Search != nil,
		HasActivities: len(in.conversation.Suggestions) > 0,
		Names:         in.namesSaid(),
		Tasks:         in.tasks,
		Shown:         in.shown(),
		DayAtHand:     dateOf(in.dayAtHand()),
	})
	if err != nil {
		return meet.Understanding{}, err
	}
	req := request(llm.Classify, prompt, c.set.Tools())
	return ask(ctx, c.on(in.receipt), req, c.set, struct{}{})
}

// alone reads the message without a bill.
func (c classifier) alone(ctx context.Context, in situation) (meet.Understanding, error) {
	in.receipt = new(tally)
	return c.understand(ctx, in)
}

// namesSaid are the words of the message that may mean contacts.
func (in situation) namesSaid() (names []string) {
	for _, m := range in.mentions {
		if !slices.Contains(names, m.Words) {
			names = append(names, m.Words)
		}
	}
	return names
}

// harmless is the model's acknowledgment, or a sentence that always fits if the model's claims something: a time that
// the user did not say, a link, or a deed. Heard is the user's words.
func harmless(said meet.Understanding, heard string, bill *tally) string {
	text, problems := message.Acknowledgment(said.Acknowledgment, heard)
	for range problems {
		bill.removed("acknowledgment")
	}
	if text == "" {
		return message.Look(said.Language)
	}
	return text
}
