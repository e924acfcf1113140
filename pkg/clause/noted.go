package clause

import (
	"cmp"
	"strings"

	"convene/pkg/plan"
)

// noted reads a clause that puts what the mail or the note before it says into the calendar: "tell nadia i'll come on
// saturday, and put it in my calendar at 7". The day may be said in either; the hour too.
func (r *reader) noted(s state, text string) (state, bool) {
	if len(s.steps) == 0 || s.left != nil {
		return s, false
	}
	const most = 10
	last := s.steps[len(s.steps)-1]
	said := map[string]string{"email_compose": "body", "note_save": "text"}[last.Tool]
	body, _ := last.arguments[said].(string)
	if title := len(strings.Fields(body)); title == 0 || title > most {
		return s, false
	}
	for _, f := range r.book.parse("agenda", r.timed(text), true) {
		at := r.said(append([]string{body}, r.values(f.all("time"), "t")...)...)
		if f.count("on") != 1 || at.Exact == nil || len(at.Dates) != 1 || at.Dates[0].Start != at.Dates[0].End {
			continue // it is not known when
		}
		e := arguments{
			"title": r.titleOf(s, f.all("head"), body), "attendees": []string{},
			"start": at.Dates[0].Start.String() + "T" + at.Exact.String(),
		}
		s.add(step{
			Step:      plan.Step{Tool: "calendar_createEvents", HumanSummary: r.summary(text)},
			arguments: arguments{"events": []arguments{e}},
		}, false)
		s.mail = -1
		return s, true
	}
	return s, false
}

// titleOf is what an event is called that is put into the calendar beside a mail: "the call" is one with whom that is
// for, and so is a time that the mail begins with, "tuesday at 3 works". Any other is what the mail says.
func (r *reader) titleOf(s state, head, body string) string {
	noun, timed := r.book.forms["noun"].FindString(head), r.timed(body)
	if at := strings.Index(timed, "‹t"); at >= 0 && !strings.Contains(timed[:at], " ") {
		noun = cmp.Or(noun, r.book.say("meeting"))
	}
	if noun != "" && len(s.people) > 0 {
		return capital(r.book.say("with", "{noun}", noun, "{people}", strings.Join(s.people, ", ")))
	}
	return capital(body)
}
