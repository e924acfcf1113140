package message

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// roleKind is what a text means in a message.
type roleKind int

const (
	slotLong roleKind = iota
	slotShort
	placeLinked
	placeNamed
	previousTime
	previousPlace
	slotRemark
	placeRemark
	caution
	required
	sentence
	standing
	title
	personName
	allowedPhrase
	refusedPhrase
)

// role is one meaning of a text. Index is that of a candidate or of a required sentence; language is a phrase's.
type role struct {
	kind     roleKind
	index    int
	language string
}

// fact is a text that a message may contain as a whole, with all its possible meanings.
type fact struct {
	text  string
	roles []role
}

// isWord reports whether the fact is a single word.
func (f *fact) isWord() bool { return !strings.ContainsFunc(f.text, notWord) }

// factIndex holds facts by first character, longest first: the longest match wins.
type factIndex map[rune][]fact

// add adds a text. A text with isolates is also a fact without them, because a model may omit what it cannot see.
func (x factIndex) add(text string, roles ...role) {
	if text == "" {
		return
	}
	if bare := withoutIsolates(text); bare != text {
		x.add(bare, roles...)
	}
	head := foldMark(firstRune(text))
	facts := x[head]
	i, known := find(facts, text)
	if !known {
		x[head] = slices.Insert(facts, i, fact{text, slices.Clone(roles)})
		return
	}
	for _, r := range roles {
		if !slices.Contains(facts[i].roles, r) {
			facts[i].roles = append(facts[i].roles, r)
		}
	}
}

// find is the position of a text among facts that are sorted longest first.
func find(facts []fact, text string) (i int, known bool) {
	i, _ = slices.BinarySearchFunc(facts, len(text), func(f fact, n int) int { return cmp.Compare(n, len(f.text)) })
	for ; i < len(facts) && len(facts[i].text) == len(text); i++ {
		if facts[i].text == text {
			return i, true
		}
	}
	return i, false
}

// addSentence adds a text that may also begin with the other case, and omit its emphasis.
func (x factIndex) addSentence(text string, roles ...role) {
	if text == "" {
		return
	}
	x.add(text, roles...)
	for _, variant := range [...]string{
		lowerFirst(text), upperFirst(text), strings.ReplaceAll(text, "**", ""), strings.ReplaceAll(text, "\ufe0f", ""),
	} {
		if variant != text {
			x.add(variant, roles...)
		}
	}
}

// knowledge is everything that a message may contain: its own facts, and the phrases of its languages, shared with all
// messages.
type knowledge struct{ own, phrases factIndex }

// newKnowledge takes ownership of own. A fact that is a phrase too has the roles of both.
func newKnowledge(own, phrases factIndex) knowledge {
	for head, facts := range own {
		for _, phrase := range phrases[head] {
			if i, known := find(facts, phrase.text); known {
				facts[i].roles = append(facts[i].roles, phrase.roles...)
			}
		}
	}
	return knowledge{own, phrases}
}

// match is the longest fact that text begins with, and its length in text. wait says that more text could decide
// otherwise; it is false if the text is whole.
func (k knowledge) match(text string, whole bool) (found *fact, n int, wait bool) {
	head := foldMark(firstRune(text))
	own, phrases := k.own[head], k.phrases[head]
	for len(own)+len(phrases) > 0 {
		var f *fact
		if len(phrases) == 0 || len(own) > 0 && len(own[0].text) >= len(phrases[0].text) {
			f, own = &own[0], own[1:]
		} else {
			f, phrases = &phrases[0], phrases[1:]
		}
		n, wait := f.prefixOf(text, whole)
		if wait || n > 0 {
			return f, n, wait
		}
	}
	return nil, 0, false
}

// maxSpaces is how many spaces in a row may stand for one in a fact.
const maxSpaces = 3

// prefixOf is the length of this fact at the start of text, 0 if text begins otherwise. Spaces and apostrophes of all
// kinds are equal; a fact that ends in a letter or digit must end there in text too.
func (f *fact) prefixOf(text string, whole bool) (n int, wait bool) {
	if len(text) < len(f.text) && strings.HasPrefix(f.text, text) {
		return 0, !whole // the usual case while a message is written
	}
	for _, want := range f.text {
		got, size := utf8.DecodeRuneInString(text[n:])
		if got == utf8.RuneError && size < 2 {
			return 0, !whole && !utf8.FullRuneInString(text[n:])
		}
		if want != got && foldMark(want) != foldMark(got) {
			return 0, false
		}
		n += size
		if want == ' ' {
			n += spaces(text[n:], maxSpaces-1)
		}
	}
	if last, _ := utf8.DecodeLastRuneInString(f.text); !isWordRune(last) {
		return n, false
	}
	next, size := utf8.DecodeRuneInString(text[n:])
	if size < 2 && next == utf8.RuneError {
		if !whole && !utf8.FullRuneInString(text[n:]) {
			return 0, true
		}
		return n, false
	}
	if isWordRune(next) {
		return 0, false
	}
	return n, false
}

// spaces is the length of the spaces that text begins with, at most limit of them.
func spaces(text string, limit int) (n int) {
	for range limit {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !isSpace(r) {
			return n
		}
		n += size
	}
	return n
}

