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
	at := retiming.FindStringSubmatch(by)
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
		if len(of) != 1 || manyTimes.MatchString(text[of[0].Start:of[0].End]) {
			return ""
		}
		lead := timeLead.FindString(text[of[0].Start:of[0].End])
		text = text[:of[0].Start] + lead + timeLead.ReplaceAllString(said[t.Start:t.End], "") + text[of[0].End:]
	}
	return text
}

// retiming are messages that say no more than another time, timeLead is what stands before a time, and manyTimes a time
// that has a beginning and an end.
var (
	retiming = regexp.MustCompile(`(?i)^\s*(?:(?:no|wait|actually|sorry|oh|hmm|ok|yes|but|and|please)[, ]+)*` +
		`(?:make (?:it|that)|change (?:it|that|the time|the day) to|move (?:it|that) to|(?:it|that) should be|rather|` +
		`let['’]?s (?:say|do|make it))(?: for)? (.+?)(?: (?:instead|please|rather|then|after all))*[\s.!]*$|` +
		`^\s*(?:(?:no|espera|perdona|ah|vale|y|mejor)[, ]+)*(?:mejor|que sean?|ponlo|cámbialo|pásalo|hazlo)(?: para)? ` +
		`(.+?)(?:,? (?:mejor|por favor))*[\s.!]*$|` +
		`^\s*(?:(?:לא|רגע|בעצם|סליחה)[, ]+)*(?:ת?עש[הי] את זה|שיהיה|עדיף|תשנ[הי](?: את זה)?|תזיזי?(?: את זה)?)\s+` +
		`(.+?)(?: (?:במקום|בבקשה))*[\s.!]*$`)
	bareHour  = regexp.MustCompile(`^\d{1,2}$`)
	timeLead  = regexp.MustCompile(`(?i)^(?:at|on|by|a las?|el|[בל](?:שעה|יום)|[בל]-?)\s*`)
	manyTimes = regexp.MustCompile(`(?i)\d.*(?:\bto\b|\buntil\b|\btill\b|[-–]|\ba\b|\bhasta\b|עד).*\d`)
)
