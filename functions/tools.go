package functions

import (
	"slices"
	"sync"

	"convene/functions/calendar"
	"convene/functions/contact"
	"convene/functions/email"
	"convene/functions/items"
	"convene/functions/list"
	"convene/functions/note"
	"convene/functions/preference"
	"convene/functions/schedule"
	"convene/functions/system"
	"convene/functions/task"
	"convene/functions/workflow"
	"convene/functions/world"
)

// Families names the families of the tools.
func Families() []string {
	return []string{
		schedule.Family, calendar.Family, items.Family, task.Family, email.Family, list.Family, note.Family, contact.Family,
		preference.Family, system.Family, workflow.Family,
	}
}

// all are made once: their schemas take time and memory, and they keep nothing.
var all = sync.OnceValue(func() []world.Tool {
	return slices.Concat(schedule.Set(), calendar.Set(), items.Set(), task.Set(), email.Set(), list.Set(), note.Set(),
		contact.Set(), preference.Set(), system.Set(), workflow.Set())
})

// Tools are all tools of the assistant, family by family.
func Tools() []world.Tool { return slices.Clone(all()) }
