package functions

import (
	"fmt"
	"slices"
	"sync"

	"convene/functions/world"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/plan"
	"convene/pkg/tool"
)

// Bundle is a fixed list of tools that a model is offered together: few enough to choose among, and the same every
// time, so that a provider caches its prompt.
type Bundle struct {
	Name string
	// Intent is the intent that the bundle is for; Families are those that it is for, and empty for all.
	Intent   meet.Intent
	Families []string
	Tools    []string
}

// bundles are in order of preference: the first that fits is offered. A test holds that each tool is in one, unless no
// model may call it.
var bundles = []Bundle{
	{
		Name: "preferences", Intent: meet.Act, Families: []string{"preference"},
		Tools: []string{"preference_updatePreferences", "preference_forget", "preference_view"},
	},
	{
		Name: "preference", Intent: meet.Look, Families: []string{"preference"},
		Tools: []string{"preference_view"},
	},
	{
		Name: "tasks", Intent: meet.Act, Families: []string{"task"}, Tools: []string{
			"task_createTask", "task_updateTask", "task_completeTask", "task_deleteTask", "task_assignToTimeBlock",
			"task_viewTasks", "schedule_createTimeBlock", "schedule_fillWorkBlock",
		},
	},
	{
		Name: "task", Intent: meet.Look, Families: []string{"task"}, Tools: []string{
			"task_viewTasks", "task_getBacklogWithScores", "task_suggestForDuration",
		},
	},
	{
		Name: "emails", Intent: meet.Act, Families: []string{"email"}, Tools: []string{
			"email_compose", "email_processEmail", "email_archiveBatch", "email_deleteBatch", "email_flag",
			"email_createTaskFromEmail", "email_search", "email_viewEmails", "email_readEmail",
		},
	},
	{
		Name: "email", Intent: meet.Look, Families: []string{"email"}, Tools: []string{
			"email_viewEmails", "email_search", "email_readEmail", "email_getBacklog", "email_categorizeEmail",
			"email_batchCategorize", "email_groupBySender",
		},
	},
	{
		Name: "lists", Intent: meet.Act, Families: []string{"list"},
		Tools: []string{"list_add", "list_setItem", "list_rename", "list_remove", "list_delete", "list_view"},
	},
	{
		Name: "list", Intent: meet.Look, Families: []string{"list"},
		Tools: []string{"list_view"},
	},
	{
		Name: "notes", Intent: meet.Act, Families: []string{"note"},
		Tools: []string{"note_save", "note_delete", "note_search"},
	},
	{
		Name: "note", Intent: meet.Look, Families: []string{"note"},
		Tools: []string{"note_search"},
	},
	{
		Name: "contacts", Intent: meet.Act, Families: []string{"contact"},
		Tools: []string{"contact_save", "contact_delete", "contact_find"},
	},
	{
		Name: "contact", Intent: meet.Look, Families: []string{"contact"},
		Tools: []string{"contact_find"},
	},
	{
		Name: "workflows", Intent: meet.Act, Families: []string{"workflow"}, Tools: []string{
			"workflow_save", "workflow_run", "workflow_rename", "workflow_delete", "workflow_view",
		},
	},
	{
		Name: "workflow", Intent: meet.Look, Families: []string{"workflow"},
		Tools: []string{"workflow_view"},
	},
	{
		Name: "look", Intent: meet.Look, Tools: []string{
			"calendar_findEvents", "schedule_viewSchedule", "schedule_findGaps", "schedule_analyzeUtilization",
			"calendar_checkAvailability", "calendar_findTimes", "calendar_suggestLighter", "preference_view",
		},
	},
	{
		Name: "act", Intent: meet.Act, Tools: []string{
			"calendar_moveEvents", "calendar_updateEvents", "calendar_deleteEvents", "calendar_createEvents",
			"calendar_respond", "calendar_rescheduleMeeting", "calendar_scheduleMeeting", "calendar_copyEvents",
			"calendar_copyMissing", "calendar_suggestLighter", "schedule_createTimeBlock", "schedule_moveTimeBlock",
			"schedule_deleteTimeBlock",
			"schedule_batchCreateBlocks", "schedule_fillWorkBlock", "calendar_notifyAttendees",
			"preference_updatePreferences", "preference_forget", "calendar_findEvents",
		},
	},
}

// Toolbox is the registry of all tools of the assistant.
type Toolbox struct {
	tools  map[string]world.Tool
	offers map[string]tool.Set[struct{}, llm.Call]
	// plans are made when they are first offered: their schemas are large.
	plans map[string]func() (tool.Set[plan.Catalogue, Drafted], error)
}

// NewToolbox registers the tools. It fails if two have one name, or a bundle names one that does not exist.
func NewToolbox(tools []world.Tool) (*Toolbox, error) {
	box := &Toolbox{tools: map[string]world.Tool{}, offers: map[string]tool.Set[struct{}, llm.Call]{}}
	box.plans = map[string]func() (tool.Set[plan.Catalogue, Drafted], error){}
	for _, t := range tools {
		if _, twice := box.tools[t.Name()]; twice {
			return nil, fmt.Errorf("two tools are called %s", t.Name())
		}
		box.tools[t.Name()] = t
	}
	for _, b := range bundles {
		var set tool.Set[struct{}, llm.Call]
		for _, name := range b.Tools {
			t, ok := box.tools[name]
			if !ok {
				return nil, fmt.Errorf("bundle %s: there is no tool %s", b.Name, name)
			}
			set = append(set, t.Recorded())
		}
		box.offers[b.Name] = append(set, Clarify().Recorded())
	}
	for _, b := range plans {
		for _, name := range b.Tools {
			if t, ok := box.tools[name]; !ok || t.Bare {
				return nil, fmt.Errorf("bundle %s: there is no tool %s for plans", b.Name, name)
			}
		}
		box.plans[b.Name] = sync.OnceValues(func() (tool.Set[plan.Catalogue, Drafted], error) { return box.planOffer(b) })
	}
	return box, nil
}

// Tool is the tool of that name; ok is false if there is none.
func (b *Toolbox) Tool(name string) (t world.Tool, ok bool) {
	t, ok = b.tools[name]
	return t, ok
}

// Offer is the bundle for a message, by its name, as functions that record their call.
func (b *Toolbox) Offer(understood meet.Understanding) (name string, set tool.Set[struct{}, llm.Call]) {
	for _, one := range bundles {
		fits := len(one.Families) == 0 ||
			len(understood.Families) > 0 && slices.Contains(one.Families, understood.Families[0])
		if one.Intent == understood.Intent && fits {
			return one.Name, b.offers[one.Name]
		}
	}
	return "", nil
}
