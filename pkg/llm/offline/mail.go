package offline

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/interval"
)

// This file reads which mails are meant: by whom they are, what they are about, when they came, how they are marked, or
// by what was shown last. The words are lines "* mail.…" of data/*/mail.txt, which is read as things.txt is.

// letters are what a text says of mails while it is read.
type letters struct {
	*thinging
	sel map[string]any
	// nouns are the kinds of nouns that were said: "one", "many", "box". Any says that all of several are meant.
	nouns map[string]bool
	any   bool
	// parts are the words of the text by what stands before them: from, about, to; lead before the noun, and rest.
	parts map[string][]string
	// said are the marks that were said. Part is the one to which the next words belong, and fresh says that they stand
	// right after its mark; glue are small words that may be within it. Start is the part with which the
	// text begins.
	said        map[string]bool
	start, part string
	fresh       bool
	glue        []string
}

func (t *thinging) letters(start string) letters {
	return letters{
		thinging: t, sel: map[string]any{}, nouns: map[string]bool{}, parts: map[string][]string{},
		said: map[string]bool{}, start: start, part: start,
	}
}

// mail reads mails that the text names as such, any those that the verb alone tells to be mails, and inbox several.
func (t *thinging) mail(_, said string) bool  { return t.selectMails(said, "mail") }
func (t *thinging) any(_, said string) bool   { return t.selectMails(said, "any") }
func (t *thinging) inbox(_, said string) bool { return t.selectMails(said, "inbox") }

func (t *thinging) selectMails(said, kind string) bool {
	t.sure = true
	if kind != "any" && !t.book.maySay(said, nounsOfMail) {
		return false
	}
	nth := t.nthOf(func(name string) bool { return t.saysOnly(name, said) }, 1) != 0
	if pointed := t.pointedMails(said); pointed && kind != "inbox" || nth {
		return pointed
	}
	l := t.letters("lead")
	if !l.read(" " + said + " ") {
		return false
	}
	several := l.nouns["many"] || l.nouns["box"] || l.any || l.sel["first"] != nil
	named := l.named()
	if l.nouns["box"] && l.sel["folder"] == nil {
		l.sel["folder"] = "inbox"
	}
	switch {
	case kind != "any" && !named,
		kind == "any" && !named && len(l.sel) == 0,
		kind == "inbox" && !several && (len(l.sel) == 0 || l.nouns["one"] || l.said["owner"]),
		kind == "inbox" && t.weak && l.sel["named"] != nil,
		kind != "inbox" && !several && len(l.sel) == 0,
		t.intent() == act && l.unbounded() && !l.any && !l.nouns["box"]:
		return false
	}
	l.doubt(!several && kind != "inbox")
	if before := t.selected(); before != nil {
		maps.Copy(before, l.sel)
	} else {
		t.set("selection", l.sel)
	}
	return true
}

// doubt says that just one mail is meant, if the noun does, and that a thing without any other noun may be no mail.
func (l *letters) doubt(single bool) {
	if len(l.nouns) == 1 && l.nouns["thing"] && l.stands.mails == 0 {
		l.sure, l.weak = false, true
	}
	if single && (l.nouns["one"] || l.nouns["mass"] || l.nouns["thing"]) {
		l.sel["one"] = true
	}
}

// named reports whether the text says that mails are meant. "The one from Dana" is a mail only after mails were shown,
// or in what nobody does with an event.
func (l *letters) named() bool {
	thing := l.nouns["thing"] && l.sel["from"] != nil && l.sel["named"] == nil &&
		(l.stands.mails > 0 || l.tool != "email_deleteBatch")
	return thing || l.sel["newsletter"] == true || len(l.nouns) > 1 || len(l.nouns) == 1 && !l.nouns["thing"]
}

// unbounded reports whether any mail may be meant.
func (l *letters) unbounded() bool { return len(l.sel) == 0 }

// pointedMails takes in which of the mails that were shown last are meant, if the words only point.
func (t *thinging) pointedMails(said string) bool {
	is := func(name string) bool { return t.saysOnly(name, said) }
	n, word := 0, "shown"
	if n = t.nthOf(is, t.stands.mails); n != 0 {
		word = shownAs(n)
	}
	if t.stands.mails == 0 || n > t.stands.mails || n == 0 && !is("mail.it") {
		return false
	}
	t.set("selection.ids", []string{word})
	if n == 0 && is("mail.this") {
		t.set("selection.one", true) // of several that were shown, it is asked which
	}
	return true
}

