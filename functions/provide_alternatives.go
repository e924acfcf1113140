package functions

import (
	"context"
	_ "embed"

	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed provide_alternatives.md
var provideAlternativesWords string

// AlternativesArguments are other times if there is none as the user wished.
type AlternativesArguments struct {
	RankedSlotIndices []int  `json:"rankedSlotIndices"`
	Message           string `json:"message"`
}

// ProvideAlternatives ranks other times without a change of the event.
func ProvideAlternatives() tool.Tool[struct{}, meet.Selection] {
	return tool.Define("provideAlternatives", provideAlternativesWords, provideAlternatives)
}

func provideAlternatives(_ context.Context, _ struct{}, in AlternativesArguments) (meet.Selection, error) {
	return meet.Selection{Slots: in.RankedSlotIndices, Message: in.Message}, nil
}
