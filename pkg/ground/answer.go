package ground

import (
	"slices"
	"strings"
	"time"
)

// Answered is an earlier message, of which nothing was made but a question, with the answer to it: a message in which
// every word says when, by how much or which event, or says nothing. It is empty if the message says anything else.
func Answered(m Message, earlier string) string {
	if earlier == "" || form("taking back").MatchString(earlier) || !onlyAnswers(m) {
		return ""
	}
	if words := strings.Fields(earlier); len(words) > 1 && onlySays(words[len(words)-1], "sooner", "later") {
		earlier = strings.Join(words[:len(words)-1], " ") // "earlier" is said once more: "an hour earlier"
	}
	return earlier + ", " + strings.TrimRight(m.Text, "? ")
}

// onlyAnswers reports whether a message says nothing but that.
func onlyAnswers(m Message) bool {
	r := newReading(m)
	if n := len(r.words); n == 0 || n > mostFollowing || len(r.people)+len(r.quoted) > 0 {
		return false
	}
	if all := keep(r.named(), func(n mention) bool { return n.kind == Event }); len(all) > 0 {
		r.take(all[0], all[:1])
	}
	r.hourly = true
	r.readTimes()
	if len(r.found)+len(r.times) == 0 {
		return false
	}
	return !slices.ContainsFunc(r.words, func(w word) bool {
		inTime := slices.ContainsFunc(r.times, func(t timed) bool { return t.from <= w.from && w.to <= t.to })
		return !w.taken && !inTime && !onlySays(w.lower, "answering", "retiming", "amending", "again", "small", "idle", "to",
			"until", "sooner", "later", "it")
	})
}

// InWeek is a message in which "that week" is the one of the event that is to move, so that a day after it is one of
// that week: "move the vet to thursday that week".
func InWeek(m Message) string {
	at := form("that week").FindStringIndex(m.Text)
	if at == nil || !slices.Contains(meanings(m.Text), "move") {
		return m.Text
	}
	r := newReading(m)
	all := keep(r.named(), func(n mention) bool { return n.kind == Event })
	if len(all) == 0 {
		return m.Text
	}
	r.take(all[0], all[:1])
	r.readTimes()
	dated := slices.ContainsFunc(r.times, func(t timed) bool { return t.day() != nil })
	if r.locateAll(0); !dated || len(r.found[0].meant) != 1 {
		return m.Text
	}
	said, week := m.Text[at[0]:at[1]], "the week of"
	switch {
	case strings.HasPrefix(said, "ב"):
		week = "בשבוע של"
	case strings.HasSuffix(said, "שבוע"):
		week = "שבוע של"
	case strings.HasSuffix(strings.ToLower(said), "semana"):
		week = "la semana del"
	}
	return m.Text[:at[0]] + week + " " + r.dayOf(r.found[0].meant[0]).String() + m.Text[at[1]:]
}

// asMove is a message that cancels an event and puts the same one at another time, or says that it is at another one,
// as one that moves it: "cancel my gym on friday and put it on saturday", "the gym isn't on friday but on saturday".
func asMove(m Message) string {
	for _, way := range ways("put elsewhere") {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil {
			continue
		}
		said := (&reading{Message: m}).setting().Read(at[2], m.Now)
		whole := len(said.Entities) == 1 && strings.TrimSpace(at[2][:said.Entities[0].Start]) == "" &&
			strings.Trim(at[2][said.Entities[0].End:], " .!") == ""
		if whole && (len(said.Dates) > 0 || said.Exact != nil) {
			return strings.NewReplacer("{event}", at[1], "{time}", at[2]).Replace(way.becomes)
		}
	}
	return m.Text
}

// MeansWeek reports whether a message says "that week".
func MeansWeek(text string) bool { return form("that week").MatchString(text) }

// AsksThen reports whether a message asks who is free at the time that is being talked about: "am I free then?".
func AsksThen(text string) bool { return form("free then").MatchString(text) }

// AtTime is such a message with the time in place of the word for it.
func AtTime(text string, start, end time.Time) string {
	return form("free then").ReplaceAllString(text, "${1}"+start.Format("2006-01-02 15:04")+end.Format("-15:04")+"${2}")
}
