package stages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// older is what waited when the turn began, besides the event that is being arranged and a plan.
type older struct {
	Sets   []meet.ChangeSet `json:"sets,omitempty"`
	Events []meet.Event     `json:"events,omitempty"`
}

// inquiry is what the turn before asked.
type inquiry struct {
	// Changes is the set that it showed, and Event the event that it asked about once more.
	Changes meet.ChangesID
	Event   *meet.Event
	// Words are those of the request that it asked a question about, Text is that question, and Tool what the answer
	// completes; it is empty on the path of an event.
	Words, Text, Tool string
	// Named is what its message said still waits.
	Named string
}

// await finds out what still waits: no set that has expired, and no event that has begun or is no longer proposed.
func (p *Pipeline) await(ctx context.Context, r *run) (err error) {
	if q := r.conversation.Question; q != nil {
		r.was.Words, r.was.Text = q.Message, q.Text
	}
	if r.conversation.Waiting == nil {
		return nil
	}
	open := *r.conversation.Waiting
	if open.Choices != nil && open.Call != nil && len(open.Means) == 0 {
		r.was.Words, r.was.Text, r.was.Tool = open.Said, open.Choices.Question, open.Call.Tool
	}
	if open.Fresh {
		r.was.Changes = open.Pending()
	}
	r.was.Named, open.Named = open.Named, ""
	if len(open.Changes)+len(open.Left) > 0 {
		r.older, err = once(ctx, r, "older", func(ctx context.Context) (older, error) { return p.older(ctx, r, open) })
	}
	open.Left = slices.DeleteFunc(slices.Clone(open.Left), func(left meet.Left) bool {
		return left.Event != nil && r.olderEvent(left.ID()) == nil
	})
	r.conversation.Waiting = &open
	return err
}

func (p *Pipeline) older(ctx context.Context, r *run, open meet.Waiting) (o older, err error) {
	sets, err := p.answerer.waitingSets(ctx, r, open)
	if err != nil {
		return o, err
	}
	o.Sets = slices.DeleteFunc(sets, func(s meet.ChangeSet) bool { return s.Status != meet.ChangesPending })
	events := open.Left
	if r.arranged != nil {
		events = append(slices.Clone(events), meet.Left{Event: r.arranged})
	}
	for _, left := range events {
		if left.Event == nil {
			continue
		}
		e, err := p.notebook.standing(ctx, left.ID())
		if err != nil {
			return o, err
		}
		if e != nil && e.Status == meet.Proposed && e.Start.After(r.now) {
			o.Events = append(o.Events, *e)
		}
	}
	return o, nil
}

// olderSet is a set that waited when the turn began, and still does; nil if there is none.
func (r *run) olderSet(id meet.ChangesID) *meet.ChangeSet {
	for i, set := range r.older.Sets {
		if open := r.conversation.Waiting; set.ID == id && open != nil && slices.Contains(open.Changes, id) {
			return &r.older.Sets[i]
		}
	}
	return nil
}

func (r *run) olderEvent(id meet.ProposalID) *meet.Event {
	for i, e := range r.older.Events {
		if e.ID == id {
			return &r.older.Events[i]
		}
	}
	return nil
}

// proposed is the event that is being arranged, if it waits for an answer; nil otherwise.
func (r *run) proposed() *meet.Event {
	s := r.conversation.Search
	if s == nil || s.Event == nil || s.Declined || s.Event.Status != meet.Proposed {
		return nil
	}
	return s.Event
}

// goBack goes back to what the turn before asked about once more, if the message answers that. With a yes, the event is
// the one that is being arranged, or the request is the message; with a no, it waits no longer.
func (p *Pipeline) goBack(r *run) {
	open := r.conversation.Waiting
	if open == nil || len(open.Left) == 0 || p.ports.Reply == nil || r.turn.Answer != nil {
		return
	}
	last := len(open.Left) - 1
	left := open.Left[last]
	open.Left[last].Fresh = false
	if !left.Fresh {
		return
	}
	asked := Asked{Options: []string{left.Words}}
	if left.Event != nil {
		asked, r.was.Event = ofProposed(left.Event), r.olderEvent(left.ID())
	}
	switch kind := p.ports.Reply(r.turn.Message, asked).Kind; {
	case kind == No:
		r.declines = true
	case left.Event != nil && (kind == Yes || kind == again):
		if r.arranged != nil && !r.arranged.Declined && r.olderEvent(r.arranged.Event.ID) != nil {
			open.Left = slices.Insert(open.Left, last, meet.Left{Event: r.arranged})
			last++
		}
		r.conversation.Search, r.arranged, r.meant = left.Event, left.Event, left.ID()
	case left.Event == nil && kind == Yes:
		r.turn.Message, r.asked = left.Words, left.Words
	case left.Event != nil:
		return
	}
	open.Left = open.Left[:last]
}

