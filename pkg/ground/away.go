package ground

import (
	"regexp"
	"slices"
	"unicode"
	"unicode/utf8"
)

// findAway finds what keeps the user from everything at some time, if the message states that and nothing else. It is
// what a block of this time is called: "i'm on vacation next week" is a vacation.
func (r *reading) findAway() {
	points := r.points()
	if several := func(t *timed) bool { return len(t.Dates) > 1 }; len(points) == 0 || len(r.people) > 0 ||
		slices.ContainsFunc(points, several) {
		return
	}
	stated := words()["away"].FindStringSubmatch(timesForm.ReplaceAllString(r.delexicalized(), " "))
	for _, name := range stated[min(1, len(stated)):] {
		r.here = r.here || words()["here"].MatchString(name)
		if name != "" && !r.here && !words()["not away"].MatchString(name) {
			first, n := utf8.DecodeRuneInString(name)
			r.away = string(unicode.ToUpper(first)) + name[n:]
			return
		}
	}
}

// onDays reports whether times are days, of which no hours are named.
func onDays(points []*timed) bool {
	return !slices.ContainsFunc(points, func(t *timed) bool {
		return t.Exact != nil || !t.Hours.Empty() || len(t.Dates) != 1
	})
}

// timesForm are times, each with the small words before it, and what joins them.
var timesForm = regexp.MustCompile(`(?i)(?:(?:^|[\s,]+)(?:and|through|thru|e|y|u|on|from|for|to|until|till|all|day|` +
	`of|at|the|starting|this|del?|desde|hasta|para|por|a|el|la|los|las|todo|toda|` +
	`ביום|בימים|בימי|יום|מ?יום|החל|עד|כל|ה?ימים|ו|-|–)` +
	`)*[\s,]*(?:ו|מ|ל|ב|ה)*-?\{time\}`)
