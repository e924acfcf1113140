package message

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"convene/pkg/meet"
)

// rules decide where a fact may stand, and what a message must have said at its end.
type rules struct {
	facts     *Facts
	choice    Choice
	sentences Sentences
	path      Path

	// said marks the required sentences.
	saidTime, saidLong, saidPlace, saidPrevious bool
	// said marks the required sentences.
	said [5]bool

	item listItem
	// current is the fact being admitted.
	current *fact
	// lastWord is the previous word, empty after a fact; afterName says that a name directly precedes.
	lastWord  string
	afterName bool
}

// listItem is the current list line.
type listItem struct {
	open bool
	// option is what the line offers, nil before that; slots and places are all candidates with this label.
	option        *fact
	slots, places []int
	cautioned     bool
}

// endLine closes a list line: it must have offered something, with a caution if the time does not suit everyone.
func (u *rules) endLine() (kind string) {
	line := u.item
	u.item = listItem{}
	u.lastWord, u.afterName = "", false
	if !line.open {
		return ""
	}
	if line.option == nil {
		return KindOrder
	}
	if !line.cautioned && u.doubtful(line.slots) {
		return KindMissing
	}
	return ""
}

// doubtful reports whether any of the times may not suit everyone.
func (u *rules) doubtful(slots []int) bool {
	return slices.ContainsFunc(slots, func(i int) bool { return u.facts.Slots[i].State != meet.SlotFree })
}

// end is KindMissing if the message omits what it must say.
func (u *rules) end() (kind string) {
	if u.path == PathAlternatives {
		if u.facts.Previous != nil && !u.saidPrevious {
			return KindMissing
		}
		return ""
	}
	for i, text := range u.sentences.mandatory() {
		if text != "" && !u.said[i] {
			return KindMissing
		}
	}
	switch {
	case len(u.choice.Slots) == 0:
		return ""
	case !u.saidTime:
		return KindMissing
	case u.needsLong() && !u.saidLong:
		return KindMissing
	case u.needsPlace() && !u.saidPlace:
		return KindMissing
	}
	return ""
}

// needsLong reports whether others' clocks differ at the chosen time, which only the long label shows.
func (u *rules) needsLong() bool {
	s, ok := u.facts.chosen(u.choice)
	return ok && len(u.facts.otherClocks(u.facts.at(s.Start))) > 0
}

func (u *rules) needsPlace() bool {
	return len(u.choice.Places) > 0 && u.facts.PlaceLink(u.choice.Places[0]) != ""
}

// admit accepts a fact, or returns why it may not stand here. A text with several meanings has all those that are
// allowed here.
func (u *rules) admit(f *fact, emphasised bool) (kind string) {
	admitted := false
	u.current = f
	for _, r := range f.roles {
		problem := u.admitRole(r, emphasised)
		admitted = admitted || problem == ""
		kind = cmp.Or(kind, problem)
	}
	if !admitted {
		return kind
	}
	u.lastWord = ""
	u.afterName = slices.ContainsFunc(f.roles, func(r role) bool { return r.kind == personName })
	return ""
}

func (u *rules) admitRole(r role, emphasised bool) (kind string) {
	switch r.kind {
	case slotLong, slotShort:
		return u.time(r)
	case previousTime:
		return u.previous()
	case placeLinked, placeNamed:
		return u.place(r)
	case previousPlace:
		return u.previousPlace()
	case slotRemark, placeRemark:
		return u.remark(r)
	case caution:
		return u.caution()
	case required, sentence, standing:
		return u.sentence(r)
	case title:
		return u.title(emphasised)
	case refusedPhrase:
		return KindTime
	case personName, allowedPhrase:
		return ""
	}
	return KindWord
}

// time admits the chosen time anywhere but in a list, and the alternatives in lists only, once the chosen or still
// standing time is clear.
func (u *rules) time(r role) (kind string) {
	rank := slices.Index(u.choice.Slots, r.index)
	if u.path == PathProposal && rank == 0 {
		if u.item.open {
			return KindOrder
		}
		u.saidTime = true
		u.saidLong = u.saidLong || r.kind == slotLong
		return ""
	}
	offered := rank >= 0 && (u.path == PathAlternatives || u.facts.Shown.Times)
	switch {
	case !offered:
		return KindTime
	case !u.offers():
		return KindOrder
	case u.path == PathProposal && !u.saidTime, u.path == PathAlternatives && u.facts.Previous != nil && !u.saidPrevious:
		return KindOrder
	}
	u.item.option, u.item.slots = u.current, append(u.item.slots, r.index)
	return ""
}

