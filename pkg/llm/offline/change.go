package offline

import (
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/when"
)

// inChange is how many words the phrase of the key has that stands at word i in what people say to change an event, in
// the language of the sentence; 0 where none does.
func (s *sentence) inChange(key string, i int) int {
	for _, e := range changeBooks()[s.language].other[key][s.at(i).lower] {
		n := 0
		for n < len(e.words) && s.at(i+n).lower == e.words[n] {
			n++
		}
		if n == len(e.words) {
			return n
		}
	}
	return 0
}

// written is the sentence in the words of the message, which is another one only where this one is the English of it.
func (s *sentence) written() *sentence {
	if s.said != nil {
		return s.said
	}
	return s
}

// changeAt is where a phrase of the key stands in the message, in its own words or in the English of them.
func (s *sentence) changeAt(key string) (in *sentence, at spanOf) {
	for _, in := range []*sentence{s, s.written()} {
		for i := range in.words {
			if n := in.inChange(key, i); n > 0 {
				return in, spanOf{i, i + n}
			}
		}
	}
	return s, spanOf{}
}

// changes reports whether a phrase of the key stands anywhere in the message.
func (s *sentence) changes(key string) bool {
	_, at := s.changeAt(key)
	return at.to > 0
}

// changesFirst reports whether the message begins with a phrase of the key.
func (s *sentence) changesFirst(key string) bool {
	return s.inChange(key, 0) > 0 || s.written().inChange(key, 0) > 0
}

// undoes reports whether the message wants the event as it was: before the last change, or before all of them.
func (s *sentence) undoes() (undo string) {
	for _, in := range []*sentence{s, s.written()} {
		for i := range in.words {
			back := in.inChange("back to", i)
			switch {
			case back > 0 && in.inChange("original", i+back) > 0:
				return undoAll
			case back > 0 && in.inChange("before it", i+back) > 0, in.inChange("undo", i) > 0:
				undo = undoLast
			}
		}
	}
	return undo
}

// keeps reports whether the message says nothing but that the event stays as it is.
func (s *sentence) keeps() bool {
	kept := false
	own := s.written()
	for i := 0; i < len(own.words); {
		n := own.inChange("keep", i)
		kept = kept || n > 0
		if n = max(n, own.inChange("keeping", i)); n == 0 {
			return false
		}
		i += n
	}
	return kept
}

// speaksOfChange reports whether the message makes the event longer or shorter in proportion, earlier or later without
// a measure, or says who comes or does not.
func (s *sentence) speaksOfChange() bool {
	for _, key := range []string{
		"doubled", "halved", "lengthened", "shortened", "earlier", "later", "meant", "other", "instead of",
	} {
		if s.changes(key) {
			return true
		}
	}
	own := s.written()
	if _, area := s.bareArea(); area {
		return true
	}
	if n := own.inChange("adds first", 0); n > 0 && own.mayBeName(n) && own.at(n+1).mark {
		return true
	}
	for i := range own.words {
		if own.tellsOf(i) || own.tellsWho(i) {
			return true
		}
	}
	return false
}

// bareArea are the words of a part of town that are all that the message says: "the Mission", "let's do North Beach".
func (s *sentence) bareArea() (area spanOf, ok bool) {
	from, to := 0, len(s.words)
	for n := 1; n > 0; from += n {
		n = max(s.inChange("proposing", from), s.inChange("keeping", from))
	}
	for to > from && (s.at(to-1).mark || s.inChange("keeping", to-1)+s.inChange("instead", to-1) > 0) {
		to--
	}
	first := from
	if s.at(from).lower == "the" {
		first++
	}
	for i := first; i < to; i++ {
		w := s.at(i)
		partOfTown := i == to-1 && i > first && s.of("part of town", i) > 0
		if w.mark || w.timed || w.known() && !partOfTown || stopWords[w.lower] || neverNames[w.lower] || noVenue[w.lower] ||
			!onlyLetters(w.text) || s.venue.wishes(i) ||
			s.inChange("place noun", i)+s.inChange("venue noun", i)+s.inChange("no area", i) > 0 {
			return area, false
		}
	}
	named := first > from || to > first+1 && s.of("part of town", to-1) > 0
	return spanOf{from, to}, named && to > first && to-first <= 3 && s.choice(most) == 0
}

