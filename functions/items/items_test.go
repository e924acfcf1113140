package items

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/tool"
)

var (
	zone = time.FixedZone("", 60*60)
	now  = time.Date(2026, time.November, 25, 8, 0, 0, 0, zone)
	set  = sync.OnceValue(Set)
)

// event is an event so many hours after now, with guests.
func event(id, title string, after, minutes int, guests ...string) agenda.Event {
	o := meet.Occurrence{UID: id, Title: title, Span: interval.From(
		now.Add(time.Duration(after)*time.Hour), time.Duration(minutes)*time.Minute)}
	for _, guest := range guests {
		o.Attendees = append(o.Attendees, meet.Attendee{Email: guest})
	}
	return agenda.EventOf(o, zone)
}

func events() []agenda.Event {
	return []agenda.Event{
		event("1", "Budget review", 5, 60, "al@example.com", "dana@example.com"),
		event("2", "Standup", 1, 15, "Al@example.com", "mia@example.com"),
		event("3", "Review of plans", 3, 120),
	}
}

// call runs a tool with arguments of any type.
func call(t *testing.T, name string, arguments any) (world.Result, error) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	if err != nil {
		t.Fatal(err)
	}
	w := &world.World{
		Now: now, Owner: meet.Person{ID: "dana", Name: "Dana", Email: "dana@example.com"}, Language: "en",
		People: func(name string) []meet.Person {
			if name == "mia@example.com" {
				return []meet.Person{{ID: "mia", Name: "Mia Chen", Email: name}}
			}
			return nil
		},
	}
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, raw)
}

// args are arguments, some of them left out.
type args map[string]any

func got[Data any](t *testing.T, name string, arguments any) (data Data, result world.Result) {
	t.Helper()
	result, err := call(t, name, arguments)
	if err != nil || result.Response.Error != nil {
		t.Fatalf("%s: %v, %+v", name, err, result.Response.Error)
	}
	if d := result.Response.Display; d.Title == "" || d.Description == "" || strings.ContainsAny(d.Description, "{}") {
		t.Errorf("%s tells %+v", name, d)
	}
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data, result
}

