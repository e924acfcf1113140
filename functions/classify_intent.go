package functions

import (
	"context"
	_ "embed"
	"strings"
	"unicode"

	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed classify_intent.md
var classifyIntentWords string

// Intent is one thing that a message may be about, with the words for the model.
type Intent struct {
	Name  meet.Intent
	Words string
}

// ClassifyArguments are the model's first reading of a message.
type ClassifyArguments struct {
	Intent         string `json:"intent"`
	Acknowledgment string `json:"acknowledgment"`
	Language       string `json:"language"`
	// Families and RequiresPlan are for look and act.
	Families     []string `json:"families"`
	RequiresPlan bool     `json:"requiresPlan"`
}

// ClassifyIntent chooses the intent of a message.
func ClassifyIntent(intents []Intent) tool.Tool[struct{}, meet.Understanding] {
	names, lines := make([]any, len(intents)), make([]string, len(intents))
	for i, intent := range intents {
		names[i], lines[i] = string(intent.Name), string(intent.Name)+": "+intent.Words
	}
	words := strings.Replace(classifyIntentWords, "{intents}", strings.Join(lines, " "), 1)
	return tool.Define("classifyIntent", words, classifyIntent, tool.Enum{"intent": names})
}

func classifyIntent(_ context.Context, _ struct{}, in ClassifyArguments) (meet.Understanding, error) {
	text := strings.TrimSpace(in.Acknowledgment)
	if text == "" {
		return meet.Understanding{}, tool.BadArgument("acknowledgment", "must not be empty")
	}
	return meet.Understanding{
		Intent: meet.Intent(in.Intent), Acknowledgment: text, Language: languageTag(in.Language),
		Families: in.Families, RequiresPlan: in.RequiresPlan,
	}, nil
}

// languageTag is the model's language if it is a BCP 47 tag, or else English: clients show text in it.
func languageTag(said string) string {
	const longest = 35 // the least that RFC 5646, 4.4.1, wants supported
	said = strings.TrimSpace(said)
	odd := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-'
	}
	if said == "" || len(said) > longest || strings.ContainsFunc(said, odd) {
		return "en"
	}
	return said
}
