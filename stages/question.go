package stages

import (
	"slices"
	"strconv"
	"strings"

	"convene/pkg/meet"
	"convene/pkg/message"
)

// answerQuestion goes back to what the user had asked where this message answers the question about it, and remembers
// who is meant by the name. Any other message drops the question and is taken as it stands.
func (r *run) answerQuestion() {
	question := r.conversation.Question
	r.conversation.Question = nil
	if question == nil {
		return
	}
	chosen, ok := answered(question.Choices, r.turn.Message)
	if !ok {
		if chosen, ok = theOne(question.Choices, r.contacts.Find(nameIn(r.turn.Message))); !ok {
			return
		}
	}
	r.turn.Message = question.Message
	r.meant = map[string]meet.Person{fold(question.Name): chosen}
}

// nameIn is what an answer says beside its small words: a name in other letters than the choices have, say.
func nameIn(answer string) string {
	return strings.Join(slices.DeleteFunc(words(answer), func(w string) bool { return filler[w] }), " ")
}

// theOne is the one choice that was found.
func theOne(choices, found []meet.Person) (chosen meet.Person, ok bool) {
	both := among(choices, found)
	if len(both) != 1 {
		return chosen, false
	}
	return both[0], true
}

// answered is the one person whom the answer picks: by a part of the name that the others do not share, by the place in
// the list, or as the one who is left when the other is refused. An answer that says anything beyond that is none.
func answered(choices []meet.Person, answer string) (chosen meet.Person, ok bool) {
	said := slices.DeleteFunc(words(answer), func(w string) bool { return filler[w] })
	if len(said) == 0 || len(said) > 4 {
		return chosen, false
	}
	if i, isPlace := placeInList(said); isPlace {
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

// filler is what people say around a name when they answer.
var filler = map[string]bool{
	"the": true, "one": true, "i": true, "mean": true, "meant": true, "please": true, "it": true, "s": true, "is": true,
	"with": true, "option": true, "number": true, "that": true, "would": true, "be": true, "oh": true, "sorry": true,
	"el": true, "la": true, "con": true, "me": true, "refiero": true, "a": true, "quiero": true, "decir": true,
	"עם": true, "את": true, "של": true, "התכוונתי": true, "אני": true, "מתכוון": true, "מתכוונת": true, "בבקשה": true,
}

// ordinals are the places in a list, by language.
var ordinals = [][]string{
	{"first", "second", "third", "fourth", "fifth", "sixth"},
	{"primero", "segundo", "tercero", "cuarto", "quinto", "sexto"},
	{"primera", "segunda", "tercera", "cuarta", "quinta", "sexta"},
	{"הראשון", "השני", "השלישי", "הרביעי", "החמישי", "השישי"},
	{"הראשונה", "השנייה", "השלישית", "הרביעית", "החמישית", "השישית"},
}

// placeInList reads "the second", "2" or "2nd".
func placeInList(said []string) (n int, ok bool) {
	if len(said) != 1 {
		return 0, false
	}
	for _, names := range ordinals {
		if i := slices.Index(names, said[0]); i >= 0 {
			return i + 1, true
		}
	}
	if said[0] == "last" {
		return 0, false
	}
	n, err := strconv.Atoi(strings.TrimRight(said[0], "stndrh"))
	return n, err == nil
}

// namedBy reports whether every word is a word of the person's name, or begins one ("Sam R").
func namedBy(p meet.Person, said []string) bool {
	of := words(p.Name)
	for _, w := range said {
		if !slices.ContainsFunc(of, func(name string) bool { return strings.HasPrefix(name, w) }) {
			return false
		}
	}
	return true
}

// whichOf is the question "Al Chen or Al Ortiz?".
func (r *run) whichOf(name string, choices []meet.Person) *meet.Question {
	text := message.Which(r.understood.Language, name, namesOf(choices))
	return &meet.Question{Text: text, Message: r.turn.Message, Name: name, Choices: choices}
}
