package calendar

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strconv"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/message"
)

//go:embed words.json
var wordsJSON []byte

var phrases = message.ReadPhrases(wordsJSON)

func say(w *world.World, name string, pairs ...string) string {
	return w.Voice().Say(phrases, name, pairs...)
}

// count is the phrase of a number n; the one for a single thing has a name that ends in 1.
func count(w *world.World, name string, n int, pairs ...string) string {
	if n == 1 {
		name += "1"
	}
	return say(w, name, append(pairs, "n", strconv.Itoa(n))...)
}

// tellers answer questions about events, by their aspect. Each is called with at least one event.
var tellers = map[string]func(w *world.World, events []meet.Occurrence) string{
	"list": func(w *world.World, events []meet.Occurrence) string { return w.Voice().Agenda(events) },
	"when": each("when", func(w *world.World, o meet.Occurrence) string {
		return w.Voice().Span(o.Span, o.AllDay)
	}),
	"who":     each("who", func(w *world.World, o meet.Occurrence) string { return guests(w, o) }),
	"where":   each("where", func(w *world.World, o meet.Occurrence) string { return place(w, o) }),
	"length":  lengths,
	"notes":   notes,
	"details": details,
	"most":    most,
}

// details tells all that is known of events: when they are and, as far as there are, their place, guests and notes.
func details(w *world.World, events []meet.Occurrence) string {
	const shown = 5
	var all []string
	for _, o := range events[:min(shown, len(events))] {
		lines := []string{say(w, "when", "title", w.Voice().Title(o.Title), "fact", w.Voice().Span(o.Span, o.AllDay))}
		for _, one := range []struct{ name, fact string }{{"place", place(w, o)}, {"guests", guests(w, o)}} {
			if one.fact != "" {
				lines = append(lines, "- "+say(w, "details."+one.name, "fact", one.fact))
			}
		}
		if quoted := message.Quote(o.Description); quoted != "" {
			lines = append(lines, "", quoted)
		}
		all = append(all, strings.Join(lines, "\n"))
	}
	if more := len(events) - shown; more > 0 {
		all = append(all, count(w, "more", more))
	}
	return strings.Join(all, "\n\n")
}

// most tells who takes part in events most often.
func most(w *world.World, events []meet.Occurrence) string {
	const shown = 5
	times := map[string]int{}
	for _, o := range events {
		if o.Declined() {
			continue
		}
		for _, g := range o.Guests() {
			times[nameOf(g)]++
		}
	}
	if len(times) == 0 {
		return say(w, "mostNone")
	}
	names := slices.SortedFunc(maps.Keys(times), func(a, b string) int {
		return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b))
	})
	var people []string
	for _, name := range names[:min(shown, len(names))] {
		people = append(people, w.Voice().Title(name)+" ("+strconv.Itoa(times[name])+")")
	}
	return say(w, "most", "fact", w.Voice().List(people))
}

// notes quotes what events say of themselves.
func notes(w *world.World, events []meet.Occurrence) string {
	var all []string
	for _, o := range events {
		title, quoted := w.Voice().Title(o.Title), message.Quote(o.Description)
		if quoted == "" {
			all = append(all, say(w, "notesNone", "title", title))
		} else {
			all = append(all, title+":\n"+quoted)
		}
	}
	return strings.Join(all, "\n\n")
}

// each tells a fact of every event; the name of the phrase for an event without it ends in "None".
func each(
	name string, fact func(*world.World, meet.Occurrence) string,
) func(*world.World, []meet.Occurrence) string {
	return func(w *world.World, events []meet.Occurrence) string {
		var lines []string
		for _, o := range events {
			title, told := w.Voice().Title(o.Title), fact(w, o)
			if told == "" {
				lines = append(lines, say(w, name+"None", "title", title))
			} else {
				lines = append(lines, say(w, name, "title", title, "fact", told))
			}
		}
		if len(lines) == 1 {
			return strings.TrimSpace(lines[0])
		}
		return "- " + strings.Join(lines, "\n- ")
	}
}

// guests are the people invited to an event, with their answers.
func guests(w *world.World, o meet.Occurrence) string {
	var people []string
	for _, g := range o.Guests() {
		name := w.Voice().Title(nameOf(g))
		if g.Answer != meet.NoAnswer {
			name += " (" + say(w, string(g.Answer)) + ")"
		}
		people = append(people, name)
	}
	return w.Voice().List(people)
}

func nameOf(a meet.Attendee) string {
	if a.Name != "" {
		return a.Name
	}
	return a.Email
}

func place(w *world.World, o meet.Occurrence) string {
	if strings.TrimSpace(o.Location) == "" {
		return ""
	}
	return w.Voice().Title(o.Location)
}

// lengths tells how long events take, and several of them together.
func lengths(w *world.World, events []meet.Occurrence) string {
	list := slices.DeleteFunc(slices.Clone(events), func(o meet.Occurrence) bool { return o.AllDay })
	if len(list) == 0 {
		return w.Voice().Agenda(events)
	}
	text := each("length", func(w *world.World, o meet.Occurrence) string { return w.Voice().Length(minutes(o)) })(w, list)
	if len(list) == 1 {
		return text
	}
	return count(w, "total", len(list), "length", w.Voice().Length(total(list))) + "\n" + text
}

func minutes(o meet.Occurrence) int { return int(o.Span.Duration().Minutes()) }

// total are the minutes of events, without those of whole days.
func total(events []meet.Occurrence) (sum int) {
	for _, o := range events {
		if !o.AllDay {
			sum += minutes(o)
		}
	}
	return sum
}
