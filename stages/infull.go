package stages

import (
	"context"
	"slices"
	"strings"

	"convene/pkg/ground"
)

// answerAsked puts what the turn before asked about in front of a message that only answers it, so that rules read both
// as one, and says in full what the message leaves unsaid: which week is "that week", or which day is meant.
func (p *Pipeline) answerAsked(ctx context.Context, r *run) {
	open, earlier := r.conversation.Waiting, r.askedAbout()
	if r.turn.Answer != nil || !p.alone(r) || r.order.Kind == Yes {
		return
	}
	r.turn.Message = ground.InFull(r.plainMessage(), r.goesOn())
	if p.ports.Worlds == nil || r.goesOn() || open.Pending() != "" {
		return
	}
	if open != nil && earlier == "" {
		r.turn.Message = ground.OnThatDay(r.plainMessage())
	}
	if earlier == "" && !ground.MeansWeek(r.turn.Message) {
		return
	}
	m := p.message(ctx, r)
	if whole := ground.Answered(m, earlier); whole != "" {
		m.Text = whole
	}
	r.turn.Message = ground.InWeek(m)
}

// withoutTold leaves out what the message only tells beside what it asks for.
func (p *Pipeline) withoutTold(ctx context.Context, r *run) {
	if r.turn.Answer != nil || r.order.Kind == Yes || p.ports.Worlds == nil || !p.alone(r) {
		return
	}
	if !ground.TellsBeside(r.plainMessage()) {
		return
	}
	m := p.message(ctx, r)
	if rest := ground.WithoutTold(m, r.goesOn()); rest != r.turn.Message {
		r.turn.Message, r.mentions, r.shortened = rest, r.contacts.Mentions(rest), true
	}
}

// askedAbout are the user's words that the question at the end of the turn before was about; empty if that asked
// nothing.
func (r *run) askedAbout() (words string) {
	for _, e := range slices.Backward(r.conversation.History) {
		if e.Assistant != question {
			break
		}
		words = strings.TrimSpace(e.User + " " + words)
	}
	return words
}
