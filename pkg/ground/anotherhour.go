package ground

import (
	"convene/pkg/interval"
)

// atAnotherHour moves a series to another time of day, all of it or from a day on: "move the stand-up to 9:30 every
// day from next week on". "Every day" is any of its days then, which stay. It is false if that is not what is asked
// for, and without a call if it is for a while only, or something else is said of time.
func (r *reading) atAnotherHour() (tool string, call arguments, ofSeries bool) {
	m, text := r.weeklySeries(), r.masked()
	since, each := interval.DateOf(r.Now), words()["every"].MatchString(text) || words()["always"].MatchString(text)
	if m == nil || r.says("copying") {
		return "", nil, false
	}
	var clock *timed
	other := form("for a while").MatchString(text)
	for _, t := range r.points() {
		from, goesOn := r.since(t)
		if goesOn = goesOn && (each || form("from then on").MatchString(text)); goesOn {
			since, each = from, true
		}
		switch {
		case len(t.weekdays()) > 0 && !goesOn:
			return "", nil, false // "every Tuesday", "on Friday"
		case t.Exact != nil && clock == nil:
			clock = t
		case t.Exact != nil || len(t.Dates) == 0 || !goesOn && !r.isEvery(*t):
			other = true
		}
	}
	if clock == nil || !each {
		return "", nil, false
	}
	if ends, ok := m.ends(*clock, r.Now); ok { // "from 9 to 9:30"
		clock.Reading = ends.Reading
	}
	to := arguments{"time": clock.start(m.things[0])}
	if clock.Duration > 0 {
		to["durationMinutes"] = int(clock.Duration.Minutes())
	}
	if other {
		return "", nil, true
	}
	for _, t := range r.points() {
		t.used = true
	}
	tool, call = r.repeatsOn(m, since, nil, to)
	return tool, call, true
}

// since is the day from which something is so, if a time tells one and that it goes on: "9:30 starting next week".
func (r *reading) since(t *timed) (day interval.Date, goesOn bool) {
	whole := r.Text[t.from-len(form("leads on").FindString(r.Text[:t.from])) : t.to]
	at := form("since then").FindStringIndex(whole)
	if at == nil {
		return day, false
	}
	said := r.setting().Read(whole[at[0]:], r.Now)
	if len(said.Dates) == 0 {
		return day, false
	}
	return said.Dates[0].Start, true
}
