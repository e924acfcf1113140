package stages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// thing is the id of what a change is of; a new thing goes by its title.
func thing(c meet.Change) string { return cmp.Or(c.Target.ID, newThing+c.Title) }

// newThing begins what stands for the id of a thing that is not there yet, or no longer.
const newThing = "new "

func isNew(id string) bool { return strings.HasPrefix(id, newThing) }

// typeOf is the type of what a set changes: tasks, or events and blocks.
func typeOf(set meet.ChangeSet) string {
	types := map[meet.ChangeWhat]world.Type{meet.TaskThing: world.Tasks, meet.EmailThing: world.Mails}
	if len(set.Changes) > 0 && types[set.Changes[0].What] != "" {
		return string(types[set.Changes[0].What])
	}
	return string(world.Events)
}

// shownIn are the ids of the things that a result lists, or of the mail that it shows.
func shownIn(data json.RawMessage) []string {
	var lists map[string]json.RawMessage
	if json.Unmarshal(data, &lists) != nil {
		return nil
	}
	for _, name := range []string{"events", "blocks", "tasks", "emails", "notes"} {
		var items []struct {
			ID string `json:"id"`
		}
		if json.Unmarshal(lists[name], &items) == nil && len(items) > 0 {
			return each(items, func(i struct {
				ID string `json:"id"`
			}) string {
				return i.ID
			})
		}
	}
	var items struct {
		Lists []struct{ Items []struct{ ID string } }
	}
	if json.Unmarshal(data, &items) == nil && len(items.Lists) == 1 {
		return each(items.Lists[0].Items, func(i struct{ ID string }) string { return i.ID })
	}
	var fit struct {
		Suggestions []struct{ Combination []struct{ ID string } }
	}
	if json.Unmarshal(data, &fit) == nil && len(fit.Suggestions) > 0 {
		return each(fit.Suggestions[0].Combination, func(i struct{ ID string }) string { return i.ID })
	}
	var one struct{ ID, Subject, EmailID string }
	if json.Unmarshal(data, &one) == nil && (one.ID != "" && one.Subject != "" || one.EmailID != "") {
		return []string{cmp.Or(one.EmailID, one.ID)}
	}
	return nil
}

// dayOf is the day on which all things of a result or a set begin; zero if there is none.
func dayOf(things []json.RawMessage) (day interval.Date) {
	for _, thing := range things {
		var at struct{ Start, StartTime string }
		if json.Unmarshal(thing, &at) != nil {
			return interval.Date{}
		}
		start := cmp.Or(at.Start, at.StartTime)
		on, err := interval.ParseDate(start[:min(len(start), len(time.DateOnly))])
		if err != nil || !day.IsZero() && on != day {
			return interval.Date{}
		}
		day = on
	}
	return day
}

// dayIn is the day that a result of a call is about, or else that of the events or times that it lists or, if it lists
// none, of the window in which these were looked for.
func dayIn(data, asked json.RawMessage, zone *time.Location) interval.Date {
	var about struct{ From, To, Date string }
	if json.Unmarshal(data, &about) == nil && about.From == about.To {
		if day, err := interval.ParseDate(cmp.Or(about.Date, about.From)); err == nil {
			return day
		}
	}
	var lists struct{ Events, Gaps, Times []json.RawMessage }
	if json.Unmarshal(data, &lists) != nil {
		return interval.Date{}
	}
	if things := slices.Concat(lists.Events, lists.Gaps, lists.Times); len(things) > 0 {
		return dayOf(things)
	}
	if at, ok := lookedAt(asked, zone); ok {
		return interval.DateOf(at.Start.In(zone))
	}
	return dayOf([]json.RawMessage{asked})
}

// lookedAt is the part of one day in which a call looks for events, whatever these are.
func lookedAt(asked json.RawMessage, zone *time.Location) (at interval.Span, ok bool) {
	var call struct{ Selection agenda.Selection }
	if json.Unmarshal(asked, &call) != nil || call.Selection.Window == nil {
		return at, false
	}
	at, err := call.Selection.Window.In(zone, "window")
	day := interval.DateOf(at.Start.In(zone))
	if err != nil || day.Span(zone).End.Before(at.End) {
		return at, false
	}
	if hours := call.Selection.TimeOfDay; hours != nil {
		from, errFrom := interval.ParseClock(hours.Start)
		to, errTo := interval.ParseClock(hours.End)
		start, isStart := day.At(from, zone)
		end, isEnd := day.At(to, zone)
		at = at.Intersect(interval.Span{Start: start, End: end})
		return at, errFrom == nil && errTo == nil && isStart && isEnd
	}
	return at, true
}

