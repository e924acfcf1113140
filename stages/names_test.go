package stages

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// phoneBook finds people under every name that they go by.
type phoneBook map[string][]meet.Person

func (b phoneBook) Find(name string) []meet.Person { return b[name] }

func (phoneBook) Mentioned(string) []meet.Mention { return nil }

var (
	ruth, tomA, tomB = meet.Person{ID: "ruth", Name: "Ruth Adler"}, meet.Person{
		ID: "a", Name: "Tom Abel",
	}, meet.Person{ID: "b", Name: "Tom Bach"}
	book = phoneBook{"רות": {ruth}, "Ruth": {ruth}, "Adler": {ruth}, "תום": {tomA, tomB}, "באך": {tomB}}
)

func TestPeopleUnderOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after []string
		people, want  []meet.Person
	}{
		{"who was taken out goes", []string{"רות", "תום"}, []string{"תום"}, []meet.Person{ruth, tomB}, []meet.Person{tomB}},
		{"who was chosen is not asked about again", []string{"תום"}, []string{"תום"}, []meet.Person{tomB},
			[]meet.Person{tomB}},
		{"who is still named stays", []string{"רות", "Adler"}, []string{"Adler"}, []meet.Person{ruth}, []meet.Person{ruth}},
		{"one of two with a name goes by it", []string{"תום"}, nil, []meet.Person{tomA}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := party{circle: circle{Names: book}, before: &meet.Search{Template: meet.Template{Participants: c.before}}}
			draft := meet.Draft{Mode: meet.ModeEdit, Template: meet.Template{Participants: c.after}, People: c.people}
			got := w.resolve(draft)
			if got.Ending != nil {
				t.Fatalf("got %v", got.Ending)
			}
			if diff := cmp.Diff(c.want, got.People); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAliasIsTheNameOfAParticipant(t *testing.T) {
	t.Parallel()
	alias := party{
		circle: circle{Names: book}, before: &meet.Search{Template: meet.Template{Participants: []string{"Ruth", "תום"}}},
	}.alias()
	for name, want := range map[string]string{"רות": "Ruth", "Adler": "Ruth", "Ruth": "Ruth", "תום": "תום", "Noor": "Noor",
		"": ""} {
		if got := alias(name); got != want {
			t.Errorf("alias(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestAQuestionIsAnsweredInAnotherScript(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]meet.PersonID{"באך": "b", "התכוונתי לבאך": "", "עם באך": "b", "תום": "",
		"Ruth": "", "Bach": "b"} {
		in := situation{
			contacts: circle{Names: book}, conversation: meet.Conversation{
				Question: &meet.Question{Message: "קפה עם תום", Name: "תום", Choices: []meet.Person{tomA, tomB}},
			},
		}
		in.turn.Message = answer
		in.answerQuestion()
		if got := in.contacts.meant["תום"].ID; got != want || (want != "") != (in.turn.Message == "קפה עם תום") {
			t.Errorf("%q: %q is meant, want %q", answer, got, want)
		}
	}
}

// "Both" stands for everyone whom the name may mean.
func TestAQuestionIsAnsweredWithEveryone(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"both", "Both of them please", "los dos", "שניהם"} {
		in := situation{
			contacts: circle{Names: book}, conversation: meet.Conversation{
				Question: &meet.Question{Message: "Tea with tom on Friday", Name: "Tom", Choices: []meet.Person{tomA, tomB}},
			},
		}
		in.turn.Message = answer
		in.answerQuestion()
		if want := "Tea with Tom Abel, Tom Bach on Friday"; in.turn.Message != want {
			t.Errorf("%q continues with %q, want %q", answer, in.turn.Message, want)
		}
	}
}

// Whom a caller may not know of is not found by any name.
func TestOnlyTheCircleIsMeant(t *testing.T) {
	t.Parallel()
	known := circle{Names: book, turn: meet.Turn{Circle: []meet.PersonID{"b"}}}
	if diff := cmp.Diff([]meet.Person{tomB}, known.Find("תום")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := known.Find("Ruth"); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}

// The people who take part were named by the user, in the letters of either language. Of a longer name that the model
// gives, what the user said of it counts.
func TestOnlyNamed(t *testing.T) {
	t.Parallel()
	book := phoneBook{
		"Ruth": {ruth}, "Ruth Adler": {ruth}, "רות": {ruth}, "Tom": {tomA, tomB}, "tom": {tomA, tomB}, "Tom Abel": {tomA},
		"Tom Bach": {tomB}, "ruth@example.com": {ruth},
	}
	for _, c := range []struct {
		name, message string
		history       string
		said, heard   []string
		want          []string
		unnamed       bool
	}{
		{"as written", "tea with Ruth and my sister", "", []string{"Ruth", "my sister"}, nil, []string{"Ruth", "my sister"},
			false},
		{"in an earlier message", "and Ruth?", "tea with Tom Bach", []string{"Tom Bach"}, nil, []string{"Tom Bach"}, false},
		{"by more than was said", "tea with ruth", "", []string{"Ruth Adler"}, []string{"Ruth"}, []string{"Ruth"}, false},
		{"by more than was said, and unheard", "tea with Ruth", "", []string{"Ruth Adler"}, nil, []string{"Ruth"}, false},
		{"in other letters", "תה עם רות", "", []string{"Ruth"}, []string{"רות"}, []string{"רות"}, false},
		{"with a letter in front", "תה לתום ורות", "", []string{"רות"}, nil, []string{"רות"}, false},
		{"one of two of a name", "tea with Tom", "", []string{"Tom Bach"}, []string{"Tom"}, []string{"Tom"}, false},
		{"the other of two", "tea with Tom Abel", "", []string{"Tom Bach"}, []string{"Tom Abel"}, []string{"Tom Abel"}, true},
		{"nobody", "tea on Monday", "", []string{"Ruth"}, nil, nil, true},
		{"an address of a contact", "tea with Tom Abel", "", []string{"Tom Abel", "ruth@example.com"}, []string{"Tom Abel"},
			[]string{"Tom Abel"}, true},
		{"an address in place of a name", "tea with Ruth", "", []string{"ruth@evil.example"}, []string{"Ruth"}, nil, true},
		{"a part of a word", "the other day", "", []string{"Theo"}, nil, nil, true},
	} {
		in := situation{contacts: circle{Names: book}, asked: c.message, receipt: new(tally)}
		in.turn.Message = c.message
		in.conversation.History = []meet.Exchange{{User: c.history}}
		heard := &meet.Heard{Template: meet.Template{Participants: c.heard}}
		draft := in.onlyNamed(meet.Draft{Template: meet.Template{Participants: c.said}, Heard: heard})
		if diff := cmp.Diff(c.want, draft.Template.Participants); diff != "" || heard.Unnamed != c.unnamed {
			t.Errorf("%s: unnamed %v (-want +got):\n%s", c.name, heard.Unnamed, diff)
		}
	}
}
