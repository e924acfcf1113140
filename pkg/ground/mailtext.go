package ground

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
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
		if at := asksToSend.FindStringIndex(r.Text[from:to]); at != nil && at[0] > 0 {
			to = from + at[0] + 1
		}
		if title != nil && from < title[3] {
			from, to = r.besideSubject(from, to, title)
		}
		from += len(leadsText.FindString(r.Text[from:to]))
		r.body = strings.TrimSpace(strings.TrimLeft(r.Text[from:to], `'"`))
	}
	if r.holdBack(from, to); !marked.MatchString(r.Text[:from]) && ordersMore(r.body) {
		r.body = "" // it asks for something else besides, and would say so to someone else
	}
	if r.body == "" {
		return
	}
	r.bodyFrom, r.bodyTo = from, to
	r.useWithin(from, to)
	r.quoted = append(slices.Clone(r.quoted), said{text: r.body, from: from, to: to, used: true})
}

// subjectSaid is where the message says what the subject of a mail is to be: the whole form, and the subject itself. Nil
// if it does not.
func (r *reading) subjectSaid() []int {
	if at := r.subjectBefore(); at != nil {
		return at
	}
	return subjectForm.FindStringSubmatchIndex(r.Text)
}

// subjectBefore is the subject of a mail that stands before the colon of its text.
func (r *reading) subjectBefore() []int {
	at := entitled.FindStringSubmatchIndex(r.delexicalized())
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
	for _, form := range []*regexp.Regexp{reported, told} {
		if at := form.FindStringSubmatchIndex(message); at != nil && strings.Contains(message[at[len(at)-1]:], ": ") {
			return r.original(at[len(at)-1], len(message)) // a colon in it begins nothing
		}
	}
	if i, j := Own(r.deed, message); j > 0 {
		tokens := Tokens(message)
		i = introduced(message, tokens, i)
		if whichOne.MatchString(message[:tokens[i][0]]) {
			return 0, 0
		}
		from, to = r.original(tokens[i][0], tokens[j-1][1])
		from += len(byMail.FindString(r.Text[from:to]))
		if !afterwards.MatchString(r.Text[to:]) {
			to = len(r.Text) // nothing that may be a part of it is lost
		}
		return from + r.conjunction(from, to), to
	}
	if all := introductions(message); len(all) > 0 && r.deed != "mail_forward" {
		if at := all[len(all)-1]; strings.TrimSpace(message[at:]) != "" {
			return r.original(at, len(message))
		}
	}
	if all := thatFollows.FindAllStringSubmatchIndex(message, -1); len(all) > 0 && r.deed != "mail_forward" {
		at := all[len(all)-1]
		from, to = r.original(max(at[2], at[4]), len(message))
		return from + r.conjunction(from, to), to
	}
	if at := words()["concerning"].FindStringIndex(message); at != nil && r.deed == "mail_compose" {
		return r.original(at[1], len(message)) // what it is to be about: entitle makes a draft of it
	}
	return 0, 0
}

// whichOne is what stands before words that only tell which mail is meant: "reply to the first one that …".
var whichOne = regexp.MustCompile(`(?i)\b(?:ones?|mails?|e-?mails?|messages?|(?:el|la|los|las|correos?|mensajes?)) ` +
	`(?:that|which|que)\s+$`)

// leadsText is what only leads to the text that follows it.
var leadsText = regexp.MustCompile(`(?i)^(?:saying|diciendo)(?: (?:that|que))?:?\s+`)

// byMail is what says how the text goes, before it.
var byMail = regexp.MustCompile(`(?i)^(?:(?:by|via) (?:e-?)?mail,?|por correo,?|במייל,?)(?: (?:that|que))?\s+`)

// thatFollows is what stands between who or what is named and the text that a mail is to say: "write to al that …".
var thatFollows = regexp.MustCompile(`(?i)\},?\s+(?:(?:that|que)\s+(\S)|(ש\p{L}))`)

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

// subjectForm is how the user says what the subject of a mail is to be.
var subjectForm = regexp.MustCompile(`(?i)(?:,? and )?(?:with )?(?:(?:the |a )?subject(?: line)?|(?:con el )?asunto|ב?נושא)` +
	`(?: is| es)?[:,]?\s+(.+?)` +
	`(?:[,;.:\n]\s*|\s+(?:and |y )?(?:say|saying|body|text|tell|dile|di|diciendo|cuerpo|ותכתוב|תכתוב|תגיד|תוכן)` +
	`(?:[\s:]|$)|$)`)

// entitled is what stands between those to whom a mail goes and a colon before its text: "email nia re: budget: can you …".
var entitled = regexp.MustCompile(`(?i)^[^:]*\{person\},? (?:re:?|about|regarding|sobre|לגבי|בנושא) ([^:]+):\s+\S`)

// Entitles reports whether a message writes one mail, of which it says the subject before a colon.
func Entitles(m Message) bool { return entitled.MatchString(newReading(m).delexicalized()) }

// afterwards is what may follow the user's own words, and is none of them.
var afterwards = regexp.MustCompile(`(?i)^[\s,;]+(?:(?:please|pls|thanks|thank you|` +
	`(?:by|via|in an?|as an?) (?:e-?)?mail|as a draft|` +
	`por favor|gracias|por correo|בבקשה|תודה|במייל)[\s,.!]*)+$`)

