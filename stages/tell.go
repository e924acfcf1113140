package stages

import (
	"convene/pkg/meet"
	"convene/pkg/message"
)

// voice is the voice of the turn's language.
func (w worker) voice(r *run) message.Voice { return message.NewVoice(r.understood.Language, r.now) }

// tell is the message about a change set: what was done, or what would be done and a question. What the tool says
// beside its changes comes first.
func (w worker) tell(r *run, p proposal, response meet.Response) string {
	v := w.voice(r)
	text := v.Changes(p.Set, p.Applied)
	if note := response.Display.Description; note != "" {
		text = note + "\n\n" + text
	}
	if p.Applied == nil {
		return text + "\n\n" + v.Ask(p.Set)
	}
	if p.Applied.UndoUntil != nil {
		text += "\n\n" + v.Undo()
	}
	return text
}
