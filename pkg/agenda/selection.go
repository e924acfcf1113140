package agenda

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Selection says which events are meant. It is an argument of every tool that reads or changes events, so that whatever
// finds events also changes them. Null and empty members select everything; all members must fit.
type Selection struct {
	// Window is the span of time that the events overlap; without it, from now on, or from the start of today if the
	// events are counted or shown, and back from now if the last ones are meant ("-start").
	Window *Window `json:"window" jsonschema:"nullable"`
	// TimeOfDay bounds the start of the events on the clock. If they are shown or counted, those that began before and go
	// on into it are meant too, unless one or the first ones are asked for.
	TimeOfDay *TimeOfDay `json:"timeOfDay" jsonschema:"nullable"`
	// Weekdays are "monday" to "sunday".
	Weekdays []string `json:"weekdays"`
	// TitleHas are words of titles, as the user said them: one of them must be in the title. TitleLacks must not.
	TitleHas   []string `json:"titleHas"`
	TitleLacks []string `json:"titleLacks"`
	// With and Without are people: ids, addresses or names.
	With    []string `json:"with"`
	Without []string `json:"without"`
	// Organizer is a person, or "me".
	Organizer  *string  `json:"organizer" jsonschema:"nullable"`
	Calendars  []string `json:"calendars"`
	Status     *string  `json:"status" jsonschema:"nullable,enum=confirmed,enum=tentative,enum=accepted,enum=declined,enum=unanswered"`
	Visibility *string  `json:"visibility" jsonschema:"nullable,enum=public,enum=private,enum=confidential"`
	// Categories are tags; one of them must be the event's.
	Categories []string `json:"categories"`
	// Kinds are kinds of time blocks, "block" for any, and "event" for what is none.
	Kinds     []string `json:"kinds"`
	Recurring *bool    `json:"recurring" jsonschema:"nullable"`
	// LongerThan and ShorterThan are minutes.
	LongerThan  *int `json:"longerThan" jsonschema:"nullable"`
	ShorterThan *int `json:"shorterThan" jsonschema:"nullable"`
	// Except are events that are not meant: each fits all members of one of these.
	Except []Exception `json:"except"`
	// Order is how the events are sorted before First counts; by start if null.
	Order *string `json:"order" jsonschema:"nullable,enum=start,enum=-start,enum=duration,enum=-duration"`
	// First is how many of them are meant.
	First *int `json:"first" jsonschema:"nullable"`
	// One says that the user means a single event, or one for each title: if several different ones fit, the tool asks.
	One *bool `json:"one" jsonschema:"nullable"`
	// IDs are Event.ID, or the series of one.
	IDs []string `json:"ids"`
	// From are the ids of an earlier result, and null if there is none: no event is one of an empty result.
	From *[]string `json:"from" jsonschema:"nullable"`
}

// Exception are events that a selection leaves out.
type Exception struct {
	Window    *Window    `json:"window" jsonschema:"nullable"`
	TimeOfDay *TimeOfDay `json:"timeOfDay" jsonschema:"nullable"`
	Weekdays  []string   `json:"weekdays"`
	TitleHas  []string   `json:"titleHas"`
	With      []string   `json:"with"`
}

// Window is a span of time: RFC 3339, or local to the turn's zone without an offset ("2026-11-27T00:00"), or a date.
type Window struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// TimeOfDay is a part of the day on the clock, "HH:MM" to "HH:MM" exclusive. The same time twice means exactly then.
type TimeOfDay struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// Scene is what a selection is read against.
type Scene struct {
	// Now carries the zone of the turn.
	Now time.Time
	// People are those whom a name, an id or an address means; it may find several. Nil knows nobody.
	People func(name string) []meet.Person
	// Today says that the events are shown or counted: without a window they begin with today.
	Today bool
	// Listed says that the events are of an earlier result: without a window any of them may be meant, past ones too.
	Listed bool
	// Change says that the events are to be changed. Of those that a span of time means, some are left out then: the free
	// ones, and if there are others, those that are over.
	Change bool
}

