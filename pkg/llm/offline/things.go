package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/when"
)

// This file has the ways in which people speak of what they keep besides their calendar: tasks, lists, notes and
// contacts. A line of data/*/things.txt is a tool with values that its words imply, and ways to ask for it. Each kind
// of slot has one reader (see tasks.go and keep.go), whatever tool it is for.

// thing is one call of a tool for what is kept.
type thing struct {
	tool string
	*facts
	// weak says that the words alone do not tell it from what is asked of a calendar.
	weak bool
	// named says that only tasks which stand are meant.
	named bool
	// language is the one in which it was read.
	language string
	// twice says that its last words ask for something else as well.
	twice bool
}

// family is the tool's.
func (t thing) family() string {
	family, _, _ := strings.Cut(t.tool, "_")
	return family
}

// intent is look for a tool that only reads.
func (t thing) intent() string {
	if readers[t.tool] {
		return look
	}
	return act
}

var readers = wordSet("task_viewTasks task_getBacklogWithScores task_suggestForDuration list_view note_search " +
	"contact_find preference_view email_viewEmails email_search email_readEmail email_getBacklog email_categorizeEmail " +
	"email_batchCategorize email_groupBySender")

// asking is a way to ask for a tool.
type thingWay struct {
	tool   string
	values map[string]any
	// weak says that it counts if nothing else can be meant, named that it only counts for what stands already.
	weak, named bool
	form        pattern
}

func (w thingWay) ofMail() bool { return strings.HasPrefix(w.tool, "email_") }

// goesOn reports whether there is what the way goes on from, if it goes on from what was just done.
func (w thingWay) goesOn(from keeping) bool {
	return w.values["selection.from"] == nil || from.shown == 1 && (from.changed || w.tool == "task_completeTask")
}

// rank says how early a way is tried.
func (w thingWay) rank() int {
	rank := 1
	if w.ofMail() {
		rank = 0
	}
	if w.weak {
		rank += 2
	}
	return rank
}

// thingBook is how a language speaks of what is kept.
type thingBook struct {
	ways []thingWay
	// before and after are what may stand around the whole.
	before, after *regexp.Regexp
	// words are expressions by what they say: an attribute of tasks with its value, or a kind of word; needs is what a
	// text needs to have for them.
	words map[string]*regexp.Regexp
	needs map[string]needs
}

var thingBooks = sync.OnceValue(func() map[string]thingBook {
	books := map[string]thingBook{}
	for _, language := range languages() {
		if book, err := readThings(language); err == nil {
			books[language] = book
		}
	}
	return books
})

var className = regexp.MustCompile(`\b[A-Z]{2,}\b`)

var slotForm = regexp.MustCompile(`\{(\w+):([\w.]+)\}`)

// slotForms are what stands in slots that are not just words. Those of a language's own words are its lines "* WORDS",
// by how these begin.
var (
	slotForms = map[string]string{
		"mails": mailForm, "phone": phoneForm, "whom": `[\p{L}.'’-]+`, "amount": `(?:NUMBER)\s.+?`,
		"many": `NUMBER(?:\s+\S+)?`, "body": `.+`,
	}
	slotWords = map[string]string{
		"level=": "priority", "into=": "column", "it": "it", "length": "length", "ahead": "ahead",
	}
)

const (
	mailForm  = `[^\s@,;:]+@[^\s@,;]+\.[^\s@,;]*[^\s@,;.]`
	phoneForm = `\+?\d[\d\s().-]{2,}`
)

// accents are letters that people also write without their accent, and Hebrew ones that look different at the end.
var accents = strings.NewReplacer(
	"פי?", "(?:פי|ף)", "ני?", "(?:ני|ן)", "מי?", "(?:מי|ם)", "צי?", "(?:צי|ץ)", "כי?", "(?:כי|ך)",
	"á", "[áa]", "é", "[ée]", "í", "[íi]", "ó", "[óo]", "ú", "[úu]", "ñ", "[ñn]",
)

