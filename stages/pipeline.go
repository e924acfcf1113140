// Package stages is the product as a story in five steps. A message comes in, and one proposed event goes out:
//
//	classify    what is the message about?                  nano model    → meet.Understanding
//	route       which path answers that?                    a table
//	template    what exactly is wanted?                     mini model    → meet.Draft
//	candidates  which times and places suit everyone?       code only     → meet.Candidates
//	select      which of them, and in which words?          mini model    → a choice and a message
//
// Only Pipeline knows the order; no stage knows another. A model's answer is a suggestion until code has checked it:
// times come from calendars, places from a search, and a message about anything else is not shown.
package stages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
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
	answerer   answerer
}

// Run answers one turn. It emits every update but the first and the last, which belong to the caller. The outcome's
// receipt is filled in on errors too.
//
// The journal keeps each finished step. A turn that runs again with the same journal repeats no step, and emits the
// same updates; the runner leaves out those that were emitted before.
func (p *Pipeline) Run(
	ctx context.Context, turn meet.Turn, journal turn.Journal, emit turn.Emit,
) (outcome meet.Outcome, err error) {
	r, err := p.begin(ctx, turn, journal, emit)
	if err != nil {
		return meet.Outcome{}, err
	}
	defer func() { outcome.Receipt = r.end() }()

	outcome, err = p.answer(ctx, r)
	if err == nil && r.next != nil {
		outcome, err = p.runSaved(ctx, r)
	}
	if err != nil {
		p.answerer.release(ctx, r)
		p.notebook.interrupt(ctx, r)
		return outcome, err
	}
	if err := r.emit(ctx); err != nil {
		return outcome, err
	}
	p.notebook.remember(ctx, r, outcome)
	return outcome, nil
}

// answer does what the message says to what waits or of saved workflows, or takes it for a message of its own.
func (p *Pipeline) answer(ctx context.Context, r *run) (outcome meet.Outcome, err error) {
	if r.declines {
		return r.declined(ctx)
	}
	if outcome, ends, err := p.recalls(ctx, r); ends || err != nil {
		return outcome, err
	}
	if err := p.wishes(ctx, r); err != nil {
		return outcome, err
	}
	if r.wish != nil {
		return p.grant(ctx, r)
	}
	said, err := p.answerer.reply(ctx, r)
	if err != nil {
		return outcome, err
	}
	if said.Kind != Other && !r.resume(said) {
		return p.answerer.settle(ctx, r, said)
	}
	r.corrects = said.Corrects || said.Denies
	retimed := p.retime(ctx, r)
	if said.Denies || retimed {
		if err := p.answerer.deny(ctx, r); err != nil {
			return outcome, err
		}
	}
	if retimed {
		r.calledOff = "" // the same waits anew
	}
	if outcome, ends, err := p.book(ctx, r); ends || err != nil {
		return outcome, err
	}
	return p.readAfter(ctx, r)
}

// read takes the message for one of its own: stages 1 and 2, and a path.
func (p *Pipeline) read(ctx context.Context, r *run) (outcome meet.Outcome, err error) {
	if language := ground.TakenBack(r.asked); language != "" {
		return r.takenBack(ctx, language)
	}
	if outcome, ends, err := p.writer(ctx, r); ends || err != nil {
		return outcome, err
	}
	if err := p.restate(r); err != nil {
		return outcome, err
	}
	if err := p.names(ctx, r); err != nil {
		return outcome, err
	}
	if err := p.understand(ctx, r); err != nil {
		return outcome, err
	}
	if err := r.catchUp(); err != nil {
		return outcome, err
	}
	if open := r.conversation.Waiting; open != nil {
		r.offered, r.day, r.atHand = open.Times, open.Day, r.eventAtHand()
		r.conversation.Waiting = aged(*open, r.understood.Intent)
		p.answerer.stillWaits(ctx, r)
	}
	if r.grounded.Reports {
		return p.answerer.ask(ctx, r, r.voice().Reported())
	}
	return route(ctx, p.intents, r)
}

