package message

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// Week names days with the same hours together: "Monday and Tuesday 9:00 AM–5:00 PM".
func (v Voice) Week(week interval.Week) string {
	var parts, names []string
	for i := range week {
		day, next := (i+1)%len(week), (i+2)%len(week)
		if len(week[day]) == 0 {
			continue
		}
		names = append(names, v.tongue.names.Weekdays[day])
		if i+1 < len(week) && slices.Equal(week[day], week[next]) {
			continue
		}
		if len(names) == len(week) {
			names = []string{v.say("everyDay")}
		}
		var hours []string
		for _, window := range week[day] {
			hours = append(hours, v.window(window))
		}
		parts, names = append(parts, v.List(names)+" "+v.List(hours)), nil
	}
	return strings.Join(parts, "; ")
}

// window is a stretch of a day: "9:00 AM–5:00 PM", "from 9:00 AM".
func (v Voice) window(w interval.Window) string {
	span := w.On(interval.Date{Year: 2000, Month: time.January, Day: 1}, v.now.Location())
	switch begins, ends := w.Start == 0, w.End == interval.EndOfDay; {
	case begins && ends:
		return v.say("allDay")
	case ends:
		return v.say("fromTime", "time", v.Clock(span.Start))
	case begins:
		return v.say("untilTime", "time", v.Clock(span.End))
	}
	return v.Times(span)
}
