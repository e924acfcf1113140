package stages

import (
	"regexp"
	"slices"
	"strings"

	"convene/pkg/ground"
	"convene/pkg/meet"
	"convene/pkg/message"
)

// party finds out who takes part: it turns the names in a draft into people.
type party struct {
	circle
	// before is the conversation's search; nil if there is none.
	before *meet.Search
	// message and language are those of a question about a name.
	message, language string
}

// party knows who may take part.
func (in situation) party() party {
	return party{in.contacts, in.conversation.Search, in.turn.Message, in.understood.Language}
}

// resolve turns the names of the draft into people. A person who is not among the contacts takes part by name. An email
// address finds a contact, who goes by the contact's name.
func (w party) resolve(draft meet.Draft) meet.Draft {
	w.part(&draft)
	names := slices.Clone(draft.Template.Participants)
	draft.Template.Participants = names
	for i, name := range names {
		if fold(name) == fold(w.turn.Organizer.Name) || anyCalled(draft.People, name) {
			continue
		}
		found := w.Find(name)
		if len(found) == 0 && w.turn.Organizer.Called(name) {
			continue // "call with Lena and Al", said by Lena
		}
		if names[i] = meet.Caption(name); names[i] != name && len(found) == 1 {
			names[i] = found[0].Name
		}
		if len(among(draft.People, found)) > 0 {
			continue
		}
		switch len(found) {
		case 0:
			draft.People = append(draft.People, meet.Person{Name: names[i]})
		case 1:
			draft.People = append(draft.People, found[0])
		default:
			draft.Ending = w.whichOf(names[i], found)
			return draft
		}
	}
	draft.People = meet.Distinct(append(draft.People, w.joining()...), w.turn.Organizer.ID)
	if draft.Ending = w.whetherTaking(draft); draft.Ending != nil {
		return draft
	}
	return w.locate(draft)
}

// joining are the people who take part too, as the user said.
func (c circle) joining() (people []meet.Person) {
	for _, d := range c.decided {
		if d.TakesPart {
			people = append(people, d.Person)
		}
	}
	return people
}

// whetherTaking is the question whether contacts take part if the message leaves it open; nil if there are none.
// A name that fits several is asked about first, and one that the message does not have is not asked about.
func (w party) whetherTaking(draft meet.Draft) meet.Ending {
	if len(draft.Undecided) == 0 {
		return nil
	}
	var names []string
	var open []meet.Person
	mentioned := w.Mentioned(w.message)
	for _, name := range draft.Undecided {
		found := among(mentioned, w.Find(name))
		settled := slices.ContainsFunc(w.decided, func(d meet.Decision) bool { return takes(d.Person, found) })
		if len(found) == 0 || settled || len(among(draft.People, found)) > 0 {
			continue
		}
		if len(found) > 1 {
			return w.whichOf(name, found)
		}
		names, open = append(names, name), append(open, found[0])
	}
	if len(open) == 0 {
		return nil
	}
	return &meet.Question{
		Text: message.Joins(w.language, names), Message: w.message, Choices: open, Decided: w.decided,
	}
}

// locate finds the person whom the wish for a place names: a participant, or else a contact.
func (w party) locate(draft meet.Draft) meet.Draft {
	name := draft.Template.Wishes.Where.Person
	if name == "" || name == meet.Myself {
		return draft
	}
	i := slices.IndexFunc(draft.People, func(p meet.Person) bool { return p.Called(name) })
	if i >= 0 {
		draft.Around = &draft.People[i]
		return draft
	}
	found := w.Find(name)
	if taking := among(draft.People, found); len(taking) > 0 {
		found = taking
	}
	switch len(found) {
	case 0:
	case 1:
		draft.Around = &found[0]
	default:
		draft.Ending = w.whichOf(name, found)
	}
	return draft
}

// alias finds the name by which a person takes part already; see functions.TemplateContext.
func (w party) alias() func(string) string {
	if w.before == nil {
		return nil
	}
	taking := w.before.Template.Participants
	return func(name string) string {
		same := func(p string) bool {
			return meet.Person{Name: p}.Called(name) || meet.Person{Name: name}.Called(p)
		}
		if name == "" || slices.ContainsFunc(taking, same) {
			return name
		}
		found := w.Find(name)
		for _, p := range taking {
			others := w.Find(p)
			if len(found) == 1 && len(others) == 1 && found[0].Known() && found[0].ID == others[0].ID {
				return p
			}
		}
		return name
	}
}

