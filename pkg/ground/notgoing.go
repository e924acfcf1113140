package ground

import "regexp"

// asCancelling turns a message that tells to which event the user will not go, and then asks to take that off, into
// an order to cancel it: "I don't think I'll make it to pottery this week, my back hurts. Can you take it off" becomes
// "cancel pottery this week". Why is left aside; what asks for more, or names no event, stays as it is.
func asCancelling(m Message) string {
	for _, way := range notGoing {
		at := way.form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		what, why := m.Text[at[2]:at[3]], ""
		if at[4] >= 0 {
			why = m.Text[at[4]:at[5]]
		}
		said := (&reading{Message: m}).setting().Read(what, m.Now)
		if onlyTimes(what, said) || Joins(why) || sayingIt.MatchString(what) {
			return m.Text
		}
		return string(way.form.ExpandString(nil, way.becomes, m.Text, at))
	}
	return m.Text
}

// sayingIt is what is not named.
var sayingIt = regexp.MustCompile(`(?i)^(?:it|that|this|them|there)\b`)

// stop parts what the user tells from what is asked for, and reason is what may stand between: in the second group.
const (
	stop   = `(?:\s*[,.;:!–-]+\s*|\s+)`
	reason = `(?:(?:[,.;!–-]+\s*|\s+(?:because|since|cos|cause|porque|que|כי)\s)([^,.;!?]+?))?`
)

// notGoing tell to which event the user will not go, in the first group, and ask to take it off.
var notGoing = []rewording{
	{regexp.MustCompile(`(?i)^\s*(?:(?:hey|hi|so|ok|okay|oh|ugh|sorry|actually)[, ]+)*(?:i|we)(?: really| just)?` +
		`(?: (?:do not|don['’]?t) think (?:that )?(?:i|we)(?:['’]?ll|['’]?m|['’]?re| will| am| are| can)?` +
		`(?: gonna| going to)?| (?:can['’]?t|cannot|can not|won['’]?t|will not|might not|may not)|` +
		`(?:['’]?m|['’]?re| am| are) not (?:gonna|going to))(?: be able to)? ` +
		`(?:(?:make it|get|come|go) to|make|attend|do|be at) ([^,.;!?]+?)` + reason + stop +
		`(?:(?:so|and|then|please|pls|just|can you|could you)[, ]+)*` +
		`(?:take (?:it|that|this|them) (?:off|out)|` +
		`(?:cancel|delete|remove|drop|scrap|skip|scratch|call off) (?:it|that|this|them))` +
		`(?: (?:from|off|of|out of))?(?: (?:my|the) (?:calendar|schedule|diary))?` +
		`(?:,? (?:please|pls|for me|then|ok|thanks))*[\s.?!]*$`), "cancel $1"},
	{regexp.MustCompile(`(?i)^\s*(?:(?:oye|hola|ay|uf|perdón|al final|pues|creo que|me temo que)[, ]+)*(?:yo )?` +
		`no (?:creo que (?:pueda|vaya a poder|llegue|vaya)|(?:voy|vamos) a (?:poder|llegar|ir)|puedo|podré|podemos|` +
		`llego|llegaré|iré|voy)(?: ir| llegar| asistir| venir)? (?:a |al )((?:la |las |los |` +
		`el )?[^,.;!?]+?)` + reason + stop +
		`(?:(?:así que|y|entonces|por favor|puedes|podrías|me l[oa] puedes)[, ]+)*` +
		`(?:(?:qu[ií]ta|canc[eé]la|b[oó]rra|elim[ií]na|an[uú]la|s[aá]ca)(?:me)?l[oa]|` +
		`(?:quitar|cancelar|borrar|eliminar|anular|sacar)(?:me)?(?:l[oa])?)` +
		`(?: del? (?:mi )?(?:calendario|agenda|la agenda))?(?:,? (?:por favor|porfa|gracias))*[\s.?!]*$`), "cancela $1"},
	{regexp.MustCompile(`^\s*(?:(?:היי|אוי|סליחה|בסוף|נראה לי ש|כנראה ש?)[, ]*)*(?:אני )?` +
		`לא (?:חושבת? ש(?:אני )?)?(?:אצליח|אוכל|אספיק|אגיע|מגיעה?|יכולה?)(?: להגיע| ללכת| לבוא)? ` +
		`(?:אל |ל-?)([^,.;!?]+?)` + reason + stop +
		`(?:(?:אז|בבקשה|אפשר|תוכלי?)[, ]+)*` +
		`ו?(?:תבטלי?|תמחקי?|תורידי?|תוריד|תסירי?|בטלי?|מחקי?|לבטל|למחוק|להוריד) ` +
		`(?:אותו|אותה|את זה)(?: מה?יומן(?: שלי)?)?(?:,? (?:בבקשה|תודה))*[\s.?!]*$`), "תבטל את $1"},
}
