package message

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"convene/pkg/meet"
)

//go:embed data/reasons.json
var reasonsJSON []byte

// reasons are why a calendar was not read, by language and by what English says. A test reads the embedded file, so
// that it cannot be broken here.
var reasons = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	if err := json.Unmarshal(reasonsJSON, &all); err != nil {
		return nil
	}
	return all
})

// anyReason stands for those that have no words of their own in a language: each provider has some for itself.
const anyReason = "the calendar could not be read"

// Unread is why a calendar was not read, in the language. English says it in the provider's own words, and so does a
// language that nobody has written for.
func Unread(language, reason string) string {
	base, _, _ := strings.Cut(strings.ToLower(language), "-")
	own, known := reasons()[base]
	switch {
	case !known || reason == "":
		return reason
	case own[reason] != "":
		return own[reason]
	default:
		return own[anyReason]
	}
}

// reason is a change that would help, in the language of the message: by its kind where the language has words for
// that.
func (f *Facts) reason(r meet.Reason, p *wording) string {
	pattern := p.Reasons[string(r.Change)]
	if pattern == "" {
		return f.marked(oneLine(r.Text, titleLimit))
	}
	return fill(pattern, "name", f.Name(r.Name), "times", counted(p.Slots, r.Times))
}

// Reasons are the reasons with their texts in the language, for where they are shown by themselves. English, and a
// language that nobody has written for, says them in the words that they came with, which name the days and hours too.
func (f *Facts) Reasons(list []meet.Reason) []meet.Reason {
	if f.spoken() == english {
		return list
	}
	f, list = f.plainly(), slices.Clone(list)
	for i, r := range list {
		list[i].Text = f.reason(r, f.phrases())
	}
	return list
}

// Conflicts are the slots with the texts of their conflicts in the language, as Reasons are.
func (f *Facts) Conflicts(slots []meet.Slot) []meet.Slot {
	if f.spoken() == english {
		return slots
	}
	reader := f.plainly()
	guest := *reader
	guest.Organizer = meet.Person{} // nobody is "you", not even who has the same name
	slots = slices.Clone(slots)
	for i := range slots {
		slots[i].Conflicts = slices.Clone(slots[i].Conflicts)
		for j, c := range slots[i].Conflicts {
			about := &guest
			if c.Person == f.Organizer.ID {
				about = reader
			}
			slots[i].Conflicts[j].Text = about.hint(c.Kind, []string{c.Name}, f.phrases())
		}
	}
	return slots
}

// plainly are the facts for a text that is no Markdown.
func (f *Facts) plainly() *Facts {
	plain := *f.Prepared()
	plain.plain = true
	return &plain
}
