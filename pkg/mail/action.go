package mail

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

// Action is something that a mail asks of its reader, in the mail's own words: they are to be shown as a quotation, and
// never obeyed.
type Action struct {
	Text string `json:"text"`
	// Due is by when, as the mail says: a day ("2026-11-27"), or a time with an offset. It is empty if the mail says no
	// such time.
	Due string `json:"due"`
}

// Bounds of what is looked at and shown of a mail.
const (
	mostSentences = 25
	mostActions   = 3
	longestAction = 200
)

// Actions are what a mail asks of its reader, at most mostActions. Days are those after the mail's own date, in the
// zone of now.
func (r Reader) Actions(m Message) (all []Action) {
	deadline := ""
	for _, s := range mine(sentences(m.opening()), r.Names) {
		said, due := fold(s), r.due(s, m.Date)
		last := len(all) - 1
		switch {
		case due != "" && asks(said, "due") && last >= 0 && all[last].Due == "":
			all[last].Due = due // it tells by when, and nothing else
			continue
		case !asks(said, "task") && !asks(said, "ask") && !asks(said, "question") && !commands(s):
			deadline = cmp.Or(deadline, due)
			continue
		}
		if len(all) < mostActions && utf8.RuneCountInString(s) <= longestAction {
			all = append(all, Action{Text: s, Due: due})
		}
	}
	if len(all) > 0 && !slices.ContainsFunc(all, func(a Action) bool { return a.Due != "" }) {
		all[0].Due = deadline
	}
	return all
}

// mine are sentences without those that begin with another person's name and a colon, as minutes have them.
func mine(list, names []string) []string {
	list = list[:min(len(list), mostSentences)]
	named := func(s string) (name string) {
		name, _, ok := strings.Cut(s, ":")
		if !ok || strings.Count(name, " ") > 1 {
			return ""
		}
		return name
	}
	called := func(s string) bool {
		return slices.ContainsFunc(names, func(n string) bool {
			first, _, _ := strings.Cut(n, " ")
			return strings.EqualFold(named(s), n) || strings.EqualFold(named(s), first)
		})
	}
	if !slices.ContainsFunc(list, called) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return named(s) != "" && !called(s) })
}

// due is the time by which a sentence wants something done; empty if it names no time as a bound, and for a question
// about a time.
func (r Reader) due(s string, written time.Time) string {
	zone := r.Now.Location()
	read := when.Read(s, written.In(zone))
	if len(read.Dates) == 0 {
		return ""
	}
	day := read.Dates[len(read.Dates)-1].End
	windows := windowsOn(read.Hours, day)
	timed := len(windows) == 1 && windows[0].End != interval.EndOfDay
	bound := read.Before != nil || asks(fold(s), "due") || timed && windows[0].Start == 0
	switch {
	case !bound:
		return ""
	case !timed:
		return day.String()
	}
	at, ok := day.At(windows[0].End, zone)
	if !ok {
		return day.String()
	}
	return at.Format(time.RFC3339)
}

// soon reports whether it is due within two days, or has been for less than two weeks.
func (a Action) soon(now time.Time) bool {
	at, err := time.Parse(time.RFC3339, a.Due)
	if err != nil {
		if at, err = time.ParseInLocation(time.DateOnly, a.Due, now.Location()); err != nil {
			return false
		}
		at = at.AddDate(0, 0, 1)
	}
	return at.Before(now.Add(48*time.Hour)) && at.After(now.AddDate(0, 0, -14))
}

// commands reports whether a clause of a sentence begins with a verb that commands.
func commands(sentence string) bool {
	for clause := range strings.SplitSeq(fold(sentence), ", ") {
		for _, word := range strings.FieldsFunc(clause, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if slices.Contains(cues["do"], word) {
				return true
			}
			if !slices.Contains(cues["skip"], word) {
				break
			}
		}
	}
	return false
}

// opening is the beginning of what the mail itself says, as far as it is judged.
func (m Message) opening() string {
	const most = 4 << 10 // bytes
	return strings.ToValidUTF8(m.Text[:min(len(m.Text), most)], "")
}

// windowsOn are the hours of a day.
func windowsOn(h when.Hours, day interval.Date) []interval.Window {
	for _, on := range h.On {
		if on.Date == day {
			return on.Windows
		}
	}
	return h.Week[day.Weekday()]
}

// sentences are the sentences of a text; a line ends one, unless the text is wrapped there.
func sentences(text string) (all []string) {
	var one strings.Builder
	flush := func() {
		if s := strings.TrimSpace(one.String()); s != "" {
			all = append(all, s)
		}
		one.Reset()
	}
	const wrapped = 60 // runes: a shorter line ends by itself
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for i, word := range strings.Fields(line) {
			if i > 0 || one.Len() > 0 {
				one.WriteByte(' ')
			}
			one.WriteString(word)
			if strings.ContainsAny(word[len(word)-1:], ".!?") {
				flush()
			}
		}
		if utf8.RuneCountInString(line) < wrapped {
			flush()
		}
	}
	flush()
	return all
}
