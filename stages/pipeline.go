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
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"convene/functions"
	"convene/pkg/meet"
	"convene/pkg/turn"
	"convene/stages/candidates"
)

// Pipeline runs turns. It holds no state of any turn and is safe for concurrent use.
type Pipeline struct {
	ports      Ports
	intents    []intent
	classify   classifier
	template   templater
	candidates searcher
	proposer   proposer
	notebook   notebook
}

// Run answers one turn. It emits every update but the first and the last, which belong to whoever runs it. The
// outcome's receipt is filled in on errors too.
//
// Each finished step is kept in the journal. A turn that is run again with the same journal repeats no step, and emits
// the same updates; the runner leaves out those that were emitted before.
func (p *Pipeline) Run(
	ctx context.Context, turn meet.Turn, journal turn.Journal, emit turn.Emit,
) (outcome meet.Outcome, err error) {
	r, err := p.begin(ctx, turn, journal, emit)
	if err != nil {
		return meet.Outcome{}, err
	}
	defer func() { outcome.Receipt = r.end() }()

	if err := p.understand(ctx, r); err != nil {
		return outcome, err
	}
	if err := r.catchUp(); err != nil {
		return outcome, err
	}
	outcome, err = route(ctx, p.intents, r)
	if err == nil {
		err = r.emit(ctx)
	}
	if err == nil {
		p.notebook.remember(ctx, r, outcome)
	}
	return outcome, err
}

