package people_test

import (
	"fmt"

	"convene/pkg/meet"
	"convene/pkg/people"
)

// Two people who fit equally well are both found, so that the user can be asked.
func ExampleContacts_Find() {
	contacts := []meet.Person{{ID: "1", Name: "Sam Rivera"}, {ID: "2", Name: "Sam Okafor"}, {ID: "3", Name: "Dana Kim"}}
	for _, name := range []string{"Sam", "sam okafor", "דנה", "Zoe"} {
		var found []string
		for _, person := range people.Of(contacts).Find(name) {
			found = append(found, person.Name)
		}
		fmt.Printf("%s: %q\n", name, found)
	}
	// Output:
	// Sam: ["Sam Rivera" "Sam Okafor"]
	// sam okafor: ["Sam Okafor"]
	// דנה: ["Dana Kim"]
	// Zoe: []
}
