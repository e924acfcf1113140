package message

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"convene/pkg/interval"

	"golang.org/x/text/language"
)

//go:embed data/names.json
var namesJSON []byte

// calendarNames is how one language writes a date with a time. Patterns contain {weekday}, {day}, {month}, {year},
// {hour} and {minute}.
type calendarNames struct {
	Weekdays [7]string  `json:"weekdays"`
	Months   [12]string `json:"months"`
	Long     string     `json:"long"`
	LongYear string     `json:"longYear"`
	Short    string     `json:"short"`
	// WeekdayWords and MonthWords are all forms, long and short, alone and within a date.
	WeekdayWords []string `json:"weekdayWords"`
	MonthWords   []string `json:"monthWords"`
}

// names are the calendar names of all languages by BCP 47 tag, read once. A test reads the embedded file, so that it is
// valid here.
var names = sync.OnceValue(func() map[string]*calendarNames {
	var file struct {
		Languages map[string]*calendarNames `json:"languages"`
	}
	if err := json.Unmarshal(namesJSON, &file); err != nil {
		return nil
	}
	return file.Languages
})

// english is the fallback language.
const english = "en"

// tongue is a language for labels.
type tongue struct {
	tag   string
	names *calendarNames
}

// tongueOf is the language of a BCP 47 tag, by its script if the data has it, and English if the data has neither.
func tongueOf(tag string) tongue {
	if found, ok := names()[tag]; ok {
		return tongue{tag, found}
	}
	parsed, err := language.Parse(tag)
	if err != nil {
		return tongue{english, names()[english]}
	}
	base, _ := parsed.Base()
	script, _ := parsed.Script()
	for _, candidate := range []string{base.String() + "-" + script.String(), base.String()} {
		if found, ok := names()[candidate]; ok {
			return tongue{candidate, found}
		}
	}
	return tongue{english, names()[english]}
}

// baseOf is the language without script and region: "es" for "es-MX".
func baseOf(tag string) string {
	if _, known := names()[tag]; known && !strings.Contains(tag, "-") {
		return tag
	}
	parsed, err := language.Parse(tag)
	if err != nil {
		return english
	}
	base, _ := parsed.Base()
	return base.String()
}

// speech is the meaning of a BCP 47 tag.
type speech struct {
	// base is the language without script and region; spoken is the language of composed messages, with its phrases: the
	// user's if it has phrases, otherwise English.
	base, spoken string
	phrases      *wording
	// labels is the language of labels.
	labels tongue
}

func speechOf(tag string) *speech {
	s := &speech{base: baseOf(tag), spoken: english, labels: tongueOf(tag)}
	if _, ok := wordings()[s.base]; ok {
		s.spoken = s.base
	}
	s.phrases = phrasesOf(s.spoken)
	return s
}

// says is the meaning of Language.
func (f *Facts) says() *speech {
	if f.speech != nil {
		return f.speech
	}
	return speechOf(f.Language)
}

// form is how much of a date a label shows.
type form int

const (
	weekdayForm form = iota
	dateForm
	yearForm
)

// clock is a time of day: twelve hours in English, twenty-four elsewhere.
func (t tongue) clock(at time.Time) string {
	switch {
	case t.tag == english:
		return at.Format("3:04 PM")
	case phrasesOf(t.tag).Label.Hour == "2":
		return strconv.Itoa(at.Hour()) + at.Format(":04")
	default:
		return at.Format("15:04")
	}
}

// moment is a date and time, with the zone directly after the clock if it is not empty.
func (t tongue) moment(at time.Time, show form, zone string) string {
	if zone != "" {
		zone = " " + zone
	}
	if t.tag == english {
		layout := [...]string{
			weekdayForm: "Monday at 3:04 PM", dateForm: "Monday, January 2 at 3:04 PM",
			yearForm: "Monday, January 2, 2006 at 3:04 PM",
		}
		return at.Format(layout[show]) + zone
	}
	label := phrasesOf(t.tag).Label
	pattern := [...]string{weekdayForm: t.names.Short, dateForm: t.names.Long, yearForm: t.names.LongYear}
	if label.Long != "" {
		pattern = [...]string{weekdayForm: label.Short, dateForm: label.Long, yearForm: label.LongYear}
	}
	clock := t.clock(at) + zone
	if zone != "" && isRightToLeft(t.tag) {
		clock = isolated(clock)
	}
	return strings.NewReplacer(
		"{at}", label.before(at),
		"{time}", clock,
		"{weekday}", t.names.Weekdays[at.Weekday()],
		"{day}", strconv.Itoa(at.Day()),
		"{month}", t.names.Months[at.Month()-1],
		"{year}", strconv.Itoa(at.Year()),
		"{hour}:{minute}", t.clock(at)+zone,
	).Replace(pattern[show])
}

// yearShown is how many months ahead a date may lie without its year.
const yearShown = 11

// outlook decides in a zone how much of a date a label shows.
type outlook struct {
	zone  *time.Location
	today interval.Date
	// Dates between from and until may omit their year.
	from, until time.Time
	// offered are the days of all candidates and of the previous event.
	offered []interval.Date
}

func (f *Facts) outlook(zone *time.Location) outlook {
	if f.view.zone == zone {
		return f.view
	}
	now := f.Now.In(zone)
	return outlook{
		zone: zone, today: interval.DateOf(now), from: now.AddDate(0, -1, 0), until: now.AddDate(0, yearShown, 0),
		offered: f.offeredDays(zone),
	}
}

// form is how much of a date a label needs: the year only if the date is far away.
func (f *Facts) form(at time.Time) form {
	view := f.outlook(at.Location())
	if f.Now.IsZero() || at.Before(view.from) || !at.Before(view.until) {
		return yearForm
	}
	return dateForm
}

// shortForm is the weekday alone if it is unambiguous: one of the next six days, whose weekday no other candidate and
// not the previous event has.
func (f *Facts) shortForm(at time.Time) form {
	day, view := interval.DateOf(at), f.outlook(at.Location())
	ahead := view.today.DaysUntil(day)
	if f.Now.IsZero() || ahead < 1 || ahead > 6 {
		return f.form(at)
	}
	weekday := day.Weekday()
	for _, other := range view.offered {
		if other != day && other.Weekday() == weekday {
			return f.form(at)
		}
	}
	return weekdayForm
}

// offeredDays are the days of all candidates and of the previous event, each once.
func (f *Facts) offeredDays(loc *time.Location) []interval.Date {
	days := make([]interval.Date, 0, len(f.Slots)+1)
	add := func(t time.Time) {
		if day := interval.DateOf(t.In(loc)); !slices.Contains(days, day) {
			days = append(days, day)
		}
	}
	for _, s := range f.Slots {
		add(s.Start)
	}
	if f.Previous != nil {
		add(f.Previous.Start)
	}
	return days
}

// offsetName writes a zone's distance from UTC: "UTC+5:30".
func offsetName(at time.Time) string {
	_, seconds := at.Zone()
	if seconds == 0 {
		return "UTC"
	}
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	if minutes := seconds % 3600 / 60; minutes != 0 {
		return fmt.Sprintf("UTC%c%d:%02d", sign, seconds/3600, minutes)
	}
	return fmt.Sprintf("UTC%c%d", sign, seconds/3600)
}
