package ground

import (
	"regexp"
	"slices"
	"strings"
)

// InFull is a message with what it leaves unsaid, and without what asks for nothing: said as a wish, a move or an order
// that can be read by itself. Arranging says that an event is being arranged.
func InFull(m Message, arranging bool) string {
	for _, way := range otherWords {
		m.Text = way.form.ReplaceAllString(m.Text, way.becomes)
	}
	m.Text = withApostrophes(m.Text)
	m.Text = asAway(m)
	m.Text = eachTask(m)
	m.Text = asNote(m)
	if arranging {
		for _, way := range ofArranged {
			m.Text = way.form.ReplaceAllString(m.Text, way.becomes)
		}
		m.Text = withoutObstacle(m)
	} else {
		m.Text = unwilling.ReplaceAllString(m.Text, "decline the ")
	}
	m.Text = asLook(m.Text, arranging)
	m.Text = withoutKept(asReply(asMailToo(m)))
	m.Text = asCancelling(m)
	return asWish(asMove(m))
}

// otherWords are words for which there are plainer ones, wherever they stand.
var otherWords = []rewording{
	// To plan a day is to look at what is on, at what is due, and at the room that there is.
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|ok|so|please|now|(?:can|could) you|help me(?: to)?|let['’]?s)[, ]+)*` +
		`(?:plan|organi[sz]e|structure|map out)(?: out)? (?:my |the )?day(?: today| for me| please)*[\s.!?]*$`),
		"show me my day, show me my tasks that are due by today, and tell me when I'm free today"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|ok|so|please|now|(?:can|could) you|help me(?: to)?|let['’]?s)[, ]+)*` +
		`(?:plan|organi[sz]e|structure|map out)(?: out)? (?:(?:my |the )?day )?(?:for )?tomorrow(?: for me|` +
		` please)*[\s.!?]*$`),
		"show me tomorrow, show me my tasks that are due by tomorrow, and tell me when I'm free tomorrow"},
	{regexp.MustCompile(`(?i)^\s*¿?(?:(?:oye|por favor|puedes|podrías|me puedes|ayúdame a)[, ]+)*` +
		`(?:plan(?:ea|if[ií]ca|ear|ificar)|organ[ií]za|organizar)(?:me)? (?:mi|el) día(?: de hoy| hoy| por favor)*[\s.!?]*$`),
		"muéstrame mi día, muéstrame mis tareas hasta hoy y dime cuándo estoy libre hoy"},
	{regexp.MustCompile(`^\s*(?:(?:בבקשה|אפשר|תעזרי? לי|תעזור לי|אתה יכול|את יכולה)[, ]+)*` +
		`(?:תכנני?|תכנן|תתכנן|תתכנני|לתכנן|תארגני?|תארגן|תסדר|תסדרי|לארגן)(?: לי)? את היום(?: שלי)?[\s.!?]*$`),
		"מה יש לי היום, אילו משימות יש לי להיום ומתי אני פנוי היום?"},
	// A question behind its day: "and on Saturday, what time is the run?".
	{regexp.MustCompile(`(?i)^\s*(?:(?:and|so|ok)[, ]+)*(` + dayEN + `),? ((?:what time|when|where|` +
		`who)\b[^?]+)\?\s*$`), "$2 $1?"},
	{regexp.MustCompile(`(?i)^\s*¿?(?:(?:y|oye|pues)[, ]+)*(` + dayES + `),? ¿?((?:a qué hora|cuándo|dónde|` +
		`quién)\s[^?]+)\?\s*$`),
		"¿$2 $1?"},
	{regexp.MustCompile(`^\s*ו?(` + dayHE + `),? ((?:באיזו שעה|באיזה שעה|מתי|איפה|מי)\s[^?]+)\?\s*$`), "$2 $1?"},
	// What people say while they look for the next word: "with uh marcus".
	{regexp.MustCompile(`(?i)((?:^|[\s,.])(?:like |and |so )?)(?:u+[hm]+|erm+|hmm+)[,.…]* `), "$1"},
	// Whose birthday it is today says nothing of the other day that is asked for.
	{regexp.MustCompile(`(?i)^(.*\b(?:tomorrow|next|\p{L}+day)\b.*[,.;–-]\s*(?:(?:and|since|because|cause|cos) )?)` +
		`(?:(it['’]?s (?:his|her|their|\p{L}+['’]?s) (?:\S+ )?(?:birthday|bday)) today|` +
		`today(?:['’]?s| is) ((?:his|her|their|\p{L}+['’]?s) (?:\S+ )?(?:birthday|bday)))\b`), "$1$2$3"},
	{regexp.MustCompile(`(?i)^(.*(?:mañana|\p{L}+es|sábado|domingo|que viene).*[,.;–-]\s*(?:que |es que |porque )?)` +
		`(?:hoy (es (?:su|el) cumple(?:años)?)|(es (?:su|el) cumple(?:años)?(?: de \p{L}+)?) hoy)`), "$1$2$3"},
	{regexp.MustCompile(`^(.*(?:מחר|הבאה?|ב?יום \p{L}+).*[,.;–-]\s*(?:כי )?)` +
		`(?:היום (יש ל\p{L}+ יום הולדת|יום ההולדת של\S+(?: \p{L}+)?)|(יש ל\p{L}+) היום( יום הולדת))`), "$1$2$3$4"},
	// Somebody told the user that they cannot come: "grace just said she's out" means that she is out.
	{regexp.MustCompile(toldThat + `(?:['’]?s| is|['’]re| are) ((?:out|off|not (?:coming|joining))\b)`), "$1 is $2"},
	{regexp.MustCompile(toldThat + ` ((?:can['’]?t|cannot|won['’]?t) (?:come|make it|join)\b)`), "$1 $2"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:vale|ah|oye|pues|también)[, ]+)*(\p{L}+(?: \p{L}+)??) (?:me |nos )?(?:acaba de ` +
		`decir(?:me)?|dice|ha dicho|dijo|avisa(?: de)?|ha avisado) que ` +
		`((?:al final )?no (?:viene|puede(?: venir| ir)?|va))\b`),
		"$1 $2"},
	{regexp.MustCompile(`^\s*(?:(?:אוקיי?|אז|טוב)[, ]+)*(\p{L}+) (?:אמרה?|אומרת?|כתבה?|הודיעה?)(?: לי| לנו)?(?: עכשיו)? ` +
		`ש(?:היא |הוא )?(לא (?:באה?|מגיעה?|יכולה?(?: לבוא| להגיע)?)|בחוץ)`), "$1 $2"},
	// A question whether somebody invited the user asks for the invitations from them.
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|so|and|ok)[, ]+)*(?:did|has) (\p{L}+(?: \p{L}+)?) (?:just |also |ever )?` +
		`invited? me ` +
		`(?:to|for) (?:anything|something)(?: (?:lately|recently|yet|else|new))?[\s?.!]*$`),
		"show me the invitations from $1"},
	{regexp.MustCompile(`(?i)^\s*¿?(?:(?:oye|y)[, ]+)*(?:me ha invitado (\p{L}+) a (?:algo|alguna cosa)|` +
		`(?:tengo|hay) (?:alguna invitación|invitaciones) de (\p{L}+))[\s?.!]*$`), "muéstrame las invitaciones de $1$2"},
	// Another one of a kind: "a call with al and another one with dana" are two calls.
	{regexp.MustCompile(`(?i)^([^.;?]*?(\p{L}+) with [^.;?]+?,? and (?:then )?)` +
		`(?:another(?: one)?|one more|a second(?: one)?)` +
		`( with \p{L})`), "${1}a $2$3"},
	{regexp.MustCompile(`(?i)^([^.;?]*?(\p{L}+) con [^.;?]+?,? y (?:luego |después |también )?)` +
		`otra(?: más)?( con \p{L})`),
		"${1}una $2$3"},
	{regexp.MustCompile(`(?i)^([^.;?]*?(\p{L}+) con [^.;?]+?,? y (?:luego |después |también )?)` +
		`otro(?: más)?( con \p{L})`),
		"${1}un $2$3"},
	{regexp.MustCompile(`^([^.;?]*?(\p{L}+) עם [^.;?]+? ו)(?:עוד (?:אחת|אחד)|(?:אחת|אחד) (?:נוסף|נוספת))( עם \p{L})`),
		"$1$2$3"},
	// Questions without their apostrophe: "whats on today".
	{regexp.MustCompile(`(?i)\b(what|when|where|who|how|that|there)s\b`), "$1's"},
	{regexp.MustCompile(`(?i)\bgotta\b`), "got to"},
	{regexp.MustCompile(`(?i)\b(?:(?:free|open|empty|clear) stretch|` +
		`stretch (?:(?:that )?i['’]?(?:ve got| have) )?(?:of free time|with nothing(?: on| in it)?|` +
		`without (?:anything|meetings)))\b`), "gap"},
	// Time for something that is given is kept free.
	{regexp.MustCompile(`(?i)((?:^|[,.;] ?|\b(?:and|then|please|can you|could you) ))(?:give|get) me ` +
		`((?:an?|one|two|three|four|five|\d+|half an) )(?:(?:solid|straight|uninterrupted|quiet|full|good) )?` +
		`((?:hours?|minutes?|mins?|h)\b[^,.;?]*? for (?:the |my |our |an? )?\p{L})`), "${1}block $2$3"},
	{regexp.MustCompile(`(?i)((?:^|[,.;] ?|\b(?:y|por favor) ))(?:dame|d[eé]jame) ((?:una?|dos|tres|cuatro|cinco|media|` +
		`\d+) (?:horas?|minutos|min|h)\b[^,.;?]*? para \p{L})`), "${1}resérvame $2"},
	{regexp.MustCompile(`((?:^|[,.;] ?)(?:בבקשה )?)ו?(?:תני?|תיתני?|תן) לי ((?:שעה|שעתיים|חצי שעה|` +
		`\S+ (?:שעות|דקות))[^,.;?]* ל\p{L})`), "${1}תשריין לי $2"},
	// An order to call something off, which is no name for it.
	{regexp.MustCompile(`(?i)((?:^|[,.;] ?|\b(?:and|then|please|can you|could you|to) ))` +
		`call (it|that|this|them|(?:the|my|our) [^,.;]+?) off\b`), "${1}cancel $2"},
	// A second reminder, which the first one's words ask for as well.
	{regexp.MustCompile(`(?i)^(\s*(?:[\p{L}' ]+[, ]+)??remind me\b[^.;?]*?\bto \p{L}[^.;?]*?),? and (?:also |then )?` +
		`((?:on (?:\p{L}+day|the \d)|at (?:\d\S*|noon|midnight)|tomorrow|tonight|` +
		`(?:next|this) (?:\p{L}+day|week|weekend|month|morning|afternoon|evening)|` +
		`in (?:an?|\d+)) (?:[^.;?]+ )?to \p{L}[^.;?]*?)[\s.!]*$`),
		"$1, and remind me $2"},
	{regexp.MustCompile(`(?i)^(\s*(?:por favor,? )?recu[eé]rdame [^.;?]*?\p{L}{2,}[aeií]r(?:l[aeo]s?)? ` +
		`[^.;?]*?),? y (?:también )?((?:mañana|pasado mañana|hoy|esta (?:tarde|noche)|a las? [\d\p{L}]+|` +
		`el (?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo)) (?:[^.;?]+ )?` +
		`\p{L}{2,}[aeií]r(?:l[aeo]s?)? [^.;?]*?)[\s.!]*$`), "$1, y recuérdame $2"},
	{regexp.MustCompile(`^(\s*(?:בבקשה )?תזכירי? לי [^.;?]*? ל\p{L}{3,}[^.;?]*?),? ו(?:גם )?` +
		`((?:מחר|היום|הערב|מחרתיים|ביום|ב-?\d|בשעה)[^.;?]* ל\p{L}{3,}[^.;?]*?)[\s.!]*$`), "$1, ותזכיר לי $2"},
	// More time for something, which is so much later then.
	{regexp.MustCompile(`(?i)(^\s*|[,;.] |\band )(?:please )?(?:give me|i need|let me have) (?:another|one more|` +
		`an extra) (day|week|month)` +
		`(?: (?:for|on|to do) (?:it|that|this))[\s.!]*$`), "${1}postpone it by a $2"},
	{regexp.MustCompile(`(?i)(^\s*|[,;.] |\by )(?:dame|necesito) (?:otr[oa]|un[oa]? más) (día|semana|mes)(?: más)? ` +
		`para (?:eso|ell[oa]|hacerl[oa]|terminarl[oa])[\s.!]*$`), "${1}aplázalo un $2"},
	// A note of what is to be done: a task.
	{regexp.MustCompile(`(?i)^\s*(?:apúntame|anótame|apunta|anota)(?:,? por favor,?)? ` +
		`que (?:tengo|tenemos|hay) que (.+)$`), "recuérdame $1"},
}

