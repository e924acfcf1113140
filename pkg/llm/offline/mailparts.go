package offline

import (
	"slices"
	"strings"
)

// This file makes members of a selection of the parts of what was said of mails.

// settle makes members of the selection of the parts; it is not ok if a part is left, or may be another request.
func (l *letters) settle() bool {
	const most = 4
	if n := len(l.parts["lead"]); len(l.parts["rest"]) > 0 ||
		n > 0 && (len(l.nouns) == 0 || n > most || l.nouns["box"]) {
		return false
	}
	for _, part := range []string{"from", "to"} {
		names := l.names(strings.Join(l.parts[part], " "))
		if l.said[part] && len(names) == 0 || slices.ContainsFunc(names, l.isNoName) {
			return false // a name that is not read must not be lost
		}
		if len(names) > 0 {
			l.add(part, names...)
		}
	}
	about := "words"
	if l.intent() == act && l.tool != "email_createTaskFromEmail" && (l.nouns["many"] || l.any) {
		about = "subject" // what changes several goes by what they are about, and not by any word in them
	}
	for part, name := range map[string]string{"about": about, "lead": "named"} {
		said := l.about(l.parts[part])
		if l.ordersMore(said) {
			return false
		}
		if said != "" {
			l.add(name, said)
		}
	}
	return true
}

// ordersMore reports whether a part of a text begins as another request.
func (l *letters) ordersMore(said string) bool {
	clauses := strings.Split(l.book.words["and"].ReplaceAllString(said, ", "), ", ")
	return slices.ContainsFunc(clauses, func(clause string) bool { return l.beginsWith("mail.deed", clause+" ") })
}

// isNoName reports whether words are no name: a pronoun, a time, or another request.
func (l *letters) isNoName(said string) bool {
	const most = 6
	return len(strings.Fields(said)) > most || l.beginsWith("mail.deed", said+" ") ||
		l.book.words["pronoun"].MatchString(said) || l.setting.Read(said, l.now).Says()
}

// names are names that are joined.
func (l *letters) names(said string) (names []string) {
	const kept = "\x00" // "Bright & Co." is one name
	said = joinedItem.ReplaceAllString(strings.ReplaceAll(said, "&", kept), ", $1")
	said = l.book.words["mail.or"].ReplaceAllString(l.book.words["and"].ReplaceAllString(said, ", "), ", ")
	for part := range strings.SplitSeq(said, ",") {
		part = trimmed(strings.ReplaceAll(part, kept, "&"))
		if part = withoutRole(firstOf(l.bare(part), part)); part != "" {
			names = append(names, part)
		}
	}
	return names
}

// topic is what mails are about, without articles, also those that are written in front of a word.
func (l *letters) about(words []string) string {
	said := l.bare(strings.Join(words, " "))
	if form := l.book.words["mail.article"]; form != nil {
		words = strings.Fields(said)
		for i, w := range words {
			if bare := l.attached("mail.article", w); bare != "" {
				words[i] = bare
			}
		}
		said = strings.Join(words, " ")
	}
	return said
}
