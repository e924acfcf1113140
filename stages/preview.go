package stages

import (
	"errors"

	"convene/functions"
	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// reading follows the model's answer while it is written. Its ranks come before its message, so that the message can
// be checked word by word against what is really chosen, and only what was checked is shown.
type reading struct {
	offer   offer
	bill    *tally
	preview func(string) error

	partial *functions.Partial
	checker *message.Reader
	// wrong is why the message will not be used; once it is set, nothing more is shown.
	wrong error
}

// write takes the next piece of the arguments. Only a preview that cannot be delivered ends the call: a message that
// fails its check still leaves the ranks behind it worth having.
func (r *reading) write(piece string) error {
	if checked := r.verified(piece); checked != "" {
		return r.preview(checked)
	}
	return nil
}

// verified is what the piece adds to the preview: nothing once anything was wrong.
func (r *reading) verified(piece string) string {
	if r.wrong != nil {
		return ""
	}
	text, err := r.check(piece)
	r.wrong = err
	return text
}

// check gives the part of the message that the piece completed, as far as it is true.
func (r *reading) check(piece string) (string, error) {
	if r.partial == nil {
		r.partial = functions.NewPartial("message")
	}
	text, err := r.partial.Write(piece)
	if err != nil || text == "" {
		return "", err
	}
	if r.checker == nil {
		var ranks functions.GenerateEventArguments
		if ok, err := r.partial.Before(&ranks); !ok || err != nil || len(ranks.RankedSlotIndices) == 0 {
			return "", errors.Join(errors.New("the message came before the ranks"), err)
		}
		said := meet.Selection{Slots: ranks.RankedSlotIndices, Places: ranks.RankedPlaceIndices}
		r.checker = message.NewReader(r.offer.facts, r.offer.correct(said, newTally()), r.offer.path)
	}
	return r.checker.Write(text)
}

// finish gives the whole message where all of it is true of the choice that was made.
func (r *reading) finish(choice message.Choice, whole string) (string, error) {
	checker := message.NewReader(r.offer.facts, choice, r.offer.path)
	if _, err := checker.Write(whole); err != nil {
		return "", err
	}
	return checker.Close()
}

// noteWhy puts into the receipt why the code's own words were used.
func noteWhy(err error, bill *tally) {
	var problem *message.Problem
	var wrong *functions.ArgumentError
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
