package offline

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// ownWords are those in which a title of another language is written. The zero value is English.
type ownWords struct {
	// name is the activity as the user said it.
	name string
	// said is the message in its own language.
	said sentence
	tongue
}

// foreign reports whether titles are written in another language than English.
func (o ownWords) foreign() bool { return o.With != "" }

// called is the activity in a title: the user's word, or a noun for its kind.
func (o ownWords) called(a activity) string {
	if !o.foreign() {
		return fallbackTitle(a)
	}
	return firstOf(o.name, o.Nouns[a.kind], o.Nouns["meeting"])
}

// blocked is the title of a time that is only kept free.
func (o ownWords) blocked() string { return firstOf(o.Nouns["blocked"], "blocked") }

// titled is what people meet for and with whom, in English for the zero value.
func (o ownWords) titled(what string, names []string) string {
	if !o.foreign() {
		return titled(what, names)
	}
	return o.tongue.titled(what, names)
}

// titled is the language's form of what English calls "coffee with Al and Dana".
func (t tongue) titled(what string, names []string) string {
	if len(names) == 0 {
		return what
	}
	called := make([]string, len(names))
	for i, name := range names {
		called[i] = titleName(name)
	}
	last := len(names) - 1
	if last == 0 {
		return what + t.With + called[0]
	}
	return what + t.With + strings.Join(called[:last], ", ") + t.joint(called[last]) + called[last]
}

// wish is the message as the rules read it: an English one as it stands, one in another language by those of its words
// that are known, in English. A person named after "with" takes part under the name as written.
func (d templateData) wish(now time.Time, setting when.Setting) (sentence, ownWords) {
	text := readable(d.Message)
	setting.Zone = d.zoneOf
	setting.Language = Language(text, d.RecentTurns)
	t, known := tongues()[setting.Language]
	if !known {
		return parseWish(text, now, setting, d.meant()), ownWords{}
	}
	said := parseAmong(t.inFull(text), now, setting, d.meant())
	english, own := t.gloss(&said)
	wish, phrases := parseGloss(&said, english, now, setting)
	said.time.Entities = phrases
	said.markTimes()
	own.said, wish.said = said, &said
	return wish, own
}

// parseGloss is the sentence made of the English of a text in another language. When is read from the text as it
// stands; only where nothing is found there, from the English. The phrases are where the text itself speaks of time.
func parseGloss(
	said *sentence, english string, now time.Time, setting when.Setting,
) (s sentence, phrases []when.Entity) {
	own, text := setting, said.masked(setting, now)
	setting.Language = ""
	s = parseWish(english, now, setting, known{})
	s.adopt(said)
	if own.Occasion == when.AnyTime {
		own.Occasion = s.occasion()
	}
	if r := own.Read(text, now); len(r.Entities) > 0 {
		s.time, phrases = r, r.Entities
	}
	if s.says("later", "earlier") && !s.says("hour", "hours", "minutes") {
		// The Hebrew "a later hour" is some time later, and not an hour.
		s.time.Shift.Minutes = 0
	}
	if s.changes("other day") {
		s.time.Shift = when.Shift{} // the Hebrew "another day" is no day later
	}
	if by := lengthOf(text, own, now); by > 0 && s.time.Duration == 0 && s.says("extend", "shorten") {
		s.time = when.Reading{Duration: by}
	}
	bare := s.time.Hours.Empty() && len(s.time.Dates) == 0 && s.time.Shift == (when.Shift{})
	if by := lengthOf(text, own, now); by > 0 && (s.time.Moment != nil || bare) {
		// To move by half an hour is not to meet in half an hour.
		switch {
		case s.says("move earlier"):
			s.time = when.Reading{Shift: when.Shift{Minutes: -int(by / time.Minute)}}
		case s.says("move", "push", "postpone", "delay"):
			s.time = when.Reading{Shift: when.Shift{Minutes: int(by / time.Minute)}}
		}
	}
	// Where its phrases stand is said of the text, and this sentence has another.
	s.time.Entities, s.glossed = slices.Clone(s.time.Entities), true
	for i := range s.time.Entities {
		s.time.Entities[i].Start, s.time.Entities[i].End = 0, 0
	}
	return s, phrases
}

