package stages

import (
	"encoding/json"
	"strconv"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// voice is the voice of the turn's language.
func (r *run) voice() message.Voice { return message.NewVoice(r.understood.Language, r.now) }

// told is the message about a change set: what was done, or what would be done and a question. What the tool says
// beside its changes comes first.
func (r *run) told(p proposal, response meet.Response) string {
	v := r.voice()
	text := v.Changes(p.Set, p.Applied)
	if note := response.Display.Description; note != "" {
		text = note + "\n\n" + text
	}
	if p.Applied == nil {
		return text + "\n\n" + v.Ask(p.Set)
	}
	if p.Applied.UndoUntil != nil {
		text += "\n\n" + v.Undo(p.Set)
	}
	return text
}

// done is the result of stage 4.
type done struct {
	Response meet.Response     `json:"response"`
	Changes  []stored          `json:"changes,omitempty"`
	Choices  *meet.Choices     `json:"choices,omitempty"`
	Call     *meet.PlannedCall `json:"call"`
	// Argument is where the call has the name of several people, if the choices are these.
	Argument string `json:"argument,omitempty"`
	// Heard says that the user's own words, as the rules read them, ask for the same. Otherwise, Ruled is what they ask
	// for; nil if the rules read nothing.
	Heard bool  `json:"heard"`
	Ruled *done `json:"ruled,omitempty"`
	// Gives is the type of what the tool gives.
	Gives world.Type `json:"gives"`
	// Unsure says that other things may be meant than those that could be read.
	Unsure bool `json:"unsure,omitempty"`
	// Next is what the turn goes on with; nil if it ends here.
	Next *world.Next `json:"next,omitempty"`
	// Offer is the call that a yes to the answer makes.
	Offer *meet.PlannedCall `json:"offer,omitempty"`
}

// stored is a change with its deed, which clients do not see.
type stored struct {
	meet.Change
	Deed json.RawMessage `json:"deed"`
}

// proposal is a change set, with what came of it if it was applied at once.
type proposal struct {
	Set     meet.ChangeSet `json:"set"`
	Applied *meet.Applied  `json:"applied,omitempty"`
}

// memo is what the conversation remembers of a result: what kind of thing it was, and nothing that others wrote.
func memo(result done) string {
	switch n := len(result.Changes); {
	case result.Response.Error != nil:
		return "(" + result.Response.Error.Code + ")"
	case n > 0:
		return "(" + strconv.Itoa(n) + " changes)"
	default:
		return "(" + string(result.Gives) + ")"
	}
}

// outcomeOf is the outcome of a turn that proposed changes, or applied them.
func outcomeOf(applied *meet.Applied) meet.OutcomeKind {
	switch {
	case applied == nil:
		return meet.OutcomeWaiting
	case applied.Outcome == meet.AllApplied:
		return meet.OutcomeChanged
	case applied.Outcome == meet.PartlyApplied:
		return meet.OutcomePartly
	default:
		return meet.OutcomeAnswered
	}
}