// isSpace reports whether r is a space within a line. Tabs are not, because they make code blocks.
func isSpace(r rune) bool { return r == ' ' || r == '\u00a0' || r == '\u202f' || r == '\u2009' }

func isApostrophe(r rune) bool { return r == '\'' || r == '’' || r == 'ʼ' }

func isWordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r)
}

// foldMark maps all spaces to one and all apostrophes to one.
func foldMark(r rune) rune {
	switch {
	case isSpace(r):
		return ' '
	case isApostrophe(r):
		return '\''
	}
	return r
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// index is everything that a message with these sentences may contain, and candidates that it must not mention.
func (f *Facts) index(s Sentences, path Path) knowledge {
	x := factIndex{}
	f.indexTimes(x)
	f.indexPlaces(x)
	f.indexPeople(x)
	f.indexSentences(x, s, path)
	return newKnowledge(x, phrasesBeside(f.says().base))
}

// indexTimes adds the labels of all candidates in the user's language and in English.
func (f *Facts) indexTimes(x factIndex) {
	tongues := []tongue{f.says().labels}
	if tongues[0].tag != english {
		tongues = append(tongues, tongueOf(english))
	}
	for _, t := range tongues {
		for i := range f.Slots {
			x.add(f.when(i, t), role{kind: slotLong, index: i})
			x.add(f.short(i, t), role{kind: slotShort, index: i})
		}
		x.add(f.previous(t), role{kind: previousTime})
	}
	for _, remark := range f.slotRemarks() {
		x.addSentence(remark.text, remark.roles...)
	}
	x.addSentence(f.phrases().Caution, role{kind: caution})
}

// slotRemarks are the slots' hints; many slots share one.
func (f *Facts) slotRemarks() (remarks []fact) {
	for i := range f.Slots {
		hint, about := f.SlotHint(i), role{kind: slotRemark, index: i}
		known := slices.IndexFunc(remarks, func(r fact) bool { return r.text == hint })
		if known < 0 {
			remarks = append(remarks, fact{hint, []role{about}})
			continue
		}
		remarks[known].roles = append(remarks[known].roles, about)
	}
	return remarks
}

func (f *Facts) indexPlaces(x factIndex) {
	for i, p := range f.Places {
		name, linked := placeName(p), f.PlaceLink(i)
		if bare := strings.Trim(linked, "*"); bare != linked {
			linked = f.apart(name) // the marks around a name without a link are an emphasis
		}
		x.add(linked, role{kind: placeLinked, index: i})
		if f.saysNothing(p.Name) {
			x.add(name, role{kind: placeNamed, index: i})
		}
		x.addSentence(f.PlaceHint(i), role{kind: placeRemark, index: i})
		for _, hint := range f.placeHints(i) {
			x.addSentence(hint, role{kind: placeRemark, index: i})
		}
	}
	if f.Previous != nil && f.Previous.Place != nil {
		x.add(f.apart(strings.Trim(placeLink(*f.Previous.Place), "*")), role{kind: previousPlace})
	}
}

func (f *Facts) indexPeople(x factIndex) {
	event := f.orEvent()
	for _, variant := range []string{event, lowerFirst(event), upperFirst(event)} {
		x.add(variant, role{kind: title})
		x.add(f.apart(variant), role{kind: title})
	}
	for _, name := range f.everyName() {
		whole := oneLine(name, nameLimit)
		if !f.saysNothing(whole) {
			continue
		}
		x.add(escape(whole), role{kind: personName})
		x.add(f.Name(name), role{kind: personName})
	}
}

// saysNothing reports whether a name cannot be read as a time: it has no digits, and a word without a meaning of time.
func (f *Facts) saysNothing(name string) bool {
	if strings.ContainsFunc(name, unicode.IsNumber) {
		return false
	}
	base := f.says().base
	return slices.ContainsFunc(strings.Fields(name), func(word string) bool { return !statesTime(word, base) })
}

// sentencesOn are the ready-made sentences of a message. Without a proposal only Unread remains.
func (f *Facts) sentencesOn(path Path, c Choice) Sentences {
	if path == PathAlternatives {
		return Sentences{Unread: f.Sentences(Choice{}).Unread}
	}
	return f.Sentences(c)
}

func (f *Facts) indexSentences(x factIndex, s Sentences, path Path) {
	p := f.phrases()
	if path == PathAlternatives {
		x.addSentence(s.Unread, role{kind: sentence})
		x.addSentence(f.Standing(), role{kind: standing})
		return
	}
	for i, text := range s.mandatory() {
		x.addSentence(text, role{kind: required, index: i})
	}
	for _, text := range []string{
		s.Medium, s.Buffer, s.Length, s.Closing, strings.TrimSuffix(s.Closing, " "+p.Ending), p.Ending,
	} {
		x.addSentence(text, role{kind: sentence})
	}
}

// mandatory are the sentences that a proposal must contain, if they are not empty.
func (s Sentences) mandatory() []string {
	return []string{s.Conflict, s.NoCommon, s.Unread, s.NoPlace, s.Wishes}
}
