package calendar

import (
	"context"
	_ "embed"
	"strings"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

//go:embed check_availability.md
var checkAvailabilityWords string

type checkAvailability struct {
	People []string       `json:"people"`
	Start  *string        `json:"start" jsonschema:"nullable"`
	End    *string        `json:"end" jsonschema:"nullable"`
	Window *agenda.Window `json:"window" jsonschema:"nullable"`
}

// Availability is the data of calendar_checkAvailability.
type Availability struct {
	Start string `json:"start"`
	End   string `json:"end"`
	// Free says that all of the people are known to be free all of the time.
	Free   bool           `json:"free"`
	People []personsState `json:"people"`
}

type personsState struct {
	ID    meet.PersonID `json:"id"`
	Name  string        `json:"name"`
	State string        `json:"state" enum:"free,busy,unknown"`
	Busy  []timeSpan    `json:"busy"`
}

type timeSpan struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

// CheckAvailability says whether people are free. Of others it knows free and busy only.
func CheckAvailability() world.Tool {
	return world.Define("calendar_checkAvailability", checkAvailabilityWords, reads(world.Text), check)
}

func check(ctx context.Context, w *world.World, in checkAvailability) (world.Answer[Availability], error) {
	span, err := in.span(w)
	if err != nil {
		return world.Answer[Availability]{}, err
	}
	asked, err := named(w, "people", in.People)
	if err != nil {
		return world.Answer[Availability]{}, err
	}
	if len(asked) == 0 {
		asked = withOwner(w, nil)
	}
	known, err := read(ctx, w, asked, span)
	if err != nil {
		return world.Answer[Availability]{}, err
	}
	data := Availability{Start: rfc(w, span.Start), End: rfc(w, span.End), Free: true, People: []personsState{}}
	var lines []string
	var cards []meet.Component
	for _, p := range asked {
		a := known.of(p, span)
		state := a.State(span)
		data.Free = data.Free && state == interval.Free
		one := personsState{ID: p.ID, Name: p.Name, State: string(state), Busy: []timeSpan{}}
		busy := a.Busy.Within(span)
		for _, b := range busy {
			one.Busy = append(one.Busy, timeSpan{rfc(w, b.Start), rfc(w, b.End)})
		}
		data.People = append(data.People, one)
		cards = append(cards, world.Part(meet.PersonCardPart, one))
		if len(asked) == 1 && p.ID == w.Owner.ID && state != interval.Unknown {
			events, _ := w.Agenda.Events(ctx, span) // they were read a moment ago
			lines = append(lines, w.YesOrNo(events, span))
		} else {
			lines = append(lines, tellState(w, p, state, span, busyTimes(ctx, w, p, busy)))
		}
	}
	return world.Answer[Availability]{
		Data: data, Display: meet.CardDisplay, Title: say(w, "availability", "when", w.Period(span)),
		Description: strings.Join(lines, "\n"), Suggestions: []string{say(w, "tryFree")}, Components: cards,
	}, nil
}

// span is the time that is asked about: from start to end, or half an hour, or the window.
func (in checkAvailability) span(w *world.World) (span interval.Span, err error) {
	if in.Start == nil {
		if in.Window == nil {
			return span, tool.BadArgument("start", "name a start or a window")
		}
		span, err = agenda.Selection{Window: in.Window}.Span(w.Scene())
		return span, badWindow(err)
	}
	if span.Start, err = moment(w, *in.Start, "start"); err != nil {
		return span, err
	}
	span.End = span.Start.Add(30 * time.Minute)
	if isDate(*in.Start) {
		span.End = span.Start.AddDate(0, 0, 1)
	}
	if in.End != nil {
		if span.End, err = moment(w, *in.End, "end"); err != nil {
			return span, err
		}
	}
	if span.Empty() {
		return span, tool.BadArgument("end", "is not after the start")
	}
	return span, nil
}

// tellState is a sentence about a person.
func tellState(
	w *world.World, p meet.Person, state interval.State, span interval.Span, times []string,
) string {
	name := "is." + string(state)
	if p.ID == w.Owner.ID {
		name += "You"
	}
	return say(w, name, "name", w.Voice().Title(p.Name), "when", w.Period(span), "times", strings.Join(times, "; "))
}

// busyTimes are when a person is busy. The owner reads with what.
func busyTimes(ctx context.Context, w *world.World, p meet.Person, busy interval.Set) (times []string) {
	for _, b := range busy {
		if p.ID != w.Owner.ID {
			times = append(times, w.Voice().Span(b, false))
			continue
		}
		events, _ := w.Agenda.Events(ctx, b) // what could not be read is unknown
		for _, o := range events {
			if len(busyWith([]meet.Occurrence{o})) > 0 {
				times = append(times, w.Voice().Title(o.Title)+", "+w.Voice().Span(o.Span, o.AllDay))
			}
		}
	}
	return times
}

func rfc(w *world.World, t time.Time) string { return t.In(w.Zone()).Format(time.RFC3339) }

// badWindow is a fault of a window as the caller's mistake.
func badWindow(err error) error {
	if f := fault.As(err); err != nil && f.Code == fault.InvalidRequest {
		return tool.BadArgument(f.Field, "%s", f.Message)
	}
	return err
}
