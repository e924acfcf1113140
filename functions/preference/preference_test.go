package preference

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/world"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/pkg/tool"
)

var set = sync.OnceValue(Set)

func newWorld(t *testing.T, values string) *world.World {
	t.Helper()
	read, err := preference.Parse([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	return &world.World{
		Now: time.Date(2026, time.November, 25, 8, 0, 0, 0, time.UTC), Language: "en", Key: "turn", Preferences: read,
	}
}

func call(t *testing.T, w *world.World, name, arguments string) (world.Result, error) {
	t.Helper()
	i := slices.IndexFunc(set(), func(of world.Tool) bool { return of.Name() == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return set()[i].Call(t.Context(), w, []byte(arguments))
}

func got(t *testing.T, w *world.World, name, arguments string) (Preferences, world.Result) {
	t.Helper()
	result, err := call(t, w, name, arguments)
	if err != nil || result.Response.Error != nil {
		t.Fatalf("%s %s: %v, %+v", name, arguments, err, result.Response.Error)
	}
	var data Preferences
	if err := json.Unmarshal(result.Response.Data, &data); err != nil {
		t.Fatal(err)
	}
	return data, result
}

// What is set is told in words, in the order of the keys.
func TestView(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"default_duration": 25,
		"working_hours": {"days": [1, 2, 3, 5], "start": "08:00", "end": "16:00"},
		"buffers": {"afterMinutes": 10}, "work_calendar_id": "office", "confirmations": {"always": ["create"]},
		"protected_times": [{"title": "School run", "days": ["Mo"], "start": "08:00", "end": "08:30"}]}`)
	data, result := got(t, w, "preference_view", `{}`)
	if len(data.Preferences) != 6 || data.Preferences[0].Key != preference.WorkingHours || len(result.Changes) != 0 {
		t.Errorf("%+v", data)
	}
	for _, want := range []string{
		"Working hours: Monday, Tuesday", "Wednesday 8:00 AM–4:00 PM; Friday 8:00 AM–4:00 PM", "0 minutes before, 10 after",
		"25 minutes", "School run Monday 8:00", "office", "new things",
	} {
		if !strings.Contains(result.Response.Display.Description, want) {
			t.Errorf("%q is not in\n%s", want, result.Response.Display.Description)
		}
	}
	data, _ = got(t, w, "preference_view", `{"keys":["lunch_hours","default_duration"]}`)
	want := Preferences{Preferences: []Preference{
		{Key: "default_duration", Value: json.RawMessage("25")}, {Key: "lunch_hours", Value: json.RawMessage("null")},
	}}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, result := got(t, newWorld(t, `{}`), "preference_view", `{}`); result.Response.Display.Description == "" {
		t.Error("that nothing is set is not told")
	}
}

func TestUpdatePreferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"default_duration": 30}`)
	data, result := got(t, w, "preference_updatePreferences", `{"updates":[
		{"key":"default_duration","value":"45"},
		{"key":"lunch_hours","value":"{ \"defaultStart\": \"12:30\", \"defaultEnd\": \"13:15\" }"}]}`)
	if len(result.Changes) != 2 || len(data.Preferences) != 2 || !data.Preferences[1].Pending {
		t.Fatalf("%+v, %+v", data, result.Changes)
	}
	first, second := result.Changes[0], result.Changes[1]
	if first.Kind != meet.UpdateThing || second.Kind != meet.CreateThing || first.What != meet.PreferenceThing ||
		string(first.Before) != `{"key":"default_duration","value":30}` ||
		string(second.After) != `{"key":"lunch_hours","value":{"defaultStart":"12:30","defaultEnd":"13:15"}}` {
		t.Errorf("%+v", result.Changes)
	}
	// Later steps see it.
	if w.Preferred().Minutes != 45 {
		t.Errorf("the working copy has %s", w.Preferences)
	}
}

// Of hours only a beginning may be said: the end stays.
func TestABeginningKeepsTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"meeting_hours": {"days": ["Monday", "Friday"], "start": "08:00", "end": "16:00"}}`)
	_, result := got(t, w, "preference_updatePreferences",
		`{"updates":[{"key":"meeting_hours","without":[{"start":"00:00","end":"09:00"}]}]}`)
	const want = `{"mon":[{"start":"09:00","end":"16:00"}],"fri":[{"start":"09:00","end":"16:00"}]}`
	if len(result.Changes) != 1 || string(w.Preferences["meeting_hours"]) != want {
		t.Errorf("%s", w.Preferences["meeting_hours"])
	}
}

// What stands already is no change.
func TestTheSameValueIsNoChange(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"lunch_hours": { "defaultStart": "12:30", "defaultEnd": "13:15" }}`)
	_, result := got(t, w, "preference_updatePreferences",
		`{"updates":[{"key":"lunch_hours","value":"{\"defaultStart\":\"12:30\",\"defaultEnd\":\"13:15\"}"}]}`)
	if len(result.Changes) != 0 {
		t.Errorf("%+v", result.Changes)
	}
}