// shown reads which of the mails that were shown is meant.
func (t *thinging) shown(_, said string) bool {
	t.sure = true
	return t.pointedMails(said)
}

// saysOnly reports whether a text is an expression of a kind, and nothing else.
func (t *thinging) saysOnly(kind, said string) bool {
	form := t.book.words[kind]
	if form == nil {
		return false
	}
	at := form.FindStringIndex(said)
	return at != nil && at[0] == 0 && at[1] == len(said)
}

// read takes apart what is said of mails; it is not ok if words are left that say nothing which is known.
func (l *letters) read(said string) bool {
	said = l.quoted(said)
	said, ok := l.aged(l.marked(said))
	if l.book.words["mail.not"].MatchString(said) {
		return false // what is left out, or holds on a condition only
	}
	if !ok {
		return false
	}
	if said, ok = l.dates(said); !ok {
		return false
	}
	l.split(strings.FieldsFunc(said, func(r rune) bool { return strings.ContainsRune(" ,;:.?!\"", r) }))
	return l.settle()
}

// quotation is a text in quotation marks. One between letters is an apostrophe.
var quotation = regexp.MustCompile(`(^|[\s(])['"“‘״«]([^"“”״«»]+?)['"”’״»]([\s.,;:?!)]|$)`)

// quoted takes out what stands in quotation marks: words of the subject.
func (l *letters) quoted(said string) string {
	for _, m := range quotation.FindAllStringSubmatch(said, -1) {
		l.add("subject", trimmed(m[2]))
	}
	return quotation.ReplaceAllString(said, " $3")
}

func (l *letters) add(name string, values ...string) {
	list, _ := l.sel[name].([]string)
	l.sel[name] = append(list, values...)
}

// aged takes out how old mails are at least: "older than two weeks".
func (l *letters) aged(said string) (rest string, ok bool) {
	at := l.book.words["mail.older"].FindStringIndex(said)
	if at == nil {
		return said, true
	}
	days, end := l.length(said[at[1]:])
	if days == 0 {
		return said, false
	}
	l.sel["until"] = interval.DateOf(l.now).AddDays(-days - 1).String()
	rest = said[at[1]+end:]
	if ago := l.book.words["mail.ago"].FindStringIndex(rest); ago != nil && ago[0] == 0 {
		rest = rest[ago[1]:]
	}
	return said[:at[0]] + " " + rest, true
}

// length is how many days a text names at its beginning, and how many bytes of it do.
func (l *letters) length(said string) (days, end int) {
	for _, unit := range []struct {
		name string
		days int
	}{{"mail.year", 365}, {"mail.month", 30}, {"mail.week", 7}, {"mail.day", 1}} {
		form := l.book.words[unit.name]
		for _, at := range form.FindAllStringIndex(said, 1) {
			r := l.setting.Read(said[:at[1]], l.now)
			n := max(r.Days, int(r.Duration/(24*time.Hour)))
			if n == 0 && at[0] <= len(said)-len(strings.TrimLeft(said, " ")) {
				n = unit.days
			} else if count := l.number(said[:at[0]]); n == 0 {
				n = count * unit.days
			}
			return n, at[1]
		}
	}
	return 0, 0
}

// number is what a text counts; 0 if it counts nothing.
func (l *letters) number(said string) int {
	said = trimmed(said)
	if n, err := strconv.Atoi(said); err == nil && n > 0 {
		return n
	}
	for n := 1; n <= 10; n++ {
		if l.saysOnly("mail.n="+strconv.Itoa(n), said) {
			return n
		}
	}
	return 0
}

// dates takes out when mails came.
func (l *letters) dates(said string) (rest string, ok bool) {
	for _, e := range slices.Backward(l.setting.Read(said, l.now).Entities) {
		phrase, before := said[e.Start:e.End], strings.TrimRight(said[:e.Start], " ")
		first, last, asIs, ok := l.passed(phrase)
		since := l.endsIn("mail.since", before, &before) || l.beginsWith("mail.since", phrase)
		until := l.endsIn("mail.until", before, &before) || l.beginsWith("mail.until", phrase)
		if !ok || !since && !until && l.isTopic(before, phrase, said[e.End:], asIs) {
			continue
		}
		if l.sel["since"] != nil && !until {
			return said, false
		}
		if !until {
			l.sel["since"] = first.String()
		} else {
			last = first.AddDays(-1)
		}
		if !since {
			l.sel["until"] = last.String()
		}
		said = before + " " + said[e.End:]
	}
	return said, true
}

