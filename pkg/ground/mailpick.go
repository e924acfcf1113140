package ground

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/agenda"
	"convene/pkg/interval"
)

// pick finds which mails a message means, criterion by criterion.
type pick struct {
	*reading
	// left are the mails that fit all criteria so far, the newest first, and selection says the same to a tool.
	left      []Thing
	selection arguments
	// named says that there is a criterion, exact that words of the subject or pointing words tell which ones are meant,
	// and lost that something is said which the selection has not.
	named, exact, lost bool
	// aged says that it is said how old they are.
	aged bool
	// several says that more than one mail is named, one by one, and sparing that others are left out.
	several, sparing bool
}

// pickAll are the mails that are meant, whatever the message leaves out of them.
func (r *reading) pickAll(senders []*said, of ...string) *pick {
	r.subjects = map[int]bool{}
	p := &pick{reading: r, left: slices.Clone(r.mails), selection: arguments{}}
	slices.SortStableFunc(p.left, func(a, b Thing) int { return b.Letter.At.Compare(a.Letter.At) })
	p.lost = r.stranger() != ""
	p.amongThose()
	p.byDomain()
	p.bySubject()
	p.bySender(senders)
	p.byFolder()
	for _, mark := range of {
		p.byMark(mark)
	}
	future := slices.Contains(of, "future")
	p.byAge(future)
	p.byTime(future)
	if !p.named {
		p.byPointing()
	}
	p.lost = p.lost || (p.pointed || r.pointed) && words()["limited"].MatchString(r.delexicalized()) // only some of them
	return p
}

// amongThose leaves the mails that the turn before found, if there were several, and the message is about some of them:
// "archive the ones that are older than a week".
func (p *pick) amongThose() {
	ids := p.Before.mails()
	if len(ids) < 2 || !form("some of them").MatchString(p.Text) {
		return
	}
	p.left = keep(p.left, func(t Thing) bool { return slices.Contains(ids, t.ID) })
	p.exact = true
}

func (p *pick) keep(is func(t Thing) bool) { p.left, p.named = keep(p.left, is), true }

// among are the mails of a list.
func (p *pick) among(list []Thing) {
	p.keep(func(t Thing) bool { return slices.ContainsFunc(list, func(o Thing) bool { return o.ID == t.ID }) })
}

func (p *pick) bySubject() {
	named := slices.DeleteFunc(p.of(Mail), func(m *mention) bool {
		return len(m.words) > 0 && p.inBody(p.words[m.words[0]].from)
	})
	if len(named) == 0 {
		return
	}
	var list []Thing
	apart := false
	var all []int
	for i, m := range named {
		m.used = true
		list, all = append(append(list, m.things...), m.others...), append(all, m.words...)
		p.guessed = p.guessed || len(m.others) > 0
		apart = apart || i > 0 && len(m.words) > 0 && !form("joining").MatchString(p.between(*named[i-1], *m))
	}
	if apart { // one mail with words that stand apart
		list = keep(list, func(t Thing) bool { return p.hasAll(t, all) })
		p.lost = len(list) == 0
	}
	p.several, p.exact = len(named) > 1 && !apart, true
	p.among(list)
}

// hasAll reports whether a subject has all words of the message that are named.
func (r *reading) hasAll(t Thing, at []int) bool {
	stems := namesIn(t.Title)
	return !slices.ContainsFunc(at, func(i int) bool {
		return !slices.ContainsFunc(r.words[i].stems, func(s string) bool {
			return slices.ContainsFunc(stems, func(o string) bool { return agenda.SameThing(s, o) })
		})
	})
}

// between is what stands between two mentions.
func (r *reading) between(a, b mention) string {
	return r.Text[r.words[a.words[len(a.words)-1]].to:r.words[b.words[0]].from]
}

func (p *pick) bySender(people []*said) {
	if len(people) == 0 {
		return
	}
	var names []string
	for _, who := range people {
		who.used = true
		names = append(names, who.text)
	}
	is, field := (*Letter).isFrom, "from"
	if p.says("sent") || p.says("drafts") {
		is, field = (*Letter).isTo, "to"
	}
	p.selection[field] = names
	p.keep(func(t Thing) bool {
		return slices.ContainsFunc(people, func(who *said) bool {
			return slices.ContainsFunc(p.namesakes(*who), func(one said) bool { return is(t.Letter, one) })
		})
	})
}

// namesakes are all whom the words for a person may mean: of two who are called Sam, either may have written.
func (r *reading) namesakes(who said) []said {
	all := []said{who}
	for _, o := range r.People {
		if from, to := r.find(o.Said); to > from && from == who.from && o.Name != who.text {
			all = append(all, said{text: o.Name, address: o.Address, from: from, to: to})
		}
	}
	return all
}

