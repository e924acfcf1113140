package ground

import (
	"encoding/json"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// This file goes on with the event at hand: what is told of it without its name belongs to it, and to what waits of it.

// ofAtHand reads what is told of the event at hand after a call for the calendar.
func ofAtHand(m Message) Reading {
	if !strings.HasPrefix(m.Before.Tool, "calendar_") || m.AtHand == "" {
		return Reading{}
	}
	for _, goOn := range []func(*reading) (string, arguments){
		(*reading).placeThen, (*reading).noteThen, (*reading).notThem, (*reading).lengthThen,
		(*reading).newSeriesThen, (*reading).startThen,
	} {
		r := newReading(m)
		if tool, call := goOn(r); tool != "" {
			return undoubted("calendar_follow", tool, call)
		}
	}
	return Reading{}
}

// placeThen writes where the event at hand is: "it's at Zeitgeist on Valencia, put that in".
func (r *reading) placeThen() (string, arguments) {
	at := form("its place").FindStringSubmatch(r.Text)
	if at == nil {
		return "", nil
	}
	place := strings.Trim(at[1]+at[2]+at[3], around+`"`)
	said := (&reading{Message: r.Message}).setting().Read(place, r.Now)
	number := len(place) > 0 && strings.IndexFunc(place, func(c rune) bool { return c < '0' || c > '9' }) < 0
	const most = 8 // words of a place
	long := len(strings.Fields(place)) > most || strings.Contains(r.Text, "?")
	timely := len(said.Dates) > 0 || said.Exact != nil || said.Moment != nil || !said.Hours.Empty()
	if place == "" || number || long || timely || form("no place").MatchString(place) {
		return "", nil
	}
	return r.setAtHand(arguments{"location": place})
}

// noteThen adds a line to the notes of the event at hand: "and add a note: doors open at 7".
func (r *reading) noteThen() (string, arguments) {
	at := form("its note").FindStringSubmatch(r.Text)
	if at == nil {
		return "", nil
	}
	return r.setAtHand(arguments{"addNotes": strings.TrimSpace(at[1] + at[2])})
}

// notThem leaves people out whom the event at hand was to be told to invite, or takes them off it: "take Grace off
// again, she can't make it".
func (r *reading) notThem() (string, arguments) {
	var before struct {
		Set struct{ AddAttendees []string }
	}
	if len(r.people) == 0 || !form("takes them off").MatchString(r.Text) || r.Before.Tool != "calendar_updateEvents" ||
		json.Unmarshal(r.Before.Arguments, &before) != nil {
		return "", nil
	}
	gone := func(name string) bool {
		return slices.ContainsFunc(r.people, func(p said) bool {
			return strings.EqualFold(p.text, name) || strings.EqualFold(firstWord(p.text), name)
		})
	}
	stay := slices.DeleteFunc(slices.Clone(before.Set.AddAttendees), gone)
	switch {
	case r.Done || len(before.Set.AddAttendees) == 0:
		return r.setAtHand(arguments{"removeAttendees": r.names()})
	case len(stay) == len(before.Set.AddAttendees) || len(stay) == 0:
		return "", nil
	}
	return r.setAtHand(arguments{"addAttendees": stay})
}

// lengthThen says how long the event is that waits to be moved to a time: "also make it an hour and a half".
func (r *reading) lengthThen() (string, arguments) {
	var call struct {
		Selection json.RawMessage `json:"selection"`
		To        arguments       `json:"to"`
		Scope     *string         `json:"scope,omitempty"`
	}
	if r.Before.Tool != "calendar_moveEvents" || r.Done || !r.Waits || json.Unmarshal(r.Before.Arguments, &call) != nil ||
		call.To["time"] == nil && call.To["start"] == nil {
		return "", nil
	}
	r.markTimes()
	r.readTimes()
	n := r.length()
	other := func(w word) bool {
		return !w.timely && !slices.Contains([]string{"also", "too", "también", "גם", "וגם"}, w.lower) &&
			!onlySays(w.lower, "small", "it", "answering", "idle", "retiming", "amending", "joins")
	}
	if n == 0 || len(r.times) != 1 || strings.Contains(r.Text, "?") || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	call.To["durationMinutes"] = n
	return r.Before.Tool, arguments{"selection": call.Selection, "to": call.To, "scope": call.Scope}
}

// newSeriesThen moves the series that was just made to another time of day: "move it to 8" means all of it.
func (r *reading) newSeriesThen() (string, arguments) {
	var made struct{ Events []struct{ Recurrence string } }
	lead := form("moves it").FindString(r.Text)
	if r.Before.Tool != "calendar_createEvents" || !r.Done || lead == "" ||
		json.Unmarshal(r.Before.Arguments, &made) != nil || len(made.Events) != 1 || made.Events[0].Recurrence == "" {
		return "", nil
	}
	r.hourly = true
	t := r.aloneTime(len(lead), "answering")
	if t == nil || t.Exact == nil || len(t.Dates) > 0 {
		return "", nil
	}
	at := t.Exact.String()
	if t.open {
		at += "?"
	}
	return "calendar_moveEvents", arguments{
		"selection": arguments{"ids": []string{r.AtHand}}, "to": arguments{"time": at}, "scope": "all",
	}
}

// startThen is another start of the event at hand, whose end stays as it is: "it starts at 6 and ends the same".
func (r *reading) startThen() (string, arguments) {
	at := form("starts then").FindStringSubmatch(r.Text)
	i := slices.IndexFunc(r.Things, func(t Thing) bool { return t.Kind == Event && t.ID == r.AtHand })
	if at == nil || i < 0 {
		return "", nil
	}
	said := strings.Join(at[1:], "")
	t := (&reading{Message: r.Message}).setting().Read(said, r.Now)
	if t.Exact == nil || len(t.Dates) > 0 {
		return "", nil
	}
	start, zone := r.Things[i].Span, r.Now.Location()
	clock := interval.ClockOf(start.Start.In(zone))
	from := nearest(t.Exact.String(), clock.String())
	begins, err := interval.ParseClock(from)
	lasts := int(start.Duration().Minutes()) - int(begins-clock)
	if err != nil || lasts <= 0 {
		return "", nil
	}
	return "calendar_moveEvents", arguments{
		"selection": arguments{"ids": []string{r.AtHand}}, "to": arguments{"time": from, "durationMinutes": lasts},
	}
}

// setAtHand sets something of the event at hand, together with what waits of it.
func (r *reading) setAtHand(set arguments) (string, arguments) {
	call := arguments{}
	if r.Before.Tool == "calendar_updateEvents" && r.Waits && !r.Done && json.Unmarshal(r.Before.Arguments, &call) == nil {
		if waiting, is := call["set"].(map[string]any); is {
			for name, value := range set {
				waiting[name] = value
			}
			return "calendar_updateEvents", call
		}
	}
	return "calendar_updateEvents", arguments{"selection": arguments{"ids": []string{r.AtHand}}, "set": set}
}
