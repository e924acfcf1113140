package offline

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
)

// This file reads what people say of times that they keep free: data/*/kept.txt has what they call these.

// What is said of a time that is kept free: nothing may lie there, something urgent may if the user approves, when it
// is, and that it counts or does not count for now.
const (
	verbGuard verb = "kept guard"
	verbAsk   verb = "kept ask"
	verbHours verb = "kept hours"
	verbOff   verb = "kept off"
	verbOn    verb = "kept on"
)

// writing is the preference that is meant if none is named: "I write …".
const writing = "writing_block_config"

// guarded are the preferences that may have exceptions.
var guarded = []string{writing, "lunch_hours"}

// keptIn is the preference that words name; empty if they name none.
func (o *operating) keptIn(b bound) string {
	if key, n := o.phraseAt(b.from, o.book.kept); n == b.to-b.from {
		return key
	}
	return ""
}

// keeps are the updates of a time that is kept free. Members of a value that are not said stay as they are. Nil is that
// it cannot be said of it.
func (op *operation) keeps() []map[string]any {
	key := firstOf(op.kept, writing)
	update := map[string]any{"key": key, "days": []string{}, "without": []window{}}
	switch op.verb {
	case verbOff, verbOn:
		update["on"] = op.verb == verbOn
		return []map[string]any{update}
	case verbGuard:
		update["value"] = `{"allowExceptionsWithApproval":false}`
	case verbAsk:
		update["value"] = `{"allowExceptionsWithApproval":true}`
	case verbHours:
		start, end, spans := op.span()
		if !spans {
			return nil
		}
		value := `"start":"` + start.String() + `","end":"` + end.String() + `"}`
		if days := op.weekdays(); len(days) > 0 {
			value = `"days":["` + strings.Join(days, `","`) + `"],` + value
		}
		update["value"] = "{" + value
	}
	if !slices.Contains(guarded, key) {
		return nil
	}
	return []map[string]any{update}
}

// weekdays are the names of the weekdays that are named.
func (op *operation) weekdays() (days []string) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if slices.ContainsFunc(op.time.Dates, func(d interval.DateRange) bool { return isOn(d, day) }) {
			days = append(days, strings.ToLower(day.String()))
		}
	}
	return days
}
