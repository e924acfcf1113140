package ground

import (
	"convene/pkg/agenda"
	"regexp"
	"slices"
	"strings"
)

// ownWords are the user's own words that the deed needs: what is quoted, or what stands at their place.
func (r *reading) ownWords() any {
	if len(r.quoted) == 1 {
		r.quoted[0].used = true
		r.takeWords(r.quoted[0].from, r.quoted[0].to)
		r.useWithin(r.quoted[0].from, r.quoted[0].to)
		r.own = append(r.own, r.quoted[0])
		return strings.TrimSpace(r.quoted[0].text)
	}
	if at := form("note text").FindStringSubmatchIndex(r.Text); at != nil && r.deed == "note_save" {
		return r.takeOwn(at[2:])
	}
	message := r.delexicalized()
	i, j := Own(r.deed, message)
	start, end := r.reminded()
	onto := words()["onto"].FindStringIndex(r.Text)
	if at := r.asksFrom(onto); at > 0 && end == 0 {
		start = at
	}
	from, to := start, end
	if end == 0 && j == 0 {
		return nil
	} else if end == 0 {
		tokens := Tokens(message)
		from, to = r.original(tokens[i][0], tokens[j-1][1])
		from, to = r.uncut(from, to)
		if start > 0 && start < from && r.free(start, from) {
			from = start
		}
	}
	from += r.framed(r.Text[from:to])
	if led := ledBy.FindString(r.Text[from:to]); len(led) < to-from {
		from += len(led)
	}
	leadsTo := func(t timed) bool { return t.from >= to && r.onlyLeads(to, t.from) }
	if slices.ContainsFunc(r.times, leadsTo) && !form("is due").MatchString(r.Text[from:to]) {
		to = from + len(form("trailing").ReplaceAllString(r.Text[from:to], "")) // "before friday"
	}
	if onto != nil && from < onto[0] && onto[0] < to {
		to = onto[0] // "the passport on my to-do list for the 5th"
	}
	besides := r.deed == "task_create" && words()["beside event"].MatchString(firstWord(r.Text[from:to]))
	if besides || r.cut(from, to) || onlyPoints(r.Text[from:to]) {
		return nil
	}
	r.useWithin(from, to)
	r.own = append(r.own, said{text: r.Text[from:to], from: from, to: to, used: true})
	return strings.TrimSpace(r.Text[from:to])
}

// asksFrom is where the words for a task end, right before what that is to be called; 0 if there are none. Onto is
// where the tasks stand to which it is added.
func (r *reading) asksFrom(onto []int) int {
	if r.deed != "task_create" {
		return 0
	}
	if add := form("adding to").FindStringIndex(r.Text); onto != nil && add != nil && add[1] < onto[0] {
		return add[1] // "add take out the trash to my tasks"
	}
	if at := form("task to").FindStringIndex(r.Text); at != nil {
		return at[1]
	}
	return 0
}

// onlyLeads reports whether nothing stands between two bytes of the message but what leads to a time: "antes del".
func (r *reading) onlyLeads(from, to int) bool {
	return form("trailing").ReplaceAllString("x"+strings.TrimRight(r.Text[from:to], " "), "") == "x"
}

// reminded is where what the user is to be reminded of begins, right after the words that ask for it and a time that
// follows them, and where it ends; to is 0 if it is not plain that all of the rest is meant, from if nothing is.
func (r *reading) reminded() (from, to int) {
	at := form("reminding").FindStringIndex(r.Text)
	if at == nil || r.deed != "task_create" || words()["open end"].MatchString(r.Text[at[1]:]) {
		return 0, 0
	}
	from, to = at[1]+len(form("linked").FindString(r.Text[at[1]:])), len(strings.TrimRight(r.Text, around+"?"))
	for _, t := range r.times {
		if lead := r.Text[from:max(from, t.from)]; t.from >= from && form("leading").FindString(lead) == lead {
			from = t.to
		}
	}
	from += len(form("linked").FindString(r.Text[from:]))
	for _, t := range slices.Backward(r.times) {
		if t.from > from && strings.Trim(r.Text[min(t.to, to):to], around) == "" && !t.isLength() {
			before := strings.TrimRight(r.Text[from:t.from], around+"־")
			if to = from + len(form("trailing").ReplaceAllString(before, "")); form("is due").MatchString(before) {
				to = from + form("is due").FindStringIndex(before)[1]
			}
		}
	}
	from, to = r.withoutRhythm(from, to)
	if from >= to || !r.free(from, from+1) || words()["beside event"].MatchString(firstWord(r.Text[from:to])) {
		return 0, 0
	}
	within := func(t timed) bool { return from < t.to && t.from < to }
	if slices.ContainsFunc(r.times, within) || Joins(r.Text[from:to]) || words()["every"].MatchString(r.Text[from:to]) {
		return from, 0
	}
	return from, to
}

// withoutRhythm are the bytes from and to without what stands at either end that tells how often something is.
func (r *reading) withoutRhythm(from, to int) (int, int) {
	for _, one := range rhythms {
		at := words()[one.words].FindStringIndex(r.Text[from:max(from, to)])
		if at != nil && at[0] == 0 {
			from += at[1]
		} else if at != nil && at[1] == to-from {
			to = from + at[0]
		}
	}
	return from, to
}

