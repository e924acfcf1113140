package calendar_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"convene/functions/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// busyAt is a person who is busy for an hour, so many days after today; of the rest all is known.
func busyAt(day int, clocks ...string) interval.Availability {
	var spans []interval.Span
	for _, c := range clocks {
		spans = append(spans, at(day, c, "").Span)
	}
	return interval.Availability{Busy: interval.NewSet(spans...)}
}

// TestMoveEventsTogether: where several events go that find their times together, by title, and who stays and why.
func TestMoveEventsTogether(t *testing.T) {
	t.Parallel()
	const days = `"window":{"start":"2027-03-10","end":"2027-03-12"}`
	afternoon := `{"selection":{` + days + `,"timeOfDay":{"start":"12:00","end":"18:00"},"titleHas":["class"]},"to":`
	morning := `"timeOfDay":{"start":"08:00","end":"12:00"}`
	for name, c := range map[string]struct {
		events    []meet.Occurrence
		others    others
		prefer    map[string][]byte
		arguments string
		want      map[string]string
		stayed    map[string]string
		told      string
	}{
		"to mornings, around what stays": {
			events: []meet.Occurrence{
				at(1, "14:00", "Algebra class"), at(1, "16:00", "Biology class"), at(1, "11:00", "Dentist"),
				at(2, "15:00", "Chemistry class"),
			},
			arguments: afternoon + `{` + morning + `}}`,
			want: map[string]string{
				"Algebra class": "03-10 09:00", "Biology class": "03-10 10:00", "Chemistry class": "03-11 11:00",
			},
		},
		"buffers are kept": {
			events:    []meet.Occurrence{at(1, "14:00", "Algebra class"), at(1, "11:00", "Dentist")},
			prefer:    map[string][]byte{"buffers": []byte(`{"beforeMinutes":20,"afterMinutes":20}`)},
			arguments: afternoon + `{` + morning + `}}`,
			want:      map[string]string{"Algebra class": "03-10 09:30"},
		},
		"a guest who is busy": {
			events:    []meet.Occurrence{at(1, "14:00", "Algebra class", guests(ada))},
			others:    others{ada.ID: busyAt(1, "10:00", "11:00")},
			arguments: afternoon + `{` + morning + `}}`,
			want:      map[string]string{"Algebra class": "03-10 09:00"},
		},
		"unknown is never free": {
			events:    []meet.Occurrence{at(1, "14:00", "Algebra class", guests(ada)), at(2, "14:00", "Biology class")},
			others:    others{ada.ID: {Unknown: interval.NewSet(at(0, "00:00", "").Span.Widen(0, 200*time.Hour))}},
			arguments: afternoon + `{` + morning + `}}`,
			want:      map[string]string{"Biology class": "03-11 11:00"},
			stayed:    map[string]string{"Algebra class": "I cannot see the whole calendar of Ada Byron."},
		},
		"the most that fit, and why the rest stays": {
			events: []meet.Occurrence{at(1, "14:00", "Algebra class"), at(1, "16:00", "Biology class")},
			arguments: afternoon +
				`{"timeOfDay":{"start":"10:30","end":"12:00"},"window":{"start":"2027-03-10","end":"2027-03-11"}}}`,
			want:   map[string]string{"Algebra class": "03-10 11:00"},
			stayed: map[string]string{"Biology class": "the others take the room that there is."},
		},
		"lunch": {
			events: []meet.Occurrence{at(1, "10:00", "Algebra class")},
			arguments: `{"selection":{"titleHas":["class"]},
				"to":{"timeOfDay":{"start":"12:00","end":"18:00"},"avoid":["lunch"]}}`,
			want: map[string]string{"Algebra class": "03-10 13:00"}, told: "for lunch",
		},
		"the gym stays, although it is on that day": {
			events: []meet.Occurrence{at(1, "14:00", "Review"), at(1, "16:00", "Gym"), at(3, "14:00", "Gym")},
			arguments: `{"selection":{"window":{"start":"2027-03-10","end":"2027-03-11"}},
				"to":{"window":{"start":"2027-03-12","end":"2027-03-13"},"avoid":["my gym"]}}`,
			want: map[string]string{"Review": "03-12 09:00"},
		},
		"something of which no time is known": {
			events:    []meet.Occurrence{at(1, "14:00", "Algebra class")},
			arguments: afternoon + `{` + morning + `,"avoid":["my gym"]}}`,
			want:      map[string]string{"Algebra class": "03-10 11:00"}, told: "not taken into account",
		},
		"weekdays": {
			events:    []meet.Occurrence{at(1, "14:00", "Algebra class")},
			arguments: afternoon + `{"window":{"start":"2027-03-10","end":"2027-03-20"},"weekdays":["friday"]}}`,
			want:      map[string]string{"Algebra class": "03-12 09:00"},
		},
		"what is there already": {
			events:    []meet.Occurrence{at(1, "09:00", "Algebra class"), at(1, "15:00", "Biology class")},
			arguments: `{"selection":{` + days + `,"titleHas":["class"]},"to":{` + morning + `}}`,
			want:      map[string]string{"Biology class": "03-10 11:00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldOf(c.events...)
			w.Preferences, w.Times = c.prefer, c.others
			result := call(t, w, "calendar_moveEvents", c.arguments)
			var data calendar.Moved
			if err := json.Unmarshal(result.Response.Data, &data); err != nil {
				t.Fatal(err)
			}
			got, stayed := map[string]string{}, map[string]string{}
			for _, e := range data.Events {
				start, err := time.Parse(time.RFC3339, e.Start)
				if err != nil {
					t.Fatal(err)
				}
				got[e.Title] = start.In(zone).Format("01-02 15:04")
			}
			for _, s := range data.Stayed {
				stayed[s.Title] = s.Reason
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			if c.stayed == nil {
				c.stayed = map[string]string{}
			}
			if diff := cmp.Diff(c.stayed, stayed); diff != "" {
				t.Error(diff)
			}
			if told := result.Response.Display.Description; !strings.Contains(told, c.told) || len(data.Conflicts) > 0 {
				t.Errorf("told %q, conflicts %v", told, data.Conflicts)
			}
			if !result.Unsure {
				t.Error("times that nobody named are not asked about")
			}
		})
	}
}

func TestMoveEventsTogetherRefuses(t *testing.T) {
	t.Parallel()
	w := worldOf(at(1, "14:00", "Algebra class"))
	for arguments, field := range map[string]string{
		`{"selection":{},"to":{"time":"10:00","timeOfDay":{"start":"08:00","end":"12:00"}}}`: "to",
		`{"selection":{},"to":{"weekdays":["someday"]}}`:                                     "to.weekdays[0]",
		`{"selection":{},"scope":"all","to":{"weekdays":["monday"]}}`:                        "scope",
		`{"selection":{},"to":{"timeOfDay":{"start":"late","end":"12:00"}}}`:                 "timeOfDay.start",
		`{"selection":{},"to":{"window":{"start":"2027-03-12","end":"soon"}}}`:               "window.end",
		`{"selection":{"window":{"start":"2027-03-10","end":"2027-03-11"}},"to":{"durationMinutes":30,` +
			`"window":{"start":"2027-03-12","end":"2027-03-13"}}}`: "to",
	} {
		refuses(t, w, "calendar_moveEvents", arguments, field)
	}
	missed := call(t, w, "calendar_moveEvents",
		`{"selection":{},"to":{"timeOfDay":{"start":"08:00","end":"12:00"},"avoid":["biology"]}}`)
	if e := missed.Response.Error; e == nil || !strings.Contains(e.Message, "biology") || len(missed.Changes) > 0 {
		t.Errorf("what stays has no event: %+v", missed.Response)
	}
}
