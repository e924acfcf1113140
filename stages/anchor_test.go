package stages_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"convene/functions"
	"convene/pkg/interval"
	"convene/pkg/llm"
	"convene/pkg/meet"
	"convene/stages/stagestest"
)

// may is a time in May 2031, which has its first Monday on the 5th.
func may(day int, clock float64) time.Time {
	return time.Date(2031, 5, day, int(clock), int(clock*60)%60, 0, 0, now.Location())
}

func occurrence(uid, title string, day int, from, to float64) meet.Occurrence {
	return meet.Occurrence{UID: uid, Title: title, Span: interval.Span{Start: may(day, from), End: may(day, to)}}
}

// myWeek is the organizer's own calendar.
func myWeek() []meet.Occurrence {
	declined := occurrence("d", "Flight to Rome", 5, 8, 9)
	declined.Attendees = []meet.Attendee{{Email: "me@example.com", Answer: meet.Declined, Self: true}}
	vacation := meet.Occurrence{UID: "v", Title: "Vacation", AllDay: true, Transparent: true,
		Span: interval.Span{Start: may(19, 0), End: may(24, 0)}}
	return []meet.Occurrence{
		declined, occurrence("1", "Team meeting", 6, 9, 10), occurrence("2", "Budget meeting", 6, 14, 15),
		occurrence("3", "Dentist - Dr. Katz", 7, 10.5, 11.5), occurrence("4", "Yoga", 8, 18, 19),
		occurrence("5", "Flight to Rome", 9, 17, 22), occurrence("6", "Workshop", 12, 9, 17), vacation,
	}
}

func anchoredTo(relation, event, second string, dates ...string) functions.TemplateArguments {
	in := coffee()
	in.PreferredSchedulableDates = []functions.DateRange{}
	for _, d := range dates {
		in.PreferredSchedulableDates = append(in.PreferredSchedulableDates, functions.DateRange{Start: d, End: d})
	}
	in.CalendarAnchor = &functions.CalendarAnchor{Relation: relation, Event: event, SecondEvent: second}
	return in
}

func TestATimeByAnEventOfTheOrganizersCalendar(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		message string
		wish    functions.TemplateArguments
		// earliest and latest bound the start; note is in the message.
		earliest, latest time.Time
		note             string
	}{
		{"coffee with Ada after my dentist appointment", anchoredTo("after", "dentist appointment", ""),
			may(7, 11.5), may(7, 23), "Dentist - Dr. Katz"},
		{"coffee with Ada before the denstist", anchoredTo("before", "denstist", ""), may(7, 0), may(7, 10), "Dentist"},
		{"coffee with Ada before my flight", anchoredTo("before", "flight", ""), may(9, 0), may(9, 16.5), "Flight"},
		{"coffee with Ada right after yoga", anchoredTo("right after", "yoga", ""), may(8, 19), may(8, 19.75), "Yoga"},
		{"coffee with Ada between my two meetings", anchoredTo("between", "two meetings", ""), may(6, 10), may(6, 13.5),
			"Budget meeting"},
		{"coffee with Ada between the team meeting and the budget meeting",
			anchoredTo("between", "team meeting", "budget meeting"), may(6, 10), may(6, 13.5), "Team meeting"},
		{"coffee with Ada the day after my dentist", anchoredTo("day after", "dentist", ""), may(8, 0), may(8, 23),
			"Dentist"},
		{"coffee with Ada during the workshop", anchoredTo("during", "workshop", ""), may(12, 9), may(12, 16.5),
			"Workshop"},
		{"coffee with Ada after my vacation", anchoredTo("after", "vacation", ""), may(24, 0), may(31, 0), "Vacation"},
		{"coffee with Ada after my meeting on Wednesday", anchoredTo("after", "meeting", "", "2031-05-07"),
			may(7, 11.5), may(7, 23), "Dentist"},
	} {
		t.Run(test.message, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
			h := newHarness(t, w)
			h.script(template(test.wish), first())
			got := h.say(test.message)
			e := event(t, got)
			if e.Start.Before(test.earliest) || e.Start.After(test.latest) {
				t.Errorf("it is at %v, want %v to %v", e.Start, test.earliest, test.latest)
			}
			said, _ := find[meet.MessageUpdate](got)
			if !strings.Contains(said.Text, "I went by") || !strings.Contains(said.Text, test.note) {
				t.Errorf("the message does not name the event: %s", said.Text)
			}
		})
	}
}

// The titles of a calendar are for its owner's eyes: no model reads them, now or in the next turn, and no proposal that
// guests see has them.
func TestNoModelAndNoGuestReadsTheOwnersTitles(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
	h := newHarness(t, w)
	h.script(template(anchoredTo("after", "dentist", "")), first())
	got := h.say("coffee with Ada after my dentist")
	longer := 45
	h.script(edited(functions.EditArguments{NewDuration: &longer}), first())
	h.say("make it 45 minutes")
	const title = "Dr. Katz"
	for _, r := range h.model.Requests() {
		if strings.Contains(r.System+r.Data, title) {
			t.Errorf("stage %s reads the title: %s", r.Stage, r.Data)
		}
	}
	for _, u := range got.updates {
		raw, err := json.Marshal(u)
		if _, message := u.(meet.MessageUpdate); err != nil || !message && strings.Contains(string(raw), title) {
			t.Errorf("%T has the title: %s, %v", u, raw, err)
		}
	}
	if strings.Contains(got.outcome.Message, title) {
		t.Errorf("the conversation keeps the title: %s", got.outcome.Message)
	}
}

