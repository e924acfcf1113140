package ground

import "testing"

// Boards and columns are known by their names. A group of tasks is told by them, by whose they are, and by how far they
// have come; what is to become of it is not told by the same words.
func TestBoardsAndColumns(t *testing.T) {
	t.Parallel()
	things := append(home(),
		Thing{Kind: Task, ID: "sails", Title: "Mend the sails", Board: "Spring refit", Column: "Waiting"},
		Thing{Kind: Task, ID: "hull", Title: "Paint the hull", Board: "Garden", Column: "In Progress"})
	for _, c := range []struct{ text, want string }{
		{"move all of yara's tasks that are in progress to in review",
			`task_updateTask {"selection":{"assignee":"Yara Stone","column":"In Progress"},"updates":{"column":"In Review"}}`},
		{"give yara's in progress spring refit tasks to al", `task_updateTask {"selection":{"assignee":"Yara Stone",` +
			`"board":"Spring refit","column":"In Progress"},"updates":{"assignee":"Al Reyes"}}`},
		{"reassign all of yara's unfinished tasks to al",
			`task_updateTask {"selection":{"assignee":"Yara Stone","status":"open"},"updates":{"assignee":"Al Reyes"}}`},
		{"delete all of yara's completed tasks",
			`task_deleteTask {"selection":{"assignee":"Yara Stone","status":"completed"}}`},
		{"which of yara's tasks are overdue?", `task_viewTasks {"selection":{"assignee":"Yara Stone","overdue":true}}`},
		{"show me yara's tasks in the garden board",
			`task_viewTasks {"selection":{"assignee":"Yara Stone","board":"Garden"}}`},
		{"add a task called 'Sand the deck' to the spring refit board for yara due on friday",
			`task_createTask {"assignee":"Yara Stone","board":"Spring refit","dependencies":[],"dueDate":"2026-11-27",` +
				`"tags":[],"title":"Sand the deck"}`},
		{"move the sails to waiting", `task_updateTask {"selection":{"ids":["sails"]},"updates":{"column":"Waiting"}}`},
		{"push all of today's tasks to tomorrow", `task_updateTask {"selection":{"dueFrom":"2026-11-23",` +
			`"dueTo":"2026-11-23"},"updates":{"dueDate":"2026-11-24"}}`},
		{"show friday's tasks", `task_viewTasks {"selection":{"dueFrom":"2026-11-27","dueTo":"2026-11-27"}}`},
		// Two columns, and nothing tells which one is where it goes.
		{"the sails in progress in review", " "},
		// A statement is none of what things have in common.
		{"all pending changes are fine", " "},
	} {
		got := Read(Message{Text: c.text, Language: "en", Now: now, Things: things, People: []Person{
			{Name: "Yara Stone", Said: "yara"}, {Name: "Al Reyes", Said: "al"},
		}})
		if call := got.Tool + " " + string(got.Arguments); call != c.want {
			t.Errorf("%q is %s with %.2f: %s, want %s", c.text, got.Deed, got.Probability, call, c.want)
		}
	}
}