// lengthOf is how long the text says that something takes, read without the letters in front of its words: the Hebrew
// "by" is one of them, and with it half an hour is a time in half an hour.
func lengthOf(text string, setting when.Setting, now time.Time) time.Duration {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.TrimPrefix(w, "ב")
	}
	return setting.Read(strings.Join(words, " "), now).Duration
}

// occasion is in which half of the day the thing happens that the sentence is about.
func (s *sentence) occasion() when.Occasion {
	a, _ := s.activityOf()
	switch {
	case a.kind == "dinner" && !dishes[a.name], a.kind == "drinks":
		return when.Evening
	case a.kind == "lunch", dishes[a.name]:
		return when.Meal
	case a.kind == "breakfast":
		return when.Morning
	default:
		return when.AnyTime
	}
}

// zoneOf is the zone of the person of that name; of "her" and the like, the zone of the people whom the message names,
// or of all who may take part where it names none of them: the one that is not the user's. It is nil where there is
// none or more than one.
func (d templateData) zoneOf(who string) (zone *time.Location) {
	named := d.peopleNamed(who)
	if slices.Contains(pronouns, who) {
		if named = d.peopleNamed(d.Message); len(named) == 0 {
			named = d.People
		}
	}
	var own *time.Location
	for _, p := range named {
		loc, err := interval.Zone(p.Timezone)
		switch {
		case err != nil || p.Timezone == "":
		case p.Timezone == d.Timezone:
			own = loc
		case zone != nil && zone.String() != loc.String():
			return nil
		default:
			zone = loc
		}
	}
	return cmp.Or(zone, own)
}

// pronouns are how package when asks for the zone of a person without a name.
var pronouns = []string{"her", "his", "him", "them", "their"}

// peopleNamed are those whose first name is in a text.
func (d templateData) peopleNamed(text string) (named []zoned) {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !inWord(r) })
	for _, p := range d.People {
		first, _, _ := strings.Cut(strings.ToLower(p.Name), " ")
		if slices.ContainsFunc(words, func(w string) bool { return strings.TrimSuffix(w, "'s") == first }) {
			named = append(named, p)
		}
	}
	return named
}

// maxGloss is the longest expression of another language, in words.
const maxGloss = 4

// gloss writes what is known of a text in English words and leaves out the rest, but for names after "with", "add" and
// the like, and after "at". own holds the word of the text that says what to meet for, where it is a noun.
func (t tongue) gloss(said *sentence) (english string, own ownWords) {
	text := said.text
	words := strings.FieldsFunc(said.numbered(), func(r rune) bool {
		return !inWord(r) && r != ':' && r != '-' && r != '@' && r != '.' && r != '/' && r != ','
	})
	own = ownWords{tongue: t}
	g := glossing{tongue: t, words: words, own: &own, known: said.known}
	for i := 0; i < len(words); {
		i += g.word(i)
	}
	english = strings.Join(g.out, " ")
	if strings.HasSuffix(strings.TrimSpace(text), "?") {
		english += "?"
	}
	return english, own
}

// glossing is a text on its way into English.
type glossing struct {
	tongue
	words []string
	known []mention
	own   *ownWords
	out   []string
	place listPlace
	// company says that the text has named someone to meet.
	company bool
	// loose are the names right before the word at hand; nothing has said yet what they are.
	loose []string
}

// word takes the expression at word i, and says how many words it has.
func (g *glossing) word(i int) (n int) {
	if m := g.knownIn(g.words[i]); m != nil {
		return g.person(m)
	}
	if refused, n := g.refusedDish(i); n > 0 {
		g.out, g.loose = append(g.out, "not", refused), nil
		return n
	}
	key, meaning, n := g.at(g.words[i:])
	w := g.words[i]
	switch {
	case meaning == "street":
		meaning, n = g.street(i, key, n)
		g.place = elsewhereInText
	case g.mayBeName(i, n, meaning):
		g.loose = append(g.loose, strings.Trim(w, ".,:-/"))
		return 1
	case n == 0 && g.place == beforeName && g.means(i):
		meaning, n, g.place = "somebody", 1, elsewhereInText
	case n == 0 && g.isSurname(i):
		return 1
	case n == 0 && g.goesOn(i):
		meaning, n = "and "+strings.Trim(w, ".,:-/"), 1
	case n == 0, g.place != elsewhereInText && capitalised(w) && (meaning == "" || g.place == inPlace):
		meaning, g.place = g.place.name(w)
		n = 1
	case meaning == "me" || meaning == "instead" || meaning == "instead of":
		meaning = g.turn(meaning, g.words[i+n:])
	case meaning == "and" && len(g.loose) > 0:
		g.loose = append(g.loose, "and")
		return n
	case meaning == "at" && !startsPlace(g.words[i+n:]):
		meaning, g.place = "", elsewhereInText
	default:
		verb := isVerb(key) || len(g.callings.classes["meet"][key]) > 0
		if g.own.name == "" && (word{lower: meaning}).known() && !dishes[meaning] && !verb {
			g.own.name = key
		}
		g.place = g.place.after(meaning)
	}
	g.loose = nil
	if meaning != "" {
		g.out, g.company = append(g.out, meaning), g.company || meaning == "with"
	}
	return n
}

