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
	u := Understand(message, talk)
	r := Routing{"converse", "none", u.Confidence}
	families := familiesOf(message)
	switch {
	case len(families) > 1:
		r.Route = "workflow"
	case u.Intent == Create || u.Intent == Edit || u.Intent == BookingLink:
		r.Route, r.Family = "event", "calendar"
	default:
		if family := toolFamily(string(u.Intent), u.Family); family != "" {
			r.Route, r.Family = "tool", family
		}
	}
	return r
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
