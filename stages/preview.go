package stages

import (
	"errors"
	"slices"
	"strings"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

// preview shows the model's message while it is written. Its ranks come before its message, so that the message can be
// checked word by word against what is really chosen, and only what was checked is shown.
type preview struct {
	offer *offer
	show  func(string) error

	partial *tool.Partial
	checker *message.Reader
	// choice is what the message is checked against, and read what of it was.
	choice message.Choice
	read   strings.Builder
	// leftOut counts the sentences that the whole message went without.
	leftOut int
	// wrong is why the message will not be used; once it is set, nothing more is shown.
	wrong error
	// undelivered is why a piece could not be shown: that ends the turn.
	undelivered error
}

// write takes the next piece of the arguments. Only a preview that cannot be delivered ends the call: a message that
// fails its check still leaves the ranks behind it worth having.
func (p *preview) write(piece string) error {
	if checked := p.verified(piece); checked != "" {
		p.undelivered = p.show(checked)
	}
	return p.undelivered
}

// verified is what the piece adds to the preview: nothing once anything was wrong.
func (p *preview) verified(piece string) string {
	if p.wrong != nil {
		return ""
	}
	text, err := p.check(piece)
	p.wrong = err
	return text
}

// check gives the part of the message that the piece completed, as far as it is true.
func (p *preview) check(piece string) (string, error) {
	if p.partial == nil {
		p.partial = tool.NewPartial("message")
	}
	text, err := p.partial.Write(piece)
	if err != nil || text == "" {
		return "", err
	}
	if p.checker == nil {
		var ranks functions.GenerateEventArguments
		if ok, err := p.partial.Before(&ranks); !ok || err != nil || len(ranks.RankedSlotIndices) == 0 {
			return "", errors.Join(errors.New("the message came before the ranks"), err)
		}
		said := meet.Selection{Slots: ranks.RankedSlotIndices, Places: ranks.RankedPlaceIndices}
		p.choice = p.offer.correct(said, newTally())
		p.checker = message.NewReader(p.offer.facts, p.choice, p.offer.path)
	}
	p.read.WriteString(text)
	return p.checker.Write(text)
}

// finish gives the whole message where all of it is true of the choice that was made, but for sentences that go without
// harm.
func (p *preview) finish(choice message.Choice, whole string) (string, error) {
	checker := p.checker
	if checker == nil || p.wrong != nil || p.read.String() != whole || !sameChoice(p.choice, choice) {
		checker = message.NewReader(p.offer.facts, choice, p.offer.path)
		if _, err := checker.Write(whole); err != nil {
			return "", err
		}
	}
	text, err := checker.Close()
	p.leftOut = checker.LeftOut()
	return text, err
}

func sameChoice(a, b message.Choice) bool {
	return slices.Equal(a.Slots, b.Slots) && slices.Equal(a.Places, b.Places)
}

// noteWhy puts into the receipt why the code's own words were used.
func noteWhy(err error, bill *tally) {
	var problem *message.Problem
	var wrong *tool.ArgumentError
	switch {
	case errors.As(err, &problem):
		bill.removed("message_" + problem.Kind)
	case errors.As(err, &wrong):
		bill.removed("invalid_select_answer")
	case fault.CodeOf(err) == fault.ModelUnavailable:
		bill.degraded("the model could not be reached; times and places were ranked by code")
		return
	default:
		bill.removed("invalid_select_answer")
	}
	bill.degraded("the model's message was not used; it was composed from the facts")
}
