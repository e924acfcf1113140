package stages

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// account notes in the draft which phrases of the message it does not express: those that code finds, and those that
// the model admits. If next to nothing was read, nothing says what a new event is, or one hangs on a condition that was
// not read, the draft asks.
func (read Unread) account(in situation, draft meet.Draft) meet.Draft {
	admitted := draft.Unhandled
	if draft.Unhandled = nil; draft.Ending != nil {
		return draft
	}
	if read == nil {
		read = func(string, string, meet.Draft, time.Time) meet.Unread { return meet.Unread{Words: 1} }
	}
	text := in.turn.Message
	for _, m := range in.mentions {
		if len(among([]meet.Person{m.Person}, draft.People)) == 0 {
			draft.Absent = append(draft.Absent, m.Words)
		}
	}
	whole := read(text, in.understood.Language, draft, in.now)
	if (whole.Most || whole.Nameless) && draft.Mode == meet.ModeNew && len(draft.People) == 0 {
		draft.Ending = &meet.Question{Text: message.Unclear(in.understood.Language), Message: text}
		return draft
	}
	if whole.Aside && draft.Mode != meet.ModeNew {
		draft.Ending = &meet.Question{Text: message.Remark(in.understood.Language), Message: text}
		return draft
	}
	if whole.Condition != "" && draft.Mode == meet.ModeNew {
		voice := message.NewVoice(in.understood.Language, in.now)
		draft.Ending = &meet.Question{Text: voice.Lost(whole.Condition), Message: text}
		return draft
	}
	draft.Unhandled = whole.Phrases
	if len(whole.Phrases) == 0 && (whole.Said == 0 || whole.Words > 0) && changesNothing(draft) {
		draft.Unhandled = []string{text} // "add him too"
	}
	for _, phrase := range admitted {
		same := func(other string) bool { return together(words(other), words(phrase)) }
		if strings.Contains(" "+strings.Join(words(text), " ")+" ", " "+strings.Join(words(phrase), " ")+" ") &&
			!slices.ContainsFunc(draft.Unhandled, same) && read(phrase, in.understood.Language, draft, in.now).Words > 0 {
			draft.Unhandled = append(draft.Unhandled, phrase)
		}
	}
	return draft
}

// changesNothing reports whether a change leaves the event as it was asked for before.
func changesNothing(draft meet.Draft) bool {
	return draft.Edit != nil && draft.Before != nil && *draft.Edit == (meet.Edit{}) &&
		reflect.DeepEqual(draft.Template, draft.Before.Template)
}

// unhandled is the doubt about what the draft does not express, if there is any.
func (in situation) unhandled(draft meet.Draft) []meet.Doubt {
	if len(draft.Unhandled) == 0 {
		return nil
	}
	return []meet.Doubt{message.Unhandled(in.understood.Language, draft.Unhandled)}
}
