package ground

import (
	_ "embed"
	"slices"
	"strings"

	"convene/pkg/linear"
)

//go:embed told.gz
var toldWeights []byte

// roles tells what a clause is there for.
var roles = linear.Embedded[string](toldWeights)

// Roles are the kinds of clauses: one asks for something, one limits it ("she can't before three"), and one only tells
// why, or how things are.
func Roles() []string { return []string{"asks", "bears", "told"} }

// How probable it has to be that a clause only tells something, so that it is not read: more behind a request, where it
// may be a part of what is to be kept.
const (
	LeastTold     = 0.7
	leastToldLast = 0.8
	// leastAsked is from which probability on a clause behind "cancel that" may ask for something.
	leastAsked = 0.3
)

// told is how probable it is that a clause only tells something: "grace wrote that she is running late". What has run
// out or was done is told as well, and is to be bought or ticked off.
func (r *reading) told() float64 {
	read := Read(r.Message)
	happened := On(read.Deed) == Event && read.Probability >= plainlyOfEvent // "the dentist got cancelled"
	if read.Tool != "" && !read.Reads && (happened || slices.Contains(stating, read.Deed)) {
		return 0
	}
	return r.best().role("told") // without titles
}

// role is how probable it is that a clause is there for something. Its times have been read.
func (r *reading) role(name string) float64 {
	p := roles().Probabilities(Features(r.delexicalized()))
	if i := slices.Index(roles().Classes, name); i >= 0 && i < len(p) {
		return p[i]
	}
	return 0
}

// Told is how probable it is that a message only tells something, and asks for nothing.
func Told(m Message) float64 { return newReading(m).told() }

// TellsBeside reports whether a message may have a clause that only tells something.
func TellsBeside(m Message) bool {
	told, _ := parted(m)
	has := form("clause end").MatchString(m.Text) && words()["has something"].MatchString(m.Text)
	return told != "" || has || droppedFor(m) != ""
}

// isWritten reports whether a text has words of another one: in quotation marks, or after a colon.
func isWritten(text string) bool {
	return quotation.MatchString(text) || form("colon").MatchString(text)
}

// parted are the clauses at the beginning and at the end of a message that only tell something, and what stands
// between them. What is quoted, or written after a colon, is never parted.
func parted(m Message) (told, rest string) {
	if isWritten(m.Text) {
		return "", m.Text
	}
	m.Text = withoutOpening(m.Text)
	only := func(from, to int, least float64) bool {
		clause := m
		clause.Text = m.Text[from:to]
		r := newReading(clause)
		if len(r.words) < 2 {
			return false // "great" answers
		}
		r.readTimes() // what is taken away needs no limits
		before := strings.TrimRight(m.Text[:from], around)
		off := len(m.Last) == 1 && form("off it").MatchString(before) && r.role("asks") < leastAsked
		return off || r.told() >= least
	}
	ends := form("clause end").FindAllStringIndex(m.Text, -1)
	from, to := 0, len(m.Text)
	for len(ends) > 0 && only(from, ends[0][0], LeastTold) {
		from, ends = ends[0][1], ends[1:]
	}
	lead := strings.Trim(m.Text[:from], " ")
	last := func(at int) bool {
		tail := m.Text[at:to]
		return !Joins(" "+tail) && !form("goes on").MatchString(tail) && only(at, to, leastToldLast)
	}
	for n := len(ends) - 1; n >= 0 && last(ends[n][1]); n-- {
		to = ends[n][0]
	}
	for _, at := range words()["begins a clause"].FindAllStringIndex(m.Text[from:to], -1) {
		open := form("left open").MatchString(m.Text[:from+at[0]]) // "not because …"
		if at[0] > 0 && !open && last(from+at[0]) {                // "cancel the gym because my knee hurts"
			to = from + at[0]
			break
		}
	}
	return strings.TrimSpace(lead + " " + m.Text[to:]), m.Text[from:to]
}

// WithoutTold is a message without the clauses around it that only tell something, if it can be read without them:
// "grace wrote that she is late, push planning back" moves nothing of grace's. A day or a companion that it means by a
// pronoun is put in its place; if it may mean anything else of what was told, the message stays as it is, and so does
// one that may take its day from there. Arranging says that an event is being arranged.
func WithoutTold(m Message, arranging bool) string {
	if rest := withoutHindrance(m, arranging); rest != "" {
		return rest
	}
	if rest := droppedFor(m); rest != "" && arranging {
		return rest
	}
	said, rest := m, m
	said.Text, rest.Text = parted(m)
	beside := newReading(said)
	beside.readTimes()
	behind := !strings.HasSuffix(m.Text, rest.Text)
	if said.Text == "" || !beside.settles(&rest, behind, arranging) {
		return m.Text
	}
	return rest.Text
}

// withoutHindrance is a message that changes what was seen last, or what is being arranged, without the clause that
// says what else there is then: "make it friday, i have pottery on thursday" moves nothing of pottery. It is empty if
// the message is none.
func withoutHindrance(m Message, arranging bool) string {
	if len(m.Last) == 0 && !arranging || isWritten(m.Text) {
		return ""
	}
	from, to := hindrance(m)
	rest := m
	rest.Text = strings.Trim(m.Text[:from]+m.Text[to:], around)
	if to == 0 || len(newReading(rest).named()) > 0 {
		return ""
	}
	read := Read(rest)
	changes := read.Tool != "" && !read.Reads && (On(read.Deed) == Event || On(read.Deed) == Task)
	if !arranging && !changes || inOnesWords(read.Deed) {
		return ""
	}
	return rest.Text
}

