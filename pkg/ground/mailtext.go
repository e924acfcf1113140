package ground

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"convene/pkg/agenda"
)

// dictate finds the user's own words for a mail, and what its subject is to be. They are as if quoted: nothing in them
// asks for anything.
func (r *reading) dictate(d deed) {
	if !d.dictated {
		return
	}
	from, to := 0, 0
	var title []int
	if i := slices.IndexFunc(r.quoted, r.entitles); len(r.quoted) > 1 && i >= 0 && r.deed == "mail_compose" {
		quote := r.quoted[i]
		quote.used = true
		r.subject = quote.text
		r.quoted = slices.Delete(slices.Clone(r.quoted), i, i+1)
		defer func() { r.quoted = append(r.quoted, quote) }()
	} else if title = r.subjectSaid(); title != nil && r.deed == "mail_compose" {
		at := title
		r.subject = strings.Trim(r.Text[at[2]:at[3]], `"“”«» `)
		r.useWithin(at[2], at[3])
		r.quoted = slices.DeleteFunc(slices.Clone(r.quoted), func(q said) bool { return q.from < at[3] && at[2] < q.to })
		defer func() { r.quoted = append(r.quoted, said{text: r.subject, from: at[2], to: at[3], used: true}) }()
	}
	if len(r.quoted) == 1 {
		from, to = r.quoted[0].from, r.quoted[0].to
		r.body = r.quoted[0].text
		r.quoted = nil
	} else if from, to = r.ownSpan(); to > 0 {
		if at := form("asks to send").FindStringIndex(r.Text[from:to]); at != nil && at[0] > 0 {
			to = from + at[0] + 1
		}
		if title != nil && from < title[3] {
			from, to = r.besideSubject(from, to, title)
		}
		from += len(form("leads text").FindString(r.Text[from:to]))
		r.body = strings.TrimSpace(strings.TrimLeft(r.Text[from:to], `'"`))
	}
	if r.holdBack(from, to); !marked.MatchString(r.Text[:from]) &&
		(ordersMore(r.body) || onlySays(r.body, "about", "it")) {
		r.body = "" // it asks for something else besides, and would say so to someone else; "about it" says nothing
	}
	if r.body == "" {
		return
	}
	if !marked.MatchString(r.Text[:from]) {
		r.body = Put(r.body, r.Text[:from])
	}
	r.bodyFrom, r.bodyTo = from, to
	r.useWithin(from, to)
	r.quoted = append(slices.Clone(r.quoted), said{text: r.body, from: from, to: to, used: true})
}

// subjectSaid is where the message says what the subject of a mail is to be: the whole form, and the subject itself.
// Nil if it does not.
func (r *reading) subjectSaid() []int {
	if at := r.subjectBefore(); at != nil {
		return at
	}
	return form("subject form").FindStringSubmatchIndex(r.Text)
}

// subjectBefore is the subject of a mail that stands before the colon of its text.
func (r *reading) subjectBefore() []int {
	at := form("entitled").FindStringSubmatchIndex(r.delexicalized())
	if at == nil {
		return nil
	}
	from, to := r.original(at[2], at[3])
	return []int{from, to, from, to}
}

// besideSubject is the part of the user's own words that stands beside the subject of the mail.
func (r *reading) besideSubject(from, to int, title []int) (int, int) {
	if title[0] > from {
		return from, from + len(strings.TrimRight(r.Text[from:title[0]], " ,;.:"))
	}
	from = min(title[3], to)
	return to - len(strings.TrimLeft(r.Text[from:to], " ,;.:")), to
}

// ordersMore reports whether a text for a mail asks for something else of the reader of this message.
func ordersMore(text string) bool {
	return words()["ordering"].MatchString(text) || words()["ordering mails"].MatchString(text)
}

// marked is what ends with a mark after which all is the user's own text.
var marked = regexp.MustCompile(`[:"“«]\s*$`)

