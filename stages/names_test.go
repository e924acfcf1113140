package stages

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
)

// phoneBook finds people under every name that they go by.
type phoneBook map[string][]meet.Person

func (b phoneBook) Find(name string) []meet.Person { return b[name] }

func (phoneBook) Mentioned(string) []meet.Person { return nil }

var (
	ruth, tomA, tomB = meet.Person{ID: "ruth", Name: "Ruth Adler"}, meet.Person{ID: "a", Name: "Tom Abel"}, meet.Person{ID: "b", Name: "Tom Bach"}
	book             = phoneBook{"רות": {ruth}, "Ruth": {ruth}, "Adler": {ruth}, "תום": {tomA, tomB}, "באך": {tomB}}
)

func TestPeopleUnderOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		before, after []string
		people, want  []meet.Person
	}{
		{"who was taken out goes", []string{"רות", "תום"}, []string{"תום"}, []meet.Person{ruth, tomB}, []meet.Person{tomB}},
		{"who was chosen is not asked about again", []string{"תום"}, []string{"תום"}, []meet.Person{tomB}, []meet.Person{tomB}},
		{"who is still named stays", []string{"רות", "Adler"}, []string{"Adler"}, []meet.Person{ruth}, []meet.Person{ruth}},
		{"one of two with a name goes by it", []string{"תום"}, nil, []meet.Person{tomA}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &run{contacts: book, conversation: meet.Conversation{Search: &meet.Search{Template: meet.Template{Participants: c.before}}}}
			draft := meet.Draft{Mode: meet.ModeEdit, Template: meet.Template{Participants: c.after}, People: c.people}
			got := r.resolve(draft)
			if got.Question != nil {
				t.Fatalf("got %v", got.Question)
			}
			if diff := cmp.Diff(c.want, got.People); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAliasIsTheNameOfWhoTakesPart(t *testing.T) {
	t.Parallel()
	r := &run{contacts: book, conversation: meet.Conversation{Search: &meet.Search{Template: meet.Template{Participants: []string{"Ruth", "תום"}}}}}
	alias := r.alias()
	for name, want := range map[string]string{"רות": "Ruth", "Adler": "Ruth", "Ruth": "Ruth", "תום": "תום", "Noor": "Noor", "": ""} {
		if got := alias(name); got != want {
			t.Errorf("alias(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestAQuestionIsAnsweredInOtherLetters(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]meet.PersonID{"באך": "b", "התכוונתי לבאך": "", "עם באך": "b", "תום": "", "Ruth": "", "Bach": "b"} {
		r := &run{contacts: book, conversation: meet.Conversation{Question: &meet.Question{Message: "קפה עם תום", Name: "תום", Choices: []meet.Person{tomA, tomB}}}}
		r.turn.Message = answer
		r.answerQuestion()
		if got := r.meant["תום"].ID; got != want || (want != "") != (r.turn.Message == "קפה עם תום") {
			t.Errorf("%q: %q is meant, want %q", answer, got, want)
		}
	}
}

// Whom a caller may not know of is not found by any name.
func TestOnlyThoseInTheCircleAreMeant(t *testing.T) {
	t.Parallel()
	known := circle{book, meet.Turn{Circle: []meet.PersonID{"b"}}}
	if diff := cmp.Diff([]meet.Person{tomB}, known.Find("תום")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := known.Find("Ruth"); len(got) != 0 {
		t.Errorf("found %v", got)
	}
}
