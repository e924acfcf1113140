package message

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Voice writes facts of a person's day in the person's language, as Markdown, without a model. Times are in the zone of
// now, and relative to it: "today", "tomorrow", a weekday, a date. What others wrote is escaped, and no web address
// becomes a link.
type Voice struct {
	now    time.Time
	tongue tongue
	and    *wording
}

//go:embed data/voice.json
var voiceJSON []byte

// sayings are the voice's own phrases. A phrase and what it is called once it is done share a name, with ".done".
var sayings = sync.OnceValue(func() Phrases { return ReadPhrases(voiceJSON) })

// NewVoice is the voice of a language (BCP 47), or English if the language has none.
func NewVoice(language string, now time.Time) Voice {
	s := speechOf(language)
	if s.spoken == english {
		s.labels = tongueOf(english)
	}
	return Voice{now: now, tongue: s.labels, and: s.phrases}
}

// Phrases are sentences with holes in braces, by base language and name: a family's own words, beside its tools.
type Phrases map[string]map[string]string

// ReadPhrases reads phrases from an embedded JSON file, and panics in the first test if it is invalid.
func ReadPhrases(raw []byte) Phrases {
	var p Phrases
	if err := json.Unmarshal(raw, &p); err != nil {
		panic(fmt.Sprintf("phrases: %v", err))
	}
	return p
}

// Say fills in the phrase of that name: Say(p, "found", "count", "3"). It is English if the language lacks the phrase,
// and empty if no language has it. A Hebrew prefix before a hole gets a dash if no Hebrew letter follows.
func (v Voice) Say(p Phrases, name string, pairs ...string) string {
	pattern, ok := p[baseOf(v.tongue.tag)][name]
	if !ok {
		pattern = p[english][name]
	}
	return fill(pattern, hyphenated(pattern, pairs)...)
}

// Count is Say with the number n in the hole "n". One and two may have a phrase of their own, whose name ends in the
// digit: "events1".
func (v Voice) Count(p Phrases, name string, n int, pairs ...string) string {
	if special := name + strconv.Itoa(n); p[baseOf(v.tongue.tag)][special] != "" {
		name = special
	}
	return v.Say(p, name, append(slices.Clone(pairs), "n", strconv.Itoa(n))...)
}

func (v Voice) say(name string, pairs ...string) string { return v.Say(sayings(), name, pairs...) }

// hyphenated puts a dash before the values that follow a Hebrew letter in the pattern and begin with another sign.
func hyphenated(pattern string, pairs []string) []string {
	pairs = slices.Clone(pairs)
	for i := 0; i+1 < len(pairs); i += 2 {
		at := strings.Index(pattern, "{"+pairs[i]+"}")
		before, _ := utf8.DecodeLastRuneInString(pattern[:max(at, 0)])
		begins := strings.TrimLeft(pairs[i+1], "*\\"+isolate)
		if unicode.Is(unicode.Hebrew, before) && begins != "" && !unicode.Is(unicode.Hebrew, firstRune(begins)) {
			pairs[i+1] = "־" + pairs[i+1]
		}
	}
	return pairs
}

// Day names the day of t: "today", "Tuesday" within the next six days, "Tuesday, October 24", with another year than
// this one "Tuesday, October 24, 2028".
func (v Voice) Day(t time.Time) string {
	t = t.In(v.now.Location())
	name := "date"
	switch ahead := interval.DateOf(v.now).DaysUntil(interval.DateOf(t)); {
	case ahead >= -1 && ahead <= 1:
		return v.say([...]string{"yesterday", "today", "tomorrow"}[ahead+1])
	case ahead > 1 && ahead < 7:
		return v.tongue.names.Weekdays[t.Weekday()]
	case t.Year() != v.now.Year():
		name = "dateYear"
	}
	return v.say(name, "weekday", v.tongue.names.Weekdays[t.Weekday()], "month", v.tongue.names.Months[t.Month()-1],
		"day", strconv.Itoa(t.Day()), "year", strconv.Itoa(t.Year()))
}