// An event that is not found, or is one of several, is asked about, and the answer completes the wish.
func TestAnEventThatIsNotClearIsAskedAbout(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		message          string
		wish             functions.TemplateArguments
		unread           bool
		question, answer string
		earliest, latest time.Time
	}{
		{"coffee with Ada after my piano lesson", anchoredTo("after", "piano lesson", ""), false,
			"I can't find “piano lesson” in your calendar. When does it end?", "at 4 pm on Tuesday", may(6, 16), may(6, 23)},
		{"coffee with Ada before my vet", anchoredTo("before", "vet", ""), false,
			"When does it start?", "Wednesday at 3 pm", may(7, 0), may(7, 14.5)},
		{"coffee with Ada after my meeting on Tuesday", anchoredTo("after", "meeting", "", "2031-05-06"), false,
			"more than one event that fits “meeting”", "the second one", may(6, 15), may(6, 23)},
		{"coffee with Ada after my meeting on Tuesday", anchoredTo("after", "meeting", "", "2031-05-06"), false,
			"9:00 AM – 10:00 AM", "the one at 9 am", may(6, 10), may(6, 23)},
		{"coffee with Ada after my dentist", anchoredTo("after", "dentist", ""), true,
			"I can't look into your calendar", "it's over at 5 pm on Thursday", may(8, 17), may(8, 23)},
	} {
		t.Run(test.message+" "+test.answer, func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
			w.Unread["me"] = test.unread
			h := newHarness(t, w)
			h.model.Say(llm.Classify, classified("handle_event")).Say(llm.Template, template(test.wish))
			asked := h.say(test.message)
			said, _ := find[meet.MessageUpdate](asked)
			if asked.outcome.Kind != meet.OutcomeQuestion || !strings.Contains(said.Text, test.question) {
				t.Fatalf("%s: %s, want %q", asked.outcome.Kind, said.Text, test.question)
			}
			if strings.Contains(said.Text, "Budget") {
				t.Errorf("the question, which models read later, has a title: %s", said.Text)
			}
			h.script(template(test.wish), first())
			e := event(t, h.say(test.answer))
			if e.Start.Before(test.earliest) || e.Start.After(test.latest) {
				t.Errorf("it is at %v, want %v to %v", e.Start, test.earliest, test.latest)
			}
		})
	}
}

// A time of day stays one, unless the calendar has such an event on the day. An anchor that nobody said is none.
func TestWhatIsNoAnchorIsNotAskedAbout(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		message string
		wish    functions.TemplateArguments
		own     []meet.Occurrence
		from    time.Time
	}{
		{"coffee with Ada after lunch on Tuesday", anchoredTo("after", "lunch", "", "2031-05-06"), nil, may(6, 8)},
		{"coffee with Ada after lunch on Tuesday", anchoredTo("after", "lunch", "", "2031-05-06"),
			[]meet.Occurrence{occurrence("l", "Lunch with Bo", 6, 13, 15)}, may(6, 15)},
		{"coffee with Ada on Tuesday", anchoredTo("after", "dentist appointment", "", "2031-05-06"), myWeek(), may(6, 8)},
	} {
		w := newWorld()
		w.Own = map[meet.PersonID][]meet.Occurrence{"me": test.own}
		h := newHarness(t, w)
		h.script(template(test.wish), first())
		if e := event(t, h.say(test.message)); e.Start.Before(test.from) || e.Start.Day() != test.from.Day() {
			t.Errorf("%s: it is at %v, want from %v", test.message, e.Start, test.from)
		}
	}
}

// A model that leaves the anchor out does not lose it, if the rules read it and the calendar has the event.
func TestAnAnchorThatTheModelLeftOutIsRestored(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
	h := newHarness(t, w)
	rules := h.reader()
	rules.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, template(anchoredTo("after", "dentist appointment", "")))
	h.script(template(coffee()), first())
	if e := event(t, h.say("coffee with Ada after my dentist appointment")); e.Start.Before(may(7, 11.5)) {
		t.Errorf("it is at %v, before the dentist", e.Start)
	}
}

// An event that is to be during one of the organizer's own says that both are at one time, so that it can be confirmed.
func TestAnEventDuringAnotherSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
	w.Written = map[string]stagestest.Written{
		"6": {Person: "me", Span: interval.Span{Start: may(12, 9), End: may(12, 17)}},
	}
	h := newHarness(t, w)
	h.script(template(anchoredTo("during", "workshop", "")), first())
	e := event(t, h.say("coffee with Ada during the workshop"))
	if e.Start.Day() != 12 || len(e.Conflicts) != 1 || e.Conflicts[0].Person != "me" {
		t.Errorf("%v with %+v", e.Start, e.Conflicts)
	}
}

func TestAnEditByAnEventOfTheCalendar(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
	h := newHarness(t, w)
	h.proposed()
	h.script(edited(functions.EditArguments{
		NewCalendarAnchor: &functions.CalendarAnchor{Relation: "after", Event: "dentist"},
	}), first())
	if e := event(t, h.say("move it to after my dentist")); e.Start.Before(may(7, 11.5)) || e.Start.After(may(7, 23)) {
		t.Errorf("it is at %v", e.Start)
	}
}

// A client that brings the organizer's busy times does not want the calendar to be read.
func TestACalendarThatTheRequestReplacesIsNotRead(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.Own = map[meet.PersonID][]meet.Occurrence{"me": myWeek()}
	h := newHarness(t, w)
	h.model.Say(llm.Classify, classified("handle_event")).
		Say(llm.Template, template(anchoredTo("after", "dentist", "")))
	got := h.say("coffee with Ada after my dentist", func(in *meet.Turn) {
		in.Availability = []meet.GivenAvailability{{Person: "me"}}
	})
	if got.outcome.Kind != meet.OutcomeQuestion {
		t.Errorf("got %s", got.outcome.Kind)
	}
}