// part removes the people whose names an edit removed from the template, in any form of their names.
func (w party) part(draft *meet.Draft) {
	if w.before == nil || draft.Mode != meet.ModeEdit {
		return
	}
	for _, name := range w.before.Template.Participants {
		if slices.Contains(draft.Template.Participants, name) {
			continue
		}
		gone := among(draft.People, w.Find(name))
		if len(gone) != 1 || w.stays(gone[0], draft.Template.Participants) {
			continue
		}
		draft.People = slices.DeleteFunc(slices.Clone(draft.People), func(p meet.Person) bool { return p.ID == gone[0].ID })
	}
}

// among are the known people who were also found.
func among(people, found []meet.Person) []meet.Person {
	return slices.DeleteFunc(slices.Clone(people), func(p meet.Person) bool {
		return !p.Known() || !slices.ContainsFunc(found, func(f meet.Person) bool { return f.ID == p.ID })
	})
}

// stays reports whether one of the names means the person.
func (w party) stays(person meet.Person, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return len(among([]meet.Person{person}, w.Find(name))) > 0
	})
}

// anyCalled reports whether one of the people goes by the name.
func anyCalled(people []meet.Person, name string) bool {
	return slices.ContainsFunc(people, func(p meet.Person) bool { return p.Called(name) })
}

func namesOf(people []meet.Person) []string {
	return each(people, func(p meet.Person) string { return p.Name })
}

// whichOf is the question "Al Chen or Al Ortiz?".
func (w party) whichOf(name string, choices []meet.Person) *meet.Question {
	text := message.Which(w.language, name, namesOf(choices))
	return &meet.Question{Text: text, Message: w.message, Name: name, Choices: choices, Decided: w.decided}
}

// answerQuestion returns to the user's earlier message if this one answers the question about it, and notes whom the
// name means, or who takes part. Any other message drops the question and stands for itself.
func (in *situation) answerQuestion() {
	question := in.conversation.Question
	in.conversation.Question = nil
	if question == nil {
		return
	}
	switch {
	case question.Anchor:
		in.answerAnchor(question)
		return
	case question.Day != "":
		in.answerDay(question)
		return
	case question.Name == "" && len(question.Choices) > 0:
		in.decide(*question)
		return
	case question.Name == "":
		return // it asks for other words
	}
	said := sayings(in.turn.Message)
	if len(said) > 0 && !slices.ContainsFunc(said, func(w string) bool { return !everyone[w] }) {
		in.turn.Message = naming(*question)
		return
	}
	chosen, ok := answered(question.Choices, in.turn.Message)
	if !ok {
		found := among(question.Choices, in.contacts.Find(strings.Join(said, " ")))
		if len(found) != 1 {
			return
		}
		chosen = found[0]
	}
	in.turn.Message = question.Message
	in.contacts.decided = question.Decided
	in.contacts.meant = map[string]meet.Person{fold(question.Name): chosen}
}

// decide notes of each person of the question whether they take part: all or nobody, or those whom the answer names.
// What else it says is read with the earlier message.
func (in *situation) decide(question meet.Question) {
	first, rest, _ := strings.Cut(strings.TrimSpace(in.turn.Message), " ")
	word := strings.Join(words(first), "")
	all := consent[word]
	named := among(question.Choices, in.contacts.Mentioned(in.turn.Message))
	choices := question.Choices
	if more, ok := in.notInvited(named); ok {
		word, rest, choices = "no", more, named // of the others nothing is said
	}
	switch said := sayings(in.turn.Message); {
	case all, dissent[word]:
	case len(named) > 0 && len(said) <= 3:
		rest = ""
	default:
		return
	}
	if len(sayings(rest)) == 0 || all && len(named) > 0 {
		rest = ""
	}
	in.turn.Message = strings.TrimSpace(question.Message + "\n" + rest)
	in.contacts.decided = slices.Clone(question.Decided)
	for _, p := range choices {
		in.contacts.decided = append(in.contacts.decided, meet.Decision{
			Person: p, TakesPart: all && len(named) == 0 || !dissent[word] && takes(p, named),
		})
	}
}

// notInvited is what else is said by an answer that forbids to invite the people whom it names.
func (in *situation) notInvited(named []meet.Person) (more string, ok bool) {
	if in.uninvites == nil {
		return "", false
	}
	var names []string
	for _, m := range in.contacts.Mentions(in.turn.Message) {
		if takes(m.Person, named) {
			names = append(names, m.Words)
		}
	}
	return in.uninvites(in.turn.Message, names)
}

