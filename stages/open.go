package stages

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// answerer reads a message as an answer to what waits, and does what it says.
type answerer struct {
	worker
	// read reads it; nil reads none.
	read func(message string, asked Asked) Reply
}

// again is the answer to sets if none is plainly meant: they are shown once more.
const again ReplyKind = "again"

// opened is what waited for the user when the turn first began.
type opened struct {
	Question *meet.Question `json:"question,omitempty"`
	Waiting  *meet.Waiting  `json:"waiting,omitempty"`
	// Event is the proposed event that a yes means; empty if there is none.
	Event meet.ProposalID `json:"event,omitempty"`
	// Search is that of the event that was being arranged; nil if there is none.
	Search *meet.Search `json:"search,omitempty"`
}

// reopen gives a turn that runs again what waited when it first began: a process that died may have kept what it left.
func (r *run) reopen(ctx context.Context) error {
	talk := &r.conversation
	was, err := once(ctx, r, "opened", func(context.Context) (opened, error) {
		return opened{talk.Question, talk.Waiting, freshEvent(talk.Search), asideOf(talk.Search)}, nil
	})
	talk.Question, talk.Waiting, r.meant, r.arranged = was.Question, was.Waiting, was.Event, meet.Left{Event: was.Search}
	return err
}

// heardReply is what a message says to what waits. Sets are the pending sets, the one shown last at the end, which may
// wait no longer. Undoes is the set that was applied last.
type heardReply struct {
	Reply
	Sets   []meet.ChangeSet
	Undoes meet.ChangesID
	// Offer says that the answer takes what was offered.
	Offer bool
	// Plan says that the answer is to a waiting plan, and Text what it says if it chooses none of the options.
	Plan bool
	Text string
}

// last is the set that was shown last; zero if there is none.
func (h heardReply) last() (set meet.ChangeSet) {
	if len(h.Sets) > 0 {
		set = h.Sets[len(h.Sets)-1]
	}
	return set
}

// reply reads the message as an answer to what waits, before any model reads it: it goes to what waits, whatever it
// looks like alone.
func (a answerer) reply(ctx context.Context, r *run) (heardReply, error) {
	open := r.conversation.Waiting
	if open == nil || a.read == nil {
		return heardReply{}, nil
	}
	return once(ctx, r, "reply", func(ctx context.Context) (heardReply, error) {
		if said, ok, err := a.toPlan(r, *open); ok || err != nil {
			return said, err
		}
		switch answer := r.turn.Answer; {
		case open.Choices != nil && answer != nil:
			said, err := pressed(*open.Choices, *answer)
			return heardReply{Reply: said}, err
		case answer != nil: // it answers a question of the event's path
			return heardReply{}, nil
		case open.Choices != nil:
			labels := each(open.Choices.Options, func(o meet.Option) string { return o.Label + " " + o.Detail })
			said := a.read(r.turn.Message, Asked{Options: labels, Choices: true})
			apart := strings.Contains(r.turn.Message, "?") ||
				slices.ContainsFunc(open.Means, func(m meet.Meaning) bool { return m.Changes == "" })
			switch {
			case said.Kind == Yes: // to none of them
				said = Reply{Kind: again}
			case said.Kind != No && said.Kind != Pick || len(open.Means) > 0 && len(said.Indices) > 1 && apart:
				said = Reply{}
			}
			return heardReply{Reply: said}, nil
		case open.Offer != nil:
			if said := a.toOffer(r, *open); said.Offer {
				return said, nil
			}
		}
		return a.toChanges(r, *open), nil
	})
}

// toChanges reads the message as an answer to pending change sets. It confirms only where exactly one is pending, and
// the turn before showed it; otherwise they are shown again.
func (a answerer) toChanges(r *run, open meet.Waiting) (said heardReply) {
	if ground.Amends(r.plainMessage()) {
		return said // it is no no to the mail: "don't mention the price"
	}
	if r.was.Event != nil && slices.Contains([]ReplyKind{Yes, No, again}, r.order.Kind) {
		return said // the turn before asked about the event
	}
	said.Sets, said.Undoes = r.pending.Sets, open.Applied
	last := said.last()
	if applied := last.Status == meet.ChangesApplied || last.Status == meet.ChangesPartly; applied {
		said.Undoes = last.ID // by a program
	}
	titles := each(last.Changes, func(c meet.Change) string { return c.Title })
	added := len(titles) == 0 && open.Applied != "" && open.Call != nil && slices.Contains(adding, open.Call.Tool)
	said.Reply = a.read(r.turn.Message, Asked{
		Options: titles, Added: added, Done: open.Done,
		Details: each(last.Changes, func(c meet.Change) string { return details(c, open.Language, r.now) }),
		Deeds:   each(last.Changes, func(c meet.Change) string { return string(c.Kind) + " " + string(c.What) }),
		Times:   each(last.Changes, dated),
	})
	fresh, named := open.Fresh && len(titles) > 0, r.left != "" && r.left == string(last.ID)
	switch {
	case said.Sends && named && len(said.Sets) == 1 && sends(last):
	case said.Kind == Undo && fresh && said.Undoes != last.ID && !open.Beside:
		said.Kind = No // nothing has been written that could be undone
	case said.Kind == Undo && said.Undoes == "" && r.conversation.Search != nil:
		said.Reply = Reply{} // it means the event
	case said.Kind == Undo, said.Kind == No && fresh:
	case len(titles) == 0, !fresh && !named && open.Call == nil, // a turn about an event came between
		said.Kind == No && len(said.Sets) > 1:
		said.Reply = Reply{Denies: said.Denies, Corrects: said.Corrects}
	case said.Kind != Other && said.Kind != No && (!fresh || len(said.Sets) > 1):
		said.Reply = Reply{Kind: again}
	}
	return said
}

