package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"convene/pkg/meet"
)

// marks stand before the steps of a plan that have ended or wait.
var marks = map[string]string{
	"completed": "✓", "failed": "✗", "blocked": "✗", "skipped": "–", "waiting_for_user": "?",
}

// plan shows the steps that have ended or begun to wait since the last update of the plan, and the one that runs.
func (d *display) plan(steps []meet.PlanStep) {
	for _, s := range steps {
		text := oneLine(s.HumanSummary)
		switch mark := marks[s.Status]; {
		case s.Status == "running":
			defer d.progress("… " + text)
		case mark == "" || d.steps[s.ID] == s.Status:
		default:
			if s.Count != nil {
				text += fmt.Sprintf(" (%d)", *s.Count)
			}
			d.line(mark + " " + text)
		}
		d.steps[s.ID] = s.Status
	}
}

// result shows what a tool was asked for. What it found, or why it could not, is in the message.
func (d *display) result(r meet.Response) {
	if r.Error == nil && r.Display.Title != "" {
		d.line(d.dim("• " + oneLine(d.render(r.Display.Title))))
	}
}

// choices shows a question; a number answers it.
func (d *display) choices(question string, options []meet.Option) {
	d.line("? " + oneLine(question))
	for i, o := range options {
		line := fmt.Sprintf("  %2d  %s", i+1, apart(oneLine(o.Label)))
		if o.Detail != "" {
			line += d.dim(" · " + apart(oneLine(o.Detail)))
		}
		d.line(line)
	}
}

// changes shows a set as a card: each change with its number, and each field as it is and as it will be.
func (d *display) changes(set meet.ChangeSet) {
	if d.json {
		return
	}
	card := []string{d.bold("Changes") + " · " + string(set.Status)}
	for _, c := range set.Changes {
		head := fmt.Sprintf("%2s  %s %s", c.ID, c.Kind, d.bold(apart(oneLine(c.Title))))
		if c.Scope != "" {
			head += " · " + scopes[c.Scope]
		}
		card = append(card, head)
		for _, line := range differences(c) {
			card = append(card, "      "+line)
		}
		if len(c.Affects) > 0 && c.Kind != meet.SendThing {
			heard := make([]string, len(c.Affects))
			for i, a := range c.Affects {
				heard[i] = apart(oneLine(cmp.Or(a.Name, a.Email)))
			}
			card = append(card, "      will be told: "+strings.Join(heard, ", "))
		}
		if !c.Undoable && set.Status == meet.ChangesPending {
			card = append(card, "      cannot be undone")
		}
	}
	d.card(append(card, d.dim(string(set.ID))))
}

var scopes = map[meet.Scope]string{
	meet.ThisOne: "only this one of the series", meet.Following: "this one and all later ones",
	meet.AllOfThem: "the whole series",
}

// differences are the fields of a change that differ, each as it is and as it will be.
func differences(c meet.Change) (lines []string) {
	if lines := letterLines(c); lines != nil {
		return lines
	}
	before, after := membersOf(c.Before), membersOf(c.After)
	names := slices.Sorted(maps.Keys(before))
	for name := range after {
		if _, known := before[name]; !known {
			names = append(names, name)
		}
	}
	slices.Sort(names[len(before):])
	for _, name := range names {
		from, to := before[name], after[name]
		switch {
		case from == to, c.Kind == meet.DeleteThing && name != whenMember, c.Kind == meet.CreateThing && to == "":
		case len(after) == 0:
			lines = append(lines, name+": "+from)
		case len(before) == 0:
			lines = append(lines, name+": "+to)
		default:
			lines = append(lines, name+": "+cmp.Or(from, "none")+" → "+cmp.Or(to, "none"))
		}
	}
	return lines
}

// whenMember is the time of an event, made of its start and its end.
const whenMember = "time"