// takenBack answers a message that takes back at its end what it asks for: nothing is done, and what waits still waits.
func (r *run) takenBack(ctx context.Context, language string) (meet.Outcome, error) {
	r.acknowledge(meet.Converse, message.NewVoice(language, r.now).Cancelled(), language)
	return r.say(ctx, meet.OutcomeAnswered, r.understood.Acknowledgment)
}

// understand is stage 1. The acknowledgment goes out with the next step's progress.
func (p *Pipeline) understand(ctx context.Context, r *run) (err error) {
	asked, language := p.asked(r.situation)
	r.aspects = asked
	r.understood, err = perform(ctx, r, "classify", func(ctx context.Context) (meet.Understanding, error) {
		if len(asked) > 0 {
			look := message.Look(language)
			return meet.Understanding{Intent: meet.Converse, Acknowledgment: look, Language: language}, nil
		}
		understood, err := p.classify.understand(ctx, r.situation)
		if err == nil {
			understood.Acknowledgment = harmless(understood, r.asked+" "+r.turn.Message, r.receipt)
		}
		return understood, err
	})
	if err != nil {
		return err
	}
	if err := p.readPlan(ctx, r); err != nil {
		return err
	}
	if err := p.ground(ctx, r); err != nil {
		return err
	}
	if r.saved == nil { // the wish to run it was acknowledged
		r.acknowledge(r.understood.Intent, r.understood.Acknowledgment, r.understood.Language)
	}
	return nil
}

// asked is what the message asks for of the event that is proposed, if there is one.
func (p *Pipeline) asked(in situation) (asked []meet.Aspect, language string) {
	if search := in.conversation.Search; p.ports.Asked == nil || search == nil || search.Event == nil {
		return nil, ""
	}
	return p.ports.Asked(in.turn.Message, in.conversation.History)
}

// schedule is the path of an event, new or changed: stages 3, 4 and 5.
func (p *Pipeline) schedule(ctx context.Context, r *run) (meet.Outcome, error) {
	if there, err := p.stands(ctx, r); err != nil || len(there.IDs) > 0 {
		if err != nil {
			return meet.Outcome{}, err
		}
		return r.askAbout(ctx, there)
	}
	if r.unknownDay != "" {
		return r.askDay(ctx)
	}
	draft, err := p.draft(ctx, r)
	if err != nil {
		return meet.Outcome{}, err
	}
	if draft.Ending != nil {
		return endWith(ctx, r, draft)
	}
	if series := r.series(draft); series != nil && p.ports.Worlds != nil {
		return p.answerer.carry(ctx, r, *series)
	}
	r.tell(meet.TemplateUpdate{Template: draft.Template, Mode: draft.Mode})
	restore(&r.conversation, draft)
	r.note = r.facts().Anchored(draft.Anchored)
	if draft.Mode == meet.ModeNew {
		if err := p.lookUp(ctx, r); err != nil {
			return meet.Outcome{}, err
		}
		r.setAside()
	}
	draft = apart(r.situation, draft)
	found, err := p.find(ctx, r, draft, nil)
	if err != nil {
		return meet.Outcome{}, err
	}
	r.note = strings.TrimSpace(r.note + "\n\n" + r.gaveWay(draft.Template, found))
	r.tell(countOf(found))
	switch {
	case len(found.Slots) == 0:
		return p.proposer.nothing(ctx, r, draft, found)
	case unmatched(draft, found):
		return p.proposer.keep(ctx, r, draft, found)
	default:
		return p.proposer.propose(ctx, r, draft, found)
	}
}

// draft is stage 3: the event that the message asks for.
func (p *Pipeline) draft(ctx context.Context, r *run) (meet.Draft, error) {
	text := "Getting schedules..."
	if len(r.turn.Availability) > 0 {
		text = "Thinking..."
	}
	if err := r.progress(ctx, "template", text); err != nil {
		return meet.Draft{}, err
	}
	return perform(ctx, r, "template", func(ctx context.Context) (meet.Draft, error) {
		return p.template.fill(ctx, r.situation)
	})
}

