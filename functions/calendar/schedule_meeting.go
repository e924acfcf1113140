package calendar

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
	"convene/pkg/tool"
)

//go:embed schedule_meeting.md
var scheduleMeetingWords string

type scheduleMeeting struct {
	Title           string   `json:"title"`
	People          []string `json:"people"`
	DurationMinutes *int     `json:"durationMinutes" jsonschema:"nullable"`
	Start           *string  `json:"start" jsonschema:"nullable"`
	wanted
	Location    *string `json:"location" jsonschema:"nullable"`
	Description *string `json:"description" jsonschema:"nullable"`
	PrepMinutes *int    `json:"prepMinutes" jsonschema:"nullable"`
}

// Meeting is the data of calendar_scheduleMeeting and calendar_rescheduleMeeting.
type Meeting struct {
	Changed
	// Alternatives are other times. Busy are people whom the wished time does not suit; then nothing is changed.
	Alternatives []timeSpan `json:"alternatives"`
	Busy         []string   `json:"busy"`
	// Unknown are people whose calendars could not be read.
	Unknown []string `json:"unknown"`
}

// ScheduleMeeting finds a time for several people by the event pipeline, and makes the event there.
func ScheduleMeeting() world.Tool {
	return world.Define("calendar_scheduleMeeting", scheduleMeetingWords, changes(meet.CreateResource), schedule)
}

func schedule(ctx context.Context, w *world.World, in scheduleMeeting) (world.Answer[Meeting], error) {
	title := meet.Caption(in.Title)
	if title == "" {
		return world.Answer[Meeting]{}, tool.BadArgument("title", "is empty")
	}
	asked, err := people(w, "people", in.People)
	if err != nil {
		return world.Answer[Meeting]{}, err
	}
	guests, err := invited(w, asked)
	if err != nil {
		return world.Answer[Meeting]{}, err
	}
	draft := meet.Draft{Mode: meet.ModeNew, People: asked, Template: meet.Template{
		Title: title, EventType: meet.Video, Activity: meet.Meeting, Duration: length(w, in.DurationMinutes),
	}}
	meeting, err := offer(ctx, w, draft, wish{in.wanted, in.Start, in.PrepMinutes})
	if err != nil || meeting.told != nil {
		return meeting.answer(w), err
	}
	event := meet.Occurrence{
		Title: title, Span: meeting.slot.Span(), Location: meet.Caption(text(in.Location)), Description: text(in.Description),
		Attendees: guests,
	}
	return meeting.change(ctx, w, world.Found{}, agenda.Amendment{Kind: agenda.Create, Event: event})
}

// wish is when a meeting may be, or its start, and for how many minutes its owner prepares right before it.
type wish struct {
	wanted
	start *string
	prep  *int
}

// preparing is the time to prepare before a meeting.
func (m wish) preparing() time.Duration {
	if m.prep == nil {
		return 0
	}
	return max(0, time.Duration(*m.prep)*time.Minute)
}

// offered is a time for a meeting, and others. If the wished one does not suit, told says why, and nothing is changed.
type offered struct {
	wish
	slot meet.Slot
	data Meeting
	told []string
}

// offer asks the event pipeline for the best time.
func offer(ctx context.Context, w *world.World, draft meet.Draft, when wish) (o offered, err error) {
	o.wish, o.data = when, Meeting{
		Changed:      Changed{Events: []agenda.Event{}, Conflicts: []agenda.Event{}},
		Alternatives: []timeSpan{}, Busy: []string{}, Unknown: []string{},
	}
	if w.Scheduler == nil {
		return o, fault.New(fault.Unavailable, "%s", say(w, "noScheduler"))
	}
	exact, err := when.bound(w, &draft.Template, when.start)
	if err != nil {
		return o, err
	}
	const most, seen = 4, 24
	slots, reasons, err := w.Scheduler.Slots(ctx, w.Owner, w.Now, draft, seen)
	if err != nil {
		return o, err
	}
	if when.start == nil {
		if slots, err = when.apart(ctx, w, slots); err != nil {
			return o, err
		}
	}
	slots = slots[:min(most, len(slots))]
	facts := &message.Facts{Language: w.Language, Organizer: w.Owner, People: draft.People}
	slots, reasons = facts.Conflicts(slots), facts.Reasons(reasons)
	for i, s := range slots {
		switch {
		case i == 0 && s.State != meet.SlotConflict && when.allows(w, s.Span(), exact):
			o.slot, o.data.Unknown = s, append(o.data.Unknown, s.Unknown...)
		case s.State != meet.SlotConflict:
			o.data.Alternatives = append(o.data.Alternatives, timeSpan{rfc(w, s.Start), rfc(w, s.End)})
		case i == 0:
			for _, c := range s.Conflicts {
				o.data.Busy = append(o.data.Busy, c.Name)
			}
		}
	}
	if o.slot.Start.IsZero() {
		o.told = o.refuse(w, slots, reasons)
	}
	return o, nil
}

// apart are the slots that keep what the owner keeps free, and the minutes between events: those with time to prepare,
// if there are any.
func (m wish) apart(ctx context.Context, w *world.World, slots []meet.Slot) ([]meet.Slot, error) {
	if len(slots) == 0 {
		return slots, nil
	}
	span := slots[0].Span()
	for _, s := range slots {
		span = span.Hull(s.Span())
	}
	span.Start = span.Start.Add(-m.preparing())
	known, err := read(ctx, w, nil, w.Apart(interval.NewSet(span))[0])
	if err != nil {
		return nil, err
	}
	free, _ := m.spare(w, interval.NewSet(span).Minus(w.Apart(known.of(w.Owner, span).Busy)), span)
	clear := func(before time.Duration) []meet.Slot {
		return slices.DeleteFunc(slices.Clone(slots), func(s meet.Slot) bool {
			return s.State != meet.SlotConflict && !free.Covers(s.Span().Widen(before, 0))
		})
	}
	if prepared := clear(m.preparing()); len(prepared) > 0 {
		return prepared, nil
	}
	return clear(0), nil
}

