package stages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/stages/candidates"
)

// pending is what waits as the turn begins: the sets, the one shown last at the end, and what was left.
type pending struct {
	Sets []meet.ChangeSet `json:"sets,omitempty"`
	Left []meet.Left      `json:"left,omitempty"`
}

// unanswered is what waits as the turn begins, and what becomes of it in the turn.
type unanswered struct {
	// was is what the turn before asked about, and wasTool what the answer to its question completes.
	was     meet.Left
	wasTool string
	// arranged is the event that was being arranged, pending what waited besides, and left the id of that of which the
	// turn before said that it still waits.
	arranged meet.Left
	pending  pending
	left     string
	// order is what the message says to the event that is proposed.
	order Reply
	// leaves says that the turn goes on to something else, declines that the message is a no to what was asked about once
	// more, and did that the turn has done what an undo would take back.
	leaves, declines, did bool
}

// await finds out what still waits of that which was left, and what the turn before asked about. An event that has
// begun, or is no longer proposed, does not wait.
func (p *Pipeline) await(ctx context.Context, r *run) (err error) {
	open := r.stillOpen()
	r.was.Words, r.wasTool = r.questioned(open)
	back := open.Back
	r.left, open.Named, open.Back = open.Named, "", ""
	answers := r.left != "" || back != "" || open.Fresh || r.turn.Answer != nil ||
		!slices.Contains([]ReplyKind{"", Other}, p.ordered(r).Kind)
	if left := len(open.Left) > 0 && answers; left || len(open.Changes) > 0 {
		r.pending, err = once(ctx, r, "pending", func(ctx context.Context) (w pending, err error) {
			if left {
				w.Left, err = p.stillLeft(ctx, r, append(slices.Clone(open.Left), r.arranged))
			}
			if err == nil {
				w.Sets, err = p.answerer.waitingSets(ctx, r, open)
			}
			return w, err
		})
		if left {
			open.Left = r.pending.Left
			r.arranged = r.takeArranged(&open)
		}
	}
	if s := r.arranged.Event; s == nil || s.Event == nil || s.Booked {
		r.arranged = meet.Left{}
	}
	if r.conversation.Waiting != nil {
		r.conversation.Waiting = &open
	}
	if i := len(r.pending.Sets) - 1; open.Fresh && i >= 0 && r.pending.Sets[i].ID == open.Pending() {
		r.was.Set = &r.pending.Sets[i]
	} else if r.arranged.Event != nil && r.arranged.ID() == string(r.meant) {
		r.was.Event = r.arranged.Event
	}
	if i := slices.IndexFunc(open.Left, func(l meet.Left) bool { return l.ID() == back }); i >= 0 {
		p.goBack(r, i)
	}
	return err
}

// questioned are the words that the turn before asked about, and the tool whose call an answer completes, or the name
// of whom it is asked, which no tool completes.
func (r *run) questioned(open meet.Waiting) (words, tool string) {
	if open.Choices != nil && open.Call != nil && len(open.Means) == 0 {
		return open.Said, open.Call.Tool
	}
	if q := r.conversation.Question; q != nil {
		return q.Message, q.Name
	}
	return "", ""
}

// takeArranged is the event that was being arranged, if it is the last one that is left, which it is no longer then.
func (r *run) takeArranged(open *meet.Waiting) (arranged meet.Left) {
	if last := len(open.Left) - 1; last >= 0 && open.Left[last].ID() == r.arranged.ID() {
		arranged, open.Left = open.Left[last], open.Left[:last:last]
	}
	return arranged
}

// lookUp looks up how the event stands that was being arranged, unless that is known.
func (p *Pipeline) lookUp(ctx context.Context, r *run) error {
	if s := r.arranged.Event; s == nil || s.Event.Status != "" {
		return nil
	}
	e, err := once(ctx, r, "arranged", func(ctx context.Context) (*meet.Event, error) {
		if err := r.catchUp(); err != nil || r.arranges(r.arranged) {
			return r.conversation.Search.Event, err
		}
		return p.notebook.standing(ctx, r.arranged.Event.Event.ID)
	})
	if err == nil {
		r.stands(e)
	}
	return err
}

