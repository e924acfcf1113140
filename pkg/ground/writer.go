package ground

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"convene/pkg/agenda"
)

// Writer is who wrote a mail, by whom a message means someone without a name, and the message with the name.
type Writer struct {
	Name, Address string
	// Language is that of the words.
	Text, Language string
}

// WriterIn finds in a message whom it means by a mail: "with whoever wrote this", or "with him" after one mail was
// shown. It is zero if the message says nothing like that, and has no name if nothing tells which mail is meant.
func WriterIn(m Message) (w Writer) {
	for _, form := range writing() {
		language, form := form.language, form.form
		at := form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		who, about := form.SubexpIndex("who"), form.SubexpIndex("about")
		topic := ""
		if about > 0 && at[2*about] >= 0 {
			topic = m.Text[at[2*about]:at[2*about+1]]
		}
		if by := m.writerOf(topic); by != nil {
			text := m.Text[:at[2*who]] + by.Sender + m.Text[at[2*who+1]:]
			return Writer{Name: by.Sender, Address: by.Address, Text: text, Language: language}
		}
		if strings.Contains(strings.TrimSpace(m.Text[at[2*who]:at[2*who+1]]), " ") { // not only "him"
			return Writer{Language: language}
		}
	}
	return w
}

// writing are the ways to mean the one who wrote a mail: the group "who" stands for a name, "about" is what the mail is
// about.
var writing = sync.OnceValue(func() (all []inLanguage) {
	lines("words/*.txt", func(name, rest string) {
		if language, ok := strings.CutPrefix(name, "writer."); ok {
			for form := range strings.SplitSeq(rest, " | ") {
				all = append(all, inLanguage{language, betweenLetters(form)})
			}
		}
	})
	return all
})

// inLanguage is an expression of a language.
type inLanguage struct {
	language string
	form     *regexp.Regexp
}

// writerOf is the letter of the one who wrote what is meant: all mails about something or, without a topic, the one
// that was shown last. Nil if several people wrote them.
func (m Message) writerOf(topic string) (by *Letter) {
	stems := slices.DeleteFunc(agenda.Stems(topic), agenda.Idle)
	if len(stems) == 0 && len(m.Last) != 1 || m.Mails == nil {
		return nil
	}
	for _, t := range m.Mails() {
		has := namesIn(t.Title)
		missing := func(s string) bool {
			return !slices.ContainsFunc(has, func(o string) bool { return agenda.SameThing(s, o) })
		}
		own := t.Letter.Folder == "sent" || t.Letter.Folder == "drafts"
		if own || len(stems) == 0 && t.ID != m.Last[0] || slices.ContainsFunc(stems, missing) {
			continue
		}
		if by != nil && !strings.EqualFold(by.Address, t.Letter.Address) {
			return nil
		}
		by = t.Letter
	}
	return by
}

// WroteShown is who wrote the mails that were shown last, or that the turn before made something of. It is zero if
// there are none, or several people wrote them.
func WroteShown(m Message) (by Person) {
	if m.Mails == nil || len(m.Last) == 0 {
		return by
	}
	shown := func(t Thing) bool { return slices.Contains(m.Last, t.ID) || slices.Contains(m.Before.mails(), t.ID) }
	for _, t := range keep(m.Mails(), shown) {
		if by.Address != "" && !strings.EqualFold(by.Address, t.Letter.Address) {
			return Person{}
		}
		by = Person{Name: t.Letter.Sender, Said: t.Letter.Sender, Address: t.Letter.Address}
	}
	return by
}

// withWriter is a message that is about the mails which were seen last. One that answers "him", of several that one
// person wrote, has the name of that person; and "reply that …" is of the mail that the turn before was about, also if
// it made something of that: a task, or another answer.
func (m Message) withWriter(mails []Thing) Message {
	last := keep(mails, func(t Thing) bool { return slices.Contains(m.Last, t.ID) })
	written := m.Before.Tool == "email_compose" || slices.ContainsFunc(meanings(m.Text), func(c string) bool {
		return c == "reply" || c == "forward"
	})
	if len(last) == 0 && written && len(m.Last) > 0 { // without any, nothing is to be pointed at
		about := m.Before.mails()
		last = keep(mails, func(t Thing) bool { return slices.Contains(about, t.ID) })
		if len(last) > 0 {
			m.Last = about
		}
	}
	other := func(t Thing) bool { return !strings.EqualFold(t.Letter.Address, last[0].Letter.Address) }
	if len(last) < 2 || slices.ContainsFunc(last, other) {
		return m
	}
	for _, form := range introducing()["him"] {
		at := form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		name := last[0].Letter.Sender
		if at[2] == at[3] {
			name = " a " + name // "dile"
		} else if strings.HasPrefix(m.Text[at[2]:], "אות") {
			name = "את " + name
		}
		m.Text = m.Text[:at[2]] + name + m.Text[at[3]:]
		m.People = append(slices.Clone(m.People), Person{
			Name: last[0].Letter.Sender, Said: last[0].Letter.Sender, Address: last[0].Letter.Address,
		})
		break
	}
	return m
}

// mails are the ids of the mails that a call selects.
func (c Call) mails() (ids []string) {
	var call struct{ Selection struct{ IDs []string } }
	if strings.HasPrefix(c.Tool, "email_") && json.Unmarshal(c.Arguments, &call) == nil {
		ids = call.Selection.IDs
	}
	return ids
}
