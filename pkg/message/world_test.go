package message

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

func zone(tb testing.TB, name string) *time.Location {
	tb.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		tb.Fatal(err)
	}
	return loc
}

// slotAt is a free slot of half an hour at a time of the form "2026-11-24 14:00".
func slotAt(tb testing.TB, loc *time.Location, at string) meet.Slot {
	tb.Helper()
	start, err := time.ParseInLocation("2006-01-02 15:04", at, loc)
	if err != nil {
		tb.Fatal(err)
	}
	return meet.Slot{Start: start, End: start.Add(30 * time.Minute), State: meet.SlotFree}
}

// coffee is a Friday morning in San Francisco with five times and five places; a choice takes four of each.
func coffee(tb testing.TB) Facts {
	tb.Helper()
	la := zone(tb, "America/Los_Angeles")
	f := Facts{
		Language: "en",
		Mode:     meet.ModeNew,
		Template: meet.Template{
			Title: "Coffee with Al", Activity: meet.Coffee, Duration: 30,
			TravelBuffer: meet.TravelBuffer{BeforeMinutes: 30, AfterMinutes: 30},
		},
		Organizer:    meet.Person{ID: "me", Name: "Robin Park", Timezone: "America/Los_Angeles"},
		People:       []meet.Person{{ID: "al", Name: "Al Rivera", Email: "al@example.com", Timezone: "America/Los_Angeles"}},
		Zone:         la,
		Now:          time.Date(2026, 11, 20, 9, 0, 0, 0, la),
		CalendarType: meet.Personal,
		WantsPlace:   true,
		Shown:        meet.Shown{Places: true, Times: true},
		Places: []meet.Place{
			{Name: "Blue Bottle Coffee", MapsURL: "https://maps.example/?q=blue+bottle", Rating: 4.6,
				DistanceFromMidpointKm: 0.6},
			{Name: "Philz Coffee", MapsURL: "https://maps.example/?q=philz", Rating: 4.3, DistanceFromMidpointKm: 0.4,
				Features: []string{"outdoor seating"}},
			{Name: "Sightglass (SoMa)", MapsURL: "https://maps.example/?q=sightglass_(soma)", Rating: 4.1,
				DistanceFromMidpointKm: 1.2},
			{Name: "Ritual Coffee", MapsURL: "https://maps.example/?q=ritual", DistanceFromMidpointKm: 2},
			{Name: "The Mill", MapsURL: "https://maps.example/?q=mill", Rating: 4.9, DistanceFromMidpointKm: 2.5},
		},
	}
	always := interval.EveryDay(interval.Window{Start: 0, End: interval.EndOfDay})
	for i := range f.Places {
		f.Places[i].OpeningHours, f.Places[i].Timezone = &always, "America/Los_Angeles"
	}
	for _, at := range []string{"2026-11-24 14:00", "2026-11-25 10:00", "2026-11-26 16:30", "2026-12-01 09:00",
		"2026-11-23 11:15"} {
		f.Slots = append(f.Slots, slotAt(tb, la, at))
	}
	return f
}

// four is the choice of the first four of each.
func four() Choice { return Choice{Slots: []int{0, 1, 2, 3}, Places: []int{0, 1, 2, 3}} }

// berlin adds a person nine hours ahead.
func berlin(f Facts) Facts {
	f.People = append(f.People[:1:1], meet.Person{
		ID: "ana", Name: "Ana", Timezone: "Europe/Berlin", Email: "ana@example.com",
	})
	return f
}

// edit makes the facts those of a change of an event on Monday at three.
func edit(tb testing.TB, f Facts) Facts {
	tb.Helper()
	before := slotAt(tb, f.Zone, "2026-11-23 15:00")
	f.Mode = meet.ModeEdit
	f.Previous = &meet.Event{
		Title: f.Template.Title, Start: before.Start, End: before.End, Status: meet.Proposed, Place: &f.Places[0],
	}
	return f
}

// unchanged makes the facts those of a change that left everything as it was.
func unchanged(tb testing.TB, f Facts) Facts {
	tb.Helper()
	f = edit(tb, f)
	f.Template.EventType = meet.InPerson
	f.Previous.Start, f.Previous.End = f.Slots[0].Start, f.Slots[0].End
	f.Previous.EventType, f.Previous.TravelBuffer = f.Template.EventType, f.Template.TravelBuffer
	for _, p := range append([]meet.Person{f.Organizer}, f.People...) {
		f.Previous.Participants = append(f.Previous.Participants, meet.Participant{ID: p.ID, Name: p.Name})
	}
	return f
}

