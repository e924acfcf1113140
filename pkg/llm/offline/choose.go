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
	anchor, message := anchored(d.Message, languageIn(readable(d.Message), d.RecentTurns), now)
	d.Message = message
	s, own := d.wish(now, when.Setting{})
	if slices.Contains(offered, navigateToBookingLink) {
		if page := s.bookingPage(d); page != "" || len(offered) == 1 {
			return navigateToBookingLink, navigateArguments{page}
		}
	}
	if slices.Contains(offered, editEventTemplate) && (len(offered) == 1 || !s.isNew(d) && !d.isAnother(now)) {
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

// bookingWords ask to book by a page.
var bookingWords = []string{"booking page", "booking link", "scheduling link", "calendly", "calendar link",
	"profile link", "book via", "book through",
	"book using", "her link", "his link", "their link", "the link", "this link", "my link", "link", "grab a slot",
	"pick a slot", "booking site"}

// bookingPage is the page that the message asks to open; empty where it asks for none. Only pages that were shown
// count.
func (s *sentence) bookingPage(d templateData) string {
	for _, l := range d.BookingLinks {
		if l.Person == "" && strings.Contains(d.Message, l.URL) && s.wantsPage() {
			return l.URL
		}
	}
	if !s.says(bookingWords...) && !strings.Contains(s.plain, "'s link ") && !strings.Contains(s.plain, "'s booking ") {
		return ""
	}
	var owned []bookingLink
	for _, l := range d.BookingLinks {
		if l.Person == "" {
			continue
		}
		owned = append(owned, l)
		first, _, _ := strings.Cut(strings.ToLower(l.Person), " ")
		if s.says(first, first+"'s", strings.ToLower(l.Person)) {
			return l.URL
		}
	}
	if len(owned) == 1 && len(s.peopleOf(&venue{})) == 0 {
		return owned[0].URL
	}
	return ""
}

// wantsPage reports whether a message with an address in it is about booking there rather than mentioning it.
func (s *sentence) wantsPage() bool {
	if s.says(bookingWords...) || s.begins("book", "use", "open", "reserve", "please book", "go to") {
		return true
	}
	_, named := s.activityOf()
	if len(s.peopleOf(&venue{})) > 0 {
		return false
	}
	return s.size <= 4 && !named ||
		s.says("book", "booking", "schedule", "reserve", "use", "open", "slot", "appointment", "sign up", "go to", "via",
			"through", "time")
}

// changing are words of a change of what is there.
var changing = []string{"instead", "change", "move", "moved", "make it", "make that", "push", "reschedule", "earlier",
	"later", "same place",
	"same time", "same day", "switch", "swap", "rename", "call it", "shorter", "longer", "extend", "shift", "bump",
	"actually", "update", "add",
	"remove", "drop", "without", "also invite", "it", "that", "other", "different", "another", "keep", "delay", "postpone"}

// isNew reports whether the message asks for another event than the one at hand: something to do with somebody who does
// not take part, or plainly a new request.
func (s *sentence) isNew(d templateData) bool {
	if d.Template == nil {
		return true
	}
	unoffered := len(d.OfferedSlots) == 0 && len(d.OfferedPlaces) == 0 || suggested(d.RecentTurns) > 0
	if len(d.Activities) > 0 && unoffered && s.suggestionMeant(d.Activities) >= 0 {
		return true
	}
	a, named := s.activityOf()
	people := s.peopleOf(&s.venue)
	if s.begins("new", "another", "also schedule", "also book", "also plan") && (named || len(people) > 0) ||
		s.says("new meeting", "new event", "another meeting", "another event", "separate event", "separate meeting",
			"a second event") {
		return true
	}
	if s.says("instead", "add", "invite", "include", "without", "too", "as well", "remove", "bring", "along", "replace",
		"swap", "switch", "rather than", "in place of") {
		return false
	}
	strangers := slices.DeleteFunc(namesOf(people), func(name string) bool { return knows(d, name) })
	switch {
	case len(strangers) > 0:
		return named || s.begins(asking...)
	case named && len(people) > 0 && a.kind != d.Template.Activity && s.begins(asking...):
		return true
	case named && len(people) > 0 && d.Event != nil && d.Event.Booked:
		return !s.saysAside(changing...) && !s.begins("what about", "how about") // what is in calendars moves at a word only
	case named && a.kind != d.Template.Activity && s.says("schedule", "book", "set up", "plan", "arrange") &&
		!s.saysAside(changing...):
		return true
	}
	return false
}

// asking begin a request for an event.
var asking = []string{"schedule", "book", "set up", "plan", "arrange", "let's grab", "let's have", "let's get",
	"let's do", "find a time", "find time",
	"grab", "i want to", "i'd like to", "i need", "can we", "can you", "could you", "please schedule", "please book",
	"meet", "set"}

// knows reports whether somebody of that name takes part already.
func knows(d templateData, name string) bool {
	among := slices.Concat(d.Participants, d.Template.Participants, []string{d.Template.Title})
	for _, known := range among {
		if strings.Contains(" "+strings.ToLower(known)+" ", " "+strings.ToLower(name)+" ") {
			return true
		}
	}
	return false
}
