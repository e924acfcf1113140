package ground

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"convene/pkg/when"
)

// asWish turns a message that tells what somebody said, namely that one should meet, into a wish to meet them: "Grace
// said we should meet tomorrow" becomes "meet with Grace tomorrow". Any other message stays as it is.
func asWish(text string) string {
	for _, way := range reported {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil || toOthers.MatchString(text[at[1]:]) {
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

// toOthers begins what says whom one should talk to instead.
var toOthers = regexp.MustCompile(`(?i)^\s*(?:to|with|con|a|עם|אל)\s`)

// rewording is a form of messages, and what one of that form becomes.
type rewording struct {
	form    *regexp.Regexp
	becomes string
}

// objectives are pronouns as they stand after "with".
var objectives = map[string]string{"he": "him", "she": "her", "they": "them"}

// reported tells what somebody said, up to the verb for meeting.
var reported = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:so |hey |ok )?(\p{L}+(?: \p{L}+)??) (?:just )?(?:said|says|told me|suggested|` +
		`suggests|proposed|asked|asks) (?:that )?(?:we(?: should| could| can| must)?|if we (?:could|can)|let['’]?s|` +
		`(?:for )?us to|to) (?:all )?(?:(?:have|grab|do|get) (?:an? )?)?(meet(?: up)?|get together|catch up|` +
		`talk|speak|chat|(?:quick )?(?:call|coffee|lunch|dinner|breakfast|drinks?))(?: again)?\b`), "$2 with $1"},
	{regexp.MustCompile(`(?i)^\s*(\p{L}+(?: \p{L}+)??) (?:me |nos )?(?:dijo|dice|ha dicho|propuso|propone|sugirió|` +
		`pidió) (?:que |de )?(?:nos (?:viéramos|veamos|reunamos|reuniéramos|juntemos|juntáramos)|quedemos|quedáramos|` +
		`quedar|vernos|reunirnos)(\s)`), "quedar con $1$2"},
	{regexp.MustCompile(`^\s*(\p{L}+(?: \p{L}+)??) (?:אמרה?|הציעה?|ביקשה?) (?:לי |לנו )?` +
		`(?:שניפגש|שנפגש|להיפגש|שנתראה|להתראות)(\s)`), "פגישה עם $1$2"},
}

// ToThem puts the names of the people who are at the event at hand in place of a pronoun, in a message that asks to
// tell them something: "tell him I'll bring water". Among several people, "him" is nobody.
func ToThem(text string, people []string) string {
	for _, way := range tellings {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil || len(people) == 0 || len(people) > 1 && at[2] < 0 {
			continue
		}
		one, several := at[4:6], at[2:4]
		if one[0] < 0 {
			one = several
		}
		return text[:one[0]] + way.lead + strings.Join(people, way.and) + text[one[1]:]
	}
	return text
}

// tellings ask to tell somebody something. The first group stands for one or several people, the second for one; lead
// is what stands before their names, and "and" what stands between them.
var tellings = []struct {
	form      *regexp.Regexp
	lead, and string
}{
	{regexp.MustCompile(`(?i)^\s*(?:(?:and|ok|okay|also|then|please|can you|could you)[, ]+)*` +
		`(?:tell|ask|let|text|message|e-?mail|mail|write(?: to)?|inform|notify|thank) (?:(them)|(him|her))\b`), "", " and "},
	{regexp.MustCompile(`(?i)^\s*(?:(?:y|ok|vale|también|por favor|puedes)[, ]+)*(?:(?:di|avísa|pregúnta|escríbe|` +
		`mánda)(?:les()|le())) `), " a ", " y a "},
	{regexp.MustCompile(`^\s*(?:(?:אוקיי?|בבקשה|גם)[, ]+)*ו?(?:תגידי?|תכתבי?|תודיעי?|תספרי?) (?:(להם|להן)|(לו|לה)) `),
		"ל", " ול"},
	{regexp.MustCompile(`^\s*(?:(?:אוקיי?|בבקשה|גם)[, ]+)*ו?תשאלי? (?:(אותם|אותן)|(אותו|אותה)) `), "את ", " ואת "},
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
	for _, way := range likenesses {
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
		title := company.ReplaceAllString(like.Title, "")
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

// company is what a title says of the people.
var company = regexp.MustCompile(` (?:with|con|עם) .*$`)

// likenesses ask for another event like the one at hand, and become orders for a new one. The first group names people;
// the second says no more than when.
var likenesses = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:(?:and|ok|okay|then|now|please|also|can (?:you|we)|could (?:you|we)|let['’]?s|` +
		`i want to|i['’]d like to|do|book|schedule|arrange|set up|find|plan|have|me|it|that|this),?\s+)*` +
		`(?:(?:(?:the )?same(?: thing| again| one)?|another one|one more) with (.+)|` +
		`(?:also|another(?: one)?|again),? (.+))$`), "schedule {title} with {with}"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:y|e|ok|vale|ahora|luego|también|por favor|haz|agenda|organiza|reserva|` +
		`ponme|pon),?\s+)*` +
		`(?:(?:lo mismo|otr[oa] igual|otr[oa]) (?:pero )?con (.+)|` +
		`(?:también|otr[oa]|otra vez),? (.+))$`), "organiza {title} con {with}"},
	{regexp.MustCompile(`^\s*(?:(?:אוקיי?|טוב|ואז|עכשיו|ו?גם|בבקשה|ו?תקבעי?|ו?תעשי?|לי),?\s+)*` +
		`(?:ו?(?:את )?(?:אותו ה?דבר|עוד אחד|עוד אחת) עם (.+)|` +
		`(?:ו?גם|עוד (?:אחד|אחת|פעם)),? (.+))$`), "תקבע {title} עם {with}"},
}

// asLook turns a wish to hear about something into one to see it: "could you tell me a bit about the drinks on
// wednesday, like where it is" becomes "show me the drinks on wednesday". Any other message stays as it is, also one
// that asks for more of what is being arranged.
func asLook(text string, arranging bool) string {
	for _, way := range toldAbout {
		at := way.form.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		if of := text[at[2]:at[3]]; !unnamed.MatchString(of) && (!arranging || !arranged.MatchString(of)) {
			return string(way.form.ExpandString(nil, way.becomes, text, at))
		}
	}
	return text
}

// arranged is a part of what is being arranged.
var arranged = regexp.MustCompile(`(?i)^(?:(?:the|that|this|el|la|los|las|es[ea]) )?(?:place|venue|restaurant|café|` +
	`cafe|bar|spot|time|options?|others?|guests?|people|event|proposal|lugar|sitio|restaurante|opciones|` +
	`gente|ה?מקום|ה?מסעדה)\b`)

// unnamed is what such a wish may be about that is no thing of the user's.
var unnamed = regexp.MustCompile(`(?i)^(?:(?:it|that|this|them|him|her|something|anything)$|` +
	`(?:you|yourself|what|how|who|why|when|where|whether|if)\b)`)

// toldAbout asks to be told about something, with no more than a remark behind it on what is of interest.
var toldAbout = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|so|ok|okay|please|and)[, ]+)*(?:(?:can|could|would|will) you (?:please )?)?` +
		`(?:tell me (?:(?:a (?:little )?bit|a little|something|more|everything|all|again) )*about|` +
		`(?:(?:tell|give|show) me )?(?:all |some |more )?(?:the )?(?:details|info|information|facts) (?:of|on|about|for)|` +
		`what (?:are|were) the details (?:of|on|for)) ` +
		`(\S[^,?!.;]*?)` +
		`(?:,? (?:like|such as|i mean|please|namely)\b[^;]*)?[?!. ]*$`), "show me $1"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:oye|por favor|y)[, ]+)*(?:(?:puedes|podrías) )?` +
		`(?:(?:cuéntame|contarme|háblame|hablarme|dime) (?:(?:un poco|algo|más|todo) )*(?:sobre|acerca de|de)|` +
		`(?:(?:dame|muéstrame|enséñame) )?(?:(?:los|más) )?detalles de) ` +
		`((?:el|la|los|las|mis?|nuestr[oa]s?)\b[^,?!.;]*)[?!. ]*$`), "muéstrame $1"},
	{regexp.MustCompile(`^\s*(?:אפשר )?(?:(?:ספרי?|תספרי?|לספר) לי (?:(?:קצת|עוד|משהו|הכול|הכל) )*(?:על|אודות)|` +
		`(?:(?:תראי?|תני?|תן) לי )?(?:את )?(?:ה?פרטים|פרטי) (?:של|על)) ` +
		`(ה[^,?!.;]*)[?!. ]*$`), "תראה לי את $1"},
}

// asReply puts an answer in quotation marks, so that its commas and its "and" are not taken for the beginning of
// another request: "say yes to him, and that I'll bring coffee" becomes `tell him "yes, I'll bring coffee"`.
func asReply(text string) string {
	at := answered.FindStringSubmatch(text)
	if at == nil || ordersToo.MatchString(at[4]) {
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

// answered is an answer that begins with yes or no and goes on in the first person, and ordersToo what asks for more.
var (
	answered = regexp.MustCompile(`(?i)^\s*(?:(?:ok|okay|please|and|just)[, ]+)*(tell (?:him|her|them)|` +
		`(?:reply|answer|respond)(?: to)?(?: (?:him|her|them))?|say)[:,]? (?:that )?(yes|no|sure|ok|okay)` +
		`(?: to (him|her|them))?[,.]?(?: (?:and|but))?(?: that)? (i['’ ].+)$`)
	ordersToo = regexp.MustCompile(`(?i)\b(?:and|then) (?:then |also |please )?(?:remind|add|put|move|cancel|` +
		`archive|delete|book|schedule|send|mark|tell|clear|block|note)\b`)
)