// holdBack takes from the end of the user's own words what says that the mail is not to go yet: "…, but don't send it".
func (r *reading) holdBack(from, to int) {
	text := r.Text[from:to]
	for _, name := range []string{"held back", "draft only"} {
		all := words()[name].FindAllStringIndex(text, -1)
		if len(all) == 0 {
			continue
		}
		at := all[len(all)-1]
		before := strings.TrimRight(text[:at[0]], " ")
		own := strings.TrimRight(before, " ,;.:–—-")
		if at[0] > 0 && !wordForm.MatchString(text[at[1]:]) && (name == "held back" || own != before) {
			r.body, r.held = strings.TrimSpace(own), true
			return
		}
	}
}

// entitles reports whether what is quoted is said to be a title: "titled 'Budget'".
func (r *reading) entitles(q said) bool {
	before := keep(r.words, func(w word) bool { return w.to <= q.from })
	const near = 2
	return slices.ContainsFunc(before[max(0, len(before)-near):], func(w word) bool {
		return words()["titled"].MatchString(w.lower)
	})
}

// ownSpan is where the user's own words for a mail stand: where they are likely to, or after a colon. To is 0 if they
// are not there.
func (r *reading) ownSpan() (from, to int) {
	message := r.delexicalized()
	for _, form := range slices.Concat(introducing()["reported"], introducing()["told"]) {
		if at := form.FindStringSubmatchIndex(message); at != nil && strings.Contains(message[at[len(at)-1]:], ": ") {
			return r.original(at[len(at)-1], len(message)) // a colon in it begins nothing
		}
	}
	if at := told(message); at > 0 {
		return r.original(at, len(message))
	}
	if i, j := Own(r.deed, message); j > 0 {
		tokens := Tokens(message)
		i = introduced(message, tokens, i)
		if words()["which one"].MatchString(message[:tokens[i][0]]) {
			return 0, 0
		}
		from, to = r.original(tokens[i][0], tokens[j-1][1])
		from += len(form("by mail").FindString(r.Text[from:to]))
		if !form("afterwards").MatchString(r.Text[to:]) {
			to = len(r.Text) // nothing that may be a part of it is lost
		}
		return from + r.conjunction(from, to), to
	}
	if all := introductions(message); len(all) > 0 && r.deed != "mail_forward" {
		if at := all[len(all)-1]; strings.TrimSpace(message[at:]) != "" {
			return r.original(at, len(message))
		}
	}
	if all := form("that follows").FindAllStringSubmatchIndex(message, -1); len(all) > 0 && r.deed != "mail_forward" {
		at := all[len(all)-1]
		from, to = r.original(max(at[2], at[4]), len(message))
		return from + r.conjunction(from, to), to
	}
	if at := words()["concerning"].FindStringIndex(message); at != nil && r.deed == "mail_compose" {
		return r.original(at[1], len(message)) // what it is to be about: entitle makes a draft of it
	}
	return 0, 0
}

// introductions are the places after which a text for a mail may stand: colons, and words like "saying".
func introductions(message string) (all []int) {
	for _, at := range colon.FindAllStringIndex(message, -1) {
		all = append(all, at[1])
	}
	for _, at := range words()["introducing"].FindAllStringIndex(message, -1) {
		all = append(all, at[1])
	}
	slices.Sort(all)
	return all
}

// introduced is where the user's own words begin that are likely from token i on: after what introduces them, and right
// after "that", if it stands little before.
func introduced(message string, tokens [][]int, i int) int {
	const little = 2
	if all := introductions(message[:tokens[i][0]]); len(all) > 0 {
		at := all[len(all)-1]
		return slices.IndexFunc(tokens, func(t []int) bool { return t[0] >= at })
	}
	for k := i; k > 0 && k >= i-little; k-- {
		before := message[tokens[k-1][0]:tokens[k-1][1]]
		if k < i && (message[tokens[k][0]] == '{' || words()["mail"].MatchString(message[tokens[k][0]:tokens[k][1]])) {
			return i
		}
		if words()["that"].MatchString(before) {
			return k
		}
	}
	return i
}

