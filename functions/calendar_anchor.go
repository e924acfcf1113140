package functions

import "convene/pkg/meet"

// CalendarAnchor is an event of the user's own calendar by which the user names a time, in the user's words.
type CalendarAnchor struct {
	Relation    string `json:"relation" jsonschema:"enum=before,enum=after,enum=right before,enum=right after,enum=day before,enum=day after,enum=between,enum=during"`
	Event       string `json:"event"`
	SecondEvent string `json:"secondEvent"`
}

// read is the anchor as it is looked up later; nil for none.
func (a *CalendarAnchor) read() *meet.CalendarAnchor {
	if a == nil || meet.Caption(a.Event) == "" {
		return nil
	}
	return &meet.CalendarAnchor{
		Relation: meet.Relation(a.Relation), Event: meet.Caption(a.Event), Second: meet.Caption(a.SecondEvent),
	}
}
