package ground

import (
	"slices"
	"strings"

	"convene/pkg/interval"
)

// OnThatDay is a message that keeps time free or asks for free time, and says of no day, with the day that was just
// looked at: "book me 5 to 7 for grandma" after "what's on Saturday?". After "am I free Friday at 1?" it is at that
// time. Any other message stays as it is.
func OnThatDay(m Message) string {
	if m.Day.IsZero() || !slices.Contains(lookingAtDays, m.Before.Tool) {
		return m.Text
	}
	said := (&reading{Message: m}).setting().Read(m.Text, m.Now)
	bare := form("bare hours").FindStringIndex(m.Text)
	clock := said.Exact != nil || !said.Hours.Empty() || bare != nil
	keeps := form("keeps time").MatchString(m.Text)
	if dated := len(said.Dates) > 0 || said.Moment != nil; dated || words()["every"].MatchString(m.Text) {
		return m.Text
	}
	at := len(strings.TrimRight(m.Text, " .!?"))
	if n := len(said.Entities); n > 0 {
		at = said.Entities[n-1].End
	} else if bare != nil {
		at = bare[1]
	}
	day, rest := onDate[m.Language]+m.Day.String(), m.Text[at:]
	switch then := form("at that time").FindStringIndex(rest); {
	case keeps && !clock && said.Duration > 0 && m.Before.Tool == "calendar_checkAvailability" && len(m.Offered) == 1:
		day += atClock[m.Language] + interval.ClockOf(m.Offered[0].Start).String()
		if then != nil {
			rest = rest[then[1]:]
		}
	case m.Day == interval.DateOf(m.Now) || form("about shown").MatchString(m.Text) ||
		(!keeps || !clock && said.Duration == 0) && !form("asks room").MatchString(m.Text):
		return m.Text
	}
	return strings.TrimRight(m.Text[:at], " ") + " " + day + rest
}

// OnSomeWeekday reports whether the last day that a message names is one of the week, and no word tells which.
func OnSomeWeekday(m Message) bool {
	r := newReading(m)
	r.readTimes()
	for _, t := range slices.Backward(r.points()) {
		if t.day() != nil {
			return form("weekday alone").MatchString(t.text)
		}
	}
	return false
}

// lookingAtDays are the tools by which one looks at a day.
var lookingAtDays = []string{
	"schedule_viewSchedule", "calendar_findEvents", "schedule_findGaps", "calendar_findTimes",
	"calendar_checkAvailability",
}

// onDate and atClock stand before a date and a time, by language.
var (
	onDate  = map[string]string{"en": "on ", "es": "el ", "he": "ב-"}
	atClock = map[string]string{"en": " at ", "es": " a las ", "he": " בשעה "}
)
