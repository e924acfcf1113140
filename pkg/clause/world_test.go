package clause_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"convene/functions"       //nolint:depguard // the rules read by the arguments of all tools
	"convene/functions/world" //nolint:depguard // likewise
	"convene/pkg/clause"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/llm/offline"
	"convene/pkg/plan"
	"convene/pkg/tool"
)

var now = time.Date(2026, time.November, 23, 8, 0, 0, 0, time.UTC) // a Monday

// home is a small world.
func home() []ground.Thing {
	at := func(day, hour int) interval.Span {
		return interval.From(time.Date(2026, time.November, day, hour, 0, 0, 0, time.UTC), time.Hour)
	}
	return []ground.Thing{
		{Kind: ground.Event, ID: "dentist", Title: "Dentist", Span: at(24, 10)},
		{Kind: ground.Event, ID: "standup", Title: "Standup", Span: at(24, 15), Guests: []string{"Yara Stone", "Al Reyes"}},
		{Kind: ground.Event, ID: "pilates-24", Series: "pilates", Title: "Pilates", Span: at(24, 18)},
		{Kind: ground.Event, ID: "pilates-1", Series: "pilates", Title: "Pilates", Span: at(31, 18)},
		{Kind: ground.Event, ID: "review", Title: "Budget review", Span: at(27, 10), Guests: []string{"Yara Stone"}},
		{Kind: ground.Event, ID: "gym", Title: "Gym", Span: at(25, 7)},
		{Kind: ground.Event, ID: "backend", Title: "Interview: backend", Span: at(24, 12)},
		{Kind: ground.Event, ID: "designer", Title: "Interview: designer", Span: at(27, 14)},
		{Kind: ground.Item, ID: "paprika", Title: "paprika", List: "shopping"},
		{Kind: ground.Task, ID: "report", Title: "Write the quarterly report"},
		{Kind: ground.Task, ID: "invoice", Title: "Send the invoice"},
	}
}

// known are the people, by the words that may mean them.
var known = map[string][]string{
	"Yara Stone": {"Yara", "יערה"}, "Al Reyes": {"Al"}, "Dana Katz": {"Dana", "דנה"}, "Carlos Ruiz": {"Carlos", "קרלוס"},
}

var rules = func() clause.Rules {
	var set tool.Set[struct{}, llm.Call]
	for _, t := range functions.Tools() {
		set = append(set, t.Recorded())
	}
	var offered []offline.Offered
	for _, d := range set.Tools() {
		raw, err := json.Marshal(d.Parameters)
		if err != nil {
			panic(err)
		}
		offered = append(offered, offline.Offered{Name: d.Name, Parameters: raw})
	}
	return func(m ground.Message, shown ground.Kind) (ground.Call, bool) {
		types := map[ground.Kind]string{ground.Event: "events", ground.Task: "tasks", ground.Mail: "mails"}
		name, raw, ok := offline.Single(offline.Clause{
			Text: m.Text, Language: m.Language, Now: m.Now, Said: known, Shown: types[shown],
		}, offered)
		return ground.Call{Tool: name, Arguments: raw}, ok
	}
}()

// mailbox has a few mails.
func mailbox() (mails []ground.Thing) {
	for id, m := range [][2]string{{"Carlos Ruiz", "The invoices"}, {"Carlos Ruiz", "Paint"}, {"Dana Katz", "Boat trip"}} {
		letter := &ground.Letter{
			Sender: m[0], Address: strings.ToLower(m[0][:4]) + "@example.com", At: now.Add(-time.Hour), Folder: "inbox",
			Unread: id < 2,
		}
		mails = append(mails, ground.Thing{Kind: ground.Mail, ID: fmt.Sprintf("m%d", id+1), Title: m[1], Letter: letter})
	}
	return mails
}

func message(language, text string) ground.Message {
	m := ground.Message{Text: text, Language: language, Now: now, Things: home(), Mails: mailbox}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for _, said := range known[name] {
			if strings.Contains(text, said) {
				first, _, _ := strings.Cut(strings.ToLower(name), " ")
				m.People = append(m.People, ground.Person{Name: name, Said: said, Address: first + "@example.com"})
			}
		}
	}
	return m
}

// compact is a plan on a line a step.
func compact(r clause.Reading) string {
	if !r.Several {
		if r.Lost {
			return "lost: " + r.Unread
		}
		return strings.TrimSpace("none: " + r.Unread)
	}
	var b strings.Builder
	condition := func(c *plan.Condition) string {
		if c == nil {
			return ""
		}
		if c.Is == plan.MoreThan {
			return fmt.Sprintf(" if %s is more than %d", c.From, c.N)
		}
		return fmt.Sprintf(" if %s is %s", c.From, c.Is)
	}
	for _, s := range r.Plan.Steps {
		fmt.Fprintf(&b, "%s = %s %s%s", s.ID, s.Tool, s.Arguments, condition(s.Condition))
		if s.ForEach != nil {
			b.WriteString(" for each " + s.ForEach.From)
		}
		if len(s.DependsOn) > 0 {
			b.WriteString(" after " + strings.Join(s.DependsOn, ", "))
		}
		b.WriteString("\n")
	}
	if r.Unread != "" {
		b.WriteString("aside: " + r.Unread)
	}
	return strings.TrimSpace(b.String())
}

// catalogue has all tools for plans.
var catalogue = func() plan.Catalogue {
	tools := map[string]plan.Tool{}
	for _, t := range functions.Tools() {
		raw, err := t.Arguments()
		if err != nil {
			panic(err)
		}
		schema, err := plan.ReadSchema(raw)
		if err != nil {
			panic(err)
		}
		tools[t.Name()] = plan.Tool{
			Family: t.Family, Gives: string(t.Gives), Changes: t.Effect == world.Changes, Arguments: schema, Fits: t.Fits,
			Offered: !t.Bare,
		}
	}
	return func(name string) (plan.Tool, bool) {
		t, ok := tools[name]
		return t, ok
	}
}()
