package interval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Date is a day of the Gregorian calendar in no zone: what "Tuesday the 24th" means. Its JSON form is "2006-01-02" (RFC
// 3339 full-date). The zero value is no date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf is the date of t in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate parses "2006-01-02" and refuses anything else, including dates that do not exist.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("date %q is not of the form YYYY-MM-DD", s)
	}
	return DateOf(t), nil
}

func (d Date) String() string { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }

// IsZero reports whether d is no date.
func (d Date) IsZero() bool { return d == Date{} }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return WeekdayOf(d.Number()) }

// WeekdayOf is the weekday of the date with that number; see Date.Number.
func WeekdayOf(number int) time.Weekday { return time.Weekday((number%7 + 11) % 7) }

// secondsPerDay holds in UTC, in which all arithmetic of days is done.
const secondsPerDay = 24 * 60 * 60

// Number counts days: 1970-01-01 is 0, the day before is -1.
func (d Date) Number() int { return int(d.midnight() / secondsPerDay) }

// DateNumber is the date with that number.
func DateNumber(n int) Date { return DateOf(time.Unix(int64(n)*secondsPerDay, 0).UTC()) }

// AddDays is the date n days later, or earlier if n is negative.
func (d Date) AddDays(n int) Date { return DateNumber(d.Number() + n) }

// Compare orders dates like cmp.Compare.
func (d Date) Compare(o Date) int {
	return cmp.Or(cmp.Compare(d.Year, o.Year), cmp.Compare(d.Month, o.Month), cmp.Compare(d.Day, o.Day))
}

// Before reports whether d is earlier than o.
func (d Date) Before(o Date) bool { return d.Compare(o) < 0 }

// DaysUntil is the number of days from d to o; negative if o is earlier.
func (d Date) DaysUntil(o Date) int { return o.Number() - d.Number() }

// midnight is 00:00 of the date in UTC, in Unix seconds.
func (d Date) midnight() int64 { return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Unix() }

// At is the moment at which a clock in loc shows c on this date. If a DST change skips that time, ok is false and t is
// the moment of the change. A time that occurs twice gives the first. Clock 24:00 is the first moment of the next day.
func (d Date) At(c Clock, loc *time.Location) (t time.Time, ok bool) {
	if c == EndOfDay {
		return d.AddDays(1).Start(loc), true
	}
	t, ok = moment(d.midnight()+int64(c)*60, loc)
	return t, ok && c >= 0 && c < EndOfDay
}

// Start is the first moment of the date in loc, which is not always midnight. For a date that a zone has skipped it is
// the first moment of the next one.
func (d Date) Start(loc *time.Location) time.Time {
	t, _ := moment(d.midnight(), loc)
	return t
}

// Span is the whole date in loc: 23, 24 or 25 hours, rarely something else.
func (d Date) Span(loc *time.Location) Span { return Span{d.Start(loc), d.AddDays(1).Start(loc)} }