// OnDay is Day within a sentence: "today", "on Tuesday".
func (v Voice) OnDay(t time.Time) string {
	if ahead := interval.DateOf(v.now).DaysUntil(interval.DateOf(t.In(v.now.Location()))); ahead >= -1 && ahead <= 1 {
		return v.Day(t)
	}
	return v.say("on", "day", v.Day(t))
}

// Clock is the time of day of t.
func (v Voice) Clock(t time.Time) string { return v.tongue.clock(t.In(v.now.Location())) }

// When is Day and Clock: "Tuesday, October 24 at 2:00 PM".
func (v Voice) When(t time.Time) string {
	at := v.and.Label.before(t.In(v.now.Location()))
	return v.say("when", "day", v.Day(t), "at", at, "time", v.Clock(t))
}

// Span is a span with its day: "Tuesday, October 24, 2:00–3:00 PM", or only the days if it is all day. A span of more
// than half a day that ends on another day has both days.
func (v Voice) Span(s interval.Span, allDay bool) string {
	switch {
	case allDay && v.onOneDay(s):
		return v.say("wholeDay", "day", v.Day(s.Start))
	case allDay:
		return v.say("days", "from", v.Day(s.Start), "to", v.Day(s.End.Add(-1)))
	case v.isShort(s):
		return v.say("span", "day", v.Day(s.Start), "times", v.Times(s))
	default:
		return v.say("days", "from", v.When(s.Start), "to", v.When(s.End))
	}
}

// Times is a span on the clock: "2:00–3:00 PM".
func (v Voice) Times(s interval.Span) string {
	start, end := v.Clock(s.Start), v.Clock(s.End)
	times := end
	if half := end[len(end)-3:]; strings.HasSuffix(half, "M") && v.onOneDay(s) { // "2:00 PM–3:00 PM"
		start = strings.TrimSuffix(start, half)
	}
	if !s.Start.Equal(s.End) {
		times = start + "–" + end
	}
	if isRightToLeft(v.tongue.tag) {
		return isolated(times)
	}
	return times
}

func (v Voice) onOneDay(s interval.Span) bool {
	last := s.End.Add(-1)
	if last.Before(s.Start) {
		last = s.Start
	}
	return interval.DateOf(s.Start.In(v.now.Location())) == interval.DateOf(last.In(v.now.Location()))
}

// isShort reports whether the day of its start and two clock times say a span.
func (v Voice) isShort(s interval.Span) bool {
	return v.onOneDay(s) || s.End.Sub(s.Start) <= 12*time.Hour
}

// Length is a number of minutes: "45 minutes", "an hour and a half", "2 hours and 15 minutes", "3 days".
func (v Voice) Length(minutes int) string {
	hours, rest := minutes/60, minutes%60
	switch {
	case hours == 0:
		return v.Count(sayings(), "minutes", rest)
	case rest == 30:
		return v.Count(sayings(), "halves", hours)
	case rest == 0 && hours%24 == 0:
		return v.Count(sayings(), "dayCount", hours/24)
	case rest == 0:
		return v.Count(sayings(), "hours", hours)
	default:
		return v.say("both", "a", v.Count(sayings(), "hours", hours), "b", v.Count(sayings(), "minutes", rest))
	}
}

// List joins items, all of them: "A, B and C".
func (v Voice) List(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + joined(v.and.And, items[last])
}

// Title is a caption that others wrote, escaped, or a word for any event if it is empty.
func (v Voice) Title(s string) string {
	if title := v.caption(s, titleLimit); title != "" {
		return title
	}
	return v.say("untitled")
}

// Person is a person's name, escaped, or their address if there is none.
func (v Voice) Person(name, address string) string {
	if name = v.caption(name, nameLimit); name != "" {
		return name
	}
	if address = v.inert(address); address != "" {
		return address
	}
	return v.say("someone")
}

// inertLimit is how much of a text of several lines is shown, in characters.
const inertLimit = 300

// inert is a text as one line that shows all its words, also addresses. Of none but those of email a program makes a
// link.
func (v Voice) inert(s string) string {
	return v.apart(spelled(meet.Shorten(strings.Join(strings.Fields(visible(s)), " "), inertLimit), false))
}