// taken makes a slot one that does not suit everyone.
func taken(f Facts, i int, name string, kind meet.ConflictKind) Facts {
	slots := append([]meet.Slot(nil), f.Slots...)
	slots[i].State = meet.SlotConflict
	slots[i].Conflicts = append(slots[i].Conflicts, meet.Conflict{
		Name: name, Kind: kind, Text: name + " has another event",
	})
	f.Slots = slots
	return f
}

// unchecked makes a slot one at which a calendar could not be read.
func unchecked(f Facts, i int, name string) Facts {
	slots := append([]meet.Slot(nil), f.Slots...)
	slots[i].State = meet.SlotUnknown
	slots[i].Unknown = append(slots[i].Unknown, name)
	f.Slots = slots
	return f
}

// check reads a message at once.
func check(f Facts, c Choice, path Path, text string) (message, preview string, err error) {
	r := NewReader(&f, c, path)
	preview, err = r.Write(text)
	if err != nil {
		return "", preview, err
	}
	message, err = r.Close()
	return message, preview, err
}

func kindOf(err error) string {
	if problem, ok := errors.AsType[*Problem](err); ok {
		return problem.Kind
	}
	return ""
}

// scene is a proposal by what is special about it.
type scene struct {
	name   string
	facts  Facts
	choice Choice
}

