package schedule

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// calendar is a person's events; broken says that some cannot be read.
type calendar struct {
	events []meet.Occurrence
	broken bool
}

func (c calendar) Events(_ context.Context, _ meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	var found []meet.Occurrence
	for _, o := range c.events {
		if o.Span.Overlaps(span) {
			found = append(found, o)
		}
	}
	if c.broken {
		return found, errors.New("unreachable")
	}
	return found, nil
}

// thursday is the day of the tests, and now the morning before it.
var (
	zone     = time.FixedZone("", 2*60*60)
	thursday = interval.Date{Year: 2026, Month: time.November, Day: 26}
	now      = time.Date(2026, time.November, 25, 8, 2, 0, 0, zone)
)

// at is an event of Thursday.
func at(uid, title, start, end string) meet.Occurrence {
	clock := func(text string) time.Time {
		c, err := interval.ParseClock(text)
		if err != nil {
			panic(err)
		}
		t, _ := thursday.At(c, zone)
		return t
	}
	return meet.Occurrence{UID: uid, Title: title, Span: interval.Span{Start: clock(start), End: clock(end)}}
}

func block(kind meet.BlockKind, uid, title, start, end string) meet.Occurrence {
	o := at(uid, title, start, end)
	o.Kind = kind
	return o
}

func newWorld(c calendar) *world.World {
	dana := meet.Person{ID: "dana", Name: "Dana", Email: "dana@example.com"}
	return &world.World{Now: now, Owner: dana, Language: "en", Key: "turn", Agenda: agenda.NewCopy(c, dana)}
}

var set = sync.OnceValue(Set)

// call runs a tool of the family.
func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

// got runs a tool that must succeed, and decodes its data.
func got[Data any](t *testing.T, w *world.World, name, arguments string) (Data, world.Result) {
	t.Helper()
	result, err := call(t, w, name, arguments)
	if err != nil || result.Response.Error != nil {
		t.Fatalf("%s %s: %v, %+v", name, arguments, err, result.Response.Error)
	}
	if result.Response.Display.Description == "" || result.Response.Display.Title == "" {
		t.Errorf("%s: nothing is told: %+v", name, result.Response.Display)
	}
	if strings.ContainsAny(result.Response.Display.Description, "{}") {
		t.Errorf("%s: a hole is left: %s", name, result.Response.Display.Description)
	}
	var data Data
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data, result
}

// clocks are the times of events on Thursday, as "09:00-10:00 title".
func clocks(t *testing.T, events []agenda.Event) (list []string) {
	t.Helper()
	for _, e := range events {
		start, err := time.Parse(time.RFC3339, e.Start)
		if err != nil {
			t.Fatal(err)
		}
		end, err := time.Parse(time.RFC3339, e.End)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, start.Format("15:04")+"-"+end.Format("15:04")+" "+e.Title)
	}
	return list
}
