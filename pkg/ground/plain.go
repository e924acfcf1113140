package ground

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/when"
)

// plainDeeds are deeds of no thing that some words tell by themselves.
var plainDeeds = []string{
	"mail_compose", "mail_reply", "contact_save", "event_place", "ask_free", "day_clear", "event_length", "note_save",
	"note_delete", "ask_note", "preference_set", "list_create", "ask_list", "task_create", "item_done", "task_due",
	"task_remind", "ask_tasks", "ask_contact", "ask_count", "mail_flag", "mail_ask", "mail_task", "mail_delete",
	"mail_archive", "task_done", "ask_agenda", "item_add", "block_create",
	"day_lighten", "event_move",
}

// ownDeeds are deeds whose words plainly tell that the rest of the message is the user's own: it names nothing.
var ownDeeds = []string{"task_create", "note_save", "list_create"}

// inOwnWords is a message without what its words may name, if these are plainly what is to be kept: "create a task to
// answer al". A list may be named besides.
func inOwnWords(m Message) Message {
	if at := words()["joining"].FindStringSubmatchIndex(m.Text); at != nil {
		m.Text = m.Text[max(at[2], at[4], at[6]):] // "and tell al …"
	}
	ofMail := words()["onto"].MatchString(m.Text) && words()["mail"].MatchString(m.Text) // "put al's mail on my tasks"
	own := func(deed string) bool { return words()["plainly "+deed].MatchString(m.Text) }
	if slices.ContainsFunc(ownDeeds, own) && !ofMail {
		m.Things = keep(m.Things, func(t Thing) bool { return t.Kind == List })
		m.Mails = nil
	}
	reminds := words()["to be reminded"].MatchString(m.Text) && !Joins(m.Text)
	if reminds && !words()["beside event"].MatchString(m.Text) {
		m.Things = keep(m.Things, func(t Thing) bool { return t.Kind != Event }) // "remind me to cancel the gym"
	}
	return m
}

// inPlainWords is a text, or the one of plain words that asks for the same: "what's next?" is "when is my next event".
// A "$" among these is what the text says in its place.
func inPlainWords(text string) string {
	for name, form := range words() {
		if plain, ok := strings.CutPrefix(name, "means "); ok && form.MatchString(text) {
			if at := captured(name, text); at != nil {
				plain = strings.Replace(plain, "$", text[at[0]:at[1]], 1)
			}
			return plain
		}
	}
	return text
}

// captured is where what the expressions of a name leave open stands in a text; nil if none of them fits.
func captured(name, text string) []int { return openIn(words()[name], text) }

// openIn likewise, of an expression.
func openIn(form *regexp.Regexp, text string) []int {
	at := form.FindStringSubmatchIndex(text)
	for i := 2; i < len(at); i += 2 {
		if at[i] >= 0 {
			return at[i : i+2]
		}
	}
	return nil
}

// withNoun is a message that means one of the things that were shown last, with a word for what they are: after mails
// "the hiring one" is a mail.
func withNoun(m Message) string {
	family, _, _ := strings.Cut(m.Before.Tool, "_")
	noun := map[string]string{"email": "mail", "task": "task", "note": "note"}[family]
	at := form("one of these").FindStringSubmatchIndex(m.Text)
	if noun == "" || at == nil {
		return m.Text
	}
	ordinal := onlySays(m.Text[at[4]:at[5]], "first", "second", "third", "fourth", "last", "other", "next")
	before := m.Text[:at[0]]
	if ordinal || words()["dictating"].MatchString(before) || strings.ContainsAny(before, `:"“`) {
		return m.Text // or it is what is to be written
	}
	return m.Text[:at[3]] + " " + noun + m.Text[at[1]:]
}

// plainly tells the deed by words that mean it whatever was learned; false if none do.
func (r *reading) plainly() bool {
	if r.namesOnly() && r.grouped() { // "all that tom has in review" only asks for it
		r.deed, r.probability, r.ofMail, r.other = "ask_tasks", Surely, 0, 1
		return true
	}
	if r.findAway(); r.away != "" {
		r.deed, r.probability, r.alone, r.other, r.ofMail = "block_create", Surely, Surely, 1, 0
		return true
	}
	if r.here {
		r.deed, r.probability, r.alone, r.other, r.ofMail = "none", Surely, Surely, 1, 0
		return true
	}
	if name := r.takesAway(); name != "" {
		r.deed, r.probability, r.alone, r.other, r.ofMail = name, Surely, Surely, 1, 0
		return true
	}
	for _, name := range plainDeeds {
		if !r.can(name) || !r.plainlySays(name) {
			continue
		}
		r.deed, r.probability, r.alone, r.other, r.ofMail = name, plainlyNew, plainlyNew, 1, 0
		if deeds[name].reads || name == "event_length" {
			r.probability = Surely
		}
		if r.isMail() {
			r.ofMail = 1
		}
		return true
	}
	return false
}

// takesAway is the deed that takes away what a number means of the tasks or items that were listed, as it is said of
// events too: "cancel the first one".
func (r *reading) takesAway() string {
	if !r.pointed || !words()["pointing"].MatchString(r.Text) || !r.onlyCancels() {
		return ""
	}
	return map[Kind]string{Task: "task_delete", Item: "item_remove"}[r.found[0].kind]
}

// plainlySays reports whether words of a deed stand in the message, and none that mean another one.
func (r *reading) plainlySays(name string) bool {
	says := r.says("plainly " + name)
	switch name {
	case "ask_agenda":
		return says || r.says("to come") && len(r.found) == 0 && !r.says("oftask") && !r.isMail()
	case "note_save":
		return says || r.says("a note of")
	case "ask_contact":
		return says || r.says("all contacts") || captured("whose detail", r.Text) != nil ||
			words()["asks for birthdays"].MatchString(r.Text)
	case "ask_tasks":
		return says || r.Before.Tool == "task_viewTasks" && captured("of those", r.Text) != nil ||
			r.says("time to spare") && len(r.points()) == 1 && r.points()[0].ahead(r.Now) > 0
	case "task_due": // "push it back a week"
		return says || r.pointed && len(r.of(Task)) > 0 && len(r.times) == 1 && r.times[0].Shift != (when.Shift{})
	case "contact_save":
		return (says || captured("new contact", r.Text) != nil) && !r.says("a note of")
	case "ask_note":
		return says && !r.says("mail")
	case "mail_reply":
		return says || len(r.mails) > 0 && r.says("bare reply")
	case "mail_ask":
		return says || InMail(r.Text) != nil
	case "task_create":
		return says || r.says("one task") || len(r.found) == 0 && !r.isMail() && r.says("to be reminded") && !Joins(r.Text)
	}
	return says
}
