// Package stages is the product as a story in five steps. A message comes in, and one proposed event goes out:
//
//	classify    what is the message about?                  nano model    → meet.Understanding
//	route       which path answers that?                    a table
//	template    what exactly is wanted?                     mini model    → meet.Draft
//	candidates  which times and places suit everybody?      code only     → meet.Candidates
//	select      which of them, and how is it told?          mini model    → a choice and a message
//
// Pipeline alone knows the order; no stage knows another. What a model says is a suggestion until code has checked it:
// times come from calendars, places from a search, and a message that speaks of anything else is not shown.
package stages

import (
	"context"
	"fmt"
	"time"

	"convene/pkg/meet"
	"convene/pkg/travel"
)

// The ports through which the stages reach the world. Each is named for the thing, and cmd wires an adapter to it.
type (
	// Calendars reads busy times. A person whose calendar cannot be read is in the answer as unknown; an error means
	// that nothing at all could be asked. What q.Tell hears before is shown early.
	Calendars interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Reading, error)
	}
	// Booked reads only what Convene itself has written into calendars; it is asked about people for whom the request
	// speaks.
	Booked interface {
		Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Reading, error)
	}
	// Places searches venues, best first.
	Places interface {
		Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error)
	}
	// Activities suggests what to do.
	Activities interface {
		Suggest(ctx context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error)
	}
	// Contacts are the people whom an organizer may mean, read once for a whole turn.
	Contacts interface {
		Of(ctx context.Context, organizer meet.PersonID) (Names, error)
	}
	// Names are what the contacts of one organizer are called.
	Names interface {
		// Find lists everyone whom a name fits; none where nobody is known by it.
		Find(name string) []meet.Person
		// Mentioned lists those whose names occur in a text; it may list too many.
		Mentioned(text string) []meet.Person
	}
	// Memory keeps a conversation for 30 minutes. An unknown one loads as empty.
	Memory interface {
		Load(ctx context.Context, id meet.ConversationID) (meet.Conversation, error)
		Save(ctx context.Context, c meet.Conversation) error
	}
	// Proposals keeps what was proposed, with the turn that asked for it, until it is confirmed or expires.
	Proposals interface {
		// SaveProposal leaves a proposal that is there already as it is: it may have been confirmed since. The event comes in
		// JSON too, if it has been encoded.
		SaveProposal(ctx context.Context, e meet.Event, raw []byte, t meet.Turn) error
		// LoadProposal is a fault.NotFound where there is none.
		LoadProposal(ctx context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error)
		UpdateProposal(ctx context.Context, id meet.ProposalID, change func(*meet.Event) error) (meet.Event, error)
	}
	// Confirmer writes a proposal to the calendars.
	Confirmer interface {
		ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error)
	}
)

// Ports are all that a pipeline needs. All but Reader, Router and Observer are required.
type Ports struct {
	Model Model
	// Reader reads messages by rules, in the same calls as Model: what Model makes of a message is held against that. Nil
	// holds it against nothing, as if Model were rules itself.
	Reader     Model
	Calendars  Calendars
	Booked     Booked
	Places     Places
	Activities Activities
	Contacts   Contacts
	Memory     Memory
	Proposals  Proposals
	Confirmer  Confirmer
	// Router knows how long ways take. Defaults to travel.Model.
	Router travel.Router
	// Observer is told of the stages.
	Observer Observer
	// Render makes HTML of a message's Markdown that any page may show. Defaults to none.
	Render func(markdown string) (html string)
	// Now is the clock.
	Now func() time.Time
}

// Config is what may be set; the zero value works.
type Config struct {
	// Notice is how long before its start an event may still be proposed. Defaults to 30 minutes.
	Notice time.Duration
	// Patience bounds the place search and each reading of calendars. Defaults to 5 s.
	Patience time.Duration
	// IdeasPatience bounds the search for something to do, which may be one of the web. Defaults to 25 s.
	IdeasPatience time.Duration
	// Grace is how long stage 4 waits for calendars before it tells what it has so far. Defaults to 150 ms.
	Grace time.Duration
}

// Emit hands updates to the log, all of them or none. Its error ends the turn.
type Emit func(ctx context.Context, updates ...meet.Update) error

// Pipeline runs turns. It holds no state of any turn and is safe for concurrent use.
type Pipeline struct {
	ports      Ports
	intents    []intent
	classify   classifier
	template   templater
	candidates finder
	selection  selector
}

// Run answers one turn. It emits every update but the first and the last, which belong to whoever runs it. The
// outcome's receipt is filled in on errors too.
//
// Each finished step is kept in the journal. A turn that is run again with the same journal repeats no step, and emits
// the same updates; whoever runs it leaves out those that were emitted before.
func (p *Pipeline) Run(
	ctx context.Context, turn meet.Turn, journal Journal, emit Emit,
) (outcome meet.Outcome, err error) {
	r, err := p.begin(ctx, turn, journal, emit)
	if err != nil {
		return meet.Outcome{}, err
	}
	defer func() { outcome.Receipt = r.end() }()

	if err := r.understand(ctx, p.classify); err != nil {
		return outcome, err
	}
	if err := r.catchUp(); err != nil {
		return outcome, err
	}
	outcome, err = p.route(ctx, r)
	if err == nil {
		err = r.emit(ctx)
	}
	if err == nil {
		p.remember(ctx, r, outcome)
	}
	return outcome, err
}

