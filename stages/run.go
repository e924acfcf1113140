package stages

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/preference"
	"convene/pkg/turn"
	"convene/pkg/workflow"
	"convene/stages/candidates"
)

// situation is what is known of a turn: what a stage needs to read a message, to find candidates and to choose.
type situation struct {
	turn meet.Turn
	// now is when the turn began, in its zone.
	now          time.Time
	conversation meet.Conversation
	// asked is the message as the user wrote it; turn.Message differs if it answers a question.
	asked string
	// before are the user's words that the message answers a question about; empty if it answers none.
	before string
	// contacts are the organizer's contacts whom this turn may mean by a name.
	contacts circle
	// prefers are the organizer's preferences.
	prefers preference.Preferences
	// offered are the times that the turn before listed of the organizer's day, in that order.
	offered []interval.Span
	// day is that of what the turn before showed; zero if it was of several days, or of none.
	day interval.Date
	// atHand is the id of the event that the turns before were about; empty if there is none.
	atHand string
	// uninvites is Ports.Uninvites.
	uninvites func(message string, names []string) (more string, ok bool)
	// likely are the people whose calendars schedules read.
	likely []meet.Person
	// unknownDay are words of the message for a day that is not known: "his birthday".
	unknownDay string
	// told is the message if it tells when an event is, as the question asks; otherwise empty.
	told string
	// tasks are words of the message that name tasks of the user.
	tasks []string
	// own is what the user has; nil until it is read.
	own *own
	// ownPlan is what rules make of a message that takes several steps; nil of any other.
	ownPlan *drafted
	// grounded is what the message asks for by the things that it names.
	grounded grounded
	// mentions are the contacts whom words of the message may mean.
	mentions   []meet.Mention
	asks       *meet.Question
	schedules  *candidates.Schedules
	understood meet.Understanding
	receipt    *tally
}

// query asks for candidates at other starts than those that were offered.
func (in situation) query(draft meet.Draft, offered ...time.Time) candidates.Query {
	q := candidates.Query{Turn: in.turn, Draft: draft, Now: in.now, Schedules: in.schedules, Offered: offered}
	return preferring(q, in.prefers)
}

// preferring is the query with the times that its organizer keeps free.
func preferring(q candidates.Query, p preference.Preferences) candidates.Query {
	q.Kept = func(span interval.Span) interval.Set {
		return p.Kept(q.Draft.Template, span, q.Now.Location())
	}
	q.Buffer, q.Home, q.Office = p.Buffer, p.Home, p.Office
	return q
}

// gaveWay says which time was not chosen because the organizer keeps it free; empty if there is none.
func (in situation) gaveWay(t meet.Template, found meet.Candidates) string {
	if found.GaveWay == nil {
		return ""
	}
	for _, kept := range in.prefers.Taken(t.Activity, *found.GaveWay, in.now.Location()) {
		return message.NewVoice(in.understood.Language, in.now).GaveWay(found.GaveWay.Start, kept)
	}
	return ""
}

// taken are the doubts about an event that takes time that the organizer keeps free. One that is booked there already,
// and stays, is none.
func (in situation) taken(draft meet.Draft, e meet.Event) (doubts []meet.Doubt) {
	if was := draft.Previous; was != nil && was.Status == meet.Confirmed && was.Span() == e.Span() {
		return nil
	}
	voice := message.NewVoice(in.understood.Language, in.now)
	for _, kept := range in.prefers.Taken(draft.Template.Activity, e.Span(), in.now.Location()) {
		doubts = append(doubts, voice.Taken(e.Start, kept))
	}
	if len(doubts) > 0 && in.turn.AutoConfirm {
		in.receipt.degraded("the event was not booked by itself: it takes time that its organizer keeps free")
	}
	return doubts
}

// userWords are all words of the user in the conversation.
func (in situation) userWords() []string {
	all := words(in.asked + " " + in.turn.Message)
	for _, e := range in.conversation.History {
		all = append(all, words(e.User)...)
	}
	return all
}

// circle are the contacts whom a turn may mean by a name: those whom its caller may know.
type circle struct {
	Names
	turn meet.Turn
	// meant are the people whom the user chose for a name, by the name in lower case.
	meant map[string]meet.Person
	// decided are the people about whom the user was asked whether they take part.
	decided []meet.Decision
}

