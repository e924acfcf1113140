package preference

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Preferences are what a person's values mean. The zero value prefers nothing.
type Preferences struct {
	// WorkingHours and MeetingHours are nil if there are none.
	WorkingHours, MeetingHours *interval.Week
	// Buffer is kept free around each meeting.
	Buffer meet.TravelBuffer
	// Minutes is the usual length of a meeting; 0 if there is none.
	Minutes int
	// Protected are times that are kept free.
	Protected []Protected
	// Always are kinds of changes that are asked about first.
	Always []meet.ChangeKind
	// WorkCalendar, PersonalCalendar and TaskList are names, Home and Office places in words; empty if there are none.
	WorkCalendar, PersonalCalendar, TaskList, Home, Office string
	// Language is that of texts for which no message shows one: a BCP 47 tag, or empty.
	Language string
}

// Protected is time that a person keeps free.
type Protected struct {
	meet.KeptTime
	Week interval.Week
	// Exceptions says that something urgent may lie there if the person agrees to it.
	Exceptions bool
	// outside says that the time outside Week is meant.
	outside bool
}

func (p Protected) during(span interval.Span, zone *time.Location) interval.Set {
	times := p.Week.Around(span, zone)
	if p.outside {
		return interval.NewSet(span).Minus(times)
	}
	return times
}

// Read is what the values mean. What is off counts as not there, and so do values that do not validate: they were
// checked when they were set.
func Read(values Values) Preferences {
	var p Preferences
	for _, key := range Keys() {
		rule := RuleOf(values[key])
		if rule.Value != nil && !rule.Off && Validate(key, rule.Value) == nil {
			if take, err := read(key, rule.Value); err == nil {
				take(&p)
			}
		}
	}
	return p
}

// For is the person with the hours that they prefer.
func (p Preferences) For(person meet.Person) meet.Person {
	if p.WorkingHours != nil {
		person.WorkingHours = p.WorkingHours
	}
	return person
}

// Kept is all time that overlaps span, in a zone, and is kept free of an event: protected times, and for meetings and
// calls what is not in the hours for them. A lunch may lie in the time for lunch, and what is urgent where there are
// exceptions: then the person must be asked, as Taken says.
func (p Preferences) Kept(t meet.Template, span interval.Span, zone *time.Location) (kept interval.Set) {
	for _, protected := range p.against(t.Activity) {
		if !protected.Exceptions || !t.Urgent {
			kept = kept.Union(protected.during(span, zone))
		}
	}
	return kept
}

// Taken is what an event takes of the time that is kept free of its activity.
func (p Preferences) Taken(a meet.Activity, at interval.Span, zone *time.Location) (taken []meet.KeptTime) {
	for _, protected := range p.against(a) {
		if protected.during(at, zone).Overlaps(at) {
			taken = append(taken, protected.KeptTime)
		}
	}
	return taken
}

// against is the time that is kept free of an activity.
func (p Preferences) against(a meet.Activity) []Protected {
	kept := slices.DeleteFunc(slices.Clone(p.Protected), func(k Protected) bool {
		return k.Key == LunchHours && a == meet.Lunch
	})
	if p.MeetingHours != nil && (a == meet.Meeting || a == meet.Call) {
		kept = append(kept, Protected{
			KeptTime: meet.KeptTime{Key: MeetingHours}, Week: *p.MeetingHours, outside: true,
		})
	}
	return kept
}

// Between is how much time is kept free between two events.
func (p Preferences) Between() time.Duration { return max(p.Buffer.Before(), p.Buffer.After()) }

// Asks reports whether a kind of change is always asked about first.
func (p Preferences) Asks(kind meet.ChangeKind) bool { return slices.Contains(p.Always, kind) }

// routine is a time that comes back every week, under all names that its members may have.
type routine struct {
	Title                          string
	Day, DayOfWeek                 *weekday
	Days                           []weekday
	Start, StartTime, DefaultStart string
	End, EndTime, DefaultEnd       string
	AllowExceptionsWithApproval    bool
}

// weekday is a day by its name, short or long, or by its ISO 8601 number: Monday is 1, Sunday 7.
type weekday time.Weekday

// UnmarshalJSON reads what the schema lets through.
func (w *weekday) UnmarshalJSON(raw []byte) error {
	text := strings.ToLower(strings.Trim(string(raw), `"`))
	if n, err := strconv.Atoi(text); err == nil {
		*w = weekday(n % 7)
		return nil
	}
	for day := range 7 {
		if len(text) > 1 && strings.HasPrefix(strings.ToLower(time.Weekday(day).String()), text[:2]) {
			*w = weekday(day)
		}
	}
	return nil
}

