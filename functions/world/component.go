package world

import (
	"encoding/json"
	"time"

	"convene/pkg/interval"
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
	Tasks       []TaskItem `json:"tasks"`
	// Filled is the open estimated minutes of the tasks by the minutes of the block.
	Filled float64 `json:"filled,omitempty"`
}

// Block shows an event as a scheduleBlock, with the tasks of a time block if tasks have been read; one that is no time
// block is a meeting.
func (w *World) Block(o meet.Occurrence) meet.Component {
	load := w.Load(o)
	clock := func(t time.Time) string { return t.In(w.Zone()).Format("3:04 PM") }
	part := blockPart{
		ID: o.Key(), Type: string(o.Kind), Title: o.Title, StartTime: clock(o.Span.Start), EndTime: clock(o.Span.End),
		AllDay: o.AllDay, Description: o.Description, Tasks: load.Tasks, Filled: load.Filled,
	}
	if part.Type == "" {
		part.Type = string(meet.MeetingBlock)
	}
	return Part(meet.ScheduleBlockPart, part)
}

// Blocks shows events, each as a scheduleBlock.
func (w *World) Blocks(events []meet.Occurrence) []meet.Component {
	parts := make([]meet.Component, len(events))
	for i, o := range events {
		parts[i] = w.Block(o)
	}
	return parts
}

// Gap is free time. Duration is in minutes.
type Gap struct {
	StartTime string `json:"startTime"`
	EndTime   string `json:"endTime"`
	Duration  int    `json:"duration"`
}

// Gaps are spans of free time for clients.
func (w *World) Gaps(spans []interval.Span) []Gap {
	gaps := make([]Gap, len(spans))
	for i, s := range spans {
		gaps[i] = Gap{
			s.Start.In(w.Zone()).Format(time.RFC3339), s.End.In(w.Zone()).Format(time.RFC3339),
			int(s.Duration() / time.Minute),
		}
	}
	return gaps
}

// GapList shows free time as a gapList.
func GapList(gaps []Gap) meet.Component {
	return Part(meet.GapListPart, map[string][]Gap{"gaps": gaps})
}

// Part is a component with data that can be encoded.
func Part(is meet.ComponentType, data any) meet.Component {
	raw, err := meet.MarshalLine(data)
	if err != nil {
		raw = json.RawMessage("null")
	}
	return meet.Component{Type: is, Data: raw}
}
