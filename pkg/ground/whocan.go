package ground

import (
	"regexp"
	"slices"
	"strings"
)

// whoCan looks into the calendars of several people if a message asks which of them has time: "who of Dana and Al is
// free on Thursday evening for a drink?" arranges nothing yet. Without a time it may be of the event at hand, and is
// not read.
func whoCan(m Message) Reading {
	for _, form := range asksWhoCan {
		at := form.FindStringSubmatchIndex(m.Text)
		if at == nil {
			continue
		}
		r := newReading(m)
		r.readTimes()
		of := form.SubexpIndex("who")
		names := r.namesIn(at[2*of], at[2*of+1])
		s, ok := r.about()
		if len(names) < 2 || !ok || len(r.times) == 0 || r.asksBeside(at[2*of], at[2*of+1]) {
			return Reading{}
		}
		call := arguments{"people": names, "window": s.window()}
		if day := s.oneDay(); s.hours != nil && day != nil {
			call = arguments{"people": names, "start": day.String() + "T" + s.hours.Start}
			if s.hours.End > s.hours.Start {
				call["end"] = day.String() + "T" + s.hours.End
			}
		} else if s.hours != nil {
			return Reading{} // hours of several days are no one time
		}
		read := undoubted("ask_free", "calendar_checkAvailability", call)
		read.Reads = true
		return read
	}
	return Reading{}
}

// namesIn are those whom a list of names has between two bytes, as they are known, and as the message calls them if
// they are not; nil if it has anything else than names: "the two", "them".
func (r *reading) namesIn(from, to int) (names []string) {
	known := false
	for _, part := range listed.Split(r.Text[from:to], -1) {
		if part = strings.Trim(part, around); part == "" {
			continue
		}
		i := slices.IndexFunc(r.People, func(p Person) bool {
			return strings.EqualFold(strings.TrimLeft(part, "-־"), p.Said)
		})
		switch {
		case i >= 0:
			known, names = true, append(names, r.People[i].Name)
		case len(strings.Fields(part)) > 2 || noName.MatchString(part):
			return nil
		default:
			names = append(names, part)
		}
	}
	if !known {
		return nil
	}
	return names
}

// asksBeside reports whether a message that asks who has time says more than when and what for.
func (r *reading) asksBeside(from, to int) bool {
	rest := r.Text[to:]
	return slices.ContainsFunc(r.people, func(p said) bool { return p.from < from || p.to > to }) ||
		strings.ContainsAny(strings.TrimRight(rest, " .?!"), ";.?!") || goesOnToDo.MatchString(rest)
}

var (
	listed = regexp.MustCompile(`(?i)\s*,\s*(?:and |or |y |e |o |u )?|\s+(?:and|or|&|y|e|o|u)\s+|\s+או\s+|\s+ו`)
	noName = regexp.MustCompile(`(?i)^(?:(?:the|my|our|these|those|all|el|la|los|las|mis|est[oa]s|es[oa]s)\b|` +
		`(?:us|them|you|nosotros|ellos|ellas|ustedes|vosotros)$|[מה]?(?:הם|הן|איתנו|אנחנו|כולם|שניהם)$)`)
	goesOnToDo = regexp.MustCompile(`(?i)\b(?:and|then|y|luego)\s+(?:please |then )?(?:book|schedule|set|put|invite|` +
		`tell|ask|send|move|cancel|reserva|agenda|pon|invita|dile|pregunta|manda|mueve|cancela)\b|` +
		`\sו(?:תקבעי?|קבעי?|תזמיני?|תזמין|תגידי?|תשלחי?|תבטלי?)\s`)

	// asksWhoCan are the forms of such questions: first the names and then when, or the other way round.
	asksWhoCan = []*regexp.Regexp{
		regexp.MustCompile(`(?i)^\s*(?:(?:hey|so|ok|and|also|do you know|can you tell me|tell me|check|see)[, ]+)*` +
			`(?:who|which(?: ones?)?)(?: out)? (?:of|among|amongst|between|from) (?P<who>[^;.?!]+?) ` + canEN),
		regexp.MustCompile(`(?i)^\s*(?:(?:hey|so|ok|and|also|do you know|can you tell me|tell me|check|see)[, ]+)*` +
			`who(?:['’]s| (?:would|could|can|might|will|is|has|have)) ` + ableEN +
			`[^;.?!]*?(?:[,:–—-]\s*|\s(?:out of|among|of) )(?P<who>[^;.?!]+?)[\s?!.]*$`),
		regexp.MustCompile(`(?i)^\s*¿?(?:(?:oye|y|a ver|dime|mira|sabes)[, ]+)*¿?` +
			`(?:qui[eé]n(?:es)?|cu[aá]l(?:es)?) (?:de|entre) (?P<who>[^;.?!]+?) ` + canES),
		regexp.MustCompile(`(?i)^\s*¿?(?:(?:oye|y|a ver|dime|mira|sabes)[, ]+)*¿?qui[eé]n(?:es)? ` + canES +
			`[^;.?!]*?(?:[,:–—-]\s*|\s(?:de|entre) )(?P<who>[^;.?!]+?)[\s?!.]*$`),
		regexp.MustCompile(`^\s*(?:(?:אז|היי|תגידי?|תבדקי?|תבדוק)[, ]+)*מי (?:מבין |מתוך |מ-?)(?P<who>[^;.?!]+?) ` + canHE),
		regexp.MustCompile(`^\s*(?:(?:אז|היי|תגידי?|תבדקי?|תבדוק)[, ]+)*מי ` + canHE +
			`[^;.?!]*?(?:[,:–—-]\s*|\s(?:מבין|מתוך) )(?P<who>[^;.?!]+?)[\s?!.]*$`),
	}
)

// What is said of those who have time.
const (
	ableEN = `(?:(?:still|actually|also) )?(?:make(?: it)?|do|come|join|attend|manage|meet(?: up)?|free|available|` +
		`around|time|be (?:free|available|around|there)|able to (?:make|come|join|meet|do|attend))\b`
	canEN = `(?:would|could|can|might|will|is|are|has|have) ` + ableEN
	canES = `(?:pueden?|podrían?|está[n]? (?:libres?|disponibles?)|tienen? (?:tiempo|hueco|libre))(?:\s|$)`
	canHE = `(?:יכול(?:ה|ים|ות)?|פנוי(?:ה|ים|ות)?|זמינ?ן?(?:ה|ים|ות)?)(?:\s|$)`
)
