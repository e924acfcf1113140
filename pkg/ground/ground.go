// Package ground reads a request by the things that the user has, and not by grammar: code finds what a message names
// of them, who is named, and what is said of time, and puts placeholders in their stead; a learned model tells which
// deed the rest asks for ("gutters are clean at last, check that off" is task_done); and code makes the call of a tool
// with what it found. A title never reaches the model, so that no title can ask for anything. A message says nothing
// here if the model is not sure, or if it says something that the deed has no place for.
package ground

import (
	"encoding/json"
	"slices"
	"strings"
)

// newEvents are the deeds that a new event can be the answer to.
var newEvents = []string{"event_create", "block_create", "several"}

// Surely is the probability from which a deed may be done without being asked for once more.
const Surely = 0.97

// How probable a deed has to be so that it is read at all.
const (
	leastToRead   = 0.55
	leastToChange = 0.6
	// leastUnnamed is for deeds that are of no thing that the message names.
	leastUnnamed = 0.7
	// longest is how many words a message has at most that is read.
	longest = 60
)

// forms are messages of a form, which is read before anything is weighed: each is a call, or denied, if a message has
// it.
func forms() []func(Message) Reading {
	return []func(Message) Reading{
		oneOfTasks, justThat, ofThatName, ofAtHand, invited, habit, ofOneEvent, utmost, late, useOffered,
		remindBeside, moreMails, whoCan, tickOff, noSuchTask,
	}
}

// readAll reads the whole message, whichever calendar it names.
func readAll(m Message) Reading {
	m.Text = form("renamed onwards").ReplaceAllString(exceptLast(withoutOpening(m.Text)), `$1"$2" $3`)
	m.Text = withNoun(m)
	if next := follow(m); next.Tool != "" {
		return next
	}
	m.Text = inPlainWords(m.Text)
	m, plain := timeFor(spelledOut(m))
	if !plain {
		return Reading{Denied: true}
	}
	if about, named := meansNamed(m); named {
		return readAll(about).doubted(true)
	}
	if read, ok := byForm(m); ok {
		return read
	}
	m = inOwnWords(m)
	r := newReading(m)
	switch {
	case len(r.words) == 0 || len(r.words) > longest:
		return Reading{}
	case r.reports():
		return Reading{Denied: true, Reports: true}
	case m.Day.IsZero() && words()["that day"].MatchString(m.Text) && len(r.setting().Read(m.Text, m.Now).Dates) == 0:
		return Reading{Denied: true} // and nothing says which
	}
	ways := r.ways()
	for _, way := range ways {
		if once := way.again(); once.Tool != "" {
			return once
		}
	}
	best, read := withMails(m, bestOf(ways))
	if best.deed == "task_remind" && best.doesElse() {
		named := best.ids(Task)
		if len(named) == 0 {
			return Reading{}
		}
		m.Things = keep(m.Things, func(t Thing) bool { return !slices.Contains(named, t.ID) })
		return readAll(m)
	}
	if plain, says := withoutOtherName(m, best); says {
		return readAll(plain)
	}
	if own := anew(m, best, read); own != nil {
		best = own
		read = own.result()
	}
	if read.Tool != "" {
		read.Other = best.other
		return read
	}
	return otherwise(m, best, read)
}

// byForm reads a message that has one of the forms.
func byForm(m Message) (read Reading, ok bool) {
	for _, form := range forms() {
		if read := form(m); read.Tool != "" || read.Denied {
			return read, true
		}
	}
	return Reading{}, false
}

// withMails is the best reading and its call, among those without mails and those with them.
func withMails(m Message, named *reading) (best *reading, read Reading) {
	best = named
	ofTask := len(named.of(Task)) > 0 && named.says("oftask") && !named.says("mail")
	if m.Mails != nil && best.maybeMail() && !ofTask {
		of := bestOfMails(m)
		kept := best.keeps(of) && !of.writesTo(best)
		if of.isMail() && !kept && (of.pointed || of.dictates || best.gives(of)) {
			if best.rivals(of) {
				return of, Reading{Deed: of.deed, Probability: of.probability, Denied: true}
			}
			best = of
		}
	}
	read = best.result()
	if read.Tool == "" && best != named && (named.recalls() || !named.says("mail")) {
		if own := named.result(); own.Clear {
			return named, own // no mail is meant after all
		}
	}
	return best, read
}

