package stages

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// account notes in the draft which phrases of the message it does not express: those that code finds, and those that
// the model admits. If next to nothing was read, or a new event hangs on a condition that was not, the draft asks.
func (read Unread) account(in situation, draft meet.Draft) meet.Draft {
	admitted := draft.Unhandled
	if draft.Unhandled = nil; draft.Ending != nil {
		return draft
	}
	if read == nil {
		read = func(string, string, meet.Draft, time.Time) meet.Unread { return meet.Unread{Words: 1} }
	}
	text := in.turn.Message
	whole := read(text, in.understood.Language, draft, in.now)
	if whole.Most && draft.Mode == meet.ModeNew && len(draft.People) == 0 {
		draft.Ending = &meet.Question{Text: message.Unclear(in.understood.Language), Message: text}
		return draft
	}
	if whole.Condition != "" && draft.Mode == meet.ModeNew {
		voice := message.NewVoice(in.understood.Language, in.now)
		draft.Ending = &meet.Question{Text: voice.Lost(whole.Condition), Message: text}
		return draft
	}
	draft.Unhandled = whole.Phrases
	for _, phrase := range admitted {
		same := func(other string) bool { return together(words(other), words(phrase)) }
		if strings.Contains(" "+strings.Join(words(text), " ")+" ", " "+strings.Join(words(phrase), " ")+" ") &&
			!slices.ContainsFunc(draft.Unhandled, same) && read(phrase, in.understood.Language, draft, in.now).Words > 0 {
			draft.Unhandled = append(draft.Unhandled, phrase)
		}
	}
	return draft
}

// unhandled is the doubt about what the draft does not express, if there is any.
func (in situation) unhandled(draft meet.Draft) []meet.Doubt {
	if len(draft.Unhandled) == 0 {
		return nil
	}
	return []meet.Doubt{message.Unhandled(in.understood.Language, draft.Unhandled)}
}
