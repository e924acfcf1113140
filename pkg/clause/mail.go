package clause

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/ground"
	"convene/pkg/plan"
)

// mail reads a clause that asks for a new mail.
func (r *reader) mail(s state, c clause) (state, bool) {
	if s.condition != nil && slices.ContainsFunc(c.inner, r.isBranch) {
		return s, false // "tell him I'm in, otherwise …"
	}
	c.text = r.suggested(c.text)
	for _, f := range r.book.parse("mail", c.text, true) {
		after, ok := r.letter(s, f, c.text)
		if ok {
			after.goesOnWith(r.tail(c))
		}
		if asks := ok && r.orders(after, c.text); ok && (asks && c.parted || !asks && !r.asksWithin(s, c)) {
			return after, true
		}
	}
	return s, false
}

// suggested are the words of a clause that suggests something to somebody, as one that tells them so.
func (r *reader) suggested(text string) string {
	form := r.book.forms["suggests"]
	at := form.FindStringSubmatch(text)
	if at == nil {
		return text
	}
	return r.book.say("suggest", "{who}", at[form.SubexpIndex("who")], "{what}", at[form.SubexpIndex("what")])
}

// tail is the word that may join clauses, at the end of the message after a clause: "let al know i'm free then".
func (r *reader) tail(c clause) string {
	end := r.pieces[len(r.pieces)-1].to
	if !strings.HasSuffix(strings.TrimSpace(r.text[:end]), c.text) {
		return ""
	}
	return strings.TrimFunc(r.text[end:], func(c rune) bool { return !unicode.IsLetter(c) })
}

// goesOnWith puts a word at the end of the mail of the last step, if this has a text.
func (s *state) goesOnWith(word string) {
	at := len(s.steps) - 1
	if body, _ := s.steps[at].arguments["body"].(string); word != "" && body != "" {
		s.change(at, arguments{"body": body + " " + word})
	}
}

// orders reports whether the mail at the end of a clause asks for something: then it may go on after a small word.
func (r *reader) orders(s state, text string) bool {
	body, _ := s.steps[len(s.steps)-1].arguments["body"].(string)
	return body != "" && strings.HasSuffix(strings.ToLower(r.original(text)), strings.ToLower(body)) &&
		(r.book.is("orders", body) || r.book.is("asks", body))
}

// letter makes the step of a mail.
func (r *reader) letter(s state, f filled, text string) (state, bool) {
	sent := !r.book.is("sending", f.all("head")) || f.has("object") || f.has("bare")
	later := len(s.steps) > 0 || s.branch != nil || len(r.pieces) > 1
	if !later && (f.has("plain") || f.has("order")) {
		return s, false // alone it is read elsewhere
	}
	if !sent || f.has("why") || f.count("to")+f.count("of")+f.count("meeting") > 1 {
		return s, false
	}
	said, ok := r.dictated(f)
	if !ok {
		return s, false
	}
	who, ok := r.recipients(&s, f, said)
	if !ok {
		return s, false
	}
	t := step{Step: plan.Step{Tool: "email_compose", HumanSummary: r.summary(text)}}
	if of := s.things; said == (dictation{}) && who.events == nil && r.changesOne(s) {
		r.notify(&s, t, said, of, who.names...) // "let ines know", of what is done to an event
		s.name(who.names)
		return s, true
	}
	if t.arguments = said.letter(); who.events == nil {
		t.arguments["kind"], t.arguments["to"], t.arguments["do"] = "new", who.names, "send"
		if r.book.is("drafts", f.all("head")) {
			t.arguments["do"] = "draft"
		}
		s.name(who.names)
		if said.named && !r.titled(&s, t.arguments) {
			return s, false
		}
		s.add(t, false)
		s.mail = len(s.steps) - 1
		return s, true
	}
	if len(who.names) > 0 {
		return s, false
	}
	r.notify(&s, t, said, who.events)
	return s, true
}

// recipients are those whom a mail is for. Guests of an event who are told nothing else are told what becomes of it.
func (r *reader) recipients(s *state, f filled, said dictation) (who whom, ok bool) {
	if words, is := f.open("meeting"); is {
		who.names = []string{}
		who.events, ok = r.meetingsOn(s, words)
		return who, ok
	}
	if words, is := f.open("of"); is {
		who.names = []string{}
		who.events, ok = r.described(s, words)
		return who, ok
	}
	who, ok = r.whom(*s, cmp.Or(f.all("to"), r.addressees(f.all("head"))))
	if ok && said == (dictation{}) && r.areGuests(*s, who.names) {
		who.names, who.events = nil, s.things
	}
	return who, ok
}

