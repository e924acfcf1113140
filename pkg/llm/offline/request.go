package offline

import (
	"slices"
	"strings"
)

// maxRequest bounds the words of what a message asks for.
const maxRequest = 10

// request reads what a message wants on the calendar in the words that it has for it: what follows its verb ("add", "I
// have a") and goes before the time, the people and the place.
type request struct {
	*sentence
	people []person
	venue  *venue
	// from and to are where the words stand; nothing is asked for in this way where they are the same.
	from, to int
	// meets says that the message speaks of meeting somebody rather than of a thing.
	meets bool
	// bare says that the message asks for an event without saying which.
	bare bool
	// told says that no verb asks for it: "yoga tomorrow", "I have to mow the lawn".
	told bool
	// why is where what a plain thing is for stands, with the word that leads to it.
	why spanOf
	// whom is where those stand, behind the time, who take part without a name: "with my neighbor".
	whom spanOf
}

// maxClauses bounds in how many clauses of a message it is looked for.
const maxClauses = 32

// requested is what the message asks for; empty where it does not put it like that.
func (s *sentence) requested(people []person, v *venue) request {
	r := request{sentence: s, people: people, venue: v}
	for i, n := 0, 0; i >= 0 && n < maxClauses; i, n = r.nextClause(i), n+1 {
		from, named := r.opening(i)
		if from < 0 {
			return r
		}
		if named {
			for r.title("loose", from) == 1 && !r.stops(from, from) {
				from++
			}
			r.from = r.feastBefore(from)
			r.to = r.trimmed(r.from, r.end(from))
		} else if why := r.purpose(from); why.to > 0 {
			// "Some time with Al to paint the fence" is to paint the fence.
			r.from, r.to = r.past(why.from+1, "before"), why.to
		}
		if !r.saysNothing() {
			break
		}
		r.from, r.to, r.bare = 0, 0, r.bare || !named
	}
	if !r.empty() && r.isPlain() {
		r.why = r.purpose(r.to)
	}
	if !r.empty() && len(people) == 0 {
		r.whom = r.company(r.to)
	}
	return r
}

// nextClause is where the next clause begins, -1 where there is none.
func (r *request) nextClause(i int) int {
	for i++; i < len(r.words)-1; i++ {
		if w := r.at(i); w.mark && !w.timed && strings.Contains(".,:;!?–—-", w.text) && !r.at(i+1).mark {
			return i + 1
		}
	}
	return -1
}

func (r *request) empty() bool { return r.to == r.from }

// title is how many words the phrase of the key has that stands at word i.
func (s *sentence) title(key string, i int) int {
	_, n := s.phraseAt(i, titleBook().other[key])
	return n
}

// past skips the phrases of a key, and times and marks between them, from word i on.
func (s *sentence) past(i int, key string) int {
	for i < len(s.words) {
		switch n := s.title(key, i); {
		case n > 0:
			i += n
		case s.at(i).timed || s.at(i).mark && !strings.Contains(".;!?", s.at(i).text):
			i++
		default:
			return i
		}
	}
	return i
}

// opening is where the thing begins that the message asks for: behind its politeness, its wish, its verb and an
// article. It is -1 where the message tells of people who meet rather than of a thing. named says that a thing stands
// there, and not only that there is one: "an event on Friday".
func (r *request) opening(at int) (i int, named bool) {
	i = r.past(at, "polite")
	for r.at(i).mark && i < len(r.words) {
		i = r.past(i+1, "polite")
	}
	i = r.spokenTo(i)
	r.told = false
	wished := false
	for r.title("thing", i) == 0 {
		wish, verb := r.title("wish", i), r.title("verb", i)
		if verb > 0 && verb >= wish {
			return r.object(i + verb)
		}
		if wish == 0 {
			break
		}
		wished = true
		i = r.past(i+wish, "polite")
	}
	if r.at(i-1).timed && r.at(i).lower == "is" {
		i++ // "Friday is the exam"
	}
	sees := r.title("seen", i) > 0 && r.title("before", i+1) > 0 && !r.inPeople(i+1) && !r.at(i+2).mark
	if n := r.title("meet", i); n > 0 && !sees && r.title("thing", i) == 0 {
		r.meets = r.inPeople(i+n) || r.title("plain", i) > 0
		r.why = r.purpose(i + n)
		return -1, false
	}
	if !wished && !r.isBare(i) {
		return -1, false
	}
	r.told = true
	if w := r.at(i).lower; (w == "go" || w == "going") && strings.HasSuffix(r.at(i+1).lower, "ing") {
		i++ // "let's go bowling" is bowling
	}
	return r.past(i, "before"), true
}