// read is what a value that fits its schema does to preferences. A fault says what no schema does: which end comes
// before its start, what is missing.
func read(key string, value []byte) (take func(*Preferences), err error) {
	switch key {
	case WorkingHours, MeetingHours:
		week, err := readWeek(key, value)
		return func(p *Preferences) {
			if key == WorkingHours {
				p.WorkingHours = &week
			} else {
				p.MeetingHours = &week
			}
		}, err
	case LunchHours, GymSchedule, WritingBlock, ProtectedTimes:
		kept, err := readRoutines(key, value)
		return func(p *Preferences) { p.Protected = append(p.Protected, kept...) }, err
	}
	return readOne(key, value)
}

// readOne reads a value that is no time.
func readOne(key string, value []byte) (take func(*Preferences), err error) {
	switch key {
	case Buffers:
		var buffer meet.TravelBuffer
		err = json.Unmarshal(value, &buffer)
		return func(p *Preferences) { p.Buffer = buffer }, err
	case Confirmations:
		var of struct{ Always []meet.ChangeKind }
		err = json.Unmarshal(value, &of)
		return func(p *Preferences) { p.Always = of.Always }, err
	case DefaultDuration:
		var minutes int
		err = json.Unmarshal(value, &minutes)
		return func(p *Preferences) { p.Minutes = minutes }, err
	}
	var name string
	err = json.Unmarshal(value, &name)
	return func(p *Preferences) {
		switch key {
		case WorkCalendar:
			p.WorkCalendar = name
		case PersonalCalendar:
			p.PersonalCalendar = name
		case DefaultTaskList:
			p.TaskList = name
		case Home:
			p.Home = meet.Caption(name)
		case Office:
			p.Office = meet.Caption(name)
		case Language:
			p.Language = name
		}
	}, err
}

// readWeek reads windows for each weekday, or one window for several days.
func readWeek(key string, value []byte) (interval.Week, error) {
	var short routine
	if err := json.Unmarshal(value, &short); err == nil && len(short.Days) > 0 {
		return short.week(key)
	}
	var week interval.Week
	if err := json.Unmarshal(value, &week); err != nil {
		return week, fault.Invalid(key, "%v.", err)
	}
	for day, windows := range week {
		for i, w := range windows {
			if w.End <= w.Start {
				name := strings.ToLower(time.Weekday(day).String()[:3])
				return week, fault.Invalid(key+"."+name+"["+strconv.Itoa(i)+"].end", "The end must be later than the start.")
			}
		}
	}
	return week, nil
}

// readRoutines reads one routine or a list of them.
func readRoutines(key string, value []byte) ([]Protected, error) {
	timeless := NoTime(key, value)
	single := !bytes.HasPrefix(bytes.TrimSpace(value), []byte("["))
	if single {
		value = slices.Concat([]byte("["), value, []byte("]"))
	}
	var list []routine
	if err := json.Unmarshal(value, &list); err != nil {
		return nil, fault.Invalid(key, "%v.", err)
	}
	kept := make([]Protected, 0, len(list))
	if timeless {
		return kept, nil // what is said of exceptions, before it is said when the time is
	}
	for i, r := range list {
		where := key
		if !single {
			where += "[" + strconv.Itoa(i) + "]"
		}
		week, err := r.week(where)
		if err != nil {
			return nil, err
		}
		kept = append(kept, Protected{
			KeptTime: meet.KeptTime{Key: key, Title: meet.Caption(r.Title)}, Week: week,
			Exceptions: r.AllowExceptionsWithApproval,
		})
	}
	return kept, nil
}

// week is the routine's times. Without days it is every day.
func (r routine) week(where string) (week interval.Week, err error) {
	start, err := oneOf(where+".start", r.Start, r.StartTime, r.DefaultStart)
	if err != nil {
		return week, err
	}
	end, err := oneOf(where+".end", r.End, r.EndTime, r.DefaultEnd)
	if err != nil {
		return week, err
	}
	if end <= start {
		return week, fault.Invalid(where+".end", "The end must be later than the start.")
	}
	days := r.Days
	for _, named := range []*weekday{r.Day, r.DayOfWeek} {
		if named != nil {
			days = append(days, *named)
		}
	}
	window := interval.Window{Start: start, End: end}
	if len(days) == 0 {
		return interval.EveryDay(window), nil
	}
	for _, day := range days {
		week[day] = []interval.Window{window}
	}
	return week, nil
}

// oneOf is the time of day under whichever name it has.
func oneOf(where string, names ...string) (interval.Clock, error) {
	for _, text := range names {
		if text != "" {
			return interval.ParseClock(text)
		}
	}
	return 0, fault.Invalid(where, "The time of day is missing.")
}
