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
	return cmp.Or(r.strangeName(form("of stranger")), r.strangeName(form("stranger wrote")))
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
