package email

import (
	"context"
	_ "embed"
	"encoding/json"

	"convene/functions/world"
	"convene/pkg/mail"
	"convene/pkg/meet"
)

//go:embed process_email.md
var processEmailWords string

// ProcessEmailArguments say what is to be done with which mail.
type ProcessEmailArguments struct {
	ReadEmailArguments
	Action      string  `json:"action" jsonschema:"enum=draft,enum=send,enum=convert_to_task,enum=archive"`
	Body        *string `json:"body" jsonschema:"nullable"`
	CustomTitle *string `json:"customTitle" jsonschema:"nullable"`
	DueDate     *string `json:"dueDate" jsonschema:"nullable"`
}

// Processed is the data of the tool that deals with a mail: those of the tool that does the same.
type Processed struct {
	Action string          `json:"action"`
	Result json.RawMessage `json:"result"`
}

// processEmail deals with one mail.
func processEmail() world.Tool {
	return world.Define("email_processEmail", world.WithMailSelection(processEmailWords), changes(meet.Execute), process)
}

func process(
	ctx context.Context, w *world.World, in ProcessEmailArguments,
) (answer world.Answer[Processed], err error) {
	m, err := in.read(ctx, w)
	if err != nil {
		return answer, err
	}
	of := ReadEmailArguments{EmailID: &m.ID}
	switch in.Action {
	case "convert_to_task":
		made, err := taskFrom(ctx, w, CreateTaskFromEmailArguments{of, in.CustomTitle, in.DueDate})
		return processed(in.Action, made, err)
	case "archive":
		moved, err := Which{EmailIDs: []string{m.ID}}.moved(ctx, w, mail.Archive)
		return processed(in.Action, moved, err)
	}
	writing := ComposeArguments{Kind: "reply", ReadEmailArguments: of, Body: in.Body, Do: &in.Action}
	if m.Folder == mail.Drafts {
		writing.Kind = "new"
	}
	written, err := composed(ctx, w, writing)
	return processed(in.Action, written, err)
}

// processed is the answer of another tool as that of this one.
func processed[Data any](action string, of world.Answer[Data], err error) (answer world.Answer[Processed], _ error) {
	if err != nil {
		return answer, err
	}
	result, err := meet.MarshalLine(of.Data)
	return world.Answer[Processed]{
		Data: Processed{action, result}, Display: of.Display, Title: of.Title, Description: of.Description,
		Components: of.Components, Suggestions: of.Suggestions, Changes: of.Changes,
	}, err
}