// spokenTo passes the name by which the message calls whom it asks: "Holly, add lunch".
func (r *request) spokenTo(i int) int {
	if r.at(i).mark || r.title("verb", i)+r.title("wish", i)+r.title("thing", i) > 0 || r.at(i).known() {
		return i
	}
	next := r.past(i+1, "polite")
	if n := r.title("verb", next); n > 0 && (r.title("before", next+n)+r.title("empty", next+n) > 0 ||
		r.at(next+n).timed) || r.title("wish", next) > 0 {
		return next
	}
	return i
}

// isBare reports whether a message that asks in no words begins with the thing itself: "yoga class tomorrow at 7".
func (r *request) isBare(i int) bool {
	w := r.at(i)
	return !w.mark && r.title("stop", i)+r.title("other", i) == 0 && !r.inPeople(i) && r.at(i+1).lower != "and"
}

// object is where the object of a verb begins, and whether it says more than that there is one.
func (r *request) object(i int) (from int, named bool) {
	for {
		i = r.past(i, "before")
		n := r.title("empty", i)
		if r.at(i).lower == "event" && r.isCompound(i, n) {
			return i + n, true
		}
		if n == 0 || r.isCompound(i, n) {
			r.told = r.at(i-1).lower == "that"
			return i, true
		}
		next := r.past(i+n, "before")
		link := r.title("link", next)
		if link == 0 && next > i+n && r.beginsThing(next) {
			return next, true
		}
		if link == 0 || r.at(next+link).timed && !r.beginsThing(r.past(next+link, "before")) {
			return i + n, false
		}
		i = next + link
	}
}

// beginsThing reports whether a thing begins at word i: "an event tomorrow lunch with Al".
func (r *request) beginsThing(i int) bool {
	asks := r.title("polite", i) + r.title("wish", i) + r.title("verb", i) + r.title("other", i)
	return asks == 0 && !r.at(i).mark && r.at(i-1).text != "," && r.title("loose", i)+r.title("stop", i) == 0 &&
		!r.stops(i, i)
}

// isCompound reports whether the empty noun at word i is a part of something that says more: "time sheets".
func (r *request) isCompound(i, n int) bool {
	next := i + n
	return !r.at(next).mark && !r.stops(next, i) &&
		r.title("loose", next)+r.title("before", next)+r.title("link", next) == 0 && r.at(next).lower != "with"
}

// feastBefore takes in the feast in front of what is held on it, which is a time as well: "Christmas dinner".
func (r *request) feastBefore(from int) int {
	if r.namesFeast(from - 1) {
		return from - 1
	}
	return from
}

// namesFeast reports whether the feast at word i belongs to what is held on it rather than to its time.
func (r *request) namesFeast(i int) bool {
	feast := slices.ContainsFunc(titleBook().other["feast"][r.at(i).lower], func(e expression) bool {
		return len(e.words) == 1
	})
	next := r.at(i + 1)
	return feast && !next.mark && !next.timed && r.title("loose", i+1)+r.title("stop", i+1) == 0 && !r.inPeople(i+1)
}

// end is where the thing that begins at word i ends.
func (r *request) end(i int) int {
	end := i
	for end < len(r.words) && end-i < maxRequest && !r.stops(end, i) {
		end++
	}
	return end
}

// stops reports whether what begins at word from ends before word i.
func (r *request) stops(i, from int) bool {
	w, next := r.at(i), r.at(i+1)
	switch {
	case w.mark:
		return w.text != "&" && w.text != "-" && w.text != "/" || next.mark
	case w.timed:
		return !r.namesNight(i, from) && !r.namesFeast(i)
	case r.inPeople(i):
		return i == from || !r.takesIn(i, from)
	case r.venue.covers(i), r.venue.wishes(i), i > from && r.title("stop", i) > 0 && !gazes(r.at(i-1)):
		return true
	}
	switch w.lower {
	case "with", "w":
		return next.mark || next.timed || r.inPeople(r.pastMarks(i+1)) || r.venue.wishes(i+1) || r.venue.wishes(i+2)
	case "for":
		return next.mark || next.timed && !r.namesFeast(i+1) || r.venue.covers(i+1) ||
			r.inPeople(i+1) && !r.takesIn(i+1, from)
	case "and", "or", "to", "from", "of", "by", "about", "on", "in":
		return next.mark || next.timed && !r.namesFeast(i+1) || r.inPeople(i+1) || r.venue.covers(i+1)
	}
	return false
}

