package message

import (
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Activities lists suggestions by number, for "the second one"; now decides how dates are written.
func Activities(language string, list []meet.Suggestion, now time.Time) string {
	f, p := suggesting(language, list, now), phrasesFor(language)
	if len(list) == 0 {
		return p.FoundNothing
	}
	return p.Found + "\n\n" + f.numbered(list, p) + "\n\n" + p.Pick
}

// Begun says that a suggestion has begun, and lists those left.
func Begun(language, title string, left []meet.Suggestion, now time.Time) string {
	f, p := suggesting(language, left, now), phrasesFor(language)
	text := fill(p.Begun, "title", f.apart(escape(oneLine(title, titleLimit))))
	if len(left) == 0 {
		return text + " " + p.NothingAhead
	}
	return text + " " + p.StillAhead + "\n\n" + f.numbered(left, p) + "\n\n" + p.Pick
}

// Forgotten says that the suggestions have expired.
func Forgotten(language string) string { return phrasesFor(language).Forgotten }

// suggesting makes facts with the suggestions' times as slots.
func suggesting(language string, list []meet.Suggestion, now time.Time) *Facts {
	f := &Facts{Language: language, Now: now, Zone: now.Location()}
	for _, s := range list {
		f.Slots = append(f.Slots, meet.Slot{Start: s.Start, End: s.End})
	}
	return f
}

// numbered is a line for each suggestion.
func (f *Facts) numbered(list []meet.Suggestion, p *wording) string {
	lines := make([]string, len(list))
	for i, s := range list {
		where, free := "", ""
		if s.Venue != "" {
			where = f.attached(p.At, "place", f.apart(escape(oneLine(s.Venue, placeLimit))))
		}
		if s.Free {
			free = p.Free
		}
		lines[i] = strconv.Itoa(i+1) + ". " + fill(p.Suggestion, "title", f.apart(escape(oneLine(s.Title, titleLimit))),
			"at", where,
			"when", f.composedWhen(i), "until", f.until(s.End, i, p), "free", free)
	}
	return strings.Join(lines, "\n")
}

// lengthy is the length from which the end of a suggestion is shown.
const lengthy = 2 * time.Hour

// until is the end of slot i, if it is lengthy: " until 4:00 PM", with the day if that is another.
func (f *Facts) until(end time.Time, i int, p *wording) string {
	start, end := f.at(f.Slots[i].Start), f.at(end)
	switch {
	case end.Sub(start) < lengthy:
		return ""
	case interval.DateOf(start) == interval.DateOf(end):
		return fill(p.Until, "article", strings.TrimPrefix(p.Label.before(end), "a "), "end", f.tongue().clock(end))
	default:
		return fill(p.UntilDay, "end", f.tongue().moment(end, f.form(end), ""))
	}
}

// Nothing says that there is no time at all, and what would help.
func (f *Facts) Nothing(reasons []meet.Reason) string {
	p := f.phrases()
	text := fill(p.Nothing, "title", f.apart(f.orEvent()))
	for _, r := range reasons {
		text += "\n- " + f.reason(r, p)
	}
	return text + "\n\n" + p.Change
}

// NothingToShow says that there is no search yet to show more of.
func NothingToShow(language string) string { return phrasesFor(language).NothingToShow }

// Which asks which of several people a name means: "Which Al do you mean: Al Chen or Al Ortiz?"
func Which(language, name string, choices []string) string {
	f := Facts{Language: language}
	p := f.phrases()
	last := len(choices) - 1
	if last < 1 {
		return ""
	}
	apart := make([]string, len(choices))
	for i, choice := range choices {
		apart[i] = f.apart(escape(oneLine(choice, nameLimit)))
	}
	return fill(p.Which, "name", f.apart(escape(oneLine(name, nameLimit))), "choices",
		strings.Join(apart[:last], ", ")+" "+joined(p.Or, apart[last]))
}

// Joins asks whether people take part whom a message mentions: "Should Al be there too?"
func Joins(language string, names []string) string {
	f := Facts{Language: language}
	p := f.phrases()
	return fill(p.Joins, "names", f.list(names, p))
}

// Look is an acknowledgment that always fits.
func Look(language string) string { return phrasesFor(language).Look }
