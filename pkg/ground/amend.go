package ground

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// amendment is a way to change a mail that waits.
type amendment struct {
	name string
	form *regexp.Regexp
}

// amending are the ways of amend.txt, and amends makes the changes, by name. One that is not there cannot be made.
var amending = sync.OnceValue(func() (all []amendment) {
	lines("amend.txt", func(name, rest string) {
		for form := range strings.SplitSeq(rest, " | ") {
			all = append(all, amendment{name, compiled("CHANGE(?:" + form + ")CHANGED")})
		}
	})
	return all
})

var amends = map[string]func(mail arguments, said amended) bool{
	"draft": func(mail arguments, _ amended) bool { mail["do"] = "draft"; return true },
	"who":   func(mail arguments, s amended) bool { mail["to"] = s.who; return len(s.who) > 0 },
	"off":   func(mail arguments, s amended) bool { return takesOff(mail, s.who) },
	"cc":    func(mail arguments, s amended) bool { return adds(mail, "cc", s.who) },
	"also": func(mail arguments, s amended) bool {
		if mail["kind"] == "reply" { // it goes to those who are answered as well
			return adds(mail, "cc", s.who)
		}
		return adds(mail, "to", s.who)
	},
	"subject": func(mail arguments, s amended) bool {
		mail["subject"] = strings.Trim(s.new, `"“”«»`)
		return true
	},
	"instead": func(mail arguments, s amended) bool { return s.swaps(mail) || s.old == "" && s.rewrites(mail) },
	"more":    func(mail arguments, s amended) bool { return s.swaps(mail) || s.appends(mail) },
	"ask": func(mail arguments, s amended) bool {
		s.new = Put(s.new, "ask ")
		return s.appends(mail)
	},
	"show": func(arguments, amended) bool { return true },
}

// amended is what a message says of a mail that waits.
type amended struct {
	Message
	new, old string
	who      []string
}

// Amends reports whether a message changes the mail that the turn before proposed.
func Amends(m Message) bool {
	way, _ := m.amendment()
	return way != nil
}

// amendment is the way in which a message changes the mail that waits, and what it says of it.
func (m Message) amendment() (way *amendment, said amended) {
	if m.Before.Tool != "email_compose" || !m.Waits && !m.Before.unwritten() {
		return nil, said
	}
	for _, way := range amending() {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil {
			continue
		}
		part := func(name string) string { return strings.TrimSpace(at[max(0, way.form.SubexpIndex(name))]) }
		said = amended{Message: m}
		if way.form.SubexpIndex("new") > 0 {
			said.new = part("new")
		}
		if way.form.SubexpIndex("old") > 0 {
			said.old = part("old")
		}
		if onlySays(said.old, "it") {
			said.old = "" // "change it to tomorrow" is of all that it says
		}
		if way.form.SubexpIndex("who") >= 0 {
			said.who = m.allNamed(part("who"))
		}
		switch {
		case way.form.SubexpIndex("who") >= 0 && len(said.who) == 0: // nobody is named
		case way.name == "other":
			return nil, said
		default:
			return &way, said
		}
	}
	return nil, said
}

// unwritten reports whether a call is for a new mail of which the user was asked what it is to say.
func (c Call) unwritten() bool {
	var mail struct {
		Kind          string
		Subject, Body *string
	}
	return json.Unmarshal(c.Arguments, &mail) == nil && mail.Kind == "new" && mail.Subject == nil && mail.Body == nil
}

// allNamed are the people whom some words of the message name, if they say nothing else; nil if they do.
func (m Message) allNamed(words string) (names []string) {
	m.Text = words
	m.People = append(addressed(words), m.People...)
	r := newReading(m)
	for _, w := range r.words {
		joins := form("joining").MatchString(w.lower) || w.lower == "a" || w.lower == "to"
		if !r.inPeople(said{from: w.from, to: w.to}) && !joins {
			return nil
		}
	}
	for _, p := range r.people {
		names = append(names, r.called(p))
	}
	return names
}

