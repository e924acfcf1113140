package system

import (
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed provide_feedback.md
var provideFeedbackWords string

// ProvideFeedbackArguments are what the owner thinks of something.
type ProvideFeedbackArguments struct {
	Type     string  `json:"type"`
	Feedback string  `json:"feedback"`
	Context  *string `json:"context" jsonschema:"nullable"`
}

// provideFeedback is not there yet.
func provideFeedback() world.Tool {
	return notYet[ProvideFeedbackArguments](
		"system_provideFeedback", provideFeedbackWords, "noFeedback", meet.CreateResource)
}
