package calendar

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

//go:embed notify_attendees.md
var notifyAttendeesWords string

type notifyAttendees struct {
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
	People    []string          `json:"people"`
	Text      string            `json:"text"`
}

// NotifyAttendees says that mail is not there yet: what a change tells its guests goes with the invitation.
func NotifyAttendees() world.Tool {
	return world.Define("calendar_notifyAttendees", world.WithSelection(notifyAttendeesWords),
		changes(meet.Execute), notify)
}

func notify(_ context.Context, w *world.World, _ notifyAttendees) (world.Answer[Changed], error) {
	return world.Answer[Changed]{}, fault.New(fault.Unavailable, "%s", say(w, "noMail"))
}