// Chosen are the events that a selection means.
type Chosen struct {
	Events []meet.Occurrence
	// Missed are the titles and people of exceptions that no event fits: the user may mean one that is called otherwise.
	Missed []string
	// Free are the events that a change of a span of time leaves out, because they take none of their owner's. Over says
	// that it leaves out events that are over.
	Free []meet.Occurrence
	Over bool
}

// AmbiguousError says that one event was meant, and that several different ones fit: one of each series.
type AmbiguousError struct{ Options []meet.Occurrence }

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d different events fit", len(e.Options))
}

// ahead is how far events are looked for without a window, on either side of now.
const ahead = 366 * 24 * time.Hour

// Span is the time in which the events must be read. An error is a fault that names the wrong member.
func (s Selection) Span(scene Scene) (interval.Span, error) {
	if s.Window != nil {
		return s.Window.span(scene.Now.Location(), "window")
	}
	now, today := scene.Now, interval.DateOf(scene.Now).Start(scene.Now.Location())
	switch {
	case len(s.IDs) > 0 || s.From != nil:
		return interval.Span{Start: now.Add(-ahead), End: now.Add(ahead)}, nil
	case s.Backwards():
		return interval.Span{Start: now.Add(-ahead), End: now}, nil
	case scene.Today:
		return interval.Span{Start: today, End: now.Add(ahead)}, nil
	}
	return interval.Span{Start: now, End: now.Add(ahead)}, nil
}

// Backwards reports whether the latest events are meant first: without a window, those that are over.
func (s Selection) Backwards() bool { return s.Order != nil && *s.Order == "-start" }

// Select picks the events that are meant among those of Span, in the selection's order. If a single one is meant and
// several different ones fit, the error is an *AmbiguousError; any other is a fault that names the wrong member.
func (s Selection) Select(events []meet.Occurrence, scene Scene) ([]meet.Occurrence, error) {
	chosen, err := s.Choose(events, scene)
	return chosen.Events, err
}

// Choose is Select, with what was left out.
func (s Selection) Choose(events []meet.Occurrence, scene Scene) (c Chosen, err error) {
	m, err := s.matcher(scene)
	if err != nil {
		return c, err
	}
	c.Events = s.called(m.all(events), scene)
	meant := c.Events
	for i, e := range s.exceptions() {
		out, err := e.of(meant, scene, fmt.Sprintf("except[%d].", i))
		if err != nil {
			return Chosen{}, err
		}
		if len(out) == 0 {
			c.Missed = append(append(c.Missed, e.TitleHas...), e.With...)
			if e.TimeOfDay != nil && len(e.TitleHas)+len(e.With) == 0 {
				c.Missed = append(c.Missed, e.TimeOfDay.Start)
			}
		}
		c.Events = without(c.Events, out)
	}
	if scene.Change && len(s.IDs) == 0 && s.From == nil && (s.One == nil || !*s.One) {
		s.spare(&c, scene.Now)
	}
	s.sort(c.Events)
	if s.First != nil && !s.names() {
		timed := slices.DeleteFunc(slices.Clone(c.Events), func(o meet.Occurrence) bool { return o.AllDay })
		if len(timed) > 0 {
			c.Events = timed // "my first meeting" is no birthday
		}
	}
	if s.First != nil {
		c.Events = c.Events[:min(max(0, *s.First), len(c.Events))]
	}
	if s.One != nil && *s.One && len(c.Events) > 1 {
		c.Events, err = s.oneEach(c.Events, scene.Now)
	}
	return c, err
}

// called are, of the events that fit everything else, those that are called so; none if a part of what a change means
// is not there.
func (s Selection) called(events []meet.Occurrence, scene Scene) []meet.Occurrence {
	events = Called(events, s.titles(), s.meansOne(), itself)
	if scene.Change && s.callsNone(events) {
		return nil
	}
	return s.today(events, scene.Now)
}

