package ground

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/when"
)

// asWish turns a message that tells what somebody said, namely that one should meet, into a wish to meet them: "Grace
// said we should meet tomorrow" becomes "meet with Grace tomorrow". Any other message stays as it is.
func asWish(text string) string {
	for _, way := range ways("reported") {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil || form("to others").MatchString(text[at[1]:]) {
			continue // "Grace said to talk to Sam"
		}
		who := text[at[2]:at[3]]
		if objective, is := objectives[strings.ToLower(who)]; is {
			text = text[:at[2]] + objective + text[at[3]:] // "he asked to meet"
			at = way.form.FindStringSubmatchIndex(text)
		}
		return string(way.form.ExpandString(nil, way.becomes, text, at)) + text[at[1]:]
	}
	return text
}

// objectives are pronouns as they stand after "with".
var objectives = map[string]string{"he": "him", "she": "her", "they": "them"}

// ToThem puts the names of the people who are at the event at hand in place of a pronoun, in a message that asks to
// tell them something: "tell him I'll bring water". Among several people, "him" is nobody.
func ToThem(text string, people []string) string {
	for _, way := range ways("telling") {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil || len(people) == 0 || len(people) > 1 && at[2] < 0 {
			continue
		}
		one, several := at[4:6], at[2:4]
		if one[0] < 0 {
			one = several
		}
		lead, and, _ := strings.Cut(strings.TrimSuffix(way.becomes, "{2}"), "{1}")
		return text[:one[0]] + lead + strings.Join(people, and) + text[one[1]:]
	}
	return text
}

// Likeness is the event that another one is to be like: its people by name, and when it is in the zone of the user.
type Likeness struct {
	Title      string
	Start, End time.Time
	People     []string
	Booked     bool
}

// Alike is a message that asks for another event like the one at hand, as one that says what it is: "and the same with
// Sam", and of a booked one "also on Friday". On the day that it says it is at the same hours, unless it says others.
// It is empty for any other message.
func Alike(m Message, like Likeness) string {
	if whole := atSameTime(m.Text, like); whole != "" {
		return whole
	}
	for _, way := range ways("likenesses") {
		at := way.form.FindStringSubmatch(m.Text)
		if at == nil {
			continue
		}
		with := at[1]
		said := (&reading{Message: m}).setting().Read(with+at[2], m.Now)
		switch {
		case with == "" && (!like.Booked || len(like.People) == 0 || !onlyTimes(at[2], said)):
			return ""
		case with == "":
			with = strings.Join(like.People, ", ") + " " + at[2]
		}
		if shift := said.Shift; shift.Days+shift.Weeks > 0 { // "the week after"
			i := slices.IndexFunc(said.Entities, func(e when.Entity) bool { return e.Kind == when.KindShift })
			text := (at[1] + at[2])[said.Entities[i].Start:said.Entities[i].End]
			with = strings.Replace(with, text, like.Start.AddDate(0, 0, shift.Days+7*shift.Weeks).Format(time.DateOnly), 1)
		}
		title := form("company").ReplaceAllString(like.Title, "")
		if len(said.Entities) > 0 && said.Exact == nil && said.Hours.Week.Empty() {
			title += " " + like.Start.Format("15:04") + like.End.Format("-15:04")
		}
		return strings.NewReplacer("{title}", title, "{with}", with).Replace(way.becomes)
	}
	return ""
}

// onlyTimes reports whether a text says no more than when.
func onlyTimes(text string, said when.Reading) bool {
	at := 0
	for _, e := range said.Entities {
		if strings.Trim(text[at:e.Start], " ,ב") != "" {
			return false
		}
		at = e.End
	}
	return at > 0 && strings.Trim(text[at:], " .!?") == ""
}

// asLook turns a wish to hear about something into one to see it: "could you tell me a bit about the drinks on
// wednesday, like where it is" becomes "show me the drinks on wednesday". Any other message stays as it is, also one
// that asks for more of what is being arranged.
func asLook(text string, arranging bool) string {
	for _, way := range ways("told about") {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		if of := text[at[2]:at[3]]; !form("unnamed").MatchString(of) && (!arranging || !form("arranged").MatchString(of)) {
			return string(way.form.ExpandString(nil, way.becomes, text, at))
		}
	}
	return text
}

// asReply puts an answer in quotation marks, so that its commas and its "and" are not taken for the beginning of
// another request: "say yes to him, and that I'll bring coffee" becomes `tell him "yes, I'll bring coffee"`.
func asReply(text string) string {
	at := form("answered").FindStringSubmatch(text)
	if at == nil || form("orders too").MatchString(at[4]) {
		return text
	}
	lead, whom := at[1], at[3]
	if whom != "" {
		lead = "tell " + whom
	}
	if strings.EqualFold(lead, "say") {
		return text
	}
	return lead + ` "` + at[2] + ", " + strings.TrimRight(at[4], " .") + `"`
}
