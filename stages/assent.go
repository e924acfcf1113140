package stages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// assented is what a message first says yes to, and the request after it.
type assented struct {
	Request string `json:"request,omitempty"`
	// Set and Event say that the yes is to the changes or the event that the turn before asked about.
	Set   *meet.ChangeSet `json:"set,omitempty"`
	Event bool            `json:"event,omitempty"`
}

// afterAssent leaves the request of a message that first says yes or thanks, "yes, and buy milk", and does what the yes
// is to: what the turn before asked about, unless the request may be about that.
func (p *Pipeline) afterAssent(ctx context.Context, r *run) (outcome meet.Outcome, err error) {
	if r.turn.Answer != nil || !p.alone(r) {
		return outcome, nil
	}
	said, err := once(ctx, r, "assent", func(ctx context.Context) (assented, error) { return p.assented(ctx, r), nil })
	if err != nil || said.Request == "" {
		return outcome, err
	}
	r.turn.Message, r.silent = said.Request, true
	defer func() { r.silent = false }()
	if said.Set != nil || said.Event {
		r.acknowledge(meet.Act, message.Look(r.understood.Language), r.understood.Language)
		r.acknowledged = true
	}
	open, search := r.conversation.Waiting, r.conversation.Search
	switch {
	case said.Set != nil && open != nil:
		outcome, err = p.answerer.confirm(ctx, r, *open, *said.Set, nil)
	case said.Event && search != nil && search.Event != nil:
		outcome, err = p.booked(ctx, r, *search.Event, booking{Books: true})
	default:
		return outcome, nil
	}
	r.first, r.answers = strings.TrimSpace(r.first+"\n\n"+outcome.Message), false
	r.was, r.order, r.own, r.meant = meet.Left{}, Reply{}, nil, ""
	r.mentions = r.contacts.Mentions(said.Request)
	return outcome, err
}

// readAfter reads what comes after a yes, and tells of both.
func (p *Pipeline) readAfter(ctx context.Context, r *run) (meet.Outcome, error) {
	done, err := p.afterAssent(ctx, r)
	if err != nil {
		return done, err
	}
	outcome, err := p.read(ctx, r)
	if done.Message != "" {
		outcome.Message = done.Message + "\n\n" + outcome.Message
		outcome.Memo = cmp.Or(outcome.Memo, "(changes)")
	}
	return outcome, err
}

// assented takes the message apart. A yes counts only if the request is of something else.
func (p *Pipeline) assented(ctx context.Context, r *run) assented {
	whole, order := r.turn.Message, r.order
	defer func() { r.turn.Message, r.order = whole, order }()
	for _, way := range ground.Assents(whole) {
		r.turn.Message = way.Yes
		r.order = p.ordered(r)
		said := assented{Request: way.Request}
		said.Event = r.was.Event != nil && r.order.Kind == Yes && r.catchUp() == nil && r.isOpen(r.conversation.Search)
		if open := r.conversation.Waiting; !said.Event && open != nil && p.answerer.read != nil && open.Offer == nil {
			reply := p.answerer.toChanges(r, *open)
			if set := reply.last(); reply.Kind == Yes && set.Status == meet.ChangesPending {
				said.Set = &set
			}
		}
		r.turn.Message = way.Request
		if (said.Set != nil || said.Event) && !r.namesAny(said.Set) && p.standsApart(ctx, r, said.Event) {
			return said
		}
	}
	return assented{Request: ground.AfterAssent(whole)}
}

// namesAny reports whether the message has the title of anything in a set.
func (r *run) namesAny(set *meet.ChangeSet) bool {
	said := agenda.Fold(r.turn.Message)
	return set != nil && slices.ContainsFunc(set.Changes, func(c meet.Change) bool {
		return strings.Contains(said, agenda.Fold(c.Title))
	})
}

// standsApart reports whether a request cannot be about what waits: one after a proposed event is of what is kept
// besides the calendar.
func (p *Pipeline) standsApart(ctx context.Context, r *run, ofEvent bool) bool {
	if p.ports.Ground == nil || p.ports.Worlds == nil || ground.PointsBack(r.turn.Message) {
		return false
	}
	said := grounded{Reading: p.ports.Ground(p.message(ctx, r))}
	switch {
	case said.Amends, ofEvent && (!said.ofKept() || strings.HasPrefix(said.Tool, "contact_")):
		return false
	case said.Tool == "":
		return !ofEvent && !ground.Amends(r.plainMessage()) && ground.Creates(r.plainMessage())
	}
	return said.Names || said.Reads || said.ofKept() && !ofMail(said.Tool)
}