// endWith ends the turn after stage 3: with a page to open, with a question that the next message may answer, or with
// the suggestions that are left.
func endWith(ctx context.Context, r *run, draft meet.Draft) (meet.Outcome, error) {
	switch ending := draft.Ending.(type) {
	case meet.Navigate:
		err := r.emit(ctx, meet.NavigateUpdate{URL: string(ending)})
		return meet.Outcome{Kind: meet.OutcomeNavigate, Message: r.understood.Acknowledgment}, err
	case *meet.Question:
		for _, u := range r.choicesOf(ending) {
			r.tell(u)
		}
		r.conversation.Question = ending
		return r.say(ctx, meet.OutcomeQuestion, ending.Text)
	case meet.Missed:
		return suggestAgain(ctx, r, ending, draft.Template.Title)
	}
	return meet.Outcome{}, fmt.Errorf("a draft ends with %T", draft.Ending)
}

// find is stage 4: the candidates, at other starts than those that were offered. If a calendar keeps the others
// waiting, their number without it is emitted first, as preliminary.
func (p *Pipeline) find(ctx context.Context, r *run, draft meet.Draft, offered []time.Time) (meet.Candidates, error) {
	if err := r.progress(ctx, "candidates", "Narrowing down times & places..."); err != nil {
		return meet.Candidates{}, err
	}
	return perform(ctx, r, "candidates", func(ctx context.Context) (meet.Candidates, error) {
		return p.candidates.search(ctx, r.situation, draft, offered,
			func(u meet.CandidatesUpdate) error { return r.emit(ctx, u) })
	})
}

// unmatched reports whether the event stays as it is: the answer to a question ("any earlier times?") is no, or there
// is no earlier or later time as wished, and the event must not move the other way.
func unmatched(draft meet.Draft, found meet.Candidates) bool {
	missed := found.HasNoCommonTime || found.HasExplicitTimeConflict
	ofPlace := draft.Edit != nil && draft.Edit.ChangedPlace && !draft.Edit.ChangedTime // "anything cheaper?"
	may := draft.Edit != nil && (draft.Edit.Conditional || draft.Edit.Preference != meet.NoPreference)
	return may && missed && !ofPlace
}

// New wires the stages to their ports.
func New(ports Ports, cfg Config) (*Pipeline, error) {
	cfg.Config = cfg.WithDefaults()
	cfg.IdeasPatience = cmp.Or(cfg.IdeasPatience, 25*time.Second)
	cfg.PlansKeep = cmp.Or(cfg.PlansKeep, 24*time.Hour)
	if ports.Observer == nil {
		ports.Observer = unobserved{}
	}
	if ports.Render == nil {
		ports.Render = func(string) string { return "" }
	}
	models, err := newAsker(ports.Model)
	if err != nil {
		return nil, err
	}
	finder := candidates.New(candidates.Ports{
		Calendars: ports.Calendars, Booked: ports.Booked, Places: ports.Places, Router: ports.Router,
	}, cfg.Config)
	p := &Pipeline{
		ports:      ports,
		candidates: searcher{finder},
		proposer:   proposer{newSelector(models), ports.Proposals, ports.Confirmer},
		notebook:   notebook{ports.Memory, ports.Contacts, ports.Proposals, ports.Preferences, ports.Now},
	}
	rules := newClassifier(asker{ports.Reader, models.prompts, models.instructions}, Intents())
	tools, err := functions.NewToolbox(functions.Tools())
	if err != nil {
		return nil, err
	}
	forPlans, err := catalogueOf(functions.Tools())
	if err != nil {
		return nil, err
	}
	beside := rules.asker
	if ports.Ruled {
		beside = asker{}
	}
	p.answerer = answerer{
		worker{
			changer{ports.Changes, ports.Confirmer}, planner{models, tools, beside},
			drafter{p.plans(forPlans), ports.Ruled || ports.Reader == nil, forPlans, cfg.PlansKeep}, ports.Worlds,
			ports.Runs, ports.Sure,
		},
		ports.Reply,
	}
	p.intents = intents(paths{
		work:              p.answerer.answer,
		schedule:          p.schedule,
		showMore:          furtherOptions{finder, ports.Proposals, p.find}.showMore,
		suggestActivities: suggester{ports.Activities, cfg.IdeasPatience, cfg.Notice}.suggest,
	})
	if ports.Worlds == nil {
		p.intents = slices.DeleteFunc(p.intents, func(i intent) bool { return i.Name == meet.Look || i.Name == meet.Act })
	}
	p.classify = newClassifier(models, described(p.intents))
	p.template = templater{
		models, functions.NewTemplates(), secondReader{rules.asker, rules.alone}, ports.Gazetteer,
		&anchors{ports.Agenda, cfg.Patience}, ports.Unread,
	}
	return p, nil
}