// Entitles reports whether a message writes one mail, of which it says the subject before a colon.
func Entitles(m Message) bool { return form("entitled").MatchString(newReading(m).delexicalized()) }

// introducing are the expressions of written.txt, by name.
var introducing = sync.OnceValue(func() map[string][]*regexp.Regexp {
	all := map[string][]*regexp.Regexp{}
	lines("written.txt", func(name, form string) {
		all[name] = append(all[name], compiled(form))
	})
	return all
})

// written is where what a mail is to say begins, if the message introduces it, and how probable a deed that writes one
// has to be then; -1 if it does not.
func (r *reading) written() (from int, least float64) {
	if at := r.subjectBefore(); at != nil {
		return at[3] + len(": "), plainlyNew
	}
	message, at := r.delexicalized(), colon.FindStringIndex(r.Text)
	of := introducing()
	forms := slices.Concat(of["reported"], of["noted"], of["told"], of["answered"], of["asked"])
	if len(r.Last) == 1 && slices.ContainsFunc(r.mails, func(t Thing) bool { return t.ID == r.Last[0] }) {
		forms = append(forms, of["them"]...)
	}
	for _, form := range forms {
		if after := form.FindStringSubmatchIndex(message); after != nil && after[len(after)-1] < len(message) {
			if from, _ := r.original(after[len(after)-1], len(message)); at == nil || from < at[0] {
				return from, introducedText
			}
		}
	}
	if at != nil {
		return at[1], plainlyNew
	}
	return -1, 1
}

// introducedText is how probable a deed has to be that writes a mail, if words say that its text follows.
const introducedText = 0.8

var colon = regexp.MustCompile(`:\s+`)

// conjunction is how many bytes at the beginning of the user's own words are the Hebrew "that" before them.
func (r *reading) conjunction(from, to int) int {
	const that = "ש"
	words := strings.FieldsFunc(r.Text[from:to], func(c rune) bool { return !unicode.IsLetter(c) })
	if len(words) == 0 || !strings.HasPrefix(r.Text[from:], that) {
		return 0
	}
	rest := strings.TrimPrefix(words[0], that)
	article := strings.HasPrefix(rest, "ה") && len([]rune(rest)) > 3
	if article || len([]rune(rest)) > 1 && learned().Usual[rest] > learned().Usual[words[0]] {
		return len(that)
	}
	return 0
}

// inBody reports whether something stands in the user's own words.
func (r *reading) inBody(from int) bool { return r.bodyFrom <= from && from < r.bodyTo }

// told is where a clause begins that the sender of a named mail is to be told: "reply to the rent mail that I agree".
// It is 0 if there is none, also if the clause says which mail is meant: "that I got yesterday".
func told(message string) int {
	if at := form("told of").FindStringSubmatchIndex(message); at != nil && !form("tells which").MatchString(message) {
		return at[2]
	}
	return 0
}

// InMail is where a message says that what it asks for stands in a mail: "it's in an email I got". Nil if it does not.
func InMail(text string) []int { return words()["in mail"].FindStringIndex(text) }

// findFact looks for what stands in a mail, by all words of the question that tell something.
func (r *reading) findFact(question, end int) (string, arguments) {
	var fact []string
	r.own = append(r.own, said{text: r.Text[question:end], from: question, to: end})
	r.found = nil // what is asked for may stand in another one than the one of this name
	for _, w := range r.words {
		asks := slices.Contains(conceptsOf(w.lower), "show")
		if w.to <= question && !asks && distinct(w) && tells(agenda.Fold(w.lower)) > leastSubject {
			said := said{text: r.Text[w.from:w.to], from: w.from, to: w.to}
			fact, r.own = append(fact, said.text), append(r.own, said)
		}
	}
	if r.useWithin(0, end); len(fact) == 0 {
		return "", nil
	}
	selection := arguments{"words": []string{strings.Join(fact, " ")}}
	return "email_search", arguments{"query": nil, "selection": selection, "limit": nil}
}
