package stages

import (
	"context"
	"errors"
	"slices"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/when"
)

// anchors finds the events of the organizer's own calendar by which a message names a time: "after my dentist
// appointment". No model sees what it reads; the organizer is told of it after the message.
type anchors struct {
	agenda   Agenda
	patience time.Duration
}

// anchorAhead is how far ahead events are looked for.
const anchorAhead = 4 * 7 * 24 * time.Hour

var errUnreadable = errors.New("the organizer's calendar is not to be read")

// settle makes the draft's hours of its anchor. If no event fits, or more than one does, the draft asks.
func (a anchors) settle(ctx context.Context, in situation, draft meet.Draft) (meet.Draft, error) {
	l, asked := lookup{situation: in, draft: draft, zone: in.now.Location()}.said()
	if l.draft.Anchor == nil {
		return l.draft, nil
	}
	if in.told != "" {
		return l.bounded([]meet.Occurrence{{Span: l.answer()}}), nil
	}
	if e := in.proposed(); l.points && e != nil {
		return l.bounded([]meet.Occurrence{{Span: e.Span()}}), nil
	}
	events, err := a.events(ctx, in, interval.From(in.now, anchorAhead))
	if ctx.Err() != nil {
		return draft, ctx.Err()
	}
	found, several := l.find(slices.DeleteFunc(events, l.unlikely))
	switch {
	case len(found) > 0:
		draft = l.bounded(found)
		for _, o := range found {
			draft.Anchored = append(draft.Anchored, anchorEvent(o))
		}
		return draft, nil
	case !asked:
		draft.Anchor = nil
		return draft, nil
	case l.tellsTime():
		return l.bounded([]meet.Occurrence{{Span: interval.From(l.toldAt, 0)}}), nil
	}
	question := &meet.Question{
		Message: in.turn.Message, Anchor: true, Language: in.understood.Language,
		Text: in.facts().AnchorMissing(*l.draft.Anchor, err != nil),
	}
	if len(several) > 0 {
		question.Times = each(several, func(o meet.Occurrence) interval.Span { return o.Span })
		question.Text = in.facts().AnchorSeveral(*l.draft.Anchor, question.Times)
	}
	draft.Ending = question
	return draft, nil
}

// events are the organizer's. Busy times in a request stand for all calendars of that person.
func (a anchors) events(ctx context.Context, in situation, span interval.Span) ([]meet.Occurrence, error) {
	given := func(g meet.GivenAvailability) bool { return g.Person == in.turn.Organizer.ID }
	if a.agenda == nil || slices.ContainsFunc(in.turn.Availability, given) {
		return nil, errUnreadable
	}
	ctx, cancel := context.WithTimeout(ctx, a.patience)
	defer cancel()
	return a.agenda.Events(ctx, in.turn.Organizer, span)
}

func anchorEvent(o meet.Occurrence) meet.AnchorEvent {
	e := meet.AnchorEvent{UID: o.UID, Title: o.Title, Span: o.Span, AllDay: o.AllDay, Transparent: o.Transparent}
	for _, a := range o.Attendees {
		e.Busy = append(e.Busy, a.Email)
	}
	return e
}

// facts are those of a message that is about no event.
func (in situation) facts() *message.Facts {
	return &message.Facts{Language: in.understood.Language, Zone: in.now.Location(), Now: in.now}
}

// lookup is the search for the events of one anchor.
type lookup struct {
	situation
	draft meet.Draft
	zone  *time.Location
	// daytime says that the anchor may be a time of day as well ("after lunch"), which the draft has then.
	daytime bool
	// points says that the anchor is the event that is being talked about: "after that".
	points bool
	// toldAt is when the event begins by the message itself.
	toldAt time.Time
}

// said checks the anchor: a model's must be in the user's words, and if the model left one out, that of the rules
// counts. Asked says that the user is asked if there is no such event.
func (l lookup) said() (_ lookup, asked bool) {
	heard := l.draft.Heard
	if l.point() {
		return l, false
	}
	if a := l.draft.Anchor; a != nil && !l.spoke(a.Event+" "+a.Second) {
		l.receipt.removed("unsaid_anchor")
		l.draft.Anchor = nil
	}
	asked = true
	if l.draft.Anchor == nil && heard != nil {
		l.draft.Anchor, asked = heard.Anchor, false
	}
	if l.draft.Anchor == nil {
		return l, false
	}
	setting := when.Setting{Language: l.understood.Language}
	for _, e := range setting.Read(l.turn.Message, l.now).Entities {
		if e.Kind == when.KindTime && together(words(l.turn.Message[e.Start:e.End]), words(l.draft.Anchor.Event)) {
			l.daytime, asked = true, false
		}
	}
	return l, asked
}