// amend is the call for the mail that waits, as the message changes it. There is none if code cannot make the change,
// or more than one is asked for: then the user is asked for the words.
func amend(m Message) (read Reading, ok bool) {
	way, said := m.amendment()
	if way == nil {
		return read, false
	}
	read = Reading{Deed: "mail_amend", Probability: 1, Refuses: Reword, Language: m.Language, Denied: true, Other: 1}
	mail := arguments{}
	change := amends[way.name]
	if change == nil || json.Unmarshal(m.Before.Arguments, &mail) != nil || said.asksMore() || !change(mail, said) {
		return read, true
	}
	encoded, err := json.Marshal(mail)
	if err != nil {
		return read, true
	}
	read.Tool, read.Arguments, read.Amends, read.Refuses = m.Before.Tool, encoded, true, ""
	read.Denied, read.Names, read.Clear, read.Plain, read.Sure = false, true, true, true, true
	return read, true
}

// asksMore reports whether a part of the new words is itself a change of the mail, or asks to send it.
func (s amended) asksMore() bool {
	for _, at := range form("further clause").FindAllStringIndex(s.new, -1) {
		rest := s.Message
		rest.Text = s.new[at[1]:]
		if Amends(rest) || form("asks sending").MatchString(rest.Text) {
			return true
		}
	}
	return false
}

// adds adds people to those of a member of a mail who get it.
func adds(mail arguments, member string, names []string) bool {
	list, _ := mail[member].([]any)
	for _, name := range names {
		list = append(list, name)
	}
	mail[member] = list
	return len(names) > 0
}

// takesOff takes people off those who get a mail. Somebody has to be left to whom it goes.
func takesOff(mail arguments, names []string) bool {
	off := 0
	for _, member := range []string{"to", "cc"} {
		list, _ := mail[member].([]any)
		left := slices.DeleteFunc(slices.Clone(list), func(of any) bool {
			name, _ := of.(string)
			return slices.Contains(names, name)
		})
		if off += len(list) - len(left); member == "to" && len(list) > 0 && len(left) == 0 {
			return false
		}
		mail[member] = left
	}
	return off == len(names)
}

// swaps puts the new words in the place of the old ones, if the text has these once or, if only a time is said, in that
// of the one time in it.
func (s amended) swaps(mail arguments) bool {
	body, _ := mail["body"].(string)
	if s.old != "" {
		from := strings.Index(strings.ToLower(body), strings.ToLower(s.old))
		if from < 0 || from+len(s.old) > len(body) || strings.Count(strings.ToLower(body), strings.ToLower(s.old)) != 1 {
			return false
		}
		mail["body"] = body[:from] + s.new + body[from+len(s.old):]
		return true
	}
	whole, in := s.timesIn(s.new), s.timesIn(body)
	if len(whole) != 1 || len(in) != 1 || strings.TrimSpace(s.new) != s.new[whole[0].from:whole[0].to] {
		return false
	}
	mail["body"] = body[:in[0].from] + s.new + body[in[0].to:]
	return true
}

// timesIn are the times in a text.
func (s amended) timesIn(text string) []timed {
	m := s.Message
	m.Text, m.People, m.Things = text, nil, nil
	r := newReading(m)
	r.readTimes()
	return slices.DeleteFunc(r.times, timed.isName)
}

// rewrites puts the new words in the place of the whole text. A word or two do not stand for one.
func (s amended) rewrites(mail arguments) bool {
	const few = 2
	if len(strings.Fields(s.new)) <= few {
		return false
	}
	mail["body"] = strings.Trim(s.new, `"“”«»`)
	return true
}

// appends adds the new words to the text, as a sentence of their own.
func (s amended) appends(mail arguments) bool {
	body, _ := mail["body"].(string)
	s.new = strings.Trim(s.new, `"“”«»`)
	first, n := utf8.DecodeRuneInString(s.new)
	more := string(unicode.ToUpper(first)) + s.new[n:]
	if body = strings.TrimSpace(body); body != "" && !strings.ContainsAny(body[len(body)-1:], ".!?") {
		body += "."
	}
	mail["body"] = strings.TrimSpace(body + " " + more)
	return s.new != ""
}
