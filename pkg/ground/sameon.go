package ground

import (
	"regexp"
	"slices"
)

// ofThatName deletes an event on another day that has the name of the one at hand: "and cancel wednesday's" after the
// gym was moved. It is denied if no event is at hand.
func ofThatName(m Message) Reading {
	day := dayOfOther(m.Text)
	if day == "" {
		return Reading{}
	}
	title := titleAtHand(m)
	m.Text = day
	r := newReading(m)
	t := r.aloneTime(0)
	if t == nil || t.day() == nil || t.Exact != nil || !t.Hours.Empty() {
		return Reading{}
	}
	s, ok := r.span(t)
	if title == "" || !ok {
		return Reading{Denied: true}
	}
	selection := r.within(s)
	selection["titleHas"] = []string{title}
	return undoubted("event_cancel", "calendar_deleteEvents", arguments{"selection": selection})
}

// dayOfOther is the day whose event is to be deleted, if a message says nothing else of it; empty if it does.
func dayOfOther(text string) string {
	for _, form := range daysOther {
		for i, at := 1, form.FindStringSubmatch(text); i < len(at); i++ {
			if at[i] != "" {
				return at[i]
			}
		}
	}
	return ""
}

// titleAtHand is how the event is called that is spoken of; empty if there is none, or there are several names.
func titleAtHand(m Message) (title string) {
	for _, t := range m.Things {
		of := t.ID == m.AtHand || m.AtHand == "" && slices.Contains(m.Last, t.ID)
		switch {
		case t.Kind != Event || !of:
		case title != "" && title != t.Title:
			return ""
		default:
			title = t.Title
		}
	}
	return title
}

// daysOther are orders to delete what is on a day, which is called by that day alone, as one of several.
var daysOther = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^\s*(?:(?:and|oh|also|ok|okay|then|now|please|can you|could you)[, ]+)*` +
		`(?:cancel|delete|drop|remove|skip|scrap|call off) (?:(?:the )?(` + dayEN + `)(?:['’]s(?: one)?| one)|` +
		`the (?:one|other one) (?:on|from|of|for) (?:the )?(` + dayEN + `)(?:['’]s)?)` +
		`(?:,? (?:too|as well|also|instead|altogether|please))*[\s.!]*$`),
	regexp.MustCompile(`(?i)^\s*(?:(?:y|ah|también|luego|por favor)[, ]+)*(?:(?:el|la) del? (` + dayES + `),? ` +
		`(?:también )?(?:cancéla|bórra|quíta|elimína|anúla|sáca|cancela|borra|quita|elimina|anula|saca)(?:me)?l[oa]|` +
		`(?:cancela|borra|quita|elimina|anula|saca) (?:también )?(?:el|la) del? (` + dayES + `))` +
		`(?:,? (?:también|directamente|del todo|mejor|por favor))*[\s.!]*$`),
	regexp.MustCompile(`^\s*(?:(?:וגם|אז|בבקשה)[, ]+)*ו?(?:גם )?(?:את (?:זה |זו |האחד |ה?אחת )?של (` + dayHE +
		`)(?: גם)? ` +
		`(?:תבטלי?|תמחקי?|תורידי?|תוריד|בטלי?|מחקי?)|` +
		`(?:תבטלי?|תמחקי?|תורידי?|תוריד|בטלי?|מחקי?) (?:גם )?את (?:זה |זו |האחד |ה?אחת )?של (` + dayHE + `))` +
		`(?:,? (?:גם|לגמרי|בבקשה))*[\s.!]*$`),
}
