package ground

import (
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// findAway finds what keeps the user from everything on whole days, if the message states that and nothing else, and
// what a block of these days is called: "i'm on vacation next week" is a vacation.
func (r *reading) findAway() {
	points := r.points()
	hours := func(t *timed) bool { return t.Exact != nil || !t.Hours.Empty() || len(t.Dates) != 1 }
	if len(points) == 0 || slices.ContainsFunc(points, hours) || len(r.people) > 0 {
		return
	}
	stated := words()["away"].FindStringSubmatch(timesForm.ReplaceAllString(r.delexicalized(), " "))
	for _, name := range stated[min(1, len(stated)):] {
		if name != "" {
			first, n := utf8.DecodeRuneInString(name)
			r.away = string(unicode.ToUpper(first)) + name[n:]
			return
		}
	}
}

// timesForm are times, each with the small words before it, and what joins them.
var timesForm = regexp.MustCompile(`(?i)(?:(?:^|[\s,]+)(?:and|through|thru|e|y|u|on|from|for|to|until|till|all|day|of|` +
	`the|starting|this|del?|desde|hasta|para|por|a|el|la|los|las|todo|toda|ביום|בימים|בימי|יום|מ?יום|החל|עד|כל|ה?ימים|ו|-|–)` +
	`)*[\s,]*(?:ו|מ|ל|ב|ה)*-?\{time\}`)
