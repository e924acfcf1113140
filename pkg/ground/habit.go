package ground

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// habit sets the hours that a message states as a habit, with no word that orders anything: "on Fridays I finish at 2",
// "I have lunch from 12:30 to 1:15 every day", "I don't work on Mondays". What else it says is read elsewhere.
func habit(m Message) Reading {
	for _, key := range []string{daysOff, "lunch_hours", "working_hours"} {
		at := form(key).FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		r := newReading(m)
		r.readTimes()
		for i := range r.times {
			if t := &r.times[i]; at[0] <= t.from && t.to <= at[1] {
				t.used = true // its name: "working hours"
			}
		}
		set, update := r.setHours, arguments{"key": key, "days": []string{}, "without": []string{}}
		if key == daysOff {
			set, update["key"] = r.setDaysOff, "working_hours"
		}
		if r.saysMore(at[0], at[1]) || !r.isHabit(key, m.Text[at[0]:at[1]]) || form("only once").MatchString(m.Text) {
			continue
		}
		r.habitual = true
		if set(update); len(update) == 3 || r.left() {
			continue
		}
		call := arguments{"updates": []arguments{update}}
		return undoubted("preference_set", "preference_updatePreferences", call).doubted(r.guessed)
	}
	return Reading{}
}

// daysOff is the name of the form by which days without work are told.
const daysOff = "days off"

// setDaysOff takes whole days of the week out of the working hours.
func (r *reading) setDaysOff(update arguments) {
	days := []string{}
	for _, t := range r.points() {
		if t.used = isDay(t); t.used {
			days = append(days, t.weekdays()...)
		}
	}
	if len(days) > 0 {
		update["days"], update["on"] = days, true
		update["without"] = []arguments{{"start": "00:00", "end": "24:00"}}
	}
}

// saysMore reports whether a message says anything beside times and what stands from one byte to another.
func (r *reading) saysMore(from, to int) bool {
	daily := form("every day").FindAllStringIndex(r.Text, -1)
	for _, w := range r.words {
		within := func(at []int) bool { return at[0] <= w.from && w.to <= at[1] }
		said := within([]int{from, to}) || slices.ContainsFunc(daily, within) ||
			slices.ContainsFunc(r.times, func(t timed) bool { return t.from < w.to && w.from < t.to })
		if !said && !onlySays(w.lower, "idle", "small", "not") && !form("forbidding").MatchString(w.lower) {
			return true
		}
	}
	return len(r.people)+len(r.quoted) > 0
}

// isHabit reports whether what a message says of time comes again and again: on days of the week, or every day. Lunch
// that is called one's usual one, or hours that a message forbids, need no days.
func (r *reading) isHabit(key, said string) bool {
	for _, t := range r.times {
		for _, e := range t.Entities {
			if e.Every {
				return true
			}
		}
	}
	weekly := len(r.ofEachWeek()) > 0 || form("days to").MatchString(r.Text)
	if weekly || form("every day").MatchString(r.Text) || key == "lunch_hours" && form("usually").MatchString(said) {
		return true
	}
	dated := slices.ContainsFunc(r.times, func(t timed) bool { return len(t.Dates) > 0 })
	return form("lunch kept").MatchString(said) && !dated
}

// wholeWeek are the only working hours of a week, if so many of its days are named with both ends that no other day is
// meant, or "only" is said: "I work 9 to 6 Monday to Thursday".
func (r *reading) wholeWeek(days []string, from, to *interval.Clock) (week interval.Week, whole bool) {
	const most = 3
	if !r.habitual || from == nil || to == nil || len(days) == 0 ||
		len(days) < most && !form("only then").MatchString(r.Text) {
		return week, false
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		for _, name := range days {
			if strings.EqualFold(name, day.String()) {
				week[day] = []interval.Window{{Start: *from, End: *to}}
			}
		}
	}
	return week, true
}
