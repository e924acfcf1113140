package ground

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// moveSeries is the move of a series to other days, or to another rhythm; it is false if that is not what is asked for.
func (r *reading) moveSeries() (tool string, call arguments, ofSeries bool) {
	if tool, call = r.onOtherDays(); tool != "" {
		return tool, call, true
	}
	if tool, call, ofSeries = r.atAnotherHour(); ofSeries {
		return tool, call, true
	}
	if !slices.ContainsFunc(r.times, r.isEvery) || r.says("following") || r.says("always") {
		return "", nil, false
	}
	if !slices.ContainsFunc(r.found, mention.weak) { // or else it may be something new
		tool, call = r.repeat()
	}
	return tool, call, true
}

// onOtherDays moves a series of every week to other days of the week: "move the gym to Tuesdays", "from January the
// stand-up is on Mondays and Thursdays at 9", "Monday's gym should be Tuesdays".
func (r *reading) onOtherDays() (string, arguments) {
	m := r.weeklySeries()
	if m == nil {
		return "", nil
	}
	weekly, to := r.ofEachWeek(), arguments{}
	if len(weekly) == 0 || len(weekly) > 2 || len(m.words) == 0 || weekly[len(weekly)-1].from < r.words[m.words[0]].from {
		return "", nil
	}
	last := weekly[len(weekly)-1]
	to["repeatsOn"] = last.days
	var leaves []string
	if len(weekly) == 2 {
		leaves = weekly[0].days
	}
	at, from := last.clock(), interval.DateOf(r.Now)
	for _, d := range weekly {
		d.use()
	}
	for _, t := range r.points() {
		switch {
		case leaves == nil && t.day() != nil && t.Exact == nil && t.to <= r.words[m.words[0]].from &&
			form("weekday names").MatchString(t.text):
			leaves = t.weekdays() // "the Friday gym"
		case t.Exact != nil && len(t.Dates) == 0 && at == nil:
			at = t.Exact
		case len(t.Dates) > 0 && t.Exact == nil && from == interval.DateOf(r.Now) &&
			form("onward").MatchString(r.before(t.from)+" "+t.text+r.Text[t.to:min(len(r.Text), t.to+len(" onwards"))]):
			from = t.Dates[0].Start // and no "in December", which ends
		default:
			return "", nil
		}
		t.used = true
	}
	if at != nil {
		to["time"] = at.String()
	}
	return r.repeatsOn(m, from, leaves, to)
}

// dropDays takes days of the week out of a series, from now on: "no more gym on Fridays".
func (r *reading) dropDays() (string, arguments) {
	m, weekly := r.weeklySeries(), r.ofEachWeek()
	if m == nil || len(weekly) != 1 || len(r.points()) != len(weekly[0].times) || r.says("except") ||
		r.says("excepted") || r.says("keeping") || form("in months").MatchString(r.Text) {
		return "", nil
	}
	dropped := weekly[0].days
	var stays []string
	for _, day := range m.weekdays(r.Now.Location()) {
		if !slices.Contains(dropped, day) {
			stays = append(stays, day)
		}
	}
	if slices.ContainsFunc(dropped, func(d string) bool { return !slices.Contains(m.weekdays(r.Now.Location()), d) }) {
		return "", nil
	}
	if weekly[0].use(); len(stays) == 0 {
		later := keep(m.things, func(t Thing) bool { return t.Span.Start.After(r.Now) })
		if len(later) == 0 {
			return "", nil
		}
		m.meant, m.which = later[:1], false
		return "calendar_deleteEvents", r.selecting(Event, arguments{"scope": "following"})
	}
	return r.repeatsOn(m, interval.DateOf(r.Now), nil, arguments{"repeatsOn": stays})
}

// repeatsOn is the move of a series to other days from the first occurrence since a day on.
func (r *reading) repeatsOn(m *mention, since interval.Date, leaves []string, to arguments) (string, arguments) {
	m.used = true
	later := keep(m.things, func(t Thing) bool {
		of := len(leaves) == 0 || slices.Contains(leaves, strings.ToLower(r.dayOf(t).Weekday().String()))
		return of && t.Span.Start.After(r.Now) && !r.dayOf(t).Before(since)
	})
	if len(later) == 0 {
		return "", nil
	}
	selection := arguments{"ids": []string{later[0].ID}}
	if len(leaves) > 0 {
		selection["weekdays"] = leaves
	}
	if since != interval.DateOf(r.Now) {
		selection["window"] = arguments{"start": since.String(), "end": r.dayOf(later[0]).AddDays(1).String()}
	}
	return "calendar_moveEvents", arguments{"selection": selection, "to": to, "scope": "following"}
}

