package ground

import (
	"regexp"
)

// ofOneEvent reads messages that consist of nothing but the name of one event and what is told or asked of it: it is
// shown whole ("show me the dentist"), or is at another time from now on ("the call with the family is at 6 this
// Sunday, just this once").
func ofOneEvent(m Message) Reading {
	m.Text = thisOnce.ReplaceAllString(m.Text, "")
	shows, moves := showsOne.MatchString(m.Text), isThen.MatchString(m.Text)
	if !shows && !moves {
		return Reading{}
	}
	for _, way := range newReading(m).ways() {
		if len(way.of(Event)) != 1 || len(way.found) != 1 || len(way.people)+len(way.quoted) > 0 {
			continue
		}
		text := way.delexicalized()
		switch {
		case shows && showsAlone.MatchString(text):
			way.deed = "ask_agenda"
			return way.certainly(tell("details")(way))
		case moves && isAlone.MatchString(text):
			way.deed = "event_move"
			if tool, call := way.move(); tool != "" && !way.left() {
				return way.certainly(tool, call)
			}
		}
	}
	return Reading{}
}

// certainly is the reading of a message that asks for a call and nothing else.
func (r *reading) certainly(tool string, call arguments) Reading {
	d := deeds[r.deed]
	if scope := r.scope(d); scope != "" {
		call["scope"] = scope
	}
	read := undoubted(r.deed, tool, call)
	if read.Tool != "" {
		read.Reads, read.Clear, read.Plain, read.Sure = d.reads, r.single(), !r.guessed, r.single() && d.reads
	}
	return read
}

// showsOne and isThen are what such messages have, and showsAlone and isAlone all that they say.
var (
	showsOne   = regexp.MustCompile(`(?i)^\s*(?:show me|muéstrame|תראה לי את) `)
	showsAlone = regexp.MustCompile(`(?i)^\s*(?:show me|muéstrame|תראה לי את) ` + itsName + `[\s.?!]*$`)

	isThen = regexp.MustCompile(`(?i)(?:['’]s| (?:is|starts|begins|will be|moved|moves|es|empieza|será|pasa|se pasa|` +
		`יהיה|תהיה|עבר|עברה|זז|זזה|מתחילה?)) `)
	isAlone = regexp.MustCompile(`(?i)^\s*(?:(?:so|oh|fyi|btw|actually|note that|ah|por cierto|oye|אגב)[, ]+)*` + itsName +
		`(?:['’]s| (?:is|starts|begins|will be|(?:has |got |was |has been )?moved?s?|es|empieza|será|(?:se )?pasa|` +
		`יהיה|תהיה|עבר|עברה|זז|זזה|מתחילה?))` +
		`(?: (?:now|actually|instead|gonna be|going to be|to|at|on|a|ahora|el|עכשיו|ל))* ?[בל]?-?\{time\}` +
		`(?:[, ]+(?:instead|now))?[\s.!]*$`)

	// thisOnce says that nothing else changes, which is so anyway.
	thisOnce = regexp.MustCompile(`(?i)[, ]+(?:(?:just|only|but only) )?(?:(?:for )?this (?:once|(?:one )?time)|` +
		`for once|` +
		`solo esta vez|(?:por )?esta vez|רק הפעם|הפעם)[\s.!]*$`)
)

// itsName is an event with what stands before its name.
const itsName = `(?:(?:the|my|our|el|la|los|las|mi|nuestr[oa]) |ה)?\{event\}`
