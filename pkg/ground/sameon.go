package ground

import (
	"slices"
)

// ofThatName deletes an event on another day that has the name of the one at hand: "and cancel wednesday's" after the
// gym was moved. It is denied if no event is at hand.
func ofThatName(m Message) Reading {
	day := dayOfOther(m.Text)
	if day == "" {
		return Reading{}
	}
	title := titleAtHand(m)
	m.Text = day
	r := newReading(m)
	t := r.aloneTime(0)
	if t == nil || t.day() == nil || t.Exact != nil || !t.Hours.Empty() {
		return Reading{}
	}
	s, ok := r.span(t)
	if title == "" || !ok {
		return Reading{Denied: true}
	}
	selection := r.within(s)
	selection["titleHas"] = []string{title}
	return undoubted("event_cancel", "calendar_deleteEvents", arguments{"selection": selection})
}

// dayOfOther is the day whose event is to be deleted, if a message says nothing else of it; empty if it does.
func dayOfOther(text string) string {
	if at := openIn(form("day of other"), text); at != nil {
		return text[at[0]:at[1]]
	}
	return ""
}

// titleAtHand is how the event is called that is spoken of; empty if there is none, or there are several names.
func titleAtHand(m Message) (title string) {
	for _, t := range m.Things {
		of := t.ID == m.AtHand || m.AtHand == "" && slices.Contains(m.Last, t.ID)
		switch {
		case t.Kind != Event || !of:
		case title != "" && title != t.Title:
			return ""
		default:
			title = t.Title
		}
	}
	return title
}