// membersOf are the members of a thing as text. Those that only name it are left out.
func membersOf(thing json.RawMessage) map[string]string {
	var members map[string]any
	if json.Unmarshal(thing, &members) != nil {
		var value any
		if len(thing) == 0 || json.Unmarshal(thing, &value) != nil || value == nil {
			return nil
		}
		return map[string]string{"value": written(value)}
	}
	texts := map[string]string{}
	start, isEvent := members["start"].(string)
	end, _ := members["end"].(string)
	if _, dated := members["allDay"].(bool); isEvent && dated {
		texts[whenMember] = during(start, end)
		for _, name := range []string{"start", "end", "allDay"} {
			delete(members, name)
		}
	}
	for name, value := range members {
		switch items := itemsOf(value); {
		case slices.Contains([]string{"id", "series", "pending"}, name):
		case items != nil:
			maps.Copy(texts, items)
		default:
			texts[name] = written(value)
		}
	}
	return texts
}

// itemsOf are the items of a list by their texts, each with how much of it is wanted; nil for any other value.
func itemsOf(value any) map[string]string {
	list, _ := value.([]any)
	items := map[string]string{}
	for _, one := range list {
		item, _ := one.(map[string]any)
		text, named := item["text"].(string)
		if !named {
			return nil
		}
		amount := cmp.Or(strings.TrimSuffix(written(item["quantity"])+" "+written(item["unit"]), " "), "1")
		if item["done"] == true {
			amount += ", done"
		}
		items[apart(oneLine(text))] = amount
	}
	if len(items) == 0 {
		return nil
	}
	return items
}

// written is a value of a thing as a line of text.
func written(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return apart(oneLine(v))
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = written(item)
		}
		return strings.Join(items, ", ")
	default:
		raw, _ := json.Marshal(v) // it was JSON before
		return apart(oneLine(string(raw)))
	}
}

// during is an event's time; that of whole days has an exclusive end.
func during(start, end string) string {
	const day = "Mon 2 Jan 2006"
	if from, err := time.Parse(time.DateOnly, start); err == nil {
		to, err := time.Parse(time.DateOnly, end)
		if err != nil || !to.AddDate(0, 0, -1).After(from) {
			return from.Format(day) + ", all day"
		}
		return from.Format(day) + " – " + to.AddDate(0, 0, -1).Format(day)
	}
	from, err := time.Parse(time.RFC3339, start)
	to, wrong := time.Parse(time.RFC3339, end)
	if err != nil || wrong != nil {
		return oneLine(start + " – " + end)
	}
	if from.Format(day) == to.Format(day) {
		return from.Format(day+", 15:04") + "–" + to.Format("15:04")
	}
	return from.Format(day+", 15:04") + " – " + to.Format(day+", 15:04")
}

// applied shows how many changes came to what, why those failed that did, and how long the set can be undone.
func (d *display) applied(a meet.Applied) {
	if d.json {
		return
	}
	counts := map[meet.ChangeOutcome]int{}
	for _, c := range a.Changes {
		counts[c.Outcome]++
		switch c.Outcome {
		case meet.ChangeDone:
		case meet.ChangeHeld:
			d.line(fmt.Sprintf("… %s %s: %s", c.ID, c.Outcome, oneLine(c.Reason)))
		case meet.ChangeFailed, meet.ChangeSkipped, meet.ChangeUnknown:
			d.line(strings.TrimSuffix(fmt.Sprintf("✗ %s %s: %s", c.ID, c.Outcome, oneLine(c.Reason)), ": "))
		}
	}
	note := string(a.Outcome)
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		note += fmt.Sprintf(" · %d %s", counts[outcome], outcome)
	}
	if a.UndoUntil != nil {
		note += " · undo until " + a.UndoUntil.Local().Format("Mon 15:04")
	}
	d.line(d.dim(note))
}

// oneLine is a text of others without signs that move the cursor or cannot be seen.
func oneLine(s string) string {
	visible := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.IsControl(r):
			return ' '
		case !unicode.IsGraphic(r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(visible), " ")
}