// titles are TitleHas. Words for any event say nothing more of the next one with a person, however it is called: "my
// next meeting with Dana".
func (s Selection) titles() []string {
	if len(s.With) == 0 || s.First == nil {
		return s.TitleHas
	}
	return slices.DeleteFunc(slices.Clone(s.TitleHas), func(said string) bool { return len(CallingOf(said).Names) == 0 })
}

// callsNone reports whether one of several titles is that of none of the events.
func (s Selection) callsNone(events []meet.Occurrence) bool {
	titles := s.titles()
	return len(titles) > 1 && slices.ContainsFunc(titles, func(said string) bool {
		return len(Called(events, []string{said}, s.meansOne(), itself)) == 0
	})
}

// today are, of events that begin at one time of day when one is meant and no day is said, those of today if there are
// any: "my 3 o'clock" is today's. Of other days, none is nearer to what is meant than another.
func (s Selection) today(events []meet.Occurrence, now time.Time) []meet.Occurrence {
	atOnce := s.TimeOfDay != nil && s.TimeOfDay.Start == s.TimeOfDay.End
	if !atOnce || !s.meansOne() || s.Window != nil || s.Backwards() {
		return events
	}
	todays := slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool {
		return interval.DateOf(o.Span.Start.In(now.Location())) != interval.DateOf(now)
	})
	if len(todays) > 0 {
		return todays
	}
	return events
}

// oneEach is the event that is meant, or one for each of several titles.
func (s Selection) oneEach(events []meet.Occurrence, now time.Time) (all []meet.Occurrence, err error) {
	if len(s.TitleHas) < 2 {
		return single(events, now)
	}
	for _, title := range s.TitleHas {
		one, err := single(Called(events, []string{title}, true, itself), now)
		if err != nil {
			return nil, err
		}
		all = append(without(all, one), one...)
	}
	s.sort(all)
	return all, nil
}

// spare leaves out what a change of a span of time does not concern.
func (s Selection) spare(c *Chosen, now time.Time) {
	free := func(o meet.Occurrence) bool { return o.Transparent }
	if !s.names() {
		c.Free = slices.DeleteFunc(slices.Clone(c.Events), func(o meet.Occurrence) bool { return !free(o) })
		c.Events = slices.DeleteFunc(slices.Clone(c.Events), free)
	}
	over := func(o meet.Occurrence) bool { return !o.Span.End.After(now) }
	if s.Window == nil {
		return
	}
	if rest := slices.DeleteFunc(slices.Clone(c.Events), over); len(rest) > 0 {
		c.Events, c.Over = rest, len(rest) < len(c.Events)
	}
}

// names reports whether the selection says more of its events than when they are, how long, and in which calendar.
func (s Selection) names() bool {
	isName := func(said string) bool { return len(CallingOf(said).Names) > 0 }
	isSort := func(kind string) bool { return kind != "event" }
	return slices.ContainsFunc(s.TitleHas, isName) || slices.ContainsFunc(s.Kinds, isSort) ||
		len(s.With)+len(s.Categories) > 0 || s.Organizer != nil || s.Status != nil || s.Visibility != nil
}

// Bounded reports whether the selection names events, or a time. One that only says how long they are, or which of them
// are left out, means all events there are.
func (s Selection) Bounded() bool {
	return s.names() || s.Window != nil || s.TimeOfDay != nil || s.From != nil || s.First != nil || s.Recurring != nil ||
		s.meansOne() || len(s.Weekdays)+len(s.TitleHas)+len(s.IDs)+len(s.Calendars) > 0
}

// meansOne reports whether the user means one event, whose exact title counts for more than a part of another one's.
func (s Selection) meansOne() bool { return s.One != nil && *s.One || s.First != nil && *s.First == 1 }

// Each reports whether the user names several events one by one.
func (s Selection) Each() bool { return len(s.TitleHas) > 1 || len(s.IDs) > 1 }

// exceptions are Except, and TitleLacks as the last of them.
func (s Selection) exceptions() []Exception {
	return append(slices.Clone(s.Except), Exception{TitleHas: s.TitleLacks})
}

