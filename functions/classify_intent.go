package functions

import (
	_ "embed"
	"strings"
	"unicode"

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
	return meet.Understanding{Intent: meet.Intent(in.Intent), Acknowledgment: text, Language: languageTag(in.Language)}, nil
}

// languageTag is what a model said of the language where that is a BCP 47 tag, and English otherwise: a client takes it
// for the language of what it shows.
func languageTag(said string) string {
	const longest = 35 // what RFC 5646, 4.4.1, wants to be kept at least
	said = strings.TrimSpace(said)
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	}
	if said == "" || len(said) > longest || strings.ContainsFunc(said, odd) {
		return "en"
	}
	return said
}