// schedule is the path of an event, new or changed: stages 3, 4 and 5.
func (p *Pipeline) schedule(ctx context.Context, r *run) (meet.Outcome, error) {
	draft, err := r.draft(ctx, p.template)
	if err != nil {
		return meet.Outcome{}, err
	}
	if draft.Ending != nil {
		return r.finish(ctx, draft)
	}
	r.goOn(draft)
	draft = r.apart(draft)
	found, err := r.find(ctx, p.candidates, draft)
	switch {
	case err != nil:
		return meet.Outcome{}, err
	case len(found.Slots) == 0:
		return p.nothing(ctx, r, draft, found)
	case unmatched(draft, found):
		return p.keep(ctx, r, draft, found)
	default:
		return p.propose(ctx, r, draft, found)
	}
}

// finish ends the turn as stage 3 says: with a page to open, with a question that the next message may answer, or with
// what is left of the suggestions.
func (r *run) finish(ctx context.Context, draft meet.Draft) (meet.Outcome, error) {
	switch ending := draft.Ending.(type) {
	case meet.Navigate:
		err := r.emit(ctx, meet.NavigateUpdate{URL: string(ending)})
		return meet.Outcome{Kind: meet.OutcomeNavigate, Message: r.understood.Acknowledgment}, err
	case *meet.Question:
		r.conversation.Question = ending
		return r.say(ctx, meet.OutcomeQuestion, ending.Text)
	case meet.Missed:
		return r.missed(ctx, ending, draft.Template.Title)
	}
	return meet.Outcome{}, fmt.Errorf("a draft ends with %T", draft.Ending)
}

// unmatched reports whether the event stays as it is: a question ("any earlier times?") to which the answer is no, or a
// wish for an earlier or later time where there is none, which must not move the event the other way.
func unmatched(draft meet.Draft, found meet.Candidates) bool {
	if draft.Edit == nil {
		return false
	}
	missed := found.HasNoCommonTime || found.HasExplicitTimeConflict
	return missed && (draft.Edit.Conditional || draft.Edit.Preference != meet.NoPreference)
}

// New wires the stages to their ports.
func New(ports Ports, cfg Config) (*Pipeline, error) {
	orDefault(&cfg.Notice, 30*time.Minute)
	orDefault(&cfg.Patience, 5*time.Second)
	orDefault(&cfg.IdeasPatience, 25*time.Second)
	orDefault(&cfg.Grace, 150*time.Millisecond)
	orDefault[Observer](&ports.Observer, unobserved{})
	orDefault[travel.Router](&ports.Router, travel.Model{})
	if ports.Render == nil {
		ports.Render = func(string) string { return "" }
	}
	ports.Places, ports.Activities = captionedPlaces{ports.Places}, captionedActivities{ports.Activities}
	prompts, err := newAsker(ports.Model)
	if err != nil {
		return nil, err
	}
	table := intents()
	return &Pipeline{
		ports:      ports,
		intents:    table,
		classify:   newClassifier(prompts, told(table)),
		template:   newTemplater(prompts, told(table), ports.Reader),
		candidates: finder{ports.Calendars, ports.Booked, ports.Places, ports.Router, cfg},
		selection:  newSelector(prompts),
	}, nil
}

// begin recalls the conversation and starts reading the calendars of everybody who is likely to take part.
func (p *Pipeline) begin(ctx context.Context, turn meet.Turn, journal Journal, emit Emit) (*run, error) {
	conversation, contacts, err := p.recall(ctx, turn)
	if err != nil {
		return nil, err
	}
	r := &run{
		circumstances: circumstances{turn: turn, now: p.ports.Now().In(turn.Zone())},
		conversation:  conversation,
		asked:         turn.Message,
		journal:       journal,
		send:          emit,
		receipt:       newTally(),
		observer:      p.ports.Observer,
		render:        p.ports.Render,
	}
	r.catchUp = p.catchUp(ctx, &r.conversation)
	r.contacts = circle{contacts, turn}
	r.answerQuestion()
	mentioned := r.contacts.Mentioned(r.turn.Message)
	r.likely = append(append([]meet.Person{turn.Organizer}, turn.Participants...), mentioned...)
	if search := conversation.Search; search != nil {
		r.likely = append(r.likely, search.People...)
	}
	r.schedules = p.candidates.read(ctx, r.turn, meet.BusyQuery{
		People: r.likely, Span: soon(r.now), Except: r.previousUID(),
	})
	return r, nil
}

// circle are the contacts of whom the turn's caller may know.
type circle struct {
	Names
	turn meet.Turn
}

func (c circle) Find(name string) []meet.Person      { return c.turn.Within(c.Names.Find(name)) }
func (c circle) Mentioned(text string) []meet.Person { return c.turn.Within(c.Names.Mentioned(text)) }