// sends reports whether a set is one mail that is to be sent.
func sends(set meet.ChangeSet) bool {
	return len(set.Changes) == 1 && set.Changes[0].Kind == meet.SendThing
}

// waitingSets are the sets that wait for the user, and the one that was shown last.
func (a answerer) waitingSets(ctx context.Context, r *run, open meet.Waiting) (sets []meet.ChangeSet, err error) {
	for _, id := range open.Changes {
		set, _, err := a.own(r).Get(ctx, id)
		if err != nil && fault.CodeOf(err) != fault.NotFound {
			return sets, err
		}
		if set.Status == meet.ChangesPending || err == nil && id == open.Pending() {
			sets = append(sets, set)
		}
	}
	return sets, nil
}

// toOffer reads the message as a yes to what was offered, or to some of it.
func (a answerer) toOffer(r *run, open meet.Waiting) heardReply {
	said := a.read(r.turn.Message, Asked{Options: make([]string, len(open.Shown))})
	if said.Kind == again {
		return heardReply{}
	}
	return heardReply{Reply: said, Offer: said.Kind == Yes || said.Kind == Only}
}

// accept does what was offered, with all that was listed or with some of it.
func (a answerer) accept(ctx context.Context, r *run, open meet.Waiting, said Reply) (meet.Outcome, error) {
	call := *open.Offer
	if said.Kind == Only {
		call.Arguments = edited(call.Arguments, func(arguments map[string]any) {
			ids := each(said.Indices, func(i int) string { return open.Shown[i] })
			arguments["selection"] = map[string]any{"from": ids}
		})
	}
	open.Offer = nil
	r.conversation.Waiting = &open
	return a.carry(ctx, r, planned{Call: &call})
}

// adding are the tools that add something, which to take off again is to undo.
var adding = []string{
	"list_add", "task_createTask", "note_save", "contact_save", "schedule_createTimeBlock", "email_compose",
}

// deny calls off the set that the previous turn showed: the message begins with a no to it, whatever else it asks for.
func (a answerer) deny(ctx context.Context, r *run) error {
	open := r.conversation.Waiting
	if open == nil || !open.Fresh || open.Pending() == "" {
		return nil
	}
	_, err := perform(ctx, r, "deny", func(ctx context.Context) (meet.ChangeSet, error) {
		return a.own(r).Cancel(ctx, open.Pending(), r.turn.Message)
	})
	if _, refused := refusalOf(err); err != nil && !refused {
		return err
	}
	left := open.Without(open.Pending())
	r.conversation.Waiting, r.calledOff = &left, message.NewVoice(open.Language, r.now).Cancelled()
	return nil
}

// details are what tells a change from others besides its title: when it is, also as seen from now, or, of a mail that
// is to be sent, who gets it.
func details(c meet.Change, language string, now time.Time) string {
	if at := dated(c); c.Kind != meet.SendThing && !at.IsZero() {
		at = at.In(now.Location())
		return message.NewVoice(language, now).Day(at) + " " + weekday(at, language)
	}
	return strings.Join(each(c.Affects, func(a meet.Affected) string { return a.Name }), " ")
}

// dated is from when the thing of a change is: when a mail came, or an event is. Zero if it is of no time.
func dated(c meet.Change) (at time.Time) {
	var was struct{ Date time.Time }
	if c.Target.Start != nil {
		return *c.Target.Start
	}
	if json.Unmarshal(c.Before, &was) == nil {
		at = was.Date
	}
	return at
}

// weekday is the weekday and the date of a time, in words of a language.
func weekday(t time.Time, language string) string {
	later, sooner := message.NewVoice(language, t.AddDate(0, 0, -10)), message.NewVoice(language, t.AddDate(0, 0, -3))
	return sooner.Day(t) + " " + later.Day(t) + " " + later.Clock(t)
}

// pressed is the answer by a button.
func pressed(choices meet.Choices, answer meet.ChoiceAnswer) (Reply, error) {
	if choices.ID != answer.ID {
		return Reply{}, fault.Invalid("answer.id", "this question no longer waits for an answer")
	}
	i := slices.IndexFunc(choices.Options, func(o meet.Option) bool { return o.ID == answer.Option })
	if i < 0 {
		return Reply{}, fault.Invalid("answer.option", "is none of the options of the question")
	}
	return Reply{Kind: Pick, Indices: []int{i}}, nil
}