// rivals reports whether words that name a mail which is to go also name something else that may be meant: nothing in
// the message says which.
func (r *reading) rivals(of *reading) bool {
	other := slices.ContainsFunc(r.found, func(m mention) bool { return m.kind != Mail && !m.described && m.score() > 0 })
	return other && forgetting.MatchString(of.deed) && forgetting.MatchString(r.deed) && !of.says("mail") &&
		!of.pointed && len(of.people) == 0
}

// writesTo reports whether a reading plainly writes to those by whose names another one finds all its things: "tell
// nadia that i'm coming" is of no birthday of hers.
func (r *reading) writesTo(other *reading) bool {
	at := func(i int) bool {
		return r.inPeople(said{from: other.words[i].from, to: other.words[i].to})
	}
	return r.dictates && r.probability >= plainlyNew && len(other.found) > 0 &&
		!slices.ContainsFunc(other.found, func(m mention) bool {
			return !slices.ContainsFunc(m.words, at)
		})
}

// keeps reports whether a reading is of an event, though its words may name a mail as well: the message says nothing of
// mails, and the deed is plain, or the event is named no less. "Forward" may be said of either.
func (r *reading) keeps(of *reading) bool {
	event := r.covers(Event)
	if r.namesNothing() && (of.pointed || words()["all from"].MatchString(r.Text) && len(of.people) > 0) {
		return false // what was seen last is meant, or all that someone sent
	}
	likely := r.probability >= plainlyOfEvent || r.probability >= leastToChange && event >= of.covers(Mail)
	return deeds[r.deed].on == Event && event > 0 && likely &&
		(!r.says("mail") || r.deed == "event_move" && r.says("sooner"))
}

// plainlyOfEvent is how probable the deed of an event has to be so that no mail is looked for.
const plainlyOfEvent = 0.9

// covers is how much of the title of a thing of a kind the message names.
func (r *reading) covers(kind Kind) (most float64) {
	for _, m := range r.of(kind) {
		most = max(most, m.covered)
	}
	return most
}

// gives reports whether a reading without mails gives way to one with them. A question that says nothing of mails, and
// names no sender, is of one only if it has most of the subject: "what's my week like?" is of no mail about a week.
func (r *reading) gives(of *reading) bool {
	if deeds[of.deed].reads && !r.says("mail") && len(of.people) == 0 && of.covers(Mail) < mostOfTitle {
		return false
	}
	return r.isMail() || r.other >= leastElsewhere || r.says("mail") ||
		r.probability < leastToRead && of.probability >= plainlyNew
}

func (r *reading) best() *reading { return bestOf(r.ways()) }

// bestOf is the way to read the message for which most speaks.
func bestOf(ways []*reading) (best *reading) {
	for _, way := range ways {
		if way.judge(); best == nil || best.idlyNames(way) ||
			way.weight() > best.weight() && !way.idlyNames(best) {
			best = way
		}
	}
	return best
}

// result is the call for the deed. To state that one is away asks for no block in plain words.
func (r *reading) result() Reading {
	read := r.callFor()
	if r.away != "" {
		read.Deed, read.Plain = "away", false
	}
	return read
}

