package microsofttest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"convene/pkg/calendar/icalendar"
)

// recurrence is Graph's patternedRecurrence.
type recurrence struct {
	Pattern struct {
		Type, FirstDayOfWeek, Index string
		Interval, Month, DayOfMonth int
		DaysOfWeek                  []string
	}
	Range struct {
		Type, StartDate, EndDate, RecurrenceTimeZone string
		NumberOfOccurrences                          int
	}
}

// weekdays are Graph's names from Monday.
var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// option is the recurrence as a rule.
func (e *Event) option() (*rrule.ROption, error) {
	if e.Rule != "" {
		return rrule.StrToROption(e.Rule)
	}
	r := parsed(e.recurrence)
	freq, known := map[string]rrule.Frequency{
		"daily": rrule.DAILY, "weekly": rrule.WEEKLY, "absoluteMonthly": rrule.MONTHLY, "relativeMonthly": rrule.MONTHLY,
		"absoluteYearly": rrule.YEARLY, "relativeYearly": rrule.YEARLY,
	}[r.Pattern.Type]
	if !known || r.Pattern.Interval < 1 {
		return nil, failure{400, "ErrorInvalidRequest"}
	}
	o := &rrule.ROption{Freq: freq, Interval: r.Pattern.Interval}
	days := []rrule.Weekday{rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA, rrule.SU}
	if r.Pattern.Type == "weekly" || strings.HasPrefix(r.Pattern.Type, "relative") {
		for _, name := range r.Pattern.DaysOfWeek {
			i := slices.Index(weekdays, name)
			if i < 0 {
				return nil, failure{400, "ErrorInvalidRequest"}
			}
			o.Byweekday = append(o.Byweekday, days[i])
		}
		if len(o.Byweekday) == 0 {
			return nil, failure{400, "ErrorInvalidRequest"}
		}
	}
	if strings.HasPrefix(r.Pattern.Type, "relative") {
		o.Bysetpos = []int{map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}[r.Pattern.Index]}
	} else if freq == rrule.MONTHLY || freq == rrule.YEARLY {
		o.Bymonthday = []int{r.Pattern.DayOfMonth}
	}
	if freq == rrule.YEARLY {
		o.Bymonth = []int{r.Pattern.Month}
	}
	switch r.Range.Type {
	case "numbered":
		o.Count = r.Range.NumberOfOccurrences
	case "endDate":
		last, err := time.ParseInLocation(time.DateOnly, r.Range.EndDate, e.Start.Location())
		if err != nil {
			return nil, failure{400, "ErrorInvalidRequest"}
		}
		o.Until = last.AddDate(0, 0, 1).Add(-time.Second)
	}
	return o, nil
}

func parsed(v map[string]any) (r recurrence) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		return recurrence{}
	}
	return r
}

// pattern is the recurrence as Graph tells it; of a rule only the daily and weekly ones of the suite.
func (e *Event) pattern() map[string]any {
	if e.recurrence != nil {
		return e.recurrence
	}
	o, err := rrule.StrToROption(e.Rule)
	if err != nil {
		return nil
	}
	zone, _ := icalendar.WindowsName(e.Start.Location(), e.Start)
	pattern := map[string]any{"type": "daily", "interval": max(o.Interval, 1)}
	if o.Freq == rrule.WEEKLY {
		pattern["type"] = "weekly"
		pattern["daysOfWeek"] = []string{strings.ToLower(e.Start.Weekday().String())}
		pattern["firstDayOfWeek"] = "monday"
	}
	span := map[string]any{
		"type": "noEnd", "startDate": e.Start.Format(time.DateOnly), "endDate": "0001-01-01", "recurrenceTimeZone": zone,
		"numberOfOccurrences": 0,
	}
	if o.Count > 0 {
		span["type"], span["numberOfOccurrences"] = "numbered", o.Count
	}
	return map[string]any{"pattern": pattern, "range": span}
}

// forget drops the exceptions of a series whose times have changed, as Exchange does, and those after its end.
func (e *Event) forget(before Event) {
	if !e.repeats() {
		e.overrides, e.Without = map[int64]*Event{}, nil
		return
	}
	was, is := before.pattern(), e.pattern()
	first, _ := json.Marshal(was["pattern"])
	second, _ := json.Marshal(is["pattern"])
	if string(first) != string(second) || !before.Start.Equal(e.Start) {
		e.overrides, e.Without = map[int64]*Event{}, nil
		return
	}
	takesPlace := map[int64]bool{}
	for _, i := range (&Event{Rule: e.Rule, recurrence: e.recurrence, Start: e.Start, End: e.End}).
		all(e.Start.AddDate(3, 0, 0)) {
		takesPlace[i.from.Unix()] = true
	}
	e.overrides = maps.Clone(e.overrides)
	maps.DeleteFunc(e.overrides, func(at int64, _ *Event) bool { return !takesPlace[at] })
	e.Without = slices.DeleteFunc(slices.Clone(e.Without), func(t time.Time) bool { return !takesPlace[t.Unix()] })
}
