package offline

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"convene/pkg/when"
)

// role is what a message says of a contact's taking part.
type role int

const (
	// undecided is a contact who is mentioned, and nothing says whether they take part.
	undecided role = iota
	takesPart
	staysOut
)

// mention is a contact in a message.
type mention struct {
	person
	role role
	// joined says that the word for "and" is written in front of the name; before is what else is, as the Hebrew "to".
	joined bool
	before string
	// owner says that the name ends in 's; vague, that it is a last name alone; kin, that it is "my sister".
	owner, vague, kin bool
	// taking says that the person takes part already, no matter what the message says.
	taking bool
}

// peopleBooks are what each language's file says of the words around names, each read once.
var peopleBooks = sync.OnceValue(func() map[string]phraseBook {
	books := map[string]phraseBook{}
	for _, language := range languages() {
		books[language] = embeddedPhrases(language, "people.txt")
	}
	return books
})

// findPeople finds the contacts and the kin whom the sentence mentions. A word that is no name alone counts where only
// a person can stand.
func (s *sentence) findPeople(contacts []zoned, language string) {
	s.around = peopleBooks()[language]
	for i := 0; i < len(s.words) && len(s.known) < maxPeople; i++ {
		if m, found := s.contactAt(i, contacts); found {
			s.known = append(s.known, m)
			i = m.to - 1
		} else if to := s.kinEnd(i, contacts); to > i {
			s.known = append(s.known, mention{person: person{s.kinName(i, to), i, to}, kin: true})
			i = to - 1
		}
	}
	groups := s.groups()
	s.known = slices.DeleteFunc(slices.Clone(s.known), func(m mention) bool { return !s.isPerson(m, groupOf(groups, m)) })
}

// takeRoles says of the people found what part they have, once it is known which words speak of time.
func (s *sentence) takeRoles() {
	groups := s.groups()
	for i, m := range s.known {
		s.known[i].role = s.roleOf(m, groupOf(groups, m))
		if s.words[m.from].timed { // whose clock is meant: "at 6 for Lena"
			s.known[i].role = takesPart
		}
	}
}

// contactAt is the contact whose name stands at word i, the longest of several.
func (s *sentence) contactAt(i int, contacts []zoned) (m mention, found bool) {
	for _, p := range contacts {
		for _, said := range p.Said {
			to, before, owner := s.spans(said, i)
			if to <= max(i, m.to) {
				continue
			}
			m = mention{
				person: person{calledAs(p.Name, said), i, to}, owner: owner, vague: isLastName(p.Name, said), taking: p.taking,
			}
			m.before, m.joined = strings.CutPrefix(before, hebrewAndLetter)
			found = true
		}
	}
	return m, found
}

// hebrewAndLetter is the Hebrew "and", which is written in front of a word.
const hebrewAndLetter = "ו"

// spans is where the words of a text end that stand at word i, with the letters in front of them and whether 's is
// after; i if they do not stand there.
func (s *sentence) spans(text string, i int) (to int, before string, owner bool) {
	w := s.words[i]
	head, _, _ := strings.Cut(text, " ")
	at := strings.Index(w.text, head)
	if at < 0 || !strings.HasPrefix(s.text[w.start+at:], text) || at > 0 && isASCII(w.text[:at]) {
		return i, "", false
	}
	end := w.start + at + len(text)
	for to = i + 1; to < len(s.words) && s.words[to].start < end; {
		to++
	}
	switch rest := s.text[end:max(end, s.words[to-1].end)]; rest {
	case "":
		return to, strings.TrimRight(w.text[:at], "-־"), false
	case "'s", "’s", "'", "’":
		return to, strings.TrimRight(w.text[:at], "-־"), true
	default:
		return i, "", false
	}
}

func isASCII(text string) bool { return len(text) == len([]rune(text)) }

// calledAs is how to call someone whom a message calls so: in the spelling of the name, as far as it has the words.
func calledAs(name, said string) string {
	words, all := strings.Fields(said), strings.Fields(name)
	for i := 0; i+len(words) <= len(all); i++ {
		if own := strings.Join(all[i:i+len(words)], " "); strings.EqualFold(own, strings.Join(words, " ")) {
			return own
		}
	}
	if len(words) > 1 && len(words) == len(all) {
		return name
	}
	return upperFirst(said)
}

// isLastName reports whether the words are one of a name that is not its first.
func isLastName(name, said string) bool {
	words := strings.Fields(name)
	return len(words) > 1 && slices.ContainsFunc(words[1:], func(w string) bool { return strings.EqualFold(w, said) })
}

// kinEnd is where a word for someone ends whom the user knows without a name, "my sister"; i if there is none at word
// i, or a name follows.
func (s *sentence) kinEnd(i int, contacts []zoned) int {
	n := s.expect("kin", i)
	if n == 0 || s.goesOn(i+n) {
		return i
	}
	if _, named := s.contactAt(min(i+n, len(s.words)-1), contacts); named {
		return i
	}
	if _, end := s.calledName(i+n, true, &venue{}); end > i+n {
		return i
	}
	return i + n
}