// offers reports whether the current fact can be the one option of a list line.
func (u *rules) offers() bool {
	return u.item.open && (u.item.option == nil || u.item.option == u.current)
}

// formerly are the words after which a proposal may mention the previous time.
func formerly() []string {
	return []string{
		"from", "instead of", "was", "previously", "originally", "en vez de", "en lugar de", "era", "antes", "במקום", "היה",
	}
}

// previous admits the earlier time: as the one that still stands if nothing is proposed, otherwise only after a word
// that says it no longer holds.
func (u *rules) previous() (kind string) {
	if u.item.open {
		return KindOrder
	}
	if u.path == PathAlternatives {
		u.saidPrevious = true
		return ""
	}
	if slices.Contains(formerly(), u.lastWord) {
		return ""
	}
	return KindOrder
}

func (u *rules) place(r role) (kind string) {
	rank := slices.Index(u.choice.Places, r.index)
	if u.path == PathAlternatives || rank < 0 {
		return KindVenue
	}
	if rank == 0 {
		if u.item.open {
			return KindOrder
		}
		u.saidPlace = true
		return ""
	}
	switch {
	case !u.facts.Shown.Places || r.kind == placeNamed:
		return KindVenue
	case !u.offers() || (u.needsPlace() && !u.saidPlace):
		return KindOrder
	}
	u.item.option, u.item.places = u.current, append(u.item.places, r.index)
	return ""
}

// previousPlace admits the venue of the event that still stands.
func (u *rules) previousPlace() (kind string) {
	if u.path == PathAlternatives && !u.item.open {
		return ""
	}
	return KindVenue
}

// remark admits a hint about the option of its own line, or about the choice.
func (u *rules) remark(r role) (kind string) {
	options, ranking, said := u.item.slots, u.choice.Slots, u.saidTime
	if r.kind == placeRemark {
		options, ranking, said = u.item.places, u.choice.Places, u.saidPlace
	}
	if u.item.open && !slices.Contains(options, r.index) {
		return KindHint
	}
	if !u.item.open && (!said || len(ranking) == 0 || ranking[0] != r.index) {
		return KindHint
	}
	u.item.cautioned = u.item.cautioned || r.kind == slotRemark
	return ""
}

// caution admits "may have conflicts" for a time that may.
func (u *rules) caution() (kind string) {
	if !u.item.open || !u.doubtful(u.item.slots) {
		return KindHint
	}
	u.item.cautioned = true
	return ""
}

func (u *rules) sentence(r role) (kind string) {
	if u.item.open {
		return KindOrder
	}
	if r.kind == required {
		u.said[r.index] = true
	}
	u.saidPrevious = u.saidPrevious || r.kind == standing
	return ""
}

// title admits the event's title. A title that could be read as a time must be emphasised and precede any time.
func (u *rules) title(emphasised bool) (kind string) {
	if !u.facts.readsAsTime(u.facts.Template.Title) {
		return ""
	}
	if !emphasised || u.saidTime || u.saidPrevious {
		return KindTime
	}
	return ""
}

// readsAsTime reports whether a title contains a digit or a word of time. Scripts without spaces are searched for the
// names of days and months.
func (f *Facts) readsAsTime(s string) bool {
	language := f.says().base
	words := strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) && !isApostrophe(r) })
	if slices.ContainsFunc(words, func(word string) bool { return statesTime(word, language) }) {
		return true
	}
	for name := range meanings().days[language] {
		if unicode.Is(unicode.Lo, firstRune(name)) && strings.Contains(fold(s), name) {
			return true
		}
	}
	return false
}

// word records an ordinary word, and refuses one that would turn a name into a zone or a venue ("Ana's time", "Ana's
// place").
func (u *rules) word(word string) (kind string) {
	possessive := word == "s" && u.afterName
	switch {
	case u.afterName && word == "time":
		return KindZone
	case u.afterName && (word == "place" || word == "spot"):
		return KindVenue
	}
	lower := lowerFirst(word)
	if u.lastWord == "instead" && lower == "of" {
		lower = "instead of"
	}
	u.lastWord, u.afterName = lower, possessive
	return ""
}

func (u *rules) phrase(text string) { u.lastWord, u.afterName = lowerFirst(text), false }

// extra reports whether a word is ordinary in this message only: the event's own activity.
func (u *rules) extra(language, word string) bool {
	activity := u.facts.Template.Activity
	return language == english && activity != "" && slices.Contains(activities(), activity) && word == string(activity)
}