// dayOfSet is the day of what a set changes, as it will be.
func dayOfSet(set meet.ChangeSet) interval.Date {
	return dayOf(each(set.Changes, func(c meet.Change) json.RawMessage {
		if c.Kind == meet.DeleteThing {
			return c.Before
		}
		return c.After
	}))
}

// dayAtHand is the day that is being talked about: of the event that is arranged, if it is looked up already, or else
// of what was shown last.
func (in situation) dayAtHand() (day interval.Date) {
	day = in.day
	if open := in.conversation.Waiting; open != nil && !open.Day.IsZero() {
		day = open.Day
	}
	if s := in.conversation.Search; s != nil && s.Event != nil && !s.Event.Start.IsZero() && (s.Fresh || day.IsZero()) {
		day = interval.DateOf(s.Event.Start.In(in.now.Location()))
	}
	return day
}

// dateOf is a day as models are shown it; empty if there is none.
func dateOf(day interval.Date) string {
	if day.IsZero() {
		return ""
	}
	return day.String()
}

// showing is what waits with what a set changes as the things that the user sees.
func showing(open meet.Waiting, set meet.ChangeSet, applied *meet.Applied) meet.Waiting {
	open.Shown, open.ShownType, open.Day = targets(set, applied), typeOf(set), dayOfSet(set)
	return open
}

// targets are the ids of what a set changes; those of new things only once it is applied.
func targets(set meet.ChangeSet, applied *meet.Applied) []string {
	return each(set.Changes, func(c meet.Change) string {
		var after struct {
			ID string `json:"id"`
		}
		if applied == nil || c.Target.ID != "" || json.Unmarshal(c.After, &after) != nil || after.ID == "" {
			return thing(c)
		}
		return after.ID
	})
}

// timesIn are the gaps or the times that a result lists, or the one that it says is free, or the hours in which it says
// that nothing is planned.
func timesIn(data, asked json.RawMessage, zone *time.Location) []interval.Span {
	var lists struct {
		Times      []interval.Span
		Gaps       []struct{ StartTime, EndTime time.Time }
		Events     *[]json.RawMessage
		Unread     bool
		Free       bool
		Start, End time.Time
	}
	if json.Unmarshal(data, &lists) != nil {
		return nil
	}
	for _, gap := range lists.Gaps {
		lists.Times = append(lists.Times, interval.Span{Start: gap.StartTime, End: gap.EndTime})
	}
	if lists.Free && len(lists.Times) == 0 {
		return []interval.Span{{Start: lists.Start, End: lists.End}}
	}
	if at, ok := lookedAt(asked, zone); ok && lists.Events != nil && len(*lists.Events) == 0 && !lists.Unread &&
		selectsAll(asked) && at.Duration() < interval.DateOf(at.Start.In(zone)).Span(zone).Duration() {
		return []interval.Span{at}
	}
	return lists.Times
}

// selectsAll reports whether a call means all events of a window, and nothing tells some of them from others.
func selectsAll(asked json.RawMessage) bool {
	var call struct{ Selection map[string]any }
	if json.Unmarshal(asked, &call) != nil {
		return false
	}
	delete(call.Selection, "window")
	delete(call.Selection, "timeOfDay")
	return said(call.Selection) == 0
}

// meant are arguments in which "shown", "shown:2" and "event" are the ids of what the conversation means by them.
func meant(arguments json.RawMessage, talk meet.Conversation) json.RawMessage {
	if len(wordsFor(arguments)) == 0 {
		return arguments
	}
	return selecting(arguments, func(selection map[string]any) {
		for _, list := range []string{"from", "ids"} {
			words, _ := selection[list].([]any)
			if len(words) == 0 {
				continue
			}
			ids := []string{}
			for _, word := range words {
				text, _ := word.(string)
				ids = append(ids, meantBy(text, talk)...)
			}
			selection[list] = ids
		}
	})
}

// wordsFor are the words by which a call's selection means what was shown: its member "from" or, of mails, "ids".
func wordsFor(arguments json.RawMessage) []string {
	var call struct{ Selection struct{ From, IDs []string } }
	_ = json.Unmarshal(arguments, &call)
	return append(call.Selection.From, call.Selection.IDs...)
}

// meantBy are the ids that a word of "from" means; a word that is none of the conversation's is an id.
func meantBy(word string, talk meet.Conversation) []string {
	kind, number, numbered := strings.Cut(word, ":")
	switch {
	case kind == "event" && talk.Search != nil && talk.Search.Event != nil:
		return []string{talk.Search.Event.UID}
	case kind == "shown" && talk.Waiting != nil:
		n, err := strconv.Atoi(number)
		if !numbered {
			return talk.Waiting.Shown
		}
		if all := talk.Waiting.Numbered(); err == nil && n >= 1 && n <= len(all) {
			return all[n-1 : n]
		}
	}
	return []string{word}
}

