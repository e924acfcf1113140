package people_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/meet"
	"convene/pkg/people"
)

func TestSearch(t *testing.T) {
	t.Parallel()
	all := []meet.Contact{
		{
			Person: meet.Person{ID: "marta", Name: "Marta Ruiz", Email: "marta@pipes.example"}, Phone: "+1 555 0117",
			Role: "Plumber", Notes: "has the spare key",
		},
		{
			Person: meet.Person{ID: "dana", Name: "Dana Whitfield", Email: "dana@example.org"},
			Emails: []string{"dw@studio.example"}, Role: "architect",
		},
		{Person: meet.Person{ID: "sam-1", Name: "Sam Rivera"}, Role: "Noa's teacher"},
		{Person: meet.Person{ID: "sam-2", Name: "Sam Okafor"}, Notes: "studied architecture"},
	}
	for words, want := range map[string]string{
		"dana": "dana", "DANA WHITFIELD": "dana", "דנה": "dana", "Sam": "sam-1 sam-2", "sam-2": "sam-2",
		"dw@studio.example": "dana", "studio": "dana", "plumbers": "marta", "my plumber": "marta", "555-0117": "marta",
		"field": "dana", "Noa's teacher": "sam-1", "spare key": "marta", "zoe": "", "": "", "5": "",
	} {
		var ids []string
		for _, c := range people.Search(words, all) {
			ids = append(ids, string(c.ID))
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
}

func TestBirthday(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		birthday, from, day string
		age                 int
	}{
		{"1987-05-03", "2026-05-03", "2026-05-03", 39}, {"1987-05-03", "2026-05-04", "2027-05-03", 40},
		{"--05-03", "2026-01-01", "2026-05-03", 0}, {"1992-02-29", "2027-01-01", "2027-02-28", 35},
		{"--02-29", "2028-01-01", "2028-02-29", 0}, {"", "2026-01-01", "", 0},
	} {
		from, err := time.Parse(time.DateOnly, c.from)
		if err != nil {
			t.Fatal(err)
		}
		day, age, ok := people.Birthday(meet.Contact{Birthday: c.birthday}, from.Add(15*time.Hour))
		got := ""
		if ok {
			got = day.Format(time.DateOnly)
		}
		if got != c.day || age != c.age {
			t.Errorf("%s from %s: %s, %d", c.birthday, c.from, got, age)
		}
	}
}

// A contact that someone saved is known to them alone.
func TestDirectoryKeepsContactsApart(t *testing.T) {
	t.Parallel()
	d := people.Directory{Store: store{people: []meet.Person{
		{ID: "al", Name: "Al"}, {ID: "mine", Name: "Bo", Owner: "me"}, {ID: "theirs", Name: "Cy", Owner: "al"},
	}}}
	for organizer, want := range map[meet.PersonID]string{"me": "Al Bo", "al": "Cy", "": "Al"} {
		contacts, err := d.Of(t.Context(), organizer)
		if got := strings.Join(names(contacts.People), " "); got != want || err != nil {
			t.Errorf("%q knows %q, want %q (%v)", organizer, got, want, err)
		}
	}
}