// changesOne reports whether an earlier clause changes one event, of which those can be told who are named.
func (r *reader) changesOne(s state) bool {
	if s.things == nil || reads[s.things.tool] || creates[s.things.tool] || s.left != nil {
		return false
	}
	meant := r.meantBy(s)
	selection, _ := s.things.arguments["selection"].(arguments)
	return len(meant) == 1 || len(meant) > 0 && selection["one"] == true // the next of a series
}

// areGuests reports whether people are those who take part in the event that an earlier clause changes, and no others
// do.
func (r *reader) areGuests(s state, names []string) bool {
	of := s.things
	if of == nil || of.kind != ground.Event || reads[of.tool] || s.left != nil || len(names) == 0 {
		return false
	}
	selection, _ := of.arguments["selection"].(arguments)
	meant := r.meant(selection, of.ids)
	if len(meant) != 1 || len(meant[0].Guests) != len(names) {
		return false
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(meant[0].Guests, name) })
}

// answered reads a clause that answers the mail which an earlier one found.
func (r *reader) answered(s state, text string) (state, bool) {
	if s.things == nil || s.things.kind != ground.Mail || s.left != nil {
		return s, false
	}
	for _, f := range r.book.parse("answer", text, true) {
		said, ok := r.dictated(f)
		if !ok || said.body == "" {
			continue
		}
		s.add(step{
			Step: plan.Step{Tool: "email_compose", HumanSummary: r.summary(text)},
			arguments: arguments{
				"kind": "reply", "do": "send", "body": said.body, "selection": arguments{"ids": from(r.found(&s, s.things))},
			},
		}, false)
		s.mail = -1
		return s, true
	}
	return s, false
}

// addressees are the words of a head that mean people: a pronoun that a language writes onto its verbs is one.
func (r *reader) addressees(head string) string {
	if form := r.book.forms["clitic"]; form != nil {
		if at := form.FindStringSubmatch(head); at != nil {
			return at[1]
		}
	}
	return head
}

// titled gives a mail the title of the one event that was named as its subject.
func (r *reader) titled(s *state, letter arguments) bool {
	if s.things == nil || s.things.kind != ground.Event || s.things.title == "" {
		return false
	}
	letter["subject"] = s.things.title
	return true
}

// notify adds the step that writes to those who take part in events, or to the people who are named of an event that
// has no guests. What is to be deleted is written of before.
func (r *reader) notify(s *state, t step, said dictation, of *source, named ...string) {
	if of.tool == "calendar_respond" && r.book.is("yesno", said.body) {
		return // the answer itself says so: "decline it, tell them no"
	}
	branch := s.branch
	t.Tool = "calendar_notifyAttendees"
	var events, people string
	if len(named) > 0 {
		events = r.found(s, of)
	} else {
		events, people = r.attending(s, of)
	}
	first := len(s.steps)
	if people != "" {
		first-- // the step that finds them
	}
	t.arguments = arguments{"selection": arguments{"from": from(events)}, "people": append([]string{}, named...)}
	if said.body != "" {
		t.arguments["text"] = said.body
	} else if words := r.book.say(of.tool); words != "" {
		t.arguments["text"] = words
	}
	if said.subject != "" {
		t.arguments["subject"] = said.subject
	}
	if branch == nil && people != "" {
		t.Condition = &plan.Condition{From: people, Is: plan.NotEmpty}
	}
	t.said = !reads[of.tool] || said.named
	before := len(s.steps) // where the mail stands
	id := s.add(t, false)
	s.mail = before
	if of.tool != "calendar_deleteEvents" {
		return
	}
	at := slices.IndexFunc(s.steps, func(o step) bool { return o.ID == of.id })
	told := slices.Clone(s.steps[first:])
	gone := s.steps[at]
	gone.DependsOn = append(slices.Clone(gone.DependsOn), id)
	s.steps = slices.Concat(s.steps[:at], told, []step{gone}, s.steps[at+1:first])
	s.mail = at + len(told) - 1
}

// dictation is what the user says that a mail says. Named says that it has the title of the event.
type dictation struct {
	subject, body string
	named         bool
}

