package meet_test

import (
	"fmt"

	"convene/pkg/meet"
)

// What others wrote becomes one plain line before it reaches mail or a page that makes links of what looks like one.
func ExampleCaption() {
	fmt.Println(meet.Caption("Prize draw:\n claim it at https://evil.example/now  today"))
	// Output: Prize draw: claim it at today
}

// A person whose zone is not known is taken to be in UTC.
func ExamplePerson_Zone() {
	fmt.Println(meet.Person{ID: "mia", Timezone: "Europe/Berlin"}.Zone())
	fmt.Println(meet.Person{ID: "al"}.Zone())
	// Output:
	// Europe/Berlin
	// UTC
}
