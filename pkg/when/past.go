package when

import "regexp"

// AsksOfPast reports whether a text asks for what has been: "what did I do on the 24th?".
func AsksOfPast(text string) bool { return asksOfPast.MatchString(text) }

// asksOfPast has no verb of making something: "what did I plan for Friday?" asks for what is to come.
var asksOfPast = regexp.MustCompile(`(?i)\b(?:did (?:i|we) (?:have|do|meet|see|go|attend|spend|talk|speak|work)|` +
	`what (?:i|we) (?:had|did)|(?:was|were) (?:there )?(?:in|on) my (?:calendar|schedule|agenda|day))\b|` +
	`\b(?:qué|cuándo|dónde|con quién|a quién) ` +
	`(?:tuve|tuvimos|hice|hicimos|vi|vimos|estuve|estuvimos|había)(?:$|[^\p{L}])|` +
	`(?:^|[^\p{L}])(?:מה|מתי|איפה|את מי|עם מי) (?:היה|היו|הייתי|עשיתי|פגשתי|נפגשתי|ראיתי)(?:$|[^\p{L}])`)
