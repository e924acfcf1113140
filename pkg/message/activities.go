package message

import (
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Activities lists suggestions by number, so that "the second one" means something; now decides how dates are written.
func Activities(language string, list []meet.Suggestion, now time.Time) string {
	if len(list) == 0 {
		return "I found nothing on for that time. Would another day do?"
	}
	f := Facts{Language: language, Now: now, Zone: now.Location()}
	lines := make([]string, len(list))
	for i, s := range list {
		f.Slots = append(f.Slots, meet.Slot{Start: s.Start, End: s.End})
		lines[i] = "**" + escape(oneLine(s.Title, titleLimit)) + "**"
	}
	for i, s := range list {
		where := ""
		if s.Venue != "" {
			where = " at " + escape(oneLine(s.Venue, placeLimit))
		}
		lines[i] = strconv.Itoa(i+1) + ". " + lines[i] + where + ", " + f.composedWhen(i) + f.until(s.End, i)
	}
	return "Here is what I found:\n\n" + strings.Join(lines, "\n") + "\n\nTell me which one you like, and I'll set it up."
}

// lengthy is how long something has to go on for its end to matter.
const lengthy = 2 * time.Hour

// until is when slot i ends, where it takes hours: " until 4:00 PM", with the day where that is another.
func (f Facts) until(end time.Time, i int) string {
	start, end := f.at(f.Slots[i].Start), f.at(end)
	switch {
	case end.Sub(start) < lengthy:
		return ""
	case interval.DateOf(start) == interval.DateOf(end):
		return " until " + tongueOf(english).clock(end)
	default:
		return " until " + tongueOf(english).moment(end, f.form(end), "")
	}
}

// Nothing says that there is no time at all, and what would help.
func (f Facts) Nothing(reasons []meet.Reason) string {
	text := "I could not find any time for " + orEvent(f.Title()) + "."
	for _, r := range reasons {
		text += "\n- " + escape(oneLine(r.Text, titleLimit))
	}
	return text + "\n\nTell me what you would like to change, and I'll look again."
}
