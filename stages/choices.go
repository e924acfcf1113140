package stages

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// questionID is the id of the turn's only question.
func questionID(id meet.TurnID) string { return "q_" + strings.TrimPrefix(string(id), "t_") }

// choose ends the turn with a question that has choices; the next message, or its button, answers it.
func (r *run) choose(
	ctx context.Context, open meet.Waiting, choices meet.Choices, before ...meet.Update,
) (meet.Outcome, error) {
	choices.ID = cmp.Or(choices.ID, questionID(r.turn.ID)) // a run asks its question again
	open.Choices, open.Said = &choices, r.said().Message
	r.conversation.Waiting = &open
	text := choices.Question
	for i, o := range choices.Options {
		text += "\n" + strconv.Itoa(i+1) + ". " + r.voice().Title(o.Label)
		if o.Detail != "" {
			text += " – " + o.Detail
		}
	}
	err := r.emit(ctx, append(before, meet.ChoicesUpdate{Choices: choices}, r.message(text, meet.ByCode))...)
	return meet.Outcome{Kind: meet.OutcomeWaiting, Message: text, Memo: "(a question with choices)"}, err
}

// choicesOf are the answers that a question of the event's path offers; none if it offers none to choose from.
func (r *run) choicesOf(q *meet.Question) []meet.Update {
	voice := message.NewVoice(r.understood.Language, r.now)
	options := each(q.Times, func(s interval.Span) meet.Option { return meet.Option{Label: voice.Span(s, false)} })
	if q.Name != "" {
		options = each(q.Choices, func(p meet.Person) meet.Option { return meet.Option{Label: p.Name, Detail: p.Email} })
	}
	if len(options) < 2 {
		return nil
	}
	for i := range options {
		options[i].ID = strconv.Itoa(i + 1)
	}
	q.ID = questionID(r.turn.ID)
	choices := meet.Choices{ID: q.ID, Question: q.Text, Options: options, Free: true}
	return []meet.Update{meet.ChoicesUpdate{Choices: choices}}
}

// press makes a button of a question the message that it stands for: its number.
func (in *situation) press() error {
	answer, question, open := in.turn.Answer, in.conversation.Question, in.conversation.Waiting
	if answer == nil || open != nil && (open.Choices != nil || open.Plan != nil && open.Plan.Choices.ID == answer.ID) {
		return nil // the worker reads it
	}
	if question == nil || question.ID != answer.ID {
		return fault.Invalid("answer.id", "this question no longer waits for an answer")
	}
	n, err := strconv.Atoi(answer.Option)
	if err != nil || n < 1 || n > max(len(question.Choices), len(question.Times)) {
		return fault.Invalid("answer.option", "is none of the options of the question")
	}
	in.turn.Message = answer.Option
	in.asked = optionSaid(*question, n-1)
	return nil
}

// optionSaid is an option in words, for the conversation's history.
func optionSaid(q meet.Question, i int) string {
	if i < len(q.Choices) {
		return q.Choices[i].Name
	}
	return strconv.Itoa(i + 1)
}
