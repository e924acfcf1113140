// Package calendar has the tools of the family calendar: one .go and one .md each. change.go has what those that change
// events share, free.go when people are free, and telling.go how events are told.
package calendar

import (
	"convene/functions/world"
	"convene/pkg/meet"
)

// Family is the name of the family.
const Family = "calendar"

// Set are the tools of the family. A new tool is one file, its words, and one line here.
func Set() []world.Tool {
	return []world.Tool{
		FindEvents(),
		CreateEvents(),
		UpdateEvents(),
		DeleteEvents(),
		MoveEvents(),
		CheckAvailability(),
		FindTimes(),
		ScheduleMeeting(),
		RescheduleMeeting(),
		Respond(),
		NotifyAttendees(),
		CopyEvents(),
		CopyMissing(),
		SuggestLighter(),
	}
}

// reads and changes are the traits of the family's tools.
func reads(gives world.Type) world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Reads, Needs: "calendar", Gives: gives,
		Operation: meet.ReadResource, Resource: meet.EventResource,
	}
}

func changes(how meet.Operation) world.Trait {
	return world.Trait{
		Family: Family, Effect: world.Changes, Needs: "calendar", Gives: world.ChangeList,
		Operation: how, Resource: meet.EventResource,
	}
}