// point makes the event that is being talked about the anchor of a new one, if the message says so.
func (l *lookup) point() bool {
	said, after, close := ground.Beside(l.turn.Message)
	own := l.draft.Anchor == nil || together(words(said), words(l.draft.Anchor.Event))
	if said == "" || !own || l.draft.Mode != meet.ModeNew || l.eventAtHand() == "" && l.proposed() == nil {
		return false
	}
	anchor := &meet.CalendarAnchor{Relation: meet.Before, Event: said}
	if after {
		anchor.Relation = meet.After
	}
	if close {
		anchor.Relation = "right " + anchor.Relation
	}
	if h := l.draft.Heard; h != nil {
		heard := *h
		heard.Anchor, l.draft.Heard = anchor, &heard
	}
	l.draft.Anchor, l.points = anchor, true
	return true
}

// spoke reports whether all words are the user's.
func (l lookup) spoke(text string) bool {
	user := l.userWords()
	return !slices.ContainsFunc(words(text), func(w string) bool { return !says(user, w) })
}

// unlikely reports whether an event is not what the user means: one that was declined, or is over, or is on another day
// than the user named.
func (l lookup) unlikely(o meet.Occurrence) bool {
	past := o.Span.End
	if r := l.draft.Anchor.Relation; r == meet.Before || r == meet.RightBefore {
		past = o.Span.Start
	}
	if o.Declined() || !past.After(l.now) {
		return true
	}
	days := l.days()
	onDay := covers(days, l.dayOf(o.Span.Start)) || o.AllDay && l.touches(days, o.Span)
	return (len(days) > 0 || l.daytime) && !onDay
}

func (l lookup) touches(days []interval.DateRange, s interval.Span) bool {
	first, last := l.dayOf(s.Start), l.dayOf(s.End)
	return slices.ContainsFunc(days, func(r interval.DateRange) bool {
		return !r.End.Before(first) && !last.Before(r.Start)
	})
}

// days are those that this message names; an edit keeps those of the messages before, which say nothing of the event.
func (l lookup) days() []interval.DateRange {
	if before := l.draft.Before; before != nil && slices.Equal(before.Template.Dates, l.draft.Template.Dates) {
		return nil
	}
	return l.draft.Template.Dates
}

func (l lookup) dayOf(t time.Time) interval.Date { return interval.DateOf(t.In(l.zone)) }

// find is the event that the anchor means: the next one that fits, or two of one day for "between". Several fit if that
// day has more.
func (l lookup) find(events []meet.Occurrence) (found, several []meet.Occurrence) {
	a := *l.draft.Anchor
	first := agenda.CallingOf(a.Event)
	if l.points {
		return l.pointed(events), nil
	}
	if a.Relation == meet.Between && a.Second != "" {
		return l.pair(fitting(events, first), fitting(events, agenda.CallingOf(a.Second))), nil
	}
	if a.Relation == meet.Between {
		first.Count = 2
	}
	fits := fitting(events, first)
	if len(fits) == 0 && len(first.Names) == 0 && len(l.days()) > 0 {
		fits = slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool { return o.AllDay || o.Transparent })
	}
	for len(fits) >= first.Count {
		day := l.dayOf(fits[0].Span.Start)
		later := slices.IndexFunc(fits, func(o meet.Occurrence) bool { return l.dayOf(o.Span.Start) != day })
		if later < 0 {
			later = len(fits)
		}
		switch {
		case later == first.Count:
			return fits[:later], nil
		case later > first.Count:
			return nil, fits[:later]
		}
		fits = fits[later:]
	}
	return nil, nil
}

// pointed is the event at hand, if it is among some.
func (l lookup) pointed(events []meet.Occurrence) []meet.Occurrence {
	id := l.eventAtHand()
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool { return o.Key() != id })
}