// settle does what the answer says.
func (a answerer) settle(ctx context.Context, r *run, said heardReply) (meet.Outcome, error) {
	open := *r.conversation.Waiting
	r.answers = said.Kind != Undo
	r.acknowledge(meet.Act, message.Look(open.Language), open.Language)
	r.steps = workSteps
	if said.Plan {
		return a.answered(ctx, r, open, said)
	}
	if said.Offer {
		return a.accept(ctx, r, open, said.Reply)
	}
	switch said.Kind {
	case Pick:
		return a.pick(ctx, r, open, said)
	case Undo:
		if said.Undoes != "" {
			open = open.Having(said.Undoes)
		}
		return a.undo(ctx, r, open)
	case No:
		return a.cancel(ctx, r, open, said.last().ID)
	case again:
		if open.Choices != nil {
			r.before = open.Said
			return r.choose(ctx, open, *open.Choices)
		}
		return a.again(ctx, r, open, slices.DeleteFunc(said.Sets, func(set meet.ChangeSet) bool {
			return set.Status != meet.ChangesPending
		}))
	default:
		return a.confirm(ctx, r, open, said.last(), wanted(said.Reply, said.last()))
	}
}

// pick does what the choice means: it completes the call whose words fitted several things, if nothing else is said.
func (a answerer) pick(ctx context.Context, r *run, open meet.Waiting, said heardReply) (meet.Outcome, error) {
	choices, means, call := open.Choices, open.Means, open.Call
	r.before, open.Choices, open.Means, open.Said = open.Said, nil, nil, ""
	r.conversation.Waiting = &open
	if len(means) > 0 {
		meant := means[said.Indices[0]]
		switch {
		case meant.Changes != "":
			return eachOf(r, said.Indices, func(i int) (meet.Outcome, error) {
				return a.confirmOne(ctx, r, r.stillOpen(), means[i].Changes)
			})
		case meant.Call == nil:
			return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
		}
		return a.carry(ctx, r, planned{Call: meant.Call})
	}
	var ids []string
	for _, i := range said.Indices {
		ids = append(ids, choices.Options[i].ID)
	}
	plan := planned{Call: &meet.PlannedCall{
		Tool: call.Tool, Arguments: chosen(call.Arguments, open.Argument, ids),
	}}
	if open.Unheard {
		plan.Ruled = &planned{}
	}
	return a.carry(ctx, r, plan)
}

// again shows the pending sets once more. One of several is chosen; a single one waits for a yes.
func (a answerer) again(ctx context.Context, r *run, open meet.Waiting, sets []meet.ChangeSet) (meet.Outcome, error) {
	v := r.voice()
	var updates []meet.Update
	for _, set := range sets {
		updates = append(updates, meet.ChangesUpdate{Changes: set})
	}
	r.conversation.Waiting = &open
	switch len(sets) {
	case 0:
		open.Changes = nil
		return r.say(ctx, meet.OutcomeAnswered, v.Expired())
	case 1:
		open = open.With(sets[0].ID)
		text := v.Changes(sets[0], nil) + "\n\n" + v.Ask(sets[0])
		err := r.emit(ctx, append(updates, r.message(text, meet.ByCode))...)
		return meet.Outcome{Kind: meet.OutcomeWaiting, Message: text, Memo: "(changes)"}, err
	}
	open.Fresh, open.Means = false, nil
	choices := meet.Choices{Question: v.WhichChanges(), Free: true}
	for _, set := range sets {
		choices.Options = append(choices.Options, meet.Option{ID: string(set.ID), Label: v.Caption(set)})
		open.Means = append(open.Means, meet.Meaning{Changes: set.ID})
	}
	return r.choose(ctx, open, choices, updates...)
}

// wanted are the ids of the changes that an answer wants; nil is all.
func wanted(said Reply, set meet.ChangeSet) []string {
	if said.Kind == Yes {
		return nil
	}
	only := []string{}
	for i, c := range set.Changes {
		if slices.Contains(said.Indices, i) == (said.Kind == Only) {
			only = append(only, c.ID)
		}
	}
	return only
}

// aged is what still waits in a turn that is no answer: a set that was shown before waits, but no word confirms it, and
// what was done before a turn about an event is no longer what "undo" means.
func aged(open meet.Waiting, intent meet.Intent) *meet.Waiting {
	open.Times, open.Offer = nil, nil
	switch intent {
	case meet.Look, meet.Act:
	case meet.Converse:
		open.Fresh, open.Done, open.Choices, open.Means = false, false, nil, nil
	default:
		open = meet.Waiting{
			Language: open.Language, Changes: open.Changes, Plan: open.Plan, Aside: open.Aside,
		}
	}
	return &open
}
