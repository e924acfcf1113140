package agenda

import (
	"slices"
	"strings"

	"convene/pkg/meet"
)

// Named are the events that words name, one of each series: by at least half of what their title says, and perhaps by a
// guest or a place besides. Words for any event name none, and those that a title may lack only one that has no others:
// "a call" is no "Call with the family".
func Named(words string, events []meet.Occurrence) (named []meet.Occurrence) {
	c := CallingOf(words)
	for _, o := range events {
		again := slices.ContainsFunc(named, func(n meet.Occurrence) bool { return n.UID == o.UID })
		if len(c.Names) > 0 && !again && c.names(o) {
			named = append(named, o)
		}
	}
	return named
}

func (c Calling) names(o meet.Occurrence) bool {
	title := CallingOf(o.Title)
	said, telling := 0, len(title.Names) == 1
	for _, w := range title.Names {
		if slices.ContainsFunc(c.Names, func(n string) bool { return sameThing(n, w) }) {
			said++
			telling = telling || !strings.HasPrefix(eventWords()[w], "~")
		}
	}
	return telling && said > 0 && 2*said >= len(title.Names) && (c.in(stems(o.Title), sameThing, false) || c.besides(o))
}