// proposed is the event that was just suggested and is not in the calendar yet, or not as it was shown; nil if there is
// none.
func (in situation) proposed() *meet.Event {
	if s := in.conversation.Search; s != nil && s.Fresh && s.Event != nil && s.Event.Status == meet.Proposed {
		return s.Event
	}
	return nil
}

// eventAtHand is the id of the event that is being talked about: the one that was just booked, or shown alone; empty if
// there is none, or if it may be something else.
func (in situation) eventAtHand() string {
	if s := in.conversation.Search; s != nil && s.Event != nil && s.Fresh {
		if s.Booked {
			return s.Event.UID
		}
		return ""
	}
	if open := in.conversation.Waiting; open != nil && len(open.Shown) == 1 {
		return open.Shown[0]
	}
	return in.atHand
}

func fitting(events []meet.Occurrence, c agenda.Calling) []meet.Occurrence {
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool { return !c.Fits(o) })
}

// pair is the first two events of one day that follow each other, in order.
func (l lookup) pair(one, other []meet.Occurrence) []meet.Occurrence {
	for _, a := range one {
		for _, b := range other {
			switch {
			case l.dayOf(a.Span.Start) != l.dayOf(b.Span.Start):
			case !b.Span.Start.Before(a.Span.End):
				return []meet.Occurrence{a, b}
			case !a.Span.Start.Before(b.Span.End):
				return []meet.Occurrence{b, a}
			}
		}
	}
	return nil
}

// nearby is how long after an event something that is "right after" it may begin.
const nearby = 45 * time.Minute

// window is the time that the anchor names.
func (l lookup) window(found []meet.Occurrence) interval.Span {
	is, last := found[0].Span, found[len(found)-1].Span
	close := l.draft.Template.Length() + nearby
	switch l.draft.Anchor.Relation {
	case meet.Before:
		if found[0].AllDay {
			return interval.Span{Start: l.now, End: is.Start}
		}
		return interval.Span{Start: l.dayOf(is.Start).Start(l.zone), End: is.Start}
	case meet.RightBefore:
		return interval.Span{Start: is.Start.Add(-close), End: is.Start}
	case meet.After:
		if found[0].AllDay {
			return interval.Span{Start: is.End, End: is.End.AddDate(0, 0, 14)}
		}
		return interval.Span{Start: is.End, End: l.dayOf(is.End).AddDays(1).Start(l.zone)}
	case meet.RightAfter:
		return interval.From(is.End, close)
	case meet.DayBefore:
		return l.dayOf(is.Start).AddDays(-1).Span(l.zone)
	case meet.DayAfter:
		return l.dayOf(is.End.Add(-time.Minute)).AddDays(1).Span(l.zone)
	case meet.Between:
		return interval.Span{Start: is.End, End: last.Start}
	case meet.During:
	}
	return is
}

// bounded is the draft with the days and hours that the anchor names. Hours that the message names beside them stay.
func (l lookup) bounded(found []meet.Occurrence) meet.Draft {
	draft, t := l.draft, l.draft.Template
	if before := draft.Before; l.daytime || before != nil && before.Template.Hours == t.Hours {
		t.Hours = nil
	}
	window := l.window(found)
	first, last := l.dayOf(window.Start), l.dayOf(window.End.Add(-time.Minute))
	hours := &meet.Hours{}
	for day := first; !last.Before(day); day = day.AddDays(1) {
		hours.On = append(hours.On, meet.DateHours{Date: day, Windows: l.windows(day, window, t.Hours)})
	}
	if whole := window.Start.Equal(first.Start(l.zone)) && window.End.Equal(last.AddDays(1).Start(l.zone)); !whole {
		t.Hours = hours
	}
	t.Dates = []interval.DateRange{{Start: first, End: last}}
	draft.Template = t
	if draft.Edit != nil {
		edit := *draft.Edit
		edit.ChangedTime = true
		draft.Edit = &edit
	}
	if h := draft.Heard; h != nil && h.Anchor != nil {
		heard := *h
		heard.Template.Dates, heard.Template.Hours = t.Dates, t.Hours
		draft.Heard = &heard
	}
	return draft
}

// wakingHour is when a day begins for people who meet before something of that day.
const wakingHour = 7

