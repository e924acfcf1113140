package ground

import (
	"encoding/json"
	"regexp"
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
		said := onlySays(w.lower, "again", "small", "it", "them", "other", "event", "list", "not", "with")
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
		before["selection"] = r.selecting(kind, nil)["selection"]
	}
	encoded, err := json.Marshal(before)
	if err != nil {
		return Reading{}
	}
	return Reading{
		Deed: "again", Probability: 1, Tool: r.Before.Tool, Arguments: encoded, Names: true, Plain: r.plain(),
	}
}

// deleteThen deletes the event that was just called off at another time too, if the message says only that time: "and
// on friday", "friday too". It moves nothing there.
func (r *reading) deleteThen() (string, arguments) {
	i := slices.IndexFunc(r.Things, func(t Thing) bool { return t.Kind == Event && slices.Contains(r.Last, t.ID) })
	lead := len(thenToo.FindString(r.Text))
	if r.Before.Tool != "calendar_deleteEvents" || len(r.Last) != 1 || i < 0 || strings.Contains(r.Text, "?") ||
		lead == 0 && !moreToo.MatchString(r.Text) {
		return "", nil
	}
	r.markTimes()
	r.readTimes()
	points := r.points()
	other := func(w word) bool {
		return w.from >= lead && !w.timely && !onlySays(w.lower, "again", "small", "determiner", "joins", "idle", "answering")
	}
	if len(r.times) != 1 || len(points) != 1 || points[0].open || slices.ContainsFunc(r.words, other) {
		return "", nil
	}
	s, ok := r.span(points[0])
	if !ok {
		return "", nil
	}
	selection := r.within(s)
	selection["titleHas"] = []string{r.Things[i].Title}
	return "calendar_deleteEvents", arguments{"selection": selection}
}

// thenToo begins what is called off in the same way, or in place of what was.
var thenToo = regexp.MustCompile(`(?i)^\s*(?:(?:oh|and|also|plus|no|wait|sorry|actually|rather|i meant?|ok|` +
	`y|e|también|mejor|perdón|quise decir|גם|וגם|לא|רגע|בעצם|סליחה|התכוונתי ל)[, ]+)+(?:the one )?`)

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
func (r *reading) isNo(w word) bool { return noThen.MatchString(r.Text[:min(len(r.Text), w.to+1)]) }

var noThen = regexp.MustCompile(`(?i)^\s*(?:no|nope|nah|לא)[,.:;]$`)

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
