package ground

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// preferences are the keys of functions/preference, in the order in which their words, in words/people.txt, are looked
// for.
var preferences = []string{
	"lunch_hours", "gym_schedule", "confirmations", "buffers", "default_duration", "office", "home", "language",
	"meeting_hours", "working_hours",
}

// preferred are the preferences whose words the message has.
func (r *reading) preferred() (keys []string) {
	for _, key := range preferences {
		if words()[key].MatchString(r.Text) {
			keys = append(keys, key)
		}
	}
	return keys
}

// takePreference says that what the words of a preference say of time is its name ("lunch hours").
func (r *reading) takePreference(key string) {
	for i := range r.times {
		if t := &r.times[i]; t.isName() && words()[key].MatchString(t.text) {
			t.used = true
		}
	}
}

// setPreference sets the one preference that is named to what is said of it, and the hours of some days to others: "I
// work 9 to 5:30, fridays only till 3".
func (r *reading) setPreference() (string, arguments) {
	at := form("on other days").FindStringSubmatch(r.Text)
	if at == nil {
		return r.setOne()
	}
	usual := r.part(at[1])
	for _, key := range usual.preferred() {
		usual.takePreference(key)
	}
	_, call := usual.setOne()
	updates, _ := call["updates"].([]arguments)
	if len(updates) != 1 || updates[0]["earliest"] == nil || updates[0]["latest"] == nil {
		return "", nil
	}
	from, _ := interval.ParseClock(updates[0]["earliest"].(string))
	to, _ := interval.ParseClock(updates[0]["latest"].(string))
	days, hours := r.part(form("only then").ReplaceAllString(at[2], " ")).weekly(from)
	if len(days) == 0 || hours.End <= hours.Start {
		return "", nil
	}
	for i := range r.times {
		r.times[i].used = true
	}
	var week interval.Week
	for day := time.Monday; day <= time.Friday; day++ {
		week[day] = []interval.Window{{Start: from, End: to}}
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		if slices.Contains(days, strings.ToLower(day.String())) {
			week[day] = []interval.Window{hours}
		}
	}
	return "preference_updatePreferences", arguments{"updates": []arguments{{
		"key": updates[0]["key"], "days": []string{}, "without": []string{}, "value": encoded(week),
	}}}
}

// part is a part of the message, read by itself.
func (r *reading) part(text string) *reading {
	m := r.Message
	m.Text = text
	p := newReading(m)
	p.readTimes()
	return p
}

// weekly are hours of some days of the week, which begin when those of the other days do if only their end is said.
func (r *reading) weekly(start interval.Clock) (days []string, hours interval.Window) {
	points := r.points()
	if len(points) != 1 {
		return nil, hours
	}
	from, to := points[0].span()
	if from == nil && to == nil {
		from, to = points[0].within()
	}
	if from == nil {
		from = &start
	}
	if to == nil {
		return nil, hours
	}
	const half = 12 * 60
	if hours = (interval.Window{Start: *from, End: *to}); hours.End <= hours.Start && hours.End+half > hours.Start {
		hours.End += half
	}
	return points[0].weekdays(), hours
}

// OnOtherDays reports whether a message ends hours with those of other days: "9 to 5, fridays till 3".
func OnOtherDays(text string) bool { return form("on other days").MatchString(text) }

// setOne sets the one preference that is named to what is said of it.
func (r *reading) setOne() (string, arguments) {
	keys := r.preferred()
	if r.guessed = len(keys) == 0 && r.says("preferring"); r.guessed { // "I prefer mornings"
		keys = []string{"meeting_hours"}
	}
	if len(keys) == 0 {
		return "", nil
	}
	update := arguments{"key": keys[0], "days": []string{}, "without": []string{}}
	switch keys[0] {
	case "default_duration":
		if minutes := r.length(); minutes > 0 {
			update["value"] = encoded(minutes)
		}
	case "confirmations":
		kinds := []string{"delete"}
		if r.says("changing") {
			kinds = []string{"create", "update", "delete", "respond"}
		}
		update["value"] = encoded(arguments{"always": kinds})
	case "buffers":
		r.setBuffers(update)
	case "working_hours", "meeting_hours", "lunch_hours":
		r.setHours(update)
	case "home", "office":
		if text, ok := r.ownWords().(string); ok {
			update["value"] = encoded(text)
		}
	case "language":
		if name, ok := r.oneOf("en", "es", "he").(string); ok {
			update["value"] = encoded(name)
		}
	}
	if len(update) == 3 {
		return "", nil
	}
	return "preference_updatePreferences", arguments{"updates": []arguments{update}}
}

