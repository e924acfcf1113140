package ground

import (
	"slices"
	"strings"
	"sync"
)

// What code refuses because nothing here can do it, as Reading.Refuses has it. A mail that
// waits is reworded by nobody.
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

// Refuses is what a message asks for that nobody here can do, or hangs it on, and the language of the words that say
// so; empty if that is nothing.
func Refuses(text string) (what, language string) {
	if before, _, ok := strings.Cut(text, ":"); ok && words()["dictating"].MatchString(before) {
		text = before // the rest is what is to be written
	}
	for _, way := range refusing() {
		at := way.form.FindStringSubmatchIndex(text)
		if at != nil && (way.what != Watch || hangsOnOthers(text, at)) {
			return way.what, way.language
		}
	}
	return "", ""
}

// hangsOnOthers reports whether a condition at a place of a text is of somebody else than the user and the assistant,
// and binds what is asked for: it is no question, and no part of what is to be written.
func hangsOnOthers(text string, at []int) bool {
	who := ""
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			who = strings.ToLower(text[at[i]:at[i+1]])
		}
	}
	addressed := slices.ContainsFunc(strings.Fields(who), words()["addressed"].MatchString)
	begins := strings.TrimSpace(form("leads").ReplaceAllString(text[:at[0]], "")) == ""
	if !begins && words()["questions"].MatchString(text) {
		return false
	}
	asks := words()["asks what"].MatchString(text) || words()["dictating"].MatchString(text[:at[0]])
	return !addressed && (begins || !asks)
}

// refusal is a way to ask for what is refused.
type refusal struct {
	what string
	inLanguage
}

// refusing are the ways to ask for what is refused; those of conditions have their subjects as groups.
var refusing = sync.OnceValue(func() (all []refusal) {
	lines("words/*.txt", func(name, rest string) {
		if of, ok := strings.CutPrefix(name, "refuse "); ok {
			what, language, _ := strings.Cut(of, ".")
			for form := range strings.SplitSeq(rest, " | ") {
				all = append(all, refusal{what, inLanguage{language, betweenLetters(form)}})
			}
		}
	})
	return all
})
