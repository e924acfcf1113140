package agenda

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// matcher is the members of a selection but for titles: an event fits if all rules hold.
type matcher struct {
	scene Scene
	// goesOn says that an event which has begun earlier is in a part of the day too, if it goes on into it.
	goesOn bool
	rules  []func(meet.Occurrence) bool
}

// all are the events that fit.
func (m *matcher) all(events []meet.Occurrence) []meet.Occurrence {
	var fit []meet.Occurrence
	for _, o := range events {
		if !slices.ContainsFunc(m.rules, func(holds func(meet.Occurrence) bool) bool { return !holds(o) }) {
			fit = append(fit, o)
		}
	}
	return fit
}

// must adds a rule if it is asked for.
func (m *matcher) must(asked bool, rule func(meet.Occurrence) bool) {
	if asked {
		m.rules = append(m.rules, rule)
	}
}

func (s Selection) matcher(scene Scene) (*matcher, error) {
	m := &matcher{scene: scene, goesOn: scene.Today && s.First == nil && !s.meansOne()}
	if err := m.times(s.Window, s.TimeOfDay, s.Weekdays, ""); err != nil {
		return nil, err
	}
	m.must(s.unstarted(scene), func(o meet.Occurrence) bool { return !o.Span.Start.Before(scene.Now) })
	begun := func(o meet.Occurrence) bool { return o.Span.Start.Before(scene.Now) }
	m.must(s.Window == nil && s.Backwards() && !scene.Listed, begun)
	m.with(s.With)
	for _, name := range s.Without {
		takesPart := m.person(name)
		m.must(true, func(o meet.Occurrence) bool { return !takesPart(o) })
	}
	if s.Organizer != nil {
		m.must(true, m.organizer(*s.Organizer))
	}
	m.must(len(s.Calendars) > 0, func(o meet.Occurrence) bool {
		return named(s.Calendars, o.Calendar) || named(s.Calendars, o.CalendarName)
	})
	if s.Status != nil {
		m.must(true, statuses[*s.Status])
	}
	if s.Visibility != nil {
		m.must(true, func(o meet.Occurrence) bool { return visible(o) == *s.Visibility })
	}
	m.must(len(s.Categories) > 0, func(o meet.Occurrence) bool {
		return slices.ContainsFunc(append([]string{visible(o)}, o.Categories...), func(c string) bool {
			return named(s.Categories, c)
		})
	})
	m.must(len(s.Kinds) > 0, func(o meet.Occurrence) bool { return ofKind(s.Kinds, o.Kind) })
	m.must(s.Recurring != nil, func(o meet.Occurrence) bool { return *s.Recurring == (o.Repeats() || o.Recurrence != "") })
	m.must(s.LongerThan != nil, func(o meet.Occurrence) bool { return o.Span.Duration() > minutes(*s.LongerThan) })
	m.must(s.ShorterThan != nil, func(o meet.Occurrence) bool { return o.Span.Duration() < minutes(*s.ShorterThan) })
	m.must(len(s.IDs) > 0, func(o meet.Occurrence) bool { return among(s.IDs, o) })
	m.must(s.From != nil, func(o meet.Occurrence) bool { return among(*s.From, o) })
	return m, nil
}

// unstarted reports whether only events that have not begun are meant: without a window, unless it is a single one,
// which may be going on, or days are shown.
func (s Selection) unstarted(scene Scene) bool {
	going := s.One != nil && *s.One && s.First == nil
	return s.Window == nil && !scene.Listed && !s.Backwards() && len(s.IDs) == 0 && s.From == nil && !going &&
		(!scene.Today || s.First != nil)
}