// stands notes how the event stands that was being arranged: it waits no longer if it was booked by a button.
func (r *run) stands(e *meet.Event) {
	search := *r.arranged.Event
	search.Event = e
	if r.arranged.Event = &search; !r.isOpen(&search) {
		r.arranged = meet.Left{}
	}
	if r.was.Event != nil {
		r.was = r.arranged
	}
}

// isOpen reports whether the event of a search that was looked up is proposed and has not begun.
func (r *run) isOpen(s *meet.Search) bool {
	return s != nil && s.Event != nil && s.Event.Status == meet.Proposed && s.Event.Start.After(r.now)
}

// stillLeft are those that still wait, with the events as they are now.
func (p *Pipeline) stillLeft(ctx context.Context, r *run, all []meet.Left) (still []meet.Left, err error) {
	now := each(all, func(left meet.Left) *candidates.Awaited[*meet.Event] {
		return candidates.Meanwhile(func() (*meet.Event, error) {
			if left.Event == nil {
				return nil, nil
			}
			return p.notebook.standing(ctx, left.Event.Event.ID)
		})
	})
	for i, left := range all {
		e, err := now[i].Wait()
		if err != nil {
			return nil, err
		}
		if left.Event != nil {
			search := *left.Event
			if search.Event, left.Event = e, &search; !r.isOpen(left.Event) {
				continue
			}
		}
		if left.ID() != "" {
			still = append(still, left)
		}
	}
	return still, nil
}

// stillOpen is what the conversation has open.
func (r *run) stillOpen() (open meet.Waiting) {
	if r.conversation.Waiting == nil {
		return meet.Waiting{Language: r.understood.Language}
	}
	return *r.conversation.Waiting
}

// outstanding is all that waits but a plan, what expires first at the end.
func (r *run) outstanding() []meet.Left {
	open := r.stillOpen()
	all := slices.Clone(open.Left)
	s := r.conversation.Search
	if s != nil && s.Event != nil && !s.Declined && s.Event.Status == meet.Proposed {
		all = append(all, meet.Left{Event: s})
	}
	for i, set := range r.pending.Sets {
		if set.Status == meet.ChangesPending && slices.Contains(open.Changes, set.ID) {
			all = append(all, meet.Left{Set: &r.pending.Sets[i]})
		}
	}
	return all
}

// goBack goes back to what the turn before asked about once more, if the message answers that: with a yes, the event is
// the one that is being arranged, or the request is the message; with a no, it waits no longer. Anything else is said
// of what was answered before.
func (p *Pipeline) goBack(r *run, i int) {
	if p.ports.Reply == nil || r.turn.Answer != nil {
		return
	}
	left := r.conversation.Waiting.Left[i]
	asked := Asked{Options: []string{left.Words}}
	if left.Event != nil {
		asked = ofProposed(left.Event)
	}
	switch kind := p.ports.Reply(r.turn.Message, asked).Kind; {
	case kind == No:
		r.declines = true
	case left.Event != nil && (kind == Yes || kind == again):
		r.setAside()
		r.conversation.Search, r.meant, r.was, r.leaves = left.Event, left.Event.Event.ID, left, false
	case left.Event != nil:
		r.was, r.leaves = left, true
		return
	case kind == Yes:
		r.turn.Message, r.asked = left.Words, left.Words
	default:
		return
	}
	r.conversation.Waiting.Left = slices.Delete(r.conversation.Waiting.Left, i, i+1)
}

// asideOf is the search of an event that is not booked, as far as a later turn needs it; nil if there is none.
func asideOf(s *meet.Search) *meet.Search {
	if s == nil || s.Event == nil || s.Booked && s.Standing == nil {
		return nil
	}
	only := *storedSearch(s)
	only.Slots, only.Places, only.Past, only.OfferedSlots, only.OfferedPlaces = nil, nil, nil, nil, nil
	return &only
}

