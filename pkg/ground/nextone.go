package ground

import (
	"regexp"
	"strings"
	"time"
)

// atSameTime is a message that asks for another event at the hours of the one at hand, so many days after it and with
// its people, as one that says all of that: "book a follow-up with him the same time next week" is of the week after
// its day, whatever week it is now. It is empty for any other message.
func atSameTime(text string, like Likeness) string {
	for _, way := range sameTime {
		at := way.form.FindStringSubmatch(text)
		if at == nil {
			continue
		}
		said := func(name string) string { return strings.TrimSpace(at[way.form.SubexpIndex(name)]) }
		people, days := strings.Join(like.People, ", "), 7
		if who := said("who"); who != "" && !pointsAtThem.MatchString(who) {
			people = who
		}
		if people == "" {
			return ""
		}
		if said("day") != "" {
			days = 1
		}
		day := like.Start.AddDate(0, 0, days).Format(time.DateOnly)
		hours := like.Start.Format("15:04") + like.End.Format("-15:04")
		return strings.NewReplacer("{what}", said("what"), "{with}", people, "{when}", day+" "+hours).Replace(way.becomes)
	}
	return ""
}

var (
	pointsAtThem = regexp.MustCompile(`(?i)^(?:him|her|them|él|ella|ellos|ellas|אית(?:ו|ה|ם|ן))$`)

	// sameTime are the forms of such messages: who may be named before or after the time.
	sameTime = []rewording{
		{regexp.MustCompile(`(?i)^\s*(?:(?:and|ok|okay|great|then|also|please|can you|could you|let['’]?s),?\s+)*` +
			`(?:book|schedule|plan|set up|arrange|put in|add|do|make|have)(?: me| us)? (?:an?|another) ` +
			`(?P<what>[\p{L}-]+(?: [\p{L}-]+){0,2}?)(?:,? with (?P<who>[\p{L}]+(?: (?:and )?[\p{L}]+){0,3}?))?,? ` +
			`(?:(?:at|for) )?(?:the |that )?same (?:time|hour) (?:(?:(?:the )?(?:next|following) week|the week after|` +
			`a week (?:later|after|from then))|(?P<day>the (?:next|following) day|the day after))` +
			`(?:,? (?:as well|too|also|again|please))*[\s.!]*$`), "schedule {what} with {with} on {when}"},
		{regexp.MustCompile(`(?i)^\s*(?:(?:y|vale|ok|genial|luego|también|por favor|puedes),?\s+)*` +
			`(?:reserva|agenda|organiza|pon|añade|apunta|programa|haz)(?:me|nos)? (?:un|una|otro|otra) ` +
			`(?P<what>[\p{L}-]+(?: [\p{L}-]+){0,2}?)(?:,? con (?P<who>[\p{L}]+(?: (?:y )?[\p{L}]+){0,3}?))?,? ` +
			`(?:a la misma hora,? (?:(?:de )?la (?:semana (?:que viene|siguiente|próxima|después)|próxima semana)|` +
			`(?P<day>(?:del? |el |al )?día (?:siguiente|después)))|la (?:semana (?:que viene|siguiente|próxima)|` +
			`próxima semana) a la misma hora)(?:,? (?:también|por favor))*[\s.!]*$`), "agenda {what} con {with} el {when}"},
		{regexp.MustCompile(`^\s*(?:(?:אוקיי?|טוב|מעולה|ואז|ו?גם|בבקשה),?\s+)*` +
			`ו?(?:תקבעי?|קבעי?|תזמיני?|תזמין|תכניסי?|תכניס|תוסיפי?|תוסיף|תארגני?|תארגן)(?: לי| לנו)? (?:עוד )?` +
			`(?P<what>[\p{L}-]+(?: [\p{L}-]+){0,1}?)(?:,? (?P<who>אית(?:ו|ה|ם|ן)|עם [\p{L}]+))?,? ` +
			`(?:ב?אות(?:ה שעה|ו (?:זמן|שעה)),? (?:ב?שבוע (?:הבא|אחרי|שאחרי|שלאחר מכן)|(?P<day>ב?יום (?:אחרי|למחרת)|למחרת))|` +
			`ב?שבוע (?:הבא|אחרי|שאחרי) ב?אות(?:ה שעה|ו זמן))(?: גם| בבקשה)*[\s.!]*$`), "תקבע {what} עם {with} ב-{when}"},
	}
)
