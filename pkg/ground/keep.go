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
	if at := noteText.FindStringSubmatchIndex(r.Text); at != nil && r.deed == "note_save" {
		return r.takeOwn(at[2:])
	}
	message := r.delexicalized()
	i, j := Own(r.deed, message)
	if j == 0 {
		return nil
	}
	tokens := Tokens(message)
	from, to := r.original(tokens[i][0], tokens[j-1][1])
	from, to = r.uncut(from, to)
	from = r.sinceRecalling(from)
	from += r.framed(r.Text[from:to])
	if led := ledBy.FindString(r.Text[from:to]); len(led) < to-from {
		from += len(led)
	}
	if slices.ContainsFunc(r.times, func(t timed) bool { return t.from >= to && t.from-to < 2 }) {
		to = from + len(trailing.ReplaceAllString(r.Text[from:to], "")) // "before friday"
	}
	if r.cut(from, to) || onlyPoints(r.Text[from:to]) {
		return nil
	}
	r.useWithin(from, to)
	r.own = append(r.own, said{text: r.Text[from:to], from: from, to: to, used: true})
	return strings.TrimSpace(r.Text[from:to])
}

// sinceRecalling is where the words of a reminder begin: right after those that ask for it, unless something else
// stands between.
func (r *reading) sinceRecalling(from int) int {
	at := reminding.FindStringIndex(r.Text[:from])
	if at == nil || r.deed != "task_create" || !r.free(at[1], from) {
		return from
	}
	return from - len(strings.TrimLeft(r.Text[at[1]:from], " :,"))
}

// reminding are words that ask for a reminder and stand right before it.
var reminding = regexp.MustCompile(`(?i)remind me (?:to|that)\s|recu[eé]rda(?:me|nos)(?: que| de)?\s|תזכירי? לי\s`)

// ledBy are Hebrew letters that a hyphen parts from what they stand before.
var ledBy = regexp.MustCompile(`^[לבמה][-־]`)

// noteText is a note with its text, as it stands in the message.
var noteText = regexp.MustCompile(`(?is)^.{0,40}(?:\b(?:note|memo)` +
	`(?: (?:that says|which says|that reads|saying|reading)(?: that)?:?|(?: to (?:self|myself))?:)|` +
	`\bnota(?: (?:que (?:diga|dice|ponga)|diciendo)(?: que)?:?|(?: para m[ií])?:))\s+(.+)$`)

// onlyPoints reports whether a text only points to what is said elsewhere: "both", "anótalo".
func onlyPoints(text string) bool {
	asks := !strings.Contains(text, " ") && len(conceptsOf(text)) > 0 && words()["it"].FindString(text) == text
	return asks || words()["pointer"].FindString(text) == text
}

// short are deeds whose own words are a name or a place, which no comma parts.
var short = []string{"event_rename", "event_place", "task_rename", "list_rename", "list_create", "mail_flag"}

// cut reports whether what stands from byte from to byte to is less than what the user calls something, or has words of
// the request in it.
func (r *reading) cut(from, to int) bool {
	text := r.Text[from:to]
	if at := listWith.FindStringIndex(text); at != nil && r.deed == "list_create" {
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
	for _, at := range address.FindAllStringIndex(r.Text, -1) {
		if at[0] < to && from < at[1] {
			from, to = min(from, at[0]), max(to, at[1])
		}
	}
	return from, to
}

// address is one of the web, or of mail.
var address = regexp.MustCompile(`(?i)(?:https?://|www\.)\S+[^\s.,;!?)]|[^\s@<>]+@[^\s@<>]+[^\s.,;!?)>]`)

// trailing are small words before a phrase of time, which are no part of the words before it.
var trailing = regexp.MustCompile(`(?i)(?:[\s,]+(?:on|at|by|for|to|until|till|from|before|after|in|due|el|la|las|a|` +
	`de|del|por|para|hasta|desde|en|antes|עד|לפני|ביום|ליום))+$`)

// newName are the user's own words that something is called from now on: they stand after such a word as "to", or after
// one for a new name.
func (r *reading) newName() any {
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
	said := ordered.FindStringSubmatch(r.Text[r.own[len(r.own)-1].to:])
	return said != nil && (len(conceptsOf(said[1])) > 0 || onlyPoints(said[2]) || onlyPoints(said[1]))
}

// ordered is a verb that may begin another request.
var ordered = regexp.MustCompile(`(?i)[\s,;](?:and|then|y|luego)\s+(?:please\s+|then\s+)?(\p{L}+)(?:\s+(\p{L}+))?`)

// onlySelf reports whether a text is only who is to be reminded.
func onlySelf(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return !words()["self"].MatchString(w) })
}

// anotherOne is what begins a second task in one message.
var anotherOne = regexp.MustCompile(`(?i)[\s,](?:and|plus|y|,) (?:another(?: one| task)?|one(?: more)?|` +
	`a second (?:one|task)|otra|una más) (?:to|for|para|de) |\sועוד (?:אחת|משימה) |` +
	`,? (?:both|ambas|las dos|שתיהן)(?: (?:for|by|on|para|ל).*)?$`)

// free reports whether no word from byte from to byte to is of anything else.
func (r *reading) free(from, to int) bool {
	return !slices.ContainsFunc(r.words, func(w word) bool { return w.from < to && from < w.to && (w.taken || w.timely) })
}
