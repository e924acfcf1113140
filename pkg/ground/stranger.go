package ground

import (
	"cmp"
	"regexp"
	"strings"

	"convene/pkg/agenda"
)

// ofStranger lists the mails from somebody, or to them, who is not known.
func (r *reading) ofStranger(side, who string) (string, arguments) {
	if words()["anyone"].MatchString(who) {
		return "", nil // "from my contacts": nobody is named
	}
	selection := arguments{side: []string{who}}
	if r.says("unread") {
		selection["unread"] = true
	}
	return "email_search", arguments{"query": nil, "selection": selection, "limit": nil}
}

// stranger is who is said to have sent a mail, if nobody who did is called so: "any mail from the landlord?", "did the
// landlord write?".
func (r *reading) stranger() string {
	return cmp.Or(r.strangeName(ofStranger), r.strangeName(strangerWrote))
}

// strangerOfMails is the stranger whose mails something is to be done with; empty if anybody else is named.
func (r *reading) strangerOfMails() string {
	if !r.isMail() || len(r.people) > 0 {
		return ""
	}
	return r.stranger()
}

// strangeName is who is named by one of the groups of a form.
func (r *reading) strangeName(form *regexp.Regexp) string {
	at := form.FindStringSubmatch(r.delexicalized())
	if at == nil {
		return ""
	}
	who := strings.TrimSpace(strings.Join(at[1:], ""))
	if i := strings.LastIndex(who, " "); tells(agenda.Fold(who[i+1:])) <= leastSubject {
		return ""
	}
	return who
}

// ofStranger is what stands after a mail and "from", up to what joins clauses, strangerWrote between words that ask
// whether somebody wrote, and toStranger after what the user wrote.
var (
	ofStranger = regexp.MustCompile(`(?i)(?:mails?|messages?|ones?|letters?|newsletters?|stuff|` +
		`(?:any|some|every)thing) (?:from|by) (?:(?:the|my|our|a) )*([\p{L}'’]+(?: [\p{L}'’]+)?)` +
		`(?:$|[^\p{L}\s]|\s(?:and|or|about|that|saying|yet|today|as|to|in|into|older|since)\s)|` +
		`(?:correos?|mensajes?) de(?:l| la| mi| nuestr[oa]) ([\p{L}]+)(?:$|[^\p{L}\s]|\s(?:y|sobre|que)\s)|` +
		`(?:מיילים?|הודעות?|הודעה|דואר)(?: חדש(?:ים|ות|ה)?)? מ(?:ה)?(\p{L}{3,})(?:$|[^\p{L}\s]|\sש)`)
	strangerWrote = regexp.MustCompile(`(?i)\b(?:did|has|have|hasn['’]?t|didn['’]?t) (?:the|my|our) ` +
		`([\p{L}'’]+(?: [\p{L}'’]+)?) (?:last |ever |already |just |finally |actually )?` +
		`(?:writ(?:e|ten)|e?-?mail(?:ed)?|repl(?:y|ied)|answer(?:ed)?|message[d]?|get back)\b|` +
		`(?:escribió|ha escrito|contestó|respondió|ha (?:contestado|respondido)) (?:ya )?(?:el|la|mi) (\p{L}+)\b|` +
		`(?:^|\s)(?:האם )?ה(\p{L}{3,}) (?:כתבה?|ענתה|ענה|השיבה?)(?:$|[^\p{L}])`)
	toStranger = regexp.MustCompile(`(?i)\b(?:` +
		`(?:write|wrote|written|mail(?:ed)?s?|messages?|repl(?:y|ied)|answer(?:ed)?) to|` +
		`e-?mail(?:ed)?) (?:the|my|our) ([\p{L}'’]+)(?: (?:last|yet|already|this week|today))?(?:$|[^\p{L}\s])`)
)
