package stages

import (
	"context"
	"time"

	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/stages/candidates"
)

// situation is what is known of a turn: what a stage needs to read a message, to find and to choose.
type situation struct {
	turn meet.Turn
	// now is when the turn began, in its zone.
	now          time.Time
	conversation meet.Conversation
	// asked is the message as the user wrote it; turn.Message differs if it answers a question.
	asked string
	// contacts are those of the organizer who may be meant by a name in this turn.
	contacts circle
	// likely are the people whose calendars are being read, to schedules.
	likely     []meet.Person
	schedules  *candidates.Schedules
	understood meet.Understanding
	receipt    *tally
}

// query asks for candidates at other starts than those that were offered.
func (in situation) query(draft meet.Draft, offered ...time.Time) candidates.Query {
	return candidates.Query{Turn: in.turn, Draft: draft, Now: in.now, Schedules: in.schedules, Offered: offered}
}

// circle are the contacts who may be meant by a name in one turn: those whom its caller may know.
type circle struct {
	Names
	turn meet.Turn
	// meant are the people whom the user has chosen for a name, by the name in lower case.
	meant map[string]meet.Person
}

// Find lists everyone whom the name fits: the one who was chosen for it, if the user was asked.
func (c circle) Find(name string) []meet.Person {
	if chosen, ok := c.meant[fold(name)]; ok {
		return []meet.Person{chosen}
	}
	return c.turn.Within(c.Names.Find(name))
}

// Mentioned lists those whose names occur in a text.
func (c circle) Mentioned(text string) []meet.Person { return c.turn.Within(c.Names.Mentioned(text)) }

// run is one turn on its way through the stages: what is known of it, and how it tells.
type run struct {
	situation
	// catchUp brings the conversation's event up to what has become of it; until then only its ids are known.
	catchUp func() error
	journal turn.Journal
	send    turn.Emit
	// told are updates that go out with the next one.
	told []meet.Update
	// observer and render are never nil.
	observer Observer
	render   func(markdown string) (html string)
}

// Emit hands updates to the log, all of them or none. Its error ends the turn.
type Emit func(ctx context.Context, updates ...meet.Update) error

// stageCount is how many stages there are.
const stageCount = 5

// progress says what is being waited for.
func (r *run) progress(ctx context.Context, step int, stage, text string) error {
	return r.emit(ctx, meet.ProgressUpdate{Text: text, Stage: stage, Step: step, Of: stageCount})
}

// tell has an update go out with the next one, or before the next step begins: together they are one write.
func (r *run) tell(u meet.Update) { r.told = append(r.told, u) }

// emit hands the updates to the log, after those that were told.
func (r *run) emit(ctx context.Context, updates ...meet.Update) error {
	told := append(r.told, updates...)
	r.told = nil
	if len(told) == 0 {
		return nil
	}
	return r.send(ctx, told...)
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

// end waits for what still runs and gives the receipt.
func (r *run) end() meet.Receipt {
	_ = r.catchUp() // a failure has ended the turn, or does not matter to it any more
	r.schedules.Close()
	return r.receipt.total()
}

// orEmpty makes a list that marshals as [] rather than null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// picked are the elements of a list at the indices.
func picked[T any](list []T, indices []int) []T {
	chosen := make([]T, 0, len(indices))
	for _, i := range indices {
		chosen = append(chosen, list[i])
	}
	return chosen
}
