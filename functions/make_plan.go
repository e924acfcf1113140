package functions

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/tool"
)

//go:embed make_plan.md
var makePlanWords string

// MakePlanName is the name of the function that makes a plan.
const MakePlanName = "makePlan"

// plans are the bundles for messages that take several steps: the first is offered whose families include one that the
// message concerns. The last is for all.
var plans = []Bundle{
	{
		Name: "plan-email", Families: []string{"email"}, Tools: []string{
			"email_search", "email_compose", "email_archiveBatch", "email_deleteBatch", "email_flag",
			"email_createTaskFromEmail", "task_createTask", "contact_find", "calendar_findEvents", "calendar_deleteEvents",
			"calendar_moveEvents", "calendar_createEvents", "calendar_respond", "calendar_notifyAttendees",
			"schedule_createTimeBlock", "items_attendees", "items_filter", "items_count",
		},
	},
	{
		Name: "plan-things", Families: []string{"task", "list", "note"}, Tools: []string{
			"task_viewTasks", "task_createTask", "task_updateTask", "task_completeTask", "task_deleteTask",
			"task_assignToTimeBlock", "list_view", "list_add", "list_setItem", "list_remove", "note_save", "note_search",
			"calendar_findEvents", "calendar_moveEvents", "calendar_deleteEvents", "calendar_createEvents",
			"schedule_createTimeBlock", "schedule_findGaps", "items_count",
		},
	},
	{
		Name: "plan-people", Families: []string{"contact"}, Tools: []string{
			"contact_find", "contact_save", "contact_delete", "email_compose", "task_createTask", "note_save",
			"calendar_findEvents", "calendar_createEvents", "calendar_updateEvents", "calendar_deleteEvents",
			"calendar_findTimes", "calendar_scheduleMeeting", "calendar_notifyAttendees", "items_attendees",
			"items_filter", "items_count",
		},
	},
	{
		Name: "plan", Tools: []string{
			"calendar_findEvents", "calendar_createEvents", "calendar_updateEvents", "calendar_deleteEvents",
			"calendar_moveEvents", "calendar_rescheduleMeeting", "calendar_respond", "calendar_notifyAttendees",
			"calendar_scheduleMeeting", "calendar_findTimes", "calendar_copyMissing", "calendar_suggestLighter",
			"schedule_createTimeBlock", "schedule_findGaps", "items_attendees", "items_filter", "items_count",
			"preference_updatePreferences", "task_createTask", "list_add",
		},
	},
}

// Drafted is what a model made of a message that takes several steps: a plan, or a question if it is nil.
type Drafted struct {
	Plan     *plan.Plan
	Question string
}

// planOffer is a bundle as functions: makePlan with all of its tools, and clarify.
func (b *Toolbox) planOffer(of Bundle) (tool.Set[plan.Catalogue, Drafted], error) {
	schema, words := planSchema{definitions: map[string]any{}}, []string{strings.TrimSpace(makePlanWords), ""}
	for name, raw := range plan.Definitions() {
		schema.definitions[name] = raw
	}
	for _, name := range of.Tools {
		t := b.tools[name]
		if err := schema.add(t); err != nil {
			return nil, fmt.Errorf("bundle %s: %s: %w", of.Name, name, err)
		}
		words = append(words, "## "+name, t.Offer().Description, "It gives "+string(t.Gives)+".", "")
	}
	raw, err := schema.whole()
	if err != nil {
		return nil, err
	}
	record := func(_ context.Context, tools plan.Catalogue, arguments []byte) (Drafted, error) {
		return planned(tools, arguments, of.Tools)
	}
	clarify := Clarify()
	ask := func(ctx context.Context, _ plan.Catalogue, arguments []byte) (Drafted, error) {
		question, err := clarify.Call(ctx, struct{}{}, arguments)
		return Drafted{Question: question}, err
	}
	offer := clarify.Offer()
	return tool.Set[plan.Catalogue, Drafted]{
		tool.WithSchema(MakePlanName, strings.Join(words, "\n"), raw, record),
		tool.WithSchema(offer.Name, offer.Description, offer.Parameters, ask),
	}, nil
}