// setAside keeps the event that was being arranged as one that waits, since the turn turns to another one.
func (r *run) setAside() {
	if open := r.stillOpen(); r.arranged.Event != nil && !r.arranged.Event.Declined {
		open.Left = append(slices.Clone(open.Left), r.arranged)
		r.conversation.Waiting = &open
		r.was.Event, r.leaves = r.arranged.Event, true
	}
}

// decline notes that the user says no to the event that the turn before showed.
func (r *run) decline() {
	search := *r.conversation.Search
	search.Declined, r.conversation.Search, r.meant, r.answers = true, &search, "", true
}

// declined answers the no to what the turn before asked about once more.
func (r *run) declined(ctx context.Context) (meet.Outcome, error) {
	r.answersIn(r.conversation.Waiting.Language)
	return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
}

// answersIn begins a turn that answers what waits.
func (r *run) answersIn(language string) {
	r.acknowledge(meet.Act, message.Look(language), language)
	r.steps, r.answers = workSteps, true
}

// reminder says, once, what still waits of that which the turn before asked about. If the turn has answered that, it
// asks about what waited before.
func (r *run) reminder() string {
	if r.silent {
		return ""
	} else if r.answers {
		return r.askNext()
	}
	open, tool := r.stillOpen(), ""
	if open.Call != nil {
		tool = open.Call.Tool
	}
	ofDay := r.understood.Intent == meet.Look || r.understood.Intent == meet.Act
	left := func(one meet.Left) bool { return one.ID() == r.was.ID() }
	if s := r.arranged.Event; s != nil && s.Event.Status == "" && r.arranges(r.arranged) && r.catchUp() == nil {
		r.stands(r.conversation.Search.Event)
	}
	switch was := r.was; {
	case was.Set != nil && (open.Fresh && open.Pending() == was.Set.ID || !slices.ContainsFunc(r.outstanding(), left)):
		return ""
	case was.Set != nil && r.wish != nil && r.wish.Call.Tool != runTool && !open.Fresh && open.Choices == nil:
		return r.askAgain(was) // what is said of workflows is said beside it
	case was.Set != nil,
		was.Event != nil && (r.leaves || ofDay && !r.shown && string(r.meant) == was.ID()):
		open.Named = was.ID()
	case was.Words != "" && tool != r.wasTool && !strings.Contains(r.turn.Message, was.Words):
		open.Left = append(slices.Clone(open.Left), meet.Left{Words: was.Words})
	default:
		return ""
	}
	r.conversation.Waiting = &open
	return r.voice().StillOpen(r.was)
}

// askNext asks about what waits, unless the turn asks something already: each but a plan once.
func (r *run) askNext() string {
	open := r.stillOpen()
	if open.Back != "" || open.Fresh && open.Pending() != "" || open.Choices != nil || r.shown || r.catchUp() != nil {
		return ""
	}
	for _, one := range slices.Backward(r.outstanding()) {
		if !slices.Contains(open.Asked, one.ID()) {
			return r.askAgain(one)
		}
	}
	if open.Plan == nil || r.now.After(open.Plan.Until) {
		return ""
	}
	plan := *open.Plan
	plan.Fresh, open.Plan, r.conversation.Waiting = true, &plan, &open
	return r.voice().StillWaits(plan.Choices.Question)
}

// askAgain asks about what waits. A yes after it means nothing else.
func (r *run) askAgain(one meet.Left) string {
	open := r.stillOpen()
	open.Fresh, open.Done, open.Beside = false, false, false
	open.Asked, open.Language = append(slices.Clone(open.Asked), one.ID()), r.understood.Language
	switch {
	case one.Set != nil:
		open = open.With(one.Set.ID)
		open.Beside = r.did
	case r.arranges(one):
		r.shown = true
	default:
		open.Left = slices.DeleteFunc(slices.Clone(open.Left), func(l meet.Left) bool { return l.ID() == one.ID() })
		open.Left, open.Back = append(open.Left, one), one.ID()
	}
	r.conversation.Waiting = &open
	return r.voice().AskAgain(one)
}

