package system

import (
	_ "embed"

	"convene/functions/world"
	"convene/pkg/meet"
)

//go:embed show_patterns.md
var showPatternsWords string

// ShowPatternsArguments say which patterns.
type ShowPatternsArguments struct {
	Category *string `json:"category" jsonschema:"nullable"`
}

// showPatterns is not there yet.
func showPatterns() world.Tool {
	return notYet[ShowPatternsArguments]("system_showPatterns", showPatternsWords, "noPatterns", meet.ReadResource)
}