func ids(list List) (ids []string) {
	for _, e := range list.Events {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestFilterKeepsWhatFits(t *testing.T) {
	t.Parallel()
	data, _ := got[List](t, "items_filter", args{"items": events(), "selection": args{"titleHas": []string{"review"}}})
	if diff := cmp.Diff([]string{"1", "3"}, slices.Sorted(slices.Values(ids(data)))); diff != "" || data.Count != 2 {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// What was listed comes back as it was.
	for _, e := range data.Events {
		if i := slices.IndexFunc(events(), func(o agenda.Event) bool { return o.ID == e.ID }); !cmp.Equal(e, events()[i]) {
			t.Errorf("changed: %+v", e)
		}
	}
	none, _ := got[List](t, "items_filter", args{"items": events(), "selection": args{"titleHas": []string{"opera"}}})
	if none.Count != 0 || none.Events == nil {
		t.Errorf("%+v", none)
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	for order, want := range map[string][]string{
		"start": {"2", "3", "1"}, "-start": {"1", "3", "2"}, "duration": {"2", "1", "3"}, "-duration": {"3", "1", "2"},
		"title": {"1", "3", "2"}, "-title": {"2", "3", "1"},
	} {
		data, _ := got[List](t, "items_sort", args{"items": events(), "order": order})
		if diff := cmp.Diff(want, ids(data)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", order, diff)
		}
	}
	data, _ := got[List](t, "items_sort", args{"items": events(), "order": "-duration", "first": 2})
	if diff := cmp.Diff([]string{"3", "1"}, ids(data)); diff != "" {
		t.Errorf("first (-want +got):\n%s", diff)
	}
}

func TestCount(t *testing.T) {
	t.Parallel()
	for want, arguments := range map[int]args{
		3: {"items": events()}, 0: {"items": []agenda.Event{}},
		2: {"items": events(), "selection": args{"titleHas": []string{"review"}}},
	} {
		if data, _ := got[Count](t, "items_count", arguments); data.Count != want {
			t.Errorf("%v: %d, want %d", arguments, data.Count, want)
		}
	}
}

// Everyone once, however their address is written; the owner takes no part.
func TestAttendees(t *testing.T) {
	t.Parallel()
	data, result := got[People](t, "items_attendees", args{"items": events()})
	want := People{People: []string{"al@example.com", "mia@example.com"}, Events: []int{2, 1}}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text := result.Response.Display.Description; !strings.Contains(text, "Mia Chen") {
		t.Errorf("told %q", text)
	}
	if data, _ := got[People](t, "items_attendees", args{"items": []agenda.Event{}}); len(data.People) != 0 {
		t.Errorf("%+v", data)
	}
}

// A copy has another id and the same title and time; one copy stands for one event.
func TestMissing(t *testing.T) {
	t.Parallel()
	twice := append(events(), event("4", "Standup", 1, 15))
	copies := []agenda.Event{event("9", " standup", 1, 15), event("8", "Budget review", 6, 60)}
	data, _ := got[List](t, "items_missing", args{"items": twice, "others": copies})
	if diff := cmp.Diff([]string{"1", "3", "4"}, ids(data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPick(t *testing.T) {
	t.Parallel()
	for want, arguments := range map[string]args{
		"1": {"selection": args{"titleHas": []string{"budget"}}}, "2": {"number": 2}, "3": {"number": -1},
	} {
		arguments["items"] = events()
		if data, _ := got[List](t, "items_pick", arguments); !cmp.Equal(ids(data), []string{want}) {
			t.Errorf("%v: %v, want %s", arguments, ids(data), want)
		}
	}
}

// Several that fit are asked about, and none is guessed.
func TestPickAsksOrSaysWhatThereIs(t *testing.T) {
	t.Parallel()
	result, err := call(t, "items_pick", args{"items": events(), "selection": args{"titleHas": []string{"review"}}})
	if err != nil || result.Choices == nil || len(result.Choices.Options) != 2 {
		t.Errorf("%v, %+v", err, result)
	}
	for _, arguments := range []args{
		{"items": events(), "number": 4}, {"items": events(), "number": -4}, {"items": []agenda.Event{}},
		{"items": events(), "selection": args{"titleHas": []string{"opera"}}},
	} {
		result, err := call(t, "items_pick", arguments)
		if err != nil || result.Response.Error == nil || result.Response.Error.Code != "not_found" {
			t.Errorf("%v: %v, %+v", arguments, err, result.Response.Error)
		}
	}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	list := append(events(), event("4", "Lunch", 5, 30)) // within the budget review
	data, _ := got[Durations](t, "items_durations", args{"items": list})
	if data.TotalMinutes != 195 || data.AllMinutes != 225 || data.AverageMinutes != 56 || len(data.Durations) != 4 {
		t.Errorf("%+v", data)
	}
	if data, _ := got[Durations](t, "items_durations", args{"items": []agenda.Event{}}); data.TotalMinutes != 0 {
		t.Errorf("%+v", data)
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	bad := events()
	bad[1].Start = "soon"
	for _, c := range []struct {
		name, field string
		arguments   args
	}{
		{"items_filter", "items[1].start", args{"items": bad, "selection": args{}}},
		{"items_missing", "others[1].start", args{"items": events(), "others": bad}},
		{"items_pick", "number", args{"items": events(), "number": 0}},
		{"items_sort", "first", args{"items": events(), "order": "start", "first": 0}},
		{"items_sort", "", args{"items": events(), "order": "colour"}},
	} {
		_, err := call(t, c.name, c.arguments)
		if wrong, ok := errors.AsType[*tool.ArgumentError](err); !ok || wrong.Field != c.field {
			t.Errorf("%s: %v, want one that names %q", c.name, err, c.field)
		}
	}
}

func BenchmarkItems(b *testing.B) {
	var list []agenda.Event
	for i := range 2000 {
		list = append(list, event(fmt.Sprint(i), fmt.Sprint("Event ", i), i/3, 25, "al@example.com"))
	}
	for name, arguments := range map[string]args{
		"items_count":     {"items": list},
		"items_filter":    {"items": list, "selection": args{"titleHas": []string{"99"}}},
		"items_attendees": {"items": list},
	} {
		raw, err := json.Marshal(arguments)
		if err != nil {
			b.Fatal(err)
		}
		of := set()[slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })]
		w := &world.World{Now: now, Language: "en"}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := of.Call(b.Context(), w, raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