// withApostrophes is a text in which a time has the apostrophe that is left out behind it, before what is then: "next
// weeks review" becomes "next week's review". A plural stays: "mondays at 7", "the next weeks", "gym on fridays".
func withApostrophes(text string) string {
	for _, at := range slices.Backward(ofATime.FindAllStringSubmatchIndex(text, -1)) {
		before := strings.Fields(text[:at[2]])
		plural := beforePlural
		if at[4] >= 0 {
			plural = beforeDays
		}
		several := len(before) > 0 && plural.MatchString(before[len(before)-1])
		if !several && !afterPlural.MatchString(text[at[6]:at[7]]) {
			text = text[:at[3]] + "'" + text[at[3]:]
		}
	}
	return text
}

// ofATime is a time with an s, which may be a day of the week, and the word behind it; beforePlural, beforeDays and
// afterPlural stand beside one that is a plural.
var (
	ofATime = regexp.MustCompile(`(?i)\b((?:this|next|last) (?:week|weekend|month|year)|today|tomorrow|tonight|` +
		`yesterday|((?:mon|tues|wednes|thurs|fri|satur|sun)day))s (\p{L}+)`)
	beforePlural = regexp.MustCompile(`(?i)^(?:the|these|those|over)$|["“]$`)
	beforeDays   = regexp.MustCompile(`(?i)^(?:the|on|in|over|for|every|all|most|some|these|those|each|and|or|not|` +
		`only|just|to|between|through|except|but)$|[,&"“]$`)
	afterPlural = regexp.MustCompile(`(?i)^(?:at|from|to|until|till?|and|or|for|in|on|after|before|between|by|with|` +
		`through|during|starting|this|next|the|my|i|im|we|you|it|is|are|was|were|as|off|only|instead|please|pls|too|` +
		`also|except|but|not|if|when|where|while|every|each|a|an|of|around|about|works?|suits?|free|open|clear|empty|busy|` +
		`mornings?|afternoons?|evenings?|nights?|noon|because|cause|cos|since|so|then|now|again|would|could|should|` +
		`can|will|than|per)$`)
)

