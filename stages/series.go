package stages

import (
	"encoding/json"

	"convene/pkg/ground"
	"convene/pkg/meet"
)

// series is the call that makes a series of what the message arranges for the organizer alone, at times that it names:
// "choir every Monday at 6 till the end of March". It is nil for anything else: what others take part in is arranged
// once, and the proposal says so.
func (r *run) series(draft meet.Draft) *meet.PlannedCall {
	t := draft.Template
	if draft.Mode != meet.ModeNew || len(draft.People)+len(draft.Undecided)+len(t.Participants) > 0 || t.Title == "" {
		return nil
	}
	series, ok := ground.SeriesOf(r.plainMessage())
	if !ok {
		return nil
	}
	event := map[string]any{
		"title": t.Title, "start": series.Start, "durationMinutes": t.Duration, "recurrence": series.Rule,
	}
	if t.PlaceName != "" {
		event["location"] = t.PlaceName
	}
	arguments, err := json.Marshal(map[string]any{"events": []any{event}})
	if err != nil {
		return nil
	}
	return &meet.PlannedCall{Tool: "calendar_createEvents", Arguments: arguments}
}
