package auth_test

import (
	"fmt"

	"convene/pkg/auth"
	"convene/pkg/meet"
)

// A token is bound to people and conversations: what it does not name is not found.
func ExampleCaller() {
	browser := auth.Caller{Kind: auth.ByToken, Grant: auth.Grant{Organizers: []meet.PersonID{"mia"}, Namespace: "w9"}}
	fmt.Println(browser.MayOrganize("mia"), browser.MayOrganize("al"))
	fmt.Println(browser.MayFollow("w9.lunch"), browser.MayFollow("c1"))
	// Output:
	// true false
	// true false
}

// Rates are written as in the settings: so many in so much time.
func ExampleParseRate() {
	rate, err := auth.ParseRate("600/1m")
	fmt.Printf("%+v %v\n", rate, err)
	// Output: {Requests:600 Window:1m0s} <nil>
}