// withoutKept is a message that takes something away without an end that only says what stays as it is: "I won't be at
// the gym on Friday, but I will on Wednesday". What it takes from a whole ("all of the week, but not Thursday") is no
// such end.
func withoutKept(text string) string {
	for _, end := range keptEnds {
		at := end.FindStringIndex(text)
		if at == nil {
			continue
		}
		head := text[:at[0]]
		if takesAway.MatchString(head) && !allOfThem.MatchString(head) {
			return head
		}
	}
	return text
}

// withoutObstacle is a message that first says what stands in the way, and then when instead, without that: "oh
// no, I have lunch with the team that day. Tuesday then". What has to be is no such reason, and stays.
func withoutObstacle(m Message) string {
	for _, form := range inTheWay {
		at := form.FindStringSubmatch(m.Text)
		if at == nil || bounding.MatchString(at[1]) || !otherThing.MatchString(at[1]) {
			continue
		}
		said := (&reading{Message: m}).setting().Read(at[2], m.Now)
		if len(said.Dates) > 0 || said.Exact != nil || !said.Hours.Empty() || dropsIt.MatchString(at[2]) {
			return at[2]
		}
	}
	return m.Text
}

// ofArranged are Hebrew changes of what is being arranged in plainer words: who is taken off it, and how long it is.
var ofArranged = []rewording{
	{regexp.MustCompile(`^\s*(?:(?:טוב|אז|אוקיי?|בסוף|בבקשה)[, ]+)*(?:תורידי?|תסירי?|הורידי?|הורד|הסר) את ` +
		`([^ה\s][^\s,.]*)((?:,? ו[^,.]*)?[\s.!]*$)`), "תוציא את $1$2"},
	{regexp.MustCompile(`(^\s*|[, ]ו)(?:תקצרי?|קצרי?|תאריכי?|תאריך) (?:את זה )?ל((?:חצי |רבע )?שעה|שעתיים|שעה וחצי)`),
		"${1}תעשה את זה $2"},
}

