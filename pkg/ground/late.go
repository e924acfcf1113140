package ground

import (
	"encoding/json"
	"strings"
)

// late tells the guests of the event that is named, or at hand, what the user says of being late: "I'll be 10 minutes
// late for planning". If nobody else is invited, that is told; without an event, nothing is read.
func late(m Message) Reading {
	at := form("being late").FindStringSubmatch(m.Text)
	if at == nil {
		return Reading{}
	}
	text, of := at[1]+at[3], at[2]+at[4]
	read := Reading{Deed: "event_late", Probability: 1, Other: 1, Denied: true}
	m.Text = of
	r := newReading(m)
	named := keep(r.named(), func(n mention) bool { return n.kind == Event })
	if len(named) > 0 {
		r.take(named[0], named[:1])
		r.locateAll(0)
	}
	var events []Thing
	if len(r.found) == 1 {
		events = firstOfEach(r.found[0].meant)
	} else if of == "" {
		events = keep(m.Things, func(t Thing) bool { return t.Kind == Event && t.ID == m.AtHand })
	}
	if len(events) != 1 {
		return read
	}
	selection := arguments{"ids": []string{events[0].ID}}
	call := arguments{
		"selection": selection, "people": []string{}, "subject": nil, "text": strings.TrimSpace(text),
	}
	read.Tool = "calendar_notifyAttendees"
	if len(events[0].Guests) == 0 {
		read.Tool, read.Reads = "calendar_findEvents", true
		call = arguments{"aspect": "who", "selection": selection}
	}
	encoded, err := json.Marshal(call)
	if err != nil {
		return Reading{}
	}
	read.Arguments, read.Denied, read.Names, read.Plain, read.Clear = encoded, false, true, true, true
	return read
}