// droppedFor is the request in a message that takes somebody off the event being arranged and says why: "drop marcus"
// of "drop marcus, he's on vacation". It is empty for any other message.
func droppedFor(m Message) string {
	end := form("clause end").FindStringIndex(m.Text)
	if end == nil || !form("takes them off").MatchString(m.Text) {
		return ""
	}
	head, why := m, m
	head.Text, why.Text = m.Text[:end[0]], m.Text[end[1]:]
	if r := newReading(head); len(r.people) != 1 || len(newReading(why).people) > 0 {
		return ""
	}
	return head.Text
}

// hindrance is where the clause of a message stands that only says that there is an event, with what parts it from the
// next one; to is 0 if none does. In "i have the gym at 7, move it to 8" it is what is meant.
func hindrance(m Message) (from, to int) {
	if strings.Contains(m.Text, "?") {
		return 0, 0
	}
	for _, end := range append(form("clause end").FindAllStringIndex(m.Text, -1), []int{len(m.Text), len(m.Text)}) {
		clause := m
		clause.Text = m.Text[from:end[0]]
		meant := from == 0 && words()["refers back"].MatchString(m.Text[end[1]:])
		if len(clause.Text) < len(m.Text) && !meant && hinders(clause) {
			return from, end[1]
		}
		from = end[1]
	}
	return 0, 0
}

// onlyHinders reports whether all events that are named are only said to be in the way.
func (r *reading) onlyHinders() bool {
	if len(r.of(Event)) == 0 || !form("clause end").MatchString(r.Text) {
		return false
	}
	from, to := hindrance(r.Message)
	elsewhere := func(m *mention) bool {
		return len(m.words) == 0 || r.words[m.words[0]].from < from || r.words[m.words[0]].from >= to
	}
	return to > 0 && !slices.ContainsFunc(r.of(Event), elsewhere)
}

// hinders reports whether a clause only says that there is an event.
func hinders(m Message) bool {
	r := newReading(m)
	if len(r.named()) == 0 {
		return false
	}
	return words()["in the way"].MatchString(r.best().delexicalized())
}

// settles reports whether the rest of a message can be read without what it tells. Names and times of that are put in
// place of pronouns in the rest. Behind says that it was told behind the rest, where it may be one more thing to keep.
func (r *reading) settles(rest *Message, behind, arranging bool) bool {
	r.settlePronouns(rest)
	asked := newReading(*rest)
	asked.readTimes()
	unnamed := func(p said) bool {
		return !slices.ContainsFunc(asked.people, func(o said) bool { return o.text == p.text })
	}
	of := form("reminds").FindStringIndex(rest.Text)
	ofTold := of != nil && newReading(*rest).aloneTime(of[1]) != nil // what it reminds of is told
	if ofTold || asked.role("asks") < leastToRead {
		return false
	}
	if words()["refers back"].MatchString(asked.delexicalized()) { // a name may end as a Spanish verb does: "carlos"
		seen := arranging || len(rest.Last) > 0
		return seen && (len(r.times)+len(r.people) == 0 || asked.ofShownAlone())
	}
	read := Read(*rest)
	timeless := len(r.times) > 0 && len(asked.times) == 0
	ofEvent := On(read.Deed) == Event || read.Deed == "event_create"
	switch {
	case inOnesWords(read.Deed), behind && slices.Contains(listing, read.Deed):
		return false // what is told may be for there
	case ofEvent && timeless, read.Deed == "event_create" && slices.ContainsFunc(r.people, unnamed):
		return false
	case read.Tool != "":
		plainly := behind && asked.role("asks") >= leastToldLast && !words()["dictating"].MatchString(rest.Text)
		return read.Clear || read.Probability >= Surely || plainly
	}
	return read.Deed == "event_create" && read.Probability >= leastUnnamed
}

// ofShownAlone reports whether a message takes away the one thing that was seen last, or moves it by a length: nothing
// that was told before it is needed for that.
func (r *reading) ofShownAlone() bool {
	if len(r.Last) != 1 || form("off it").MatchString(r.Text) {
		return len(r.Last) == 1
	}
	read := Read(r.Message)
	call := string(read.Arguments)
	return names(call, r.Last[0]) && (strings.Contains(call, `"byMinutes"`) || strings.Contains(call, `"byDays"`))
}

// names reports whether the only thing in a call is that of an id.
func names(call, id string) bool { return strings.Contains(call, `"ids":["`+id+`"]`) }

// settlePronouns puts who was told of, and when, in the place of the words that mean them.
func (r *reading) settlePronouns(rest *Message) {
	if len(r.people) == 1 {
		who := r.Text[r.people[0].from:r.people[0].to]
		if c, ok := CompanionIn(rest.Text); ok && !c.Several {
			rest.Text = c.Name(rest.Text, []string{who})
		}
		rest.Text = inPlaceOf("their tasks", rest.Text, who) // "so reassign their tasks"
	}
	if len(r.times) == 1 {
		rest.Text = inPlaceOf("that time", rest.Text, r.times[0].text)
	}
}

// listing are deeds that may be of more things, one behind the other.
var listing = []string{"item_add", "item_remove", "item_done", "list_create", "several"}

// stating are the deeds that are asked for by telling something.
var stating = []string{"item_add", "item_done", "task_done"}

// inOnesWords reports whether a deed writes or keeps what the user says.
func inOnesWords(deed string) bool {
	return slices.Contains(letters, deed) || strings.HasSuffix(deed, "_note") || deed == "note_save" ||
		deed == "contact_save" || deed == "preference_set"
}

// inPlaceOf is a text with what was told in place of the words of a form that mean it.
func inPlaceOf(name, text, told string) string {
	for _, way := range ways(name) {
		text = way.form.ReplaceAllString(text, strings.ReplaceAll(way.becomes, "‹›", strings.ReplaceAll(told, "$", "$$")))
	}
	return text
}