// callFor is the call for the deed, if it is probable enough and everything that matters is in the call.
func (r *reading) callFor() Reading {
	if r.namesOnly() && !r.grouped() {
		return Reading{} // and says nothing of it
	}
	r.askBeside()
	d := deeds[r.deed]
	r.spare()
	r.dictate(d)
	if d.call == nil || r.probable() < r.least(d) {
		return Reading{Deed: r.deed, Probability: r.probability}
	}
	denied := !d.reads && (r.denied() || r.isMail() && !d.dictated && r.hardlyMail() || r.unsettled() != "")
	if denied || d.whole && !r.isWhole() {
		return Reading{Deed: r.deed, Probability: r.probability, Denied: denied}
	}
	d, tool, arguments := r.call(d)
	if tool == "" || r.lacks(d) {
		return r.uncalled(tool, d)
	}
	if scope := r.scope(d); scope != "" {
		arguments["scope"] = scope
	}
	encoded, err := json.Marshal(arguments)
	if err != nil {
		return Reading{}
	}
	return Reading{
		Deed: r.deed, Probability: r.probability, Tool: tool, Arguments: encoded, Reads: d.reads,
		Names: len(r.found) > 0 || r.isMail() && len(r.people) > 0, Clear: r.single(), Plain: r.plain() && !r.guessed,
		Sure: r.single() && r.probable() >= r.leastSure(d), Tasks: d.on == Task && words()["oftask"].MatchString(r.Text),
	}
}

// call makes the call of a deed. If mails of somebody who sent none are meant, it looks for them instead, so that the
// user is told that there are none.
func (r *reading) call(d deed) (deed, string, arguments) {
	tool, arguments := d.call(r)
	if who := r.strangerOfMails(); tool == "" && who != "" {
		d = deeds["mail_ask"]
		tool, arguments = r.ofStranger("from", who)
	}
	return d, tool, arguments
}

// isWhole reports whether it is sure that all of a thing is meant, or all but what is named.
func (r *reading) isWhole() bool {
	return r.probability >= Surely && (r.plain() || r.deed == "list_clear" && r.understood()) || r.says("sparing")
}

// uncalled is the reading of a deed for which no call is made: of all tasks, or of more things than there are.
func (r *reading) uncalled(tool string, d deed) Reading {
	counts := tool != "" && !d.reads && d.on != Nothing && r.miscounted()
	all := tool == "" && slices.ContainsFunc(r.found, func(m mention) bool { return m.entire })
	return Reading{Deed: r.deed, Probability: r.probability, Denied: counts || all, Tasks: all}
}

// lacks reports whether the call of a deed lacks something that the message says, or would be of nothing.
func (r *reading) lacks(d deed) bool {
	all := r.deed == "day_clear" || r.deed == "event_cancel"
	switch {
	case slices.ContainsFunc(r.found, mention.isNone), slices.ContainsFunc(r.people, unused):
		return true
	case d.reads:
		return d.on == Nothing && (r.left() || slices.ContainsFunc(r.times, r.goesOn)) // "the morning after"
	case strings.HasSuffix(r.deed, "_note") && d.on != Nothing && !r.notes():
		return true
	case ofAhead[r.deed] && !r.pointed && slices.ContainsFunc(r.meant(), r.isOver):
		return true // an event of that name has been
	case (all || slices.ContainsFunc(r.found, mention.isGroup)) && r.says("of some kind"):
		return true // only some of the events of a time
	case r.deed == "event_invite" && slices.ContainsFunc(r.of(Event), r.isTimeOf):
		return true // "talk to Marcus before my dentist" is nothing at the dentist's
	case (d.on == Event || all) && len(r.people) == 0 && r.says("withpronoun"):
		return true // nobody knows who that is
	case d.on == Event && r.isOfOther(), r.otherTasks(d), r.meansOther():
		return true
	case (d.on != Nothing || all) && r.miscounted(), d.on == Event && !all && r.says("except"):
		return true
	}
	return r.left() || !mayEnd[r.deed] && slices.ContainsFunc(r.times, timed.isUntil) || r.partly() ||
		(d.on == Event || all) && (r.says("relating") || slices.ContainsFunc(r.times, r.goesOn))
}

// isOfOther reports whether a message changes no event that it names: "actually friday, because thursday i've got
// pottery", or the words of a mail.
func (r *reading) isOfOther() bool { return r.onlyHinders() || len(r.own) > 0 && r.says("mail") }

// isNone reports whether what is meant is not there.
func (m mention) isNone() bool { return m.missed || m.described && len(m.meant) == 0 }

// otherTasks reports whether what is named are not the tasks that are meant.
func (r *reading) otherTasks(d deed) bool {
	return slices.ContainsFunc(r.of(Task), r.isAnother) || d.on == Task && r.onlyExcepted()
}

