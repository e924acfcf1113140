package message

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed data/reasons.json
var reasonsJSON []byte

// reasons are why a calendar was not read, by language and by what English says. A test reads the embedded file, so that
// it cannot be broken here.
var reasons = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	if err := json.Unmarshal(reasonsJSON, &all); err != nil {
		return nil
	}
	return all
})

// anyReason stands for those that have no words of their own in a language: each provider has some for itself.
const anyReason = "the calendar could not be read"

// Unread is why a calendar was not read, in the language. English says it in the provider's own words, and so does a
// language that nobody has written for.
func Unread(language, reason string) string {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	own, known := reasons()[base]
	switch {
	case !known || reason == "":
		return reason
	case own[reason] != "":
		return own[reason]
	default:
		return own[anyReason]
	}
}
