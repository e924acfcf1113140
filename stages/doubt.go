package stages

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// This file compares the model's reading of a message with that of rules. The rules are no better than the model, so a
// difference alone is a doubt: the event is not booked without a confirmation. The doubt is plain, and shown in any
// case, if the user named days, times, a length, a person or a venue, and the message mentions nothing of what is
// proposed: so rules that misread "not Friday, Thursday" mark nothing wrongly.

// doubt is a difference. Said is what the user said about it.
type doubt struct {
	kind  meet.DoubtKind
	said  string
	plain bool
}

// comparison compares an event that is about to be proposed with what the rules heard.
type comparison struct {
	heard meet.Heard
	draft meet.Draft
	// start is the event's, in the turn's zone; venue is its place, or nil.
	start time.Time
	venue *meet.Place
	// astray says that no time is as wished, so that the start tells nothing about the wish.
	astray bool
	// found are the doubts so far.
	found []doubt
}

// doubts are the differences, by kind.
func (c comparison) doubts() []doubt {
	for _, kind := range c.heard.Restored {
		c.add(kind, c.saidOf(kind), false)
	}
	if !c.heard.Event || c.heard.Mode != c.draft.Mode {
		c.add(meet.DoubtRequest, "", false)
	}
	if c.heard.Event {
		c.people()
		c.when()
		c.length()
		c.place()
		if c.heard.Template.TravelBuffer != c.draft.Template.TravelBuffer {
			c.add(meet.DoubtTravel, "", false)
		}
	}
	return c.found
}

// settles reports whether the message names again what was in doubt before.
func (c *comparison) settles(kind meet.DoubtKind) bool {
	edit := c.heard.Edit
	return edit != nil && (edit.ChangedTime && (kind == meet.DoubtDay || kind == meet.DoubtTime) ||
		edit.ChangedPlace && kind == meet.DoubtPlace)
}

func (c *comparison) add(kind meet.DoubtKind, said string, plain bool) {
	c.found = append(c.found, doubt{kind, said, plain && c.heard.Mode == c.draft.Mode})
}

// against adds a doubt about the phrases in which the user named something. It is plain if it may be, there are such
// phrases, and the event follows no phrase.
func (c *comparison) against(kind meet.DoubtKind, names, meant func(meet.Phrase) bool, may bool) {
	var said []string
	for _, p := range c.heard.Phrases {
		if p.Text != "" && names(p) {
			said = append(said, p.Text)
		}
	}
	c.add(kind, strings.Join(said, ", "), may && len(said) > 0 && !slices.ContainsFunc(c.heard.Phrases, meant))
}

// saidOf quotes what the message says about a part of the event: its phrases or its names, or else all of it.
func (c *comparison) saidOf(kind meet.DoubtKind) string {
	names := map[meet.DoubtKind]func(meet.Phrase) bool{
		meet.DoubtDay: namesDay, meet.DoubtTime: namesTime,
		meet.DoubtLength: func(p meet.Phrase) bool { return p.Minutes > 0 },
	}[kind]
	var said []string
	for _, p := range c.heard.Phrases {
		if names != nil && p.Text != "" && names(p) {
			said = append(said, p.Text)
		}
	}
	if kind == meet.DoubtPeople {
		said = c.heard.Template.Participants
	}
	venue := ""
	if kind == meet.DoubtPlace {
		venue = c.heard.Template.PlaceName
	}
	return cmp.Or(strings.Join(said, ", "), venue, strings.Join(c.heard.Words, " "))
}

func (c *comparison) people() {
	for _, p := range c.heard.People {
		if !takes(p, c.draft.People) {
			name := p.Name
			if i := slices.IndexFunc(c.heard.Template.Participants, p.Called); i >= 0 {
				name = c.heard.Template.Participants[i]
			}
			c.add(meet.DoubtPeople, name, p.Known())
			return
		}
	}
	if c.heard.Unnamed || slices.ContainsFunc(c.draft.People, func(p meet.Person) bool {
		return !takes(p, c.heard.People)
	}) {
		c.add(meet.DoubtPeople, "", false)
	}
}

// dawn is the end of the night, in minutes after midnight.
const dawn = 4 * 60

func namesDay(p meet.Phrase) bool  { return len(p.Days)+len(p.Weekdays) > 0 }
func namesTime(p meet.Phrase) bool { return len(p.Windows) > 0 }