// consent and dissent are words that answer yes and no.
var (
	consent = map[string]bool{
		"yes": true, "yeah": true, "yep": true, "yup": true, "sure": true, "ok": true, "okay": true, "both": true,
		"all": true, "definitely": true, "absolutely": true, "y": true, "si": true, "sí": true, "claro": true, "vale": true,
		"ambos": true,
		"כן":    true, "בטח": true, "ברור": true, "שניהם": true, "כולם": true,
	}
	dissent = map[string]bool{
		"no": true, "nope": true, "nah": true, "n": true, "neither": true, "not": true, "none": true, "ninguno": true,
		"tampoco": true, "לא": true, "אף": true,
	}
)

// naming is the message of a question in which all whom the name may mean stand in its place.
func naming(question meet.Question) string {
	text, name := question.Message, question.Name
	for i := 0; i+len(name) <= len(text); i++ {
		if strings.EqualFold(text[i:i+len(name)], name) {
			return text[:i] + strings.Join(namesOf(question.Choices), ", ") + text[i+len(name):]
		}
	}
	return text
}

// everyone are the words of an answer that means everyone whom a question names.
var everyone = map[string]bool{
	"both": true, "all": true, "of": true, "them": true, "everyone": true,
	"ambos": true, "ambas": true, "los": true, "las": true, "dos": true, "todos": true, "todas": true,
	"שניהם": true, "שתיהן": true, "כולם": true, "כולן": true, "שני": true, "שתי": true,
}

// answered is the person whom the answer picks: by a part of the name that the others do not share, by the position in
// the list, or by refusing all others. A message that says more is no answer.
func answered(choices []meet.Person, answer string) (chosen meet.Person, ok bool) {
	said := sayings(answer)
	if len(said) == 0 || len(said) > 4 {
		return chosen, false
	}
	if i, ok := position(said); ok {
		if i < 1 || i > len(choices) {
			return chosen, false
		}
		return choices[i-1], true
	}
	not := said[0] == "not" && len(said) > 1
	if not {
		said = said[1:]
	}
	fits := slices.DeleteFunc(slices.Clone(choices), func(p meet.Person) bool { return namedBy(p, said) == not })
	if len(fits) != 1 {
		return chosen, false
	}
	return fits[0], true
}

// namedBy reports whether every word is or begins a word of the person's name ("Sam R").
func namedBy(p meet.Person, said []string) bool {
	names := words(p.Name)
	return !slices.ContainsFunc(said, func(w string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, w) })
	})
}

// nameBoth puts the names of two contacts in place of a plural that means both of them: "the two Sams".
func (in *situation) nameBoth() {
	in.turn.Message = bothOf.ReplaceAllStringFunc(in.turn.Message, func(said string) string {
		at := bothOf.FindStringSubmatch(said)
		both := in.contacts.Find(strings.TrimSuffix(strings.TrimSuffix(at[3], "ים"), "s"))
		if len(both) != 2 {
			return said
		}
		return at[1] + both[0].Name + map[bool]string{true: " y ", false: " and "}[at[2] == "los"] + both[1].Name
	})
}

// bothOf is such a plural.
var bothOf = regexp.MustCompile(`(?i)(^|\s)(?:both(?: the| of the| my)?|(?:the |my )?two|(los|las) dos) (\p{L}+s)\b`)

// nameCompanion puts the names of those who were named before in place of a pronoun in a wish for something new: "is
// Dana free on Friday?", "set up a call with her then"; "I haven't seen Theo in ages, find an evening for dinner with
// him". What is arranged already has its own people.
func (in *situation) nameCompanion() {
	c, points := ground.CompanionIn(in.turn.Message)
	if !points || in.conversation.Search != nil || in.turn.Message != in.asked {
		return
	}
	if len(in.contacts.Mentions(in.asked)) > 0 {
		// Of several people in one message nobody knows who "him" is, and who is named after the pronoun is somebody else.
		names, before := in.named(in.asked), in.named(in.asked[:c.Start])
		if len(names) == 1 && slices.Equal(names, before) && !c.Several {
			in.turn.Message = c.Name(in.turn.Message, names)
		}
		return
	}
	for _, before := range slices.Backward(in.conversation.History) {
		names := in.named(before.User)
		if len(names) == 1 || len(names) > 1 && c.Several {
			in.turn.Message = c.Name(in.turn.Message, names)
		}
		if len(names) > 0 {
			return
		}
	}
}

// named are the words by which a text mentions contacts, each once.
func (in *situation) named(text string) (names []string) {
	for _, m := range in.contacts.Mentions(text) {
		if !slices.Contains(names, m.Words) {
			names = append(names, m.Words)
		}
	}
	return names
}
