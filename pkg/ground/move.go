package ground

import (
	"slices"

	"convene/pkg/interval"
)

// move is the move of events to the time that is said last, or by a length.
func (r *reading) move() (string, arguments) {
	if tool, call, ofSeries := r.moveSeries(); ofSeries {
		return tool, call
	}
	r.timeToLength()
	length := r.lasting()
	if length != nil && !form("lasts for").MatchString(r.Text[:length.from]) {
		return r.moveBy(*length)
	}
	r.locateAll(1)
	located := slices.ContainsFunc(r.times, func(t timed) bool { return t.used })
	points, events := r.points(), r.of(Event)
	if len(points) != 1 || len(events) == 0 {
		return "", nil
	}
	t := points[0]
	day := t.day()
	if meant := r.meant(); day == nil && len(meant) == 1 && (r.says("following") || r.says("always")) {
		day = t.weekly(r.dayOf(meant[0]))
	}
	if ends, ok := events[0].ends(*t, r.Now); ok { // "from tuesday to wednesday"
		t.Reading, day = ends.Reading, ends.day()
	} else if t.Duration > 0 && r.stands(t.from, "since") {
		return "", nil // it is not there
	}
	meant := r.meant()
	if len(meant) == 0 || len(meant) > 1 && (t.Exact != nil && !r.sameHour(meant) || events[0].many && !r.sameDay(meant)) {
		return "", nil
	}
	r.useOld(int(interval.ClockOf(meant[0].Span.Start.In(r.Now.Location()))) / 60 % 12)
	to := t.destination(day, meant[0])
	if t.used = len(to) > 0; !t.used {
		return "", nil
	}
	length.lasts(to)
	if day != nil && !located {
		events[0].near(*day, r)
	}
	return r.movesTo(to)
}

// movesTo is the move of the events that are meant, unless it is to the day of one to which the user will not go.
func (r *reading) movesTo(to arguments) (string, arguments) {
	meant := r.meant()
	if len(to) == 1 && to["date"] == r.dayOf(meant[0]).String() && form("stay away").MatchString(r.Text) {
		return r.stayAway(meant)
	}
	more := arguments{"to": to}
	if r.ofOneSeries(meant) && form("from then on").MatchString(r.Text) {
		r.of(Event)[0].meant, more["scope"] = meant[:1], "following"
	}
	return r.moves(), r.selecting(Event, more)
}

// stayAway deletes an event of the user's own to which they will not go on its day, and so moves nowhere; what others
// take part in is asked about.
func (r *reading) stayAway(meant []Thing) (string, arguments) {
	if len(meant) > 1 || meant[0].Invited || len(meant[0].Guests) > 0 {
		return "", nil
	}
	r.guessed = true
	return "calendar_deleteEvents", r.selecting(Event, nil)
}