// dictated is what a clause says of a mail; it is not ok if it says something twice.
func (r *reader) dictated(f filled) (said dictation, ok bool) {
	subjects, bodies := r.quotes(f, "subject"), r.quotes(f, "body")
	if len(subjects) > 1 || len(bodies) > 1 {
		return said, false
	}
	said.subject, said.body = strings.Join(subjects, ""), strings.Join(bodies, "")
	for _, q := range r.quotes(f, "bare") {
		switch {
		case said.body == "":
			said.body = q
		case said.subject == "":
			said.subject = q
		default:
			return said, false
		}
	}
	if rest, is := f.open("subjected"); is {
		if said.subject != "" {
			return said, false
		}
		said.subject = r.original(rest)
	}
	for _, name := range []string{"that", "because", "plain", "order", "ask"} {
		rest, is := f.open(name)
		if !is {
			continue
		}
		words := r.original(rest)
		if said.body != "" || strings.Contains(words, "\"") {
			return said, false
		}
		if said.body = r.worded(name, f.all(name), words); said.body == "" && words != "" {
			return said, false
		}
	}
	said.named = f.has("named")
	return said, !said.named || said.subject == ""
}

// worded are the words of a mail that stand without quotes after the beginning of a part; empty if they are no such.
func (r *reader) worded(part, begins, words string) string {
	switch part {
	case "because":
		return r.book.say("because", "{reason}", words)
	case "plain":
		return capital(strings.TrimSpace(r.original(begins) + " " + words))
	case "order":
		if !r.book.is("orders", words) || r.book.is("they", words) {
			return ""
		}
		fallthrough
	case "ask":
		return r.book.say("order", "{what}", r.book.forms["theirs"].ReplaceAllString(words, r.book.phrases["yours"]))
	}
	put := ground.Put(words, begins)
	if put == words && r.book.is("asked", begins) {
		return "" // "ask about the laptops" has no words to send
	}
	return capital(put)
}

// quotes are the texts in the quotes of the parts of a name.
func (r *reader) quotes(f filled, name string) (texts []string) {
	for _, g := range f {
		if g.name == name {
			texts = append(texts, r.values(g.text, "q")...)
		}
	}
	return texts
}

// letter is the dictation as arguments of a mail.
func (d dictation) letter() arguments {
	a := arguments{}
	if d.subject != "" {
		a["subject"] = d.subject
	}
	if d.body != "" {
		a["body"] = d.body
	}
	return a
}

// mailGoesOn reads a clause that says more of the mail before it: "title it …", "and tell them …".
func (r *reader) mailGoesOn(s state, text string) (state, bool) {
	if s.mail < 0 {
		return s, false
	}
	_, n := r.book.opening(text, "fill")
	for _, f := range r.book.parse("mail", strings.TrimLeft(text[n:], " ,"), false) {
		said, ok := r.dictated(f)
		other := slices.ContainsFunc([]string{"object", "to", "of", "meeting", "why", "plain", "order"}, f.has)
		if !ok || other || said == (dictation{}) {
			continue
		}
		has := s.steps[s.mail].arguments
		body := map[bool]string{true: "body", false: "text"}[s.steps[s.mail].Tool == "email_compose"]
		set := said.letter()
		delete(set, "body")
		if said.body != "" {
			set[body] = said.body
		}
		if earlier, _ := has[body].(string); earlier != "" && f.asks() {
			return s.asking(body, earlier, said.body), true
		}
		ok = !r.saysTwice(has, set)
		if said.named && body == "body" {
			ok = ok && has["subject"] == nil && r.titled(&s, set)
		}
		if ok {
			s.change(s.mail, set)
			return s, true
		}
	}
	return s, false
}

// saysTwice reports whether a mail says already, in words of the user, what is to be set.
func (r *reader) saysTwice(has, set arguments) bool {
	for name := range set {
		if has[name] != nil && (name != "text" || has[name] != r.book.say("calendar_deleteEvents")) {
			return true
		}
	}
	return false
}

// asking is the mail that goes on with what someone is asked: "… and ask her to print them".
func (s state) asking(member, earlier, more string) state {
	s.change(s.mail, arguments{member: strings.TrimRight(earlier, ". ") + ". " + more})
	s.heard = true // it is more than the words of one mail
	return s
}

// asks reports whether a part of a mail says what someone is asked.
func (f filled) asks() bool {
	return f.has("ask") || strings.Contains(" "+f.all("that"), " ask")
}

func capital(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:]
}