// ledBy are Hebrew letters that a hyphen parts from what they stand before.
var ledBy = regexp.MustCompile(`^[לבמה][-־]`)

// onlyPoints reports whether a text only points to what is said elsewhere: "both", "anótalo".
func onlyPoints(text string) bool {
	asks := !strings.Contains(text, " ") && len(conceptsOf(text)) > 0 && words()["it"].FindString(text) == text
	if at := form("reminding").FindStringIndex(text + " "); at != nil && at[0] == 0 {
		return true // "remind me the"
	}
	return asks || onlySays(text, "determiner") || words()["pointer"].FindString(text) == text
}

// short are deeds whose own words are a name or a place, which no comma parts.
var short = []string{"event_rename", "event_place", "task_rename", "list_rename", "list_create", "mail_flag"}

// cut reports whether what stands from byte from to byte to is less than what the user calls something, or has words of
// the request in it.
func (r *reading) cut(from, to int) bool {
	text := r.Text[from:to]
	if at := form("list with").FindStringIndex(text); at != nil && r.deed == "list_create" {
		text = text[:at[0]]
	}
	_, after, listed := strings.Cut(text, ",")
	if !slices.Contains(short, r.deed) {
		ofNote := r.deed == "event_note" || r.deed == "task_note"
		return ofNote && listed && len(conceptsOf(firstWord(after))) > 0
	}
	i := slices.IndexFunc(r.words, func(w word) bool { return w.from >= from })
	joined := i > 0 && r.words[i-1].to <= from && !r.words[i-1].taken &&
		strings.TrimSpace(r.Text[r.words[i-1].to:from]) == "" && tells(r.words[i-1].lower) > telling &&
		len(conceptsOf(r.words[i-1].lower)) == 0
	end := strings.ToLower(text[strings.LastIndex(text, " ")+1:])
	return listed || joined || words()["small"].MatchString(end) || agenda.Idle(end)
}

func firstWord(text string) string {
	if list := wordForm.FindString(text); list != "" {
		return strings.ToLower(list)
	}
	return ""
}

// useWithin says that all that stands from byte from to byte to is in the call.
func (r *reading) useWithin(from, to int) {
	inside := func(s *said) {
		s.used = s.used || from <= s.from && s.to <= to
	}
	for k := range r.people {
		inside(&r.people[k])
	}
	for k := range r.times {
		inside(&r.times[k].said)
	}
	for k := range r.found {
		m := &r.found[k]
		m.used = m.used || len(m.words) > 0 && from <= r.words[m.words[0]].from && r.words[m.words[len(m.words)-1]].to <= to
	}
	r.takeWords(from, to)
}

// uncut are the bytes from and to with the whole of an address that they cut.
func (r *reading) uncut(from, to int) (int, int) {
	for _, at := range form("address").FindAllStringIndex(r.Text, -1) {
		if at[0] < to && from < at[1] {
			from, to = min(from, at[0]), max(to, at[1])
		}
	}
	return from, to
}

// newName are the user's own words that something is called from now on: they stand after such a word as "to", or after
// one for a new name.
func (r *reading) newName() any {
	if at := form("rename to").FindStringSubmatchIndex(r.Text); at != nil { // whatever its words may name besides
		r.found = keep(r.found, func(m mention) bool { return len(m.words) == 0 || r.words[m.words[0]].to <= at[2] })
		return r.takeOwn(at[2:])
	}
	name := r.ownWords()
	if name == nil || slices.Contains(meanings(Plain(r.delexicalized())), "rename") || r.says("renamed") {
		return name
	}
	return nil
}

// takeWords says that the words from byte from to byte to are in the call.
func (r *reading) takeWords(from, to int) {
	for i := range r.words {
		w := &r.words[i]
		w.taken = w.taken || from <= w.from && w.to <= to
	}
}

// ordersMore reports whether something else is asked for after the user's own words: "buy wine by thursday and book
// it".
func (r *reading) ordersMore() bool {
	said := form("ordered").FindStringSubmatch(r.Text[r.own[len(r.own)-1].to:])
	return said != nil && (len(conceptsOf(said[1])) > 0 || onlyPoints(said[2]) || onlyPoints(said[1]))
}

// addsMore reports whether words end in another request to add something: "milk and eggs, and also add tuna".
func addsMore(text string) bool {
	return slices.ContainsFunc(form("joined verb").FindAllStringSubmatch(text, -1), func(said []string) bool {
		return words()["adding"].MatchString(said[1])
	})
}

// onlySelf reports whether a text is only who is to be reminded.
func onlySelf(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return !words()["self"].MatchString(w) })
}

// free reports whether no word from byte from to byte to is of anything else.
func (r *reading) free(from, to int) bool {
	return !slices.ContainsFunc(r.words, func(w word) bool { return w.from < to && from < w.to && (w.taken || w.timely) })
}

// IsOneTask reports whether a message asks to be reminded of one thing in two parts: "remind me to sign the lease and
// send it back".
func IsOneTask(text string) bool { return words()["one task"].MatchString(text) }
