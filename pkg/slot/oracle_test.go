package slot_test

import (
	"slices"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/slot"
)

// The oracle answers what All answers, in the slowest and plainest way: it walks through every minute there is, reads
// every clock at it, and asks every rule in turn. It shares no code with the package, and none of its ideas.

// walls is what one zone's clock shows at each minute from the oracle's first, in minutes since 1970 as the clock
// tells them, with the answers that reach has given.
type walls struct {
	shown   []int
	reached map[int]int
}

type oracle struct {
	q     slot.Query
	first time.Time
	here  *walls
	there []*walls // of each attendee
	// length, before and after are minutes.
	length, before, after int
}

func newOracle(q slot.Query) *oracle {
	o := &oracle{
		q: q, length: q.Template.Duration,
		before: q.Template.TravelBuffer.BeforeMinutes, after: q.Template.TravelBuffer.AfterMinutes,
	}
	days := o.requested()
	if len(days) == 0 {
		return o
	}
	o.first = time.Unix(int64(days[0]-2)*24*60*60, 0)
	minutes := (days[len(days)-1] + 4 - (days[0] - 2)) * 24 * 60
	byZone := map[string]*walls{}
	read := func(zone *time.Location) *walls {
		if w, ok := byZone[zone.String()]; ok {
			return w
		}
		w := &walls{make([]int, minutes), map[int]int{}}
		for i := range w.shown {
			t := o.first.Add(time.Duration(i) * time.Minute)
			_, ahead := t.In(zone).Zone()
			w.shown[i] = int((t.Unix() + int64(ahead)) / 60)
		}
		byZone[zone.String()] = w
		return w
	}
	o.here = read(q.Zone)
	for _, a := range q.Attendees {
		o.there = append(o.there, read(a.Person.Zone()))
	}
	return o
}

// requested is the days of the request, as days since 1970.
func (o *oracle) requested() (days []int) {
	today := time.Date(o.q.Now.In(o.q.Zone).Year(), o.q.Now.In(o.q.Zone).Month(), o.q.Now.In(o.q.Zone).Day(), 0,
		0, 0, 0, time.UTC)
	for i := range 200 {
		d := interval.DateOf(today.AddDate(0, 0, i))
		in := len(o.q.Template.Dates) == 0 && i <= 14
		for _, r := range o.q.Template.Dates {
			in = in || r.Contains(d)
		}
		if in {
			days = append(days, int(today.AddDate(0, 0, i).Unix()/(24*60*60)))
		}
	}
	return days
}

// reach is the first minute at which a clock shows a time or has gone past it.
func (w *walls) reach(day int, c interval.Clock) int {
	wanted := day*24*60 + int(c)
	if i, ok := w.reached[wanted]; ok {
		return i
	}
	i := slices.IndexFunc(w.shown, func(shown int) bool { return shown >= wanted })
	if i < 0 {
		i = len(w.shown)
	}
	w.reached[wanted] = i
	return i
}

// window is the minutes from the window's start to its end.
func (w *walls) window(day int, win interval.Window) (from, to int) {
	endDay := day
	if win.End < win.Start {
		endDay++
	}
	return w.reach(day, win.Start), w.reach(endDay, win.End)
}

func date(day int) interval.Date { return interval.DateOf(time.Unix(int64(day)*24*60*60, 0).UTC()) }

// hoursOf are the usual hours, once more.
func hoursOf(a meet.Activity) (from, to int) {
	table := map[meet.Activity][2]int{
		meet.Coffee: {8 * 60, 18 * 60}, meet.Breakfast: {7 * 60, 10*60 + 30}, meet.Brunch: {10 * 60, 14 * 60},
		meet.Lunch: {11*60 + 30, 14 * 60}, meet.Dinner: {17*60 + 30, 21*60 + 30}, meet.Drinks: {17 * 60, 23 * 60},
		meet.Meeting: {9 * 60, 18 * 60}, meet.Call: {8 * 60, 20 * 60}, meet.Custom: {9 * 60, 22 * 60},
	}
	return table[a][0], table[a][1]
}

// usual is whether the event begins in the usual hours on this clock and is at least half over when they end.
func (o *oracle) usual(w *walls, i int) bool {
	from, to := hoursOf(o.q.Template.Activity)
	return o.halfIn(w, i, from, to)
}

func (o *oracle) halfIn(w *walls, i, from, to int) bool {
	day := w.shown[i] / (24 * 60)
	begin, end := w.reach(day, interval.Clock(from)), w.reach(day, interval.Clock(to))
	return i >= begin && i < end && 2*(end-i) >= o.length
}

