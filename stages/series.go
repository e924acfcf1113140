package stages

import (
	"encoding/json"

	"convene/pkg/ground"
	"convene/pkg/meet"
)

// series is the call that makes a series of what the message arranges for the organizer alone, at times that it names:
// "choir every Monday at 6 till the end of March". It is nil for anything else: what others take part in is arranged
// once, and the proposal says so.
// An hour of which nothing tells the half of the day is asked for.
func (r *run) series(draft meet.Draft) *planned {
	t := draft.Template
	wishes := t.ActivitySearchQuery != "" || t.Wishes.Where != (meet.Whereabouts{}) || len(t.Wishes.Features) > 0 ||
		t.TravelBuffer != (meet.TravelBuffer{}) || draft.Anchored != nil
	others := len(draft.People)+len(draft.Undecided)+len(t.Participants) > 0
	if draft.Mode != meet.ModeNew || others || wishes || t.Title == "" {
		return nil
	}
	series, ok := ground.SeriesOf(r.plainMessage())
	if !ok {
		return nil
	}
	start := series.Start
	if _, at, exact := t.ExactStart(); exact && series.Open {
		start = start[:len("2006-01-02T")] + at.String()
	}
	event := map[string]any{
		"title": t.Title, "start": start, "durationMinutes": t.Duration, "recurrence": series.Rule,
	}
	if t.PlaceName != "" {
		event["location"] = t.PlaceName
	}
	arguments, err := json.Marshal(map[string]any{"events": []any{event}})
	if err != nil {
		return nil
	}
	return &planned{
		Call: &meet.PlannedCall{Tool: "calendar_createEvents", Arguments: arguments}, Unsure: series.Open,
	}
}
