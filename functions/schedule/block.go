package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// blockAt is a new time block.
func blockAt(w *world.World, in NewBlock, d interval.Date) (meet.Occurrence, error) {
	title := meet.Caption(in.Title)
	if strings.TrimSpace(title) == "" {
		return meet.Occurrence{}, tool.BadArgument("title", "a block needs a title")
	}
	span, err := stretch(w, d, [2]string{"startTime", in.StartTime}, [2]string{"endTime", in.EndTime})
	o := meet.Occurrence{Title: title, Kind: meet.BlockKind(in.Type), Span: span}
	if in.Description != nil {
		o.Description = meet.Caption(*in.Description)
	}
	return o, err
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
	return &world.RefusedError{
		Fault:   fault.New(fault.Conflict, "%s", d.say("full", "when", d.Voice().Span(span, false))),
		Actions: []string{d.say("askGaps", "day", d.Voice().Day(span.Start))},
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

// find is the block that is meant. Several that fit are an *world.AmbiguousError, and none a fault that tells what
// there is.
func (in Which) find(ctx context.Context, w *world.World) (meet.Occurrence, error) {
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
		return meet.Occurrence{}, tool.BadArgument("blockId", "say which block: by blockId, or by selection")
	}
	one := true
	s.One = &one
	scene := agenda.Scene{Now: w.Now, People: w.People}
	span, err := s.Span(scene)
	if err != nil {
		return meet.Occurrence{}, argument(err)
	}
	d, err := read(ctx, w, span)
	if err != nil {
		return meet.Occurrence{}, err
	}
	found, err := s.Select(d.events, scene)
	if several, ok := errors.AsType[*agenda.AmbiguousError](err); ok {
		return meet.Occurrence{}, d.which(several.Options)
	}
	if err != nil {
		return meet.Occurrence{}, argument(err)
	}
	if len(found) == 0 {
		return meet.Occurrence{}, d.none()
	}
	return found[0], d.mayChange(found[0])
}

// argument is an error of a selection as the caller's mistake.
func argument(err error) error {
	if f := fault.As(err); f.Code == fault.InvalidRequest {
		return tool.BadArgument("selection."+f.Field, "%s", f.Message)
	}
	return err
}

func (d day) which(options []meet.Occurrence) error {
	ask := &world.AmbiguousError{Question: d.say("which")}
	for _, o := range options {
		ask.Options = append(ask.Options, meet.Option{
			ID: o.Key(), Label: o.Title, Detail: d.Voice().Span(o.Span, o.AllDay),
		})
	}
	return ask
}

// mayChange is a fault if the event is none of the owner's blocks that can be written.
func (d day) mayChange(o meet.Occurrence) error {
	switch title := d.Voice().Title(o.Title); {
	case o.Kind == "":
		return fault.New(fault.Conflict, "%s", d.say("noBlock", "title", title))
	case o.ReadOnly:
		return fault.New(fault.CalendarFailed, "%s", d.say("readOnly", "title", title))
	}
	return nil
}

// mostNear is how many blocks are named if none fits.
const mostNear = 5

// none is the fault that no block fits, with those that are next.
func (d day) none() error {
	if d.unread {
		return fault.New(fault.CalendarFailed, "%s %s", d.say("nowhere"), d.say("unread")).Later(0)
	}
	text := d.say("nowhere")
	var near []string
	for _, o := range d.events {
		if o.Kind != "" && o.Span.End.After(d.Now) && len(near) < mostNear {
			near = append(near, d.Voice().Title(o.Title)+" ("+d.Voice().When(o.Span.Start)+")")
		}
	}
	if len(near) > 0 {
		text += " " + d.say("near", "list", d.Voice().List(near))
	}
	return &world.RefusedError{
		Fault: fault.New(fault.NotFound, "%s", text), Actions: []string{d.say("askDay", "day", d.Voice().Day(d.Now))},
	}
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
