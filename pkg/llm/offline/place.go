package offline

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// venue is what a message says about where.
type venue struct {
	// name is one venue; query, what to look for; kind, a kind of venue.
	name, query, kind string
	// features are what it should have, dropped what it need not have any more.
	features, dropped []string
	where             whereabouts
	// spot is a place that nobody has to look for, with its preposition: "at home".
	spot spanOf
	// known is a venue that the user knows, with its preposition: "at the library".
	known spanOf
	// refused are venues that must not be, unwanted what people do not want to eat.
	refused, unwanted []string
	// used are the words that it was read from; wished, those of features.
	used, wished wordsOf
}

type spanOf struct{ from, to int }

// wordsOf says of each word whether it is one of those that something was read from.
type wordsOf []bool

func (w *wordsOf) add(from, to int) {
	for len(*w) < to {
		*w = append(*w, false)
	}
	for i := max(from, 0); i < to; i++ {
		(*w)[i] = true
	}
}

func (w wordsOf) has(i int) bool { return 0 <= i && i < len(w) && w[i] }

func (v *venue) covers(i int) bool { return v.used.has(i) }

func (v *venue) empty() bool {
	return v.name == "" && v.query == "" && v.kind == "" && v.where.empty() &&
		len(v.features)+len(v.dropped)+len(v.refused)+len(v.unwanted) == 0
}

// wishes reports whether word i is part of a wish for a feature.
func (v *venue) wishes(i int) bool { return v.wished.has(i) }

// wish is what to look for and what not, as the search of places reads it: "ramen not sushi".
func (v *venue) wish() string {
	parts := []string{v.query}
	for _, name := range v.unwanted {
		parts = append(parts, "not "+name)
	}
	return joined(parts...)
}

// maxPlaceWords bounds the words of a venue's name or of a wish for one.
const maxPlaceWords = 6

// placeOf reads where: a venue by name, a kind of venue, an area, wishes for it.
func (s *sentence) placeOf() venue {
	var v venue
	var parts []string
	s.standAt(&v)
	s.refusedPlaces(&v)
	s.readWhere(&v)
	s.readFeatures(&v)
	for i := 0; i < len(s.words); i++ {
		if !s.words[i].timed && !v.covers(i) {
			parts = append(parts, s.placeAt(i, &v))
		}
	}
	if s.says("casual") {
		parts = append(parts, "casual")
	}
	if v.query = joined(parts...); v.empty() && v.spot.to == 0 {
		s.placeAtEnd(&v)
	}
	return v
}

// placeAtEnd reads a place that stands alone at the end, behind a comma, of something that is done somewhere: "hike on
// Sunday, mt tam". Its words are of no other use, and it has more than one: a single one may say anything.
func (s *sentence) placeAtEnd(v *venue) {
	a, named := s.activityOf()
	end := len(s.words)
	for end > 0 && s.words[end-1].mark {
		end--
	}
	from := end
	for from > 0 && !s.words[from-1].mark {
		from--
	}
	area, name := s.at(from).lower == "the", from
	if area {
		name++
	}
	behind := s.at(from - 2) // and not a name, which the next one would go on with
	if !named || a.remote || s.at(from-1).text != "," || !behind.timed && a.index != from-2 || s.glossed ||
		end-from < 2 || end-name > maxPlaceWords || slices.ContainsFunc(s.words[name:end], word.isUsed) {
		return
	}
	if v.used.add(from, end); area {
		v.where.area = s.spoken(from, end)
	} else {
		v.name = s.spoken(from, end)
	}
}

// isUsed reports whether a word is of some other use than in the name of a place.
func (w word) isUsed() bool {
	return w.timed || w.address || stopWords[w.lower] || w.known() || featureWord(w.lower) ||
		len(idleBooks()[english].other["idle"][w.lower]) > 0
}

// placeAt reads where at word i, and gives what else is wished for there.
func (s *sentence) placeAt(i int, v *venue) (wish string) {
	w := s.words[i]
	if end := s.spotAt(i); end > i {
		v.spot = spanOf{i, end}
		v.used.add(i, end)
		return ""
	}
	switch w.lower {
	case "at", "@":
		s.atPlace(i, v)
	case "to":
		if s.goesTo(i) {
			s.atPlace(i, v)
			s.partOfTown(s.nameEnd(i+1), v)
		}
	case "location", "venue", "restaurant", "cafe", "café", "bar":
		s.namedLocation(i, v)
		if kind := plainKinds[w.lower]; kind != "" && v.kind == "" && s.wantsKind(i, v) {
			v.kind = kind
		}
	case "place", "spot":
		s.namedLocation(i, v)
		if v.covers(i) {
			return ""
		}
		fallthrough
	case "somewhere", "someplace", "anywhere", "places", "spots":
		if query, end := s.wishAfter(i, v); end > i {
			v.used.add(i, end)
			return query
		}
	case "near", "around", "by", "in", "close", "closer", "next", "nearby", "from":
		s.areaAt(i, v)
	case "on":
		s.onStreet(i, v)
	case "about":
	case "downtown", "uptown", "midtown":
		s.middleAt(i, v)
	}
	return ""
}

