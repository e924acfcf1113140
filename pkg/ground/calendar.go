package ground

import (
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/calendarname"
)

// Read is the call that a message asks for. Which of several calendars it names is part of the call.
func Read(m Message) Reading {
	if CallsIt(m.Text) { // what the new name names is not meant
		m.Things = keep(m.Things, func(t Thing) bool { return t.ID == m.AtHand || slices.Contains(m.Last, t.ID) })
	}
	if read, ok := amend(m); ok {
		return read
	}
	if what, language := Refuses(m.Text); what != "" {
		return Reading{Probability: 1, Other: 1, Denied: true, Refuses: what, Language: language}
	}
	named := calendarname.In(m.Text)
	if named.Name == "" {
		return readAll(m)
	}
	rest := m
	rest.Text = named.Rest
	read := readAll(rest)
	if read.Tool == createBlock {
		rest.Text = named.Without // no words of it are the block's name
		if own := readAll(rest); own.Tool == createBlock {
			read = own
		}
	}
	switch family, _, _ := strings.Cut(read.Tool, "_"); family {
	case "calendar", "schedule":
		return read.within(named.Name)
	case "":
		return read
	}
	return readAll(m) // the words are those of something else
}

const createBlock = "schedule_createTimeBlock"

// within is the reading with the calendar of its events, or for the new one. There is none if its tool can't say it.
func (r Reading) within(calendar string) Reading {
	var call arguments
	if json.Unmarshal(r.Arguments, &call) != nil {
		return Reading{}
	}
	selection, selects := call["selection"].(map[string]any)
	switch {
	case selects:
		selection["calendars"] = []string{calendar}
	case r.Tool == createBlock:
		call["calendar"] = calendar
	default:
		return Reading{}
	}
	encoded, err := json.Marshal(call)
	if err != nil {
		return Reading{}
	}
	r.Arguments = encoded
	return r
}
