package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/agenda"
)

// Letter is what is known of a mail besides its subject.
type Letter struct {
	// Sender is the name as others wrote it, and Address theirs. To are names and addresses of those who got it.
	Sender, Address string
	To              []string
	At              time.Time
	// Folder is as mail.Folder names it.
	Folder                                string
	Unread, Starred, Newsletter, Attached bool
}

// MostMails is how many mails of a mailbox a message is compared with, the newest.
const MostMails = 600

// leastOfMail is how probable the deeds of mails have to be together so that the mailbox is looked at.
const leastOfMail = 0.03

func (r *reading) isMail() bool { return strings.HasPrefix(r.deed, "mail_") }

// maybeMail reports whether the message may be about mails: by its words, or as it may point to what was seen last.
func (r *reading) maybeMail() bool {
	known := func(id string) bool {
		return slices.ContainsFunc(r.Things, func(t Thing) bool { return t.ID == id })
	}
	if slices.ContainsFunc(r.found, func(m mention) bool { return m.covered < 1 }) { // it may name a mail as well
		unnamed := *r
		unnamed.found = nil
		unnamed.judge()
		r.ofMail = max(r.ofMail, unnamed.ofMail)
	}
	return r.ofMail >= leastOfMail || r.says("mail") || words()["all from"].MatchString(r.Text) ||
		len(r.people) > 0 && colon.MatchString(r.Text) ||
		r.namesNothing() && slices.ContainsFunc(slices.Concat(r.Last, r.Listed), func(id string) bool { return !known(id) })
}

// namesNothing reports whether the message names no thing, and only may describe one.
func (r *reading) namesNothing() bool {
	return !slices.ContainsFunc(r.found, func(m mention) bool { return !m.described })
}

// endOfWritten is where the text of a mail ends that begins at a byte: before words that only ask to send it.
func endOfWritten(text string, at int) int {
	if asks := form("asks to send").FindStringIndex(text[at:]); asks != nil && asks[0] > 0 {
		return at + asks[0] + 1
	}
	return len(text)
}

// bestOfMails is the best way to read the message with the mails that it may name, and those who sent them. What
// follows a colon, or "reply that", may be what is to be written: then it tells nothing of the deed.
func bestOfMails(m Message) *reading {
	mails := m.Mails()
	m = m.withWriter(mails)
	m.People = append(addressed(m.Text), m.People...)
	r := newReading(m)
	r.mails = mails
	r.findSenders()
	named := keep(mails, func(t Thing) bool {
		own := t.Letter.Folder == "sent" || t.Letter.Folder == "drafts"
		return !own || slices.Contains(m.Last, t.ID) || r.says(t.Letter.Folder)
	})
	r.Things = append(slices.Clip(m.Things), named...)
	dictated, unnamed, only := *r, *r, *r
	entitles := form("entitled").MatchString(r.delexicalized())
	unnamed.Things, only.Things = nil, named
	best := r.best()
	if of := only.best(); !best.ofMails() && of.ofMails() && of.probability >= leastToChange &&
		(of.says("mail") || best.isMail() || best.probability < leastToRead) {
		best = of // other things only have words in common with it
		dictated.Things = named
	}
	if of := unnamed.best(); of.deed == "mail_compose" && (of.probability > best.probability ||
		of.says("new mail") && of.weight() > best.weight()) {
		best = of // a new mail needs no other one
	}
	if of := r.bestSparing(); of != nil && !best.isMail() {
		best = of
	}
	at, least := r.written()
	if at < 0 || at == len(m.Text) || len(r.quoted) > 0 {
		return best
	}
	end := endOfWritten(m.Text, at)
	dictated.quoted = []said{{text: strings.TrimSpace(m.Text[at:end]), from: at, to: end}}
	if entitles {
		dictated.Things = nil
	}
	dictated.where = map[string]spot{} // none of its words names anything
	dictated.words = keep(r.words, func(w word) bool { return w.to <= at })
	dictated.people = keep(r.people, func(p said) bool { return p.to <= at })
	dictated.Last = keep(r.Last, func(id string) bool { // it says nothing more of an event
		return slices.ContainsFunc(mails, func(t Thing) bool { return t.ID == id })
	})
	of := dictated.best()
	of.dictates = deeds[of.deed].dictated && of.probability >= least
	if of.dictates && (!best.isMail() || best.deed == of.deed || entitles) ||
		deeds[of.deed].dictated && of.probability > best.probability {
		return of
	}
	return best
}

// ofMails reports whether the deed is one of mails, and nothing else is named.
func (r *reading) ofMails() bool {
	return r.isMail() && !slices.ContainsFunc(r.found, func(m mention) bool { return m.kind != Mail })
}

var addressForm = regexp.MustCompile(`[\p{L}\p{N}._%+\-]+@[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)+`)

