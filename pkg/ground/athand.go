package ground

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// This file goes on with the event at hand: what is told of it without its name belongs to it, and to what waits of it.

// ofAtHand reads what is told of the event at hand after a call for the calendar.
func ofAtHand(m Message) Reading {
	if !strings.HasPrefix(m.Before.Tool, "calendar_") || m.AtHand == "" {
		return Reading{}
	}
	for _, goOn := range []func(*reading) (string, arguments){
		(*reading).placeThen, (*reading).noteThen, (*reading).notThem, (*reading).lengthThen,
		(*reading).newSeriesThen,
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
	at := itsPlace.FindStringSubmatch(r.Text)
	if at == nil {
		return "", nil
	}
	place := strings.Trim(at[1]+at[2]+at[3], around+`"`)
	said := (&reading{Message: r.Message}).setting().Read(place, r.Now)
	number := len(place) > 0 && strings.IndexFunc(place, func(c rune) bool { return c < '0' || c > '9' }) < 0
	const most = 8 // words of a place
	long := len(strings.Fields(place)) > most || strings.Contains(r.Text, "?")
	timely := len(said.Dates) > 0 || said.Exact != nil || said.Moment != nil || !said.Hours.Empty()
	if place == "" || number || long || timely || noPlace.MatchString(place) {
		return "", nil
	}
	return r.setAtHand(arguments{"location": place})
}

var (
	itsPlace = regexp.MustCompile(`(?i)^\s*(?:(?:and|also|oh|btw|fyi|y|ah|וגם)[, ]+)*(?:` +
		`(?:(?:put|add|write|note)(?: in| down)? that )?(?:it['’]?s|it is|it['’]?ll be|it will be|that['’]?s|` +
		`we['’]?re meeting|` +
		`we meet) (?:at|in) (.+?)(?:[,.] ?(?:and |please |so |can you |could you )*(?:put|add|write|note) (?:that|it)` +
		`(?: in| down| there| to it| please)*)?|` +
		`(?:pon(?:le)? |añade |apunta )?(?:que )?(?:es|está|será) en (.+?)(?:[,.] ?(?:ponlo|añádelo|apúntalo))?|` +
		`ו?(?:תכתבי?|תכתוב|תוסיפי?|תוסיף|תרשמי?|תרשום|תצייני?|תציין) (?:ש)?(?:זה|המקום|זה יהיה) ב-?(.+?))[\s.!]*$`)
	noPlace = regexp.MustCompile(`(?i)^(?:(?:(?:my|the|your|mi|el|la|tu) )?(?:calendar|inbox|mail|list|notes?|way|` +
		`pen|time|same|` +
		`conflict|addition|person|past|future|here|there|calendario|correo|lista|serio|conflicto|curso|mismo|misma|` +
		`least|most|first|last|all|risk|fact|order|about|between|around)(?:[\s,.]|$)|(?:ה?יומן|ה?רשימה|ה?מייל)(?:\s|$))`)
)

// noteThen adds a line to the notes of the event at hand: "and add a note: doors open at 7".
func (r *reading) noteThen() (string, arguments) {
	at := itsNote.FindStringSubmatch(r.Text)
	if at == nil {
		return "", nil
	}
	return r.setAtHand(arguments{"addNotes": strings.TrimSpace(at[1] + at[2])})
}

var itsNote = regexp.MustCompile(`(?i)^\s*(?:(?:and|also|then|please|y|también|וגם)[, ]+)+` +
	`(?:(?:add|put|write|leave) (?:a |this )?(?:note|comment)(?: (?:to it|in it|there))?|note|` +
	`(?:añade|pon|ponle|agrega)(?:le)? (?:una )?nota|תוסיפי? הערה)(?:: ?|,? (?:saying|that|que) )(.+)$|` +
	`^\s*ו(?:תוסיפי?|תוסיף) הערה: ?(.+)$`)

// notThem leaves people out whom the event at hand was to be told to invite, or takes them off it: "take Grace off
// again, she can't make it".
func (r *reading) notThem() (string, arguments) {
	var before struct {
		Set struct{ AddAttendees []string }
	}
	if len(r.people) == 0 || !takesThemOff.MatchString(r.Text) || r.Before.Tool != "calendar_updateEvents" ||
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

// takesThemOff is all of a wish to leave somebody out, with no more than why.
var takesThemOff = regexp.MustCompile(`(?i)^\s*(?:(?:no|wait|and|oh|actually|please|sorry|but|espera|perdón|` +
	`mejor|y|לא|רגע|` +
	`בעצם)[, ]+)*(?:take \S+(?: \S+)? off|leave \S+(?: \S+)? out|(?:drop|remove|scratch|not) \p{L}+(?: \p{Lu}\p{L}+)?|` +
	`(?:quita|saca|elimina) a \S+|deja fuera a \S+|ו?(?:תורידי?|תוציאי?|תסירי?) את \S+)` +
	`(?: (?:again|then|please|after all|por favor|בבקשה))*` +
	`(?:[,.;]? (?:(?:she|he|they)(?:['’]s| is| are| can['’]?t| cannot| won['’]?t)|no puede|está|הוא|היא|` +
	`לא)\b?[^,;.]*)?[\s.!]*$`)

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
	lead := movesIt.FindString(r.Text)
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

var movesIt = regexp.MustCompile(`(?i)^\s*(?:(?:no|actually|ok|okay|wait|sorry|and|please|can you|mejor|no|` +
	`perdón|y|בעצם|לא|רגע)[, ]+)*` +
	`(?:(?:move|make|change|push|put|set|shift|start) (?:it|that|this)(?: to| at| start at)?|` +
	`(?:muével[oa]|cámbial[oa]|pásal[oa]|ponl[oa]) a|(?:תעבירי?|תזיזי?|תשני|תשנה) (?:את זה|אותו|אותה))\s`)

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
