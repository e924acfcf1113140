package ground

import (
	"cmp"
	_ "embed"
	"hash/fnv"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"convene/pkg/agenda"
	"convene/pkg/linear"
)

//go:generate go run ./train --from train --out .
//go:embed weights.gz
var weights []byte

// learned tells deeds, and Usual has the words of its sentences.
var learned = linear.Embedded[string](weights)

// Deeds are what messages ask for, by name.
func Deeds() []string { return slices.Sorted(maps.Keys(deeds)) }

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// Features are those of a message in which placeholders stand for what code knows: besides what is in its words, which
// words stand near each other, which are first and last, what they mean, and which placeholders there are.
func Features(message string) []uint32 {
	message = strings.ToLower(message)
	message = dayOf.ReplaceAllString(message, "${1}{time}")
	for one, several := range enumerations() {
		message = several.ReplaceAllLiteralString(message, one)
	}
	marked := strings.ReplaceAll(placeholder.ReplaceAllString(message, " q${1}q "), "?", " qaskq ")
	list := wordForm.FindAllString(marked, -1)
	f := features(linear.Features(marked, nil))
	if len(list) == 0 {
		return f
	}
	var order, meanings []string
	for i, w := range list {
		before, after := list[:i], list[i+1:]
		if len(after) > 1 {
			f.add("skip", w, after[1])
			f.add("three", w, after[0], after[1])
		}
		if w[0] == 'q' && w[len(w)-1] == 'q' {
			order = append(order, w)
			f.add("has", w)
		}
		for _, c := range meaningsOf(w) {
			meanings = append(meanings, c)
			f.add("means", c)
			for _, near := range slices.Concat(before[max(0, i-1):], after[:min(1, len(after))]) {
				f.add("beside", c, near)
			}
		}
	}
	f.pairs(meanings, order)
	f.add("first", list[0])
	f.add("last", list[len(list)-1])
	f.add("order", order...)
	f.add("begins", list[:min(2, len(list))]...)
	return f
}

// dayOf is a time with the Hebrew word for a day before it, which says nothing more.
var dayOf = regexp.MustCompile(`([בלמ]?)יום \{time\}`)

// enumerations are several things of a kind one after the other, of which a deed is as it is of one.
var enumerations = sync.OnceValue(func() map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{}
	for _, kind := range []Kind{Event, Task, Item, Mail} {
		one := "{" + string(kind) + "}"
		again := `(?:\s*[,&+]\s*|\s+)(?:and |y |e |וגם |ו)?(?:the |my |el |la |los |las |mi |את )?ה?-?` +
			regexp.QuoteMeta(one)
		all[one] = regexp.MustCompile(regexp.QuoteMeta(one) + `(?:` + again + `)+`)
	}
	return all
})

// features are hashes of what a message is looked at by.
type features []uint32

func (f *features) add(kind string, list ...string) {
	h := fnv.New32a()
	_, _ = h.Write([]byte(kind + " " + strings.Join(list, " ")))
	*f = append(*f, h.Sum32())
}

// pairs are the meanings with each other, and with the placeholders.
func (f *features) pairs(meanings, placeholders []string) {
	slices.Sort(meanings)
	meanings = slices.Compact(meanings)
	kinds := slices.Compact(slices.Sorted(slices.Values(placeholders)))
	for i, c := range meanings {
		for _, k := range kinds {
			f.add("of", c, k)
		}
		for _, other := range meanings[i+1:] {
			f.add("both", c, other)
		}
	}
}

// Plain are the words of such a message, without placeholders.
func Plain(message string) string {
	bare := placeholder.ReplaceAllString(strings.ToLower(message), " ")
	return strings.Join(wordForm.FindAllString(bare, -1), " ")
}

// quotation is what stands in quotation marks, also in single ones, which are apostrophes between letters.
var quotation = regexp.MustCompile(`"[^"]+"|“[^”]+”|«[^»]+»|„[^“”]+[“”]|` +
	`(?:^|[\s(:,;])(?:'(?:\p{L}'\p{L}|[^'\n])+'|‘(?:\p{L}’\p{L}|[^’\n])+’)`)

