package ground

import (
	"fmt"
	"regexp"
	"strings"

	"convene/pkg/interval"
)

var (
	// nameForm is a first and a last name, which are told by their capitals.
	nameForm = regexp.MustCompile(`\p{Lu}\p{Ll}[\p{L}'’-]*(?:\s(?:de|del|la|van|von|der|al|bin|ben))*` +
		`(?:\s\p{Lu}[\p{L}'’-]+)+`)
	phoneForm = regexp.MustCompile(`\+?\(?\d[\d\s().\-/]{5,}\d`)
	yearForm  = regexp.MustCompile(`\b(?:19|20)\d\d\b`)
	emailForm = regexp.MustCompile(`[\p{L}\d._%+\-]+@[\p{L}\d.\-]+\.\p{L}{2,}`)
)

// setBirthday says of a contact on which day the birthday is. It is not ok if the time is no day.
func (r *reading) setBirthday(all arguments, t *timed) (ok bool) {
	day := t.day()
	if day == nil {
		return false
	}
	t.used = true
	r.guessed = r.guessed || *day == interval.DateOf(r.Now) // it may only be said by the way
	all["birthday"] = fmt.Sprintf("--%02d-%02d", day.Month, day.Day)
	if at := yearForm.FindStringIndex(r.Text); at != nil {
		all["birthday"] = fmt.Sprintf("%s-%02d-%02d", r.takeOwn(at), day.Month, day.Day)
	}
	return true
}

// saveContact keeps what is said of a person, known or new: a number, an address, a birthday, or what the user's own
// words say.
func (r *reading) saveContact() (string, arguments) {
	all := arguments{"emails": []string{}, "removeEmails": []string{}}
	if who := r.somebody(); who != nil {
		all["contact"] = who
	} else if at := r.nameOfNew(); at != nil {
		all["name"] = r.takeOwn(at)
	} else {
		return "", nil
	}
	if at := emailForm.FindStringIndex(r.Text); at != nil {
		all["emails"] = []string{r.takeOwn(at)}
	}
	if at := phoneForm.FindStringIndex(r.Text); at != nil {
		all["phone"] = r.takeOwn(at)
	}
	if points := r.points(); r.says("birthday") && len(points) == 1 && !r.setBirthday(all, points[0]) {
		return "", nil
	}
	if len(all) > 3 || len(all["emails"].([]string)) > 0 {
		if at := form("role form").FindStringSubmatchIndex(r.Text); at != nil && all["name"] != nil {
			all["role"] = r.takeOwn(at[2:])
		}
		return "contact_save", all
	}
	switch {
	case all["contact"] == nil: // a name alone is nobody to keep
		return "", nil
	case form("address is").MatchString(r.Text):
		at := form("address is").FindStringSubmatchIndex(r.Text)
		r.useWithin(0, len(r.Text)) // "marcus moved" says no more
		all["addNotes"] = r.Text[at[2]:at[3]] + ": " + r.takeOwn(at[4:6])
	case r.says("lives"):
		all["addNotes"] = r.takeOwn([]int{r.people[0].to, len(r.Text)})
	case r.says("role"):
		text, ok := r.ownWords().(string)
		if !ok {
			return "", nil
		}
		all["role"] = text
	default:
		return "", nil
	}
	return "contact_save", all
}

// nameOfNew is where the name of a new contact stands in the message; nil if it has none.
func (r *reading) nameOfNew() []int {
	if at := captured("new contact", r.Text); at != nil {
		return at
	}
	if at := nameForm.FindAllStringIndex(r.Text, -1); len(at) == 1 && len(r.people) == 0 {
		return at[0]
	}
	return nil
}

// takeOwn takes the bytes of a text into the call as they stand.
func (r *reading) takeOwn(at []int) string {
	r.own = append(r.own, said{text: r.Text[at[0]:at[1]], from: at[0], to: at[1], used: true})
	r.useWithin(at[0], at[1])
	return strings.TrimSpace(r.Text[at[0]:at[1]])
}

func (r *reading) findContact() (string, arguments) {
	who := r.somebody()
	if at := captured("whose detail", r.Text); who == nil && at != nil && len(r.points()) == 0 {
		who = r.takeOwn(at)
		r.takeNames()
	}
	if who == nil && len(r.points()) <= 1 && words()["birthday"].MatchString(r.Text) &&
		!words()["possessive"].MatchString(r.Text) {
		r.takeNames()
		return "contact_find", arguments{"birthdays": r.comingUp()}
	}
	if who == nil && r.says("all contacts") {
		return "contact_find", arguments{"query": nil, "aspect": nil}
	}
	if at := form("of role").FindStringSubmatchIndex(r.Text); who == nil && at != nil {
		from, to := at[len(at)-2], at[len(at)-1]
		for i := 2; from < 0; i += 2 {
			from, to = at[i], at[i+1]
		}
		r.useWithin(from, to)
		return "contact_find", arguments{"query": r.Text[from:to], "aspect": nil}
	}
	if who == nil {
		return "", nil
	}
	return "contact_find", arguments{"query": who, "aspect": r.oneOf("birthday", "email", "role", "notes", "phone")}
}

// takeNames uses what is named, which only tells what the question is about.
func (r *reading) takeNames() {
	for i := range r.found {
		r.found[i].used = true
	}
}

func (r *reading) deleteContact() (string, arguments) {
	who := r.somebody()
	if who == nil || r.says("email") || r.says("left aside") {
		return "", nil
	}
	if field, ok := r.oneOf("phone", "birthday").(string); ok { // and the person stays
		return "contact_save", arguments{"contact": who, "emails": []string{}, "removeEmails": []string{}, field: ""}
	}
	return "contact_delete", arguments{"contact": who}
}