// bound is the wish of a template: an exact start, or days and hours. It returns the start.
func (m wanted) bound(w *world.World, t *meet.Template, start *string) (exact time.Time, err error) {
	if start != nil {
		if exact, err = moment(w, *start, "start"); err != nil {
			return exact, err
		}
		local := exact.In(w.Zone())
		at, day := interval.ClockOf(local), interval.DateOf(local)
		t.Dates = []interval.DateRange{{Start: day, End: day}}
		t.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{Start: at, End: at})}
		return exact, nil
	}
	if m.Window != nil {
		span, err := m.span(w)
		if err != nil {
			return exact, err
		}
		first, last := span.Start.In(w.Zone()), span.End.Add(-1).In(w.Zone())
		t.Dates = []interval.DateRange{{Start: interval.DateOf(first), End: interval.DateOf(last)}}
		if t.Dates[0].Start == t.Dates[0].End && span.Duration() < 12*time.Hour {
			t.Hours = &meet.Hours{Week: interval.EveryDay(interval.Window{
				Start: interval.ClockOf(first), End: interval.ClockOf(last.Add(time.Minute)),
			})}
		}
	}
	if m.TimeOfDay != nil {
		window, err := m.TimeOfDay.Window("timeOfDay")
		if err != nil {
			return exact, badWindow(err)
		}
		t.Hours = &meet.Hours{Week: interval.EveryDay(window)}
	}
	return exact, nil
}

// allows reports whether a time is as wished: the event pipeline offers the nearest others where none is.
func (m wanted) allows(w *world.World, s interval.Span, exact time.Time) bool {
	if !exact.IsZero() {
		return s.Start.Equal(exact)
	}
	there := []meet.Occurrence{{UID: "wished", Span: s}}
	picked, err := agenda.Selection{Window: m.Window, TimeOfDay: m.TimeOfDay}.Select(there, w.Scene())
	if err != nil || len(picked) == 0 || m.Window == nil {
		return err == nil && len(picked) > 0
	}
	window, err := agenda.Selection{Window: m.Window}.Span(w.Scene())
	return err == nil && window.Covers(s)
}

// refuse says why there is no such time, and which others there are.
func (o offered) refuse(w *world.World, slots []meet.Slot, reasons []meet.Reason) (told []string) {
	if len(slots) > 0 && len(slots[0].Conflicts) > 0 {
		at := w.Voice().Span(slots[0].Span(), false)
		for _, c := range slots[0].Conflicts {
			told = append(told, say(w, "conflict", "text", w.Voice().Title(c.Text), "when", at))
		}
	} else {
		told = append(told, say(w, "noSlot"))
	}
	for _, r := range reasons {
		told = append(told, say(w, "reason", "text", w.Voice().Title(r.Text)))
	}
	return told
}

// answer is that of a meeting that is not changed.
func (o offered) answer(w *world.World) world.Answer[Meeting] {
	var suggestions []string
	told := o.told
	for _, t := range o.data.Alternatives {
		start, _ := time.Parse(time.RFC3339, t.Start) // written above
		suggestions = append(suggestions, w.Voice().When(start.In(w.Zone())))
	}
	if len(suggestions) > 0 {
		told = append(told, say(w, "otherTimes", "times", strings.Join(suggestions, "; ")))
	}
	return world.Answer[Meeting]{
		Data: o.data, Display: meet.CardDisplay, Title: say(w, "noSlot"), Description: strings.Join(told, " "),
		Suggestions: suggestions,
	}
}

// change is the meeting at its time, with a block before it to prepare.
func (o offered) change(
	ctx context.Context, w *world.World, found world.Found, a agenda.Amendment,
) (world.Answer[Meeting], error) {
	all := []agenda.Amendment{a}
	if o.preparing() > 0 {
		all = append(all, o.prepare(ctx, w, a))
	}
	made, err := amend(ctx, w, found, all)
	o.data.Changed = made.Data
	answer := world.Answer[Meeting]{
		Data: o.data, Display: made.Display, Title: made.Title, Description: made.Description,
		Components: made.Components, Changes: made.Changes, Suggestions: o.answer(w).Suggestions,
	}
	if len(o.data.Unknown) > 0 {
		unknown := say(w, "unknownPeople", "names", w.Voice().List(escaped(w, o.data.Unknown)))
		answer.Description = joined(answer.Description, unknown)
	}
	return answer, err
}

// prepare is the block before a meeting: the one that stands before it now, or a new one.
func (o offered) prepare(ctx context.Context, w *world.World, a agenda.Amendment) agenda.Amendment {
	span := interval.Span{Start: o.slot.Start.Add(-o.preparing()), End: o.slot.Start}
	title := say(w, "prepare", "title", a.Event.Title)
	before := interval.Span{Start: a.Event.Span.Start.Add(-24 * time.Hour), End: a.Event.Span.Start}
	events, _ := w.Agenda.Events(ctx, before) // what could not be read has been told
	for _, e := range events {
		if a.Kind == agenda.Update && e.Kind == meet.WorkBlock && e.Title == title && e.Span.End.Equal(before.End) {
			return agenda.Amendment{Kind: agenda.Update, Event: e, Set: agenda.Fields{Span: &span}}
		}
	}
	return agenda.Amendment{Kind: agenda.Create, Event: meet.Occurrence{Title: title, Kind: meet.WorkBlock, Span: span}}
}