// isTopic reports whether days belong to what mails are about: "about the meeting on Friday", "about the Friday class".
func (l *letters) isTopic(before, phrase, after string, asIs bool) bool {
	if l.start != "about" && !l.book.words["mail.about"].MatchString(before) || l.beginsWith("mail.from", phrase) {
		return false
	}
	kind, next := "glue", strings.Fields(after)
	if len(next) > 0 {
		kind, _ = l.kindAt(next, 0)
	}
	return !asIs || kind == "" || l.beginsWith("mail.at", phrase) || l.endsIn("mail.about", before, &before)
}

// passed are the days of a phrase, as they are meant of what has happened: those that it would have meant a week, a
// month or a year ago, if they lie ahead; asIs says that they do not.
func (l *letters) passed(phrase string) (first, last interval.Date, asIs, ok bool) {
	plain := phrase
	for _, lead := range []string{"mail.since", "mail.until", "mail.from"} {
		if at := l.book.words[lead].FindStringIndex(phrase); at != nil && at[0] == 0 {
			plain = phrase[at[1]:]
			break
		}
	}
	if attached := l.attached("mail.prefix", plain); attached != "" {
		plain = attached
	}
	today := interval.DateOf(l.now)
	for _, at := range []time.Time{l.now, l.now.AddDate(0, 0, -7), l.now.AddDate(0, -1, 0), l.now.AddDate(-1, 0, 0)} {
		r := l.setting.Read(plain, at)
		first, last, ok = datesOf(r)
		for _, e := range r.Entities {
			if !e.Days.Start.IsZero() {
				first, last, ok = e.Days.Start, e.Days.End, true
			}
		}
		if ok && !today.Before(first) {
			return first, last, at.Equal(l.now), true
		}
	}
	return first, last, false, false
}

// endsIn takes an expression of a kind off the end of a text.
func (l *letters) endsIn(kind, said string, rest *string) bool {
	all := l.book.words[kind].FindAllStringIndex(said, -1)
	if len(all) == 0 || all[len(all)-1][1] != len(said) {
		return false
	}
	*rest = said[:all[len(all)-1][0]]
	return true
}

func (l *letters) beginsWith(kind, said string) bool {
	at := l.book.words[kind].FindStringIndex(said)
	return at != nil && at[0] == 0
}

// isName reports whether a word that can tell how mails are marked is one of a name or a topic: "the City Newsletter".
func (l *letters) isName(attribute string) bool {
	return l.part == "about" || l.part == "from" && attribute == "newsletter=true"
}

// marked takes out what several words say of how mails are marked.
func (l *letters) marked(said string) string {
	for _, name := range slices.Sorted(maps.Keys(l.book.words)) {
		attribute, is := strings.CutPrefix(name, "mail.is:")
		if !is {
			continue
		}
		for _, at := range slices.Backward(l.book.words[name].FindAllStringIndex(said, -1)) {
			if len(strings.Fields(said[at[0]:at[1]])) > 1 {
				l.mark(attribute)
				said = said[:at[0]] + " " + said[at[1]:]
			}
		}
	}
	return said
}

// mark takes in what a word says of how mails are marked or where they lie.
func (l *letters) mark(attribute string) {
	switch key, value, _ := strings.Cut(attribute, "="); {
	case key == "urgency":
		l.set(key, value)
	case value == "true":
		l.sel[key] = true
	default:
		l.sel[key] = value
	}
}

// split puts words into parts by the marks that stand before them.
func (l *letters) split(words []string) {
	for i := 0; i < len(words); {
		kind, n := l.kindAt(words, i)
		if kind == "" && !l.fresh {
			if bare := l.attached("mail.prefix", words[i]); bare != "" {
				l.part, l.glue, l.said["from"] = "from", nil, true
				words[i] = bare
			}
		}
		said := words[i : i+max(n, 1)]
		i += len(said)
		if attribute, is := strings.CutPrefix(kind, "is:"); is && len(said) == 1 && l.isName(attribute) {
			kind = ""
		}
		if kind == "last" {
			l.sel["first"] = 1
			if i < len(words) && l.number(words[i]) > 0 {
				l.sel["first"] = l.number(words[i])
				i++
			}
			continue
		}
		l.take(kind, said)
	}
}

