package message

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// closing says what happens to the calendars. Where nothing changed there is nothing to happen to one that has the
// event already.
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

// closings are the patterns by how many people get an invite.
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

// moves reports whether calendars hold the event already, as it was before the change.
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

// Confirmed is a message about the choice, written before the event was booked, as it has to be once it is: its closing
// says that the event is in the calendar. One that says in other words what will happen when the user creates or
// confirms the event gives way to the composed message, because nothing is left for the user to do.
func (f *Facts) Confirmed(c Choice, text string) string {
	awaiting, booked := *f.Prepared(), *f.Prepared()
	awaiting.Booked, booked.Booked = false, true
	was, is, ending := awaiting.Sentences(c).Closing, booked.Sentences(c).Closing, " "+f.phrases().Ending
	if !strings.Contains(text, was) {
		was, is = strings.TrimSuffix(was, ending), strings.TrimSuffix(is, ending)
	}
	before, behind, found := strings.Cut(text, was)
	switch {
	case awaitsUser(before) || awaitsUser(behind):
		return booked.Proposal(c)
	case found:
		return before + is + behind
	case strings.Contains(text, strings.TrimSuffix(is, ending)):
		return text
	case f.spoken() != f.says().base:
		return text // nothing can be added in its language
	default:
		return strings.TrimSpace(text) + "\n\n" + is
	}
}

// awaitsUser reports whether a text has a word for what the user has yet to do.
func awaitsUser(text string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(text, notWord), func(word string) bool { return meanings().pending[fold(word)] })
}