// Find lists everyone whom the name fits, or only the person whom the user chose for it, or said something of.
func (c circle) Find(name string) []meet.Person {
	if chosen, ok := c.meant[fold(name)]; ok {
		return []meet.Person{chosen}
	}
	found := c.turn.Within(c.Names.Find(name))
	for _, d := range c.decided {
		if takes(d.Person, found) {
			return []meet.Person{d.Person}
		}
	}
	return found
}

// Mentions lists those whom the words of a text may mean, with the words.
func (c circle) Mentions(text string) []meet.Mention {
	return slices.DeleteFunc(c.Names.Mentioned(text), func(m meet.Mention) bool {
		return len(c.turn.Within([]meet.Person{m.Person})) == 0
	})
}

// Mentioned lists those whose names occur in a text.
func (c circle) Mentioned(text string) []meet.Person { return meet.Mentioned(c.Mentions(text)) }

// takes reports whether a person is one of the people.
func takes(p meet.Person, people []meet.Person) bool {
	return slices.ContainsFunc(people, func(o meet.Person) bool {
		return p.ID == o.ID && (p.Known() || fold(p.Name) == fold(o.Name))
	})
}

// run is one turn on its way through the stages: its situation, and how it emits updates.
type run struct {
	situation
	// steps are those of the turn's path, set by route.
	steps []string
	// meant is the proposed event that a yes means; empty if there is none. Shown says that this turn shows the event.
	meant meet.ProposalID
	shown bool
	// aspects are what the message asks for of the proposed event; empty if it asks for no fact.
	aspects []meet.Aspect
	// anew says that the user chose to arrange a new event.
	anew bool
	// wish is what the message asks for of saved workflows and runs; nil of any other. Next is the saved workflow that the
	// turn goes on with, and saved the one whose words are being read. Taken is the run that the turn goes on with, and
	// answers says that the message is an answer to what waits.
	wish        *wish
	next, saved *workflow.Workflow
	taken       string
	answers     bool
	// corrects says that the message begins as people do who correct themselves.
	corrects bool
	// undone says what was taken back, because the message corrects it.
	undone string
	// calledOff says that what waited is called off, because the message begins with a no to it.
	calledOff string
	// catchUp brings the conversation's event up to date; until then only its ids are known.
	catchUp func() error
	journal turn.Journal
	send    turn.Emit
	// waiting are updates that go out with the next one.
	waiting []meet.Update
	// note goes after the message, and into no model's prompt: it is of the organizer's own calendar.
	note string
	// waits says, after the message, that a plan still waits for an answer.
	waits string
	unanswered
	// shortened says that the message is read without what it only tells: a change is shown before it is made.
	shortened bool
	// acknowledged says that the turn has told that it was understood, before it read all of the message.
	acknowledged bool
	// silent holds messages back, of which first comes before the next one.
	silent bool
	first  string
	// observer, clock and render are never nil.
	observer Observer
	clock    func() time.Time
	render   func(markdown string) (html string)
}

// progress tells the user which step of the path begins.
func (r *run) progress(ctx context.Context, step, text string) error {
	return r.emit(ctx, meet.ProgressUpdate{
		Text: text, Stage: step, Step: 1 + slices.Index(r.steps, step), Of: len(r.steps),
	})
}

// tell lets an update go out with the next one, or before the next step begins: together they are one write.
func (r *run) tell(u meet.Update) { r.waiting = append(r.waiting, u) }

// emit hands the updates to the log, after those that wait.
func (r *run) emit(ctx context.Context, updates ...meet.Update) error {
	updates = append(r.waiting, updates...)
	r.waiting = nil
	if r.silent {
		updates = slices.DeleteFunc(updates, func(u meet.Update) bool { _, is := u.(meet.MessageUpdate); return is })
	}
	if len(updates) == 0 {
		return nil
	}
	return r.send(ctx, updates...)
}

// message is the final message, with the note.
func (r *run) message(text string, by meet.Author) meet.MessageUpdate {
	if r.note != "" {
		text += "\n\n" + r.note
	}
	for _, more := range []string{r.waits, r.reminder()} {
		if more != "" {
			text += "\n\n" + more
		}
	}
	text = strings.TrimSpace(r.first + "\n\n" + text)
	return meet.MessageUpdate{Text: text, HTML: r.render(text), ComposedBy: by}
}