// take takes in words of a kind.
func (l *letters) take(kind string, said []string) {
	attribute, is := strings.CutPrefix(kind, "is:")
	l.fresh = false
	switch {
	case is:
		l.mark(attribute)
	case kind == "":
		l.parts[l.part] = append(append(l.parts[l.part], l.glue...), said...)
		l.possess()
	case kind == "glue", kind == "several":
		l.any = l.any || kind == "several"
		if len(l.parts[l.part]) > 0 && l.part != "lead" && l.part != "rest" {
			l.glue = append(l.glue, said...) // within a name or a topic it is part of it
			return
		}
	case kind == "from", kind == "about", kind == "to":
		if len(l.parts[kind]) > 0 && l.part == kind && kind != "about" {
			l.parts[kind] = append(l.parts[kind], ",")
		}
		l.part, l.fresh, l.said[kind] = kind, true, true
	case kind == "sent":
		l.send()
	case kind == "mine":
		l.sel["folder"], l.part = "sent", "rest"
	default:
		l.noun(kind, said)
	}
	l.glue = nil
}

// possess makes a sender of "Dana's" before the noun.
func (l *letters) possess() {
	words := l.parts[l.part]
	if name, owner := possessor(words[len(words)-1]); owner && l.part == "lead" {
		words[len(words)-1] = name
		l.parts["from"], l.parts["lead"], l.said["owner"] = words, nil, true
	}
}

// send makes a sender of what stands before "sent"; if nothing does, of what follows: "¿me ha escrito Dana?".
func (l *letters) send() {
	if l.said["sent"] = true; l.part != "from" {
		l.parts["from"] = append(l.parts["from"], l.parts[l.part]...)
		l.parts[l.part] = nil
	}
	if l.part = "rest"; l.start == "from" && len(l.parts["from"]) == 0 {
		l.part = "from"
	}
}

// noun takes in a noun, which may have its "from" within it: "el de Nadia".
func (l *letters) noun(kind string, said []string) {
	l.nouns[kind] = true
	l.any = l.any || kind == "thing" && l.saysOnly("mail.things", strings.Join(said, " "))
	l.part = "rest"
	if last := said[len(said)-1]; len(said) > 1 && l.saysOnly("mail.from", last) {
		l.part, l.fresh, l.said["from"] = "from", true, true
	}
}

// possessor is the name in "Dana's".
func possessor(word string) (name string, ok bool) {
	for _, end := range []string{"'s", "’s", "s'", "s’"} {
		if name, ok = strings.CutSuffix(word, end); ok {
			return name + strings.TrimRight(strings.TrimSuffix(end, "s"), "'’"), name != ""
		}
	}
	return word, false
}

// kindsOfWords are the kinds of words that are no names, in the order in which they are tried.
var kindsOfWords = []string{
	"mine", "sent", "last", "box", "many", "mass", "one", "from", "about", "to", "several", "thing", "glue",
}

// kindAt is the kind of the longest expression at a word, and how many words it has.
func (l *letters) kindAt(words []string, i int) (kind string, n int) {
	const longest = 5
	for n := min(longest, len(words)-i); n > 0; n-- {
		said := strings.Join(words[i:i+n], " ")
		if l.start == "from" && !l.said["sent"] && l.saysOnly("mail.verb", said) {
			return "sent", n
		}
		for _, kind := range kindsOfWords {
			if l.saysOnly("mail."+kind, said) {
				return kind, n
			}
		}
		for name := range l.book.words {
			if attribute, is := strings.CutPrefix(name, "mail.is:"); is && l.saysOnly(name, said) {
				return "is:" + attribute, n
			}
		}
	}
	return "", 0
}

// attached is a word without the particle "from" in front of it; empty if it has none.
func (l *letters) attached(kind, word string) string {
	form := l.book.words[kind]
	if form == nil {
		return ""
	}
	m := form.FindStringSubmatch(word)
	if m == nil || utf8.RuneCountInString(m[3]) < 2 {
		return ""
	}
	return m[3]
}
