package offline

import (
	"regexp"
	"slices"
	"strings"
)

// This file reads what calls of the tools of mail say besides a selection.

// composeMail is the tool that writes mails.
const composeMail = "email_compose"

// people reads names of people, or addresses.
func (t *thinging) people(key, said string) bool {
	l := t.letters("")
	names := l.names(said)
	t.set(key, names)
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return len(strings.Fields(name)) > mostNames || t.book.words["pronoun"].MatchString(name)
	})
}

// roleBefore is a role in front of a name: "landlord Rosa Medina".
var roleBefore = regexp.MustCompile(`^(?:\p{Ll}+\s+)+(\p{Lu}.*)$`)

func withoutRole(name string) string {
	if m := roleBefore.FindStringSubmatch(name); m != nil {
		return m[1]
	}
	return name
}

// topic reads what mails are about, with all else that is said of them.
func (t *thinging) topic(_, said string) bool {
	l := t.letters("about")
	ok := l.read(" " + said + " ")
	for name, value := range l.sel {
		t.set("selection."+name, value)
	}
	return ok
}

// fact reads what is looked for in mails: the words of it that mails may have.
func (t *thinging) fact(key, said string) bool {
	const most = 6
	var words []string
	for _, w := range strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(" ,;:.?!\"", r) }) {
		if name, _ := possessor(w); !t.saysOnly("mail.fact", w) && !t.book.words["pronoun"].MatchString(w) {
			words = append(words, name)
		}
	}
	t.sure = true
	t.set(key, []string{strings.Join(words, " ")})
	return len(words) > 0 && len(words) <= most
}

// nounsOfMail are the kinds of words without one of which no mails are named or pointed at.
var nounsOfMail = []string{
	"mail.one", "mail.many", "mail.mass", "mail.box", "mail.thing", "mail.is:newsletter=true", "mail.it",
	"nth=1", "nth=2", "nth=3", "nth=4", "nth=5", "nth=last",
}

// verbsOfMail are the kinds of words without one of which nothing was written.
var verbsOfMail = []string{"mail.sent", "mail.verb"}

// from reads who sent or wrote something, with all else that is said of it: "Dana wrote about the lease". The key says
// that one mail is meant rather than all: what was written.
func (t *thinging) from(key, said string) bool {
	t.sure = true
	l := t.letters("from")
	if !t.book.maySay(said, verbsOfMail) || !l.read(" "+said+" ") || !l.said["sent"] || l.sel["from"] == nil {
		return false
	}
	for name, value := range l.sel {
		t.set("selection."+name, value)
	}
	if since := l.sel["since"]; since != nil && key == "write" {
		delete(t.selected(), "first")
	}
	return true
}

// body reads the text of a mail as it was dictated, without the quotation marks around it.
func (t *thinging) body(key, said string) bool {
	said = strings.TrimSpace(said)
	for _, marks := range []string{"''", `""`, "“”", "‘’", "«»", "״״"} {
		open, end := string([]rune(marks)[0]), string([]rune(marks)[1])
		said = strings.TrimPrefix(said, open)
		at := strings.LastIndex(said, end)
		if at >= 0 && trimmed(said[at+len(end):]) == "" && !strings.Contains(said[:at], open) {
			said = said[:at]
		}
	}
	t.set(key, said)
	return said != ""
}

// settleMail reports whether a call of a tool of mails has what it needs. What looks for more than the folder and the
// marks of mails looks everywhere.
func (t *thinging) settleMail() bool {
	sel := t.selected()
	if t.values["selection.ids"] != nil && t.stands.mails != 1 {
		return false
	}
	single := sel["one"] != nil || sel["ids"] != nil || sel["first"] == 1 || sel["first"] == 1.0
	if t.tool == "email_readEmail" && !single {
		t.tool = "email_viewEmails"
	}
	elsewhere := func(name string) bool { return sel[name] != nil }
	filters := []string{"from", "to", "subject", "words", "named", "hasAttachment"}
	anywhere := sel["folder"] == nil && t.facts.values["urgency"] == nil
	if t.tool == "email_viewEmails" && slices.ContainsFunc(filters, elsewhere) && anywhere {
		t.tool = "email_search"
	}
	return true
}
