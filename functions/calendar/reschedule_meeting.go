package calendar

import (
	"context"
	_ "embed"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed reschedule_meeting.md
var rescheduleMeetingWords string

type rescheduleMeeting struct {
	Selection   agenda.Selection `json:"selection"`
	NewTime     *string          `json:"newTime" jsonschema:"nullable"`
	To          *wanted          `json:"to" jsonschema:"nullable"`
	Scope       *string          `json:"scope" jsonschema:"nullable,enum=this,enum=following,enum=all"`
	PrepMinutes *int             `json:"prepMinutes" jsonschema:"nullable"`
}

// RescheduleMeeting moves a meeting to a time that suits its guests.
func RescheduleMeeting() world.Tool {
	return world.Define("calendar_rescheduleMeeting", world.WithSelection(rescheduleMeetingWords),
		changes(meet.UpdateResource), reschedule)
}

func reschedule(ctx context.Context, w *world.World, in rescheduleMeeting) (world.Answer[Meeting], error) {
	one := true
	in.Selection.One = &one
	found, err := w.Editable(ctx, in.Selection)
	if err != nil {
		return world.Answer[Meeting]{}, err
	}
	o := found.Events[0]
	if o.AllDay {
		return world.Answer[Meeting]{}, tool.BadArgument("selection", "%s is of whole days; use calendar_moveEvents", o.Title)
	}
	draft := meet.Draft{
		Mode: meet.ModeNew, Previous: &meet.Event{UID: o.UID, Start: o.Span.Start, End: o.Span.End},
		Template: meet.Template{
			Title: o.Title, EventType: meet.Video, Activity: meet.Meeting, Duration: minutes(o),
		},
	}
	for _, g := range o.Guests() {
		if g.Answer != meet.Declined {
			draft.People = append(draft.People, personOf(w, g))
		}
	}
	when := wish{start: in.NewTime, prep: in.PrepMinutes}
	if in.To != nil {
		when.wanted = *in.To
	}
	meeting, err := offer(ctx, w, draft, when)
	if err != nil || meeting.told != nil {
		return meeting.answer(w), err
	}
	a := agenda.Amendment{Kind: agenda.Update, Event: o, Scope: scopeOf(o, in.Scope)}
	a.Set.Span = new(meeting.slot.Span())
	return meeting.change(ctx, w, found, a)
}
