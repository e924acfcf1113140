package people_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/meet"
	"convene/pkg/people"
)

func named(names ...string) []meet.Person {
	var list []meet.Person
	for _, name := range names {
		list = append(list, meet.Person{ID: meet.PersonID(strings.ToLower(name)), Name: name})
	}
	return list
}

func names(list []meet.Person) []string {
	var all []string
	for _, p := range list {
		all = append(all, p.Name)
	}
	return all
}

func TestMatch(t *testing.T) {
	t.Parallel()
	contacts := named("Al Chen", "Sam Rivera", "Sam Okafor", "Renée Dubois", "Priya Raman", "Priyanka Raman",
		"Elizabeth Warrick", "Jonathan Weiss", "Mary-Ann Lee", "Søren Kjær", "Alice", "דנה לוי", "Noah O'Brien")
	for _, test := range []struct {
		name, asked string
		want        []string
	}{
		{"full name", "Al Chen", []string{"Al Chen"}},
		{"first name", "Al", []string{"Al Chen"}},
		{"any case", "aL cHEN", []string{"Al Chen"}},
		{"possessive", "Al's", []string{"Al Chen"}},
		{"curly possessive", "Al’s", []string{"Al Chen"}},
		{"spaces around", "  Al  ", []string{"Al Chen"}},
		{"mentioned with @", "@al", []string{"Al Chen"}},
		{"last name", "Okafor", []string{"Sam Okafor"}},
		{"two with one first name", "Sam", []string{"Sam Rivera", "Sam Okafor"}},
		{"two told apart by an initial", "Sam R.", []string{"Sam Rivera"}},
		{"a short name that lacks a letter is another one", "Noa", nil},
		{"two with one last name", "Raman", []string{"Priya Raman", "Priyanka Raman"}},
		{"a whole first name goes before a prefix", "Priya", []string{"Priya Raman"}},
		{"a prefix that fits one", "Eliz", []string{"Elizabeth Warrick"}},
		{"a prefix that fits two is nobody", "Pri", nil},
		{"one letter alone is nobody", "E", nil},
		{"accents do not matter", "Renee Dubois", []string{"Renée Dubois"}},
		{"nor do other letters", "Soren Kjaer", []string{"Søren Kjær"}},
		{"short form", "Liz", []string{"Elizabeth Warrick"}},
		{"short form with last name", "Jon Weiss", []string{"Jonathan Weiss"}},
		{"short form with another last name", "Liz Weiss", nil},
		{"hyphen as space", "mary ann", []string{"Mary-Ann Lee"}},
		{"apostrophe in a name", "Noah O'Brien's", []string{"Noah O'Brien"}},
		{"one letter wrong", "Okafar", []string{"Sam Okafor"}},
		{"two letters swapped", "Rivear", []string{"Sam Rivera"}},
		{"one letter missing", "Elizabth", []string{"Elizabeth Warrick"}},
		{"one letter wrong in a short name is another name", "Ali", []string{"Alice"}},
		{"two letters wrong", "Ekafar", nil},
		{"another script", "דנה", []string{"דנה לוי"}},
		{"nobody", "Zoltan", nil},
		{"empty", "", nil},
		{"no letters", "?!", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, names(people.Of(contacts).Find(test.asked))); diff != "" {
				t.Errorf("Match(%q) (-want +got):\n%s", test.asked, diff)
			}
		})
	}
}

func TestMatchInHebrewLetters(t *testing.T) {
	t.Parallel()
	contacts := named("Al Chen", "Dana Whitfield", "Noam Levi", "Inês Duarte", "Theo Marchetti", "Grace Kim",
		"Marcus Bell", "Lena Hoffmann",
		"Yuki Tanaka", "Sam Rivera", "Sam Okafor", "John Walker", "Jane Peters", "Michael Stone", "Emma Fox", "Yael Cohen",
		"Alexandra Sharp", "שירה גולן")
	for asked, want := range map[string][]string{
		"אל": {"Al Chen"}, "אל צ׳ן": {"Al Chen"}, "דנה": {"Dana Whitfield"}, "נועם": {"Noam Levi"}, "נועם לוי": {"Noam Levi"},
		"אינס": {"Inês Duarte"},
		"תיאו": {"Theo Marchetti"}, "גרייס": {"Grace Kim"}, "מרקוס": {"Marcus Bell"}, "לנה": {"Lena Hoffmann"},
		"יוקי": {"Yuki Tanaka"},
		"סם":   {"Sam Rivera", "Sam Okafor"}, "סם ריברה": {"Sam Rivera"}, "אוקפור": {"Sam Okafor"}, "ג׳ון": {"John Walker"},
		"ג'יין": {"Jane Peters"},
		"מייקל": {"Michael Stone"}, "מיכאל": {"Michael Stone"}, "יעל": {"Yael Cohen"}, "כהן": {"Yael Cohen"},
		"Shira": {"שירה גולן"}, "שירה": {"שירה גולן"},
		// Names that are close to those, and words that only sound like one.
		"דינה": nil, "דן": nil, "עלי": nil, "אלה": nil, "לינה": nil, "נעמי": nil, "נעמה": nil, "סימה": nil, "אמא": nil,
		"ל": nil, "מיכל": nil, "Shir": nil,
	} {
		if diff := cmp.Diff(want, names(people.Of(contacts).Find(asked))); diff != "" {
			t.Errorf("Match(%q) (-want +got):\n%s", asked, diff)
		}
	}
}

func TestMatchOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, asked string
		among       []meet.Person
		want        []string
	}{
		{"the exact name goes before a longer one", "Alex", named("Alex Moreau", "Alex"), []string{"Alex"}},
		{"a first name goes before a last name", "James", named("Lee James", "James Lee"), []string{"James Lee"}},
		{"a last name goes before a short form", "Bill", named("William Hart", "Ann Bill"), []string{"Ann Bill"}},
		{"a slip that fits two is nobody", "Marias", named("Maria Low", "Marian Hill", "Marius Sy"), nil},
		{"address", "AL@example.com", []meet.Person{{Name: "Al Chen", Email: "al@example.com"}}, []string{"Al Chen"}},
		{"the same person twice is one", "Al", append(named("Al Chen"), named("Al Chen")...), []string{"Al Chen"}},
		{"people without id are different", "Al", []meet.Person{{Name: "Al"}, {Name: "Al"}}, []string{"Al", "Al"}},
		{"nobody to choose from", "Al", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, names(people.Of(test.among).Find(test.asked))); diff != "" {
				t.Errorf("Match(%q) (-want +got):\n%s", test.asked, diff)
			}
		})
	}
}

func TestMentioned(t *testing.T) {
	t.Parallel()
	contacts := named("Al Chen", "Sam Rivera", "Sam Okafor", "May Lindqvist", "Renée Dubois")
	for _, test := range []struct {
		text string
		want []string
	}{
		{"Let's grab coffee with Al next week", []string{"Al Chen"}},
		{"also at 3, almost always", nil},
		{"lunch with al's team", []string{"Al Chen"}},
		{"Sam, Al and RENEE!", []string{"Sam Rivera", "Sam Okafor", "Al Chen", "Renée Dubois"}},
		{"some time in may", []string{"May Lindqvist"}},
		{"", nil},
		{"קפה עם סם ואל בשבוע הבא", []string{"Sam Rivera", "Sam Okafor", "Al Chen"}},
		{"להזמין את נטע", nil},
		{"\xff\xfe Al", []string{"Al Chen"}},
	} {
		if diff := cmp.Diff(test.want, names(meet.Mentioned(people.Of(contacts).Mentioned(test.text)))); diff != "" {
			t.Errorf("Mentioned(%q) (-want +got):\n%s", test.text, diff)
		}
	}
}

func TestMentionedIsLinear(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("al ", 500_000)
	began := time.Now()
	if got := people.Of(named("Al Chen")).Mentioned(text); len(got) != 1 {
		t.Fatalf("found %d people, want 1", len(got))
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("a text of 1.5 MB took %v", took)
	}
}

func TestDirectoryLeavesTheOrganizerOut(t *testing.T) {
	t.Parallel()
	d := people.Directory{Store: store{people: named("Sam Rivera", "Sam Okafor")}}
	contacts, err := d.Of(t.Context(), "sam rivera")
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string][]meet.Person{
		"Find": contacts.Find("Sam"), "Mentioned": meet.Mentioned(contacts.Mentioned("with Sam")),
	} {
		if diff := cmp.Diff([]string{"Sam Okafor"}, names(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestDirectoryPassesErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("store is away")
	d := people.Directory{Store: store{err: broken}}
	if _, err := d.Of(t.Context(), "me"); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

type store struct {
	people []meet.Person
	err    error
}

func (s store) All(context.Context) ([]meet.Person, error) { return s.people, s.err }