// newReading finds the words of a message, the people who are named, and what is quoted.
func newReading(m Message) *reading {
	r := &reading{
		Message: m, words: split(m.Text), begins: map[rune]bool{}, stems: map[string][]string{}, where: map[string]spot{},
	}
	for _, w := range r.words {
		r.begins[initial(w.lower)] = true
	}
	for _, at := range quotation.FindAllStringIndex(m.Text, -1) {
		at[0] += len(m.Text[at[0]:at[1]]) - len(strings.TrimLeft(m.Text[at[0]:at[1]], " \t\n(:,;"))
		inner := strings.Trim(m.Text[at[0]:at[1]], `"“”«»„'‘’`)
		if wordForm.MatchString(inner) {
			r.quoted = append(r.quoted, said{text: inner, from: at[0], to: at[1]})
		}
	}
	for _, p := range m.known() {
		from, to := r.find(p.Said)
		who := said{text: p.Name, from: from, to: to, address: p.Address}
		plain := r.stands(from, "with") || m.Language != "es" && (r.isSender(who) || r.isRecipient(who))
		if to > from && (plain || !isWord(m.Text[from:to], m.Language)) {
			r.people = append(r.people, who)
		}
	}
	slices.SortFunc(r.people, func(a, b said) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	for i, p := range r.people {
		if i > 0 && p.from == r.people[i-1].from && p.text != r.people[i-1].text { // nothing tells which one is meant
			r.people[i-1].text, r.people[i-1].address = r.Text[p.from:p.to], ""
		}
	}
	r.people = slices.CompactFunc(r.people, func(next, last said) bool { return next.from < last.to })
	r.ontoNothing()
	r.markBoards()
	return r
}

// isWord reports whether a name is written as a word is that people often use: "al" in Spanish, but not in English,
// where no name is one.
func isWord(name, language string) bool {
	const often = 5
	return !strings.HasPrefix(language, "en") && name == strings.ToLower(name) && learned().Usual[name] > often &&
		!strings.ContainsRune(name, ' ')
}

// find is where the words of a name stand in the message, without the ending of a possessive and the letters that are
// written before a Hebrew name.
func (r *reading) find(name string) (from, to int) {
	sought := split(name)
	for i := range r.words {
		for k := range sought {
			if i+k >= len(r.words) {
				break
			}
			said := strings.TrimSuffix(r.words[i+k].lower, "'s")
			if said != sought[k].lower && (k > 0 || !written(said, sought[k].lower)) {
				break
			}
			if w := r.words[i+k]; k+1 == len(sought) {
				first := r.words[i]
				return first.to - possessive(first.lower) - len(sought[0].lower), w.to - possessive(w.lower)
			}
		}
	}
	return 0, 0
}

// written reports whether a word is a name with Hebrew letters before it.
func written(said, name string) bool {
	before, ok := strings.CutSuffix(said, name)
	return ok && len([]rune(name)) > 1 && strings.Trim(before, "ולבמשהכ") == ""
}

// possessive is how many bytes the ending of a possessive has.
func possessive(w string) int { return len(w) - len(strings.TrimSuffix(w, "'s")) }

// part is what stands from byte from to byte to of the message, and the placeholder in its place.
type part struct {
	from, to int
	mark     string
}

// parts are those that stand for what is known, in order.
func (r *reading) parts() (parts []part) {
	for _, m := range r.found {
		for i, k := range m.words {
			w, mark := r.words[k], ""
			if i == 0 {
				mark = m.before(w) + "{" + string(m.kind) + "}"
			} else if between := r.words[m.words[i-1]+1 : k]; !slices.ContainsFunc(between, distinct) {
				parts = append(parts, part{r.words[m.words[i-1]].to, w.from, ""})
			}
			parts = append(parts, part{w.from, w.to, mark})
		}
	}
	for _, p := range r.people {
		parts = append(parts, part{p.from, p.to, "{person}"})
	}
	for _, t := range r.times {
		if t.isName() {
			continue
		}
		parts = append(parts, part{t.from, t.to, t.mark()})
	}
	for _, q := range slices.Concat(r.quoted, r.own) {
		parts = append(parts, part{q.from, q.to, "{text}"})
	}
	if _, from, to := r.age(); to > 0 {
		parts = append(parts, part{from, to, ""})
	}
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Or(a.from-b.from, b.to-a.to) })
	last := 0
	return slices.DeleteFunc(parts, func(p part) bool {
		covered := p.from < last
		last = max(last, p.to)
		return covered
	})
}

// delexicalized is the message with placeholders for what is known.
func (r *reading) delexicalized() string {
	var b strings.Builder
	at := 0
	for _, p := range r.parts() {
		b.WriteString(r.Text[at:p.from] + p.mark)
		at = p.to
	}
	return b.String() + r.Text[at:]
}

// original is where the bytes of the delexicalized message stand in the message itself.
func (r *reading) original(from, to int) (int, int) {
	shift := 0 // how much further they stand
	begin, end := -1, -1
	for _, p := range r.parts() {
		at := p.from - shift // where the placeholder stands
		if begin < 0 && from < at+len(p.mark) {
			begin = min(from+shift, p.from)
		}
		if end < 0 && to <= at {
			end = to + shift
		} else if end < 0 && to <= at+len(p.mark) {
			end = p.to
		}
		shift += p.to - p.from - len(p.mark)
	}
	if begin < 0 {
		begin = from + shift
	}
	if end < 0 {
		end = to + shift
	}
	for _, p := range r.parts() { // the rest of a name of several words
		if p.mark == "" && p.from >= end && strings.TrimSpace(r.Text[end:p.from]) == "" {
			end = p.to
		}
	}
	return begin, end
}

// distinct reports whether a word tells a thing from others.
func distinct(w word) bool {
	return slices.ContainsFunc(w.stems, func(s string) bool { return !agenda.Idle(s) })
}

