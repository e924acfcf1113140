package world

import (
	"encoding/json"
	"time"

	"convene/pkg/meet"
)

// blockPart is the data of a scheduleBlock: its times are those of a clock, as "9:00 AM".
type blockPart struct {
	ID          string     `json:"id"`
	Type        string     `json:"type"`
	Title       string     `json:"title"`
	StartTime   string     `json:"startTime"`
	EndTime     string     `json:"endTime"`
	AllDay      bool       `json:"allDay,omitempty"`
	Description string     `json:"description,omitempty"`
	Tasks       []struct{} `json:"tasks"`
}

// Block shows an event as a scheduleBlock; one that is no time block is a meeting.
func (w *World) Block(o meet.Occurrence) meet.Component {
	clock := func(t time.Time) string { return t.In(w.Zone()).Format("3:04 PM") }
	part := blockPart{
		ID: o.Key(), Type: string(o.Kind), Title: o.Title, StartTime: clock(o.Span.Start), EndTime: clock(o.Span.End),
		AllDay: o.AllDay, Description: o.Description, Tasks: []struct{}{},
	}
	if part.Type == "" {
		part.Type = string(meet.MeetingBlock)
	}
	return Part(meet.ScheduleBlockPart, part)
}

// Part is a component with data that can be encoded.
func Part(is meet.ComponentType, data any) meet.Component {
	raw, err := meet.MarshalLine(data)
	if err != nil {
		raw = json.RawMessage("null")
	}
	return meet.Component{Type: is, Data: raw}
}
