package message

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/holiday"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// SlotHint describes candidate slot i in a few words for lists. If the slot does not suit everyone, or someone could
// not be checked, it says only that: "Al has another event", "Al's calendar not checked".
func (f *Facts) SlotHint(i int) string {
	if label, ok := nth(f.labels.hint, i); ok {
		return label
	}
	s, ok := f.slot(i)
	if !ok {
		return ""
	}
	p := f.phrases()
	switch {
	case s.State == meet.SlotConflict && len(s.Conflicts) > 0:
		kind := s.Conflicts[0].Kind // the message names them all once the slot is chosen
		return f.hint(kind, conflicting(s, kind), p)
	case s.State == meet.SlotUnknown && len(s.Unknown) == 1:
		return f.about(s.Unknown, "hintUnknown", p.HintUnknown, p)
	case s.State == meet.SlotUnknown && len(s.Unknown) > 1:
		return fill(p.HintUnknownMany, "whose", f.whose(s.Unknown, p))
	case s.State != meet.SlotFree:
		return p.Caution
	}
	return f.dayHint(s, p)
}

// hint describes people's conflict in a few words.
func (f *Facts) hint(kind meet.ConflictKind, people []string, p *wording) string {
	name, pattern := "hintOther", p.HintOther
	switch kind {
	case meet.ConflictBusy:
		name, pattern = "hintBusy", p.HintBusyMany
		switch {
		case len(people) == 1 && f.isOrganizer(people[0]):
			pattern = p.HintBusyYou
		case len(people) == 1:
			pattern = p.HintBusy
		}
	case meet.ConflictTravel:
		name, pattern = "hintTravel", p.HintTravel
	case meet.ConflictWorkingHours:
		name, pattern = "hintHours", p.HintHours
	case meet.ConflictUsualHours:
		name, pattern = "hintUsual", p.HintUsual
	case meet.ConflictNotice:
		name, pattern = "hintNotice", p.HintNotice
	}
	return f.about(people, name, pattern, p)
}

// dayHint names a public holiday, or else the part of the day. It never compares slots, because it may be written
// before one is chosen.
func (f *Facts) dayHint(s meet.Slot, p *wording) string {
	at := f.at(s.Start)
	switch {
	case holiday.Public(at):
		return p.Holiday
	case isWeekend(at):
		return p.WeekendParts[dayPart(at)]
	}
	return p.DayParts[dayPart(at)]
}

// isWeekend reports whether a day is at the weekend in its zone: Friday and Saturday in Israel.
func isWeekend(at time.Time) bool {
	days := []time.Weekday{time.Saturday, time.Sunday}
	if at.Location().String() == "Asia/Jerusalem" {
		days = []time.Weekday{time.Friday, time.Saturday}
	}
	return slices.Contains(days, at.Weekday())
}

// dayPart is the index of a part of the day; they begin at 0:00, 8:00, 10:30, 12:00, 14:00 and 17:00.
func dayPart(at time.Time) int {
	starts := []interval.Clock{
		interval.At(8, 0), interval.At(10, 30), interval.At(12, 0), interval.At(14, 0), interval.At(17, 0),
	}
	part, clock := 0, interval.ClockOf(at)
	for _, start := range starts {
		if clock >= start {
			part++
		}
	}
	return part
}

// PlaceLink is candidate place i as Markdown: its name as a link to its map, or in bold if it has no usable link.
func (f *Facts) PlaceLink(i int) string {
	if label, ok := nth(f.labels.link, i); ok {
		return label
	}
	p, ok := f.place(i)
	if !ok {
		return ""
	}
	linked := placeLink(p)
	if name, bold := strings.CutPrefix(linked, "**"); bold {
		return "**" + f.apart(strings.TrimSuffix(name, "**")) + "**"
	}
	return f.apart(linked)
}

