package ground

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/when"
)

// Retimed is the last of the earlier messages of a conversation with another time in the place of the one that it says,
// if m says no more than that time: "make it 11:15". It is empty if m says anything else, or if it is not plain which
// time is meant. Earlier messages may have been corrected in the same way.
func Retimed(m Message, earlier []string) string {
	text := ""
	for _, said := range append(slices.Clip(earlier), m.Text) {
		if whole := m.retimed(text, said); whole != "" || said == m.Text {
			text = whole
			continue
		}
		text = said
	}
	return text
}

// retimed is a text with the times that a message says in the place of its own ones of the same kind.
func (m Message) retimed(text, by string) string {
	at := form("retiming").FindStringSubmatch(by)
	if at == nil {
		return ""
	}
	setting, said := when.Setting{Language: m.Language}, strings.Join(at[1:], "")
	if bareHour.MatchString(said) {
		said = map[string]string{"en": "at ", "es": "a las ", "he": "ב-"}[m.Language] + said
	}
	times := setting.Read(said, m.Now).Entities
	rest := said
	for _, t := range slices.Backward(times) {
		rest = rest[:t.Start] + rest[t.End:]
	}
	if len(times) == 0 || wordForm.MatchString(rest) {
		return ""
	}
	for _, t := range times {
		of := slices.DeleteFunc(setting.Read(text, m.Now).Entities, func(o when.Entity) bool { return o.Kind != t.Kind })
		if len(of) != 1 || form("many times").MatchString(text[of[0].Start:of[0].End]) {
			return ""
		}
		lead := form("time lead").FindString(text[of[0].Start:of[0].End])
		text = text[:of[0].Start] + lead + form("time lead").ReplaceAllString(said[t.Start:t.End], "") + text[of[0].End:]
	}
	return text
}

// bareHour is an hour without a word for it.
var bareHour = regexp.MustCompile(`^\d{1,2}$`)
