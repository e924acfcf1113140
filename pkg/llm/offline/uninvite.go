package offline

import (
	"regexp"
	"strings"
)

// Uninvites reports whether a message begins with an order not to invite people of these names, and what else it says:
// nothing for "don't invite Al yet, it's a surprise".
func Uninvites(message string, names []string) (more string, ok bool) {
	at := forbidsGuests.FindStringIndex(message)
	if at == nil || len(names) == 0 {
		return "", false
	}
	end := at[1]
	for _, name := range names {
		if i := strings.LastIndex(message, name); i >= 0 {
			end = max(end, i+len(name))
		}
	}
	return whyNot.ReplaceAllString(message[end:], ""), true
}

// forbidsGuests begins an order not to invite somebody. WhyNot may follow the name: "yet", and a reason.
var (
	forbidsGuests = regexp.MustCompile(`(?i)^\s*(?:(?:no|nah|oh|please|wait|por favor|לא|רגע)[,. ]+)*` +
		`(?:(?:don['’]?t|do not|let['’]?s not|better not)(?: (?:invite|ask|include|add|bring|tell|count))? |` +
		`(?:mejor )?no (?:l[oa]s? )?(?:invites|incluyas|metas|avises|añadas|cuentes con) (?:a )?|` +
		`(?:אל|לא) (?:להזמין|להוסיף|לצרף|תזמיני?|תוסיפי?|תצרפי?|תזמין|תוסיף|תצרף) (?:את )?)`)
	whyNot = regexp.MustCompile(`(?i)^(?:[, ]*(?:yet|for now|though|please|todavía|aún|por ahora|por favor|` +
		`עדיין|בינתיים|בבקשה))*[\s.,;!–-]*(?:(?:because|since|cause|porque|que|כי)? ?` +
		`(?:(?:it['’]?s|it is|that['’]?s|he['’]?s|she['’]?s|` +
		`he|she|they|es|está|זו|זה|הוא|היא)\s[^,;.!?]*|(?:a )?(?:surprise|secret)|(?:una )?sorpresa|הפתעה|זו? הפתעה))?` +
		`[\s.!]*$`)
)