func placeLink(p meet.Place) string {
	name := placeName(p)
	link := safeURL(p.MapsURL)
	switch {
	case name == "":
		return ""
	case link == "":
		return "**" + name + "**"
	default:
		return "[" + name + "](" + link + ")"
	}
}

func placeName(p meet.Place) string { return escape(oneLine(p.Name, placeLimit)) }

// urlLimit keeps a message with four links well within its length.
const urlLimit = 400

// safeURL is an http or https address in a form safe in a Markdown link; empty for anything else.
func safeURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Host == "" || u.User != nil {
		return ""
	}
	safe := u.String()
	if strings.ContainsFunc(safe, unsafeInLink) {
		safe = percentEncoded(safe)
	}
	if len(safe) > urlLimit {
		return ""
	}
	return safe
}

// unsafeInLink reports whether a character could end a Markdown link, or mean something within it.
func unsafeInLink(r rune) bool {
	switch r {
	case '(', ')', '<', '>', '[', ']', '\\', '`', '\'', '"', '*', ';', '{', '}', '|', '^':
		return true
	}
	return r <= ' ' || r > '~'
}

// percentEncoded encodes every byte that is unsafe in a link.
func percentEncoded(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if unsafeInLink(rune(c)) {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// PlaceHint describes candidate place i for lists: "highly rated, 0.6 km from the midpoint, outdoor seating". It is
// empty if nothing is known.
func (f *Facts) PlaceHint(i int) string {
	if label, ok := nth(f.labels.placeHint, i); ok {
		return label
	}
	return strings.Join(f.placeHints(i), ", ")
}

// placeHints are the parts of a place's hint; each is true by itself.
func (f *Facts) placeHints(i int) []string {
	if hints, ok := nth(f.labels.placeHints, i); ok {
		return hints
	}
	place, ok := f.place(i)
	if !ok {
		return nil
	}
	p := f.phrases()
	var hints []string
	switch {
	case place.Rating >= 4.5:
		hints = append(hints, p.HighlyRated)
	case place.Rating >= 4:
		hints = append(hints, p.WellRated)
	}
	hints = append(filled(append(hints, f.distanceHint(i, p))...), f.wishHints(place, p)...)
	if f.spoken() != english {
		return hints // catalogues name features in English
	}
	for _, feature := range place.Features {
		if len(hints) < 4 && !wished(place, feature) && !slices.Contains(hints, feature) && f.isFeature(feature) {
			hints = append(hints, feature)
		}
	}
	return hints
}

// kilometres formats a distance with one decimal, at least 0.1, in the language's notation.
func (p *wording) kilometres(n float64) string {
	text := strconv.FormatFloat(max(n, 0.1), 'f', 1, 64)
	if p.Decimal != "" {
		text = strings.Replace(text, ".", p.Decimal, 1)
	}
	return text
}

// closest reports whether place i is nearer to the midpoint than every other candidate.
func (f *Facts) closest(i int) bool {
	for j := range f.Places {
		if j != i && f.Places[j].DistanceFromMidpointKm <= f.Places[i].DistanceFromMidpointKm {
			return false
		}
	}
	return len(f.Places) > 1
}

// isFeature is isFeature, cached while labels are written.
func (f *Facts) isFeature(s string) bool {
	is, known := f.features[s]
	if !known {
		is = isFeature(s)
	}
	if f.features != nil {
		f.features[s] = is
	}
	return is
}

// isFeature reports whether a catalogue's feature is a few ordinary words that a message can repeat: no digits,
// addresses, times or claims.
func isFeature(s string) bool {
	if utf8.RuneCountInString(s) < 3 || utf8.RuneCountInString(s) > 30 {
		return false
	}
	for word := range strings.SplitSeq(s, " ") {
		if word == "" || meaningOf(word) != "" {
			return false
		}
		for _, r := range word {
			if !unicode.IsLetter(r) && r != '-' {
				return false
			}
		}
	}
	return !claims(s)
}
