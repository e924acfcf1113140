package stages

import (
	"strings"
	"testing"

	"convene/pkg/llm/offline"
	"convene/pkg/meet"
)

// mentions is a phone book that also finds its names in a text.
type mentions struct{ phoneBook }

func (m mentions) Mentioned(text string) (found []meet.Mention) {
	for name, people := range m.phoneBook {
		if strings.Contains(text, name) {
			found = append(found, meet.Mention{Person: people[0], Words: name})
		}
	}
	return found
}

// The answer to whether people take part is yes, no or a name, in each language; what else it says is read with the
// request. Any other message stands for itself.
func TestWhetherPeopleTakePart(t *testing.T) {
	t.Parallel()
	book := mentions{phoneBook{"Ruth": {ruth}, "Tom": {tomA}}}
	for _, c := range []struct{ answer, taking, message string }{
		{"yes", "Ruth Tom", "tea"}, {"Sure, please!", "Ruth Tom", "tea"}, {"both", "Ruth Tom", "tea"},
		{"sí", "Ruth Tom", "tea"}, {"כן", "Ruth Tom", "tea"},
		{"no", "", "tea"}, {"לא", "", "tea"},
		{"just Ruth", "Ruth", "tea"}, {"yes, Ruth", "Ruth", "tea"},
		{"yes and make it an hour", "Ruth Tom", "tea\nand make it an hour"},
		{"don't invite Ruth and Tom yet, its a surprise", "", "tea"},
		{"no invites a Ruth ni a Tom todavía, es una sorpresa", "", "tea"},
		{"אל תזמיני את Ruth ו Tom עדיין", "", "tea"},
		{"don't invite Ruth or Tom, and make it an hour", "", "tea\n, and make it an hour"},
		{"coffee with Zed on Friday", "-", "coffee with Zed on Friday"},
	} {
		in := situation{
			uninvites: offline.Uninvites,
			contacts:  circle{Names: book},
			conversation: meet.Conversation{
				Question: &meet.Question{Message: "tea", Choices: []meet.Person{ruth, tomA}},
			},
		}
		in.turn.Message = c.answer
		in.answerQuestion()
		taking := "-"
		if len(in.contacts.decided) == 2 {
			var names []string
			for _, p := range in.contacts.joining() {
				names = append(names, strings.Fields(p.Name)[0])
			}
			taking = strings.Join(names, " ")
		}
		if taking != c.taking || in.turn.Message != c.message {
			t.Errorf("%q: %q take part in %q, want %q in %q", c.answer, taking, in.turn.Message, c.taking, c.message)
		}
	}
}

// Only a contact whom the message names is asked about, once, and not after an answer.
func TestWhoIsAskedAbout(t *testing.T) {
	t.Parallel()
	book := mentions{phoneBook{"Ruth": {ruth}, "Tom": {tomA}}}
	for name, c := range map[string]struct {
		decided []meet.Decision
		draft   meet.Draft
		want    string
	}{
		"open":              {nil, meet.Draft{Undecided: []string{"Ruth"}}, "Should Ruth be there too?"},
		"takes part":        {nil, meet.Draft{Undecided: []string{"Ruth"}, People: []meet.Person{ruth}}, ""},
		"not mentioned":     {nil, meet.Draft{Undecided: []string{"Tom"}}, ""},
		"nobody's name":     {nil, meet.Draft{Undecided: []string{"Zed"}}, ""},
		"answered: yes":     {[]meet.Decision{{Person: ruth, TakesPart: true}}, meet.Draft{Undecided: []string{"Ruth"}}, ""},
		"answered: no":      {[]meet.Decision{{Person: ruth}}, meet.Draft{Undecided: []string{"Ruth"}}, ""},
		"nothing undecided": {nil, meet.Draft{}, ""},
	} {
		w := party{circle: circle{Names: book, decided: c.decided}, message: "tea, it was Ruth's idea", language: "en"}
		got := ""
		if q, asked := w.resolve(c.draft).Ending.(*meet.Question); asked {
			got = q.Text
		}
		if got != c.want {
			t.Errorf("%s: asked %q, want %q", name, got, c.want)
		}
	}
}