// readThings reads the form that data/en/things.txt describes.
func readThings(language string) (book thingBook, err error) {
	var text []byte
	for _, name := range []string{"things.txt", "mail.txt"} {
		part, err := data.ReadFile("data/" + language + "/" + name)
		if err != nil {
			return book, fmt.Errorf("language %s: %w", language, err)
		}
		text = append(append(text, part...), '\n')
	}
	classes, forms := map[string]string{}, maps.Clone(slotForms)
	book.words, book.needs = map[string]*regexp.Regexp{}, map[string]needs{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		head, list, _ := strings.Cut(line, ": ")
		phrases := strings.Split(list, " | ")
		if class, isClass := strings.CutPrefix(head, "= "); isClass {
			classes[class] = "(?:" + strings.ReplaceAll(accents.Replace(strings.Join(phrases, "|")), " ", `\s+`) + ")"
			continue
		}
		if what, isWord := strings.CutPrefix(head, "* "); isWord {
			if err := book.readWords(what, phrases, forms); err != nil {
				return book, err
			}
			continue
		}
		for _, phrase := range phrases {
			w, err := readThingWay(head, phrase, classes, forms)
			if err != nil {
				return book, fmt.Errorf("things of %s: %w", language, err)
			}
			book.ways = append(book.ways, w)
		}
	}
	// One that leaves no doubt goes before others, and mails, which are named as such, before what else has their verbs.
	slices.SortStableFunc(book.ways, func(a, b thingWay) int { return cmp.Compare(a.rank(), b.rank()) })
	book.before = regexp.MustCompile(`(?i)^(?:[\s,]+` + classes["BEFORE"] + `)+[\s,]`)
	book.after = regexp.MustCompile(`(?i)(?:[\s,]+` + classes["AFTER"] + `)+[\s.!?]*$`)
	return book, nil
}

// readWords reads one line of words, which may be what stands in a kind of slot too.
func (b thingBook) readWords(what string, phrases []string, forms map[string]string) (err error) {
	all := strings.ReplaceAll(accents.Replace(strings.Join(phrases, "|")), " ", `\s+`)
	kind, _, values := strings.Cut(what, "=")
	if values {
		kind += "="
	}
	if slot := slotWords[kind]; slot != "" {
		forms[slot] = strings.TrimPrefix(forms[slot]+"|"+all, "|")
	}
	p, err := newPattern(`(?i)(^|[\s,;(]+)(?:` + all + `)($|[\s,.;)]+)`)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	b.words[what], b.needs[what] = p.compiled(), p.needs
	return nil
}

// readThingWay reads one way. "~" marks a weak one, "=" one that only counts for tasks that stand; "?" what may be
// missing.
func readThingWay(head, phrase string, classes, forms map[string]string) (w thingWay, err error) {
	fields := strings.Fields(head)
	w = thingWay{tool: fields[0], values: map[string]any{}}
	for _, field := range fields[1:] {
		name, text, _ := strings.Cut(field, "=")
		var value any = text
		_ = json.Unmarshal([]byte(text), &value) // what is no JSON is a text
		w.values[name] = value
	}
	phrase, w.weak = strings.CutPrefix(strings.TrimSpace(phrase), "~")
	phrase, w.named = strings.CutPrefix(phrase, "=")
	w.weak = w.weak || w.named
	whole := "(?i)^"
	for token := range strings.FieldsSeq(phrase) {
		token, optional := strings.CutSuffix(token, "?")
		expression := slotForm.ReplaceAllStringFunc(accents.Replace(token), func(s string) string {
			m := slotForm.FindStringSubmatch(s)
			return "(?P<" + m[1] + "_" + strings.ReplaceAll(m[2], ".", "__") + ">" + firstOf(forms[m[1]], ".+?") + ")"
		})
		expression = className.ReplaceAllStringFunc(expression, func(name string) string {
			return firstOf(classes[name], name)
		})
		between := `[\s,:;"“”«»]+`
		if strings.Contains(token, "{name:") {
			between = `[\s"“”«»]+` // what follows a comma is no name of a list
		}
		if expression = between + "(?:" + expression + ")"; optional {
			expression = "(?:" + expression + ")?"
		}
		whole += expression
	}
	if w.form, err = newPattern(whole + `[\s.!?"“”«»]*$`); err != nil {
		return w, fmt.Errorf("%s: %w", phrase, err)
	}
	return w, nil
}

// longestThing is how many bytes a message has at most that is read as a thing.
const longestThing = 1000

// thinging is a message while it is read as a thing.
type thinging struct {
	thing
	book    thingBook
	setting when.Setting
	now     time.Time
	values  map[string]any
	// text is the message without what is only polite, full the same with what is at its end, and timed what was said of
	// time so far.
	text, full, timed string
	// stands is what is known of the user's tasks. Sure says that those that are meant are among them.
	stands keeping
	sure   bool
}

// thingIn is what a message asks to be done with what the user keeps. A short message may be in another language than
// its words let guess.
func thingIn(message, language string, now time.Time, about keeping) (found thing, ok bool) {
	for t := range thingsIn(message, language, now, about) {
		if certain := !t.weak; certain || !ok && t.language == language && !t.named {
			if found, ok = t.thing, true; certain {
				break
			}
		}
	}
	return found, ok
}

