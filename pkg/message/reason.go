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

// reasons are why a calendar was not read, by language and English text. A test reads the embedded file, so that it is
// valid here.
var reasons = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	if err := json.Unmarshal(reasonsJSON, &all); err != nil {
		return nil
	}
	return all
})

// anyReason covers reasons without a translation: each provider has its own.
const anyReason = "the calendar could not be read"

// Unread translates the reason why a calendar was not read. English, and a language without translations, keeps the
// provider's own words.
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

// reason describes a change that would help, by its kind if the language has words for it.
func (f *Facts) reason(r meet.Reason, p *wording) string {
	pattern := p.Reasons[string(r.Change)]
	if pattern == "" {
		return f.marked(oneLine(r.Text, titleLimit))
	}
	return fill(pattern, "name", f.Name(r.Name), "times", counted(p.Slots, r.Times))
}

// Reasons translates the reasons' texts to be shown by themselves. English, and a language without translations, keeps
// the original texts, which name days and hours too.
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

// Conflicts translates the texts of the slots' conflicts, as Reasons does.
func (f *Facts) Conflicts(slots []meet.Slot) []meet.Slot {
	if f.spoken() == english {
		return slots
	}
	reader := f.plainly()
	guest := *reader
	guest.Organizer = meet.Person{} // no "you", not even for a namesake
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

// plainly are the facts for plain text.
func (f *Facts) plainly() *Facts {
	plain := *f.Prepared()
	plain.plain = true
	return &plain
}