// windows are the parts of a day within the anchor's window, and within the hours that the message names for it, unless
// they contradict the anchor.
func (l lookup) windows(day interval.Date, window interval.Span, wished *meet.Hours) []interval.Window {
	whole := interval.Window{Start: 0, End: interval.EndOfDay}
	if s := day.Start(l.zone); window.Start.After(s) {
		whole.Start = interval.ClockOf(window.Start.In(l.zone))
	} else if day == l.dayOf(window.End) && window.End.In(l.zone).Hour() > wakingHour {
		whole.Start = interval.At(wakingHour, 0) // "before the stand-up" is not in the night
	}
	if window.End.Before(day.AddDays(1).Start(l.zone)) {
		whole.End = interval.ClockOf(window.End.In(l.zone))
	}
	var both []interval.Window
	if wished != nil {
		for _, w := range wished.For(day) {
			w.Start = max(w.Start, whole.Start)
			if w.End = min(w.End, whole.End); w.Start < w.End || w.Exact() {
				both = append(both, w)
			}
		}
	}
	if len(both) == 0 {
		return []interval.Window{whole}
	}
	return both
}

// alongside tells of slots during an event of the organizer's that they are: the search did not count it. A user who
// confirms such a slot accepts that.
func alongside(organizer meet.Person, draft meet.Draft, found meet.Candidates) meet.Candidates {
	during := draft.During()
	if during == nil || during.Transparent {
		return found
	}
	found.Slots = slices.Clone(found.Slots)
	for i, s := range found.Slots {
		if !s.Span().Overlaps(during.Span) {
			continue
		}
		for j, p := range draft.Everyone(organizer) {
			text := p.Name + " has another event"
			if j == 0 {
				text = "you have another event"
			}
			if j == 0 || slices.Contains(during.Busy, fold(p.Email)) {
				s.Conflicts = append(slices.Clone(s.Conflicts), meet.Conflict{
					Person: p.ID, Name: p.Name, Kind: meet.ConflictBusy, Text: text,
				})
			}
		}
		found.Slots[i] = s
	}
	return found
}

// answerAnchor returns to the user's earlier message if this one tells the time that it was asked for.
func (in *situation) answerAnchor(q *meet.Question) {
	r := when.Setting{Language: q.Language}.Read(in.turn.Message, in.now)
	_, picks := offeredBy(in.turn.Message, q.Times)
	if _, timed := timeOf(r); !timed && !picks {
		return
	}
	in.told, in.asks = in.turn.Message, q
	in.turn.Message = q.Message
}

// offeredBy is the time that an answer picks by its position: "the second one".
func offeredBy(answer string, times []interval.Span) (s interval.Span, ok bool) {
	if n, picks := position(sayings(answer)); picks && 1 <= n && n <= len(times) {
		return times[n-1], true
	}
	return s, false
}

// timeOf is the time of day that a reading names, or where that begins.
func timeOf(r when.Reading) (w interval.Window, ok bool) {
	if r.Exact != nil {
		return interval.Window{Start: *r.Exact, End: *r.Exact + interval.Clock(r.Duration/time.Minute)}, true
	}
	for _, windows := range r.Hours.Week {
		if len(windows) > 0 {
			return windows[0], true
		}
	}
	for _, on := range r.Hours.On {
		if len(on.Windows) > 0 {
			return on.Windows[0], true
		}
	}
	return w, false
}

// answer is when the event is by the user's answer: one of the times that were offered, or the time that it names, on
// its day, or a day of the wish, or the next one at that time.
func (l lookup) answer() interval.Span {
	if s, picks := offeredBy(l.told, l.asks.Times); picks {
		return s
	}
	r := when.Setting{Language: l.asks.Language}.Read(l.told, l.now)
	at, _ := timeOf(r)
	for _, s := range l.asks.Times {
		if interval.ClockOf(s.Start.In(l.zone)) == at.Start && (len(r.Dates) == 0 || covers(r.Dates, l.dayOf(s.Start))) {
			return s
		}
	}
	day := l.dayOf(l.now)
	if len(r.Dates) > 0 {
		day = r.Dates[0].Start
	} else if days := l.days(); len(days) > 0 {
		day = days[0].Start
	}
	start, _ := day.At(at.Start, l.zone)
	if start.Before(l.now) && len(r.Dates) == 0 {
		start = start.AddDate(0, 0, 1)
	}
	return interval.From(start, time.Duration(max(0, at.End-at.Start))*time.Minute)
}
