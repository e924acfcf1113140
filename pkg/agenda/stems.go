package agenda

import (
	"time"

	"convene/pkg/interval"
)

// Stems are the words of a text as titles are compared: without accents, plural and possessive endings, and the small
// words that Hebrew writes before them.
func Stems(text string) []string { return stems(text) }

// SameThing reports whether two stems are one word, or words for one thing.
func SameThing(a, b string) bool { return sameThing(a, b) }

// Similar is SameThing, up to one slip of the keys.
func Similar(a, b string) bool { return similar(a, b) }

// Akin reports whether two stems are forms of one word, or words for one thing.
func Akin(a, b string) bool { return akin(a, b) }

// Idle reports whether a stem tells no thing from others: "the", "my", and words for any event.
func Idle(stem string) bool {
	switch eventWords()[stem] {
	case "idle", "many", "any":
		return true
	}
	return false
}

// AnyEvent reports whether a stem is that of a word for any event: "meeting".
func AnyEvent(stem string) bool { return eventWords()[stem] == "any" }

// In is the window on the clocks of a zone. An error is a fault that names the field, or a member of it.
func (w Window) In(zone *time.Location, field string) (interval.Span, error) {
	return w.span(zone, field)
}
