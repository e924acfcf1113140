package ground

import (
	"fmt"
	"maps"

	"convene/pkg/interval"
)

// showTasks shows what there is to do, or what fits into a length.
func (r *reading) showTasks() (string, arguments) {
	n := r.spareMinutes()
	if n > 0 {
		r.takeNames() // "before the stand-up" only tells why
		return "task_suggestForDuration", arguments{"duration": n}
	}
	if len(r.of(Task)) > 0 {
		return r.showNamed()
	}
	selection := r.ofThose()
	if r.says("undated") {
		selection["dueTo"] = "none"
	}
	if who := r.somebody(); who != nil {
		selection["assignee"] = who
	} else if r.says("unassigned") {
		selection["assignee"] = "none"
	} else if r.says("mine") || r.ofOwnDay() {
		selection["assignee"] = "me"
	}
	if r.says("foremost") && len(r.points()) == 0 && (len(selection) == 0 || selection["assignee"] == "me") {
		if r.says("only one") {
			return "task_getBacklogWithScores", arguments{"limit": 1}
		}
		return "task_getBacklogWithScores", arguments{}
	}
	all, was := arguments{"selection": selection}, fmt.Sprint(selection)
	if !r.timeTasks(all, selection) {
		return "", nil
	}
	r.narrowTasks(selection)
	if at := captured("of those", r.Text); at != nil && fmt.Sprint(selection) == was {
		selection["titleHas"] = []string{r.Text[at[0]:at[1]]} // "only the paint ones"
	}
	return "task_viewTasks", all
}

// showNamed shows the tasks that are named, or what they have in common.
func (r *reading) showNamed() (string, arguments) {
	tasks := r.of(Task)
	if r.grouped() {
		group := tasks[0].group
		if who := r.somebody(); who != nil {
			group["assignee"] = who
		} else if group["assignee"] == nil && group["board"] == nil && group["column"] == nil && r.ofOwnDay() {
			group["assignee"] = "me"
		}
		today, from, to := interval.DateOf(r.Now).String(), textOf(group["dueFrom"]), textOf(group["dueTo"])
		if r.toDo() && from != "" && from <= today && today <= to {
			delete(group, "dueFrom") // what is overdue is to be done as well
		}
	}
	call, of := r.selecting(Task, nil), r.ofThose()
	if selected, ok := call["selection"].(arguments); ok && tasks[0].isGroup() {
		maps.Copy(of, selected) // "only the high priority ones" of those that are due this week
		call["selection"] = of
	}
	return "task_viewTasks", call
}