// bare is a Hebrew word without the letters that are written before it.
func bare(w string) string {
	letters := []rune(w)
	for len(letters) > 3 && strings.ContainsRune("ולבמשהכ", letters[0]) {
		letters = letters[1:]
	}
	return string(letters)
}

// before are the Hebrew letters that are written before a word of the name, as the title has it.
func (m mention) before(w word) string {
	letters := w.lower[:len(w.lower)-len(bare(w.lower))]
	for _, t := range m.things {
		for _, o := range split(t.Title) {
			if written(w.lower, o.lower) && len(w.lower)-len(o.lower) < len(letters) {
				letters = w.lower[:len(w.lower)-len(o.lower)]
			}
		}
	}
	return letters
}

// judge tells the deed. Deeds for things that are not there are ruled out.
func (r *reading) judge() {
	r.heard = r.hear()
	defer func() { r.heard = nil }()
	if r.plainly() {
		return
	}
	m, p := learned(), r.likely()
	sum, best, recalls := 0.0, -1, r.recalls()
	r.ofMail, r.other = 0, 0
	for i, name := range m.Classes {
		if recalls || !slices.Contains(newEvents, name) {
			r.other += p[i]
		}
		if strings.HasPrefix(name, "mail_") {
			r.ofMail += p[i]
		}
		if !r.can(name) || recalls && (name == "event_create" || name == "block_create") {
			continue
		}
		if sum += p[i]; best < 0 || p[i] > p[best] {
			best = i
		}
	}
	r.other = max(r.other, r.ofOwnTasks())
	least := leastAllowed
	if r.pointed || r.says("looking") {
		least = leastPointed
	}
	if best >= 0 && sum > least {
		r.deed, r.probability, r.alone = m.Classes[best], p[best]/sum, p[best]
		r.kept, r.looks = ofAny(keeping, p)/sum, ofAny(ofLooks, p)/sum
	}
}

// ofOwnTasks is 1 if the message is of the user's tasks alone, or asks first that someone is told something, so that it
// makes no new event: "plan my tasks", "tell al …"; else 0.
func (r *reading) ofOwnTasks() float64 {
	if r.says("all mine") && len(r.people) == 0 || r.says("telling") {
		return 1
	}
	return 0
}

// likely is how probable each deed is that was learned. A reminder of what is no task yet makes one.
func (r *reading) likely() []float64 {
	m := learned()
	p := m.Probabilities(Features(r.delexicalized()))
	remind, create := slices.Index(m.Classes, "task_remind"), slices.Index(m.Classes, "task_create")
	if len(r.of(Task)) == 0 && remind >= 0 && create >= 0 {
		p[create], p[remind] = p[create]+p[remind], 0
	}
	return p
}

// ofKept reports whether a deed is of what is no event.
func ofKept(deed string) bool {
	kind, _, _ := strings.Cut(deed, "_")
	return slices.Contains([]string{"task", "item", "list", "note", "contact", "preference", "mail"}, kind)
}

// describes reports whether words describe events that no title names.
func (r *reading) describes() bool {
	return slices.ContainsFunc(r.found, func(m mention) bool { return m.described })
}

// leastAllowed is how probable the deeds have to be together that are not ruled out; less if the message points, so
// that it is known what it is about.
const (
	leastAllowed = 0.2
	leastPointed = 0.005
)

// can reports whether there is what a deed needs, and nothing that it cannot be of.
func (r *reading) can(name string) bool {
	d := deeds[name]
	if ofKept(name) && r.describes() {
		return false
	}
	if d.invited && !slices.ContainsFunc(r.of(Event), func(m *mention) bool {
		return slices.ContainsFunc(m.things, func(t Thing) bool { return t.Invited })
	}) {
		return false
	}
	if r.implied && d.on != r.found[0].kind || r.pointsElsewhere(name) {
		return false
	}
	if ofKept(name) && !d.reads && name != "list_create" && r.says("looking") {
		return false
	}
	if d.on == Task && r.says("onto") {
		return false // "to my tasks" is said of new ones
	}
	noItem := len(r.of(Item)) == 0 && (!r.pointed || len(r.of(Mail)) == 0)
	return d.on == Nothing || len(r.of(d.on)) > 0 || d.on == List && (noItem || d.reads) ||
		d.on == Item && len(r.of(List)) > 0 && r.says("everything")
}

// pointsElsewhere reports whether words like "the first one" mean a thing of another kind than a deed is of, or any
// thing for a deed that is of none.
func (r *reading) pointsElsewhere(deed string) bool {
	mail := strings.HasPrefix(deed, "mail_")
	switch {
	case !r.pointed:
		return false
	case strings.HasPrefix(deed, "day_") || deed == "event_create" || deed == "block_create":
		return true
	case len(r.found) == 0:
		return false
	case form("by number").MatchString(r.Text) && deeds[deed].on != r.found[0].kind && (r.found[0].kind != Mail || !mail):
		return true // it is of what was listed
	}
	return mail && len(r.of(Mail)) == 0 && !r.says("mail")
}

// On is the kind of thing that a deed needs.
func On(name string) Kind { return deeds[name].on }
