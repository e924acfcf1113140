package offline

import (
	"regexp"
	"strings"

	"convene/pkg/interval"
)

// joinedItem is an "and" that is written in front of a word.
var joinedItem = regexp.MustCompile(`\sו(\p{Hebrew}{2,})`)

// items reads things of a list, one after the other.
func (t *thinging) items(key, said string) bool {
	var items []string
	said = joinedItem.ReplaceAllString(said, ", $1")
	for part := range strings.SplitSeq(t.book.words["and"].ReplaceAllString(said, ", "), ",") {
		if part = t.bareItem(part); part != "" {
			items = append(items, part)
		}
	}
	if len(items) > 0 {
		t.set(key, items)
	}
	return len(items) > 0
}

// bareItem is an item without its article; "those small cheeses" are more than cheeses.
func (t *thinging) bareItem(said string) string {
	said = trimmed(said)
	if at := t.book.words["article"].FindStringIndex(said); at != nil && at[0] == 0 {
		said = said[at[1]:]
	}
	return trimmed(said)
}

// name reads what a list is called; without a name it is for the tool to decide.
func (t *thinging) name(key, said string) bool {
	said = t.bare(said)
	if said == "" || t.book.words["pronoun"].MatchString(said) {
		return said == ""
	}
	t.set(key, said)
	return true
}

// verbatim reads a text as it stands. What the user has on some day is an event, and no note.
func (t *thinging) verbatim(key, said string) bool {
	plans := t.book.words["plans"].FindStringIndex(said)
	if plans != nil && plans[0] == 0 && len(t.setting.Read(said, t.now).Dates) > 0 {
		return false
	}
	t.set(key, said)
	return true
}

func (t *thinging) texts(key, said string) bool {
	t.set(key, []string{t.bare(said)})
	return true
}

// about reads what notes are about.
func (t *thinging) about(key, said string) bool {
	if said = t.bare(said); t.book.words["pronoun"].MatchString(said) {
		return false
	}
	t.set(key, said)
	return said != ""
}

// mostNames is how many words a name or a role has at most.
const mostNames = 3

// who reads a person: by name, or by what they do.
func (t *thinging) who(key, said string) bool {
	said = t.bare(said)
	if said == "" || len(strings.Fields(said)) > mostNames || t.book.words["pronoun"].MatchString(said) ||
		t.setting.Read(said, t.now).Says() {
		return false
	}
	t.set(key, said)
	return true
}

func (t *thinging) mails(key, said string) bool {
	t.set(key, []string{said})
	return true
}

// birthday reads a day of any year.
func (t *thinging) birthday(key, said string) bool {
	day, _, ok := t.moment(t.setting.Read(said, t.now))
	if ok {
		t.set(key, "--"+day.String()[len("2006-"):])
	}
	return ok
}

// window reads the days in which notes were written, or on which birthdays are.
func (t *thinging) window(key, said string) bool {
	r := t.setting.Read(said, t.now)
	first, last, ok := datesOf(r)
	for _, e := range r.Entities {
		if !e.Days.Start.IsZero() {
			first, last, ok = e.Days.Start, e.Days.End, true
		}
	}
	if !ok || !t.covered(said, r) {
		return false
	}
	t.set(key, windowOf(interval.DateRange{Start: first, End: last}))
	return true
}
