package stages

import (
	"context"
	"slices"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// writer puts a name in place of words for the one who wrote a mail: "find a time with whoever wrote this". Whom only
// the mail names is none of the user's contacts: nothing is arranged with such a one, and ends says that this was told.
func (p *Pipeline) writer(ctx context.Context, r *run) (outcome meet.Outcome, ends bool, err error) {
	if p.ports.Worlds == nil || p.ports.Ground == nil {
		return outcome, false, nil
	}
	by, err := once(ctx, r, "writer", func(ctx context.Context) (ground.Writer, error) {
		m := r.plainMessage()
		m.Mails = func() []ground.Thing { return p.ownOf(ctx, r).mails() }
		return ground.WriterIn(m), nil
	})
	if err != nil || by.Language == "" {
		return outcome, false, err
	}
	mentions := r.contacts.Mentions(by.Text)
	known := slices.ContainsFunc(mentions, func(m meet.Mention) bool {
		return strings.EqualFold(m.Person.Email, by.Address)
	})
	if !known {
		text := message.Refused(by.Language, "writer")
		if by.Name != "" {
			text = message.NoContact(by.Language, by.Name, by.Address)
		}
		r.acknowledge(meet.Converse, message.Look(by.Language), by.Language)
		outcome, err = r.say(ctx, meet.OutcomeAnswered, text)
		return outcome, true, err
	}
	r.turn.Message, r.mentions = by.Text, mentions
	return outcome, false, nil
}