// byFolder keeps those of the folder that is said, or of the inbox, or else those that lie elsewhere. What the user
// wrote is meant only if that is said.
func (p *pick) byFolder() {
	in := func(folders ...string) func(t Thing) bool {
		return func(t Thing) bool { return slices.Contains(folders, t.Letter.Folder) }
	}
	for _, folder := range []string{"sent", "drafts"} {
		if p.says(folder) {
			p.selection["folder"] = folder
			p.keep(in(folder))
			return
		}
	}
	others := keep(p.left, func(t Thing) bool { return !in("sent", "drafts")(t) })
	inbox := keep(others, in("inbox"))
	if p.left = inbox; len(inbox) == 0 {
		p.left = others
	}
}

// byMark keeps those that are marked as the message says: unread, starred, newsletters, with attachments.
func (p *pick) byMark(mark string) {
	if mark == "future" || !p.says(mark) {
		return
	}
	is := func(t Thing) bool {
		return map[string]bool{
			"unread": t.Letter.Unread, "starred": t.Letter.Starred, "newsletter": t.Letter.Newsletter,
			"hasAttachment": t.Letter.Attached,
		}[mark]
	}
	if mark == "newsletter" && p.beside(mark) {
		picked := func(t Thing) bool { return slices.ContainsFunc(p.left, func(o Thing) bool { return o.ID == t.ID }) }
		p.left = append(p.left, keep(p.mails, func(t Thing) bool {
			return is(t) && t.Letter.Folder == "inbox" && !picked(t)
		})...)
		p.several, p.exact = true, true
		delete(p.selection, "from")
		return
	}
	p.selection[mark] = true
	p.keep(is)
}

// byAge keeps those that are so old: "older than a month". Future says that "by friday" is of something else.
func (p *pick) byAge(future bool) {
	days, from, to := p.age()
	if days == 0 && p.olderThanDay(future) {
		return
	}
	if p.lost = p.lost || days == 0 && p.says("older"); days == 0 {
		return
	}
	p.useWithin(from, to)
	p.aged = true
	until := interval.DateOf(p.Now).AddDays(-days).Start(p.Now.Location())
	p.selection["until"] = until.Format(localTime)
	p.keep(func(t Thing) bool { return t.Letter.At.Before(until) })
}

var unitDays = map[string]int{"day": 1, "week": 7, "two weeks": 14, "month": 30, "two months": 60, "year": 365}

// age is how many days old something is said to be at least, and where that is said; 0 if it is not.
func (r *reading) age() (days, from, to int) {
	const most = 3
	if r.older.in != r.Text {
		r.older.in, r.older.at = r.Text, words()["older"].FindStringIndex(r.Text)
	}
	at := r.older.at
	if at == nil {
		return 0, 0, 0
	}
	n, rest := 1, lowered(r.Text[at[1]:])
	for _, w := range rest[:min(most, len(rest))] {
		for unit, days := range unitDays {
			if words()["unit "+unit].MatchString(w.lower) {
				return n * days, at[0], at[1] + w.to
			}
		}
		if count, err := strconv.Atoi(w.lower); err == nil {
			n = count
		} else if spelt := slices.Index(spelling, bare(w.lower)) % mostSpelt; spelt > 1 {
			n = spelt
		}
	}
	return 0, 0, 0
}

// byWords keeps, of several that fit where one is meant, those whose subject has most of the other words of the
// message.
func (p *pick) byWords() {
	most := 0
	var best []Thing
	for _, t := range p.left {
		switch n := len(keep(p.words, func(w word) bool { return p.inTitle(w, t) })); {
		case n > most:
			most, best = n, []Thing{t}
		case n == most && n > 0:
			best = append(best, t)
		}
	}
	if most > 0 {
		p.left, p.guessed = best, true
		for _, w := range keep(p.words, func(w word) bool { return p.inTitle(w, best[0]) }) {
			p.subjects[w.from] = true
		}
	}
}

// inTitle reports whether a word that is said of nothing else is in the title of a mail.
func (p *pick) inTitle(w word, t Thing) bool {
	stems := namesIn(t.Title)
	return !w.taken && !w.timely && !p.inBody(w.from) && !p.inPeople(said{from: w.from, to: w.to}) && distinct(w) &&
		slices.ContainsFunc(w.stems, func(s string) bool { return slices.Contains(stems, s) })
}

func (p *pick) byPointing() {
	if list := keep(p.pointsTo(), func(t Thing) bool { return t.Kind == Mail }); len(list) > 0 {
		p.left = list
		p.named, p.exact, p.pointed, p.several = true, true, true, len(list) > 1
	}
}

// count is the number of mails that is said; 0 if there is none.
func (r *reading) count() (n int) {
	for i := range r.words {
		w := &r.words[i]
		if w.taken || r.inBody(w.from) || slices.ContainsFunc(r.times, func(t timed) bool {
			return t.from <= w.from && w.to <= t.to
		}) {
			continue
		}
		said, err := strconv.Atoi(w.lower)
		if spelt := slices.Index(spelling, w.lower) % mostSpelt; err != nil && spelt > 1 {
			said, err = spelt, nil
		}
		if err == nil {
			n, w.taken = said, true
		}
	}
	if n == 0 && r.says("both") {
		return 2
	}
	return n
}