// understand is stage 1: the acknowledgment goes out before the next step begins, with what is told of that.
func (p *Pipeline) understand(ctx context.Context, r *run) (err error) {
	r.understood, err = perform(ctx, r, "classify", func(ctx context.Context) (meet.Understanding, error) {
		understood, err := p.classify.understand(ctx, r.turn.Message, r.conversation, r.receipt)
		if err == nil {
			understood.Acknowledgment = harmless(understood, r.asked+" "+r.turn.Message, r.receipt)
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

// schedule is the path of an event, new or changed: stages 3, 4 and 5.
func (p *Pipeline) schedule(ctx context.Context, r *run) (meet.Outcome, error) {
	draft, err := p.draft(ctx, r)
	if err != nil {
		return meet.Outcome{}, err
	}
	if draft.Ending != nil {
		return endWith(ctx, r, draft)
	}
	r.tell(meet.TemplateUpdate{Template: draft.Template, Mode: draft.Mode})
	restore(&r.conversation, draft)
	draft = apart(r.situation, draft)
	found, err := p.find(ctx, r, draft, nil)
	if err != nil {
		return meet.Outcome{}, err
	}
	r.tell(countOf(found, r.understood.Language))
	switch {
	case len(found.Slots) == 0:
		return p.proposer.nothing(ctx, r, draft, found)
	case unmatched(draft, found):
		return p.proposer.keep(ctx, r, draft, found)
	default:
		return p.proposer.propose(ctx, r, draft, found)
	}
}

// draft is stage 3: what was understood.
func (p *Pipeline) draft(ctx context.Context, r *run) (meet.Draft, error) {
	text := "Getting schedules..."
	if len(r.turn.Availability) > 0 {
		text = "Thinking..."
	}
	if err := r.progress(ctx, 3, "template", text); err != nil {
		return meet.Draft{}, err
	}
	return perform(ctx, r, "template", func(ctx context.Context) (meet.Draft, error) {
		return p.template.fill(ctx, r.situation)
	})
}

// endWith ends the turn as stage 3 says: with a page to open, with a question that the next message may answer, or with
// what is left of the suggestions.
func endWith(ctx context.Context, r *run, draft meet.Draft) (meet.Outcome, error) {
	switch ending := draft.Ending.(type) {
	case meet.Navigate:
		err := r.emit(ctx, meet.NavigateUpdate{URL: string(ending)})
		return meet.Outcome{Kind: meet.OutcomeNavigate, Message: r.understood.Acknowledgment}, err
	case *meet.Question:
		r.conversation.Question = ending
		return r.say(ctx, meet.OutcomeQuestion, ending.Text)
	case meet.Missed:
		return suggestAgain(ctx, r, ending, draft.Template.Title)
	}
	return meet.Outcome{}, fmt.Errorf("a draft ends with %T", draft.Ending)
}

// find is stage 4: how much there is to choose from, at other starts than those that were offered. While some calendar
// keeps the others waiting, what there is without it is told already, as preliminary.
func (p *Pipeline) find(
	ctx context.Context, r *run, draft meet.Draft, offered []time.Time,
) (meet.Candidates, error) {
	if err := r.progress(ctx, 4, "candidates", "Narrowing down times & places..."); err != nil {
		return meet.Candidates{}, err
	}
	return perform(ctx, r, "candidates", func(ctx context.Context) (meet.Candidates, error) {
		return p.candidates.search(ctx, r.situation, draft, offered,
			func(u meet.CandidatesUpdate) error { return r.emit(ctx, u) })
	})
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
	cfg.Config = cfg.WithDefaults()
	cfg.IdeasPatience = cmp.Or(cfg.IdeasPatience, 25*time.Second)
	if ports.Observer == nil {
		ports.Observer = unobserved{}
	}
	if ports.Render == nil {
		ports.Render = func(string) string { return "" }
	}
	prompts, err := newAsker(ports.Model)
	if err != nil {
		return nil, err
	}
	finder := candidates.New(candidates.Ports{
		Calendars: ports.Calendars, Booked: ports.Booked, Places: ports.Places, Router: ports.Router,
	}, cfg.Config)
	p := &Pipeline{
		ports:      ports,
		candidates: searcher{finder},
		proposer:   proposer{newSelector(prompts), ports.Proposals, ports.Confirmer},
		notebook:   notebook{ports.Memory, ports.Contacts, ports.Proposals, ports.Now},
	}
	p.intents = intents(paths{
		schedule:          p.schedule,
		showMore:          furtherOptions{finder, ports.Proposals, p.find}.showMore,
		suggestActivities: suggester{ports.Activities, cfg.IdeasPatience, cfg.Notice}.suggest,
	})
	p.classify = newClassifier(prompts, described(p.intents))
	rules := newClassifier(asker{ports.Reader, prompts.prompts, prompts.told}, described(p.intents))
	p.template = templater{prompts, functions.NewTemplates(), secondReader{rules.asker, rules.alone}}
	return p, nil
}

// begin recalls the conversation and starts to read the calendars of everyone who is likely to take part.
func (p *Pipeline) begin(ctx context.Context, turn meet.Turn, journal turn.Journal, emit turn.Emit) (*run, error) {
	conversation, contacts, err := p.notebook.recall(ctx, turn)
	if err != nil {
		return nil, err
	}
	r := &run{
		situation: situation{
			turn: turn, now: p.ports.Now().In(turn.Zone()), conversation: conversation, asked: turn.Message,
			contacts: circle{Names: contacts, turn: turn}, receipt: newTally(),
		},
		journal:  journal,
		send:     emit,
		observer: p.ports.Observer,
		render:   p.ports.Render,
	}
	r.catchUp = p.notebook.catchUp(ctx, &r.conversation)
	r.answerQuestion()
	r.likely = append(append([]meet.Person{turn.Organizer}, turn.Participants...), r.contacts.Mentioned(r.turn.Message)...)
	moved := "" // the event that this turn may move: its own time does not stand in its way
	if search := conversation.Search; search != nil {
		r.likely = append(r.likely, search.People...)
		if search.Event != nil {
			moved = search.Event.UID
		}
	}
	r.schedules = p.candidates.finder.Read(ctx, r.turn, meet.BusyQuery{
		People: r.likely, Span: candidates.Soon(r.now), Except: moved,
	})
	return r, nil
}

// mostFresh is how many times are offered in place of one that has gone.
const mostFresh = 5

// Fresh finds times for an event whose own has gone, as the calendars are now: times that suit everyone, as far as was
// known of the one that has gone. It uses no model.
func (p *Pipeline) Fresh(ctx context.Context, turn meet.Turn, e meet.Event) ([]meet.Slot, error) {
	talk, err := p.ports.Memory.Load(ctx, memoryOf(turn))
	if err != nil {
		return nil, err
	}
	draft := draftOf(e)
	if s := talk.Search; s != nil && s.Event != nil && s.Event.ID == e.ID {
		draft = meet.Draft{Mode: meet.ModeNew, Template: s.Template, People: s.People, OnlyThen: s.OnlyThen}
	}
	if draft.OnlyThen {
		return nil, nil
	}
	draft.Previous = &e // what is being booked does not stand in its own way
	q := candidates.Query{Turn: turn, Draft: draft, Now: p.ports.Now().In(turn.Zone())}
	q.Schedules = p.candidates.finder.Read(ctx, turn, meet.BusyQuery{
		People: draft.Everyone(turn.Organizer), Span: candidates.Soon(q.Now), Except: e.UID, Fresh: true,
	})
	defer q.Schedules.Close()
	found, err := p.candidates.finder.Slots(ctx, q, candidates.VenuesOf(&e))
	if err != nil {
		return nil, err
	}
	var free []meet.Slot
	for _, s := range found.Slots {
		if suits(s, e.Unknown) && len(free) < mostFresh {
			free = append(free, s)
		}
	}
	return free, nil
}

// suits reports whether all that stands against a slot is that the same people's calendars are unknown as before.
func suits(s meet.Slot, unknown []string) bool {
	news := func(name string) bool { return !slices.Contains(unknown, name) }
	return s.State == meet.SlotFree || s.State == meet.SlotUnknown && !slices.ContainsFunc(s.Unknown, news)
}

// draftOf is the wish behind an event whose conversation is forgotten: the same people, for as long, on any day soon.
func draftOf(e meet.Event) meet.Draft {
	draft := meet.Draft{Mode: meet.ModeNew, Template: meet.Template{
		Title: e.Title, EventType: e.EventType, Activity: meet.Meeting,
		Duration: int(e.End.Sub(e.Start).Minutes()), TravelBuffer: e.TravelBuffer.Shared(),
	}}
	for _, p := range e.Participants[min(1, len(e.Participants)):] {
		draft.People = append(draft.People, meet.Person{ID: p.ID, Name: p.Name, Email: p.Email, Timezone: p.Timezone})
	}
	return draft
}

// Evaluator runs only what a turn's models understand: stages 1 to 3, without any calendar. It serves evaluation.
type Evaluator struct {
	classify classifier
	template templater
}

// NewEvaluator reads with a model.
func NewEvaluator(m Model) (*Evaluator, error) {
	a, err := newAsker(m)
	if err != nil {
		return nil, err
	}
	return &Evaluator{newClassifier(a, Intents()), templater{asker: a, functions: functions.NewTemplates()}}, nil
}

// Read says what a message means after a conversation, at a time that carries the zone. The draft is nil where the
// message is not about an event.
func (e *Evaluator) Read(
	ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
) (meet.Understanding, *meet.Draft, error) {
	in := situation{
		turn: turn, now: now, conversation: talk, asked: turn.Message, receipt: newTally(), contacts: circle{
			Names: nobody{}, turn: turn,
		},
	}
	understood, err := e.classify.understand(ctx, turn.Message, talk, in.receipt)
	if err != nil || understood.Intent != meet.HandleEvent {
		return understood, nil, err
	}
	in.understood = understood
	draft, err := e.template.fill(ctx, in)
	return understood, &draft, err
}

// nobody has no contacts.
type nobody struct{}

func (nobody) Find(string) []meet.Person      { return nil }
func (nobody) Mentioned(string) []meet.Person { return nil }