// person takes a person found in the text, by name.
func (g *glossing) person(m *mention) (n int) {
	if m.joined && g.place == behindName {
		g.out = append(g.out, "and")
	}
	if g.place != elsewhereInText {
		g.place = behindName
	}
	g.out, g.loose = append(g.out, m.name), nil
	return 1
}

// dish is what there is to eat by word i; empty where it says nothing of that.
func (g *glossing) dish(i int) string {
	if i >= len(g.words) {
		return ""
	}
	_, meaning, n := g.at(g.words[i : i+1])
	if n == 0 {
		meaning = strings.ToLower(strings.Trim(g.words[i], ".,"))
	}
	if !dishes[meaning] {
		return ""
	}
	return meaning
}

// refusedDish is what to eat is turned down at word i, before it or after it, and how many words that takes.
func (g *glossing) refusedDish(i int) (dish string, n int) {
	switch first, second := g.dish(i), g.dish(i+1); {
	case g.isNot(i) && second != "":
		return second, 2
	case g.isNot(i) && g.dish(i+2) != "" && i+1 < len(g.words) && g.words[i+1] == "de":
		return g.dish(i + 2), 3 // "nada de sushi"
	case first != "" && g.isNot(i+1) && !strings.HasSuffix(g.words[i], ","):
		if _, _, n := g.at(g.words[i+1:]); n > 1 {
			return "", 0 // "italiano no muy caro"
		}
		return first, 2
	}
	return "", 0
}

// isNot reports whether word i turns down what stands beside it.
func (g *glossing) isNot(i int) bool {
	return i < len(g.words) && slices.Contains(g.Not, strings.ToLower(strings.Trim(g.words[i], ".,")))
}

// mayBeName reports whether word i may be a name, and only what follows says what it is: a capitalised word, the
// Spanish article in Al too, or one in Hebrew letters before "instead".
func (g *glossing) mayBeName(i, n int, meaning string) bool {
	w := strings.Trim(g.words[i], ".,")
	if g.place != elsewhereInText || n > 1 || n == 1 && meaning != "" || w == "" || understood(w) && len(g.loose) == 0 {
		return false
	}
	_, next, _ := g.at(g.words[i+1:])
	return capitalised(w) || n == 0 && g.Particles != "" && next == "instead"
}

// turn is what becomes of a word that says what the names before it are: "Al and me" are company, "Zuni instead" is a
// venue, and "Al instead of" someone is a person.
func (g *glossing) turn(meaning string, after []string) string {
	names := strings.TrimSuffix(strings.Join(g.loose, " "), " and")
	g.place = elsewhereInText
	unknown := false
	if len(after) > 0 {
		_, known, n := g.at(after)
		unknown = n == 0 || known == "" && capitalised(after[0])
	}
	switch {
	case meaning == "me" && names != "":
		return "with " + names
	case meaning == "me" && unknown && strings.HasPrefix(after[0], "ו") && utf8.RuneCountInString(after[0]) > 2:
		g.place = behindName // the Hebrew "me and Al"
		return "with me"
	case meaning == "me":
		return ""
	case unknown && (capitalised(after[0]) || g.Particles != "" && meaning == "instead" && (names != "" || g.company)):
		g.place = beforeName
		return strings.TrimSpace(names + " instead of")
	case names != "":
		return "at " + names + " instead"
	}
	g.place = g.place.after(meaning)
	return meaning
}