// declined answers the no to what the turn before asked about once more.
func (r *run) declined(ctx context.Context) (meet.Outcome, error) {
	language := r.conversation.Waiting.Language
	r.acknowledge(meet.Act, message.Look(language), language)
	r.answers = true
	return r.say(ctx, meet.OutcomeAnswered, r.voice().Cancelled())
}

// decline notes that the user says no to the event that the turn before showed.
func (r *run) decline() {
	search := *r.conversation.Search
	search.Declined, r.conversation.Search, r.meant, r.answers = true, &search, "", true
}

// asideOf is the search of an event that is not booked, as far as a later turn needs it to book the event and to change
// it; nil if there is none.
func asideOf(s *meet.Search) *meet.Search {
	if s == nil || s.Event == nil || s.Booked && s.Standing == nil {
		return nil
	}
	only := *storedSearch(s)
	only.Slots, only.Places, only.Past, only.OfferedSlots, only.OfferedPlaces = nil, nil, nil, nil, nil
	return &only
}

// setAside keeps the event that was being arranged as one that waits, since the turn arranges another one.
func (p *Pipeline) setAside(ctx context.Context, r *run) error {
	if r.arranged == nil || r.arranged.Declined {
		return nil
	}
	e, err := once(ctx, r, "aside", func(ctx context.Context) (*meet.Event, error) {
		return p.notebook.standing(ctx, r.arranged.Event.ID)
	})
	if err != nil || e == nil || e.Status != meet.Proposed {
		return err
	}
	open := r.stillOpen()
	open.Left, r.was.Event = append(slices.Clone(open.Left), meet.Left{Event: r.arranged}), e
	return nil
}

// stillOpen is what waits, for changes of it alone.
func (r *run) stillOpen() *meet.Waiting {
	open := meet.Waiting{Language: r.understood.Language}
	if r.conversation.Waiting != nil {
		open = *r.conversation.Waiting
	}
	r.conversation.Waiting = &open
	return &open
}

// reminder says what still waits. Once something was answered, it asks about what waited before that.
func (r *run) reminder() string {
	switch {
	case r.silent:
		return ""
	case r.answers:
		return r.askNext()
	}
	v, open := r.voice(), r.stillOpen()
	if set := r.olderSet(r.was.Changes); set != nil && (!open.Fresh || open.Pending() != set.ID) {
		open.Named = string(set.ID)
		return v.StillOpen(*set)
	}
	ofDay := r.understood.Intent == meet.Look || r.understood.Intent == meet.Act
	if e := r.proposed(); e != nil && e.ID == r.meant && ofDay && !r.shown {
		r.was.Event = e
	}
	if e := r.was.Event; e != nil {
		open.Named = string(e.ID)
		return v.StillProposed(e.Title, e.Start)
	}
	other := r.was.Tool == "" && ofDay || r.was.Tool != "" && (open.Call == nil || open.Call.Tool != r.was.Tool)
	if r.was.Words == "" || !other || strings.Contains(r.turn.Message, r.was.Words) {
		return ""
	}
	open.Left = append(slices.Clone(open.Left), meet.Left{Words: r.was.Words})
	return v.StillWaits(r.was.Text)
}

// askNext asks about what waited before that which the turn has answered, unless it asks something already: the latest
// of the sets, which expire first, then the event that is being arranged, what was left for it, and a plan. About an
// event it asks once.
func (r *run) askNext() string {
	open := r.stillOpen()
	asks := slices.ContainsFunc(open.Left, func(l meet.Left) bool { return l.Fresh })
	if asks || open.Fresh && open.Pending() != "" || open.Choices != nil || r.shown || r.catchUp() != nil {
		return ""
	}
	again := func(id string) bool { return slices.Contains(open.Asked, id) }
	for _, id := range slices.Backward(open.Changes) {
		if set := r.olderSet(id); set != nil && !again(string(id)) {
			return r.askAgain(outstanding{Set: set})
		}
	}
	if e := r.proposed(); e != nil && !again(string(e.ID)) {
		return r.askAgain(outstanding{Event: e})
	}
	for _, left := range slices.Backward(open.Left) {
		if e := r.olderEvent(left.ID()); left.Event == nil || e != nil && !again(string(e.ID)) {
			return r.askAgain(outstanding{Left: left, Event: e})
		}
	}
	if p := open.Plan; p != nil && !r.now.After(p.Until) {
		fresh := *p
		fresh.Fresh, open.Plan = true, &fresh
		return r.voice().StillWaits(p.Choices.Question)
	}
	return ""
}

// outstanding is what waits: a set, the event that is being arranged, or what was left.
type outstanding struct {
	Set   *meet.ChangeSet `json:"set,omitempty"`
	Event *meet.Event     `json:"event,omitempty"`
	Left  meet.Left       `json:"left,omitzero"`
}

