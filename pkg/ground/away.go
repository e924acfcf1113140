package ground

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"convene/pkg/interval"
)

// findAway finds what keeps the user from everything at some time, if the message states that and nothing else. It is
// what a block of this time is called: "i'm on vacation next week" is a vacation.
func (r *reading) findAway() {
	points := r.points()
	if several := func(t *timed) bool { return len(t.Dates) > 1 }; len(points) == 0 || len(r.people) > 0 ||
		slices.ContainsFunc(points, several) {
		return
	}
	stated := words()["away"].FindStringSubmatch(timesForm.ReplaceAllString(r.delexicalized(), " "))
	for _, name := range stated[min(1, len(stated)):] {
		r.here = r.here || words()["here"].MatchString(name)
		if name != "" && !r.here && !words()["not away"].MatchString(name) {
			first, n := utf8.DecodeRuneInString(name)
			r.away = string(unicode.ToUpper(first)) + name[n:]
			return
		}
	}
}

// asAway is a message that tells when the user is away, and asks to have that in the calendar, as one that only tells
// it: "I'm on vacation from the 21st to the 27th, put it in my calendar". Who travels on one day, is back on another
// and is to be marked as out of office is that from the one to the other.
func asAway(m Message) string {
	for _, way := range awayAsked {
		at := way.form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		told := m
		told.Text = string(way.form.ExpandString(nil, way.becomes, m.Text, at))
		r := newReading(told)
		r.readTimes()
		if r.findAway(); r.away != "" {
			return told.Text
		}
	}
	return m.Text
}

// awayAsked ask to have in the calendar what they tell before that, or at once.
var awayAsked = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:(?:oh|and|so|ok|also)[, ]+)*(?:i|we)(?:['’]?m|['’]?ll be|['’]?re| am| are|` +
		` will be)? ` +
		`(?:fly|travel|driv|leav|go|head)\w*(?: (?:to|for) \p{L}+(?: \p{L}+)?)? on ([^,.;]+?)(?: and|,) ` +
		`(?:(?:i|we)(?:['’]?m|['’]?ll be|['’]?re)? |coming |flying |get |` +
		`getting )*back (?:again )?(?:on )?([^,;]+?)[,.;] ` + markMe + `(?:as |down as )?` + outOfIt + `[^,.;]*$`),
		"i am $3 from $1 to $2"},
	{regexp.MustCompile(`(?i)^\s*(?:me voy|voy|vuelo|viajo|salgo)(?: (?:a|` +
		`para) \p{L}+(?: \p{L}+)?)? el ([^,.;]+?)(?: y|,) ` +
		`(?:vuelvo|regreso) el ([^,.;]+?)[,.;] (?:márcame|ponme) (?:como )?` + fuera + `[^,.;]*$`), "estoy $3 del $1 al $2"},
	{regexp.MustCompile(`(?i)^\s*(?:márcame|ponme) (?:como )?` + fuera + `(.+)$`), "estoy $1$2"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:oh|and|so|ok|also|please|can you|could you)[, ]+)*` + markMe + `(?:as |down as )?` +
		outOfIt + `(.+)$`), "i am $1$2"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:oh|and|so|ok|also|y|ah|ו)[, ]+)*(.+?)(?:[,.;]? ` + markMe + `(?:it|that|` +
		`this|them)?` +
		`(?: down)?(?: as ` + outOfIt + `)?|,? (?:y |por favor )*(?:apúnt|anót|pon|márc|bloqué|añád|métel|` +
		`regístr)[ae]?(?:me)?l[oa]s?|` +
		`,? ו?(?:תסמני?|תסמן|תרשמי?|תרשום|תכניסי?|תכניס|תחסמי?|תחסום|תוסיפי?|תוסיף|תשימי?|תשים)(?: את זה| אותם| לי)*)?` +
		`(?: (?:in|into|on|from|en) (?:my|the|el|mi|la) (?:calendar|schedule|calendario|agenda)| ב?יומן(?: שלי)?)?` +
		`(?:,? (?:please|pls|then|those days|porfa|por favor|בבקשה))*[\s.!]*$`), "$1"},
}

// markMe asks to mark or to put, and the others are how one is marked.
const (
	fuera   = `(fuera(?: de la oficina)?|de vacaciones|de baja)`
	markMe  = `(?:(?:so|and|please|can you|could you) )*(?:mark|put|note|add|block|show|set|enter) (?:me |us )?`
	outOfIt = `(out of (?:the )?office|ooo|on (?:vacation|leave|holiday)|away|off)`
)

// awayUntil gives another last day to what was just put on whole days: "sorry, until the 28th".
func (r *reading) awayUntil() (string, arguments) {
	var before struct {
		Events []struct{ Title, Start, End string }
	}
	rest := untilInstead.FindStringSubmatch(r.Text)
	if r.Before.Tool != "calendar_createEvents" || rest == nil || json.Unmarshal(r.Before.Arguments, &before) != nil ||
		len(before.Events) != 1 {
		return "", nil
	}
	e := before.Events[0]
	start, err := interval.ParseDate(e.Start)
	m := r.Message
	m.Now, m.Text = start.Start(r.Now.Location()), onDate[strings.Split(r.Language, "-")[0]]+rest[1]
	*r = *newReading(m)
	t := r.aloneTime(0)
	if _, notNumber := strconv.Atoi(rest[1]); notNumber == nil && (t == nil || t.day() == nil) { // "עד ה-28"
		m.Text += " בחודש"
		*r = *newReading(m)
		t = r.aloneTime(0)
	}
	if err != nil || t == nil || t.day() == nil || t.Exact != nil || !t.Hours.Empty() || !start.Before(*t.day()) {
		return "", nil
	}
	end := t.day().AddDays(1)
	days := start.DaysUntil(end)
	switch made := len(r.Last) == 1 && !strings.HasPrefix(r.Last[0], newThing); {
	case len(r.Last) != 1 || days > mostAway:
		return "", nil
	case made:
		set := arguments{"durationMinutes": days * 24 * 60}
		return "calendar_updateEvents", arguments{"selection": arguments{"ids": r.Last}, "set": set}
	}
	return r.Before.Tool, arguments{"events": []arguments{{"title": e.Title, "start": e.Start, "end": end.String()}}}
}

// mostAway is how many days are put there at once.
const mostAway = 60

// untilInstead is a last day, and nothing else.
var untilInstead = regexp.MustCompile(`(?i)^\s*(?:(?:no|sorry|wait|actually|oh|i mean|i meant|make it|` +
	`make that|perdón|perdona|` +
	`mejor|digo|espera|סליחה|בעצם|לא|רגע)[,. ]+)*(?:until|till?|through|hasta|עד) (?:the |el |ה-|` +
	`ל-?)?([^,;?]+?)[\s.!]*$`)

// onDays reports whether times are days, of which no hours are named.
func onDays(points []*timed) bool {
	return !slices.ContainsFunc(points, func(t *timed) bool {
		return t.Exact != nil || !t.Hours.Empty() || len(t.Dates) != 1
	})
}

// timesForm are times, each with the small words before it, and what joins them.
var timesForm = regexp.MustCompile(`(?i)(?:(?:^|[\s,]+)(?:and|through|thru|e|y|u|on|from|for|to|until|till|` +
	`all|whole|day|` +
	`of|at|the|starting|this|del?|desde|hasta|para|por|a|el|la|los|las|todo|toda|` +
	`ביום|בימים|בימי|יום|מ?יום|החל|עד|כל|ה?ימים|ו|-|–)` +
	`)*[\s,]*(?:ו|מ|ל|ב|ה)*-?\{time\}`)
