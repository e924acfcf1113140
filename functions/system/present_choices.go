package system

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed present_choices.md
var presentChoicesWords string

// PresentChoicesArguments are a question and its answers.
type PresentChoicesArguments struct {
	Question string   `json:"question"`
	Options  []Choice `json:"options"`
}

// Choice is one answer. The id is its number, from "1", if it is left out.
type Choice struct {
	ID     *string `json:"id" jsonschema:"nullable"`
	Label  string  `json:"label"`
	Detail *string `json:"detail" jsonschema:"nullable"`
}

// Question is the data of a tool that asks.
type Question struct {
	Question string        `json:"question"`
	Options  []meet.Option `json:"options"`
}

// mostOptions is how many answers a question may have.
const mostOptions = 10

// presentChoices asks the owner to choose.
func presentChoices() world.Tool {
	return world.Define("system_presentChoices", presentChoicesWords,
		bare(world.Reads, meet.Execute, meet.PlanResource),
		func(_ context.Context, w *world.World, in PresentChoicesArguments) (answer world.Answer[Question], err error) {
			if len(in.Options) < 2 || len(in.Options) > mostOptions {
				return answer, tool.BadArgument("options", "%d options; there must be from 2 to %d", len(in.Options), mostOptions)
			}
			var options []meet.Option
			seen := map[string]bool{}
			for i, choice := range in.Options {
				option := meet.Option{ID: strconv.Itoa(i + 1), Label: meet.Caption(choice.Label)}
				if choice.ID != nil {
					option.ID = *choice.ID
				}
				if choice.Detail != nil {
					option.Detail = meet.Caption(*choice.Detail)
				}
				if option.ID == "" || option.Label == "" || seen[option.ID] {
					return answer, tool.BadArgument(fmt.Sprintf("options[%d]", i), "an option needs a label, and an id of its own")
				}
				seen[option.ID] = true
				options = append(options, option)
			}
			return ask(w, in.Question, options)
		})
}

// ask is the answer that asks.
func ask(w *world.World, question string, options []meet.Option) (answer world.Answer[Question], err error) {
	question = meet.Caption(question)
	if question == "" {
		return answer, tool.BadArgument("question", "is empty")
	}
	choices := meet.Choices{Question: question, Options: options, Free: true}
	answer = world.Answer[Question]{
		Data: Question{question, options}, Display: meet.FormDisplay, Title: w.Voice().Title(question),
		Description: w.Voice().Title(question), Choices: &choices,
	}
	if len(options) > 0 {
		answer.Components = []meet.Component{world.Part(meet.ChoicePart, choices)}
	}
	for _, o := range options {
		answer.Suggestions = append(answer.Suggestions, o.Label)
	}
	return answer, nil
}