// scenes are all flags and states that change what a message says.
func scenes(tb testing.TB) []scene {
	tb.Helper()
	base := coffee(tb)
	with := func(change func(*Facts)) Facts {
		f := base
		change(&f)
		return f
	}
	noPlaces := Choice{Slots: []int{0, 1, 2, 3}}
	confirmed := edit(tb, base)
	confirmed.Previous.Status = meet.Confirmed
	moves := edit(tb, base)
	moves.Moves = true
	rebooked := moves
	rebooked.Booked = true
	closed := edit(tb, base)
	closed.KeepsPlace, closed.Shown = true, meet.Shown{}
	closed.Places = slices.Clone(closed.Places)
	closed.Places[0].OpeningHours, closed.Places[0].Timezone = &interval.Week{}, "America/Los_Angeles"
	gone := closed
	gone.Previous = &meet.Event{
		Title: base.Template.Title, Start: closed.Previous.Start,
		End: closed.Previous.End, Place: &meet.Place{Name: "Four Barrel"},
	}
	apart := func(video bool, names ...string) func(*Facts) {
		return func(f *Facts) { f.Apart, f.WantsPlace = &meet.Apart{Names: names, Video: video}, !video }
	}
	late := edit(tb, base)
	late.KeepsPlace, late.Pairs = true, [][]meet.Pair{{{Late: true}}}
	longer := edit(tb, base)
	longer.Template.Duration = 90
	longer.Previous.Start, longer.Previous.End = longer.Slots[0].Start, longer.Slots[0].End
	return []scene{
		{"places and times", base, four()},
		{"places only", with(func(f *Facts) { f.Shown = meet.Shown{Places: true} }), four()},
		{"times only", with(func(f *Facts) { f.Shown = meet.Shown{Times: true} }), four()},
		{"no alternatives", with(func(f *Facts) { f.Shown = meet.Shown{} }), four()},
		{"conflict kept as asked", taken(with(func(f *Facts) {
			f.ExplicitTime = true
			f.Shown = meet.Shown{Times: true, ConflictWarning: true}
		}), 0, "Robin Park", meet.ConflictBusy), four()},
		{"conflict of two kinds", taken(taken(with(func(f *Facts) {
			f.ExplicitTime = true
			f.Shown = meet.Shown{ConflictWarning: true}
		}), 0, "Al Rivera", meet.ConflictBusy), 0, "Robin Park", meet.ConflictTravel), four()},
		{"nearest time conflicts", taken(with(func(f *Facts) {
			f.NoCommonTime = true
			f.Shown = meet.Shown{Times: true}
		}), 0, "Al Rivera", meet.ConflictWorkingHours), four()},
		{"somebody would be up at night", taken(with(func(f *Facts) { f.ExplicitTime = true }), 0, "Al Rivera",
			meet.ConflictUsualHours), four()},
		{"the named time is past", with(func(f *Facts) { f.NoCommonTime, f.Past = true, true }), four()},
		{"the named time is past, the nearest conflicts",
			taken(with(func(f *Facts) { f.NoCommonTime, f.Past = true, true }), 0, "Al Rivera", meet.ConflictBusy), four()},
		{"the clocks skip the named time", with(func(f *Facts) { f.NoCommonTime, f.Skipped = true, true }), four()},
		{"nearest time is free", with(func(f *Facts) { f.NoCommonTime = true }), four()},
		{"an alternative conflicts", taken(with(func(f *Facts) { f.Shown = meet.Shown{Times: true} }), 1, "Al Rivera",
			meet.ConflictBusy), four()},
		{"calendar not checked", unchecked(with(func(f *Facts) {
			f.Unread = []string{"Al Rivera"}
			f.Shown = meet.Shown{Times: true}
		}), 0, "Al Rivera"), four()},
		{"own calendar not checked", with(func(f *Facts) { f.Unread = []string{"Robin Park"} }), four()},
		{"unknown person", with(func(f *Facts) {
			f.People = append(f.People[:1:1], meet.Person{Name: "Dana"})
			f.Unknown, f.Unread = []string{"Dana"}, []string{"Dana"}
		}), four()},
		{"only an unknown person", with(func(f *Facts) {
			f.People = []meet.Person{{Name: "Dana"}}
			f.Unknown = []string{"Dana"}
		}), four()},
		{"places failed", with(func(f *Facts) { f.PlacesFailed = true }), noPlaces},
		{"no place found", base, noPlaces},
		{"no place wanted", with(func(f *Facts) {
			f.WantsPlace = false
			f.Template.TravelBuffer = meet.TravelBuffer{}
		}), noPlaces},
		{"uneven buffer", with(func(f *Facts) { f.Template.TravelBuffer.AfterMinutes = 15 }), four()},
		{"buffer before", with(func(f *Facts) { f.Template.TravelBuffer.AfterMinutes = 0 }), four()},
		{"work calendar", with(func(f *Facts) { f.CalendarType = meet.Work }), four()},
		{"nobody to invite", with(func(f *Facts) {
			f.People = []meet.Person{{Name: "Al Rivera"}}
			f.CalendarType = ""
		}), four()},
		{"nine hours apart", berlin(base), four()},
		{"moved", edit(tb, base), four()},
		{"moved, confirmed before", confirmed, four()},
		{"moved, in calendars", moves, four()},
		{"moved, and booked at once", rebooked, four()},
		{"booked at once", with(func(f *Facts) { f.Booked = true }), four()},
		{"booked at once, with two", func() Facts { f := berlin(base); f.Booked = true; return f }(), four()},
		{"booked at once, alone", with(func(f *Facts) { f.Booked, f.People = true, nil }), four()},
		{"unchanged", unchanged(tb, base), four()},
		{"unchanged, in calendars", func() Facts { f := unchanged(tb, base); f.Moves = true; return f }(), four()},
		{"place kept but closed", closed, Choice{Slots: []int{0}, Places: []int{1}}},
		{"place kept but gone", gone, Choice{Slots: []int{0}, Places: []int{1}}},
		{"place kept but out of reach", late, Choice{Slots: []int{0}, Places: []int{1}}},
		{"hours unknown", with(func(f *Facts) { f.Places = slices.Clone(f.Places); f.Places[0].OpeningHours = nil }), four()},
		{"another city", with(apart(true, "Robin Park", "Al Rivera")), noPlaces},
		{"two other cities", with(apart(true, "Al Rivera", "Ana")), noPlaces},
		{"another city, in person", with(apart(false, "Robin Park", "Al Rivera")), four()},
		{"two other cities, in person", with(apart(false, "Al Rivera", "Ana")), four()},
		{"the way of its reader", with(func(f *Facts) {
			f.Template.TravelBuffer = meet.TravelBuffer{}
			f.Pairs = [][]meet.Pair{{{Travel: meet.TravelBuffer{BeforeMinutes: 25, Derived: true}}}}
		}), four()},
		{"longer", longer, four()},
		{"title with markup", with(func(f *Facts) {
			f.Template.Title = "coffee](http://evil.example) *now* <b>www.evil.example"
		}), four()},
		{"no slots", base, Choice{}},
	}
}

func lines(s ...string) string { return strings.Join(s, "\n") }