func encoded(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}

// setBuffers sets the minutes before or after a meeting, or both.
func (r *reading) setBuffers(update arguments) {
	minutes := r.length()
	before, after := r.says("before"), r.says("after")
	if minutes == 0 {
		return
	}
	sides := arguments{}
	if before || !after {
		sides["beforeMinutes"] = minutes
	}
	if after || !before {
		sides["afterMinutes"] = minutes
	}
	update["value"] = encoded(sides)
}

// hoursSaid is what is said of the hours of some days, as one, also if the days stand apart from the hours; nil if
// there is no such thing, or a single day is meant.
func (r *reading) hoursSaid() *timed {
	points := r.points()
	if at := form("bare hours").FindStringIndex(r.Text); len(points) == 0 && at != nil {
		// These are hours of what is kept free.
		text := strings.TrimSpace(r.Text[at[0]:at[1]])
		r.times = append(r.times, timed{
			Reading: r.setting().Read(text, r.Now), said: said{text: text, from: at[0], to: at[1]},
		})
		points = r.points()
	}
	if hours := slices.DeleteFunc(slices.Clone(points), isDay); len(points) > 1 && len(hours) == 1 {
		for _, day := range slices.DeleteFunc(points, func(t *timed) bool { return t == hours[0] }) {
			hours[0].Dates = append(hours[0].Dates, day.Dates...)
			hours[0].text += " " + day.text
			day.used = true
		}
		points = hours
	}
	if len(points) != 1 || len(points[0].Dates) == 1 && !points[0].ofWeekdays() {
		return nil
	}
	return points[0]
}

// isDay reports whether a phrase says nothing of the clock.
func isDay(t *timed) bool { return t.Exact == nil && t.EndsAt == nil && t.Hours.Empty() }

// setHours sets hours of every day or of some days of the week: from when, until when, or both.
func (r *reading) setHours(update arguments) {
	point := r.hoursSaid()
	if point == nil {
		return
	}
	lunch, days := update["key"] == "lunch_hours", point.weekdays()
	update["days"] = days
	from, to := r.hoursOf(point, lunch)
	if lunch && from != nil && to == nil { // it is as long as it usually is, which is asked about
		end := *from + usualLunch
		to, r.guessed = &end, true
	}
	if from == nil && to == nil || lunch && (from == nil || to == nil || len(days) > 0) {
		return
	}
	if point.used = true; lunch {
		update["value"] = encoded(arguments{"defaultStart": from.String(), "defaultEnd": to.String()})
		return
	}
	if week, whole := r.wholeWeek(days, from, to); whole && update["key"] == "working_hours" {
		update["days"], update["value"] = []string{}, encoded(week)
		return
	}
	if from != nil {
		update["earliest"] = from.String()
	}
	if to != nil {
		update["latest"] = to.String()
	}
}

// hoursOf are from when and until when hours are that are said; nil for an end that is not.
func (r *reading) hoursOf(point *timed, lunch bool) (from, to *interval.Clock) {
	from, to = point.span()
	windows := point.Hours.Week[time.Monday]
	if from == nil && to == nil && len(windows) == 1 {
		return r.boundsOf(point, windows[0], lunch)
	}
	switch {
	case from == nil && (r.says("starts") || lunch && point.EndsAt == nil):
		return to, nil
	case from == nil && point.EndsAt == nil && !r.says("ends"):
		return nil, nil
	}
	return from, to
}