// arranges reports whether it is the event that is being arranged.
func (r *run) arranges(one meet.Left) bool {
	s := r.conversation.Search
	return one.Event != nil && s != nil && s.Event != nil && string(s.Event.ID) == one.ID()
}

// recalls answers a message that means what the turn before said still waits: with what that turn showed, both are
// done; by its name alone, it is asked about.
func (p *Pipeline) recalls(ctx context.Context, r *run) (outcome meet.Outcome, ends bool, err error) {
	if r.left == "" || p.ports.Reply == nil || r.turn.Answer != nil || strings.Contains(r.turn.Message, "?") {
		return outcome, false, nil
	}
	meant, err := once(ctx, r, "recalls", func(context.Context) ([]meet.Left, error) { return p.recalled(r) })
	if err != nil || len(meant) == 0 {
		return outcome, false, err
	}
	r.answersIn(r.conversation.Waiting.Language)
	if len(meant) == 1 {
		outcome, err = r.say(ctx, meet.OutcomeQuestion, r.askAgain(meant[0]))
		if meant[0].Set != nil {
			outcome.Memo = "(changes)" // nothing that others wrote
		}
		return outcome, true, err
	}
	outcome, err = eachOf(r, meant, func(one meet.Left) (meet.Outcome, error) {
		if one.Set != nil {
			return p.answerer.confirm(ctx, r, r.stillOpen(), *one.Set, nil)
		}
		if arranged := r.conversation.Search; !r.arranges(one) {
			r.conversation.Search = one.Event
			defer func() { r.conversation.Search = arranged }()
		}
		return p.booked(ctx, r, *one.Event.Event, booking{Books: true})
	})
	return outcome, true, err
}

// recalled is what the message means: both, a set last, or the older one alone.
func (p *Pipeline) recalled(r *run) ([]meet.Left, error) {
	if err := r.catchUp(); err != nil {
		return nil, err
	}
	all := r.outstanding()
	older := slices.IndexFunc(all, func(one meet.Left) bool { return one.ID() == r.left })
	newer := slices.IndexFunc(all, func(one meet.Left) bool { return one.ID() == r.was.ID() })
	if older < 0 || newer < 0 || older == newer {
		return nil, nil
	}
	picked := func(options ...string) []int {
		reply := p.ports.Reply(r.turn.Message, Asked{Options: options, Choices: true})
		return map[ReplyKind][]int{Pick: reply.Indices}[reply.Kind]
	}
	one, other := all[older].Title(), all[newer].Title()
	many := func(l meet.Left) bool { return l.Set != nil && len(l.Set.Changes) > 1 } // "all of them" are its changes
	switch picks := picked(one, other); {
	case len(picks) == 2 && (many(all[older]) || many(all[newer])):
		return nil, nil
	case len(picks) == 2 && all[older].Set != nil:
		return []meet.Left{all[newer], all[older]}, nil // an undo takes back what was done last
	case len(picks) == 2:
		return []meet.Left{all[older], all[newer]}, nil
	case slices.Equal(picks, []int{0}) && slices.Equal(picked(other, one), []int{1}): // by its name, and by no number
		return []meet.Left{all[older]}, nil
	}
	return nil, nil
}

// eachOf does the same with several things, and tells of them in one message.
func eachOf[T any](r *run, things []T, do func(T) (meet.Outcome, error)) (outcome meet.Outcome, err error) {
	memo := ""
	for i, one := range things {
		r.silent = i < len(things)-1
		if outcome, err = do(one); err != nil {
			return outcome, err
		}
		r.first, memo = strings.TrimSpace(r.first+"\n\n"+outcome.Message), cmp.Or(memo, outcome.Memo)
	}
	outcome.Message, outcome.Memo = r.first, memo
	return outcome, nil
}