// which is the selection of the mails that are meant; ok is false if that is not plain. Of several that fit where one
// is meant, the user is asked.
func (p *pick) which() (selection arguments, ok bool) {
	n := p.count()
	seen := keep(p.left, func(t Thing) bool { return slices.Contains(p.Last, t.ID) })
	if len(p.left) > 1 && len(seen) > 0 {
		p.left = seen
	}
	ofMails := p.named || p.says("mail") || len(p.selection) > 0
	newest, oldest := ofMails && p.says("newest"), ofMails && p.says("oldest") && !p.pointed
	if len(p.left) > 1 && !p.exact && !p.plural() && n == 0 && !newest && !oldest {
		p.byWords()
	}
	switch {
	case p.lost, !p.sparing && (p.says("all but") || p.says("keeps some")):
		return nil, false
	case (newest || oldest) && len(p.left) > 0 && !p.pointed:
		return p.firstOf(cmp.Or(n, 1), oldest)
	case len(p.left) == 0 && p.aged && !p.exact && !p.says("except"):
		p.reading.several = true
		return p.selection, true // none fits, as the tool tells
	case !p.named, p.says("except"), len(p.left) == 0, n > 0 && n != len(p.left):
		return nil, false
	case p.plural() || n > 1 || p.several && !p.guessed:
		p.reading.several = !p.exact && len(p.left) > 1
		if len(p.mails) >= MostMails && !p.exact && !p.sparing {
			p.selection["folder"] = cmp.Or(p.selection["folder"], any("inbox"))
			return p.selection, true
		}
		return idsOf(p.left), true
	case len(p.left) == 1:
		return idsOf(p.left), true
	}
	selection = idsOf(p.left)
	selection["one"] = true
	return selection, len(p.left) <= mostChoices
}

// firstOf are the newest or the oldest mails that are left, so many.
func (p *pick) firstOf(n int, oldest bool) (selection arguments, ok bool) {
	if oldest {
		slices.Reverse(p.left)
	}
	if n > len(p.left) {
		return nil, false
	}
	return idsOf(p.left[:n]), true
}

// mostChoices is how many mails the user is asked to choose from.
const mostChoices = 9

func (p *pick) plural() bool { return p.says("plural") }

// one is the selection of a single mail; ok is false if none, or more than one are meant.
func (p *pick) one() (selection arguments, ok bool) {
	selection, ok = p.which()
	if ids, _ := selection["ids"].([]string); !ok || len(ids) == 0 || len(ids) > 1 && selection["one"] == nil {
		return nil, false
	}
	return selection, true
}

func idsOf(list []Thing) arguments {
	var ids []string
	for _, t := range list {
		ids = append(ids, t.ID)
	}
	return arguments{"ids": ids}
}

// outside are the people who are named outside the user's own words.
func (r *reading) outside() (people []*said) {
	for i := range r.people {
		if p := &r.people[i]; !r.inBody(p.from) {
			people = append(people, p)
		}
	}
	return people
}

// isSender reports whether words beside a name say that the person wrote a mail: "from al", "al's", "al sent".
func (r *reading) isSender(p said) bool {
	before, after := r.neighbours(p)
	rest := strings.ReplaceAll(r.Text[p.to:], "’", "'")
	return strings.HasPrefix(rest, "'s") || words()["fromward"].MatchString(before) ||
		words()["wrote"].MatchString(after) || r.Language != "es" && words()["mail"].MatchString(after) ||
		prefixed(r.Text, p, "מ")
}

// isRecipient reports whether words beside a name say that a mail goes to the person, or to the one named before as
// well.
func (r *reading) isRecipient(p said) bool {
	before, _ := r.neighbours(p)
	if words()["and"].MatchString(before) || strings.HasSuffix(strings.TrimSpace(r.Text[:p.from]), ",") ||
		prefixed(r.Text, p, "ו") {
		for _, o := range r.outside() {
			if o.to <= p.from && len(strings.Fields(r.Text[o.to:p.from])) <= 2 {
				return r.isRecipient(*o)
			}
		}
	}
	return words()["toward"].MatchString(before) || prefixed(r.Text, p, "ל")
}

// prefixed reports whether a Hebrew letter stands before a name as a part of its word, or by a hyphen.
func prefixed(text string, p said, letter string) bool {
	before := strings.TrimRight(text[:p.from], "-־")
	if last, _ := utf8.DecodeLastRuneInString(before); unicode.IsLetter(last) {
		return strings.HasSuffix(before, letter)
	}
	return strings.HasPrefix(text[p.from:p.to], letter)
}

// neighbours are the word before a name, but for articles, and the word after it.
func (r *reading) neighbours(p said) (before, after string) {
	for _, w := range r.words {
		switch {
		case w.to <= p.from && !words()["article"].MatchString(w.lower):
			before = w.lower
		case w.from >= p.to && after == "" && w.lower != "s":
			after = w.lower
		}
	}
	return before, after
}