// plainKinds are kinds of venue that people name together with what they wish of one.
var plainKinds = map[string]string{"restaurant": "restaurant", "cafe": "cafe", "café": "cafe", "bar": "bar"}

// wantsKind reports whether the kind of venue at word i is wished for: "a quiet cafe".
func (s *sentence) wantsKind(i int, v *venue) bool {
	from := i
	for from > 0 && (v.wishes(from-1) || degrees[s.at(from-1).lower] && s.at(from-1).lower != "a" &&
		s.at(from-1).lower != "the") {
		from--
	}
	article := s.at(from - 1).lower
	return !v.covers(i) && from < i && (article == "a" || article == "an" || article == "some" || from == 0 ||
		s.at(from-1).mark)
}

// goesTo reports whether the "to" at word i leads to a venue by name, or to an address: "go to Zuni".
func (s *sentence) goesTo(i int) bool {
	to := s.at(i + 1)
	if !to.capital() && !s.isHouse(i+1) || to.timed || s.shouted || strings.HasSuffix(to.lower, "'s") {
		return false
	}
	switch s.at(i - 1).lower {
	case "go", "going", "head", "over":
		return true
	case "it", "this", "that", "everything":
		// "Move it to Zuni", and not "move it to Zoom".
		verb := s.at(i - 2).lower
		return (verb == "move" || verb == "relocate" || verb == "shift") && videoTools[to.lower] == "" && !to.known() &&
			!neverNames[to.lower]
	}
	return false
}

// refusedPlaces reads where not to go: "not at Zuni or Shizen", "anywhere but Zuni", "no Zuni Café".
func (s *sentence) refusedPlaces(v *venue) {
	for i := 1; i < len(s.words) && !s.shouted; i++ {
		if s.refusesDish(i) {
			v.unwanted = append(v.unwanted, s.dishName(i))
			v.used.add(s.refusalBefore(i), i+1)
			continue
		}
		if v.covers(i) || !s.at(i).capital() || s.at(i).timed || neverNames[s.at(i).lower] ||
			videoTools[s.at(i).lower] != "" {
			continue
		}
		end := s.nameEnd(i)
		alike := (s.at(i-1).lower == "or" || s.at(i-1).lower == "nor") && v.covers(i-2)
		if end == i || !alike && !s.refusesPlace(i) {
			continue
		}
		from := i - 1
		for from > 0 && (s.at(from).lower == "at" || s.at(from).lower == "to" || s.at(from).lower == "the" ||
			s.at(from).lower == "go") {
			from--
		}
		v.refused = append(v.refused, s.spoken(i, end))
		v.used.add(from, end)
		i = end - 1
	}
}

// refusesDish reports whether word i is something that the user does not want to eat: "no sushi", "not at a Japanese
// place".
func (s *sentence) refusesDish(i int) bool {
	return s.dishName(i) != "" && s.refusalBefore(i) >= 0
}

// refusalBefore is the word that turns down what word i begins to name, -1 where none does.
func (s *sentence) refusalBefore(i int) int {
	from := i - 1
	for from > 0 && beforeDish[s.at(from).lower] && s.at(from-1).lower != "allergic" {
		from--
	}
	switch before := s.at(from - 1).lower; s.at(from).lower {
	case "no", "not", "without", "avoid", "nothing", "never", "hates", "hate", "dislikes", "dislike":
		return from
	case "to":
		if before == "allergic" {
			return from - 1
		}
	case "like", "likes", "eat", "eats", "stand", "want", "wants", "have", "do":
		if denials[before] {
			return from - 1
		}
	case "but":
		if before == "anything" || before == "anywhere" {
			return from
		}
	}
	return -1
}

// denials turn the verb behind them into its opposite: "he doesn't like sushi".
var denials = map[string]bool{
	"don't": true, "doesn't": true, "can't": true, "cannot": true, "won't": true, "not": true, "never": true,
}

// refusesPlace reports whether what stands before word i turns down the venue that begins there. After "not" it may as
// well be a person, who is then left out too.
func (s *sentence) refusesPlace(i int) bool {
	if s.at(i-1).lower == "the" {
		i--
	}
	one, two := s.at(i-1).lower, s.at(i-2).lower
	switch one {
	case "at", "to":
		return two == "not" || two == "don't" || two == "go" && (s.at(i-3).lower == "don't" || s.at(i-3).lower == "not")
	case "no", "avoid":
		return true
	case "not":
		return two != "if"
	case "but", "except", "besides":
		return two == "anywhere" || two == "somewhere" || two == "anything" || two == "place"
	case "than":
		return two == "other" && (s.at(i-3).lower == "anywhere" || s.at(i-3).lower == "somewhere" ||
			s.at(i-3).lower == "place")
	}
	return false
}

