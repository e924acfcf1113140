package functions

import (
	_ "embed"
	"strings"

	"convene/pkg/meet"
)

//go:embed classify_intent.md
var classifyIntentWords string

// ClassifyArguments are what a model says about a message before anything is done.
type ClassifyArguments struct {
	Intent         string `json:"intent" jsonschema:"enum=handle_event,enum=show_more,enum=suggest_activities,enum=converse"`
	Acknowledgment string `json:"acknowledgment"`
	Language       string `json:"language"`
}

// ClassifyIntent says what a message is about.
func ClassifyIntent() Function[struct{}, meet.Understanding] {
	return define("classifyIntent", classifyIntentWords, classifyIntent)
}

func classifyIntent(_ struct{}, in ClassifyArguments) (meet.Understanding, error) {
	text := strings.TrimSpace(in.Acknowledgment)
	if text == "" {
		return meet.Understanding{}, badArgument("acknowledgment", "must not be empty")
	}
	language := strings.TrimSpace(in.Language)
	if language == "" {
		language = "en"
	}
	return meet.Understanding{Intent: meet.Intent(in.Intent), Acknowledgment: text, Language: language}, nil
}