// when compares the day and the time of day with the wish.
func (c *comparison) when() {
	on, at := interval.DateOf(c.start), interval.ClockOf(c.start)
	if was, edit := c.draft.Previous, c.heard.Edit; was != nil && edit != nil && c.draft.Edit != nil {
		before := was.Start.In(c.start.Location())
		switch {
		case !edit.ChangedTime:
			c.unmoved(before)
			return
		case edit.Preference == meet.Earlier && !c.start.Before(before), edit.Preference == meet.Later &&
			!c.start.After(before):
			c.add(meet.DoubtTime, "", true)
			return
		}
	}
	if !c.dayAsWished(on) {
		night := on // the small hours belong to the day before
		if at < dawn {
			night = on.AddDays(-1)
		}
		c.against(meet.DoubtDay, namesDay, func(p meet.Phrase) bool {
			return covers(p.Days, on) || covers(p.Days, night) || slices.Contains(p.Weekdays, on.Weekday())
		}, len(c.heard.Template.Dates) > 0 || covers(c.heard.Template.ExcludedDates, on))
	}
	own, wish := c.draft.Template, c.heard.Template
	switch odd := own.Hours != nil && !slot.Usual(own.Activity, at) && !slot.Usual(wish.Activity, at); {
	case c.timeAsWished(on, at):
	case odd && !slices.ContainsFunc(c.heard.Phrases, namesTime):
		c.add(meet.DoubtTime, "", true)
	default:
		c.against(meet.DoubtTime, namesTime, func(p meet.Phrase) bool { return within(p.Windows, at, 0) }, true)
	}
}

// unmoved doubts a move that the message does not ask for. The doubt is plain if the message asks for another change
// and names no time.
func (c *comparison) unmoved(before time.Time) {
	if !c.draft.Edit.ChangedTime {
		return
	}
	plain := c.understood() && !slices.ContainsFunc(c.heard.Phrases, namesDay) &&
		!slices.ContainsFunc(c.heard.Phrases, namesTime)
	if interval.DateOf(before) != interval.DateOf(c.start) {
		c.add(meet.DoubtDay, "", plain)
	}
	if interval.ClockOf(before) != interval.ClockOf(c.start) {
		c.add(meet.DoubtTime, "", plain)
	}
}

// understood reports whether the rules found something to change.
func (c *comparison) understood() bool {
	return c.draft.Before != nil && !reflect.DeepEqual(c.heard.Template, c.draft.Before.Template)
}

// dayAsWished reports whether the day is one that the rules heard or, if they heard none, one of the next days.
func (c *comparison) dayAsWished(on interval.Date) bool {
	wish, own := c.heard.Template, c.draft.Template
	excludesTheSame := slices.Equal(own.ExcludedDates, wish.ExcludedDates)
	isSoon := func(r interval.DateRange) bool { return r.Contains(on) && !c.heard.Today.AddDays(1).Before(r.Start) }
	isWished := func(r interval.DateRange) bool {
		return slices.ContainsFunc(wish.Dates, func(w interval.DateRange) bool {
			return !w.End.Before(r.Start) && !r.End.Before(w.Start)
		})
	}
	switch {
	case len(wish.Dates) == 0 && c.draft.Mode == meet.ModeNew:
		return excludesTheSame && (len(own.Dates) == 0 || slices.ContainsFunc(own.Dates, isSoon))
	case c.astray && excludesTheSame && slices.ContainsFunc(own.Dates, isWished):
		return true
	}
	return !covers(wish.ExcludedDates, on) && (len(wish.Dates) == 0 || covers(wish.Dates, on))
}

// timeAsWished reports whether the time is one that the rules heard or, if they heard none, a usual one that the model
// did not name either.
func (c *comparison) timeAsWished(on interval.Date, at interval.Clock) bool {
	wish, own := c.heard.Template, c.draft.Template
	_, _, exact := own.ExactStart()
	switch {
	case wish.ExcludedHours != nil && !c.astray &&
		slices.ContainsFunc(wish.ExcludedHours.For(on), func(w interval.Window) bool {
			return w.Start <= at && at < w.End
		}):
		return false
	case wish.Hours == nil:
		return c.astray || !exact && slot.Usual(wish.Activity, at)
	case c.astray && own.Hours != nil:
		return meets(windowsOf(own.Hours, on), windowsOf(wish.Hours, on)) ||
			meets(windowsOf(wish.Hours, on), windowsOf(own.Hours, on))
	}
	return within(windowsOf(wish.Hours, on), at, own.Duration)
}

// meets reports whether one of the windows begins in one of the others.
func meets(windows, others []interval.Window) bool {
	return slices.ContainsFunc(windows, func(w interval.Window) bool { return within(others, w.Start, 0) })
}

// windowsOf are the hours of a day, or of all weekdays if the day has none: the day is checked elsewhere.
func windowsOf(h *meet.Hours, on interval.Date) []interval.Window {
	if windows := h.For(on); len(windows) > 0 {
		return windows
	}
	return slices.Concat(h.Week[:]...)
}

// within reports whether something of a length in minutes begins in one of the windows, and ends there if it fits.
func within(windows []interval.Window, at interval.Clock, minutes int) bool {
	return slices.ContainsFunc(windows, func(w interval.Window) bool {
		latest := w.End
		if w.End < w.Start {
			latest = interval.EndOfDay
		}
		if fits := latest - interval.Clock(minutes); fits >= w.Start && w.End >= w.Start {
			latest = fits
		}
		return w.Start <= at && at <= latest || w.End < w.Start && at <= w.End
	})
}