// asksToSend is a last sentence that only asks for what is asked already, with the mark before it.
var asksToSend = regexp.MustCompile(`(?i)[.!?]['"”’]?\s+(?:(?:can|could|would|will) you|please|puedes|podrías|` +
	`por favor|תוכלי?|אפשר|בבקשה)\s+(?:please\s+)?(?:send|forward|reply|e-?mail|env[ií]\S*|mand\S*|` +
	`לשלוח|תשלחי?)[^.?!]*[.?!]*$`)

// toldThem is the one who wrote the mail that was seen last, and is told what follows: "tell him tuesday works".
var toldThem = regexp.MustCompile(`(?i)^` + politely + `(?:(?:tell|e-?mail|write(?: to)?) (?:him|her|them)|` +
	`let (?:him|her|them) know)(?: that)?,? ()\S`)

// somePeople are one or several who are named, one after the other.
const somePeople = `\{person\}(?:(?:,|,? and|,? y(?: a)?|,? e) \{person\})*`

// politely is what may stand before a request.
const politely = `(?:(?:please|pls|ok|okay|hey|hi|and|now|just|(?:can|could|would|will) (?:you|u)|i need you to|y|por favor|` +
	`puedes|podrías|בבקשה|תוכלי?|אפשר)[, ]+)*`

// reported is the beginning of a message that tells what a mail is to say, with the names of people as placeholders:
// "reply that", "tell {person} that", "contéstale que", "contesta a {person} que".
var reported = regexp.MustCompile(`(?i)^` + politely + `(?:` +
	`(?:reply|respond|answer|write back|e-?mail back)(?: all)?(?: (?:to )?(?:him|her|them|it|this|that|` +
	somePeople + `))?` +
	`(?: back)? (?:that|saying(?: that)?|to say(?: that)?|with)|` +
	`(?:tell|e-?mail|write(?: to)?|let) ` + somePeople + ` (?:know )?(?:that|saying(?: that)?|to say(?: that)?)|` +
	`(?:m[aá]nd|env[ií])\p{L}* (?:un (?:correo|mensaje)|una nota) a ` + somePeople + ` diciendo(?:le|les)?(?: que)?|` +
	`(?:resp[oó]nd|cont[eé]st)\p{L}*(?: a \{person\})? (?:que|diciendo(?: que)?)|` +
	`(?:d[ií]l?|escr[ií]b|av[ií]s)\p{L}* a ` + somePeople + ` (?:que|diciendo(?: que)?))\s+`)

// written is where what a mail is to say begins, if the message introduces it, and how probable a deed that writes one
// has to be then; -1 if it does not.
func (r *reading) written() (from int, least float64) {
	if at := r.subjectBefore(); at != nil {
		return at[3] + len(": "), plainlyNew
	}
	message, at := r.delexicalized(), colon.FindStringIndex(r.Text)
	forms := []*regexp.Regexp{reported, noted, told, replied, answers}
	if len(r.Last) == 1 && slices.ContainsFunc(r.mails, func(t Thing) bool { return t.ID == r.Last[0] }) {
		forms = append(forms, toldThem)
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

// told is a person who is told what follows: "tell {person} the plan looks good".
var told = regexp.MustCompile(`(?i)^` + politely + `(?:` +
	`(?:tell|e-?mail|write(?: to)?) ` + somePeople + `|let ` + somePeople + ` know),? ()` +
	`(?:the|(?:i|we|he|she|it|they|there|that|you)(?:['’](?:m|s|d|ll|re|ve))?|im|ill|ive|its|theyre|my|our|this|no|yes|` +
	`sorry|thanks|happy|congrats|congratulations|well done|good)\s`)

// replied is who is answered what follows a comma, and answers who is by a word or two.
var (
	replied = regexp.MustCompile(`(?i)^` + politely + `(?:reply|respond|answer|write back)(?: to)? ` +
		`(?:\{person\} ?)+(?:'s (?:e-?mail|mail|message))?,\s+()(?:i|i['’]?m|i['’]?ll|i['’]?ve|we|we['’]?ll|the|it|` +
		`it['’]?s|that|this|there|yes|no|sure|ok|sorry|thanks|my|our|he|she|they|\{time\}|soon|\{person\})\s`)
	answers = regexp.MustCompile(`(?i)^` + politely + `(?:` +
		`(?:reply|respond|answer|write back)(?: to)? |(?:resp[oó]nd|cont[eé]st)\p{L}* a |` +
		`(?:תעני?|תענה|ענה|תשיבי?|תחזירי?) ל-?)` +
		`(?:\{person\} ?)+(?:'s (?:e-?mail|mail|message))?,?\s*()(?:(?:yes|no|sure|ok|okay|thanks|thank you|great|please|` +
		`sounds good|i['’]?m in|count me in|of course|works for me|sí|si|vale|claro|gracias|perfecto|` +
		`כן|לא|תודה|בסדר|מעולה|סבבה)[\s,.!]*)+$`)
)

// noted is what stands between a mail that is passed on and what it is to say.
var noted = regexp.MustCompile(`(?i)\s(?:with|adding) (?:a )?(?:short |quick )?(?:note|message|line|comment)` +
	`(?:,? (?:that says|saying)(?: that)?|:)\s+|\s(?:asking|to ask|and ask)(?: (?:him|her|them)(?: to)?)?\s+|` +
	`\sand (?:say|tell (?:him|her|them))(?: that)?\s+|\s(?:y d[ií](?:le|les)? que|ו(?:תכתו?בי?|תגידי?) (?:לו|לה|להם)(?: ש)?)\s*|` +
	`\s(?:con|añadiendo) (?:una nota|un mensaje)(?: que (?:diga|dice)| diciendo)(?: que)?\s+`)

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