// askAgain asks about what waits. A yes to it means nothing else.
func (r *run) askAgain(one outstanding) string {
	v, open, left := r.voice(), r.stillOpen(), one.Left
	open.Asked = append(slices.Clone(open.Asked), one.id())
	switch {
	case one.Set != nil:
		*open = open.With(one.Set.ID)
		open.Beside = r.did
		return v.Changes(*one.Set, nil) + "\n\n" + v.Ask(*one.Set)
	case left == meet.Left{}:
		r.shown = true
		return v.Book(one.Event.Title, one.Event.Start)
	}
	open.Left = slices.DeleteFunc(slices.Clone(open.Left), func(l meet.Left) bool {
		return l.ID() == left.ID() && l.Words == left.Words
	})
	left.Fresh = true
	open.Left = append(open.Left, left)
	if left.Event == nil {
		return v.GoOn(left.Words)
	}
	return v.Book(one.Event.Title, one.Event.Start)
}

// outstanding is the set or the proposed event with an id that waits; false if there is none.
func (r *run) outstanding(id string) (one outstanding, ok bool) {
	if set := r.olderSet(meet.ChangesID(id)); set != nil {
		return outstanding{Set: set}, true
	}
	if e := r.proposed(); e != nil && string(e.ID) == id {
		return outstanding{Event: e}, true
	}
	for _, left := range r.stillOpen().Left {
		if e := r.olderEvent(left.ID()); e != nil && string(e.ID) == id {
			return outstanding{Left: left, Event: e}, true
		}
	}
	return one, false
}

// id is that of the set or the event.
func (o outstanding) id() string {
	switch {
	case o.Set != nil:
		return string(o.Set.ID)
	case o.Event != nil:
		return string(o.Event.ID)
	}
	return ""
}

// title is what it is called.
func (o outstanding) title() string {
	if o.Set == nil {
		return o.Event.Title
	}
	return strings.Join(each(o.Set.Changes, func(c meet.Change) string { return c.Title }), ", ")
}

// pointed is what a message says of what the turn before named: to do it with what that turn showed, or to ask about
// it.
type pointed struct {
	Both []outstanding `json:"both,omitempty"`
	Asks *outstanding  `json:"asks,omitempty"`
}

// named answers a message that means what the turn before said still waits.
func (p *Pipeline) named(ctx context.Context, r *run) (outcome meet.Outcome, ends bool, err error) {
	if r.was.Named == "" || p.ports.Reply == nil || r.turn.Answer != nil || strings.Contains(r.turn.Message, "?") {
		return outcome, false, nil
	}
	said, err := once(ctx, r, "named", func(context.Context) (pointed, error) { return p.pointed(r) })
	if err != nil || said.Both == nil && said.Asks == nil {
		return outcome, false, err
	}
	language := r.conversation.Waiting.Language
	r.acknowledge(meet.Act, message.Look(language), language)
	r.steps, r.answers = workSteps, true
	if said.Asks != nil {
		outcome, err = r.say(ctx, meet.OutcomeQuestion, r.askAgain(*said.Asks))
		return outcome, true, err
	}
	outcome, err = eachOf(r, said.Both, func(one outstanding) (meet.Outcome, error) { return p.do(ctx, r, one) })
	return outcome, true, err
}

func (p *Pipeline) pointed(r *run) (said pointed, err error) {
	if err := r.catchUp(); err != nil {
		return said, err
	}
	older, waits := r.outstanding(r.was.Named)
	newer, shown := r.outstanding(cmp.Or(string(r.was.Changes), string(r.meant)))
	if !waits || !shown {
		return said, nil
	}
	picked := func(options ...string) []int {
		reply := p.ports.Reply(r.turn.Message, Asked{Options: options, Choices: true})
		return map[ReplyKind][]int{Pick: reply.Indices}[reply.Kind]
	}
	switch picks := picked(older.title(), newer.title()); {
	case len(picks) == 2:
		said.Both = []outstanding{older, newer}
	case slices.Equal(picks, []int{0}) && slices.Equal(picked(newer.title(), older.title()), []int{1}):
		said.Asks = &older // by its name, and not by a number
	}
	return said, nil
}

// eachOf does the same with several things, and tells of them in one message.
func eachOf[T any](r *run, things []T, do func(T) (meet.Outcome, error)) (outcome meet.Outcome, err error) {
	for i, one := range things {
		r.silent = i < len(things)-1
		if outcome, err = do(one); err != nil {
			return outcome, err
		}
		r.first = strings.TrimSpace(r.first + "\n\n" + outcome.Message)
	}
	outcome.Message = r.first
	return outcome, nil
}

// do confirms a set, or books an event. What is being arranged stays so.
func (p *Pipeline) do(ctx context.Context, r *run, one outstanding) (meet.Outcome, error) {
	if one.Set != nil {
		return p.answerer.confirm(ctx, r, *r.stillOpen(), *one.Set, nil)
	}
	arranged := *r.conversation.Search
	search := arranged
	if one.Left.Event != nil {
		search = *one.Left.Event
	}
	r.conversation.Search = &search
	outcome, err := p.booked(ctx, r, *one.Event, booking{Books: true})
	if one.Left.Event != nil {
		r.conversation.Search = &arranged
	}
	return outcome, err
}