// thingsIn are the ways in which a message can be read as a thing. What is said of tasks that stand is also read
// without a clause before or after it that only gives a reason.
func thingsIn(message, language string, now time.Time, stands keeping) iter.Seq[*thinging] {
	return func(yield func(*thinging) bool) {
		if len(message) > longestThing || strings.Contains(message, "://") {
			return
		}
		text := " " + strings.Join(strings.Fields(strings.TrimLeft(message, "¿¡ \n\t")), " ")
		all := append([]string{language}, slices.DeleteFunc(languages(), func(l string) bool { return l == language })...)
		for _, part := range append([]string{text}, commandsIn(text)...) {
			for _, l := range all {
				for t := range thingBooks()[l].things(part, l, now, stands) {
					if t.weigh(text, part) && !yield(t) {
						return
					}
				}
			}
		}
	}
}

// weigh settles how sure it is that a part of a text is meant; it is not ok if the part may not stand by itself: "it"
// may be of what the rest says.
func (t *thinging) weigh(text, part string) (ok bool) {
	cut := part != text
	if cut && (t.selected()["from"] != nil || t.sure && !isReason(text, part, t.language, t.now)) {
		return false
	}
	t.named, t.weak = !t.sure && (t.named || cut), !t.sure && (t.weak || cut)
	return true
}

// things are the ways in which a text can be read as a thing of this language.
func (b thingBook) things(text, language string, now time.Time, about keeping) iter.Seq[*thinging] {
	return func(yield func(*thinging) bool) {
		if len(b.ways) == 0 {
			return
		}
		text = b.before.ReplaceAllString(text, " ")
		full := text
		if short := b.after.ReplaceAllString(text, ""); strings.TrimSpace(short) != "" {
			text = short
		}
		for reason := ""; ; {
			t := thinging{
				thing: thing{language: language}, book: b, setting: when.Setting{Language: language}, now: now,
				text: text, full: full,
				stands: about,
			}
			if !b.readAll(t, reason, yield) {
				return
			}
			if text, reason = b.reasoned(text); reason == "" {
				return
			}
		}
	}
}

// readAll yields the ways in which the text of a thinging can be read, until there is enough. Reason is what was cut
// off its end.
func (b thingBook) readAll(as thinging, reason string, yield func(*thinging) bool) bool {
	calendar := b.words["calendar"].MatchString(as.text)
	said := foldedOf(as.full) // which the text is a part of
	for i := range b.ways {
		w := &b.ways[i]
		if calendar && !w.ofMail() || !w.goesOn(as.stands) || !w.form.needs.meets(said) {
			continue
		}
		text := as.text
		if w.tool == composeMail {
			text = as.full // "thanks" may be what is to be written
		}
		got := w.form.compiled().FindStringSubmatch(text)
		if got == nil {
			continue
		}
		t := as
		t.tool, t.facts, t.weak, t.named = w.tool, &facts{values: map[string]any{}}, w.weak, w.named
		t.values = w.values
		if t.fill(w, got) {
			t.twice = t.asksMore(append(got, reason), as.language)
			if !yield(&t) {
				return false
			}
		}
	}
	return true
}

// reasoned is a text without what it ends with and only says why: after "because", or as a statement after a comma.
// Without any the reason is empty.
func (b thingBook) reasoned(text string) (rest, reason string) {
	for i, r := range text {
		kind := map[rune]string{' ': "because", ',': "statement"}[r]
		if kind == "" || i == 0 {
			continue
		}
		if at := b.words[kind].FindStringIndex(text[i:]); at != nil && at[0] == 0 {
			return strings.TrimRight(text[:i], " ,"), ", " + strings.TrimLeft(text[i:], " ,")
		}
	}
	return text, ""
}

// fill reads the slots. It is not ok if one of them cannot be read.
func (t *thinging) fill(w *thingWay, got []string) bool {
	for name, value := range w.values {
		if name != "remind" {
			t.set(name, value)
		}
	}
	names := w.form.compiled().SubexpNames()
	for i, said := range got {
		kind, key, _ := strings.Cut(names[i], "_")
		if kind != "body" {
			said = trimmed(said)
		}
		if i == 0 || names[i] == "" || said == "" {
			continue
		}
		if read := slotReader(kind); read == nil || !read(t, strings.ReplaceAll(key, "__", "."), said) {
			return false
		}
	}
	return t.settle()
}

// set is a fact under a name; one with a dot is a member of an object.
func (t *thinging) set(name string, value any) {
	outer, inner, nested := strings.Cut(name, ".")
	if !nested {
		t.need(value, name)
		return
	}
	object, _ := t.facts.values[outer].(map[string]any)
	if object == nil {
		object = map[string]any{}
		t.need(object, outer)
	}
	object[inner] = value
}