// times are the rules about when an event is. Path is that of the members, for errors.
func (m *matcher) times(w *Window, at *TimeOfDay, weekdays []string, path string) error {
	zone := m.scene.Now.Location()
	part := func(event interval.Span) interval.Span { return event }
	if w != nil {
		span, err := w.span(zone, path+"window")
		if err != nil {
			return err
		}
		part = span.Intersect
		m.must(true, func(o meet.Occurrence) bool { return o.Span.Overlaps(span) || span.Contains(o.Span.Start) })
	}
	if at != nil {
		window, err := at.Window(path + "timeOfDay")
		if err != nil {
			return err
		}
		m.must(true, func(o meet.Occurrence) bool {
			begins := within(interval.ClockOf(o.Span.Start.In(zone)), window)
			return !o.AllDay && (begins || m.goesOn && reaches(part(o.Span), window, zone))
		})
	}
	days := map[time.Weekday]bool{}
	for _, name := range weekdays {
		day := slices.Index(dayNames[:], strings.ToLower(strings.TrimSpace(name)))
		if day < 0 {
			return fault.Invalid(path+"weekdays", "%q is no weekday; use monday to sunday", name)
		}
		days[time.Weekday(day)] = true
	}
	m.must(len(days) > 0, func(o meet.Occurrence) bool { return days[o.Span.Start.In(zone).Weekday()] })
	return nil
}

var dayNames = [...]string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// within reports whether a start lies in a part of the day, which may run past midnight.
func within(c interval.Clock, w interval.Window) bool {
	switch {
	case w.Exact():
		return c == w.Start
	case w.End < w.Start:
		return c >= w.Start || c < w.End
	}
	return w.Start <= c && c < w.End
}

// reaches reports whether a span overlaps a part of a day.
func reaches(span interval.Span, w interval.Window, zone *time.Location) bool {
	first, last := interval.DateOf(span.Start.In(zone)), interval.DateOf(span.End.In(zone))
	for day := first.AddDays(-1); !last.Before(day); day = day.AddDays(1) {
		if w.On(day, zone).Overlaps(span) {
			return true
		}
	}
	return false
}

// with are the rules that each of the people takes part.
func (m *matcher) with(names []string) {
	for _, name := range names {
		m.must(true, m.person(name))
	}
}

// person returns whether a person takes part in an event: by the address of those whom the name means, or by the name
// as the event has it. Of an event without guests the title tells.
func (m *matcher) person(name string) func(meet.Occurrence) bool {
	if isMe(name) {
		return func(meet.Occurrence) bool { return true }
	}
	is := m.scene.Called(name)
	said := wordsOf(name)
	return func(o meet.Occurrence) bool {
		guests := o.Guests()
		if o.Organizer != nil && !o.Organizer.Self {
			guests = append(guests, *o.Organizer)
		}
		if len(guests) == 0 {
			return len(said) > 0 && subset(said, wordsOf(o.Title))
		}
		return slices.ContainsFunc(guests, is)
	}
}

// Called returns whether an attendee is one of those whom a name, an id or an address means: by address, or by the name
// as the event has it.
func (scene Scene) Called(name string) func(meet.Attendee) bool {
	name = strings.TrimSpace(name)
	addresses := []string{strings.ToLower(name)}
	if scene.People != nil {
		for _, p := range scene.People(name) {
			if p.Email != "" {
				addresses = append(addresses, strings.ToLower(p.Email))
			}
		}
	}
	said := wordsOf(name)
	return func(a meet.Attendee) bool {
		if a.Email != "" && slices.Contains(addresses, strings.ToLower(a.Email)) {
			return true
		}
		written := a.Name
		if written == "" || strings.EqualFold(written, a.Email) {
			written, _, _ = strings.Cut(a.Email, "@")
		}
		return len(said) > 0 && subset(said, wordsOf(written))
	}
}

func (m *matcher) organizer(name string) func(meet.Occurrence) bool {
	if isMe(name) {
		return func(o meet.Occurrence) bool { return o.Organizer == nil || o.Organizer.Self }
	}
	is := m.scene.Called(name)
	return func(o meet.Occurrence) bool { return o.Organizer != nil && is(*o.Organizer) }
}

