package ground

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/interval"
)

// OnThatDay is a message that keeps time free or asks for free time, and says of no day, with the day that was just
// looked at: "book me 5 to 7 for grandma" after "what's on Saturday?". After "am I free Friday at 1?" it is at that
// time. Any other message stays as it is.
func OnThatDay(m Message) string {
	if m.Day.IsZero() || !slices.Contains(lookingAtDays, m.Before.Tool) {
		return m.Text
	}
	said := (&reading{Message: m}).setting().Read(m.Text, m.Now)
	bare := bareHours.FindStringIndex(m.Text)
	clock := said.Exact != nil || !said.Hours.Empty() || bare != nil
	keeps := keepsTime.MatchString(m.Text)
	if dated := len(said.Dates) > 0 || said.Moment != nil; dated || words()["every"].MatchString(m.Text) {
		return m.Text
	}
	at := len(strings.TrimRight(m.Text, " .!?"))
	if n := len(said.Entities); n > 0 {
		at = said.Entities[n-1].End
	} else if bare != nil {
		at = bare[1]
	}
	day, rest := onDate[m.Language]+m.Day.String(), m.Text[at:]
	switch then := atThatTime.FindStringIndex(rest); {
	case keeps && !clock && said.Duration > 0 && m.Before.Tool == "calendar_checkAvailability" && len(m.Offered) == 1:
		day += atClock[m.Language] + interval.ClockOf(m.Offered[0].Start).String()
		if then != nil {
			rest = rest[then[1]:]
		}
	case m.Day == interval.DateOf(m.Now) || aboutShown.MatchString(m.Text) ||
		(!keeps || !clock && said.Duration == 0) && !asksRoom.MatchString(m.Text):
		return m.Text
	}
	return strings.TrimRight(m.Text[:at], " ") + " " + day + rest
}

// atThatTime means a time that was said before.
var atThatTime = regexp.MustCompile(`(?i)^\s*(?:then|at that time|at (?:that|this) (?:hour|slot)|in that (?:gap|` +
	`slot)|entonces|` +
	`a esa hora|en ese (?:hueco|rato)|אז|בשעה הזאת|באותה שעה)`)

// lookingAtDays are the tools by which one looks at a day.
var lookingAtDays = []string{
	"schedule_viewSchedule", "calendar_findEvents", "schedule_findGaps", "calendar_findTimes",
	"calendar_checkAvailability",
}

// onDate and atClock stand before a date and a time, by language.
var (
	onDate  = map[string]string{"en": "on ", "es": "el ", "he": "ב-"}
	atClock = map[string]string{"en": " at ", "es": " a las ", "he": " בשעה "}
)

// keepsTime keeps time free, asksRoom asks whether there is any, and aboutShown says by itself what is meant.
var (
	keepsTime = regexp.MustCompile(`(?i)^\s*(?:(?:ok|okay|then|so|and|please|great|can you|could you|vale|pues|` +
		`entonces|y|por favor|genial|אוקיי?|אז|בבקשה)[, ]+)*` +
		`(?:(?:block|reserve|book|hold|keep|schedule|set aside|clear|empty|wipe|free up)(?: me| off| out| up)?|` +
		`vac[ií]a(?:me)?|desp[eé]ja(?:me)?|lib[eé]ra(?:me)?|תפני|תפנה|תרוק[ןנ]י?|` +
		`res[eé]rva(?:me)?|bloqu[eé]a(?:me)?|ap[aá]rta(?:me)?|תחס(?:ום|מי)|תשרייני?|תשריין|תשמרי?(?: לי)?)\s`)
	asksRoom = regexp.MustCompile(`(?i)^\s*¿?(?:(?:ok|okay|then|so|and|vale|y|אז|ו)[, ]*)*(?:` +
		`(?:is there|have i got|do i have|would there be|could i fit in|can i fit in)\s.*` +
		`\b(?:room|space|time|a gap|an hour)\b|(?:am i|are we|will i be)\s.*\b(?:free|available|busy)\b|` +
		`(?:hay|tengo|queda)\s.*\b(?:hueco|sitio|tiempo|espacio)\b|estoy\s.*\b(?:libre|ocupad[oa])\b|` +
		`(?:יש|נשאר)\s.*(?:מקום|זמן|חלון)|אני\s.*(?:פנוי|עסוק))`)
	aboutShown = regexp.MustCompile(`(?i)\b(?:it|that|this|them|those|ones?|then|before|after|between|eso|es[ea]|` +
		`entonces|antes|después|entre)\b|(?:^|\s)(?:זה|זאת|אז|לפני|אחרי|בין)(?:\s|$)`)
)
