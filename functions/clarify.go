package functions

import (
	"context"
	_ "embed"
	"strings"

	"convene/pkg/tool"
)

//go:embed clarify.md
var clarifyWords string

// ClarifyName is the name of the function that asks instead of doing anything.
const ClarifyName = "clarify"

// ClarifyArguments are a question for the user.
type ClarifyArguments struct {
	Question string `json:"question"`
}

// Clarify asks the user. It stands in every bundle, so that a model never has to guess.
func Clarify() tool.Tool[struct{}, string] {
	return tool.Define(ClarifyName, clarifyWords, clarify)
}

func clarify(_ context.Context, _ struct{}, in ClarifyArguments) (string, error) {
	question := strings.TrimSpace(in.Question)
	if question == "" {
		return "", tool.BadArgument("question", "must not be empty")
	}
	return question, nil
}