// awake is whether the attendee is awake on a clock of their own, or has working hours that say when to meet.
func (o *oracle) awake(n, i int) bool {
	p, w := o.q.Attendees[n].Person, o.there[n]
	if !o.q.Template.Remote() || w.shown[i] == o.here.shown[i] || p.CalendarType == meet.Work && o.officeActivity(p) {
		return true
	}
	exact, windows := true, 0
	for _, day := range o.requested() {
		if o.q.Template.Hours != nil {
			for _, win := range o.q.Template.Hours.For(date(day)) {
				exact = exact && win.Start == win.End
				windows++
			}
		}
	}
	if exact && windows > 0 {
		return o.halfIn(w, i, 6*60, 23*60)
	}
	return o.halfIn(w, i, 7*60, 22*60)
}

// abroad is whether an attendee takes part remotely on another clock, without working hours.
func (o *oracle) abroad() bool {
	for n, a := range o.q.Attendees {
		office := a.Person.CalendarType == meet.Work && o.officeActivity(a.Person)
		if o.q.Template.Remote() && o.there[n] != o.here && !office {
			return true
		}
	}
	return false
}

func (o *oracle) allAwake(i int) bool {
	for n := range o.there {
		if !o.awake(n, i) {
			return false
		}
	}
	return true
}

func (o *oracle) usualEverywhere(i int) bool {
	if !o.usual(o.here, i) {
		return false
	}
	if o.q.Template.Remote() {
		for _, w := range o.there {
			if !o.usual(w, i) {
				return false
			}
		}
	}
	return true
}

// wanted is the minutes that the request names, in whatever order, some of them perhaps more than once.
func (o *oracle) wanted(fresh, soonEnough func(i int) bool) (wanted []int) {
	if o.q.Template.Hours == nil {
		return o.unnamed(fresh, soonEnough)
	}
	for _, day := range o.requested() {
		for _, win := range o.q.Template.Hours.For(date(day)) {
			wanted = append(wanted, o.wantedIn(day, win, fresh, soonEnough)...)
		}
	}
	return wanted
}

// unnamed is wanted where the user named no hours.
func (o *oracle) unnamed(fresh, soonEnough func(i int) bool) (wanted []int) {
	var here, awake, waking []int
	for _, day := range o.requested() {
		for i := o.here.reach(day, 0); i < o.here.reach(day+1, 0); i++ {
			if o.here.shown[i]/(24*60) != day || o.here.shown[i]%15 != 0 || !fresh(i) || !soonEnough(i) {
				continue
			}
			if o.usualEverywhere(i) {
				wanted = append(wanted, i)
			}
			if o.usual(o.here, i) {
				here = append(here, i)
			}
			if o.usual(o.here, i) && o.allAwake(i) {
				awake = append(awake, i)
			}
			if o.halfIn(o.here, i, 7*60, 22*60) && o.allAwake(i) {
				waking = append(waking, i)
			}
		}
	}
	if !o.abroad() {
		return wanted
	}
	for _, list := range [][]int{wanted, awake, waking} {
		if len(list) > 0 {
			return list
		}
	}
	return here
}

func (o *oracle) wantedIn(day int, win interval.Window, fresh, soonEnough func(i int) bool) (named []int) {
	from, to := o.here.window(day, win)
	if win.Start == win.End {
		if o.here.shown[from] == day*24*60+int(win.Start) {
			return []int{from}
		}
		return nil
	}
	if from >= to {
		return nil
	}
	for i := from; i <= to; i++ {
		inside := i+o.length <= to
		if to-from < o.length {
			inside = i < to || o.here.shown[to]%(24*60) == int(win.End)%(24*60)
		}
		if inside && o.here.shown[i]%15 == 0 && fresh(i) && soonEnough(i) {
			named = append(named, i)
		}
	}
	if (int(win.End-win.Start)+24*60)%(24*60) <= 180 && win.End-win.Start < 24*60 {
		return named
	}
	var usual, everywhere, awake, waking, up []int
	for _, i := range named {
		if o.usual(o.here, i) {
			usual = append(usual, i)
		}
		if o.usualEverywhere(i) {
			everywhere = append(everywhere, i)
		}
		if o.usual(o.here, i) && o.allAwake(i) {
			awake = append(awake, i)
		}
		if o.halfIn(o.here, i, 7*60, 22*60) && o.allAwake(i) {
			waking = append(waking, i)
		}
		if o.allAwake(i) {
			up = append(up, i)
		}
	}
	switch {
	case len(everywhere) > 0:
		return everywhere
	case len(awake) > 0:
		return awake
	case len(waking) > 0 && o.abroad():
		return waking
	case len(up) > 0:
		return up
	case len(usual) > 0:
		return usual
	}
	return named
}