// toldThat is who says something of themselves.
const toldThat = `(?i)^\s*(?:(?:ok|oh|so|hm+|sorry|also)[, ]+)*(\p{L}+(?: \p{L}+)??) (?:has |have )?(?:just )?` +
	`(?:said|says|told (?:me|us)|texted(?: me)?|wrote|let (?:me|us) know|tells me)(?: that)? (?:she|he|they)`

// unwilling tells that the user will not go to an event: "I don't want to go to that budget sync".
var unwilling = regexp.MustCompile(`(?i)^\s*(?:(?:ok|so|hey|sorry|oh)[, ]+)*i (?:really )?` +
	`(?:don['’]?t|do not) (?:really )?` +
	`(?:want to|wanna|feel like|care to) (?:go(?:ing)? to|attend(?:ing)?|be (?:at|in)) (?:that|this|the) `)

// inTheWay says what else there is, and leaves the rest of the message; otherThing points to that, dropsIt gives up
// what is being arranged, and bounding says what has to be.
var (
	inTheWay = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^\s*(?:(?:oh|ah|wait),? )?((?:right|true|yes),? (?:there['’]?s )?(?:the|my|that) ` +
			`[^.;!?]+)[.;!?]\s*(?:(?:so|then),? )?(.+)$`),
		regexp.MustCompile(`(?i)^\s*(?:(?:oh|wait|ah|no|hmm|sorry|actually|right|ok)[,.! ]+)*((?:there['’]?s|there is|` +
			`i have|i['’]?ve got|we have|we['’]ve got|i forgot(?: about)?) [^.;!?]+?)(?:[.;!?]\s*(?:(?:so|then),? )?|, so )` +
			`(.+)$`),
		regexp.MustCompile(`(?i)^\s*(?:(?:ay|oh|espera|no|ah|perdón)[,.! ]+)*((?:hay|tengo|tenemos|se me olvidó) ` +
			`[^.;!?]+?)(?:[.;!?]\s*(?:(?:así que|entonces),? )?|, así que )(.+)$`),
		regexp.MustCompile(`^\s*(?:(?:אוי|רגע|אה|לא)[,.! ]+)*((?:יש(?: לי| לנו)?|שכחתי) [^.;!?]+)[.;!?]\s*(?:אז )?(.+)$`),
	}
	otherThing = regexp.MustCompile(`(?i)\b(?:that|already|es[ea]|ya)\b|^(?:right|true|yes)\b|` +
		`(?:^|\s)(?:הזה|הזאת|ההוא|ההיא|כבר|באותו|באותה)(?:\s|$)`)
	dropsIt = regexp.MustCompile(`(?i)^(?:forget (?:it|that|about it)|never ?mind|leave it|skip it|cancel (?:it|that)|` +
		`let['’]?s not|olvídalo|déjalo|mejor no|cancélalo|עזבי?|לא משנה|תשכחי? מזה)[\s.!]*$`)
	bounding = regexp.MustCompile(`(?i)\b(?:(?:have|got) to|tengo que|tenemos que|hay que)\b|(?:^|\s)צריכ?ה?(?:ים)?\s`)
)

// CallsIt reports whether a message only says what the thing at hand is to be called: what that names is not meant.
func CallsIt(text string) bool { return callingIt.MatchString(text) }

var callingIt = regexp.MustCompile(`(?i)^\s*(?:(?:and|also|then|ok|please),? )*` +
	`(?:call|name|title|label|rename) (?:it|this|that)\b|` +
	`^\s*(?:y )?(?:llámal[oa]|titúlal[oa]|nómbral[oa]|renómbral[oa]|ponle (?:de |el )?(?:nombre|título))\s|` +
	`^\s*ו?(?:תקראי?|קראי?) (?:לזה|לו|לה)\s`)

// MakesIt reports whether a message only says what the event at hand is to be: "let's make it a coffee".
func MakesIt(text string) bool { return makingIt.MatchString(text) }

var makingIt = regexp.MustCompile(`(?i)^\s*` +
	`(?:(?:no|ok|actually|hmm|then|please|can we|could we|let['’]?s|i['’]d rather),? )*` +
	`(?:make|turn) (?:it|this|that) (?:into )?(?:an? )?\p{L}|` +
	`^\s*(?:mejor )?(?:que sea|hag[aá]moslo|hazlo|conviértelo en) |` +
	`^\s*(?:ש?(?:יהיה|תהיה) (?:זה )?|בוא[יו]? נעשה (?:מזה |את זה )?)`)

// A day in a word of each language, and others of a series in English.
const (
	dayEN = `(?:(?:on|for|at) )?(?:(?:this|next|the) )?` +
		`(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today)(?:['’]s)?(?: one)?`
	dayES = `(?:(?:del?|el|la|los|las) )*(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bado|domingo|` +
		`mañana|hoy)(?: que viene)?`
	dayHE  = `(?:(?:ב|של |את של |ביום |של יום |יום )?(?:ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת)|מחר|היום)(?: הבאה?)?`
	others = `the (?:one|ones|week) after(?: (?:that|it))?|the (?:next|following) (?:one|week|time)s?|` +
		`the (?:others?|rest)|the other (?:ones|days)`
)

// keptEnds say what stays as it is, takesAway stands in what takes something away, and allOfThem in what means a whole.
var (
	keptEnds = []*regexp.Regexp{
		regexp.MustCompile(`(?i)[,;]? (?:but|and|though) (?:` +
			`(?:please )?(?:keep|leave) (?:` + others + `|` + dayEN + `)(?: (?:as (?:it is|they are)|alone|in|be))?|` +
			`(?:i['’]?m|i am|we['’]?re|i['’]ll be|i will be) (?:in|there|coming|going|on|up)(?: for)? ` +
			`(?:` + others + `|` + dayEN + `)|` +
			`(?:i|we)(?:['’]ll| will| can| do)(?: be there| make it| go| come)? (?:` + dayEN + `|` + others + `)|` +
			`(?:not|don['’]?t touch) (?:` + dayEN + `|` + others + `))[\s.!]*$`),
		regexp.MustCompile(`(?i)[,;] (?:but |and )?(?:i['’]?ll|i will|i['’]?m|we['’]ll|we['’]?re) still ` +
			`(?:go(?:ing)?|be there|com(?:e|ing)|mak(?:e|ing) it|do(?:ing)? it)(?: to)? ` +
			`(?:` + dayEN + `|` + others + `)[\s.!]*$`),
		regexp.MustCompile(`(?i)[,;]? (?:pero|y|aunque) (?:(?:` + dayES + `|(?:el|la|los|las) ` +
			`(?:siguientes?|próxim[oa]s?|demás(?: días)?|otr[oa]s(?: días)?)) ` +
			`(?:sí(?: (?:que )?voy)?|déjal[oa]s?|se quedan?)|no ` + dayES + `)[\s.!]*$|` +
			`[,;] (?:el|la|los|las) (?:demás|otr[oa]s)(?: días)? (?:déjal[oa]s?|se quedan?|sí)[\s.!]*$`),
		regexp.MustCompile(`[,;]? (?:אבל|ו)(?:` + dayHE + `|(?:ל|ב|את )?ה(?:באה?|בא אחריו|אחר(?:ים|ות)|שאר)) ` +
			`(?:כן|ת?שאירי?)[\s.!]*$|[,;]? אבל לא ` + dayHE + `[\s.!]*$`),
	}

	takesAway = regexp.MustCompile(`(?i)(?:\b(?:won['’]?t|can['’]?t|cannot|not|don['’]?t|skip|cancel|delete|drop|remove|` +
		`scrap|no|cancela|quita|borra|elimina|anula|sáltate|salta)\b|` +
		`(?:^|\s)(?:לא|בלי|תבטלי?|תמחקי?|בטלי?|תורידי?)\s)`)
	allOfThem = regexp.MustCompile(`(?i)(?:\b(?:everything|all|every|each|whole|entire|daily|week|weekdays|todo|todos|` +
		`todas|cada|semana)\b|(?:^|\s)ה?כל\s|שבוע)`)
)