// onlyExcepted reports whether all that is named is what the message leaves out of everything.
func (r *reading) onlyExcepted() bool {
	at := butWhich(r.Text)
	before := func(m mention) bool { return len(m.words) == 0 || r.words[m.words[0]].from < at }
	return at > 0 && r.says("everything") && !slices.ContainsFunc(r.found, before)
}

// ofAhead are deeds of events that are still to come.
var ofAhead = map[string]bool{
	"event_move": true, "event_cancel": true, "event_length": true, "event_invite": true, "event_uninvite": true,
	"event_accept": true, "event_decline": true, "event_maybe": true, "event_repeat": true,
}

// isOver reports whether an event is over, and no time in the message means it.
func (r *reading) isOver(event Thing) bool {
	start := event.Span.Start.In(r.Now.Location())
	means := func(t timed) bool { return t.used && t.has(start) }
	return !event.Span.End.After(r.Now) && !slices.ContainsFunc(r.times, means)
}

// hardlyMail reports whether nothing but a bit of a subject says that a mail is meant.
func (r *reading) hardlyMail() bool {
	said := r.pointed || r.says("mail") || r.says("plainly mail_flag") || len(r.people) > 0
	return !said && slices.ContainsFunc(r.found, mention.weak)
}

// mayEnd are deeds whose call has the end that "until 4" or "by 4" tells.
var mayEnd = map[string]bool{"event_move": true, "event_length": true}

// weak reports whether words are only some of a title.
func (m mention) weak() bool { return m.covered < mostOfTitle }

// perhapsNoted reports whether the words of a name may be of what is to be noted: they are only some of a title, and no
// word says that the note goes into it.
func (r *reading) perhapsNoted(m mention) bool {
	if len(m.words) == 0 {
		return m.weak()
	}
	w := r.words[m.words[0]]
	return m.weak() && !form("into").MatchString(r.Text[:w.from]) && !strings.ContainsAny(m.before(w), "בל")
}

// partly reports whether the message may not say the same of all of several things: "got the eggs, forgot the flour".
func (r *reading) partly() bool {
	but := r.says("sparing") && len(r.of(List)) > 0 // and the rest of a list is meant
	return len(r.found) > 1 && slices.Contains([]string{"task_done", "item_done", "item_remove", "task_delete"}, r.deed) &&
		r.says("leftout") && !but
}

// goesOn reports whether a day is told by another one, after or before it, that is not said: "the thursday after".
func (r *reading) goesOn(t timed) bool { return form("after it").MatchString(r.Text[t.to:]) }

// miscounted reports whether the message says how many things are meant, and that is not how many there are.
func (r *reading) miscounted() bool {
	if r.isMail() {
		return false // who picks mails counts them
	}
	n := 0
	for _, m := range r.found {
		if m.kind != List {
			n += len(m.meant)
		}
	}
	return slices.ContainsFunc(r.words, func(w word) bool {
		said := slices.Index(spelling, w.lower) % mostSpelt
		if words()["both"].MatchString(w.lower) {
			said = 2
		}
		within := func(t timed) bool { return t.from <= w.from && w.to <= t.to }
		return said > 1 && !w.taken && said != n && !slices.ContainsFunc(r.times, within)
	})
}

// namesOnly reports whether the message only names things and times, and says nothing of them.
func (r *reading) namesOnly() bool {
	text := r.delexicalized()
	for w := range strings.FieldsSeq(Plain(text)) {
		if !words()["idle"].MatchString(w) {
			return false
		}
	}
	return len(r.found) > 0 && !strings.ContainsAny(text, "→>?=")
}

