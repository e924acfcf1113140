package offline

import (
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// option reads the choice of an offered slot or place: "the second one", "the Wednesday one".
func (e *editor) option() {
	slots, places := e.data.OfferedSlots, e.data.OfferedPlaces
	if e.changes("place noun") {
		slots = nil // "the second place" is no time
	} else if len(slots) > 0 {
		places = nil
	}
	if n := e.choice(len(slots)); n > 0 {
		e.slot(slots[n-1])
		return
	}
	if n := e.choice(len(places)); n > 0 {
		e.out.NewPlaceName = &places[n-1]
		e.out.NewActivitySearchQuery, e.out.NewPlaceType = nil, nil
		e.touch("place")
		return
	}
	if i := e.slotThen(slots); i >= 0 {
		e.slot(slots[i])
	}
}

// slotThen is the offered slot on the day or in the hours that the message names, where only one is.
func (e *editor) slotThen(slots []offeredEvent) int {
	if len(e.time.Dates) > 1 || len(e.time.Dates) == 0 && e.time.Hours.Empty() || !e.pointsAtSlot() {
		return -1
	}
	found := -1
	for i, s := range slots {
		start, err := parseTime(s.Start)
		if err != nil || !e.meansStart(start.In(e.now.Location())) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// meansStart reports whether a start is on the weekday and in the hours that the message names.
func (e *editor) meansStart(start time.Time) bool {
	if len(e.time.Dates) > 0 && start.Weekday() != e.time.Dates[0].Start.Weekday() {
		return false
	}
	if e.time.Hours.Empty() {
		return true
	}
	clock := interval.ClockOf(start)
	return slices.ContainsFunc(e.time.Hours.Week[start.Weekday()], func(w interval.Window) bool {
		return w.Start == clock || w.Start < clock && clock < w.End
	})
}

// pointsAtSlot reports whether the message takes one of several times, and does not just name a day: "let's take
// Wednesday".
func (e *editor) pointsAtSlot() bool {
	i := e.find(0, "take")
	return i >= 0 && e.at(i+1).timed || e.changes("takes one")
}

// slot moves the event to an offered time.
func (e *editor) slot(s offeredEvent) {
	start, err := parseTime(s.Start)
	if err != nil {
		return
	}
	e.start, e.known = start.In(e.now.Location()), true
	e.time.Dates = nil
	e.time.Hours = when.Hours{}
	e.time.Exact = nil
	e.pin(e.start)
}

// pin names one start on one day.
func (e *editor) pin(start time.Time) {
	e.out.NewDates, e.out.NewHours = oneDay(start), exactly(start)
	e.touch("time")
}

// when reads days, hours, length and moves.
func (e *editor) when() {
	preference := e.leaning()
	if n := e.bareLength(); n > 0 {
		e.time.Duration = time.Duration(n) * time.Minute
	}
	r := e.time
	if r.AllDay && r.Duration == 0 {
		r.Duration = wholeDay
	}
	r.Duration = e.lengthWith(r.Duration)
	if r.Duration > 0 {
		e.out.NewDuration = minutesOf(r.Duration)
		e.touch("duration")
	}
	e.relativeLength(r)
	e.shift(r.Shift)
	r.Dates = e.sameDayIn(slices.DeleteFunc(slices.Clone(r.Dates), func(d interval.DateRange) bool {
		return d.End.Before(interval.DateOf(e.now)) // nothing can be before now
	}))
	if len(r.Dates) > 0 {
		e.out.NewDates = dates(r.Dates)
		e.touch("date")
	}
	if len(r.Dates) > 0 && r.Hours.Empty() && e.known && e.changes("same time") {
		e.out.NewHours = exactly(e.start)
		e.touch("time")
	}
	if r.EndsAt != nil && e.known {
		if e.endAt(*r.EndsAt) {
			return
		}
		r.Hours = when.Hours{} // an end that the event has begun after
	}
	r = e.hours(r)
	if len(r.Dates) == 0 && e.known && e.changes("other day") {
		day := interval.DateOf(e.start)
		r.ExcludedDates = append(slices.Clone(r.ExcludedDates), interval.DateRange{Start: day, End: day})
	}
	e.leave(r, e.nearby())
	e.out.NewExcludedDates = dates(r.ExcludedDates)
	e.out.NewExcludedHours = excluded(r)
	if len(r.ExcludedDates) > 0 || e.out.NewExcludedHours != nil {
		e.touch("date")
	}
	if e.refusesStart(r) {
		e.out.NewDates, e.out.NewHours = oneDay(e.start),
			hoursOf(when.Hours{Week: interval.EveryDay(interval.Window{Start: 0, End: interval.EndOfDay})})
		e.touch("time")
		return
	}
	if e.out.NewHours == nil && r.Shift == (when.Shift{}) && !e.onOtherDays(r.Dates) {
		e.prefer(preference)
	}
}

// refusesStart reports whether the message turns down hours of the event and names nothing in its stead, so that it is
// to be at another hour of its day.
func (e *editor) refusesStart(r when.Reading) bool {
	if !e.known || e.out.NewHours != nil || len(e.out.NewDates) > 0 || len(r.ExcludedDates)+len(r.ExcludedWeekdays) > 0 {
		return false
	}
	day, from := interval.DateOf(e.start), interval.ClockOf(e.start)
	to := from + interval.Clock(e.minutes())
	refused := slices.Clone(r.ExcludedHours.Week[e.start.Weekday()])
	for _, on := range r.ExcludedHours.On {
		if on.Date == day {
			refused = append(refused, on.Windows...)
		}
	}
	return slices.ContainsFunc(refused, func(w interval.Window) bool { return w.Start < to && from < w.End })
}

// hours takes the hours wanted, and gives the reading without what they settle.
func (e *editor) hours(r when.Reading) when.Reading {
	if r.Hours.Empty() {
		return r
	}
	e.out.NewHours = wanted(r, e.minutes())
	e.touch("time")
	if startsOnly(r.Hours) {
		r.ExcludedHours = when.Hours{} // "not 3, 4" wants nothing but four
		if len(r.Dates) == 0 && e.known {
			// "At 4" of an event that has a day is that day.
			e.out.NewDates = oneDay(e.start)
		}
	}
	return r
}

// sameDayIn is the weekday of the event in a week that the message names together with "same time": a week on from the
// event where it is in that week already.
func (e *editor) sameDayIn(named []interval.DateRange) []interval.DateRange {
	if !e.known || len(named) != 1 || named[0].Start.DaysUntil(named[0].End) != 6 || !e.changes("same time") {
		return named
	}
	was := interval.DateOf(e.start)
	day := named[0].Start
	for day.Weekday() != was.Weekday() {
		day = day.AddDays(1)
	}
	if day == was {
		day = was.AddDays(7)
	}
	return []interval.DateRange{{Start: day, End: day}}
}

// onOtherDays reports whether days are named, and none of them is that of the event: "sooner, like Monday".
func (e *editor) onOtherDays(named []interval.DateRange) bool {
	day := interval.DateOf(e.start)
	return e.known && len(named) > 0 && !slices.ContainsFunc(named, func(r interval.DateRange) bool {
		return r.Contains(day)
	})
}

// startsOnly reports whether hours are starts and no windows.
func startsOnly(h when.Hours) bool {
	if len(h.On) > 0 {
		return false
	}
	for _, windows := range h.Week {
		if slices.ContainsFunc(windows, func(w interval.Window) bool { return !w.Exact() }) {
			return false
		}
	}
	return true
}

// ahead is how many days a change looks ahead that rules out all the days wished for so far; after, how many days
// before the one proposed another day may be.
const (
	ahead = 14
	after = 2
)

// nearby is the first of the days on which the event may be instead of its own: not long before it, and in its week.
func (e *editor) nearby() interval.Date {
	today := interval.DateOf(e.now)
	if !e.known {
		return today
	}
	day := interval.DateOf(e.start)
	monday := day.AddDays(-(int(day.Weekday()) + 6) % 7)
	first := day.AddDays(-after)
	if first.Before(monday) {
		first = monday
	}
	if first.Before(today) {
		first = today
	}
	return first
}

// leave frees the event from its days where the message rules out all of them: "not on the weekend". It may then be on
// any other from the given day on.
func (e *editor) leave(r when.Reading, from interval.Date) {
	if len(e.out.NewDates) > 0 || len(r.ExcludedWeekdays)+len(r.ExcludedDates) == 0 {
		return
	}
	days := 0
	for _, wished := range e.data.Template.Dates {
		start, err := interval.ParseDate(wished.Start)
		end, failed := interval.ParseDate(wished.End)
		if err != nil || failed != nil {
			return
		}
		for day := start; !end.Before(day) && days <= ahead; day = day.AddDays(1) {
			days++
			if !rulesOut(r, day) {
				return
			}
		}
	}
	if days > 0 {
		e.out.NewDates = dates([]interval.DateRange{{Start: from, End: from.AddDays(ahead)}})
		e.touch("date")
	}
}

// rulesOut reports whether a reading excludes a day.
func rulesOut(r when.Reading, day interval.Date) bool {
	return slices.Contains(r.ExcludedWeekdays, day.Weekday()) ||
		slices.ContainsFunc(r.ExcludedDates, func(x interval.DateRange) bool {
			return x.Contains(day)
		})
}

// lengthWith is how long the event is to be: as long as is said, or as long as it was and so much more or less, where
// that is what is said: "15 minutes longer", "extend it by half an hour".
func (e *editor) lengthWith(said time.Duration) time.Duration {
	was := time.Duration(e.data.Template.Duration) * time.Minute
	switch {
	case said <= 0 || said >= wholeDay || was == 0 || e.time.Shift != (when.Shift{}):
		return said
	case e.byThatMuch("more"), e.saysAside("extend", "lengthen", "prolong") && !e.says("to"),
		e.changesFirst("more first"):
		return was + said
	case (e.byThatMuch("less") || e.saysAside("shorten", "cut", "trim") && !e.says("to")) && said < was:
		return was - said
	}
	return said
}

// byThatMuch reports whether a word of comparison stands beside a length, before or after its unit: "an hour longer",
// "15 more minutes". Elsewhere it compares nothing with it: "longer, make it an hour".
func (e *editor) byThatMuch(comparing string) bool {
	for i := range e.words {
		n := e.inChange(comparing, i)
		if n > 0 && (e.inChange("unit", i-1) > 0 || e.inChange("unit", i+n) > 0 || e.at(i+n).lower == "by") {
			return true
		}
	}
	return false
}

// relativeLength reads "shorter" and "longer" without a measure: half as long, or half as long again.
func (e *editor) relativeLength(r when.Reading) {
	minutes := e.data.Template.Duration
	if r.Duration > 0 || minutes == 0 || r.Shift != (when.Shift{}) || r.EndsAt != nil {
		return
	}
	switch {
	case e.changes("doubled"):
		minutes *= 2
	case e.changes("halved"):
		minutes = max(minutes/10*5, 5)
	case e.changes("shortened"):
		minutes = max(minutes/10*5, 15)
	case e.changes("lengthened"):
		minutes = (minutes*3/2 + 14) / 15 * 15
	default:
		return
	}
	e.out.NewDuration = &minutes
	e.touch("duration")
}

// minutes is how long the event will be.
func (e *editor) minutes() int {
	if e.out.NewDuration != nil {
		return *e.out.NewDuration
	}
	return e.data.Template.Duration
}

// halfDay is by how many minutes the halves of the day differ in what a clock shows.
const halfDay = 12 * 60

// endAt changes the length so that the event ends at a clock time, and reports whether it could. An end that is before
// the start is of the other half of the day where the event is no longer than nine hours by that.
func (e *editor) endAt(c interval.Clock) bool {
	length := int(c) - int(interval.ClockOf(e.start))
	if length <= -halfDay/4 {
		length += halfDay
	}
	if length < 5 {
		return false
	}
	e.out.NewDuration = &length
	e.pin(e.start)
	e.touch("duration")
	return true
}

// shift moves the proposed event by so much.
func (e *editor) shift(by when.Shift) {
	if by == (when.Shift{}) {
		return
	}
	if !e.known {
		preference := "later"
		if by.Minutes < 0 || by.Days < 0 || by.Weeks < 0 {
			preference = "earlier"
		}
		e.prefer(preference)
		return
	}
	if moved := e.start.AddDate(0, 0, by.Days+7*by.Weeks).
		Add(time.Duration(by.Minutes) * time.Minute); moved.Before(e.now) && by.Weeks == 0 {
		return // nothing can be before now
	}
	switch {
	case by.Minutes != 0:
		e.pin(e.start.Add(time.Duration(by.Minutes) * time.Minute))
	case by.Days != 0:
		e.out.NewDates = oneDay(e.start.AddDate(0, 0, by.Days))
		e.touch("date")
	default:
		if e.changes("same time") {
			e.out.NewDates = oneDay(e.start.AddDate(0, 0, 7*by.Weeks))
			e.touch("date")
			return
		}
		monday := interval.DateOf(e.start.AddDate(0, 0, 7*by.Weeks))
		monday = monday.AddDays(-(int(monday.Weekday()) + 6) % 7)
		e.out.NewDates = dates([]interval.DateRange{{Start: monday, End: monday.AddDays(6)}})
		e.touch("date")
	}
}

// prefer asks for an earlier or a later time, or for none of them.
func (e *editor) prefer(preference string) {
	if e.out.TimePreference = preference; preference != "none" {
		e.touch("time")
	}
}

// conditional reports whether the message asks rather than orders.
func (e *editor) conditional() bool {
	switch {
	case e.saysAside("please") && !e.asks():
		return false
	case e.changes("if possible"):
		return true
	}
	return e.asks() && (e.changes("wondering") || e.size <= 2)
}