// addressed are the addresses of mail that the user writes.
func addressed(text string) (all []Person) {
	for _, a := range addressForm.FindAllString(text, -1) {
		all = append(all, Person{Name: a, Said: a, Address: a})
	}
	return all
}

// A word that names a sender has to tell this much, and less if "from" or the like stands before it.
const (
	leastSender = telling
	leastMarked = 0.3
)

// senderNames are the names of senders, each as its words.
type senderNames [][]string

func (r *reading) senderNames() (all senderNames) {
	known := map[[2]string]bool{}
	for _, t := range r.mails {
		if key := [2]string{t.Letter.Sender, t.Letter.Address}; !known[key] {
			known[key], all = true, append(all, t.Letter.names())
		}
	}
	return all
}

// have reports whether words are those of one sender, or begin one of them that is written as several.
func (all senderNames) have(words ...string) bool {
	joined := strings.Join(words, "")
	return slices.ContainsFunc(all, func(of []string) bool {
		return areOf(words, of) || slices.ContainsFunc(of, func(w string) bool { return strings.HasPrefix(w, joined) })
	})
}

// areOf reports whether words are those of a name, or one of them that is written as several: "product hunt".
func areOf(words, name []string) bool {
	return slices.Contains(name, strings.Join(words, "")) ||
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(name, w) })
}

// findSenders finds words that name senders of mails who are no contacts: "hetzner" of Hetzner Online.
func (r *reading) findSenders() {
	names := r.senderNames()
	for i := 0; i < len(r.words); i++ {
		p, n := r.senderAt(i, names)
		if n == 0 || r.inPeople(p) || words()["about ends"].MatchString(r.Text[:p.from]) ||
			words()["mail"].MatchString(p.text) || words()["kinds"].MatchString(p.text) {
			continue
		}
		least := leastSender
		if r.isSender(p) {
			least = leastMarked
		}
		if n > 1 || (len([]rune(p.text)) > 2 || r.isSender(p)) && tells(p.text) >= least {
			r.people = append(r.people, p)
			i += n - 1
		}
	}
	slices.SortFunc(r.people, func(a, b said) int { return a.from - b.from })
}

// senderAt is the sender whom the words from the i-th on name, and how many words these are.
func (r *reading) senderAt(i int, names senderNames) (p said, n int) {
	var run []string
	for k := i; k < len(r.words); k++ {
		w, skipped := asNamed(r.words[k].lower, names)
		if w == "" && len(run) > 0 {
			w = agenda.Fold(r.words[k].lower)
		}
		if w == "" || !names.have(append(run, w)...) {
			break
		}
		if len(run) == 0 {
			p.from = r.words[k].from + skipped
		}
		run, p.to = append(run, w), r.words[k].to-possessive(r.words[k].lower)
	}
	if !slices.ContainsFunc(names, func(of []string) bool { return areOf(run, of) }) {
		return p, 0
	}
	p.text = strings.Join(run, " ")
	return p, len(run)
}

// asNamed is a word as it stands in one of the names, and how many bytes stand before it in the word.
func asNamed(lower string, names senderNames) (w string, skipped int) {
	w = agenda.Fold(strings.TrimSuffix(lower, "'s"))
	if names.have(w) {
		return w, 0
	}
	if short := bare(w); names.have(short) {
		return short, len(lower) - len(bare(lower))
	}
	return "", 0
}

// inPeople reports whether a part of the message has to do with a person who is named.
func (r *reading) inPeople(s said) bool {
	return slices.ContainsFunc(r.people, func(p said) bool { return p.from < s.to && s.from < p.to })
}

// anyone are names of domains that say nothing about a sender.
var anyone = strings.Fields("gmail googlemail outlook hotmail yahoo icloud proton protonmail mail email example")

// names are the words by which people call the sender: those of the name, and of the domain.
func (l *Letter) names() []string {
	list := split(agenda.Fold(l.Sender))
	words := make([]string, 0, len(list)+1)
	for _, w := range list {
		words = append(words, w.lower)
	}
	if _, domain, ok := strings.Cut(strings.ToLower(l.Address), "@"); ok {
		if labels := strings.Split(domain, "."); len(labels) > 1 && !slices.Contains(anyone, labels[len(labels)-2]) {
			words = append(words, labels[len(labels)-2])
		}
	}
	return words
}

func (l *Letter) called(words []string) bool {
	return areOf(words, l.names())
}

// isFrom reports whether a person sent it.
func (l *Letter) isFrom(p said) bool {
	if p.address != "" && strings.EqualFold(p.address, l.Address) {
		return true
	}
	var words []string
	for _, w := range split(agenda.Fold(p.text)) {
		words = append(words, w.lower)
	}
	return len(words) > 0 && l.called(words)
}

// wrote reports whether a person sent a mail.
func (s said) wrote(t Thing) bool { return t.Letter.isFrom(s) }

