package stages

import (
	"context"
	"strings"
	"time"

	"convene/pkg/meet"
)

// run is one turn on its way through the stages. Each method takes one stage's result, tells the person about it and
// hands it on.
type run struct {
	turn         meet.Turn
	conversation meet.Conversation
	// now is when the turn began, in its zone.
	now  time.Time
	emit Emit
	// asked is the message as the user wrote it; turn.Message differs where it answers a question.
	asked     string
	receipt   *tally
	schedules *schedules
	// likely are the people whose calendars are being read.
	likely     []meet.Person
	understood meet.Understanding
	// alreadyOffered are starts that are not to be offered again.
	alreadyOffered []time.Time
}

// end waits for what still runs and gives the receipt.
func (r *run) end() meet.Receipt {
	r.schedules.close()
	return r.receipt.total()
}

// stages is how many there are.
const stages = 5

// progress says what is being waited for.
func (r *run) progress(step int, stage, text string) error {
	return r.emit(meet.ProgressUpdate{Text: text, Stage: stage, Step: step, Of: stages})
}

// understand is stage 1: the acknowledgment goes out as soon as it exists.
func (r *run) understand(ctx context.Context, stage classifier) (err error) {
	defer r.receipt.stage("classify")()
	r.understood, err = stage.run(ctx, r.turn.Message, r.conversation, r.receipt)
	if err != nil {
		return err
	}
	r.understood.Acknowledgment = r.plain(r.understood.Acknowledgment)
	return r.emit(meet.AcknowledgmentUpdate{
		Text:     r.understood.Acknowledgment,
		Intent:   r.understood.Intent,
		Language: r.understood.Language,
	})
}

// draft is stage 3: what was understood.
func (r *run) draft(ctx context.Context, stage templater) (meet.Draft, error) {
	defer r.receipt.stage("template")()
	text := "Getting schedules..."
	if len(r.turn.Availability) > 0 {
		text = "Thinking..."
	}
	if err := r.progress(3, "template", text); err != nil {
		return meet.Draft{}, err
	}
	draft, err := stage.run(ctx, r)
	if err != nil || draft.Navigate != "" || draft.Question != nil {
		return draft, err
	}
	return draft, r.emit(meet.TemplateUpdate{Template: draft.Template, Mode: draft.Mode})
}

// find is stage 4: how much there is to choose from, and whose calendar could not be read.
func (r *run) find(ctx context.Context, stage finder, draft meet.Draft) (meet.Candidates, error) {
	defer r.receipt.stage("candidates")()
	if err := r.progress(4, "candidates", "Narrowing down times & places..."); err != nil {
		return meet.Candidates{}, err
	}
	found, err := stage.run(ctx, r, draft)
	if err != nil {
		return found, err
	}
	for _, c := range found.Calendars {
		if c.State == meet.CalendarUnchecked {
			r.receipt.degraded("the calendar of " + c.Name + " could not be read")
		}
	}
	return found, r.emit(meet.CandidatesUpdate{
		Slots:                   len(found.Slots),
		Places:                  len(found.Places),
		Calendars:               found.Calendars,
		HasNoCommonTime:         found.HasNoCommonTime,
		HasExplicitTimeConflict: found.HasExplicitTimeConflict,
		Reasons:                 orEmpty(found.Reasons),
	})
}

// navigate ends the turn with a page to open.
func (r *run) navigate(draft meet.Draft) (meet.Outcome, error) {
	err := r.emit(meet.NavigateUpdate{URL: draft.Navigate})
	return meet.Outcome{Kind: meet.OutcomeNavigate, Message: r.understood.Acknowledgment}, err
}

// ask ends the turn with a question; the next turn's answer goes on from there.
func (r *run) ask(draft meet.Draft) (meet.Outcome, error) {
	r.conversation.Question = draft.Question
	return r.say(meet.OutcomeQuestion, draft.Question.Text)
}

// say ends the turn with a message that code wrote.
func (r *run) say(kind meet.OutcomeKind, text string) (meet.Outcome, error) {
	err := r.emit(meet.MessageUpdate{Text: text, ComposedBy: meet.ByCode})
	return meet.Outcome{Kind: kind, Message: text}, err
}

// answerQuestion goes back to what the user had asked where this message answers the question about it: with the name
// of one of those who were meant. Any other message drops the question.
func (r *run) answerQuestion() {
	question := r.conversation.Question
	r.conversation.Question = nil
	if question == nil {
		return
	}
	chosen, ok := chosenOf(question.Choices, r.asked)
	if !ok {
		return
	}
	r.turn.Message = strings.Replace(question.Message, question.Name, chosen.Name, 1)
	r.turn.Participants = append(r.turn.Participants, chosen)
}

// chosenOf is the one person whom the answer means; a word of the name that the others do not share is enough.
func chosenOf(choices []meet.Person, answer string) (chosen meet.Person, ok bool) {
	said := map[string]bool{}
	for _, word := range words(answer) {
		said[word] = true
	}
	best, tied := 0, false
	for _, p := range choices {
		hits := 0
		for _, word := range words(p.Name) {
			if said[word] {
				hits++
			}
		}
		switch {
		case hits > best:
			best, tied, chosen = hits, false, p
		case hits == best:
			tied = true
		}
	}
	return chosen, best > 0 && !tied
}

// previousUID is the event that this turn may move: its own time does not stand in its way.
func (r *run) previousUID() string {
	if s := r.conversation.Search; s != nil && s.Event != nil {
		return s.Event.UID
	}
	return ""
}

// orEmpty makes a list that marshals as [] rather than null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