// boundsOf are the bounds that a window of the day sets to hours: those that it is, or those that it takes out.
func (r *reading) boundsOf(point *timed, w interval.Window, lunch bool) (from, to *interval.Clock) {
	switch {
	case form("negated").MatchString(point.text): // "no meetings after 5 from now on"
		return point.within()
	case r.says("never") && w.Start == 0: // "never have lunch before 12:30"
		return &w.End, nil
	case r.says("preferring"):
		r.guessed = true
		return &w.Start, &w.End
	case form("off then").MatchString(r.Text) && w.Start == 0: // "I'm off on Fridays until noon"
		return &w.End, nil
	case form("off then").MatchString(r.Text) && w.End == interval.EndOfDay: // "I'm off on Fridays after 3"
		return nil, &w.Start
	case w.Start == 0 && r.says("ends"): // "on Fridays I finish at 2"
		return nil, &w.End
	case lunch && w.Start > 0 && w.End < interval.EndOfDay: // "nothing between 1 and 2, that's when I have lunch"
		return &w.Start, &w.End
	}
	return nil, nil
}

// usualLunch is how many minutes lunch takes if only its beginning is said.
const usualLunch interval.Clock = 60

// weekdays are the days of the week that come again and again in what is said: "on fridays".
func (t *timed) weekdays() []string {
	days := []string{}
	for _, d := range t.Dates {
		if d.Start != d.End && !t.ofWeekdays() {
			continue
		}
		for n := range min(7, d.Start.DaysUntil(d.End)+1) {
			if name := strings.ToLower(d.Start.AddDays(n).Weekday().String()); !slices.Contains(days, name) {
				days = append(days, name)
			}
		}
	}
	return days
}

// ofWeekdays reports whether it names several days of the week: "monday to thursday".
func (t *timed) ofWeekdays() bool { return len(form("weekday names").FindAllString(t.text, 2)) > 1 }

// span is from when to when something is said to be; nil for an end that is not said.
func (t *timed) span() (from, to *interval.Clock) {
	if t.EndsAt != nil {
		return nil, t.EndsAt
	}
	if t.Exact == nil || t.Duration == 0 {
		return nil, t.Exact
	}
	end := *t.Exact + interval.Clock(t.Duration.Minutes())
	return t.Exact, &end
}

// within is from when to when the hours of every day are that are said; nil for an end that they do not have.
func (t *timed) within() (from, to *interval.Clock) {
	windows := t.Hours.Week[time.Monday]
	if len(windows) != 1 {
		return nil, nil
	}
	if w := windows[0]; w.Start > 0 {
		from = &w.Start
	} else if w.End < interval.EndOfDay {
		to = &w.End
	}
	return from, to
}

// forgetPreference takes the preferences back that are named.
func (r *reading) forgetPreference() (string, arguments) {
	keys := r.preferred()
	if len(keys) != 1 {
		return "", nil
	}
	r.takePreference(keys[0])
	return "preference_forget", arguments{"keys": keys}
}

// thatPreference takes back the preference that was set just now: "forget that".
func (r *reading) thatPreference() (string, arguments) {
	var before struct{ Updates []struct{ Key string } }
	if !form("forget that").MatchString(r.Text) ||
		json.Unmarshal(r.Before.Arguments, &before) != nil || len(before.Updates) != 1 {
		return "", nil
	}
	return "preference_forget", arguments{"keys": []string{before.Updates[0].Key}}
}

// showPreferences shows the preferences that are named, or all if none is.
func (r *reading) showPreferences() (string, arguments) {
	keys := r.preferred()
	for _, key := range keys {
		r.takePreference(key)
	}
	if len(keys) == 0 && slices.ContainsFunc(r.words, func(w word) bool { return learned().Usual[w.lower] == 0 }) {
		return "", nil
	}
	return "preference_view", arguments{"keys": append([]string{}, keys...)}
}
