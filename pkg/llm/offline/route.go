package offline

import (
	"slices"
	"strings"

	"convene/pkg/llm/kind"
)

// Routing is who has to answer a message: the stages of an event, one tool, several steps over several families of
// tools (which need a plan), or words alone.
type Routing struct {
	// Route is event, tool, workflow or converse.
	Route string
	// Family is calendar, tasks, email, contacts or none.
	Family     string
	Confidence float64
}

// Route is who has to answer a message, in the light of what went before.
func Route(message string, talk Talk) Routing {
	u := understand(classifyData{
		Message: message, RecentTurns: talk.Turns, HasEvent: talk.HasEvent, HasActivities: talk.HasActivities,
	}, someDay)
	day := u.ownDay(someDay)
	r := Routing{"converse", "none", max(u.Confidence, day.confidence)}
	families := familiesOf(message)
	switch {
	case len(families) > 1, day.plan,
		(day.intent != "" || slices.Contains(families, "email")) && conditional(message, u.Language):
		r.Route = "workflow"
	case day.intent != "":
		r.Route, r.Family = "tool", routed(day.families)
	case u.Intent == Create || u.Intent == Edit || u.Intent == BookingLink:
		r.Route, r.Family = "event", "calendar"
	default:
		if family := toolFamily(string(u.Intent), u.Family); family != "" {
			r.Route, r.Family = "tool", family
		}
	}
	return r
}

// routed is the family of routes to which the first of several families of tools belongs.
func routed(families []string) string {
	routes := map[string]string{"task": "tasks", "list": "tasks", "note": "tasks", "contact": "contacts", "email": "email"}
	return firstOf(routes[append(families, "")[0]], "calendar")
}

// conditional reports whether something is wanted only on a condition, other than a polite one.
func conditional(message, language string) bool {
	book, known := idleBooks()[language]
	if !known {
		return false
	}
	a := newAccount(unquoted(readable(message)), book)
	for i := 0; i < len(a.tokens); i++ {
		if n := a.of("idle", i); n > 1 {
			i += n - 1
		} else if t := a.tokens[i]; t.opens && len(book.other["condition"][t.lower]) > 0 {
			return true // without letters in front of it, because the Hebrew "whether" is "the if"
		}
	}
	return false
}

// toolFamily is the family of tools for a kind of request; empty if there is none.
func toolFamily(intent, family string) string {
	switch intent {
	case kind.Create, kind.Update, kind.Delete, kind.Query:
		return "calendar"
	case kind.Reminder:
		return "tasks"
	case kind.Other:
		return map[string]string{"email": "email", "contact": "contacts"}[family]
	}
	return ""
}

// leastClause is how many words a clause has that is read by itself, and surely the probability that counts then.
const leastClause, surely = 3, 0.7

// familiesOf are the families of tools that the clauses of a message surely need, without what stands in quotation
// marks.
func familiesOf(message string) (families []string) {
	for _, clause := range clausesOf(unquoted(readable(message))) {
		if len(strings.Fields(clause)) < leastClause {
			continue
		}
		guess := kind.Predict(clause)
		family := toolFamily(guess.Kind, guess.Family)
		if family != "" && guess.Confidence > surely && !slices.Contains(families, family) {
			families = append(families, family)
		}
	}
	return families
}

// clausesOf are the parts of a text between marks and the words that join clauses.
func clausesOf(text string) []string {
	for _, end := range []string{", ", ". ", "? ", "; ", " and ", " then ", " if ", " y ", " luego ", " ואז "} {
		text = strings.ReplaceAll(text, end, "\n")
	}
	return strings.Split(text, "\n")
}

// unquoted is a text without what stands in quotation marks.
func unquoted(text string) string {
	var b strings.Builder
	quoted := false
	for i, r := range text {
		if r == '"' || r == '“' || r == '”' || r == '\'' && (quoted || i == 0 || text[i-1] == ' ') {
			quoted = !quoted
		} else if !quoted {
			b.WriteRune(r)
		}
	}
	return b.String()
}
