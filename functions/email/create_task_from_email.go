package email

import (
	"cmp"
	"context"
	_ "embed"
	"regexp"
	"strings"

	"convene/functions/world"
	"convene/pkg/fault"
	"convene/pkg/mail"
	"convene/pkg/meet"
	"convene/pkg/task"
)

//go:embed create_task_from_email.md
var createTaskFromEmailWords string

// CreateTaskFromEmailArguments say of which mail a task is made, and what the user says of it.
type CreateTaskFromEmailArguments struct {
	ReadEmailArguments
	CustomTitle *string `json:"customTitle" jsonschema:"nullable"`
	DueDate     *string `json:"dueDate" jsonschema:"nullable"`
}

// FromMail is the data of the tool that makes a task of a mail.
type FromMail struct {
	Task world.TaskItem `json:"task"`
	// EmailID is the mail's. Its texts in the task are those of others.
	EmailID    string           `json:"emailId"`
	Provenance world.Provenance `json:"provenance"`
}

// createTaskFromEmail makes a task that has the mail's subject, and tells where it came from.
func createTaskFromEmail() world.Tool {
	is := changes(meet.CreateResource)
	is.Gives = world.Tasks
	return world.Define("email_createTaskFromEmail", world.WithMailSelection(createTaskFromEmailWords), is, func(
		ctx context.Context, w *world.World, in CreateTaskFromEmailArguments,
	) (answer world.Answer[FromMail], err error) {
		if w.Tasks == nil {
			return answer, fault.New(fault.Unavailable, "%s", w.Say("tasksUnreadable"))
		}
		m, err := in.read(ctx, w)
		if err != nil {
			return answer, err
		}
		if _, err := w.Tasks.All(ctx); err != nil && ctx.Err() != nil {
			return answer, ctx.Err()
		}
		t := taskOf(w, m)
		if in.CustomTitle != nil && strings.TrimSpace(*in.CustomTitle) != "" {
			t.Title = meet.Caption(*in.CustomTitle)
		}
		if in.DueDate != nil {
			t.Due = *in.DueDate
		}
		c, made, _, err := w.AmendTask(ctx, nil, &t)
		if err != nil {
			return answer, err
		}
		answer.Changes = []meet.Change{c}
		answer.Data = FromMail{
			Task: w.TaskItems([]task.Task{made}, true)[0], EmailID: m.ID,
			Provenance: world.Provenance{Foreign: w.Foreign(m.Mail)},
		}
		answer.Display, answer.Title = meet.ConfirmationDisplay, w.Voice().Count(phrases, "changes", 1)
		answer.Components = w.TaskCards([]task.Task{made})
		return answer, nil
	})
}

// answering are the marks before the subject of a mail that answers or forwards another.
var answering = regexp.MustCompile(`(?i)^\s*((re|fwd?|rv|aw|wg|tr|השב|תגובה)\s*(\[\d+\])?:\s*)+`)

// taskOf is the task of a mail.
func taskOf(w *world.World, m mail.Message) task.Task {
	from := say(w, "taskFrom", "sender", cmp.Or(m.From.Name, m.From.Email), "when", w.Voice().Day(m.Date.In(w.Zone())))
	const enough = 500
	said := m.Text
	if runes := []rune(said); len(runes) > enough {
		said = string(runes[:enough]) + "…"
	}
	return task.Task{
		Title:  meet.Caption(cmp.Or(answering.ReplaceAllString(m.Subject, ""), m.Preview, from)),
		Source: "email", Status: task.Backlog, Priority: task.Medium, Column: w.Preferred().TaskList,
		Description: strings.TrimSpace(from + "\n\n" + said),
	}
}
