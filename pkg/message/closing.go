package message

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// closing says what happens to the calendars: nothing if the event is in one already and did not change.
func (f *Facts) closing(c Choice, p *wording) string {
	if f.moves() && !f.Booked && f.Unchanged(c) {
		return p.Ending
	}
	var invited []string
	for _, person := range f.People {
		failed := slices.Contains(f.Undelivered, person.Name) || slices.Contains(f.Copied, person.Name)
		if person.Email != "" && !failed {
			invited = append(invited, person.Name)
		}
	}
	nobody, one, many := f.closings(p)
	pattern := many
	switch len(invited) {
	case 0:
		pattern = nobody
	case 1:
		pattern = one
	}
	said := []string{fill(pattern, "names", f.list(invited, p), "kind", f.calendarKind(p))}
	if len(f.Undelivered) > 0 {
		said = append(said, fill(p.Undelivered, "names", f.list(f.Undelivered, p)))
	}
	if len(f.Copied) > 0 {
		said = append(said, fill(p.Copied, "names", f.list(f.Copied, p)))
	}
	return strings.Join(append(said, p.Ending), " ")
}

// closings are the patterns by the number of people invited.
func (f *Facts) closings(p *wording) (nobody, one, many string) {
	switch {
	case f.Booked && f.moves():
		return p.RebookedNobody, p.Rebooked, p.RebookedMany
	case f.Booked:
		return p.BookedNobody, p.Booked, p.BookedMany
	case f.moves():
		return p.ReinviteNobody, p.Reinvite, p.ReinviteMany
	default:
		return p.InviteNobody, p.Invite, p.InviteMany
	}
}

// moves reports whether calendars already hold the event as it was before the change.
func (f *Facts) moves() bool {
	return f.Moves || f.Previous != nil && f.Previous.Status == meet.Confirmed
}

func (f *Facts) calendarKind(p *wording) string {
	switch f.CalendarType {
	case meet.Personal:
		return p.Personal
	case meet.Work:
		return p.Work
	default:
		return p.AnyCalendar
	}
}

// Confirmed is the composed message about the choice once it is booked. A model's text is not used: it spoke of a
// suggestion.
func (f *Facts) Confirmed(c Choice) string {
	booked := *f.Prepared()
	booked.Booked = true
	return booked.Proposal(c)
}