func (s *sentence) kinName(from, to int) string {
	if to == from+1 {
		return upperFirst(s.spoken(from, to))
	}
	return strings.ToLower(s.spoken(from, to))
}

// known is the person found at word i; nil for none.
func (s *sentence) knownAt(i int) *mention {
	k := slices.IndexFunc(s.known, func(m mention) bool { return m.from <= i && i < m.to })
	if k < 0 {
		return nil
	}
	return &s.known[k]
}

// withKnown are the people of a list together with those found who take part, without those found who do not.
func (s *sentence) withKnown(list []person, v *venue) []person {
	list = slices.DeleteFunc(list, func(p person) bool {
		m := s.knownAt(p.from)
		return m != nil && m.role == staysOut
	})
	for _, m := range s.known {
		listed := slices.ContainsFunc(list, func(p person) bool { return p.from <= m.from && m.from < p.to })
		if m.role == takesPart && !listed && !v.covers(m.from) {
			list = append(list, m.person)
		}
	}
	slices.SortStableFunc(list, func(a, b person) int { return a.from - b.from })
	return distinctPeople(list)
}

// undecided are the names of the contacts whom the sentence mentions without saying whether they take part.
func (s *sentence) undecided(taking []person, v *venue) []string {
	var names []string
	for _, m := range s.known {
		atTheirs := s.glossed || v.spot.from <= m.from && m.from < v.spot.to
		taken := slices.ContainsFunc(taking, func(p person) bool {
			return p.from <= m.from && m.from < p.to || p.name == m.name
		})
		if m.role == undecided && !m.kin && !taken && (atTheirs || !v.covers(m.from)) && !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// group is a list of people, as indices of words; before is what is written in front of the first name, self says that
// the user is one of them.
type group struct {
	from, to int
	before   string
	self     bool
}

func groupOf(groups []group, m mention) group {
	i := slices.IndexFunc(groups, func(g group) bool { return g.from <= m.from && m.to <= g.to })
	return groups[max(i, 0)]
}

// groups are the lists of people in the sentence.
func (s *sentence) groups() (groups []group) {
	for i := 0; i < len(s.words); i++ {
		first := s.memberAt(i)
		if first.to == i {
			continue
		}
		g := group{from: i, to: first.to, before: first.before, self: first.self}
		for next := s.nextMember(g.to); next.to > g.to; next = s.nextMember(g.to) {
			g.to, g.self = next.to, g.self || next.self
		}
		groups = append(groups, g)
		i = g.to - 1
	}
	return groups
}

// member is one of a list of people, and where it ends; joined and before are as for a mention.
type member struct {
	to           int
	joined, self bool
	before       string
}

// memberAt is who stands at word i; it ends there if nobody does.
func (s *sentence) memberAt(i int) member {
	if m := s.knownAt(i); m != nil && m.from == i {
		return member{to: m.to, joined: m.joined, before: m.before}
	}
	if n := s.expect("joined self", i); n > 0 {
		return member{to: i + n, joined: true, self: true}
	}
	n := s.expect("self", i)
	return member{to: i + n, self: n > 0}
}

// nextMember is who goes on with the list that has come to word i; it ends there if nobody does.
func (s *sentence) nextMember(i int) member {
	at := i
	for n := s.expect("and", at); n > 0; n = s.expect("and", at) {
		at += n
	}
	if m := s.memberAt(at); m.to > at && (at > i || m.joined) {
		return m
	}
	return member{to: i}
}

// isPerson reports whether a mention means a person: what says nothing else does, and a word of the language does where
// only a person can stand, or with a capital within a sentence.
func (s *sentence) isPerson(m mention, g group) bool {
	lower := strings.ToLower(m.name)
	if m.kin || m.to > m.from+1 || !m.vague && !s.around.has("word", lower) && !stopWords[lower] && !neverNames[lower] &&
		!(word{lower: lower}).known() {
		return true
	}
	next, before := s.at(m.to), s.at(m.from-1)
	if isFigure(next.text) && s.around.has("time", lower) {
		return false // "may 5"
	}
	goesOn := s.expect("onward", m.to) > 0 || s.expect("plain comes", m.to) > 0
	if before.text == "," && !s.at(m.from).capital() && !goesOn && m.to < len(s.words) {
		return false // "with Al, hope that works"
	}
	capital := s.at(m.from).capital() && !s.shouted && (!before.mark || before.text == ",")
	return capital && !s.around.has("time", lower) || g.self || s.leads("certain", g) || s.leads("host", g) ||
		s.expect("plain comes", g.to) > 0
}

// roleOf is what part a person of a list has.
func (s *sentence) roleOf(m mention, g group) role {
	switch with := s.leads("with", g); {
	case m.taking:
		return takesPart
	case m.owner && s.expect("their time", m.to) > 0:
		return takesPart
	case m.owner && s.expect("their own", m.to) > 0 && !with:
		return staysOut
	case m.owner && s.leads("about", g):
		return staysOut
	case m.owner, s.leads("host", g):
		return undecided
	case s.leads("without", g), s.expect("away", s.lastOf(m, g)) > 0:
		return staysOut
	case with, g.self, s.expect("comes", g.to) > 0:
		return takesPart
	case s.leads("about", g):
		return staysOut
	case s.isNote(g):
		return takesPart
	}
	return undecided
}

// lastOf is where the names end that have one verb with this one: the end of the list, unless a comma comes first.
func (s *sentence) lastOf(m mention, g group) int {
	for i := m.to; i < g.to; i++ {
		if s.at(i).text == "," {
			return i
		}
	}
	return g.to
}

// isNote reports whether a list of people stands in a note, before or after what they meet for, or alone with the
// time: "lunch Al Tuesday", "Al 30 min".
func (s *sentence) isNote(g group) bool {
	if before := s.at(g.from - 1); before.known() && !before.timed || s.ends("thing", g.from, g.before) {
		return true
	}
	next := s.at(g.to)
	return (g.from == 0 || s.at(g.from-1).timed) && (next.timed || next.known() || next.mark && g.to == len(s.words))
}

// expect is how many words the phrase of the key has that stands at word i in the language of the sentence.
func (s *sentence) expect(key string, i int) int {
	_, n := s.phraseAt(i, s.around.other[key])
	return n
}

// maxBefore is the most words of a phrase before a name.
const maxBefore = 4

// leads reports whether a phrase of the key stands right before a list of people. The last word of a phrase may be what
// is written in front of the first name.
func (s *sentence) leads(key string, g group) bool {
	for end := g.from; ; {
		if s.ends(key, end, g.before) {
			return true
		}
		n := 0
		for k := 1; k <= 2 && n == 0 && g.before == ""; k++ {
			if s.expect("leading", end-k) == k {
				n = k
			}
		}
		if n == 0 || end-n < 0 {
			return false
		}
		end -= n
	}
}

// ends reports whether a phrase of the key ends before word i, or with the letters that are written in front of it.
func (s *sentence) ends(key string, i int, before string) bool {
	for from := max(0, i-maxBefore); from <= i; from++ {
		w := s.at(from).lower
		if from == i {
			w = before
		}
		for _, e := range s.around.other[key][w] {
			n := i - from
			if before != "" {
				n++
			}
			fits := len(e.words) == n && n > 0
			for k := 1; fits && k < n; k++ {
				said := s.at(from + k).lower
				if from+k == i {
					said = before
				}
				fits = said == e.words[k]
			}
			if fits {
				return true
			}
		}
	}
	return false
}

// has reports whether a key has the word.
func (b phraseBook) has(key, word string) bool {
	return slices.ContainsFunc(b.other[key][word], func(e expression) bool { return len(e.words) == 1 })
}

// masked is the text without the names of the people found, which are no times: "with April", "con Al el martes". Names
// of people elsewhere stay, because it may be their clock that is meant: "at 6 for Lena".
func (s *sentence) masked(setting when.Setting, now time.Time) string {
	if len(s.known) == 0 {
		return s.text
	}
	text := []byte(s.text)
	for _, m := range s.known {
		from, to := s.words[m.from].start+len(m.before), s.words[m.to-1].end
		name := s.text[from:to]
		if setting.Elsewhere(name, now) && len(setting.Read(name, now).Entities) == 0 {
			continue
		}
		for i := from; i < to; i++ {
			if text[i] != ' ' {
				text[i] = 'x'
			}
		}
	}
	return string(text)
}

// numberSign begins the words that stand for the people of a text while it is put into English: a letter that no
// message has.
const numberSign = "ꙮ"

// numbered is the text with a number for each of the people found, and without the places.
func (s *sentence) numbered() string {
	var b strings.Builder
	for i, w := range s.words {
		m := slices.IndexFunc(s.known, func(m mention) bool { return m.from <= i && i < m.to })
		switch {
		case i > 0 && s.words[i-1].end < w.start:
			b.WriteByte(' ')
		}
		switch {
		case s.siteAt(i):
			b.WriteByte(' ')
		case m < 0:
			b.WriteString(w.text)
		case s.known[m].from == i:
			b.WriteString(" " + numberSign + strconv.Itoa(m) + " ")
		}
	}
	return b.String()
}

// knownIn is the person whose number a word of the text is; nil for none.
func (g *glossing) knownIn(w string) *mention {
	number, found := strings.CutPrefix(w, numberSign)
	i, err := strconv.Atoi(strings.TrimRight(number, ".,:-/"))
	if !found || err != nil || i >= len(g.known) {
		return nil
	}
	return &g.known[i]
}

// adopt takes over the people and the places of the text that the sentence is the English of.
func (s *sentence) adopt(said *sentence) {
	s.glossed, s.sites = true, said.sites
	s.standAt(&s.venue)
	next := 0
	for _, m := range said.known {
		for i := next; i < len(s.words); i++ {
			if to, _, _ := s.spans(m.name, i); to > i {
				m.from, m.to, next = i, to, to
				s.known = append(s.known, m)
				break
			}
		}
	}
}
