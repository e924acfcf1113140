package offline

import (
	"encoding/json"
	"regexp"
	"strings"

	"convene/pkg/interval"
)

// joinedItem is an "and" that is written in front of a word.
var joinedItem = regexp.MustCompile(`\sו(\p{Hebrew}{2,})`)

// items reads things of a list, one after the other. What a pronoun means is not known, and statements and what nobody
// buys are no things.
func (t *thinging) items(key, said string) bool {
	var items []string
	said = joinedItem.ReplaceAllString(said, ", $1")
	for part := range strings.SplitSeq(t.book.words["and"].ReplaceAllString(said, ", "), ",") {
		if part = t.bareItem(part); part == "" {
			continue
		}
		for _, kind := range []string{"pronoun", "statement", "nothing"} {
			at := t.book.words[kind].FindStringIndex(part)
			if at != nil && at[0] == 0 && (kind == "statement" || at[1] == len(part)) {
				return false
			}
		}
		items = append(items, part)
	}
	if len(items) > 0 {
		t.set(key, items)
	}
	return len(items) > 0
}

// amount reads one thing of a list, with how many of it there are to be or without.
func (t *thinging) amount(key, said string) bool {
	said = t.bareItem(said)
	t.set(key, []string{said})
	return said != "" && !t.book.words["pronoun"].MatchString(said) && !t.setting.Read(said, t.now).Says()
}

// many reads how many there are to be of the thing that was read before.
func (t *thinging) many(key, said string) bool {
	items, _ := t.facts.values[key].([]string)
	t.set(key, []string{said + " " + strings.Join(items, "")})
	return len(items) == 1
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
	if said == "" || t.book.words["pronoun"].MatchString(said) || strings.Contains(said, ",") {
		return said == ""
	}
	_, reason := t.book.reasoned(said)
	t.set(key, said)
	return reason == ""
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
	said = t.bare(said)
	t.set(key, said)
	return said != "" && t.book.words["pronoun"].FindString(said) != said
}

// noted reads what people keep notes about, and ask for without a word about notes: codes, sizes, recipes.
func (t *thinging) noted(key, said string) bool {
	return t.book.words["noted"].MatchString(said) && !t.setting.Read(said, t.now).Says() && t.about(key, said)
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

// mailIn and phoneIn find an address and a telephone number in a text.
var mailIn, phoneIn = regexp.MustCompile(mailForm), regexp.MustCompile(`\+?\d[\d\s().-]{4,}\d`)

// card reads what is said of a person to keep it: a name, and addresses, a number, or what they do.
func (t *thinging) card(key, said string) bool {
	mails := mailIn.FindAllString(said, -1)
	phone := phoneIn.FindString(said)
	role := ""
	said = phoneIn.ReplaceAllString(mailIn.ReplaceAllString(said, " "), " ")
	if at := t.book.words["role"].FindStringSubmatchIndex(said); at != nil {
		role = trimmed(said[at[4]:at[5]])
		said = said[:at[0]] + "," + said[at[1]:]
	}
	var parts []string
	for part := range strings.SplitSeq(t.book.words["field"].ReplaceAllString(said, ","), ",") {
		if _, after, ok := strings.Cut(part, ": "); ok {
			part = after // no name has a colon
		}
		if part = t.bare(part); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 2 && role == "" {
		parts, role = parts[:1], parts[1]
	}
	if len(parts) != 1 || !t.who(key, parts[0]) {
		return false
	}
	for name, value := range map[string]string{"phone": phone, "role": role} {
		if value != "" {
			t.set(name, value)
		}
	}
	if len(mails) > 0 {
		t.set("emails", mails)
	}
	return true
}

// person is a card that begins with the name, and has an address or a number, or says what they are to the user.
func (t *thinging) person(key, said string) bool {
	reached := mailIn.MatchString(said) || phoneIn.MatchString(said) || t.book.words["role"].MatchString(said)
	if !reached || !t.card(key, said) {
		return false
	}
	name, _ := t.facts.values[key].(string)
	return strings.HasPrefix(t.bare(said), name)
}

// bornIn is a year in which people now alive are born.
var bornIn = regexp.MustCompile(`\b(?:19|20)\d\d\b`)

// birthday reads a day of any year, or of the one that is said.
func (t *thinging) birthday(key, said string) bool {
	r := t.setting.Read(said, t.now)
	first, last, dated := datesOf(r)
	day, _, ok := t.moment(r)
	if ok = ok && dated && first == last; ok {
		year := "-"
		if born := bornIn.FindString(said); born != "" {
			year = born
		}
		t.set(key, year+day.String()[len("2006"):])
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

// keys reads which preference is meant, by words for it. Beside them only its days and hours may be said: "my boss's
// home address" is none.
func (t *thinging) keys(key, said string) bool {
	var keys []string
	for name, form := range t.book.words {
		k, is := strings.CutPrefix(name, "key=")
		if !is || !form.MatchString(said) {
			continue
		}
		rest := trimmed(form.ReplaceAllString(said, " "))
		if t.bare(rest) != "" && !t.covered(rest, t.setting.Read(rest, t.now)) {
			return false
		}
		keys = append(keys, k)
	}
	t.set(key, keys)
	return len(keys) == 1
}

// place reads where something is, in words.
func (t *thinging) place(key, said string) bool {
	t.set(key, said)
	return !t.setting.Read(said, t.now).Says() && !t.book.words["pronoun"].MatchString(said)
}

// prefers makes an update of a preference of what was read: its value, or the members of it.
func (t *thinging) prefers() bool {
	key := t.facts.values["key"]
	delete(t.facts.values, "key")
	value, single := t.facts.values["value"]
	if !single {
		value = t.facts.values
	}
	raw, err := json.Marshal(value)
	t.facts = &facts{values: map[string]any{}}
	t.need([]map[string]any{{"key": key, "value": string(raw), "days": []string{}, "without": []window{}}}, "updates")
	return err == nil
}
