package when

import (
	"regexp"

	"convene/pkg/interval"
)

// JustBeen are the days of a span that a question names by dates, of a year that it does not name: those that have just
// been, if all of it lies within the last half year, and else the days as they were read, in the year to come.
func JustBeen(text string, d interval.DateRange, today interval.Date) interval.DateRange {
	before := interval.DateRange{Start: d.Start, End: d.End}
	before.Start.Year--
	before.End.Year--
	recent := before.End.Before(today) && !before.Start.Before(today.AddDays(-halfYear))
	if d.Start == d.End || !recent || !numbered.MatchString(text) || namesYear.MatchString(text) {
		return d
	}
	return before
}

// numbered is a day with its number, and namesYear what says the year.
var (
	numbered  = regexp.MustCompile(`\d`)
	namesYear = regexp.MustCompile(`(?i)\d{4}|\b(?:next|coming|following|year|año|próximo|que viene)\b|ה(?:בא|שנה)`)
)

// AsksOfPast reports whether a text asks for what has been: "what did I do on the 24th?".
func AsksOfPast(text string) bool { return asksOfPast.MatchString(text) }

// asksOfPast has no verb of making something: "what did I plan for Friday?" asks for what is to come.
var asksOfPast = regexp.MustCompile(`(?i)\b(?:did (?:i|we) (?:have|do|meet|see|go|attend|spend|talk|speak|work)|` +
	`what (?:i|we) (?:had|did)|(?:was|were) (?:there )?(?:in|on) my (?:calendar|schedule|agenda|day))\b|` +
	`\b(?:qué|cuándo|dónde|con quién|a quién) ` +
	`(?:tuve|tuvimos|hice|hicimos|vi|vimos|estuve|estuvimos|había)(?:$|[^\p{L}])|` +
	`(?:^|[^\p{L}])(?:מה|מתי|איפה|את מי|עם מי) (?:היה|היו|הייתי|עשיתי|פגשתי|נפגשתי|ראיתי)(?:$|[^\p{L}])`)
