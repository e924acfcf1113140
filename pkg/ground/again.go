package ground

import (
	"encoding/json"
	"slices"
	"strings"
)

// Call is the call of the turn before.
type Call struct {
	Tool      string
	Arguments json.RawMessage
}

// repeated are the tools whose call can be made once more for something else, with what it is made for.
var repeated = map[string]Kind{
	"task_completeTask": Task, "task_deleteTask": Task, "task_updateTask": Task,
	"calendar_deleteEvents": Event, "calendar_respond": Event, "calendar_moveEvents": Event,
	"calendar_updateEvents": Event,
	"list_setItem":          Item, "list_remove": Item,
}

// again is the call of the turn before for something else, if the message names that and says no more: "and the visa
// too", "the second one as well".
func (r *reading) again() Reading {
	kind := repeated[r.Before.Tool]
	before := arguments{}
	goesOn := (r.says("again") || r.isNo(r.words[0])) && !r.says("next")
	if kind == Nothing || len(r.of(kind)) == 0 || len(r.of(kind)) != len(r.found) || !goesOn ||
		len(r.people)+len(r.quoted) > 0 || !r.placesTimes() || json.Unmarshal(r.Before.Arguments, &before) != nil {
		return Reading{}
	}
	other := func(w word) bool {
		bare := strings.TrimPrefix(w.lower, "ו") // "and I finished" is one word, and says more
		said := onlySays(bare, "again", "small", "it", "them", "other", "event", "list", "not", "with")
		return !w.taken && !w.timely && !said && !r.isNo(w)
	}
	if slices.ContainsFunc(r.words, other) || unrepeatable(before) || r.meansTheSame() {
		return Reading{}
	}
	if kind == Item {
		if before["items"] == nil || before["list"] != nil || before["which"] != nil {
			return Reading{}
		}
		before["items"] = r.ids(Item)
	} else {
		before["selection"] = r.withWaiting(kind, r.selecting(kind, nil)["selection"])
	}
	encoded, err := json.Marshal(before)
	if err != nil {
		return Reading{}
	}
	return Reading{
		Deed: "again", Probability: 1, Tool: r.Before.Tool, Arguments: encoded, Names: true, Plain: r.plain(),
	}
}

// withWaiting is a selection with the things whose deletion waits for the user's word, if the message adds to them:
// "and the osteopath too".
func (r *reading) withWaiting(kind Kind, selection any) any {
	ids, named := selection.(arguments)["ids"].([]string)
	if !named || !slices.Contains(gone, r.Before.Tool) || r.isNo(r.words[0]) {
		return selection
	}
	waiting := keep(r.Things, func(t Thing) bool {
		return t.Kind == kind && slices.Contains(r.Last, t.ID) && !slices.Contains(ids, t.ID)
	})
	all, _ := idsOf(waiting)["ids"].([]string)
	return arguments{"ids": append(all, ids...)}
}

// deleteThen deletes the event that was just called off at another time too, or instead, if the message says only that
// time: "and on friday", "the one after that too", "sorry, I meant wednesday, not friday". It moves nothing there.
func (r *reading) deleteThen() (string, arguments) {
	if day := dayOfOther(r.Message); day != "" { // "and cancel wednesday's"
		m := r.Message
		m.Text = map[string]string{"en": "and ", "es": "y ", "he": "וגם "}[strings.Split(r.Language, "-")[0]] + day
		*r = *newReading(m)
	}
	i := slices.IndexFunc(r.Things, func(t Thing) bool { return t.Kind == Event && slices.Contains(r.Last, t.ID) })
	lead := form("then too").FindString(r.Text)
	instead := form("not that").MatchString(r.Text)
	if r.Before.Tool != "calendar_deleteEvents" || i < 0 || strings.Contains(r.Text, "?") ||
		lead == "" && !instead && !form("more too").MatchString(r.Text) {
		return "", nil
	}
	event, m := r.Things[i], r.Message
	adds := !instead && (form("adds too").MatchString(lead) || form("more too").MatchString(m.Text))
	if said := form("more too").FindStringSubmatch(m.Text); said != nil {
		m.Text = said[1]
	}
	m.Text = form("not that").ReplaceAllString(m.Text, "")
	*r = *newReading(m)
	if adds && r.says("asks for after") {
		return r.deleteNext(event)
	}
	t := r.aloneTime(len(lead), "answering")
	if t == nil || t.open || len(r.Last) != 1 {
		return "", nil
	}
	s, ok := r.span(t)
	if !ok {
		return "", nil
	}
	there := keep(r.Things, func(t Thing) bool {
		return t.Kind == Event && t.Series == event.Series && t.ID != event.ID && s.days.Contains(r.dayOf(t))
	})
	if adds && event.Series != "" && len(there) > 0 {
		return "calendar_deleteEvents", arguments{"selection": idsOf(append([]Thing{event}, there...))}
	}
	selection := r.within(s)
	selection["titleHas"] = []string{event.Title}
	return "calendar_deleteEvents", arguments{"selection": selection}
}

// deleteNext deletes the next occurrence of a series as well, behind those that were called off.
func (r *reading) deleteNext(first Thing) (string, arguments) {
	off := keep(r.Things, func(t Thing) bool { return t.Kind == Event && slices.Contains(r.Last, t.ID) })
	last := slices.MaxFunc(off, func(a, b Thing) int { return a.Span.Start.Compare(b.Span.Start) })
	i := slices.IndexFunc(r.Things, func(t Thing) bool {
		return t.Series == first.Series && t.Span.Start.After(last.Span.Start)
	})
	another := slices.ContainsFunc(off, func(t Thing) bool { return t.Series != first.Series })
	if first.Series == "" || i < 0 || another {
		return "", nil
	}
	return "calendar_deleteEvents", arguments{"selection": idsOf(append(off, r.Things[i]))}
}

// placesTimes reports whether all times that are said tell which occurrences are to be deleted as well: "and also
// friday's review".
func (r *reading) placesTimes() bool {
	if len(r.times) > 0 && r.Before.Tool == "calendar_deleteEvents" {
		r.times = slices.Clone(r.times) // another way to read the message may use them for something else
		r.locateAll(0)
	}
	return !slices.ContainsFunc(r.times, func(t timed) bool { return !t.used })
}

// meansTheSame reports whether the message names nothing but what the user saw last, though it says that another thing
// is meant.
func (r *reading) meansTheSame() bool {
	return r.isNo(r.words[0]) && !slices.ContainsFunc(r.found, func(m mention) bool {
		return slices.ContainsFunc(m.meant, func(t Thing) bool { return !slices.Contains(r.Last, t.ID) })
	})
}

// isNo reports whether a word is the no with which a message begins, and a mark stands after it: "no, the couch".
func (r *reading) isNo(w word) bool {
	return form("no then").MatchString(r.Text[:min(len(r.Text), w.to+1)])
}

// unrepeatable reports whether a call sets what only one thing can have: its name, or words about it.
func unrepeatable(call arguments) bool {
	for _, of := range []string{"updates", "set"} {
		set, _ := call[of].(arguments)
		for _, field := range []string{"title", "description", "addNotes", "notes"} {
			if set[field] != nil {
				return true
			}
		}
	}
	return call["text"] != nil || call["quantity"] != nil
}