// acknowledge tells what the message was understood as, once in a turn.
func (r *run) acknowledge(intent meet.Intent, text, language string) {
	r.understood.Intent, r.understood.Acknowledgment, r.understood.Language = intent, text, language
	if r.acknowledged {
		return
	}
	r.tell(meet.AcknowledgmentUpdate{Text: text, Intent: intent, Language: language})
}

// say ends the turn with a message that code wrote.
func (r *run) say(ctx context.Context, kind meet.OutcomeKind, text string) (meet.Outcome, error) {
	text = strings.TrimSpace(r.calledOff + "\n\n" + text)
	err := r.emit(ctx, r.message(text, meet.ByCode))
	return meet.Outcome{Kind: kind, Message: text}, err
}

// end waits for what still runs and returns the receipt.
func (r *run) end() meet.Receipt {
	_ = r.catchUp() // an error has ended the turn, or no longer matters
	r.schedules.Close()
	return r.receipt.total()
}

// perform does one stage of the turn, timed and observed, unless the journal has its result.
func perform[T any](ctx context.Context, r *run, name string, do func(context.Context) (T, error)) (T, error) {
	return once(ctx, r, name, func(ctx context.Context) (result T, err error) {
		observed, ended := r.observer.Stage(ctx, name)
		defer func() { ended(err) }()
		defer r.receipt.stage(name)()
		return do(observed)
	})
}

// step is a finished step in the journal: its result, and the bill so far.
type step[T any] struct {
	Result  T            `json:"result"`
	Receipt meet.Receipt `json:"receipt"`
}

// once does a step of the turn, in a context of its own, or returns the result that the journal has of it.
func once[T any](ctx context.Context, r *run, name string, do func(context.Context) (T, error)) (T, error) {
	var kept step[T]
	if err := r.emit(ctx); err != nil {
		return kept.Result, err
	}
	ctx = turn.Enter(ctx, name)
	path := turn.PathOf(ctx)
	if raw, finished := r.journal.Begin(path); finished {
		if err := json.Unmarshal(raw, &kept); err != nil {
			return kept.Result, fmt.Errorf("journal: step %s: %w", path, err)
		}
		r.receipt.resume(kept.Receipt)
		return kept.Result, nil
	}
	result, err := do(ctx)
	if err != nil {
		return result, err
	}
	raw, err := encodeStep(result, r.receipt.total())
	if err != nil {
		return result, fmt.Errorf("journal: step %s: %w", path, err)
	}
	r.journal.Finish(path, raw)
	return result, nil
}

// encodeStep is a step as JSON. Lists of candidates that are encoded already are copied.
func encodeStep(result any, bill meet.Receipt) ([]byte, error) {
	receipt, err := json.Marshal(bill)
	if err != nil {
		return nil, err
	}
	raw := slices.Concat([]byte(`{"receipt":`), receipt, []byte(`,"result":`))
	found, ok := result.(meet.Candidates)
	if ok && found.Lists.Slots != nil {
		lists := found.Lists
		found.Slots, found.Places = nil, nil
		raw, err = meet.AppendWith(raw, found,
			meet.Member{Name: "Slots", JSON: lists.Slots}, meet.Member{Name: "Places", JSON: lists.Places})
	} else {
		var whole []byte
		if draft, is := result.(meet.Draft); is {
			whole, err = draft.MarshalJSON() // json.Marshal would read it again
		} else {
			whole, err = json.Marshal(result)
		}
		raw = append(raw, whole...)
	}
	return append(raw, '}'), err
}

// orEmpty makes nil a list that marshals as [].
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// picked are the elements of a list at the indices.
func picked[T any](list []T, indices []int) []T {
	return each(indices, func(i int) T { return list[i] })
}

// each is the list of what f makes of the elements; never nil.
func each[T, U any](list []T, f func(T) U) []U {
	made := make([]U, len(list))
	for i, e := range list {
		made[i] = f(e)
	}
	return made
}

func covers(ranges []interval.DateRange, day interval.Date) bool {
	return slices.ContainsFunc(ranges, func(r interval.DateRange) bool { return r.Contains(day) })
}
