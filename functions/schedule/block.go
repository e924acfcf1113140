package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

// mostAtOnce is how many blocks may stand at one time.
const mostAtOnce = 4

// Blocks are the data of a tool that makes or changes time blocks: as they would be, until they are applied.
type Blocks struct {
	Blocks []agenda.Event `json:"blocks"`
	// Conflicts are what the blocks overlap; they are made all the same.
	Conflicts []Overlap `json:"conflicts"`
}

// Overlap is an event that a block overlaps.
type Overlap struct {
	Event  agenda.Event `json:"event"`
	Reason string       `json:"reason"`
}

// place is a new time block at its time.
func (d day) place(in NewBlock, date interval.Date) (o meet.Occurrence, err error) {
	o = meet.Occurrence{Title: meet.Caption(in.Title), Kind: meet.BlockKind(in.Type)}
	if strings.TrimSpace(o.Title) == "" {
		return o, tool.BadArgument("title", "a block needs a title")
	}
	if in.Description != nil {
		o.Description = *in.Description
	}
	if in.StartTime == nil && (in.EndTime != nil || in.DurationMinutes == nil) {
		return o, tool.BadArgument("startTime", "a block needs its times, or its durationMinutes")
	}
	if in.DurationMinutes == nil && in.EndTime == nil {
		return o, tool.BadArgument("endTime", "a block needs its end, or its durationMinutes")
	}
	if in.DurationMinutes == nil {
		o.Span, err = stretch(d.World, date, [2]string{"startTime", *in.StartTime}, [2]string{"endTime", *in.EndTime})
		return o, err
	}
	length := time.Duration(*in.DurationMinutes) * time.Minute
	if length < time.Minute || length > longestBlock {
		return o, tool.BadArgument("durationMinutes", "%d minutes; it must be from 1 to %d",
			*in.DurationMinutes, int(longestBlock/time.Minute))
	}
	if in.StartTime != nil && in.EndTime == nil {
		o.Span.Start, err = clockAt(d.World, "startTime", date, *in.StartTime)
		o.Span.End = o.Span.Start.Add(length)
		return o, err
	}
	o.Span, err = d.firstFree(in, date, length)
	return o, err
}

// longestBlock is the most that a block may last of which only the length is said.
const longestBlock = 24 * time.Hour

// firstFree is the first free time of a length where the block may be. Its owner has not named that time, and is asked.
func (d day) firstFree(in NewBlock, date interval.Date, length time.Duration) (s interval.Span, err error) {
	var between *agenda.TimeOfDay
	hours := world.UsualHours
	if in.StartTime != nil {
		between, hours = &agenda.TimeOfDay{Start: *in.StartTime, End: *in.EndTime}, world.NamedHours
	}
	within, err := d.window(date, between, [2]string{"startTime", "endTime"})
	if err != nil {
		return s, err
	}
	if len(within) == 1 && within[0].Duration() == length {
		return within[0], nil
	}
	minutes := int(length / time.Minute)
	free, kept := d.Spare(within.Minus(d.busy(takes)), d.span, hours)
	if free = atLeast(free, minutes); len(free) == 0 {
		return s, &world.Refusal{
			Fault:   fault.New(fault.Conflict, "%s", d.gapsText(nil, within, minutes, kept)),
			Actions: []string{d.say("askGaps", "day", d.Voice().OnDay(d.span.Start))},
		}
	}
	d.Doubt()
	return interval.Span{Start: free[0].Start, End: free[0].Start.Add(length)}, nil
}

// overlapped are the events that take time within span, other than time blocks and the block itself.
func (d day) overlapped(span interval.Span, self string) (list []meet.Occurrence) {
	for _, o := range d.events {
		if o.Kind == "" && takes(o) && o.Span.Overlaps(span) && o.Key() != self {
			list = append(list, o)
		}
	}
	return list
}

// full reports whether as many blocks as may be stand at some moment of span already.
func (d day) full(span interval.Span, self string) bool {
	var there []interval.Span
	for _, o := range d.events {
		if o.Kind != "" && o.Span.Overlaps(span) && o.Key() != self {
			there = append(there, o.Span.Intersect(span))
		}
	}
	return slices.ContainsFunc(there, func(at interval.Span) bool {
		count := 0
		for _, s := range there {
			if s.Contains(at.Start) {
				count++
			}
		}
		return count >= mostAtOnce
	})
}

// fullError says that no further block may stand at that time.
func (d day) fullError(span interval.Span) error {
	return &world.Refusal{
		Fault:   fault.New(fault.Conflict, "%s", d.say("full", "when", d.Voice().Span(span, false))),
		Actions: []string{d.say("askGaps", "day", d.Voice().OnDay(span.Start))},
	}
}

// shown is a change of a block as data, as a component, and as a warning.
func (d day) shown(c meet.Change, o meet.Occurrence) (Blocks, meet.Component, string, error) {
	data := Blocks{Conflicts: []Overlap{}}
	var event agenda.Event
	if err := json.Unmarshal(c.After, &event); err != nil {
		return data, meet.Component{}, "", err
	}
	event.Pending = true
	data.Blocks = []agenda.Event{event}
	over := d.overlapped(o.Span, o.Key())
	for _, other := range over {
		data.Conflicts = append(data.Conflicts, Overlap{
			Event: agenda.EventOf(other, d.Zone()), Reason: d.say("overlaps", "titles", d.Voice().Title(other.Title)),
		})
	}
	o.UID = event.ID
	warning := ""
	if len(over) > 0 {
		warning = " " + d.say("overlaps", "titles", d.titles(over))
	}
	return data, d.Block(o), warning, nil
}

// Which says which block is meant.
type Which struct {
	BlockID   *string           `json:"blockId" jsonschema:"nullable"`
	Selection *agenda.Selection `json:"selection" jsonschema:"nullable"`
}

// find is the block that is meant: the only event that is found.
func (in Which) find(ctx context.Context, w *world.World) (found world.Found, err error) {
	var s agenda.Selection
	switch {
	case in.BlockID != nil:
		s.IDs = []string{*in.BlockID}
	case in.Selection != nil:
		s = *in.Selection
		if len(s.Kinds) == 0 {
			s.Kinds = []string{"block"}
		}
	default:
		return found, tool.BadArgument("blockId", "say which block: by blockId, or by selection")
	}
	w.ReadTasks(ctx)
	one := true
	s.One = &one
	if found, err = w.Targets(ctx, s); err != nil {
		return found, err
	}
	if block := found.Events[0]; block.Kind == "" {
		return found, fault.New(fault.Conflict, "%s",
			w.Voice().Say(phrases, "noBlock", "title", w.Voice().Title(block.Title)))
	}
	return found, nil
}

// amend makes the change of a block, of one occurrence if it is one of a series. Note says so.
func (d day) amend(a agenda.Amendment) (c meet.Change, note string, err error) {
	if a.Event.Repeats() {
		a.Scope, note = meet.ThisOne, " "+d.say("thisOnly")
	}
	c, err = d.Amend(a)
	return c, note, err
}

// within names the element of blocks that is wrong.
func within(err error, i int) error {
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		return tool.BadArgument(fmt.Sprintf("blocks[%d].%s", i, wrong.Field), "%s", wrong.Problem)
	}
	return err
}
