package ground

import (
	"slices"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// move is the move of events to the time that is said last, or by a length.
func (r *reading) move() (string, arguments) {
	if tool, call, ofSeries := r.moveSeries(); ofSeries {
		return tool, call
	}
	if at := form("free slot").FindStringIndex(r.Text); at != nil {
		return r.moveToFree(at)
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

// moveToFree is the move of events to a time of a day at which the user is free; where that is said in the message.
func (r *reading) moveToFree(at []int) (string, arguments) {
	r.useWithin(at[0], at[1])
	r.takeWords(at[0], at[1])
	r.locateAll(1)
	points := r.points()
	if len(points) != 1 || points[0].Exact != nil || len(points[0].Dates) != 1 || len(r.meant()) == 0 {
		return "", nil
	}
	t, days := points[0], points[0].Dates[0]
	to := arguments{"window": span{days: days}.window()}
	if hours := t.windows(days.Start); len(hours) == 1 {
		to["timeOfDay"] = []agenda.TimeOfDay{{Start: hours[0].Start.String(), End: hours[0].End.String()}}
	} else if len(hours) > 1 {
		return "", nil
	}
	t.used = true
	return r.moves(), r.selecting(Event, arguments{"to": to})
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

// meansNamed is a message that names one event and then asks for something with "it" in a sentence of its own, as that
// sentence about the event: "al can't make the review today, move it to friday". Any other message stays as it is.
func meansNamed(m Message) (Message, bool) {
	at := slices.DeleteFunc(form("then it").FindStringSubmatchIndex(m.Text), func(i int) bool { return i < 0 })
	if len(at) == 0 || m.AtHand != "" {
		return m, false
	}
	first := m
	first.Text = m.Text[at[2]:at[3]]
	first.Things = keep(m.Things, func(t Thing) bool { return t.Kind == Event })
	if newReading(first).best().role("asks") >= leastToRead {
		return m, false // "email al about the review, move it to friday" asks for both
	}
	r := bestOf(newReading(first).ways())
	r.locateAll(0)
	named := slices.ContainsFunc(r.of(Event), func(n *mention) bool { return len(n.words) > 0 && !n.many })
	if events := r.meant(); named && len(events) == 1 {
		m.Text, m.Last, m.Listed = m.Text[at[4]:], []string{events[0].ID}, nil
		m.Things = keep(m.Things, func(t Thing) bool { return t.Kind == Event || t.ID != events[0].ID })
		return m, true
	}
	return m, false
}