// isMe reports whether a name means the owner.
func isMe(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "me") }

// statuses are the rules for Selection.Status: the event's own, and the owner's answer.
var statuses = map[string]func(meet.Occurrence) bool{
	"confirmed": func(o meet.Occurrence) bool { return !o.Tentative },
	"tentative": func(o meet.Occurrence) bool { return o.Tentative || answered(o, meet.Undecided) },
	"accepted":  func(o meet.Occurrence) bool { return answered(o, meet.Accepted) },
	"declined":  meet.Occurrence.Declined,
	"unanswered": func(o meet.Occurrence) bool {
		return o.Organizer != nil && !o.Organizer.Self && answered(o, meet.NoAnswer)
	},
}

// answered reports whether the owner is invited, and has given that answer.
func answered(o meet.Occurrence, answer meet.Answer) bool {
	return slices.ContainsFunc(o.Attendees, func(a meet.Attendee) bool { return a.Self && a.Answer == answer })
}

// visible is the event's visibility. Public is the default (RFC 5545, CLASS).
func visible(o meet.Occurrence) string {
	if o.Visibility == meet.VisibleAsUsual {
		return string(meet.Public)
	}
	return string(o.Visibility)
}

func ofKind(kinds []string, kind meet.BlockKind) bool {
	return slices.ContainsFunc(kinds, func(k string) bool {
		return k == string(kind) && kind != "" || k == "block" && kind != "" || k == "event" && kind == ""
	})
}

// among reports whether the event or its series is one of the ids.
func among(ids []string, o meet.Occurrence) bool {
	return slices.Contains(ids, o.Key()) || slices.Contains(ids, o.UID)
}

// named reports whether a name is one of those said, in any case and with any accents.
func named(said []string, name string) bool {
	is := strings.Join(stems(name), " ")
	return is != "" && slices.ContainsFunc(said, func(s string) bool { return strings.Join(stems(s), " ") == is })
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// wordsOf are the words of a text in lower case and without accents.
func wordsOf(text string) []string {
	return strings.FieldsFunc(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// subset reports whether all words are among the others.
func subset(words, of []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(of, w) })
}

// span is the window on the clocks of a zone. A day as both ends is that day. Path is its member, for errors.
func (w Window) span(zone *time.Location, path string) (s interval.Span, err error) {
	if s.Start, err = Moment(w.Start, zone, path+".start"); err != nil {
		return s, err
	}
	if s.End, err = Moment(w.End, zone, path+".end"); err != nil {
		return s, err
	}
	if day, dateErr := interval.ParseDate(w.End); dateErr == nil && s.End.Equal(s.Start) {
		s.End = day.AddDays(1).Start(zone)
	}
	if s.Empty() {
		return s, fault.Invalid(path+".end", "the window ends at %s, before it begins", w.End)
	}
	return s, nil
}

// Moment is a time in RFC 3339, or local to the zone without an offset, or the start of a date. An error is a fault
// that names the field.
func Moment(text string, zone *time.Location, field string) (time.Time, error) {
	if day, err := interval.ParseDate(text); err == nil {
		return day.Start(zone), nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t.In(zone), nil
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if t, err := time.ParseInLocation(layout, text, zone); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fault.Invalid(field, "%q is no time; use 2026-11-27, 2026-11-27T09:00 or RFC 3339", text)
}

// Window is the part of the day. Path is its member, for errors: faults that name it.
func (t TimeOfDay) Window(path string) (w interval.Window, err error) {
	if w.Start, err = interval.ParseClock(t.Start); err != nil {
		return w, fault.Invalid(path+".start", "%q is no time of day; use HH:MM", t.Start)
	}
	if w.End, err = interval.ParseClock(t.End); err != nil {
		return w, fault.Invalid(path+".end", "%q is no time of day; use HH:MM", t.End)
	}
	return w, nil
}
