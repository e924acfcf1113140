package preference_test

import (
	"testing"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/preference"
)

func TestHoursKeepWhatIsNotSaid(t *testing.T) {
	t.Parallel()
	const split = `{"mon":[{"start":"10:00","end":"12:00"},{"start":"13:00","end":"16:00"}],` +
		`"tue":[{"start":"09:00","end":"17:00"}]}`
	window := func(start, end interval.Clock) interval.Window { return interval.Window{Start: start, End: end} }
	nine, noon := interval.At(9, 0), interval.At(12, 0)
	for _, c := range []struct {
		name, key, standing string
		said                preference.Hours
		want                string
	}{
		{"never before nine, with a later beginning", preference.MeetingHours, split,
			preference.Hours{Without: []interval.Window{window(0, nine)}}, split},
		{"never before nine, of nothing", preference.MeetingHours, "",
			preference.Hours{Days: []string{"monday"}, Without: []interval.Window{window(0, nine)}},
			`{"mon":[{"start":"09:00","end":"24:00"}],"tue":[{"start":"00:00","end":"24:00"}],` +
				`"wed":[{"start":"00:00","end":"24:00"}],"thu":[{"start":"00:00","end":"24:00"}],` +
				`"fri":[{"start":"00:00","end":"24:00"}],"sat":[{"start":"00:00","end":"24:00"}],` +
				`"sun":[{"start":"00:00","end":"24:00"}]}`},
		{"from eight", preference.WorkingHours, split, preference.Hours{Earliest: new("08:00")},
			`{"mon":[{"start":"08:00","end":"12:00"},{"start":"13:00","end":"16:00"}],"tue":[{"start":"08:00","end":"17:00"}]}`},
		{"until three", preference.WorkingHours, split, preference.Hours{Latest: new("15:00")},
			`{"mon":[{"start":"10:00","end":"12:00"},{"start":"13:00","end":"15:00"}],"tue":[{"start":"09:00","end":"15:00"}]}`},
		{"until six on one day", preference.WorkingHours, split,
			preference.Hours{Days: []string{"tuesday"}, Latest: new("18:00")},
			`{"mon":[{"start":"10:00","end":"12:00"},{"start":"13:00","end":"16:00"}],"tue":[{"start":"09:00","end":"18:00"}]}`},
		{"a new day", preference.WorkingHours, split, preference.Hours{Days: []string{"wednesday"}, Earliest: new("11:00")},
			split[:len(split)-1] + `,"wed":[{"start":"11:00","end":"17:00"}]}`},
		{"without a day", preference.WorkingHours, split,
			preference.Hours{Days: []string{"monday"}, Without: []interval.Window{window(0, interval.EndOfDay)}},
			`{"tue":[{"start":"09:00","end":"17:00"}]}`},
		{"without mornings", preference.WorkingHours, split,
			preference.Hours{Without: []interval.Window{window(0, noon)}},
			`{"mon":[{"start":"13:00","end":"16:00"}],"tue":[{"start":"12:00","end":"17:00"}]}`},
	} {
		var standing []byte
		if c.standing != "" {
			standing = []byte(c.standing)
		}
		got, err := c.said.On(c.key, standing)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, err, c.want)
		}
	}
	for field, c := range map[string]struct {
		key  string
		said preference.Hours
	}{
		"earliest": {preference.WorkingHours, preference.Hours{Earliest: new("18:00")}},
		"latest":   {preference.WorkingHours, preference.Hours{Latest: new("8am")}},
	} {
		if got, err := c.said.On(c.key, nil); fault.As(err).Field != field {
			t.Errorf("%s: %s, %v", field, got, err)
		}
	}
	if _, err := (preference.Hours{Earliest: new("09:00")}).On(preference.LunchHours, nil); err == nil {
		t.Error("lunch has no hours of its own")
	}
}

func TestMergeKeepsMembersThatAreNotGiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ key, standing, given, want string }{
		{preference.Buffers, `{"beforeMinutes":5}`, `{"afterMinutes":10}`, `{"afterMinutes":10,"beforeMinutes":5}`},
		{preference.LunchHours, `{"start":"12:00","end":"13:00"}`, `{"defaultEnd":"13:30"}`,
			`{"defaultEnd":"13:30","start":"12:00"}`},
		{preference.LunchHours, `{"start":"12:00","end":"13:00"}`, `{"end":"14:00","start":"11:00"}`,
			`{"end":"14:00","start":"11:00"}`},
		{preference.DefaultDuration, `30`, `45`, `45`},
		{preference.GymSchedule, `[{"day":"Mo","start":"18:00","end":"19:00"}]`, `[]`, `[]`},
		{preference.WorkingHours, `{"fri":[{"start":"09:00","end":"12:00"}]}`, `{"mon":[{"start":"09:00","end":"12:00"}]}`,
			`{"mon":[{"start":"09:00","end":"12:00"}]}`},
		{preference.Buffers, ``, `{"afterMinutes":10}`, `{"afterMinutes":10}`},
	} {
		got, err := preference.Merge(c.key, []byte(c.standing), []byte(c.given))
		if err != nil || string(got) != c.want {
			t.Errorf("%s %s on %s: %s, %v, want %s", c.key, c.given, c.standing, got, err, c.want)
		}
	}
}
