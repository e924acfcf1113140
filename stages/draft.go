package stages

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/plan"
	"convene/prompts"
)

// drafted is what became of a message that takes several steps: a plan, or a question if it is nil. Without either the
// user is asked for the first step.
type drafted struct {
	Plan     *plan.Plan `json:"plan,omitempty"`
	Question string     `json:"question,omitempty"`
	// Heard says that code read the plan in the user's own words.
	Heard bool `json:"heard,omitempty"`
	// Aside are words that only tell something, and are left aside.
	Aside string `json:"aside,omitempty"`
}

// drafter makes plans.
type drafter struct {
	// own reads a plan by rules; nil reads none.
	own func(ctx context.Context, r *run) (drafted, bool)
	// ruled says that there is no model beside the rules.
	ruled bool
	tools plan.Catalogue
	// keep is how long a plan waits for its user.
	keep time.Duration
}

// draft makes the plan: by the model or, if it cannot, by what code reads in the message.
func (w worker) draft(ctx context.Context, r *run) (made drafted, err error) {
	if r.ownPlan != nil {
		return *r.ownPlan, nil
	}
	if w.drafts.ruled {
		return made, nil
	}
	degraded := len(r.receipt.total().Degraded)
	made, err = w.planner.several(ctx, r.situation, w.drafts.tools)
	if made.Plan != nil {
		*made.Plan = harmlessIn(*made.Plan, r)
	}
	if ctx.Err() != nil {
		return made, context.Cause(ctx)
	}
	failed := err != nil || len(r.receipt.total().Degraded) > degraded
	if failed && w.drafts.own != nil {
		if own, ok := w.drafts.own(ctx, r); ok {
			r.receipt.degraded("the steps were read by the built-in rules")
			return own, nil
		}
	}
	if _, told := errors.AsType[*fault.Error](err); told && fault.CodeOf(err) == fault.ModelAnswer {
		return drafted{}, nil // the user is asked
	}
	return made, err
}

// harmlessIn is a model's plan without words for its steps that may not be true: they are told what is done, and know
// nothing of any calendar.
func harmlessIn(p plan.Plan, r *run) plan.Plan {
	clean := func(text string) string {
		text, problems := message.Acknowledgment(text, r.asked)
		if problems > 0 {
			r.receipt.removed("words_of_a_step")
			return ""
		}
		return text
	}
	p.Name, p.Steps = clean(p.Name), slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].HumanSummary = clean(p.Steps[i].HumanSummary)
	}
	return p
}

// several reads the steps that a message asks for: one mini call, and one repair with all that is wrong. Attempt is the
// plan before, if that did not work out.
func (p planner) several(
	ctx context.Context, in situation, tools plan.Catalogue, attempt ...prompts.Attempted,
) (made drafted, err error) {
	bundle, set, err := p.tools.PlanOffer(in.understood)
	if err != nil {
		return made, err
	}
	data := planData(in)
	data.Attempt = attempt
	prompt, err := p.prompts.Steps(bundle, data)
	if err != nil {
		return made, err
	}
	answer, err := ask(ctx, p.on(in.receipt), request(llm.Plan, prompt, set.Tools()), set, tools)
	return drafted{Plan: answer.Plan, Question: answer.Question}, err
}

// readPlan reads a message that takes several steps by rules, before anything else does, if these are the model. While
// an event is being arranged, only what says nothing of that is meant.
func (p *Pipeline) readPlan(ctx context.Context, r *run) error {
	own, arranging := p.answerer.drafts.own, r.goesOn()
	answers := r.anew || r.asks != nil || len(r.aspects) > 0
	refused, _ := ground.Refuses(r.turn.Message) // as ground tells
	if own == nil || refused != "" || !p.answerer.drafts.ruled && !r.fellBack() || p.ports.Worlds == nil ||
		arranging && (answers || !ground.Joins(r.turn.Message) || r.speaksOfArranged()) {
		return nil
	}
	read, err := once(ctx, r, "ownPlan", func(ctx context.Context) (*drafted, error) {
		made, ok := own(ctx, r)
		edits := arranging && made.Plan == nil && r.understood.Intent != meet.Converse
		if !ok || edits && len(ground.Called(p.message(ctx, r), ground.Event)) == 0 {
			return nil, nil
		}
		return &made, nil
	})
	if err != nil || read == nil || r.offers() && read.Plan != nil && !p.changesAny(*read.Plan) {
		return err
	}
	if r.ownPlan = read; read.Aside != "" {
		aside := []meet.Doubt{message.Unhandled(r.understood.Language, []string{read.Aside})}
		r.note = strings.TrimSpace(message.Doubted(r.understood.Language, "", aside, false))
	}
	r.understood.Intent, r.understood.RequiresPlan = meet.Act, true
	r.understood.Acknowledgment = message.Look(r.understood.Language)
	return nil
}

// offers reports whether the turn before offered something, which the message may take in words of its own.
func (r *run) offers() bool {
	return r.conversation.Waiting != nil && r.conversation.Waiting.Offer != nil
}

// changesAny reports whether a plan has a step that changes something.
func (p *Pipeline) changesAny(made plan.Plan) bool {
	return slices.ContainsFunc(made.Steps, func(s plan.Step) bool {
		t, _ := p.answerer.drafts.tools(s.Tool)
		return t.Changes
	})
}

// plans is the port of that name for a turn: a plan that can run, or a question about what would be lost.
func (p *Pipeline) plans(tools plan.Catalogue) func(ctx context.Context, r *run) (drafted, bool) {
	if p.ports.Plans == nil {
		return nil
	}
	return func(ctx context.Context, r *run) (drafted, bool) {
		made, lost, ok := p.ports.Plans(ctx, p.message(ctx, r))
		if lost != "" && !ok {
			return drafted{Question: r.voice().Lost(lost), Heard: true}, true
		}
		return drafted{Plan: &made, Heard: true, Aside: lost}, ok && plan.Check(made, tools) == nil
	}
}

// catalogueOf has the tools for plans. Tools that decide about what waits are offered to none; those that only ask are.
func catalogueOf(all []world.Tool) (plan.Catalogue, error) {
	tools := map[string]plan.Tool{}
	for _, t := range all {
		raw, err := t.Arguments()
		if err != nil {
			return nil, err
		}
		schema, err := plan.ReadSchema(raw)
		if err != nil {
			return nil, err
		}
		gives := t.Gives
		if slices.Contains(functions.Asking(), t.Name()) {
			gives = world.Text // the answer
		}
		tools[t.Name()] = plan.Tool{
			Family: t.Family, Gives: string(gives), Changes: t.Effect == world.Changes, Arguments: schema, Fits: t.Fits,
			Offered: !t.Bare || slices.Contains(functions.Asking(), t.Name()),
		}
	}
	return func(name string) (plan.Tool, bool) {
		t, ok := tools[name]
		return t, ok
	}, nil
}