// street is an address that begins at word i with the word for a street: that word, and what stands after it as far as
// the number of the house.
func (g *glossing) street(i int, key string, n int) (english string, words int) {
	end := i + n
	for end < len(g.words) && end-i <= maxGloss && !endsInFigure(g.words[end-1]) {
		end++
	}
	if !endsInFigure(g.words[end-1]) {
		return "", n
	}
	_, street, _ := cutLast(key)
	return "at " + street + " " + strings.Join(g.words[i+n:end], " ") + ",", end - i
}

// startsPlace reports whether a venue by name stands at the head of the words, or a house number before a street.
func startsPlace(words []string) bool {
	if len(words) > 1 && endsInFigure(words[0]) {
		return capitalised(words[1])
	}
	return len(words) > 0 && capitalised(words[0])
}

// endsInFigure reports whether a word ends as a number does.
func endsInFigure(w string) bool {
	w = strings.Trim(w, ",.")
	return w != "" && unicode.IsDigit(rune(w[len(w)-1]))
}

func capitalised(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// isVerb reports whether a word of another language says what to do rather than what to meet for.
func isVerb(w string) bool {
	for _, ending := range []string{"ar", "er", "ir", "arme", "irme", "erme", "arnos", "irnos", "ernos", "amos",
		"emos", "imos"} {
		if strings.HasSuffix(w, ending) {
			return true
		}
	}
	return strings.HasPrefix(w, "לה") || strings.HasPrefix(w, "לש") || strings.HasPrefix(w, "לא") ||
		strings.HasPrefix(w, "נפג") || strings.HasPrefix(w, "ניפ")
}

// listPlace is where in a list of names a word of a text stands.
type listPlace int

const (
	elsewhereInText listPlace = iota
	beforeName
	behindName
	// inPlace is within the name of a venue.
	inPlace
)

// after is the place of the word after one that means so much in English.
func (p listPlace) after(meaning string) listPlace {
	switch {
	case meaning == "at", meaning == "in the", meaning == "near":
		return inPlace
	case strongBefore[meaning], strings.HasSuffix(meaning, " with"), meaning == "instead of", meaning == "add",
		meaning == "remove", meaning == "without", meaning == "and" && p == behindName,
		meaning == "see", (meaning == "" || strings.HasPrefix(meaning, "my ")) && p == beforeName:
		return beforeName
	default:
		return elsewhereInText
	}
}

// name is what becomes of a word that the language's table does not have: a name or a part of one where one may stand,
// itself where it says the same in any language, nothing otherwise.
func (p listPlace) name(w string) (english string, next listPlace) {
	ends := strings.HasSuffix(w, ",")
	w = strings.Trim(w, ".,:-/")
	first, size := utf8.DecodeRuneInString(w)
	latin, attached := strings.CutPrefix(w, "ב-")
	switch {
	case w == "":
		return "", elsewhereInText
	case attached && capitalised(latin):
		return "at " + latin, inPlace
	case p == inPlace && (unicode.IsUpper(first) || unicode.IsDigit(first)):
		return w, inPlace
	case p == beforeName && ends:
		return w + ",", beforeName
	case p == beforeName, p == behindName && unicode.IsUpper(first):
		return w, behindName
	case p == behindName && first == 'ו' && utf8.RuneCountInString(w) > 2:
		// The Hebrew "and" is one letter in front of the name.
		return "and " + strings.TrimLeft(w[size:], "-־"), behindName
	case understood(w):
		return w, p.after(strings.ToLower(w))
	default:
		return "", elsewhereInText
	}
}

// at is the longest known expression at the head of the words, what it means, and how many words it has.
func (t tongue) at(words []string) (key, meaning string, n int) {
	for n := min(maxGloss, len(words)); n > 0; n-- {
		text := strings.ToLower(strings.Trim(strings.Join(words[:n], " "), ".,:-/"))
		if meaning, ok := t.words[text]; ok {
			return text, meaning, n
		}
		for _, p := range t.Particles {
			rest, ok := strings.CutPrefix(text, string(p))
			rest = strings.TrimPrefix(rest, "-")
			if meaning, isKnown := t.words[rest]; ok && isKnown && meaning != "with" && meaning != "and" {
				return rest, meaning, n
			}
		}
	}
	return "", "", 0
}

// understood reports whether a word says in any language what it says in English: a number, a clock, a word that the
// rules for activities know.
func understood(w string) bool {
	w = strings.ToLower(w)
	if unicode.IsDigit(rune(w[0])) {
		return true
	}
	return (word{lower: w}).known() && len(w) > 2 || w == "with" || w == "pm" || w == "am"
}