// planned is a plan that can run with the tools that were offered. Otherwise the error has all that is wrong with it.
func planned(tools plan.Catalogue, arguments []byte, offered []string) (d Drafted, err error) {
	var p plan.Plan
	if err := json.Unmarshal(arguments, &p); err != nil {
		return d, tool.BadArgument("", "the plan is no valid JSON")
	}
	err = plan.Check(p, func(name string) (plan.Tool, bool) {
		t, ok := tools(name)
		t.Offered = t.Offered && slices.Contains(offered, name)
		return t, ok
	})
	if err != nil {
		return d, tool.BadArgument("", "%s", err.Error())
	}
	return Drafted{Plan: &p}, nil
}

// PlanOffer is the bundle of tools for a message that takes several steps, by its name.
func (b *Toolbox) PlanOffer(
	understood meet.Understanding,
) (name string, set tool.Set[plan.Catalogue, Drafted], err error) {
	for _, of := range plans {
		if len(of.Families) == 0 || slices.ContainsFunc(of.Families, func(family string) bool {
			return slices.Contains(understood.Families, family)
		}) {
			set, err = b.plans[of.Name]()
			return of.Name, set, err
		}
	}
	return "", nil, nil
}

// planSchema is the strict schema of makePlan while it is made: the steps of each tool, and what several of them share.
type planSchema struct {
	steps       []any
	definitions map[string]any
}

// object is the strict schema of an object with these properties, in this order: a model writes them so.
func object(properties ...any) (json.RawMessage, error) {
	var names []any
	var members []string
	for i := 0; i < len(properties); i += 2 {
		raw, err := json.Marshal(properties[i+1])
		if err != nil {
			return nil, err
		}
		names, members = append(names, properties[i]), append(members, fmt.Sprintf("%q:%s", properties[i], raw))
	}
	required, err := json.Marshal(names)
	return fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":%s,"additionalProperties":false}`,
		strings.Join(members, ","), required), err
}

func ofType(name string) map[string]any { return map[string]any{"type": name} }

func orNull(schema any) map[string]any { return map[string]any{"anyOf": []any{schema, ofType("null")}} }

// add adds the steps that call a tool. A selection that tools share is defined once.
func (s *planSchema) add(t world.Tool) error {
	raw, err := plan.Referring(t.Family, t.Offer().Parameters)
	if err != nil {
		return err
	}
	var arguments map[string]any
	if err := json.Unmarshal(raw, &arguments); err != nil {
		return err
	}
	properties, _ := arguments["properties"].(map[string]any)
	for name, property := range properties {
		if properties[name], err = s.shared(name, property); err != nil {
			return err
		}
	}
	step, err := object(
		"id", ofType("string"), "tool", map[string]any{"type": "string", "enum": []string{t.Name()}},
		"humanSummary", ofType("string"), "arguments", arguments,
		"dependsOn", map[string]any{"type": "array", "items": ofType("string")},
		"condition", orNull(map[string]any{"$ref": "#/$defs/condition"}),
		"forEach", orNull(map[string]any{"$ref": "#/$defs/each"}),
	)
	s.steps = append(s.steps, step)
	return err
}

// shared is a reference to a large part of a schema, which is defined once.
func (s *planSchema) shared(name string, property any) (any, error) {
	const large = 600
	raw, err := json.Marshal(property)
	if err != nil || len(raw) < large {
		return property, err
	}
	for n := 1; ; n++ {
		as := fmt.Sprintf("%s%d", name, n)
		known, there := s.definitions[as].(json.RawMessage)
		if !there {
			s.definitions[as] = json.RawMessage(raw)
		}
		if !there || string(known) == string(raw) {
			return map[string]any{"$ref": "#/$defs/" + as}, nil
		}
	}
}

// whole is the schema of makePlan.
func (s *planSchema) whole() (raw json.RawMessage, err error) {
	s.definitions["condition"], err = object(
		"$from", ofType("string"),
		"is", map[string]any{"type": "string", "enum": []plan.Is{plan.Empty, plan.NotEmpty, plan.MoreThan}},
		"n", ofType("integer"))
	if err != nil {
		return nil, err
	}
	if s.definitions["each"], err = object("$from", ofType("string")); err != nil {
		return nil, err
	}
	steps := map[string]any{"type": "array", "items": map[string]any{"anyOf": s.steps}}
	if raw, err = object("name", ofType("string"), "steps", steps); err != nil {
		return nil, err
	}
	definitions, err := json.Marshal(s.definitions)
	return slices.Concat(raw[:len(raw)-1], []byte(`,"$defs":`), definitions, []byte("}")), err
}

// Asking are the tools that only ask the user, for plans.
func Asking() []string { return []string{"system_askFor", "system_presentChoices"} }
