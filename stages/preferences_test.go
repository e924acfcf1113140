package stages_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/pkg/preference"
	"convene/stages"
)

// prefers are the preferences of everyone.
type prefers preference.Values

func (p prefers) Of(context.Context, meet.PersonID) (preference.Values, error) {
	return preference.Values(p), nil
}

// What the organizer prefers shapes an event: its length, and the times that are kept free. What the message says wins.
func TestPreferencesShapeAnEvent(t *testing.T) {
	t.Parallel()
	at := func(hour, minute int) time.Time { return time.Date(2031, 5, 6, hour, minute, 0, 0, now.Location()) }
	meeting := functions.TemplateArguments{
		Title: "meeting with ada", EventType: "video", Activity: "meeting", IntentSpecificity: "open",
		PreferredSchedulableDates: []functions.DateRange{{Start: "2031-05-06", End: "2031-05-06"}},
		ExcludedDates:             []functions.DateRange{}, Participants: []string{"Ada"}, SuggestedPlaceTypes: []string{},
	}
	long := 60
	said := meeting
	said.Duration = &long
	for name, tt := range map[string]struct {
		prefers prefers
		wish    functions.TemplateArguments
		length  time.Duration
		fits    func(meet.Event) bool
	}{
		"nothing":  {nil, meeting, 30 * time.Minute, nil},
		"a length": {prefers{preference.DefaultDuration: []byte("25")}, meeting, 25 * time.Minute, nil},
		"a length, and the message says another": {
			prefers{preference.DefaultDuration: []byte("25")}, said, time.Hour, nil,
		},
		"hours for meetings": {
			prefers{preference.MeetingHours: []byte(`{"days":[2],"start":"14:00","end":"15:00"}`)}, meeting, 30 * time.Minute,
			func(e meet.Event) bool { return !e.Start.Before(at(14, 0)) && !e.End.After(at(15, 0)) },
		},
		"a buffer around an event from 9 to 16:00": {
			prefers{preference.Buffers: []byte(`{"beforeMinutes":0,"afterMinutes":45}`)}, meeting, 30 * time.Minute,
			func(e meet.Event) bool { return !e.Start.Before(at(16, 45)) || !e.End.After(at(8, 15)) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDay(t, nil)
			if tt.prefers[preference.Buffers] != nil {
				d.world.Busy["me"] = []interval.Span{{Start: at(9, 0), End: at(16, 0)}}
			}
			d.remake(t, func(p *stages.Ports) { p.Preferences = tt.prefers })
			d.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(tt.wish)).
				Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
			e := event(t, d.say("meeting with Ada on Tuesday"))
			if got := e.End.Sub(e.Start); got != tt.length {
				t.Errorf("it takes %s, want %s", got, tt.length)
			}
			if tt.fits != nil && !tt.fits(e) {
				t.Errorf("it is from %s to %s", e.Start, e.End)
			}
		})
	}
}

// Time that is kept free is avoided, and the message says so. Only what is urgent is proposed there, or what the user
// names to the minute: as a question, which no one answers for the user.
func TestTimeThatIsKeptFreeIsNeverBookedUnasked(t *testing.T) {
	t.Parallel()
	kept := prefers{preference.WritingBlock: []byte(
		`{"days":[2],"start":"00:00","end":"14:00","allowExceptionsWithApproval":true}`)}
	block := interval.Span{Start: time.Date(2031, 5, 6, 0, 0, 0, 0, now.Location())}
	block.End = block.Start.Add(14 * time.Hour)
	meeting := functions.TemplateArguments{
		Title: "meeting with ada", EventType: "video", Activity: "meeting", IntentSpecificity: "open",
		PreferredSchedulableDates: []functions.DateRange{{Start: "2031-05-06", End: "2031-05-06"}},
		ExcludedDates:             []functions.DateRange{}, Participants: []string{"Ada"}, SuggestedPlaceTypes: []string{},
	}
	for message, in := range map[string]bool{
		"meeting with Ada on Tuesday": false, "urgent meeting with Ada on Tuesday": true,
		"not urgent: meeting with Ada on Tuesday": false, "reunión urgente con Ada el martes": true,
		"פגישה דחופה עם Ada ביום שלישי": true,
	} {
		for _, auto := range []bool{false, true} {
			d := newDay(t, nil)
			d.remake(t, func(p *stages.Ports) { p.Preferences = kept })
			d.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(meeting)).
				Say(llm.Select, chosen(functions.GenerateEventArguments{RankedSlotIndices: []int{0}}))
			got := d.say(message, func(turn *meet.Turn) { turn.AutoConfirm = auto })
			e := event(t, got)
			doubted := slices.ContainsFunc(e.Doubts, func(d meet.Doubt) bool { return d.Kind == meet.DoubtKept })
			if block.Overlaps(e.Span()) != in || doubted != in || in && e.Status != meet.Proposed {
				t.Errorf("%q, auto %v: %s at %s, doubts %+v", message, auto, e.Status, e.Start, e.Doubts)
			}
			said, _ := find[meet.MessageUpdate](got)
			if text := said.Text; !in && !strings.Contains(text, "that is your time for writing") {
				t.Errorf("%q: it does not say what gave way:\n%s", message, text)
			}
		}
	}
}
