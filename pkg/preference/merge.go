package preference

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Hours is what is said of the hours of some days: when they begin, when they end, and what is taken out of them. The
// rest of the hours stays as it is.
type Hours struct {
	// Days are "monday" to "sunday"; empty for all days that have hours.
	Days []string
	// Earliest and Latest are "HH:MM"; nil keeps the beginning, or the end.
	Earliest, Latest *string
	Without          []interval.Window
}

// On are the hours of a key with what is said, in JSON. Without a standing value they are the usual ones: nine to five
// from Monday to Friday for work, and the whole week for meetings. An error names the wrong member.
func (h Hours) On(key string, standing []byte) ([]byte, error) {
	if !isWeek(key) {
		return nil, fault.Invalid("earliest", "Only %s and %s have a beginning and an end of their own.", WorkingHours,
			MeetingHours)
	}
	usual := usualHours(key)
	week, days := usual, h.days()
	if standing != nil {
		var err error
		if week, err = readWeek(key, standing); err != nil {
			return nil, err
		}
	}
	for day := range week {
		named := slices.Contains(days, strings.ToLower(time.Weekday(day).String()))
		if len(days) > 0 && !named {
			continue
		}
		if named && len(week[day]) == 0 && len(h.Without) == 0 {
			week[day] = usual[time.Monday]
		}
		hours, err := h.of(week[day])
		if err != nil {
			return nil, err
		}
		week[day] = hours
	}
	return json.Marshal(week)
}

func (h Hours) days() (days []string) {
	for _, name := range h.Days {
		days = append(days, strings.ToLower(name))
	}
	return days
}

func usualHours(key string) interval.Week {
	if key == WorkingHours {
		return meet.Person{}.WorkingWeek()
	}
	return interval.EveryDay(interval.Window{End: interval.EndOfDay})
}

// of are the windows of one day with what is said; none if there are none.
func (h Hours) of(windows []interval.Window) (left []interval.Window, err error) {
	day := stretches(windows)
	for _, said := range []struct {
		member string
		clock  *string
	}{{"earliest", h.Earliest}, {"latest", h.Latest}} {
		if said.clock == nil || len(day) == 0 {
			continue
		}
		clock, err := interval.ParseClock(*said.clock)
		if err != nil {
			return nil, fault.Invalid(said.member, "%q is no time of day; write HH:MM.", *said.clock)
		}
		at := midnight.Add(time.Duration(clock) * time.Minute)
		more, out := interval.Span{Start: at, End: day[0].Start}, interval.Span{Start: midnight, End: at}
		if said.member == "latest" {
			more = interval.Span{Start: day[len(day)-1].End, End: at}
			out = interval.Span{Start: at, End: midnight.AddDate(0, 0, 1)}
		}
		if day = day.Union(interval.NewSet(more)).Minus(interval.NewSet(out)); len(day) == 0 {
			return nil, fault.Invalid(said.member, "None of the hours are left.")
		}
	}
	for _, s := range day.Minus(stretches(h.Without)) {
		left = append(left, interval.Window{Start: clockOf(s.Start), End: clockOf(s.End)})
	}
	return left, nil
}

// midnight begins a day on which no clock changes.
var midnight = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func stretches(windows []interval.Window) interval.Set {
	var spans []interval.Span
	for _, w := range windows {
		spans = append(spans, w.On(interval.DateOf(midnight), time.UTC))
	}
	return interval.NewSet(spans...)
}

func clockOf(t time.Time) interval.Clock { return interval.Clock(t.Sub(midnight) / time.Minute) }

// synonyms are names of one member of a routine.
var synonyms = [][]string{
	{"start", "startTime", "defaultStart"}, {"end", "endTime", "defaultEnd"}, {"day", "dayOfWeek", "days"},
}

// Merge is a value that may have only some members, with the others of the standing one. Weeks, lists and
// single values are whole.
func Merge(key string, standing, given []byte) ([]byte, error) {
	var was, is map[string]json.RawMessage
	objects := json.Unmarshal(given, &is) == nil && json.Unmarshal(standing, &was) == nil
	if !objects || isWeek(key) {
		return given, nil
	}
	for name := range is {
		delete(was, name)
	}
	for _, names := range synonyms {
		if slices.ContainsFunc(names, func(name string) bool { return is[name] != nil }) {
			for _, name := range names {
				delete(was, name)
			}
		}
	}
	if len(was) == 0 {
		return given, nil
	}
	maps.Copy(was, is)
	return json.Marshal(was)
}

func isWeek(key string) bool { return key == WorkingHours || key == MeetingHours }

// NoTime reports whether a value says that a routine has exceptions, and not when the routine is. It keeps no time
// free.
func NoTime(key string, value []byte) bool {
	var r routine
	if key != LunchHours && key != WritingBlock || json.Unmarshal(value, &r) != nil {
		return false
	}
	timed := cmp.Or(r.Start, r.StartTime, r.DefaultStart, r.End, r.EndTime, r.DefaultEnd) != ""
	return r.AllowExceptionsWithApproval && !timed
}