// atPlace reads "at Zuni Café", "at the museum", "at a quiet bar".
func (s *sentence) atPlace(i int, v *venue) {
	j := i + 1
	if j >= len(s.words) || s.at(j).timed || s.at(j).mark || gazes(s.at(i-1)) {
		return
	}
	article := s.at(j).lower
	switch article {
	case "the", "a", "an", "some":
		j++
	default:
		article = ""
	}
	end := s.nameEnd(j)
	if end == j {
		return
	}
	end = s.streetEnd(end)
	name := s.spoken(j, end)
	if strings.Trim(strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), "am"), "pm"), "0123456789 ") == "" {
		return // an hour that no clock shows
	}
	first := s.at(j).lower
	last := s.at(end - 1).lower
	v.used.add(i, end)
	switch kind := outings[last]; {
	case noVenue[first] || noVenue[last]:
	case kind != "" && !s.at(j).capital() && (end == j+1 || article != ""):
		v.kind = kind
		if article == "the" && s.at(i).lower == "at" {
			v.known = spanOf{i, end}
		}
	case article == "a" || article == "an" || article == "some":
		v.kind = strings.ToLower(name)
	case v.name == "" && utf8.RuneCountInString(name) > 1:
		v.name = name
	}
}

// namedLocation reads "set the location to Zuni", "the venue is Tartine".
func (s *sentence) namedLocation(i int, v *venue) {
	switch s.at(i + 1).lower {
	case "to", "is", "as", ":":
	default:
		return
	}
	j := i + 2
	if s.at(j).lower == "the" {
		j++
	}
	if end := s.nameEnd(j); end > j && (s.at(j).capital() || s.isHouse(j)) {
		v.name = s.spoken(j, end)
		v.used.add(i, end)
		s.partOfTown(end, v)
	}
}

// gazes reports whether a word goes on with "at" without being anywhere: "look at the numbers".
func gazes(w word) bool {
	return w.lower == "look" || w.lower == "looking"
}

// nameEnd is the index after a venue's name that begins at j: a run of capitalised words with small ones between them,
// or a few words where the writer uses no capitals.
func (s *sentence) nameEnd(j int) int {
	capitals := s.at(j).capital() && !s.shouted
	end := j
	for end < len(s.words) && end-j < maxPlaceWords {
		w := s.words[end]
		if w.mark && w.text == "&" && end > j {
			end++
			continue
		}
		if w.text == "." && end > j && shortened[s.at(end-1).lower] && s.at(end+1).capital() {
			end++
			continue
		}
		if w.mark || w.timed {
			break
		}
		if capitals && !w.capital() && !s.inside(end) || !capitals && (stopWords[w.lower] || w.lower == "with") {
			break
		}
		end++
	}
	for end > j && s.words[end-1].mark {
		end--
	}
	return end
}

// inside reports whether a small word stands within a capitalised name: "House of Prime Rib".
func (s *sentence) inside(i int) bool {
	switch s.at(i).lower {
	case "of", "the", "de", "la", "le", "del", "el", "and", "du", "des", "y", "on":
		return s.at(i+1).capital() && !s.at(i+1).timed || s.inside(i+1)
	}
	return false
}

// spoken is the text of the words from i to end, as written, with only letters, digits, spaces and the marks of names.
func (s *sentence) spoken(i, end int) string {
	if i >= end {
		return ""
	}
	clean := strings.Map(func(r rune) rune {
		switch {
		case inWord(r), r == ' ', r == '-', r == '&':
			return r
		case r == '\n' || r == '\t':
			return ' '
		}
		return -1
	}, s.text[s.words[i].start:s.words[end-1].end])
	return strings.Join(strings.Fields(clean), " ")
}

// wishAfter reads what is wished of "somewhere" beside features and where it is, and where that ends: at "somewhere"
// where nothing is wished.
func (s *sentence) wishAfter(i int, v *venue) (string, int) {
	j := i + 1
	for s.at(j).lower == "with" || s.at(j).lower == "that" || s.at(j).lower == "has" || s.at(j).lower == "a" ||
		s.at(j).lower == "more" {
		j++
	}
	end := j
	for end < len(s.words) && end-j < maxPlaceWords {
		w := s.words[end]
		if w.mark || w.timed || v.covers(end) || !v.wishes(end) && (wishEnds[w.lower] || w.lower == "with") {
			break
		}
		end++
	}
	if end == j || s.at(j).capital() && s.at(j-1).lower == "with" && !s.shouted {
		return "", i
	}
	first := s.at(j).lower
	if !v.wishes(j) && stopWords[first] && first != "good" && first != "nice" {
		return "", i
	}
	var left []string
	for k := j; k < end; k++ {
		if !v.wishes(k) && !degrees[s.at(k).lower] {
			left = append(left, strings.ToLower(s.spoken(k, k+1)))
		}
	}
	return strings.Join(left, " "), end
}
