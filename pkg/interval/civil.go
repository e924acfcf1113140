package interval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Date is a day of the Gregorian calendar in no zone: what a person means by "Tuesday the 24th".
// Its JSON form is "2006-01-02" (RFC 3339 full-date). The zero value is no date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// DateOf is the date that t shows in its own zone.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{y, m, d}
}

// ParseDate reads "2006-01-02" and refuses anything else, dates that do not exist included.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("date %q is not of the form YYYY-MM-DD", s)
	}
	return DateOf(t), nil
}

func (d Date) String() string        { return fmt.Sprintf("%04d-%02d-%02d", d.Year, d.Month, d.Day) }
func (d Date) IsZero() bool          { return d == Date{} }
func (d Date) Weekday() time.Weekday { return d.noon().Weekday() }

// AddDays is the date n days later, earlier where n is negative.
func (d Date) AddDays(n int) Date { return DateOf(d.noon().AddDate(0, 0, n)) }

// Compare orders dates as the calendar does, in the manner of cmp.Compare.
func (d Date) Compare(o Date) int {
	return cmp.Or(cmp.Compare(d.Year, o.Year), cmp.Compare(d.Month, o.Month), cmp.Compare(d.Day, o.Day))
}

func (d Date) Before(o Date) bool { return d.Compare(o) < 0 }

// DaysUntil is how many days after d the date o lies; negative where it lies before.
func (d Date) DaysUntil(o Date) int { return int(o.noon().Sub(d.noon()).Hours() / 24) }

// noon stands for the whole day in arithmetic: UTC has no transitions, so adding days is exact.
func (d Date) noon() time.Time { return time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, time.UTC) }

// At is the moment at which a clock in loc shows c on this date; ok is false where a daylight-saving
// change skips that time, so that no such moment exists. A time that occurs twice gives the first.
// Clock 24:00 is the first moment of the next day.
func (d Date) At(c Clock, loc *time.Location) (t time.Time, ok bool) {
	if c >= EndOfDay {
		return d.AddDays(1).Start(loc), c == EndOfDay
	}
	t = time.Date(d.Year, d.Month, d.Day, int(c)/60, int(c)%60, 0, 0, loc)
	if DateOf(t) != d || ClockOf(t) != c {
		return t, false
	}
	return firstOf(t), true
}

// Start is the first moment of the date in loc, which is not always midnight.
func (d Date) Start(loc *time.Location) time.Time {
	t := time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, loc)
	if DateOf(t) == d && ClockOf(t) == 0 {
		return firstOf(t)
	}
	// Midnight is skipped here: the day begins where the change ends.
	_, change := time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, loc).ZoneBounds()
	_ = change
	begin, _ := time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, loc).ZoneBounds()
	return begin
}

// Span is the whole date in loc: 23, 24 or 25 hours, rarely something else.
func (d Date) Span(loc *time.Location) Span { return Span{d.Start(loc), d.AddDays(1).Start(loc)} }

// firstOf is the earlier of the two moments at which a clock shows what it shows at t, where t lies in an
// hour that a change back repeats; otherwise t itself.
func firstOf(t time.Time) time.Time {
	start, _ := t.ZoneBounds()
	if start.IsZero() {
		return t
	}
	_, now := t.Zone()
	_, before := start.Add(-time.Second).Zone()
	if shift := time.Duration(before-now) * time.Second; shift > 0 {
		if earlier := t.Add(-shift); earlier.Before(start) {
			return earlier
		}
	}
	return t
}

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

// ClockOf is the time of day that t shows in its own zone, to the minute.
func ClockOf(t time.Time) Clock { return Clock(t.Hour()*60 + t.Minute()) }

// At is the clock time h:m.
func At(h, m int) Clock { return Clock(h*60 + m) }

// ParseClock reads "HH:MM" in 24 hours, "24:00" included.
func ParseClock(s string) (Clock, error) {
	var h, m int
	if len(s) != 5 || s[2] != ':' {
		return 0, fmt.Errorf("time %q is not of the form HH:MM", s)
	}
	if _, err := fmt.Sscanf(s, "%02d:%02d", &h, &m); err != nil || h < 0 || m < 0 || m > 59 || At(h, m) > EndOfDay {
		return 0, fmt.Errorf("time %q is not of the form HH:MM between 00:00 and 24:00", s)
	}
	return At(h, m), nil
}

func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// MarshalJSON writes "15:04".
func (c Clock) MarshalJSON() ([]byte, error) { return json.Marshal(c.String()) }

// UnmarshalJSON reads "15:04".
func (c *Clock) UnmarshalJSON(b []byte) (err error) {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("a time of day is a string of the form HH:MM")
	}
	*c, err = ParseClock(s)
	return err
}

// Window is a stretch of a day, from Start to End. Where both are equal it means exactly that start time.
// A window whose End lies before its Start runs past midnight into the next day.
type Window struct {
	Start Clock `json:"start"`
	End   Clock `json:"end"`
}

// Exact reports whether the window names one start time rather than a stretch.
func (w Window) Exact() bool { return w.Start == w.End }

// On is the stretch of time that the window covers on date d in loc. An edge that a daylight-saving change
// skips moves to the moment of the change. An exact window gives an empty span at its time.
func (w Window) On(d Date, loc *time.Location) Span {
	end := d
	if w.End < w.Start {
		end = d.AddDays(1)
	}
	return Span{edge(d, w.Start, loc), edge(end, w.End, loc)}
}

func edge(d Date, c Clock, loc *time.Location) time.Time {
	t, ok := d.At(c, loc)
	if ok {
		return t
	}
	// time.Date resolves a skipped time with one of the two offsets around the change; the change itself
	// is the start of the zone period in force after it.
	if start, _ := t.ZoneBounds(); !start.IsZero() && t.Sub(start) < 3*time.Hour && !t.Before(start) {
		return start
	}
	_, end := t.ZoneBounds()
	return end
}

// DateRange is a run of days, both ends included. JSON: {"start":"2006-01-02","end":"2006-01-02"}.
type DateRange struct {
	Start Date `json:"start"`
	End   Date `json:"end"`
}

// Contains reports whether d is one of the range's days.
func (r DateRange) Contains(d Date) bool { return !d.Before(r.Start) && !r.End.Before(d) }

// Week is a stretch of hours for every weekday, indexed by time.Weekday: opening hours, working hours, wanted
// hours. A day without windows is a day without hours. JSON: {"mon":[{"start":"09:00","end":"17:00"}], …},
// days without hours left out.
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

// Empty reports whether no day has any hours.
func (w Week) Empty() bool {
	for _, windows := range w {
		if len(windows) > 0 {
			return false
		}
	}
	return true
}

// MarshalJSON writes the days that have hours, Monday first.
func (w Week) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i := range w {
		day := (i + 1) % 7
		if len(w[day]) == 0 {
			continue
		}
		windows, err := json.Marshal(w[day])
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, `"`+weekdayKeys[day]+`":`...), windows...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes and refuses any other key by name.
func (w *Week) UnmarshalJSON(b []byte) error {
	var days map[string][]Window
	if err := json.Unmarshal(b, &days); err != nil {
		return fmt.Errorf("hours of a week are an object of mon, tue, … sun: %w", err)
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