// amongShown are arguments that mean one thing by its name, of any day, as one of those that were listed; nil for any
// other.
func amongShown(arguments json.RawMessage, open *meet.Waiting) json.RawMessage {
	var call struct{ Selection agenda.Selection }
	if open == nil || len(open.Numbered()) == 0 || json.Unmarshal(arguments, &call) != nil {
		return nil
	}
	s := call.Selection
	named := s.One != nil && *s.One && len(s.TitleHas) > 0
	if !named || s.Window != nil || s.Order != nil || s.From != nil || len(s.IDs) > 0 {
		return nil
	}
	return selecting(arguments, func(selection map[string]any) { selection["from"] = open.Numbered() })
}

// asShown are the arguments of a call without the ids of things, which others may have written: they go by their number
// in the list that the user saw last, as "shown:2". Ids that are not in it are left out. A selection of mails has these
// words among its ids, because its "from" are senders.
func asShown(call meet.PlannedCall, open meet.Waiting) json.RawMessage {
	lists, words := []string{"from", "ids"}, "from"
	if ofMail(call.Tool) {
		lists, words = []string{"ids", "emailIds", "emailId"}, "ids"
	}
	return edited(call.Arguments, func(arguments map[string]any) {
		selection, _ := arguments["selection"].(map[string]any)
		within := []map[string]any{selection}
		if ofMail(call.Tool) {
			within = append(within, arguments)
		}
		shown := []any{}
		for _, list := range lists {
			for _, in := range within {
				shown = append(shown, numbered(listed(in[list]), open)...)
				delete(in, list)
			}
		}
		if len(shown) > 0 && selection == nil {
			selection = map[string]any{}
			arguments["selection"] = selection
		}
		if len(shown) > 0 {
			selection[words] = shown
		}
	})
}

// numbered are ids by their numbers in the list that the user saw last; without those that are not in it.
func numbered(ids []string, open meet.Waiting) (words []any) {
	for _, id := range ids {
		if i := slices.Index(open.Numbered(), id); i >= 0 {
			words = append(words, "shown:"+strconv.Itoa(i+1))
		} else if len(open.Shown) == 1 && open.Shown[0] == id {
			words = append(words, "shown")
		}
	}
	return words
}

// listed are the texts of a list, or a single one.
func listed(value any) (texts []string) {
	all, ok := value.([]any)
	if !ok {
		all = []any{value}
	}
	for _, one := range all {
		if text, ok := one.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// ofMail reports whether a tool selects mails.
func ofMail(tool string) bool { return strings.HasPrefix(tool, "email_") }

// chosen are the arguments of a call whose selection is only the things that the user chose or, if an argument is
// named, which has the ids of what the user chose in its place.
func chosen(arguments json.RawMessage, argument string, ids []string) json.RawMessage {
	return edited(arguments, func(call map[string]any) {
		if argument == "" {
			call["selection"] = map[string]any{"ids": ids}
			return
		}
		path := strings.FieldsFunc(argument, func(r rune) bool { return strings.ContainsRune(".[]", r) })
		replace(call, path, each(ids, func(id string) any { return id }))
	})
}

// replace puts values in the place of an element of a list within a JSON value, or one value in that of a member.
func replace(within any, path []string, values []any) any {
	if len(path) == 0 {
		if len(values) == 1 {
			return values[0]
		}
		return within
	}
	switch in := within.(type) {
	case map[string]any:
		in[path[0]] = replace(in[path[0]], path[1:], values)
	case []any:
		i, err := strconv.Atoi(path[0])
		switch {
		case err != nil || i >= len(in):
		case len(path) == 1:
			return slices.Replace(in, i, i+1, values...)
		default:
			in[i] = replace(in[i], path[1:], values)
		}
	}
	return within
}

// selecting are the arguments with a change of their selection. Without a selection they stay as they are.
func selecting(arguments json.RawMessage, change func(selection map[string]any)) json.RawMessage {
	return edited(arguments, func(call map[string]any) {
		if selection, ok := call["selection"].(map[string]any); ok {
			change(selection)
		}
	})
}

// edited are the arguments with a change; as they are if they cannot be read.
func edited(arguments json.RawMessage, change func(call map[string]any)) json.RawMessage {
	var call map[string]any
	decoder := json.NewDecoder(bytes.NewReader(arguments))
	decoder.UseNumber()
	if decoder.Decode(&call) != nil {
		return arguments
	}
	change(call)
	changed, err := json.Marshal(call)
	if err != nil {
		return arguments
	}
	return changed
}
