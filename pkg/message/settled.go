package message

import (
	"time"

	"convene/pkg/meet"
)

// Settled is the message about an event that is confirmed, cancelled or replaced, with its confirmed time and place. It
// is empty while the event is only proposed, because the original message still holds.
func Settled(e meet.Event, now time.Time) string {
	f, c := factsOf(e, now)
	p := f.phrases()
	pattern := p.Cancelled
	switch {
	case e.Status == meet.Proposed:
		return ""
	case e.Status == meet.Confirmed:
		return f.Confirmed(c)
	case e.ReplacedBy != "":
		pattern = p.Replaced
	}
	return f.announced(c, pattern)
}

// factsOf are the facts of one event, with its time and place as the choice. Confirmation accepted the conflicts of
// that time.
func factsOf(e meet.Event, now time.Time) (*Facts, Choice) {
	f := &Facts{
		Language: e.Language, Zone: location(e.Timezone), Now: now, CalendarType: e.CalendarType, ExplicitTime: true,
		Template: meet.Template{Title: e.Title, EventType: e.EventType, TravelBuffer: e.TravelBuffer},
		Slots:    []meet.Slot{{Start: e.Start, End: e.End, State: meet.SlotFree, Conflicts: e.Conflicts, Unknown: e.Unknown}},
	}
	switch {
	case len(e.Conflicts) > 0:
		f.Slots[0].State = meet.SlotConflict
	case len(e.Unknown) > 0:
		f.Slots[0].State = meet.SlotUnknown
	}
	for i, p := range e.Participants {
		person := meet.Person{ID: p.ID, Name: p.Name, Email: p.Email, Timezone: p.Timezone}
		if i == 0 {
			f.Organizer = person
			continue
		}
		f.People = append(f.People, person)
	}
	f.Undelivered, f.Copied = e.Undelivered()
	if e.Place == nil {
		return f.Prepared(), Choice{Slots: []int{0}}
	}
	f.Places, f.WantsPlace = []meet.Place{*e.Place}, true
	return f.Prepared(), Choice{Slots: []int{0}, Places: []int{0}}
}