// seriesThen has the rest of a series follow the occurrence that was moved, if the message says only that: "not just
// this week, every week". The rest goes as far, or to the same time.
func (r *reading) seriesThen() (string, arguments) {
	var call struct {
		To struct {
			ByMinutes *int    `json:"byMinutes,omitempty"`
			Time      *string `json:"time,omitempty"`
			Date      *string `json:"date,omitempty"`
			Start     *string `json:"start,omitempty"`
			ByDays    *int    `json:"byDays,omitempty"`
		} `json:"to"`
	}
	if r.Before.Tool != "calendar_moveEvents" || len(r.Last) != 1 || !form("all of series").MatchString(r.Text) ||
		json.Unmarshal(r.Before.Arguments, &call) != nil || call.To.ByMinutes == nil && call.To.Time == nil {
		return "", nil
	}
	at := slices.IndexFunc(r.Things, func(t Thing) bool { return t.ID == r.Last[0] })
	if at < 0 || r.Things[at].Series == "" {
		return "", nil
	}
	moved := r.Things[at]
	if call.To.Date != nil && *call.To.Date == r.dayOf(moved).String() {
		call.To.Date = nil
	}
	later := keep(r.Things, func(t Thing) bool {
		return t.Series == moved.Series && (t.Span.Start.After(moved.Span.Start) || !r.Done && t.ID == moved.ID)
	})
	if len(later) == 0 || call.To.Date != nil || call.To.Start != nil || call.To.ByDays != nil {
		return "", nil
	}
	return "calendar_moveEvents", arguments{
		"selection": arguments{"ids": []string{later[0].ID}}, "to": call.To, "scope": "following",
	}
}

// weeklySeries is the one event that is named, if it repeats, whole or by the first word of its title; nil if there is
// none: "I've started piano lessons, every Tuesday" is no pottery class.
func (r *reading) weeklySeries() *mention {
	events := r.of(Event)
	if len(events) != 1 || events[0].described || len(events[0].things) < 2 || events[0].things[0].Series == "" ||
		events[0].covered < 1 && !r.namesHead(events[0]) {
		return nil
	}
	other := func(t Thing) bool { return t.Series != events[0].things[0].Series }
	if slices.ContainsFunc(events[0].things, other) {
		return nil
	}
	return events[0]
}

// namesHead reports whether a thing is named by the first word of its title: "pottery" for the pottery class.
func (r *reading) namesHead(m *mention) bool {
	head := agenda.Fold(firstWord(m.things[0].Title))
	return slices.ContainsFunc(m.words, func(i int) bool { return agenda.Fold(r.words[i].lower) == head })
}

// weekDays are days that come every week, and the times that say them, from byte from to byte to of the message.
type weekDays struct {
	days     []string
	times    []*timed
	from, to int
}

// ofEachWeek are the days that a message says to come every week, together where it joins them: "Tuesdays and
// Thursdays".
func (r *reading) ofEachWeek() (all []weekDays) {
	for _, t := range r.points() {
		days := t.weekdays()
		n := len(all) - 1
		switch weekly := len(t.Dates) > len(days); {
		case len(days) == 0:
			continue
		case n >= 0 && form("joins days").MatchString(r.Text[all[n].to:t.from]) &&
			(weekly || form("weekday names").MatchString(t.text)):
			all[n].days, all[n].times, all[n].to = append(all[n].days, days...), append(all[n].times, t), t.to
			continue
		case !weekly:
			continue
		}
		all = append(all, weekDays{days, []*timed{t}, t.from, t.to})
	}
	return all
}

// use says that the call has the days.
func (d weekDays) use() {
	for _, t := range d.times {
		t.used = true
	}
}

// clock is the time of day that is said with the days; nil if there is none.
func (d weekDays) clock() (at *interval.Clock) {
	for _, t := range d.times {
		if t.Exact != nil {
			at = t.Exact
		}
	}
	return at
}

// weekdays are the days of the week on which something that repeats is.
func (m *mention) weekdays(zone *time.Location) (days []string) {
	for _, t := range m.things {
		if day := strings.ToLower(t.Span.Start.In(zone).Weekday().String()); !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	return days
}

// ofOneSeries reports whether several events are those of one series.
func (r *reading) ofOneSeries(meant []Thing) bool {
	other := func(t Thing) bool { return t.Series == "" || t.Series != meant[0].Series }
	return len(meant) > 1 && len(r.of(Event)) == 1 && !slices.ContainsFunc(meant, other)
}