// of are the events that fit the exception; none if it says nothing.
func (e Exception) of(events []meet.Occurrence, scene Scene, path string) ([]meet.Occurrence, error) {
	if e.Window == nil && e.TimeOfDay == nil && len(e.Weekdays)+len(e.TitleHas)+len(e.With) == 0 {
		return nil, nil
	}
	m := matcher{scene: scene}
	if err := m.times(e.Window, e.TimeOfDay, e.Weekdays, path); err != nil {
		return nil, err
	}
	m.with(e.With)
	all := m.all(events)
	kept := slices.DeleteFunc(slices.Clone(all), func(o meet.Occurrence) bool { // "besides work" is of a calendar too
		return !named(e.TitleHas, o.Calendar) && !named(e.TitleHas, o.CalendarName)
	})
	return append(without(Called(all, e.TitleHas, false, itself), kept), kept...), nil
}

// without are the events that are not among those left out.
func without(events, out []meet.Occurrence) []meet.Occurrence {
	if len(out) == 0 {
		return events
	}
	keys := map[string]bool{}
	for _, o := range out {
		keys[o.Key()] = true
	}
	return slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool { return keys[o.Key()] })
}

// itself is an event as the event that it is called like.
func itself(o meet.Occurrence) meet.Occurrence { return o }

// Called are the things that one of the phrases calls, as it would call events; all if there is none. Of each phrase
// only the best fits count: with a slip of the keys only if no title fits without, and by places and guests only if
// none fits. A phrase of words for any event ("my meetings") that no title has means them all. Single says that one is
// meant, whose exact title counts for more than a part of another one's.
func Called[T any](things []T, phrases []string, single bool, as func(T) meet.Occurrence) []T {
	if len(phrases) == 0 || len(things) == 0 {
		return things
	}
	titles := make([][]string, len(things))
	for i, t := range things {
		titles[i] = stems(as(t).Title)
	}
	meant := make([]bool, len(things))
	for _, phrase := range phrases {
		calling, fits, best := CallingOf(phrase), make([]fit, len(things)), unfit
		for i := range titles {
			fits[i] = calling.fit(titles[i])
			if !single {
				fits[i] = max(fits[i], literally)
			}
			best = min(best, fits[i])
		}
		for i, t := range things {
			switch {
			case meant[i]:
			case best < unfit:
				meant[i] = fits[i] == best
			default:
				meant[i] = len(calling.Names) == 0 || calling.besides(as(t))
			}
		}
	}
	var chosen []T
	for i, t := range things {
		if meant[i] {
			chosen = append(chosen, t)
		}
	}
	return chosen
}

func (s Selection) sort(events []meet.Occurrence) {
	order := "start"
	if s.Order != nil {
		order = *s.Order
	}
	by, descending := strings.CutPrefix(order, "-")
	slices.SortStableFunc(events, func(a, b meet.Occurrence) int {
		c := a.Span.Start.Compare(b.Span.Start)
		if by == "duration" {
			c = cmp.Compare(a.Span.Duration(), b.Span.Duration())
		}
		if descending {
			return -c
		}
		return c
	})
}

// single is the one event that is meant: of several those that are not declined and not over, and of a series the
// first.
func single(events []meet.Occurrence, now time.Time) ([]meet.Occurrence, error) {
	for _, unlikely := range []func(meet.Occurrence) bool{
		meet.Occurrence.Declined, func(o meet.Occurrence) bool { return !o.Span.End.After(now) },
	} {
		if likely := slices.DeleteFunc(slices.Clone(events), unlikely); len(likely) > 0 {
			events = likely
		}
	}
	var each []meet.Occurrence
	for _, o := range events {
		if !slices.ContainsFunc(each, func(e meet.Occurrence) bool { return e.UID == o.UID }) {
			each = append(each, o)
		}
	}
	if len(each) > 1 {
		return nil, &AmbiguousError{each}
	}
	return each, nil
}
