package ground

import (
	"regexp"
	"strings"
)

// correctNote puts right what was just noted, if the message says no more than what is another: "actually it's 4471",
// "sorry, february, not january".
func (r *reading) correctNote() (string, arguments) {
	text := r.Before.text("text")
	at := otherwiseNoted.FindStringSubmatch(r.Text)
	if r.Before.Tool != "note_save" || at == nil || text == "" || len(r.Last) != 1 || r.Before.text("addTo") != "" {
		return "", nil
	}
	put, old := at[1], ""
	if swap := notTheOld.FindStringSubmatch(put); swap != nil {
		put, old = swap[1], swap[2]
	} else if swap := theOldNot.FindStringSubmatch(put); swap != nil {
		put, old = swap[2], swap[1]
	} else if numbers := withDigits.FindAllString(text, -1); len(numbers) == 1 && withDigits.FindString(put) == put {
		old = numbers[0]
	}
	put = withArticle.ReplaceAllString(put, "")
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

var (
	// otherwiseNoted begins as people do who put something right, and has what it is.
	otherwiseNoted = regexp.MustCompile(`(?i)^\s*(?:(?:(?:oh|no|wait|sorry|oops|actually|rather|i mean|i meant|make that|` +
		`make it|perdón|espera|mejor dicho|en realidad|quise decir|digo|no|סליחה|רגע|בעצם|אופס|לא|התכוונתי)[,. ]+)+` +
		`(?:(?:it['’]?s|it is|that['’]?s|es|son|era|זה|הוא|היא) )?|(?:it['’]?s|it is|es|זה) (?:actually|en realidad|בעצם) )` +
		`(\S[^?]*?)[\s.!]*$`)
	// notTheOld and theOldNot have the new words and the old ones.
	notTheOld = regexp.MustCompile(`(?i)^(\S[^,]*?),? (?:and )?(?:not|instead of|rather than|no|y no|en vez de|ולא|לא|במקום) (\S+)$`)
	theOldNot = regexp.MustCompile(`(?i)^(?:not|no|לא) (\S+?),? (?:but|sino|אלא) (\S+)$`)
	// withArticle begins new words with what stands before the old ones as well.
	withArticle = regexp.MustCompile(`(?i)^(?:the|el|la|los|las) `)
	// withDigits is a word with a number in it.
	withDigits = regexp.MustCompile(`[\p{L}\p{Sc}]*\d[\d\p{L}.,:%/-]*\b%?`)
)

// asNote is a message that tells something and asks at its end to write that down, as a note with it. Any other message
// stays as it is.
func asNote(text string) string {
	for _, way := range writtenDown {
		at := way.form.FindStringSubmatch(text)
		if at != nil && len(conceptsOf(firstWord(at[1]))) == 0 && !words()["asks what"].MatchString(at[1]) {
			return way.becomes + at[1]
		}
	}
	return text
}

// writtenDown tell something that is to be written down.
var writtenDown = []rewording{
	{regexp.MustCompile(`(?i)^\s*((?:[^\s?]+ ){3,}?[^\s?]*?)[,.;:]* (?:and )?(?:(?:can|could|will|would) you |please )*` +
		`(?:write|note|jot) (?:that|this|it|all that) down(?: for me)?(?:,? please)?[\s?.!]*$`), "make a note: "},
	{regexp.MustCompile(`(?i)^\s*((?:[^\s?¿]+ ){3,}?[^\s?¿]*?)[,.;:]* (?:¿?(?:puedes|me lo puedes) (?:apuntarlo|anotarlo|` +
		`apuntar|anotar)|(?:ap[uú]nta|an[oó]ta)(?:me)?lo)(?: por favor)?[\s?.!]*$`), "apunta una nota: "},
	{regexp.MustCompile(`^\s*((?:[^\s?]+ ){3,}?[^\s?]*?)[,.;:]* (?:(?:תוכלי?|אפשר) )?(?:תרשו?מי?|תרשום|תכתבי?|תכתוב|לרשום) ` +
		`(?:לי )?את זה(?: בבקשה)?[\s?.!]*$`), "תרשום פתק: "},
}
