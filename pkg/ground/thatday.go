package ground

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// OnThatDay is a message that keeps time free or asks for free time, and says of no day, with the day that was just
// looked at: "book me 5 to 7 for grandma" after "what's on Saturday?". Any other message stays as it is.
func OnThatDay(m Message) string {
	if m.Day.IsZero() || m.Day == interval.DateOf(m.Now) || !slices.Contains(lookingAtDays, m.Before.Tool) {
		return m.Text
	}
	said := (&reading{Message: m}).setting().Read(m.Text, m.Now)
	timed := said.Exact != nil || said.Duration > 0 || !said.Hours.Empty()
	other := words()["every"].MatchString(m.Text) || aboutShown.MatchString(m.Text)
	keeps := keepsTime.MatchString(m.Text) && timed
	if dated := len(said.Dates) > 0 || said.Moment != nil; dated || other || !keeps && !asksRoom.MatchString(m.Text) {
		return m.Text
	}
	at := len(strings.TrimRight(m.Text, " .!?"))
	if n := len(said.Entities); n > 0 {
		at = said.Entities[n-1].End
	}
	return strings.TrimRight(m.Text[:at], " ") + " " + onDate[m.Language] + m.Day.String() + m.Text[at:]
}

// lookingAtDays are the tools by which one looks at a day.
var lookingAtDays = []string{
	"schedule_viewSchedule", "calendar_findEvents", "schedule_findGaps", "calendar_findTimes",
	"calendar_checkAvailability",
}

// onDate stands before a date, by language.
var onDate = map[string]string{"en": "on ", "es": "el ", "he": "ב-"}

// keepsTime keeps time free, asksRoom asks whether there is any, and aboutShown says by itself what is meant.
var (
	keepsTime = regexp.MustCompile(`(?i)^\s*(?:(?:ok|okay|then|so|and|please|great|can you|could you|vale|pues|` +
		`entonces|y|por favor|genial|אוקיי?|אז|בבקשה)[, ]+)*` +
		`(?:(?:block|reserve|book|hold|keep|schedule|set aside|clear|empty|wipe|free up)(?: me| off| out| up)?|` +
		`vac[ií]a(?:me)?|desp[eé]ja(?:me)?|lib[eé]ra(?:me)?|תפני|תפנה|תרוק[ןנ]י?|` +
		`res[eé]rva(?:me)?|bloqu[eé]a(?:me)?|ap[aá]rta(?:me)?|תחסמי?|תשרייני?|תשריין|תשמרי?(?: לי)?)\s`)
	asksRoom = regexp.MustCompile(`(?i)^\s*¿?(?:(?:ok|okay|then|so|and|vale|y|אז|ו)[, ]*)*(?:` +
		`(?:is there|have i got|do i have|would there be|could i fit in|can i fit in)\s.*` +
		`\b(?:room|space|time|a gap|an hour)\b|(?:am i|are we|will i be)\s.*\b(?:free|available|busy)\b|` +
		`(?:hay|tengo|queda)\s.*\b(?:hueco|sitio|tiempo|espacio)\b|estoy\s.*\b(?:libre|ocupad[oa])\b|` +
		`(?:יש|נשאר)\s.*(?:מקום|זמן|חלון)|אני\s.*(?:פנוי|עסוק))`)
	aboutShown = regexp.MustCompile(`(?i)\b(?:it|that|this|them|those|ones?|then|before|after|between|eso|es[ea]|` +
		`entonces|antes|después|entre)\b|(?:^|\s)(?:זה|זאת|אז|לפני|אחרי|בין)(?:\s|$)`)
)
