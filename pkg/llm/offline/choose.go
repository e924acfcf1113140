package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// readTemplate answers stage 3: a new template, a change of the cached one, or a booking page.
func (m *Model) readTemplate(offered []string, d templateData) (name string, arguments any) {
	now := m.nowOf(d)
	anchor, message := anchored(d.Message, Language(readable(d.Message), d.RecentTurns), now)
	if anchor != nil && d.isSaid(anchor.Event) && d.isSaid(anchor.SecondEvent) {
		anchor, message = nil, d.Message // "a call between Marcus and Lena" is between people
	}
	d.Message = message
	s, own := d.wish(now, when.Setting{Day: d.DayAtHand})
	if slices.Contains(offered, navigateToBookingLink) {
		if page := s.bookingPage(d); page != "" || len(offered) == 1 {
			return navigateToBookingLink, navigateArguments{page}
		}
	}
	another := func() bool {
		return s.isNew(d) || s.isErrand(d, own) || d.isAnother(now) && !s.changes("video link") || d.takesFreeTime(&s)
	}
	if slices.Contains(offered, editEventTemplate) && (len(offered) == 1 || !another()) {
		edit := newEdit(d, now)
		edit.NewCalendarAnchor = anchor
		return editEventTemplate, edit
	}
	template := newTemplate(d, &s, own)
	template.CalendarAnchor = anchor
	return generateEventTemplate, template
}

// isAnother reports whether the wording asks for a further event beside the one at hand: "now add lunch with Kim on
// Friday".
func (d templateData) isAnother(now time.Time) bool {
	talk := classifyData{
		Message: d.Message, RecentTurns: d.RecentTurns, HasEvent: d.Template != nil, HasActivities: len(d.Activities) > 0,
	}
	for _, p := range d.People {
		talk.Names = append(talk.Names, p.Said...)
	}
	r := understand(talk, now)
	return r.Intent == Create && r.Weights[Create] > r.Weights[Edit]+clearly
}

// clearly is by how much more must speak for a further event than for a change, because a change is what people mostly
// want of an event at hand.
const clearly = 2

// nowOf is the moment of the turn in its zone; the model's own clock where the document names none.
func (m *Model) nowOf(d templateData) time.Time {
	now, err := parseTime(d.Now)
	if err != nil {
		now = m.options.Now()
	}
	if zone, err := interval.Zone(d.Timezone); err == nil && d.Timezone != "" {
		return now.In(zone)
	}
	return now
}

// bookingPage is the page that the message asks to open; empty where it asks for none. Only pages that were shown
// count.
func (s *sentence) bookingPage(d templateData) string {
	for _, l := range d.BookingLinks {
		if l.Person == "" && strings.Contains(d.Message, l.URL) && s.wantsPage() {
			return l.URL
		}
	}
	if !s.changes("page") && !strings.Contains(s.plain, "'s link ") && !strings.Contains(s.plain, "'s booking ") {
		return ""
	}
	for _, l := range d.BookingLinks {
		if l.Person == "" {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(l.Person), " ")
		if s.says(first, first+"'s", strings.ToLower(l.Person)) {
			return l.URL
		}
	}
	return ""
}

// wantsPage reports whether a message with an address in it is about booking there rather than mentioning it.
func (s *sentence) wantsPage() bool {
	if s.changes("page") || s.changesFirst("page first") {
		return true
	}
	_, named := s.activityOf()
	if len(s.peopleOf(&venue{})) > 0 {
		return false
	}
	return s.size <= 4 && !named || s.changes("page verb")
}

// isNew reports whether the message asks for another event than the one at hand: something to do with someone who does
// not take part, or plainly a new request.
func (s *sentence) isNew(d templateData) bool {
	if d.Template == nil {
		return true
	}
	a, named := s.activityOf()
	people := s.peopleOf(&s.venue)
	switch {
	case len(d.OfferedSlots)+len(d.OfferedPlaces) == 0 && (s.choice(len(d.Activities)) > 0 || s.pointsAtOne()) &&
		s.suggestionMeant(d.Activities) >= 0:
		return true // another one of the suggestions
	case s.changes("video link") && len(people) == 0:
		return false
	case s.changesFirst("another first") && (named || len(people) > 0), s.changes("another event"):
		return true
	case s.changes("company"), s.callsIt():
		return false
	}
	strangers := slices.DeleteFunc(namesOf(people), func(name string) bool { return knows(d, name) })
	switch {
	case len(strangers) > 0:
		return named || s.changesFirst("request")
	case named && len(people) > 0 && d.Event != nil && d.Event.Booked:
		return !s.changes("at hand") && !s.changesFirst("proposing") // what is in calendars moves at a word only
	case named && a.kind != d.Template.Activity && s.changes("arranging") &&
		!s.changes("at hand"):
		return true
	}
	return false
}

// isErrand reports whether the message says what to do at a day and an hour of its own, and nothing of the event at
// hand: "need to pick up a cake at 3 on Friday".
func (s *sentence) isErrand(d templateData, own ownWords) bool {
	if s.time.Exact == nil || len(s.time.Dates) == 0 || s.asks() || s.changes("at hand") || s.speaksOfChange() {
		return false
	}
	t := s.titler(activity{index: -1}, s.peopleOf(&s.venue), &s.venue, own)
	span := t.find()
	if span.to-span.from < 3 || !t.wished && span.from > t.opening(0) {
		return false // "the early slot on Friday at 3" is of this one
	}
	title := strings.ToLower(d.Template.Title)
	for i := span.from; i < span.to; i++ {
		w := t.at(i)
		named := !stopWords[w.lower] && strings.Contains(title, w.lower)
		if w.mark || named || t.any(i, "empty", "plain") || t.venue.covers(i) {
			return false
		}
	}
	return true
}

// knows reports whether someone of that name takes part already.
func knows(d templateData, name string) bool {
	among := slices.Concat(d.Participants, d.Template.Participants, []string{d.Template.Title})
	for _, known := range among {
		if strings.Contains(" "+strings.ToLower(known)+" ", " "+strings.ToLower(name)+" ") {
			return true
		}
	}
	return false
}
