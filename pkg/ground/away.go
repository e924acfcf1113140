package ground

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
)

// findAway finds what keeps the user from everything at some time, if the message states that and nothing else. It is
// what a block of this time is called: "i'm on vacation next week" is a vacation.
func (r *reading) findAway() {
	points := r.points()
	if several := func(t *timed) bool { return len(t.Dates) > 1 }; len(points) == 0 || len(r.people) > 0 ||
		slices.ContainsFunc(points, several) {
		return
	}
	stated := words()["away"].FindStringSubmatch(form("times form").ReplaceAllString(r.delexicalized(), " "))
	for _, name := range stated[min(1, len(stated)):] {
		r.here = r.here || words()["here"].MatchString(name)
		if name != "" && !r.here && !words()["not away"].MatchString(name) {
			first, n := utf8.DecodeRuneInString(name)
			r.away = string(unicode.ToUpper(first)) + name[n:]
			return
		}
	}
}

// asAway is a message that tells when the user is away, and asks to have that in the calendar, as one that only tells
// it: "I'm on vacation from the 21st to the 27th, put it in my calendar". Who travels on one day, is back on another
// and is to be marked as out of office is that from the one to the other.
func asAway(m Message) string {
	for _, way := range ways("away asked") {
		at := way.form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		told := m
		told.Text = string(way.form.ExpandString(nil, way.becomes, m.Text, at))
		r := newReading(told)
		r.readTimes()
		if r.findAway(); r.away != "" {
			return told.Text
		}
	}
	return m.Text
}

// awayUntil gives another last day to what was just put on whole days: "sorry, until the 28th".
func (r *reading) awayUntil() (string, arguments) {
	var before struct {
		Events []struct{ Title, Start, End string }
	}
	rest := form("until instead").FindStringSubmatch(r.Text)
	if r.Before.Tool != "calendar_createEvents" || rest == nil || json.Unmarshal(r.Before.Arguments, &before) != nil ||
		len(before.Events) != 1 {
		return "", nil
	}
	e := before.Events[0]
	start, err := interval.ParseDate(e.Start)
	m := r.Message
	m.Now, m.Text = start.Start(r.Now.Location()), onDate[strings.Split(r.Language, "-")[0]]+rest[1]
	*r = *newReading(m)
	t := r.aloneTime(0)
	if _, notNumber := strconv.Atoi(rest[1]); notNumber == nil && (t == nil || t.day() == nil) { // "עד ה-28"
		m.Text += " בחודש"
		*r = *newReading(m)
		t = r.aloneTime(0)
	}
	if err != nil || t == nil || t.day() == nil || t.Exact != nil || !t.Hours.Empty() || !start.Before(*t.day()) {
		return "", nil
	}
	end := t.day().AddDays(1)
	days := start.DaysUntil(end)
	switch made := len(r.Last) == 1 && !strings.HasPrefix(r.Last[0], newThing); {
	case len(r.Last) != 1 || days > mostAway:
		return "", nil
	case made:
		set := arguments{"durationMinutes": days * 24 * 60}
		return "calendar_updateEvents", arguments{"selection": arguments{"ids": r.Last}, "set": set}
	}
	return r.Before.Tool, arguments{"events": []arguments{{"title": e.Title, "start": e.Start, "end": end.String()}}}
}

// mostAway is how many days are put there at once.
const mostAway = 60

// onDays reports whether times are days, of which no hours are named.
func onDays(points []*timed) bool {
	return !slices.ContainsFunc(points, func(t *timed) bool {
		return t.Exact != nil || !t.Hours.Empty() || len(t.Dates) != 1
	})
}