// begin recalls the conversation and starts to read the calendars of the people who are likely to take part.
func (p *Pipeline) begin(ctx context.Context, turn meet.Turn, journal turn.Journal, emit turn.Emit) (*run, error) {
	known, err := p.notebook.recall(ctx, turn)
	if err != nil {
		return nil, err
	}
	turn.Organizer = known.prefers.For(turn.Organizer)
	r := &run{
		situation: situation{
			turn: turn, now: p.ports.Now().In(turn.Zone()), conversation: known.talk, asked: turn.Message,
			contacts: circle{Names: known.contacts, turn: turn}, prefers: known.prefers, receipt: new(tally),
			uninvites: p.ports.Uninvites,
		},
		journal:  journal,
		send:     emit,
		observer: p.ports.Observer,
		clock:    p.ports.Now,
		render:   p.ports.Render,
	}
	r.catchUp = func() error { return nil }
	if err := r.reopen(ctx); err != nil {
		return nil, err
	}
	if err := p.await(ctx, r); err != nil {
		return nil, err
	}
	r.catchUp = p.notebook.catchUp(ctx, &r.conversation)
	if p.ports.Language != nil {
		r.understood.Language = p.ports.Language(turn.Message, r.conversation.History)
	}
	if err := p.answerer.point(ctx, r); err != nil {
		return nil, err
	}
	if err := r.press(); err != nil {
		return nil, err
	}
	p.nameDescribed(ctx, r)
	r.answerQuestion()
	r.order = p.ordered(r)
	p.answerAsked(ctx, r)
	r.nameBoth()
	r.nameCompanion()
	p.nameBirthday(ctx, r)
	r.mentions = r.contacts.Mentions(r.turn.Message)
	p.withoutTold(ctx, r)
	r.likely = slices.Concat([]meet.Person{turn.Organizer}, turn.Participants, meet.Mentioned(r.mentions))
	moved := "" // the event that this turn may move does not block itself
	if search := r.conversation.Search; search != nil {
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

// Evaluator runs only the stages in which models read, without any calendar.
type Evaluator struct {
	classify classifier
	template templater
}

// NewEvaluator returns an evaluator of a model.
func NewEvaluator(m Model) (*Evaluator, error) {
	a, err := newAsker(m)
	if err != nil {
		return nil, err
	}
	return &Evaluator{newClassifier(a, Intents()), templater{asker: a, functions: functions.NewTemplates()}}, nil
}

// Read returns what a message means after a conversation, at a time that carries the zone. The draft is nil if the
// message is not about an event.
func (e *Evaluator) Read(
	ctx context.Context, turn meet.Turn, talk meet.Conversation, now time.Time,
) (meet.Understanding, *meet.Draft, error) {
	in := situation{
		turn: turn, now: now, conversation: talk, asked: turn.Message, receipt: new(tally), contacts: circle{
			Names: nobody{}, turn: turn,
		},
	}
	understood, err := e.classify.understand(ctx, in)
	if err != nil || understood.Intent != meet.HandleEvent {
		return understood, nil, err
	}
	in.understood = understood
	draft, err := e.template.fill(ctx, in)
	return understood, &draft, err
}

// nobody has no contacts.
type nobody struct{}

func (nobody) Find(string) []meet.Person       { return nil }
func (nobody) Mentioned(string) []meet.Mention { return nil }
