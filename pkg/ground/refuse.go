package ground

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What code refuses because nothing here can do it, as Reading.Refuses has it, in the order in which it is looked for.
// A mail that waits is reworded by nobody.
const (
	// Watch is to wait for what others say or do, or for the weather.
	Watch = "watch"
	// Unsubscribe is to leave a newsletter.
	Unsubscribe = "unsubscribe"
	// Obey is to do what a mail says.
	Obey = "obey"
	// Reword is to change the words of a mail without being told which ones.
	Reword = "reword"
)

// Refuses is what a message asks for that nobody here can do, or hangs it on; empty if that is nothing.
func Refuses(text string) string {
	if before, _, ok := strings.Cut(text, ":"); ok && words()["dictating"].MatchString(before) {
		text = before // the rest is what is to be written
	}
	for _, form := range refusing() {
		at := form.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		who, begins := "", strings.TrimSpace(leads.ReplaceAllString(text[:at[0]], "")) == ""
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				who = strings.ToLower(text[at[i]:at[i+1]])
			}
		}
		addressed := slices.ContainsFunc(strings.Fields(who), func(w string) bool { return words()["addressed"].MatchString(w) })
		asks := words()["asks what"].MatchString(text) || words()["dictating"].MatchString(text[:at[0]])
		if !addressed && (begins || !asks) {
			return Watch
		}
	}
	for _, what := range []string{Unsubscribe, Obey} {
		if words()["refuse "+what].MatchString(text) {
			return what
		}
	}
	return ""
}

// refusing are the conditions that nobody watches for, each with its subject.
var refusing = sync.OnceValue(func() (all []*regexp.Regexp) {
	lines("words.txt", func(name, rest string) {
		if name == "refuse "+Watch {
			for form := range strings.SplitSeq(rest, " | ") {
				all = append(all, regexp.MustCompile(`(?i)(?:^|[^\p{L}])`+form+`(?:$|[^\p{L}])`))
			}
		}
	})
	return all
})

// leads are words before a condition that say nothing.
var leads = regexp.MustCompile(`(?i)\b(?:and|but|so|ok|okay|please|also|then|only|y|pero|entonces)\b|[\s,]+`)
