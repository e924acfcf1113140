package clause

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"convene/pkg/ground"
	"convene/pkg/when"
)

// The kinds of marks: what is quoted, a person, an address, a time, a length, how far from another time, and a number
// of days.
const (
	quote   = 'q'
	person  = 'p'
	address = 'a'
	point   = 't'
	length  = 'l'
	shift   = 's'
	days    = 'd'
)

// mark is what stands in the message where the text has "‹q0›".
type mark struct {
	kind rune
	// text is as it stands in the message; value is the text in the quotes, or the name of the person.
	text, value string
}

var (
	quoted = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|«([^»]+)»|„([^“”]+)[“”]|` +
		`(?:^|[\s(:])[‘'](\S(?:[^'\n]|'[\p{L}])*)'(?:$|[\s,.;:?!)])`)
	addressed = regexp.MustCompile(`[\p{L}\p{N}._%+\-]+@[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)+`)
	markForm  = regexp.MustCompile(`‹([a-z])(\d+)›`)
)

// put adds a mark and returns what stands for it in the text.
func (r *reader) put(m mark) string {
	r.marks = append(r.marks, m)
	return "‹" + string(m.kind) + strconv.Itoa(len(r.marks)-1) + "›"
}

// mark puts marks in place of what is quoted, of addresses and of people's names.
func (r *reader) mark() {
	r.text = strings.ReplaceAll(r.Text, "’", "'")
	for from := 0; ; {
		at := quoted.FindStringSubmatchIndex(r.text[from:])
		if at == nil {
			break
		}
		inner, begin, end := "", from+at[0], from+at[1]
		for k := 2; k < len(at); k += 2 {
			if at[k] >= 0 {
				inner = r.text[from+at[k] : from+at[k+1]]
				begin, end = before(r.text, from+at[k]), after(r.text, from+at[k+1])
			}
		}
		mark := r.put(mark{quote, `"` + inner + `"`, strings.TrimSpace(inner)})
		r.text = r.text[:begin] + mark + r.text[end:]
		from = begin + len(mark)
	}
	if at := r.book.forms["noted"].FindStringSubmatchIndex(r.text); at != nil { // all that follows is dictated
		note := r.text[at[2]:at[3]]
		r.text = r.text[:at[2]] + r.put(mark{quote, note, note}) + r.text[at[3]:]
	}
	r.text = addressed.ReplaceAllStringFunc(r.text, func(said string) string {
		return r.put(mark{address, said, strings.TrimRight(said, ".")})
	})
	all := append(slices.Clone(r.People), r.firms()...)
	slices.SortStableFunc(all, func(a, b ground.Person) int { return len(b.Said) - len(a.Said) })
	for _, p := range all {
		r.text = r.named(p)
	}
}

// firms are those who wrote mails, and in whose names a word stands that joins clauses: "Bright & Co.".
func (r *reader) firms() (all []ground.Person) {
	if r.Mails == nil || !r.book.joins.MatchString(r.text) {
		return nil
	}
	for _, t := range r.Mails() {
		name := strings.TrimRight(t.Letter.Sender, ".")
		if r.book.joins.MatchString(name) && !slices.ContainsFunc(all, func(p ground.Person) bool { return p.Name == name }) {
			all = append(all, ground.Person{Name: name, Said: name, Address: t.Letter.Address})
		}
	}
	return all
}

// before is where the rune before byte i begins, after where the one at byte i ends.
func before(text string, i int) int {
	_, n := utf8.DecodeLastRuneInString(text[:i])
	return i - n
}

func after(text string, i int) int {
	_, n := utf8.DecodeRuneInString(text[i:])
	return i + n
}

// named is the text with marks for the name of a person. A Hebrew name may have letters before it.
func (r *reader) named(p ground.Person) string {
	if strings.TrimSpace(p.Said) == "" || r.Language != "en" && p.Said == strings.ToLower(p.Said) && isASCII(p.Said) {
		return r.text // "al" is a word
	}
	form := regexp.MustCompile(`(?i)(^|[^\p{L}\p{N}‹])([ושהכלבמ]{0,2}-?)(` + regexp.QuoteMeta(p.Said) +
		`)($|[^\p{L}\p{N}›])`)
	text := r.text
	for {
		at := form.FindStringSubmatchIndex(text)
		if at == nil || r.Language != "he" && at[4] < at[5] {
			return text
		}
		text = text[:at[6]] + r.put(mark{person, text[at[6]:at[7]], p.Name}) + text[at[7]:]
	}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return c >= utf8.RuneSelf })
}

// original is a part of the text as it stands in the message, with plain quotation marks.
func (r *reader) original(text string) string {
	for markForm.MatchString(text) {
		text = markForm.ReplaceAllStringFunc(text, func(m string) string { return r.of(m).text })
	}
	return text
}

// of is what a mark stands for.
func (r *reader) of(form string) mark {
	m := markForm.FindStringSubmatch(form)
	i, err := strconv.Atoi(m[2])
	if err != nil || i >= len(r.marks) {
		return mark{}
	}
	return r.marks[i]
}

// values are what the marks of a kind in a text stand for.
func (r *reader) values(text string, kinds string) (values []string) {
	for _, form := range markForm.FindAllString(text, -1) {
		if m := r.of(form); strings.ContainsRune(kinds, m.kind) && !slices.Contains(values, m.value) {
			values = append(values, m.value)
		}
	}
	return values
}

// timed is the text with marks for times and lengths.
func (r *reader) timed(text string) string {
	return r.marked(text, map[when.Kind]rune{when.KindDate: point, when.KindTime: point, when.KindDuration: length})
}

// marked is the text with marks for what is said of time of some kinds.
func (r *reader) marked(text string, kinds map[when.Kind]rune) string {
	plain := markForm.ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat("q", len(m)) })
	setting := when.Setting{Language: r.Language}
	if soon := r.book.forms["soon"].FindStringIndex(plain); soon != nil { // "at the first hour that i'm free"
		plain = plain[:soon[0]] + strings.Repeat("q", soon[1]-soon[0]) + plain[soon[1]:]
	}
	plain = r.book.forms["taken"].ReplaceAllStringFunc(plain, func(said string) string { // "busy on Monday" is a Monday
		return strings.Repeat("q", len(said))
	})
	for _, e := range slices.Backward(setting.Read(plain, r.Now).Entities) {
		said := setting.Read(plain[e.Start:e.End], r.Now)
		kind := kinds[e.Kind]
		if kind == 0 || said.Soonest && !said.Says() {
			continue
		}
		from := e.Start
		if at := r.book.forms["who"].FindStringIndex(text[from:e.End]); at != nil && at[0] == 0 {
			from += at[1] // "él", which reads as the article of a day
		}
		text = text[:from] + r.put(mark{kind, text[from:e.End], text[from:e.End]}) + text[e.End:]
	}
	return text
}

// counted is the text with marks for numbers of days and weeks; the value is the number of days.
func (r *reader) counted(text string) string {
	return r.book.forms["days"].ReplaceAllStringFunc(text, func(said string) string {
		m := r.book.forms["days"].FindStringSubmatch(said)
		n := r.book.number(cmp.Or(m[1:]...))
		switch {
		case r.book.is("weeks", said):
			n *= 7
		case r.book.is("months", said):
			n *= 30
		}
		return r.put(mark{days, said, strconv.Itoa(n)})
	})
}

// trimmed is a clause without the marks of punctuation around it.
func trimmed(text string) string { return strings.Trim(text, " \t\n,.;:?!¿¡-–—") }
