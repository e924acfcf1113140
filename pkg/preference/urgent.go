package preference

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
	"unicode"
)

//go:embed urgent.json
var urgentJSON []byte

// urgency is what people call urgent, and what they say of what is not, or may not be. A test reads the embedded file,
// so that it is valid here.
var urgency = sync.OnceValue(func() (words struct{ Urgent, Not []string }) {
	if err := json.Unmarshal(urgentJSON, &words); err != nil {
		return words
	}
	return words
})

// Urgent reports whether a text calls what it asks for urgent.
func Urgent(text string) bool {
	plain := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), "’", "'"), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && r != '\'' && r != '.'
	})
	for i := range plain {
		plain[i] = strings.Trim(plain[i], ".'")
	}
	said := " " + strings.Join(plain, " ") + " "
	for _, not := range urgency().Not {
		said = strings.ReplaceAll(said, " "+not+" ", " ")
	}
	for _, word := range urgency().Urgent {
		if strings.Contains(said, " "+word+" ") {
			return true
		}
	}
	return false
}