// mayBeName reports whether a person's name, in any case, may be word i.
func (s *sentence) mayBeName(i int) bool {
	w := s.at(i)
	return (w.capital() && !s.shouted || !w.timed && !w.known() && !stopWords[w.lower]) && onlyLetters(w.text) &&
		!neverNames[w.lower] && utf8.RuneCountInString(w.text) > 1
}

// tellsOf reports whether word i begins what is said of the person named before it: that they come, or do not.
func (s *sentence) tellsOf(i int) bool {
	if n := s.inChange("joins too", i) + s.inChange("alone", i); n > 0 {
		return s.at(i+n).mark && s.mayBeName(i-1)
	}
	n := s.inChange("joins", i) + s.inChange("leaves", i) + s.inChange("absent", i)
	return n > 0 && i > 0 && !s.at(i+n).timed
}

// tellsWho reports whether word i begins a phrase with a name after it that says who comes, or who does not.
func (s *sentence) tellsWho(i int) bool {
	for _, key := range []string{"drops", "denies", "adds", "alone", "swaps", "wants"} {
		n := s.inChange(key, i)
		for also := s.inChange("also", i+n); n > 0 && also > 0; also = s.inChange("also", i+n) {
			n += also
		}
		if n == 0 || s.at(i+n).timed {
			continue
		}
		end := s.at(i + n + 1)
		if key == "denies" && i == 0 && s.mayBeName(1) && end.text == "," && s.mayBeName(i+n+2) && s.at(i+n+3).mark ||
			s.mayBeName(i+n) && (s.at(i+n).capital() || key == "adds" || key == "swaps" ||
				(end.mark || s.inChange("and", i+n+1) > 0) && key != "denies") ||
			key == "alone" && s.inChange("self", i+n) > 0 {
			return true
		}
	}
	return false
}

// namesNothing reports whether a message that would change the event at hand says nothing that could be changed: "I
// don't like it". A name may be that of a person or a place.
func (r *reading) namesNothing() bool {
	s := &r.wish
	a, named := s.activityOf()
	if r.Language != english || named && a.kind != "" || s.time.Says() || s.choice(8) > 0 || s.pointsAtOne() ||
		len(s.peopleOf(&s.venue)) > 0 || !s.venue.empty() || s.speaksOfChange() || r.linksWord() {
		return false
	}
	if s.says(inPersonWords...) || s.says(videoWords...) || s.says(phoneWords...) {
		return false
	}
	for i, w := range s.words {
		if figure(w) > 0 || s.inChange("drops", i) > 0 || s.inChange("adds", i) > 0 {
			return false
		}
		if w.capital() && !s.shouted && !neverNames[w.lower] && (i > 0 || !stopWords[w.lower] && !leads[w.lower]) {
			return false
		}
	}
	day := someDay.AddDate(0, 0, 1)
	e := edited(templateData{
		Message: r.data.Message, RecentTurns: r.data.RecentTurns,
		Template: &knownTemplate{
			Title: "Coffee", EventType: "in-person", Activity: "coffee",
			Duration: 30, SuggestedPlaceTypes: []string{usualPlace["coffee"]},
		},
		Event: &offeredEvent{Start: day.Format(time.RFC3339), Place: "-"},
	}, someDay)
	return len(e.touched) == 0 && e.out.NewTravelBuffer == nil
}

// linksWord reports whether the message has a word of what the last turn linked to, which are places.
func (r *reading) linksWord() bool {
	n := len(r.data.RecentTurns)
	if n == 0 {
		return false
	}
	for i, part := range strings.Split(strings.ToLower(r.data.RecentTurns[n-1].Assistant), "[") {
		name, _, link := strings.Cut(part, "]")
		if i > 0 && link && r.wish.shares(name) > 0 {
			return true
		}
	}
	return false
}

// aboutTime reports whether the message says when, or when not.
func (e *editor) aboutTime() bool {
	r := e.time
	return len(r.Dates)+len(r.ExcludedDates)+len(r.ExcludedWeekdays) > 0 || !r.Hours.Empty() || !r.ExcludedHours.Empty() ||
		r.Shift != (when.Shift{})
}

// denied reports whether what stands right before word i turns it down: "don't invite".
func (s *sentence) denied(i int) bool {
	switch s.at(i - 1).lower {
	case "not", "don't", "never":
		return true
	case "to":
		return s.at(i-2).lower == "need" && s.at(i-3).lower == "no"
	}
	return false
}