// spelled is a text as Markdown in which addresses can be read and copied. Those of pages are code, of which no program
// makes a link; those of email too, or they stand as they are.
func spelled(line string, emailToo bool) string {
	text, from := "", 0
	for _, at := range addresses.FindAllStringSubmatchIndex(line, -1) {
		address := line[at[0]:at[1]]
		if at[2] >= 0 || emailToo {
			address = "`" + address + "`"
		}
		text, from = text+escape(line[from:at[0]])+address, at[1]
	}
	return text + escape(line[from:])
}

// addresses are those of pages, in a group, and those of email without signs that mean anything in Markdown.
var addresses = regexp.MustCompile("(?i)(\\bhttps?://[^\\s`|<>\"“”]*[\\pL\\pN/=&_-])|" + mailAddress.String())

// mailAddress is an address of email without signs that mean anything in Markdown.
var mailAddress = regexp.MustCompile(`\b[\pL\pN](?:[\pL\pN.+-]*[\pL\pN])?@(?:[\pL\pN-]+\.)+[\pL\pN-]*\pL\b`)

func (v Voice) caption(s string, limit int) string { return v.apart(escape(oneLine(s, limit))) }

func (v Voice) apart(s string) string { return apartIn(v.tongue.tag, s) }

// Event is one line about an event: its time of day, title, place and guests, and what is special about it.
func (v Voice) Event(o meet.Occurrence) string {
	line := v.say("line", "time", v.during(o), "title", v.Title(o.Title))
	if place := v.caption(o.Location, placeLimit); place != "" {
		line = v.say("place", "line", line, "place", place)
	}
	var with, marks []string
	for _, g := range o.Guests() {
		with = append(with, v.Person(g.Name, g.Email))
	}
	if len(with) > 0 {
		line = v.say("with", "line", line, "people", v.List(with))
	}
	for _, mark := range []struct {
		name  string
		holds bool
	}{
		{"kind." + string(o.Kind), o.Kind != ""}, {"tentative", o.Tentative}, {"declined", o.Declined()},
	} {
		if mark.holds {
			marks = append(marks, v.say(mark.name))
		}
	}
	if len(marks) == 0 {
		return line
	}
	return v.say("marked", "line", line, "marks", strings.Join(marks, ", "))
}

// During is an event's time, without its day if it is that of within.
func (v Voice) During(o meet.Occurrence, within interval.Span) string {
	if v.onOneDay(within) && v.Day(o.Span.Start) == v.Day(within.Start) {
		return v.during(o)
	}
	return v.Span(o.Span, o.AllDay)
}

// during is an event's time without its day, if it is on one.
func (v Voice) during(o meet.Occurrence) string {
	switch {
	case o.AllDay && v.onOneDay(o.Span):
		return v.say("allDay")
	case !o.AllDay && v.isShort(o.Span):
		return v.Times(o.Span)
	default:
		return v.Span(o.Span, o.AllDay)
	}
}

// agendaLimit is how many events an Agenda lists before it counts the rest.
const agendaLimit = 40

// Agenda is a list of events, grouped by days if they are on several. Events are in order of their start.
func (v Voice) Agenda(events []meet.Occurrence) string {
	if len(events) == 0 {
		return ""
	}
	shown, lines, heading := events[:min(len(events), agendaLimit)], []string{}, ""
	several := v.Day(events[0].Span.Start) != v.Day(events[len(events)-1].Span.Start)
	for _, e := range shown {
		if day := v.Day(e.Span.Start); several && day != heading {
			if heading != "" {
				lines = append(lines, "")
			}
			heading = day
			lines = append(lines, "**"+upperFirst(day)+"**")
		}
		lines = append(lines, "- "+v.Event(e))
	}
	if rest := len(events) - len(shown); rest > 0 {
		lines = append(lines, "", v.say("more", "n", strconv.Itoa(rest)))
	}
	return strings.Join(lines, "\n")
}
