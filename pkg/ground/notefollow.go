package ground

import (
	"regexp"
	"strings"
)

// correctNote puts right what was just noted, if the message says no more than what is another: "actually it's 4471",
// "sorry, february, not january".
func (r *reading) correctNote() (string, arguments) {
	text := r.Before.text("text")
	at := form("otherwise noted").FindStringSubmatch(r.Text)
	if r.Before.Tool != "note_save" || at == nil || text == "" || len(r.Last) != 1 || r.Before.text("addTo") != "" {
		return "", nil
	}
	put, old := swapped(at[1], text)
	put = form("with article").ReplaceAllString(put, "")
	if old == "" || strings.Count(strings.ToLower(text), strings.ToLower(old)) != 1 {
		return "", nil
	}
	from := strings.Index(strings.ToLower(text), strings.ToLower(old))
	if from+len(old) > len(text) {
		return "", nil
	}
	call := arguments{"text": text[:from] + put + text[from+len(old):], "tags": []string{}}
	if !strings.HasPrefix(r.Last[0], newThing) {
		call["replace"] = r.Last[0]
	}
	return "note_save", call
}

// swapped are the new words of a correction, and those of the text in whose place they are: which ones is said, or only
// one may be meant. There are none if nothing tells.
func swapped(said, text string) (put, old string) {
	if swap := form("not the old").FindStringSubmatch(said); swap != nil {
		return swap[1], swap[2]
	}
	if swap := form("the old not").FindStringSubmatch(said); swap != nil {
		return swap[2], swap[1]
	}
	if at := beside(said, text); at != "" {
		return said, at
	}
	if numbers := withDigits.FindAllString(text, -1); len(numbers) == 1 && withDigits.FindString(said) == said {
		return said, numbers[0]
	}
	return said, ""
}

// beside is what stands in a text for a word with a number: "room 12" of "they meet in room 12 at 7" for "room 14".
func beside(put, text string) string {
	word, number, two := strings.Cut(put, " ")
	if !two || withDigits.FindString(number) != number {
		return ""
	}
	found := regexp.MustCompile(`(?i)`+regexp.QuoteMeta(word)+` `+withDigits.String()).FindAllString(text, 2)
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// withDigits is a word with a number in it.
var withDigits = regexp.MustCompile(`[\p{L}\p{Sc}]*\d[\d\p{L}.,:%/-]*\b%?`)

// asNote is a message that tells something and asks at its end to write that down, as a note with it. Any other message
// stays as it is.
func asNote(m Message) string {
	for _, way := range ways("written down") {
		at := way.form.FindStringSubmatch(m.Text)
		if at != nil && tellsOnly(m, at[1]) {
			return way.becomes + " " + at[1]
		}
	}
	return m.Text
}

// tellsOnly reports whether a text neither asks what there is nor orders anything, and tells of no hour at which
// something is: that may belong into the calendar.
func tellsOnly(m Message, text string) bool {
	m.Text = text
	said := (&reading{Message: m}).setting().Read(text, m.Now)
	if said.Exact != nil && len(said.Dates) > 0 || asWish(text) != text {
		return false
	}
	return len(conceptsOf(firstWord(text))) == 0 && !words()["asks what"].MatchString(text) &&
		!form("ordering").MatchString(text) && !Creates(m)
}