// reading is a message while it is read, in one of the ways in which its names may be meant.
type reading struct {
	Message
	words []word
	// begins has the letters and digits with which words of the message begin.
	begins map[rune]bool
	// stems are those of titles, and where is where stems stand in the message, as far as they were asked for.
	stems map[string][]string
	where map[string]spot
	// older is where a text says that something is older than a time; nil if it does not.
	older struct {
		in string
		at []int
	}
	// found are the things that are named, as they stand in the message.
	found  []mention
	people []said
	times  []timed
	quoted []said
	// related are times that are told by events: "after the dentist".
	related []timed
	// own are the user's own words that are in the call.
	own []said
	// pointed says that words like "it" mean what is found, implied that not even these are said.
	pointed, implied bool
	// hourly says that a mere number is an hour, habitual that hours are told as a habit.
	hourly, habitual bool
	// body are the user's own words for a mail; guessed says that something else may be meant.
	body, subject    string
	bodyFrom, bodyTo int
	guessed          bool
	// rest is what the message leaves out of the mails that it asks for; nil if it leaves out none.
	rest *reading
	// unspared says that the message leaves out something, and that it is not known what.
	unspared bool
	// held says that the mail is only to be kept as a draft.
	held bool
	// dictates says that what follows a colon is plainly what is to be written.
	dictates bool
	// several says that more than one mail is meant by what they have in common.
	several bool
	// subjects are where words stand by which mails were picked, because their subjects have them.
	subjects map[int]bool
	// mails are those that may be meant, and ofMail how probable the deeds of mails are together.
	mails  []Thing
	ofMail float64
	// other is how probable the deeds are together that make nothing new in the calendar.
	other       float64
	deed        string
	probability float64
	// heard is what the message says while the deeds are judged: nothing changes then. Nil at other times.
	heard *hearing
	// away is what a block of whole days is called that the message states to be away on; empty if it states nothing so.
	// Here says that it states where the user is, and nothing comes of that.
	away string
	here bool
	// alone is how probable the deed is among all deeds, also those that are ruled out, kept how probable it is that the
	// user's own words are kept, in one way or another, and looks that mails are looked at.
	alone, kept, looks float64
}

// said is what stands from byte from to byte to of the message. Used says that the call has it.
type said struct {
	text     string
	from, to int
	used     bool
	// address is that of a person, if it is known.
	address string
}

// of are the things of a kind that are named.
func (r *reading) of(kind Kind) (all []*mention) {
	for i := range r.found {
		if r.found[i].kind == kind {
			all = append(all, &r.found[i])
		}
	}
	return all
}

// ids are those of all things of a kind that are named, which are used then.
func (r *reading) ids(kind Kind) (ids []string) {
	for _, m := range r.of(kind) {
		m.used = true
		for _, t := range m.meant {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// names are the people who are named, who are used then.
func (r *reading) names() (names []string) {
	for i := range r.people {
		r.people[i].used = true
		names = append(names, r.people[i].text)
	}
	return names
}

// left reports whether the message says something that matters and that the call does not have: a time, somebody, a
// thing, or a number.
func (r *reading) left() bool {
	number := func(w word) bool {
		return !w.taken && numeral(w) && !r.inTodos(w) &&
			!slices.ContainsFunc(r.times, func(t timed) bool { return t.from <= w.from && w.to <= t.to })
	}
	return slices.ContainsFunc(r.words, number) || slices.ContainsFunc(r.people, unused) ||
		slices.ContainsFunc(r.times, func(t timed) bool { return !t.used }) || slices.ContainsFunc(r.quoted, unused) ||
		slices.ContainsFunc(r.found, func(m mention) bool { return !m.used })
}

func unused(s said) bool { return !s.used }

// isGroup reports whether words describe several things.
func (m mention) isGroup() bool { return m.described && m.many }

// single is plain but for names that are only a part of a title, which tells it from all others. To look at several is
// no harm.
func (r *reading) single() bool {
	return !r.pointed && !r.guessed && r.understood() && !r.perhapsTask() && (deeds[r.deed].reads ||
		!slices.ContainsFunc(r.found, func(m mention) bool { return m.doubt || m.which }))
}

// understood reports whether every word beside names is one by which people ask for things.
func (r *reading) understood() bool {
	for w := range strings.FieldsSeq(Plain(r.delexicalized())) {
		_, known := learned().Usual[w]
		known = known || strings.Trim(w, "ולבמשהכ") == "" // letters that are written before a name
		if !known && !slices.Contains(conceptsOf(w), "show") && !words()["overdue"].MatchString(w) {
			return false
		}
	}
	return true
}
