package preference_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/preference"
)

func TestEveryKeyHasASchemaWithWords(t *testing.T) {
	t.Parallel()
	var document map[string]struct{ Description string }
	if err := json.Unmarshal(preference.Schemas(), &document); err != nil {
		t.Fatal(err)
	}
	for _, key := range preference.Keys() {
		if document[key].Description == "" {
			t.Errorf("%s has no description", key)
		}
	}
	if got, want := len(document), len(preference.Keys())+1; got != want {
		t.Errorf("%d members in the schemas, %d wanted: the keys and $defs", got, want)
	}
}

func TestValuesThatFit(t *testing.T) {
	t.Parallel()
	for key, values := range map[string][]string{
		preference.WorkingHours: {
			`{"mon":[{"start":"09:00","end":"17:00"}]}`, `{"days":[1,2,7],"start":"09:00","end":"18:00"}`,
			`{"days":["Sunday","Mo"],"start":"09:00","end":"24:00"}`,
		},
		preference.MeetingHours:    {`{"days":["Tuesday"],"start":"10:00","end":"12:00"}`},
		preference.Buffers:         {`{"beforeMinutes":10}`, `{"beforeMinutes":0,"afterMinutes":15}`},
		preference.DefaultDuration: {`45`},
		preference.LunchHours:      {`{"defaultStart":"12:30","defaultEnd":"13:15"}`, `{"start":"12:00","end":"13:00"}`},
		preference.GymSchedule: {
			`{"dayOfWeek":"Monday","startTime":"18:00","endTime":"19:30","calendarId":"personal"}`,
			`[{"day":"Mo","start":"18:00","end":"19:00"},{"day":"We","start":"18:00","end":"19:00"}]`, ` [] `,
		},
		preference.WritingBlock: {
			`{"days":["Tuesday","Thursday"],"startTime":"09:00","endTime":"11:00","allowExceptionsWithApproval":true}`,
		},
		preference.ProtectedTimes: {`[{"title":"School run","days":["Mon"],"start":"08:00","end":"08:30"}]`},
		preference.WorkCalendar:   {`"work"`},
		preference.Confirmations:  {`{"always":["create"]}`, `{"always":[]}`},
	} {
		for _, value := range values {
			if err := preference.Validate(key, []byte(value)); err != nil {
				t.Errorf("%s = %s: %v", key, value, err)
			}
		}
	}
}

// The error names the key and the wrong member.
func TestAValueThatDoesNotFitIsRefusedByItsMember(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, value, field string }{
		{"favourite_colour", `"blue"`, "favourite_colour"},
		{preference.LunchHours, `{"defaultStart":"12:30"`, "lunch_hours"},
		{preference.LunchHours, `{"defaultStart":"25:00","defaultEnd":"13:00"}`, "lunch_hours.defaultStart"},
		{preference.LunchHours, `{"defaultStart":"13:00","defaultEnd":"12:00"}`, "lunch_hours.end"},
		{preference.LunchHours, `{"start":"12:00"}`, "lunch_hours.end"},
		{preference.LunchHours, `{"at":"12:00"}`, "lunch_hours"},
		{preference.GymSchedule, `[{"day":"Mo","start":"18:00","end":"19:00"},{"day":"Xo","start":"1:00","end":"2:00"}]`,
			"gym_schedule[1].day"},
		{preference.GymSchedule, `[{"day":"Mo","end":"19:00"}]`, "gym_schedule[0].start"},
		{preference.GymSchedule, `"evenings"`, "gym_schedule"},
		{preference.DefaultDuration, `"long"`, "default_duration"},
		{preference.DefaultDuration, `0`, "default_duration"},
		{preference.Buffers, `{"beforeMinutes":-5}`, "buffers.beforeMinutes"},
		{preference.WorkingHours, `{"mon":[{"start":"17:00","end":"09:00"}]}`, "working_hours.mon[0].end"},
		{preference.WorkingHours, `{"days":[1],"start":"09:00"}`, "working_hours"},
		{preference.WorkingHours, `{"days":[8],"start":"09:00","end":"10:00"}`, "working_hours.days[0]"},
		{preference.Confirmations, `{"always":["never"]}`, "confirmations.always[0]"},
	} {
		err := preference.Validate(c.key, []byte(c.value))
		if f := fault.As(err); f.Code != fault.InvalidRequest || f.Field != c.field || f.Message == "" {
			t.Errorf("%s = %s: got %v, want an invalid %s", c.key, c.value, err, c.field)
		}
		if err != nil && strings.Contains(err.Error(), "file:") {
			t.Errorf("%v names a folder of this machine", err)
		}
	}
}

func TestParseReadsAFile(t *testing.T) {
	t.Parallel()
	values, err := preference.Parse([]byte(`{"default_duration": 25, "work_calendar_id": "work"}`))
	if err != nil {
		t.Fatal(err)
	}
	p := preference.Read(values)
	if p.Minutes != 25 || p.WorkCalendar != "work" {
		t.Errorf("read %+v", p)
	}
	for _, raw := range []string{`[]`, `{"default_duration": "long"}`, `{"nothing": 1}`} {
		if _, err := preference.Parse([]byte(raw)); fault.CodeOf(err) != fault.InvalidRequest {
			t.Errorf("%s: %v, want a fault", raw, err)
		}
	}
}

func TestWhatPreferencesMean(t *testing.T) {
	t.Parallel()
	values, err := preference.Parse([]byte(`{
		"working_hours": {"days": ["Su", "Mo", "Tu", "We", "Th"], "start": "08:00", "end": "16:00"},
		"lunch_hours": {"defaultStart": "12:30", "defaultEnd": "13:15"},
		"gym_schedule": {"dayOfWeek": "Monday", "startTime": "18:00", "endTime": "19:30"},
		"protected_times": [{"title": "School run", "days": [1], "start": "15:00", "end": "15:30"}],
		"buffers": {"afterMinutes": 10},
		"confirmations": {"always": ["update"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	p := preference.Read(values)
	monday := interval.Date{Year: 2026, Month: time.November, Day: 23}.Span(time.UTC)
	at := func(h, m int) time.Time { return monday.Start.Add(time.Duration(h*60+m) * time.Minute) }
	want := interval.NewSet(
		interval.Span{Start: at(12, 30), End: at(13, 15)}, interval.Span{Start: at(15, 0), End: at(15, 30)},
		interval.Span{Start: at(18, 0), End: at(19, 30)},
	)
	if diff := cmp.Diff(want, p.Kept(meet.Template{Activity: meet.Coffee}, monday, time.UTC).Within(monday)); diff != "" {
		t.Errorf("Kept (-want +got):\n%s", diff)
	}
	person := p.For(meet.Person{ID: "dana"})
	if got := person.WorkingHours; got == nil || len(got[time.Sunday]) != 1 || len(got[time.Friday]) != 0 {
		t.Errorf("working hours = %v", got)
	}
	if p.Buffer.AfterMinutes != 10 || !p.Asks(meet.UpdateThing) || p.Asks(meet.DeleteThing) {
		t.Errorf("read %+v", p)
	}
}

// What was stored by another version, and no longer fits, prefers nothing.
func TestAValueThatNoLongerFitsIsLeftOut(t *testing.T) {
	t.Parallel()
	p := preference.Read(preference.Values{"default_duration": []byte(`"long"`), "buffers": []byte(`{`)})
	if diff := cmp.Diff(preference.Preferences{}, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func ExampleRead() {
	values, err := preference.Parse([]byte(`{"default_duration": 25}`))
	fmt.Println(preference.Read(values).Minutes, err)
	// Output: 25 <nil>
}
