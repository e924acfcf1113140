package ground

import (
	"slices"
	"strings"
)

// ofThatName deletes an event on another day that has the name of the one at hand: "and cancel wednesday's" after the
// gym was moved. It is denied if no event is at hand.
func ofThatName(m Message) Reading {
	day := dayOfOther(m)
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
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	if kept := !slices.Contains([]string{"", "calendar", "schedule"}, family); !ok || title == "" && kept {
		return Reading{Denied: true}
	}
	selection := r.within(s)
	if selection["titleHas"] = []string{title}; title == "" {
		delete(selection, "titleHas")
		selection["one"] = true // which of the day's is asked
	}
	return undoubted("event_cancel", "calendar_deleteEvents", arguments{"selection": selection})
}

// dayOfOther is the day whose event is to be deleted, if a message says nothing else of it; empty if it does.
func dayOfOther(m Message) (day string) {
	at := openIn(form("day of other"), m.Text)
	if at == nil {
		return ""
	}
	switch day = m.Text[at[0]:at[1]]; {
	case day[0] > '9':
	case m.Language == "he" && day[len(day)-1] <= '9':
		day = onDate[m.Language] + day + " לחודש"
	default: // "21" alone is no day
		day = onDate[m.Language] + day
	}
	return day
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
