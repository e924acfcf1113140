package stages

import (
	"context"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/when"
)

// restate says in the message itself what it leaves to the event at hand: when "then" is, in a question whether
// somebody is free ("am I free then?"), what another event is to be like, and who is to be told something.
func (p *Pipeline) restate(r *run) error {
	search := r.conversation.Search
	if search == nil || search.Event == nil || !p.alone(r) || r.asks != nil {
		return nil
	}
	if err := r.catchUp(); err != nil {
		return err
	}
	r.nameAlike()
	if r.meant != search.Event.ID || !ground.AsksThen(r.turn.Message) {
		return nil
	}
	if e := r.conversation.Search.Event; e != nil {
		r.shown = true // the answer is about it
		r.turn.Message = ground.AtTime(r.turn.Message, e.Start.In(r.now.Location()), e.End.In(r.now.Location()))
	}
	return nil
}

// retime makes a message that only says another time the one before it, with that time, if the steps of that one wait,
// and it still has a plan.
func (p *Pipeline) retime(ctx context.Context, r *run) bool {
	open, own := r.conversation.Waiting, p.answerer.drafts.own
	if !p.alone(r) || own == nil || p.ports.Worlds == nil || open.Pending() == "" || open.Call != nil || !open.Fresh {
		return false
	}
	earlier := each(r.conversation.History, func(e meet.Exchange) string { return e.User })
	whole := ground.Retimed(r.plainMessage(), earlier)
	if whole == "" {
		return false
	}
	said, mentioned, language := r.turn.Message, r.mentions, r.understood.Language
	r.turn.Message, r.mentions, r.understood.Language = whole, r.contacts.Mentions(whole), open.Language
	if made, ok := own(ctx, r); !ok || made.Plan == nil {
		r.turn.Message, r.mentions, r.understood.Language = said, mentioned, language
		return false
	}
	return true
}

// nameAlike puts what the event at hand is in place of words that say no more than that another one is to be like it,
// and its people in place of a pronoun in what is to be told.
func (r *run) nameAlike() {
	search, zone := r.conversation.Search, r.now.Location()
	if search.Event == nil {
		return
	}
	e := search.Event
	like := ground.Likeness{
		Title: e.Title, Start: e.Start.In(zone), End: e.End.In(zone),
		People: each(search.People, func(p meet.Person) string { return p.Name }), Booked: search.Booked,
	}
	whole := ground.Alike(r.plainMessage(), like)
	if whole == "" {
		whole = ground.ToThem(r.turn.Message, like.People)
	}
	if whole != r.turn.Message {
		r.turn.Message, r.mentions = whole, r.contacts.Mentions(whole)
	}
}

// tellsTime reports whether the message tells right behind the words for an event when that begins, and is to be before
// it: "tacos before the movie at 8". Then the hour is not that of the wish, which is to be shortly before.
func (l *lookup) tellsTime() bool {
	a := *l.draft.Anchor
	at := strings.LastIndex(strings.ToLower(l.turn.Message), a.Event)
	if at < 0 || a.Relation != meet.Before && a.Relation != meet.RightBefore || l.draft.Template.Hours == nil {
		return false
	}
	day, end := l.dayOf(l.now), at+len(a.Event)
	if days := l.days(); len(days) > 0 {
		day = days[0].Start
	}
	windows := l.draft.Template.Hours.For(day)
	if len(windows) != 1 || !windows[0].Exact() {
		return false
	}
	for _, e := range (when.Setting{Language: l.understood.Language}).Read(l.turn.Message, l.now).Entities {
		if e.Start < end || strings.TrimSpace(l.turn.Message[end:e.Start]) != "" {
			continue
		}
		if end = e.End; e.Kind == when.KindTime { // "the movie on Tuesday at 8"
			start, ok := day.At(windows[0].Start, l.zone)
			a.Relation, l.toldAt, l.draft.Anchor, l.draft.Template.Hours = meet.RightBefore, start, &a, nil
			return ok
		}
	}
	return false
}