// slotReader is the reader of a kind of slot.
func slotReader(kind string) func(t *thinging, key, said string) bool {
	return map[string]func(t *thinging, key, said string) bool{
		"task": (*thinging).newTask, "time": (*thinging).time, "tasks": (*thinging).tasks, "days": (*thinging).days,
		"minutes": (*thinging).minutes, "due": (*thinging).due, "items": (*thinging).items, "name": (*thinging).name,
		"text": (*thinging).verbatim, "texts": (*thinging).texts, "who": (*thinging).who, "mails": (*thinging).mails,
		"phone": (*thinging).verbatim, "birthday": (*thinging).birthday, "about": (*thinging).about,
		"skip":   func(*thinging, string, string) bool { return true },
		"column": (*thinging).column, "event": (*thinging).event, "it": (*thinging).tasks, "length": (*thinging).days,
		"ahead": (*thinging).minutes, "whom": (*thinging).who,
		"amount": (*thinging).amount, "thing": (*thinging).amount, "many": (*thinging).many, "card": (*thinging).card,
		"person": (*thinging).person, "noted": (*thinging).noted, "keys": (*thinging).keys, "place": (*thinging).place,
		"block": (*thinging).block, "priority": (*thinging).priority, "window": (*thinging).window,
		"mail": (*thinging).mail, "any": (*thinging).any, "inbox": (*thinging).inbox, "to": (*thinging).people,
		"body": (*thinging).body, "heading": (*thinging).body,
		"topic": (*thinging).topic, "from": (*thinging).from,
		"fact": (*thinging).fact, "shown": (*thinging).shown,
	}[kind]
}

// asksMore reports whether the words after a mark or an "and" are another request.
func (t *thinging) asksMore(got []string, language string) bool {
	if t.family() == "note" || t.tool == composeMail {
		return false
	}
	var clauses []string
	for _, said := range got[1:] {
		clauses = append(clauses, clausesOf(said)[1:]...)
	}
	for _, clause := range clauses {
		if isRequest(clause, language, t.now) {
			return true
		}
	}
	return false
}

// isRequest reports whether a clause asks for something.
func isRequest(clause, language string, now time.Time) bool {
	if clause = strings.TrimSpace(clause); len(strings.Fields(clause)) < leastClause {
		return false
	}
	if t, ok := thingIn(clause, language, now, keeping{}); ok && !t.weak {
		return true
	}
	all := operations(clause, language, now, known{}, pointing{})
	return len(all) > 0 && duties[all[0].verb].changes && all[0].missing == ""
}

// trimmed is a text without quotation marks and marks at its ends.
func trimmed(text string) string {
	return strings.Trim(strings.Join(strings.Fields(text), " "), " \"“”«»,:;.!?")
}

// readWhole reports whether an operation of the calendar lacks nothing.
func readWhole(all []operation) bool { return len(all) > 0 && all[0].missing == "" }

// thing is the message as a thing, unless a weak one is also read otherwise.
func (d planData) thing(all []operation, language string, now time.Time) (thing, bool) {
	t, ok := thingIn(d.Message, language, now, keepingOf(d.Tasks, d.Shown, d.RecentTurns))
	return t, ok && !hasProvisos(all) && (!t.weak || !readWhole(all) && !d.Event)
}

// thingCall is the call for a thing among the tools that are offered.
func thingCall(t thing, offered []tool) (call operationCall, ok bool) {
	if t.twice {
		return asking(tongueOf(t.language).Clarify["tool"]), true
	}
	i := slices.IndexFunc(offered, func(o tool) bool { return o.Function.Name == t.tool })
	if i < 0 && t.tool == composeMail {
		return asking(tongueOf(t.language).Clarify["mail"]), true
	}
	if i < 0 {
		return call, false
	}
	arguments, ok := t.in(offered[i].Function.Parameters)
	return operationCall{t.tool, arguments}, ok
}

// thing is what the message asks of what the user keeps, in the light of what is being arranged.
func (r *reading) thing(message string, all []operation, now time.Time) (ownDay, bool) {
	t, ok := thingIn(message, r.Language, now, keepingOf(r.data.Tasks, r.data.Shown, r.data.RecentTurns))
	arranging := r.data.HasEvent || r.data.HasActivities
	if !ok || hasProvisos(all) || t.weak && (arranging || r.Intent == Create || readWhole(all)) {
		return ownDay{}, false
	}
	r.Language = t.language
	return ownDay{
		intent: t.intent(), families: []string{t.family()}, read: true, plain: !t.weak,
		confidence: 1 - (1-max(r.Confidence, even))*doubtLeft,
	}, true
}
