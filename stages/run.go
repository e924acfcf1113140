package stages

import (
	"cmp"
	"context"
	"slices"
	"time"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// run is one turn on its way through the stages. Each method takes one stage's result, tells the person about it and
// hands it on.
type run struct {
	circumstances
	conversation meet.Conversation
	// catchUp brings the conversation's event up to what has become of it; until then only its ids are known.
	catchUp func() error
	// asked is the message as the user wrote it; turn.Message differs where it answers a question.
	asked string
	// meant are the people whom the user has chosen for a name, by the name in lower case.
	meant map[string]meet.Person
	// contacts are those of the organizer who may be meant by a name in this turn.
	contacts Names
	journal  Journal
	send     Emit
	// told are updates that go out with the next one.
	told    []meet.Update
	receipt *tally
	// observer and render are never nil.
	observer Observer
	render   func(markdown string) (html string)
	// likely are the people whose calendars are being read.
	likely     []meet.Person
	understood meet.Understanding
}

// circumstances are what of a turn bears on when and where.
type circumstances struct {
	turn meet.Turn
	// now is when the turn began, in its zone.
	now       time.Time
	schedules *schedules
	// alreadyOffered are starts that are not to be offered again.
	alreadyOffered []time.Time
}

// end waits for what still runs and gives the receipt.
func (r *run) end() meet.Receipt {
	_ = r.catchUp() // a failure has ended the turn, or does not matter to it any more
	r.schedules.close()
	return r.receipt.total()
}

// stages is how many there are.
const stages = 5

// progress says what is being waited for.
func (r *run) progress(ctx context.Context, step int, stage, text string) error {
	return r.emit(ctx, meet.ProgressUpdate{Text: text, Stage: stage, Step: step, Of: stages})
}

// tell has an update go out with the next one, or before the next step begins: together they are one write.
func (r *run) tell(u meet.Update) { r.told = append(r.told, u) }

// emit hands the updates to the log, behind those that were told.
func (r *run) emit(ctx context.Context, updates ...meet.Update) error {
	told := append(r.told, updates...)
	r.told = nil
	if len(told) == 0 {
		return nil
	}
	return r.send(ctx, told...)
}

// understand is stage 1: the acknowledgment goes out before the next step begins, with what is told of that.
func (r *run) understand(ctx context.Context, stage classifier) (err error) {
	r.understood, err = perform(ctx, r, "classify", func(ctx context.Context) (meet.Understanding, error) {
		understood, err := stage.run(ctx, r.turn.Message, r.conversation, r.receipt)
		if err == nil {
			understood.Acknowledgment = r.harmless(understood)
		}
		return understood, err
	})
	if err != nil {
		return err
	}
	r.tell(meet.AcknowledgmentUpdate{
		Text:     r.understood.Acknowledgment,
		Intent:   r.understood.Intent,
		Language: r.understood.Language,
	})
	return nil
}

// harmless is the model's acknowledgment where it claims nothing, and a sentence that fits always where it does: a time
// that the user did not say, a link, or that something has been done.
func (r *run) harmless(said meet.Understanding) string {
	text, problems := message.Acknowledgment(said.Acknowledgment, r.asked+" "+r.turn.Message)
	for range problems {
		r.receipt.removed("acknowledgment")
	}
	if text == "" {
		return message.Look(said.Language)
	}
	return text
}

// draft is stage 3: what was understood.
func (r *run) draft(ctx context.Context, stage templater) (meet.Draft, error) {
	text := "Getting schedules..."
	if len(r.turn.Availability) > 0 {
		text = "Thinking..."
	}
	if err := r.progress(ctx, 3, "template", text); err != nil {
		return meet.Draft{}, err
	}
	draft, err := perform(ctx, r, "template", func(ctx context.Context) (meet.Draft, error) {
		return stage.run(ctx, r)
	})
	if err != nil || draft.Ending != nil {
		return draft, err
	}
	r.tell(meet.TemplateUpdate{Template: draft.Template, Mode: draft.Mode})
	return draft, nil
}

// find is stage 4: how much there is to choose from, and whose calendar could not be read. While some calendar keeps the
// others waiting, what there is without it is told already, as preliminary.
func (r *run) find(ctx context.Context, stage finder, draft meet.Draft) (meet.Candidates, error) {
	found, err := r.search(ctx, stage, draft)
	if err == nil {
		r.tell(r.countOf(found))
	}
	return found, err
}

// search is stage 4 without what is told in the end.
func (r *run) search(ctx context.Context, stage finder, draft meet.Draft) (meet.Candidates, error) {
	if err := r.progress(ctx, 4, "candidates", "Narrowing down times & places..."); err != nil {
		return meet.Candidates{}, err
	}
	return perform(ctx, r, "candidates", func(ctx context.Context) (meet.Candidates, error) {
		found, err := stage.run(ctx, r.circumstances, draft, func(early meet.Candidates) error {
			u := r.countOf(r.worded(draft, early))
			u.Preliminary = true
			return r.emit(ctx, u)
		})
		r.noteDegraded(found)
		found = r.worded(draft, found)
		return found, cmp.Or(err, found.Encode())
	})
}

// worded are the candidates with what stands against them, and what would help, in the language of the message.
func (r *run) worded(draft meet.Draft, found meet.Candidates) meet.Candidates {
	facts := &message.Facts{Language: r.understood.Language, Organizer: r.turn.Organizer, People: draft.People}
	found.Slots, found.Reasons = facts.Conflicts(found.Slots), facts.Reasons(found.Reasons)
	return found
}

// countOf is what of the candidates is told before one is chosen, in the language of the message.
func (r *run) countOf(found meet.Candidates) meet.CandidatesUpdate {
	calendars := slices.Clone(found.Calendars)
	for i := range calendars {
		calendars[i].Reason = message.Unread(r.understood.Language, calendars[i].Reason)
	}
	return meet.CandidatesUpdate{
		Slots:                   len(found.Slots),
		Places:                  len(found.Places),
		Calendars:               calendars,
		HasNoCommonTime:         found.HasNoCommonTime,
		HasExplicitTimeConflict: found.HasExplicitTimeConflict,
		Reasons:                 orEmpty(found.Reasons),
		Apart:                   found.Apart,
	}
}

// noteDegraded puts into the receipt what of the search did not work.
func (r *run) noteDegraded(found meet.Candidates) {
	if found.PlacesFailed {
		r.receipt.degraded("the search for places failed")
	}
	if found.RouterFailed {
		r.receipt.degraded("the router did not answer; travel times are estimates")
	}
	for _, c := range found.Calendars {
		if c.State == meet.CalendarUnchecked {
			r.receipt.degraded("the calendar of " + c.Name + " could not be read")
		}
	}
}

// message is the message that counts.
func (r *run) message(text string, by meet.Author) meet.MessageUpdate {
	return meet.MessageUpdate{Text: text, HTML: r.render(text), ComposedBy: by}
}

// say ends the turn with a message that code wrote.
func (r *run) say(ctx context.Context, kind meet.OutcomeKind, text string) (meet.Outcome, error) {
	err := r.emit(ctx, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: kind, Message: text}, err
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