// The working copy is the call's own: the owner's preferences stay as they are until the change is applied.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"default_duration": 30}`)
	mine := w.Preferences
	got(t, w, "preference_updatePreferences", `{"updates":[{"key":"default_duration","value":"45"}]}`)
	got(t, w, "preference_forget", `{"keys":["default_duration"]}`)
	if string(mine["default_duration"]) != "30" {
		t.Errorf("written: %s", mine)
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{"default_duration": 30, "work_calendar_id": "office"}`)
	_, result := got(t, w, "preference_forget", `{"keys":["default_duration"]}`)
	if len(result.Changes) != 1 || result.Changes[0].Kind != meet.DeleteThing || w.Preferred().Minutes != 0 {
		t.Errorf("%+v", result.Changes)
	}
	result, err := call(t, w, "preference_forget", `{"keys":["default_duration"]}`)
	if err != nil || result.Response.Error == nil || result.Response.Error.Code != "not_found" ||
		!strings.Contains(result.Response.Error.Message, "Calendar for work") {
		t.Errorf("%v, %+v", err, result.Response.Error)
	}
}

// A wrong value is named with its key and member, and nothing of the call is done.
func TestWrongArgumentsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, field, says string }{
		{"preference_updatePreferences", `{"updates":[{"key":"default_duration","value":"45"},
			{"key":"lunch_hours","value":"{\"defaultStart\":\"25:00\",\"defaultEnd\":\"13:00\"}"}]}`,
			"updates[1].value", "lunch_hours.defaultStart"},
		{"preference_updatePreferences", `{"updates":[{"key":"colour","value":"1"}]}`, "updates[0].key", "colour"},
		{"preference_updatePreferences", `{"updates":[{"key":"default_duration","value":"45 minutes"}]}`,
			"updates[0].value", "JSON"},
		{"preference_updatePreferences", `{"updates":[{"key":"default_duration","value":"45"},
			{"key":"default_duration","value":"30"}]}`, "updates[1].key", "twice"},
		{"preference_updatePreferences", `{"updates":[]}`, "updates", ""},
		{"preference_updatePreferences", `{"updates":[{"key":"working_hours"}]}`, "updates[0].value", "either"},
		{"preference_updatePreferences", `{"updates":[{"key":"working_hours","earliest":"9"}]}`, "updates[0].earliest",
			"HH:MM"},
		{"preference_updatePreferences", `{"updates":[{"key":"buffers","latest":"09:00"}]}`, "updates[0].earliest", "hours"},
		{"preference_updatePreferences", `{"updates":[{"key":"working_hours","without":[{"start":"9:00","end":"08:00"}]}]}`,
			"updates[0].without[0]", "hours"},
		{"preference_updatePreferences", `{"updates":[{"key":"working_hours","without":[{"start":"00:00","end":"24:00"}]}]}`,
			"updates[0].without", "working_hours"},
		{"preference_forget", `{"keys":[]}`, "keys", ""},
		{"preference_forget", `{"keys":["colour"]}`, "keys", "lunch_hours"},
		{"preference_view", `{"keys":["colour"]}`, "keys", "lunch_hours"},
	} {
		w := newWorld(t, `{}`)
		result, err := call(t, w, c.name, c.arguments)
		wrong, ok := errors.AsType[*tool.ArgumentError](err)
		if !ok || wrong.Field != c.field || !strings.Contains(wrong.Problem, c.says) {
			t.Errorf("%s %s: %v, want one that names %q and says %q", c.name, c.arguments, err, c.field, c.says)
		}
		if len(result.Changes) != 0 || len(w.Preferences) != 0 {
			t.Errorf("%s: done in part: %+v", c.arguments, result.Changes)
		}
	}
}

// What the owner said is kept with the rule, and quoted as text; switching off keeps both, until it is on again.
func TestSourceAndSwitch(t *testing.T) {
	t.Parallel()
	w := newWorld(t, `{}`)
	w.Said = "lunch is *sacred* between 12:30 and 1:30 https://evil.example"
	set := `{"updates":[{"key":"lunch_hours","value":"{\"start\":\"12:30\",\"end\":\"13:30\"}"}]}`
	got(t, w, "preference_updatePreferences", set)
	w.Said = "switch it off"
	_, result := got(t, w, "preference_updatePreferences", `{"updates":[{"key":"lunch_hours","on":false}]}`)
	if len(result.Changes) != 1 || len(w.Preferred().Protected) != 0 {
		t.Errorf("%+v; it counts still: %+v", result.Changes, w.Preferred())
	}
	data, result := got(t, w, "preference_view", `{}`)
	said := result.Response.Display.Description
	if !data.Preferences[0].Off || !strings.Contains(said, `you said today: “lunch is \*sacred\*`) ||
		!strings.Contains(said, "switched off") || strings.Contains(said, "evil.example") {
		t.Errorf("%+v\n%s", data, said)
	}
	got(t, w, "preference_updatePreferences", `{"updates":[{"key":"lunch_hours","on":true}]}`)
	if len(w.Preferred().Protected) != 1 {
		t.Errorf("it does not count again: %s", w.Preferences)
	}
}

// Exceptions are kept until it is said when the time is, which is asked for; what stands otherwise stays.
func TestExceptions(t *testing.T) {
	t.Parallel()
	const ask = `{"updates":[{"key":"writing_block_config","value":"{\"allowExceptionsWithApproval\":true}"}]}`
	w := newWorld(t, `{}`)
	_, result := got(t, w, "preference_updatePreferences", ask)
	said := result.Response.Display.Description
	if !strings.Contains(said, "Tuesdays") || len(w.Preferred().Protected) != 0 {
		t.Errorf("%s, %+v", said, w.Preferred())
	}
	got(t, w, "preference_updatePreferences",
		`{"updates":[{"key":"writing_block_config","value":"{\"days\":[\"Tu\"],\"start\":\"09:00\",\"end\":\"11:00\"}"}]}`)
	if p := w.Preferred().Protected; len(p) != 1 || !p[0].Exceptions || len(p[0].Week[time.Tuesday]) != 1 {
		t.Errorf("%+v", p)
	}
	w = newWorld(t, `{"writing_block_config":{"days":["Tu"],"start":"09:00","end":"11:00"}}`)
	got(t, w, "preference_updatePreferences", ask)
	if p := w.Preferred().Protected; len(p) != 1 || !p[0].Exceptions || len(p[0].Week[time.Tuesday]) != 1 {
		t.Errorf("%+v", p)
	}
}
