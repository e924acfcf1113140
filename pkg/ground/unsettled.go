package ground

import "regexp"

// Unsettled are the words of a message that moves an event which say when by something that nobody knows: "after the
// run" of "move the gym to Saturday after the run". It is empty if there are none.
func Unsettled(m Message) string {
	if !besideWhat.MatchString(m.Text) {
		return ""
	}
	r := bestOf(newReading(m).ways())
	return r.unsettled()
}

// unsettled are such words; what is known stands there as a time.
func (r *reading) unsettled() string {
	if r.deed != "event_move" {
		return ""
	}
	at := besideWhat.FindStringSubmatchIndex(r.delexicalized())
	if at == nil {
		return ""
	}
	from, to := r.original(at[2], at[3])
	if said := r.Text[from:to]; !besideNothing.MatchString(said) {
		return said
	}
	return ""
}

// besideWhat is a time that is told by something else, at the end of what is said, and besideNothing only looks like
// it, or points to what was said before.
var (
	besideWhat = regexp.MustCompile(`(?i)(?:^|\s)((?:(?:right|just|straight|shortly) )?(?:after|before) ` +
		`\p{L}[^{},.;!?]*?|(?:(?:justo|poco) )?(?:después|despues|antes) del? \p{L}[^{},.;!?]*?|` +
		`(?:(?:מיד|קצת) )?(?:אחרי|לפני) ש?ה?-?\p{L}[^{},.;!?]*?)(?:[,.;!?]|$|\s(?:on|el|ביום|ב-?)\s?\{time\})`)
	besideNothing = regexp.MustCompile(`(?i)^\S+ (?:\S+ )?(?:all|long|too long|it|that|this|then|them|eso|esto|` +
		`ell[oa]|todo|nada|` +
		`ה?כול|ה?כל|זה|זאת|כן)\s*$`)
)