// takesIn reports whether the person at word i belongs to the thing: "visit Al", "a party for Al". Who is only met with
// does not.
func (r *request) takesIn(i, from int) bool {
	for i > from && r.inPeople(i-1) {
		i--
	}
	if r.title("object", i-1) == 1 && i-1 == from {
		return true
	}
	length := i - 1 - from
	return length > 0 && r.at(i-1).lower == "for" && r.title("plain", from) != length &&
		(length > 1 || meals[r.at(from).lower] == "")
}

// others are the names of the people whom the thing itself does not name.
func (r *request) others() []string {
	var names []string
	for _, p := range r.people {
		if p.from < r.from || p.from >= r.to {
			names = append(names, p.name)
		}
	}
	return names
}

// namesNight reports whether the night at word i belongs to the thing rather than to its time: "quiz night".
func (s *sentence) namesNight(i, from int) bool {
	return i > from && s.at(i).lower == "night" && !s.at(i-1).timed && !s.at(i-1).mark && s.title("loose", i-1) == 0
}

func (r *request) inPeople(i int) bool {
	return slices.ContainsFunc(r.people, func(p person) bool { return p.from <= i && i < p.to })
}

// saysNothing reports whether the words are none, or none that tells one thing from another.
func (r *request) saysNothing() bool {
	for i := r.from; i < r.to; i++ {
		if w := r.at(i); !w.mark && strings.Trim(w.text, "'’") != "" && r.title("empty", i) == 0 &&
			r.title("loose", i) == 0 && r.title("before", i) == 0 && w.lower != "free" {
			return false
		}
	}
	return true
}

// isPlain reports whether the thing is no more than a meeting.
func (r *request) isPlain() bool { return r.title("plain", r.from) == r.to-r.from }

// purpose is what a plain thing is for, from word i on, where that is said behind the people, the time or the place:
// "to read the contract".
func (r *request) purpose(i int) spanOf {
	for ; i < len(r.words); i++ {
		if w := r.at(i); w.mark && !w.timed && w.text != "," {
			break
		}
		n := r.title("purpose", i)
		if n == 0 || r.title("stop", i) > 0 || r.stops(i, i) && n == 1 || r.stops(i+n, i+n) || r.title("stop", i+n) > 0 {
			continue
		}
		if end := r.trimmed(i+n, r.end(i+n)); end > i+n && end-i < maxRequest {
			return spanOf{i, end}
		}
	}
	return spanOf{}
}

// company is where those stand, from word i on, who take part without a name.
func (r *request) company(i int) spanOf {
	for ; i < len(r.words); i++ {
		if w := r.at(i); w.mark && !w.timed && w.text != "," {
			break
		}
		if whose := r.at(i + 1).lower; r.at(i).lower != "with" || r.stops(i, i) || whose != "my" && whose != "our" {
			continue
		}
		if end := r.trimmed(i+2, r.end(i+2)); end > i+2 {
			return spanOf{i, end}
		}
	}
	return spanOf{}
}

// trimmed is the end of the words without those with which nothing ends.
func (r *request) trimmed(from, to int) int {
	for to > from && r.title("loose", to-1) == 1 && (to-2 < from || r.title("thing", to-2) != 2) {
		to--
	}
	return to
}

// concerns reports whether what is asked for is what the activity is part of, and not where or how to eat: "book Zuni
// for dinner".
func (r *request) concerns(a activity) bool {
	inside := r.from <= a.index && a.index < r.to
	if r.told && a.index >= 0 && !inside && !r.venue.covers(a.index) {
		return false
	}
	return !inside || a.index == r.from || usualPlace[a.kind] == "" || r.at(a.index-1).lower != "for"
}

// worded are the words from i to end as a title has them: slips mended, in small letters where the message shouts, and
// with no marks but those that join words.
func (s *sentence) worded(i, end int) string {
	var b strings.Builder
	for ; i < end; i++ {
		w := s.words[i]
		if w.mark && w.text != "&" && w.text != "-" && w.text != "/" {
			continue
		}
		if b.Len() > 0 && s.words[i-1].end < w.start {
			b.WriteByte(' ')
		}
		if text := strings.Trim(w.text, "'’"); s.shouted || w.lower != strings.ToLower(strings.ReplaceAll(text, "’", "'")) {
			b.WriteString(w.lower)
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}

// noted reports whether the message is no more than a thing with its time, its people and its place, as people write
// down what they will do: "pick up the parcel at 5".
func (s *sentence) noted() bool {
	r := s.requested(s.peopleOf(&s.venue), &s.venue)
	if r.empty() || !r.told {
		return false
	}
	for i := r.to; i < len(s.words); i++ {
		if w := s.at(i); !w.mark && !w.timed && !s.venue.covers(i) && !r.inPeople(i) && w.lower != "please" &&
			s.title("loose", i) == 0 {
			return false
		}
	}
	return true
}