// longMinutes is the length above which an event is plainly in doubt if the user named no length.
const longMinutes = 3 * 60

func (c *comparison) length() {
	got, want := c.draft.Template.Duration, c.heard.Template.Duration
	names := func(p meet.Phrase) bool { return p.Minutes > 0 }
	switch {
	case got == want:
	case slices.ContainsFunc(c.heard.Phrases, names):
		// "2 to 4" names times, perhaps for something shorter.
		alone := func(p meet.Phrase) bool { return names(p) && !namesTime(p) && !namesDay(p) }
		c.against(meet.DoubtLength, alone, func(p meet.Phrase) bool { return p.Minutes == got }, true)
	default:
		before := c.draft.Before
		unasked := c.understood() && want == before.Template.Duration && c.draft.Template.Activity == before.Template.Activity
		c.add(meet.DoubtLength, "", unasked || got > longMinutes && got > 2*want)
	}
}

// place compares the venue, and the wish for one, with what the rules heard. Without an activity and a place, the rules
// only guess how people meet.
func (c *comparison) place() {
	own, wish := c.draft.Template, c.heard.Template
	refused := slices.IndexFunc(wish.Wishes.Excluded, func(name string) bool {
		return c.venue != nil && together(words(name), words(c.venue.Name))
	})
	mentioned := func(w string) bool { return says(c.heard.Words, w) && !slices.Contains(words(wish.PlaceName), w) }
	switch {
	case refused >= 0:
		c.add(meet.DoubtPlace, wish.Wishes.Excluded[refused], true)
	case c.draft.Apart != nil && c.draft.Apart.Video: // code made it a call, and says why
	case wish.PlaceName != "" && !own.Remote() && !together(words(own.PlaceName), words(wish.PlaceName)):
		c.add(meet.DoubtPlace, wish.PlaceName, !slices.ContainsFunc(words(own.PlaceName), mentioned))
	case wish.PlaceName == "" && !own.Remote() && own.PlaceName != "",
		own.Remote() != wish.Remote() && (functions.SeeksPlace(wish) || wish.Activity != meet.Meeting),
		!own.Remote() && (!c.kindAsWished() || !c.placeAsWished()):
		c.add(meet.DoubtPlace, "", false)
	}
}

// venues are the kinds of venue that suit an activity.
var venues = map[meet.Activity][]string{
	meet.Coffee:    {"cafe", "coffee shop", "bakery", "tea house"},
	meet.Breakfast: {"breakfast", "cafe", "coffee shop", "restaurant", "diner", "bakery"},
	meet.Brunch:    {"brunch", "cafe", "restaurant", "diner"},
	meet.Lunch:     {"restaurant", "cafe", "diner", "bistro", "deli"},
	meet.Dinner:    {"restaurant", "bistro"},
	meet.Drinks:    {"bar", "pub", "wine bar", "cocktail bar", "brewery"},
}

// kindAsWished reports whether the venue, if any, was named or is of a kind that the rules heard.
func (c *comparison) kindAsWished() bool {
	own, wish := c.draft.Template, c.heard.Template
	if c.venue == nil || own.PlaceName != "" {
		return true
	}
	kinds := slices.Clone(wish.SuggestedPlaceTypes)
	if own.Activity == wish.Activity && len(kinds) > 0 {
		kinds = append(kinds, venues[wish.Activity]...)
	}
	strange := func(kind string) bool { return !slices.Contains(kinds, kind) }
	found := slices.ContainsFunc(c.venue.Types, func(kind string) bool {
		return slices.Contains(wish.SuggestedPlaceTypes, kind)
	})
	return found || functions.SeeksPlace(wish) && len(own.SuggestedPlaceTypes) > 0 &&
		!slices.ContainsFunc(own.SuggestedPlaceTypes, strange)
}

// placeAsWished reports whether the wishes for a place are those that the rules heard, or words from the message.
func (c *comparison) placeAsWished() bool {
	own, wish := c.draft.Template.Wishes, c.heard.Template.Wishes
	said, heard := wishWords(c.draft.Template), wishWords(c.heard.Template)
	return slices.Equal(own.Features, wish.Features) && own.Where.Anchor == wish.Where.Anchor &&
		!slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(heard, w) && !says(c.heard.Words, w) }) &&
		!slices.ContainsFunc(heard, func(w string) bool { return !slices.Contains(said, w) })
}

// wishWords are the free words of a wish for a place.
func wishWords(t meet.Template) []string {
	where := t.Wishes.Where
	return words(strings.Join([]string{t.ActivitySearchQuery, where.Area, where.Landmark, where.Person}, " "))
}
