package meet_test

import (
	"testing"

	"convene/pkg/meet"
)

func TestAnotherBranchWasShownToo(t *testing.T) {
	t.Parallel()
	here, there := meet.Place{ID: "1", Name: "Chain"}, meet.Place{ID: "2", Name: "Chain"}
	var search meet.Search
	search.ShowPlace(here)
	if !search.Shows(here) || !search.Shows(there) {
		t.Error("a branch of what was shown counts as new")
	}
	here.Named, there.Named = true, true
	search = meet.Search{}
	search.ShowPlace(here)
	if !search.Shows(here) || search.Shows(there) {
		t.Error("people who ask for a chain by name want to see its branches")
	}
}
