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

// preview shows the model's message while it is written. The ranks come first, so that the message can be checked word
// by word against the final choice, and only checked words are shown.
type preview struct {
	offer *offer
	show  func(string) error

	partial *tool.Partial
	checker *message.Reader
	// choice is what the message is checked against, and read the part of it that was checked.
	choice message.Choice
	read   strings.Builder
	// leftOut counts the sentences that were dropped from the message.
	leftOut int
	// wrong is why the message will not be used; from then on nothing is shown.
	wrong error
	// undelivered is why a piece could not be shown; it ends the turn.
	undelivered error
}

// write takes the next piece of the arguments. Only a preview that cannot be delivered ends the call: the ranks are of
// use even if the message fails its check.
func (p *preview) write(piece string) error {
	if p.wrong != nil {
		return p.undelivered
	}
	var checked string
	if checked, p.wrong = p.check(piece); checked != "" {
		p.undelivered = p.show(checked)
	}
	return p.undelivered
}

// check returns the part of the message that the piece completed, as far as it is true.
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
		p.choice = p.offer.correct(said, new(tally))
		p.checker = message.NewReader(p.offer.facts, p.choice, p.offer.path)
	}
	p.read.WriteString(text)
	return p.checker.Write(text)
}

// finish returns the whole message if it is true of the choice that was made, without sentences that may be dropped.
func (p *preview) finish(choice message.Choice, whole string) (string, error) {
	checker := p.checker
	if checker == nil || p.wrong != nil || p.read.String() != whole ||
		!slices.Equal(p.choice.Slots, choice.Slots) || !slices.Equal(p.choice.Places, choice.Places) {
		checker = message.NewReader(p.offer.facts, choice, p.offer.path)
		if _, err := checker.Write(whole); err != nil {
			return "", err
		}
	}
	text, err := checker.Close()
	p.leftOut = checker.LeftOut()
	return text, err
}

// noteWhy notes in the receipt why the model's message was not used.
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
