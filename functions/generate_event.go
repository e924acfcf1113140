package functions

import (
	"context"
	_ "embed"

	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed generate_event.md
var generateEventWords string

// GenerateEventArguments are a choice among the candidates. The model writes the fields in this order: the ranks are
// known before the first word of the message.
type GenerateEventArguments struct {
	RankedSlotIndices  []int  `json:"rankedSlotIndices"`
	RankedPlaceIndices []int  `json:"rankedPlaceIndices"`
	CalendarProvider   string `json:"calendarProvider" jsonschema:"enum=google,enum=microsoft,enum=apple,enum=caldav,enum=ics,enum=local"`
	Message            string `json:"message"`
}

// GenerateEvent ranks the candidates and writes the message.
func GenerateEvent() tool.Tool[struct{}, meet.Selection] {
	return tool.Define("generateEvent", generateEventWords, generateEvent)
}

// generateEvent does not check the ranks: the stage that offered the candidates does.
func generateEvent(_ context.Context, _ struct{}, in GenerateEventArguments) (meet.Selection, error) {
	return meet.Selection{
		Slots:            in.RankedSlotIndices,
		Places:           in.RankedPlaceIndices,
		CalendarProvider: in.CalendarProvider,
		Message:          in.Message,
	}, nil
}