// MarshalText writes "2006-01-02", and nothing for the zero date.
func (d Date) MarshalText() ([]byte, error) {
	if d.IsZero() {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads what MarshalText writes.
func (d *Date) UnmarshalText(b []byte) (err error) {
	if len(b) == 0 {
		*d = Date{}
		return nil
	}
	*d, err = ParseDate(string(b))
	return err
}

// Clock is a time of day in minutes after midnight, 0 (00:00) to 1440 (24:00, the end of the day).
// Its JSON form is "15:04".
type Clock int

// EndOfDay is 24:00: as the end of a window it means midnight, and no event starts at it.
const EndOfDay Clock = 24 * 60

// ClockOf is the time of day of t in its own zone, to the minute.
func ClockOf(t time.Time) Clock { return Clock(t.Hour()*60 + t.Minute()) }

// At is the clock time h:m.
func At(h, m int) Clock { return Clock(h*60 + m) }

// ParseClock parses "HH:MM" in 24 hours, "24:00" included.
func ParseClock(s string) (Clock, error) {
	digit := func(i int) int {
		if s[i] < '0' || s[i] > '9' {
			return int(EndOfDay) // too large for any time
		}
		return int(s[i] - '0')
	}
	if len(s) != 5 || s[2] != ':' {
		return 0, fmt.Errorf("time %q is not of the form HH:MM", s)
	}
	h, m := digit(0)*10+digit(1), digit(3)*10+digit(4)
	if m > 59 || At(h, m) > EndOfDay {
		return 0, fmt.Errorf("time %q is not of the form HH:MM between 00:00 and 24:00", s)
	}
	return At(h, m), nil
}

func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// append appends "15:04" to b.
func (c Clock) append(b []byte) []byte {
	h, m := int(c)/60, int(c)%60
	return append(b, byte('0'+h/10), byte('0'+h%10), ':', byte('0'+m/10), byte('0'+m%10))
}

// MarshalJSON writes "15:04".
func (c Clock) MarshalJSON() ([]byte, error) { return append(c.append([]byte{'"'}), '"'), nil }

// UnmarshalJSON reads "15:04".
func (c *Clock) UnmarshalJSON(b []byte) (err error) {
	// Stored weeks have many of these: one without escapes needs no decoder.
	if len(b) == len(`"15:04"`) && b[0] == '"' && !bytes.ContainsRune(b, '\\') {
		*c, err = ParseClock(string(b[1 : len(b)-1]))
		return err
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("a time of day is a string of the form HH:MM")
	}
	*c, err = ParseClock(s)
	return err
}

// Window is a stretch of a day, from Start to End. If both are equal it means exactly that start time. If End is before
// Start it runs past midnight into the next day.
type Window struct {
	Start Clock `json:"start"`
	End   Clock `json:"end"`
}

// Exact reports whether the window names one start time rather than a stretch.
func (w Window) Exact() bool { return w.Start == w.End }

// On is the window on date d in loc. An edge that a DST change skips moves to the moment of the change. An exact window
// gives an empty span at its time.
func (w Window) On(d Date, loc *time.Location) Span {
	end := d
	if w.End < w.Start {
		end = d.AddDays(1)
	}
	from, _ := d.At(w.Start, loc)
	to, _ := end.At(w.End, loc)
	return Span{from, to}
}

// DateRange is a run of days, both ends included. JSON: {"start":"2006-01-02","end":"2006-01-02"}.
type DateRange struct {
	Start Date `json:"start"`
	End   Date `json:"end"`
}

// Contains reports whether d is one of the range's days.
func (r DateRange) Contains(d Date) bool { return !d.Before(r.Start) && !r.End.Before(d) }

// Week is hours for every weekday, indexed by time.Weekday: opening hours, working hours, wanted hours. A day without
// windows has no hours. JSON: {"mon":[{"start":"09:00","end":"17:00"}], …}, without the days that have none.
type Week [7][]Window

var weekdayKeys = [7]string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// EveryDay is the week that has the same windows on each day.
func EveryDay(windows ...Window) (w Week) {
	for d := range w {
		w[d] = windows
	}
	return w
}

// Weekdays is the week that has the same windows from Monday to Friday and none at the weekend.
func Weekdays(windows ...Window) Week {
	w := EveryDay(windows...)
	w[time.Saturday], w[time.Sunday] = nil, nil
	return w
}

// Clone is a copy that shares nothing with the week.
func (w Week) Clone() Week {
	all := make([]Window, 0, w.windows())
	for day, windows := range w {
		if len(windows) > 0 {
			from := len(all)
			all = append(all, windows...)
			w[day] = all[from:len(all):len(all)]
		}
	}
	return w
}

// Empty reports whether no day has any hours.
func (w Week) Empty() bool {
	return w.windows() == 0
}

// Around is every stretch of the week's hours that overlaps span, uncut, on the clocks of loc. It equals Window.On for
// all days, computed at once: a window past midnight belongs to the day on which it begins, and adjacent stretches are
// merged.
func (w Week) Around(span Span, loc *time.Location) Set {
	first, last := DateOf(span.Start.In(loc)).Number()-1, DateOf(span.End.In(loc)).Number()
	clocks := newClocks(loc, first, last+1)
	hours := make(Set, 0, max(0, last-first+7)/7*w.windows())
	for n := first; n <= last; n++ {
		for _, window := range w[WeekdayOf(n)] {
			end := n
			if window.End < window.Start {
				end++
			}
			if s := (Span{clocks.at(n, window.Start), clocks.at(end, window.End)}); s.Overlaps(span) || s.Contains(span.Start) {
				hours = append(hours, s)
			}
		}
	}
	return hours.Normal()
}

func (w Week) windows() (n int) {
	for _, windows := range w {
		n += len(windows)
	}
	return n
}

// MarshalJSON writes the days that have hours, Monday first.
func (w Week) MarshalJSON() ([]byte, error) {
	out := append(make([]byte, 0, 64*len(w)), '{')
	for i := range w {
		day := (i + 1) % 7
		if len(w[day]) == 0 {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, '"'), weekdayKeys[day]...), `":[`...)
		for n, window := range w[day] {
			if n > 0 {
				out = append(out, ',')
			}
			out = append(window.Start.append(append(out, `{"start":"`...)), `","end":"`...)
			out = append(window.End.append(out), `"}`...)
		}
		out = append(out, ']')
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes. Its error names an unknown key.
func (w *Week) UnmarshalJSON(b []byte) error {
	var days map[string][]Window
	err := json.Unmarshal(b, &days)
	if _, shape := errors.AsType[*json.UnmarshalTypeError](err); shape {
		err = errors.New(`they are an object of lists, as {"mon": [{"start": "09:00", "end": "17:00"}]}`)
	}
	if err != nil {
		return err
	}
	*w = Week{}
	for key, windows := range days {
		day := slices.Index(weekdayKeys[:], key)
		if day < 0 {
			return fmt.Errorf("%q is not a weekday: use mon, tue, wed, thu, fri, sat or sun", key)
		}
		w[day] = windows
	}
	return nil
}
