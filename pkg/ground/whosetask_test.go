package ground

import "testing"

// team has tasks of one title that several people have, on two boards.
func team() []Thing {
	task := func(id, title, assignee, board, column string) Thing {
		return Thing{Kind: Task, ID: id, Title: title, Assignee: assignee, Board: board, Column: column}
	}
	return append(home(),
		task("y1", "Sand the deck", "yara@example.com", "Spring refit", "Backlog"),
		task("a1", "Sand the deck", "al@example.com", "Spring refit", "In Review"),
		task("a2", "Oil the winches", "al@example.com", "Garden", "In Progress"))
}

// Several people have tasks of one title: whose it is is said, or asked. A column or a board tells which tasks are
// meant, and a new task has all that is told around its title.
func TestWhoseTask(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"en", "delete Al's 'Sand the deck'", `task_deleteTask {"selection":{"ids":["a1"]}}`},
		{"en", "hand Al's 'Sand the deck' over to Yara",
			`task_updateTask {"selection":{"ids":["a1"]},"updates":{"assignee":"Yara Stone"}}`},
		{"es", "borra la tarea 'Sand the deck' de Yara", `task_deleteTask {"selection":{"ids":["y1"]}}`},
		{"en", "mark 'Sand the deck' as done", `task_completeTask {"selection":{"ids":["y1","a1"],"one":true}}`},
		{"en", "give Al another week for 'Sand the deck'",
			`task_updateTask {"selection":{"ids":["a1"]},"updates":{"laterByDays":7}}`},
		// Yara has none of that title.
		{"en", "delete Yara's 'Oil the winches'", " "},
		{"en", "mark everything al has in review as done",
			`task_completeTask {"selection":{"assignee":"Al Reyes","column":"In Review"}}`},
		{"en", "how many tasks does al have on the garden board?",
			`task_viewTasks {"selection":{"assignee":"Al Reyes","board":"Garden"}}`},
		{"en", "do we have any tasks that nobody is assigned to?", `task_viewTasks {"selection":{"assignee":"none"}}`},
		{"es", "¿qué tareas no tienen dueño?", `task_viewTasks {"selection":{"assignee":"none"}}`},
		{"he", "אילו משימות לא שויכו לאף אחד?", `task_viewTasks {"selection":{"assignee":"none"}}`},
		// What is not there is not made.
		{"en", "please delete the task 'Migrate the server'",
			`task_viewTasks {"selection":{"titleHas":["Migrate the server"]}}`},
		{"es", "borra la tarea 'Pintar el muro'", `task_viewTasks {"selection":{"titleHas":["Pintar el muro"]}}`},
		{"he", "מחק את המשימה 'לצבוע קיר'", `task_viewTasks {"selection":{"titleHas":["לצבוע קיר"]}}`},
		{"en", "new card on Garden: 'Trim hedges', Yara has it, backlog, by friday",
			`task_createTask {"assignee":"Yara Stone","board":"Garden","column":"Backlog","dependencies":[],` +
				`"dueDate":"2026-11-27","tags":[],"title":"Trim hedges"}`},
		{"es", "nueva tarea para Yara: 'Podar setos', tablero Garden, backlog, para el viernes",
			`task_createTask {"assignee":"Yara Stone","board":"Garden","column":"Backlog","dependencies":[],` +
				`"dueDate":"2026-11-27","tags":[],"title":"Podar setos"}`},
		{"en", "new task for Yara on the Spring refit board", " "},
		// Who is named in the title does not have the task.
		{"en", "make a task 'Ask Al about keys' for me",
			`task_createTask {"dependencies":[],"tags":[],"title":"Ask Al about keys"}`},
	} {
		got := Read(Message{Text: c.text, Language: c.language, Now: now, Things: team(), People: inText(c.text, []Person{
			{Name: "Yara Stone", Said: "yara", Address: "yara@example.com"},
			{Name: "Al Reyes", Said: "al", Address: "al@example.com"},
		})})
		if call := got.Tool + " " + string(got.Arguments); call != c.want {
			t.Errorf("%q is %s with %.2f: %s, want %s", c.text, got.Deed, got.Probability, call, c.want)
		}
	}
}

// inText are the people whom a text names.
func inText(text string, people []Person) []Person {
	return keep(people, func(p Person) bool { return betweenLetters("(?i)" + p.Said).MatchString(text) })
}
