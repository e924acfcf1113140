package message

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Voice writes facts of a person's day in the person's language, as Markdown, without a model. Times are in the zone of
// now, and relative to it: "today", "tomorrow", a weekday, a date.
type Voice struct {
	now time.Time
	*wording
	tongue tongue
}

// NewVoice is the voice of a language (BCP 47), or English if the language has none.
func NewVoice(language string, now time.Time) Voice {
	return Voice{now: now, wording: phrasesFor(language), tongue: tongueOf(language)}
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

// Say fills in the phrase of that name: Say(p, "found", "count", "3").
func (v Voice) Say(p Phrases, name string, pairs ...string) string {
	pattern, ok := p[baseOf(v.tongue.tag)][name]
	if !ok {
		pattern = p[english][name]
	}
	return fill(pattern, pairs...)
}

// Day is the day of t: "today", "Tuesday, October 24".
func (v Voice) Day(t time.Time) string { return t.In(v.now.Location()).Format("Monday, January 2") }

// Clock is the time of day of t.
func (v Voice) Clock(t time.Time) string { return v.tongue.clock(t.In(v.now.Location())) }

// When is Day and Clock: "Tuesday, October 24 at 2:00 PM".
func (v Voice) When(t time.Time) string { return v.Day(t) + " " + v.Clock(t) }

// Span is a span with its day: "Tuesday, October 24, 2:00–3:00 PM", or only the days if it is all day.
func (v Voice) Span(s interval.Span, allDay bool) string {
	return v.When(s.Start) + "–" + v.Clock(s.End)
}

// Length is a number of minutes: "45 minutes", "an hour and a half".
func (v Voice) Length(minutes int) string { return counted(v.Minutes, minutes) }

// List joins items: "A, B and C".
func (v Voice) List(items []string) string { return strings.Join(items, ", ") }

// Title is a caption that others wrote, escaped, or a word for any event if it is empty.
func (v Voice) Title(s string) string { return escape(oneLine(s, titleLimit)) }

// Event is one line about an event: its time, title, place and guests.
func (v Voice) Event(o meet.Occurrence) string { return v.Clock(o.Span.Start) + " " + v.Title(o.Title) }

// Agenda is a list of events, grouped by days if they are on several.
func (v Voice) Agenda(events []meet.Occurrence) string {
	lines := make([]string, len(events))
	for i, e := range events {
		lines[i] = "- " + v.Event(e)
	}
	return strings.Join(lines, "\n")
}

// Changes tells what a set of changes would do, or what came of it if applied is not nil, one line a change.
func (v Voice) Changes(set meet.ChangeSet, applied *meet.Applied) string { return "" }

// Ask asks whether pending changes may be made.
func (v Voice) Ask() string { return "" }

// UndoOffer says that the changes can be taken back.
func (v Voice) UndoOffer() string { return "" }

// Cancelled says that nothing was changed.
func (v Voice) Cancelled() string { return "" }

// ChangedMeanwhile says that things are not as they were shown.
func (v Voice) ChangedMeanwhile() string { return "" }

// Undone tells what came of taking back a set.
func (v Voice) Undone(set meet.ChangeSet, applied meet.Applied) string { return "" }