// excluded is whether the user ruled the start out.
func (o *oracle) excluded(i int) bool {
	for _, r := range o.q.Template.ExcludedDates {
		if r.Contains(date(o.here.shown[i] / (24 * 60))) {
			return true
		}
	}
	if o.q.Template.ExcludedHours == nil {
		return false
	}
	for day := o.here.shown[i]/(24*60) - 1; day <= o.here.shown[i]/(24*60)+1; day++ {
		for _, win := range o.q.Template.ExcludedHours.For(date(day)) {
			from, to := o.here.window(day, win)
			if win.Start == win.End && i == from && o.here.shown[i] == day*24*60+int(win.Start) {
				return true
			}
			if from < to && i < to && from < i+o.length {
				return true
			}
		}
	}
	return false
}

// atWork is whether the attendee works, or need not, through every minute of the event.
func (o *oracle) atWork(n, i int) bool {
	p, w := o.q.Attendees[n].Person, o.there[n]
	if p.CalendarType != meet.Work || !o.officeActivity(p) {
		return true
	}
	for m := i; m < i+o.length; m++ {
		working := false
		for day := w.shown[m]/(24*60) - 1; day <= w.shown[m]/(24*60); day++ {
			for _, win := range officeHours(p)[date(day).Weekday()] {
				from, to := w.window(day, win)
				working = working || from <= m && m < to
			}
		}
		if !working {
			return false
		}
	}
	return true
}

func officeHours(p meet.Person) interval.Week {
	if p.WorkingHours == nil {
		nineToFive := []interval.Window{{Start: 9 * 60, End: 17 * 60}}
		return interval.Week{nil, nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, nil}
	}
	return *p.WorkingHours
}

// officeActivity is whether there is a minute of a person's working week at which the activity is usual, and, for an
// event that a working day has room for, one at which it could begin.
func (o *oracle) officeActivity(p meet.Person) bool {
	from, to := hoursOf(o.q.Template.Activity)
	common, room, fits := false, false, false
	for _, windows := range officeHours(p) {
		for _, win := range windows {
			end := int(win.End)
			if win.End < win.Start {
				end += 24 * 60
			}
			for m := int(win.Start); m < end; m++ {
				clock := m % (24 * 60)
				common = common || clock >= from && clock < to
				fits = fits || m+o.length <= end
				room = room || m+o.length <= end && clock >= from && clock < to && 2*(to-clock) >= o.length
			}
		}
	}
	return common && (room || !fits)
}

// answer is the slots that All must give.
func (o *oracle) answer() (slots []meet.Slot) {
	if o.here == nil {
		return []meet.Slot{}
	}
	slots = []meet.Slot{}
	seen, fresh := map[int]bool{}, map[int]bool{}
	for i, shown := range o.here.shown {
		fresh[i] = !seen[shown]
		seen[shown] = true
	}
	at := func(i int) time.Time { return o.first.Add(time.Duration(i) * time.Minute) }
	soonEnough := func(i int) bool {
		return !at(i).Before(o.q.Now.Add(o.q.Notice)) && !at(i-o.before).Before(o.q.Now)
	}
	wanted := o.wanted(func(i int) bool { return fresh[i] }, soonEnough)
	slices.Sort(wanted)
	for _, i := range slices.Compact(wanted) {
		early := o.q.Preference == meet.Later && !at(i).After(o.q.Previous)
		late := o.q.Preference == meet.Earlier && !at(i).Before(o.q.Previous)
		offered := slices.ContainsFunc(o.q.Offered, func(t time.Time) bool { return t.Equal(at(i)) })
		if early || late || offered || !soonEnough(i) || o.excluded(i) {
			continue
		}
		s := meet.Slot{Start: at(i), End: at(i + o.length), State: meet.SlotFree}
		busy := false
		for n, a := range o.q.Attendees {
			during := func(span interval.Span) bool {
				return span.Start.Before(at(i+o.length+o.after)) && at(i-o.before).Before(span.End)
			}
			busy = busy || slices.ContainsFunc(a.Availability.Busy, during) || !o.atWork(n, i) || !o.awake(n, i)
			if slices.ContainsFunc(a.Availability.Unknown, during) {
				s.State, s.Unknown = meet.SlotUnknown, append(s.Unknown, a.Person.Name)
			}
		}
		if !busy {
			slots = append(slots, s)
		}
	}
	return slots
}