// isTo reports whether a person got it.
func (l *Letter) isTo(p said) bool {
	return slices.ContainsFunc(l.To, func(to string) bool {
		return strings.EqualFold(to, p.text) || p.address != "" && strings.EqualFold(to, p.address)
	})
}

// leastSubject is how much a word of a subject has to tell that may name the mail.
const leastSubject = 0.4

// mailMention is how the message names mails by words of their subject; zero if it does not. A bit of a subject names
// it too: take finds what else it names.
func (r *reading) mailMention(things []Thing, stems []string, often map[string]int) mention {
	m := mention{kind: Mail, things: things}
	total, found := 0.0, 0
	where := map[int]map[int]float64{} // by clause
	for _, s := range stems {
		weight := tells(s) / float64(often[s])
		total += weight
		k, whole := r.wordOf(s)
		if k >= 0 {
			found++
		}
		short := len([]rune(s)) < 3 && !strings.Contains(things[0].Title, strings.ToUpper(s))
		if k < 0 || tells(s) < leastSubject || !r.namesMail(r.words[k]) || short {
			continue
		}
		if !whole {
			weight *= slipped
		}
		clause := len(clauses.FindAllStringIndex(r.Text[:r.words[k].from], -1))
		if where[clause] == nil {
			where[clause] = map[int]float64{}
		}
		where[clause][k] += weight
	}
	if found == 0 {
		return mention{}
	}
	for _, in := range where {
		m.gather(in, func(int) bool { return false })
	}
	m.words = r.withTimes(m.words, things[0].Title)
	if len(m.words) == 0 && found > 1 {
		if at := r.pair(things[0].Title); at >= 0 {
			m.words, m.weight = []int{at, at + 1}, 1/float64(often[stems[0]])
		}
	}
	if at := r.verbatim(things[0].Title); len(at) > 1 {
		m.words, m.weight, m.covered = at, total, 1
		return m
	}
	m.covered = m.weight / max(total, m.weight, 1e-9)
	return m
}

// withTimes are words of a subject with those that are said of time or are numbers beside them, if the subject has
// these too, or one that begins so: "the parent evening", "the feb invoices".
func (r *reading) withTimes(at []int, title string) []int {
	const beside, least = 2, 3
	subject := split(title)
	for i, w := range r.words {
		near := slices.ContainsFunc(at, func(k int) bool { return max(i-k, k-i) <= beside })
		same := func(o word) bool {
			begins := len(w.lower) >= least && strings.HasPrefix(o.lower, w.lower)
			return w.lower == o.lower || w.timely && (begins || sharesStem(w, o))
		}
		if near && (w.timely || numeral(w)) && !slices.Contains(at, i) && slices.ContainsFunc(subject, same) {
			at = append(slices.Clone(at), i)
		}
	}
	slices.Sort(at)
	return at
}

func sharesStem(a, b word) bool {
	return slices.ContainsFunc(a.stems, func(s string) bool { return slices.Contains(b.stems, s) })
}

// pair is where two words that tell something stand one after the other as in a title, also if they are said of time
// ("black friday"); -1 if they stand nowhere.
func (r *reading) pair(title string) int {
	list := split(title)
	telling := func(w word) bool {
		return len(w.stems) > 0 && !slices.ContainsFunc(w.stems, func(s string) bool { return tells(s) < leastSubject })
	}
	for k := range max(0, len(list)-1) {
		for i := range max(0, len(r.words)-1) {
			if r.words[i].lower == list[k].lower && r.words[i+1].lower == list[k+1].lower &&
				telling(list[k]) && telling(list[k+1]) && !r.inPeople(said{from: r.words[i].from, to: r.words[i+1].to}) {
				return i
			}
		}
	}
	return -1
}

// namesMail reports whether a word may be one of a subject: it is said of no time, of nobody, and is no usual one.
func (r *reading) namesMail(w word) bool {
	return !w.timely && !r.inPeople(said{from: w.from, to: w.to}) && !words()["mail"].MatchString(w.lower) &&
		!words()["due"].MatchString(w.lower) && !words()["newest"].MatchString(w.lower) &&
		!slices.ContainsFunc(w.stems, func(s string) bool { return tells(s) < leastSubject })
}

// clauses are the marks between which the name of a mail stands.
var clauses = regexp.MustCompile(`[:;.!?]\s|\n`)

// rivals are other mails that the same words name.
func (m mention) rivals(all []mention) (others []Thing) {
	if m.covered == 1 && len(m.words) > 1 {
		return nil
	}
	for _, o := range all {
		named := func(i int) bool { return slices.Contains(o.words, i) }
		if o.kind == Mail && o.things[0].ID != m.things[0].ID && len(keep(m.words, named)) == len(m.words) {
			others = append(others, o.things...)
		}
	}
	return others
}
