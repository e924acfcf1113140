package message

import (
	"strings"

	"convene/pkg/meet"
)

// saidLimit is how much of the user's own words a doubt repeats, in characters.
const saidLimit = 80

// Doubt is a doubt with its sentence in the language of a BCP 47 tag, as plain text: “You said “on Friday”: please
// check the day.” said quotes the user, or is empty.
func Doubt(language string, kind meet.DoubtKind, said string) meet.Doubt {
	p := phrasesFor(language)
	said = oneLine(meet.Caption(said), saidLimit)
	pattern := p.DoubtSaid
	if said == "" {
		pattern = p.DoubtUnsaid
	}
	return meet.Doubt{Kind: kind, Said: said, Text: fill(pattern, "said", said, "what", p.Doubts[kind])}
}

// Unhandled is the doubt about phrases of the message that are in nothing of the event: “I did not take this into
// account: “reserve a table for 3”.” It quotes at most three.
func Unhandled(language string, phrases []string) meet.Doubt {
	p := phrasesFor(language)
	const most = 3
	said, quoted := make([]string, 0, most), make([]string, 0, most)
	for _, phrase := range phrases[:min(len(phrases), most)] {
		phrase = oneLine(meet.Caption(phrase), saidLimit)
		said, quoted = append(said, phrase), append(quoted, fill(p.Quote, "said", phrase))
	}
	return meet.Doubt{
		Kind: meet.DoubtUnhandled, Said: strings.Join(said, ", "),
		Text: fill(p.Unhandled, "said", strings.Join(quoted, ", ")),
	}
}

// Unclear asks what to arrange.
func Unclear(language string) string { return phrasesFor(language).Unclear }

// Remark says that nothing changes, because nothing that was said wishes for it.
func Remark(language string) string { return phrasesFor(language).Remark }

// Over asks when a new event is to be, if the days that are said are over.
func Over(language string) string { return phrasesFor(language).Over }

// NoEvent asks for other words for what is plainly no new event.
func NoEvent(language string) string { return phrasesFor(language).NoEvent }

// Refused says that nothing was done because nobody here can do what is asked for, by the names of ground.Refuses, and
// what the user may do.
func Refused(language, what string) string { return phrasesFor(language).Refused[what] }

// NoContact says that somebody whom only a mail names is no contact, so that nothing is arranged with them.
func NoContact(language, name, address string) string {
	return fill(phrasesFor(language).NoContact, "name", escape(name), "address", escape(address))
}

// WhichTasks asks which tasks are meant, in place of all of them.
func WhichTasks(language string) string { return phrasesFor(language).WhichTasks }

// Doubted appends the doubts about an event to its message, in Markdown. held says that they kept the event from being
// booked.
func Doubted(language, text string, doubts []meet.Doubt, held bool) string {
	if len(doubts) == 0 {
		return text
	}
	sentences := make([]string, 0, len(doubts)+1)
	for _, d := range doubts {
		sentences = append(sentences, escape(d.Text))
	}
	if held {
		sentences = append(sentences, phrasesFor(language).DoubtHeld)
	}
	return text + "\n\n⚠️ " + strings.Join(sentences, " ")
}
