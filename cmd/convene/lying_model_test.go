package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"convene/pkg/llm"
	"convene/pkg/llm/llmtest"
	"convene/stages"
)

// lie is one field in which a model that is honest otherwise says what nobody said.
type lie struct {
	name string
	// say is the message that is lied about, by its key in tellings.
	say string
	set map[string]any
	// function is called in place of the right one. The stage is that of the template unless it is set.
	function string
	stage    llm.Stage
	// doubt is the kind of the mark that the event has without autoConfirm; empty if it is put right instead, or is no
	// contradiction of what was said.
	doubt string
	// right means that the lie comes to nothing with autoConfirm, so that the event is booked. restored means that the
	// event is the honest one, and not booked.
	right, restored bool
}

// tellings are what is said, by language: messages of new events, and of changes of the short one.
var tellings = map[string]map[string]string{
	"en": {
		"full": "coffee with Al on Tuesday at 3pm for 45 minutes", "short": "coffee with Al on Tuesday at 3pm",
		"sam": "coffee with Sam Rivera on Tuesday at 3pm", "refused": "coffee with Al on Tuesday at 3pm, not at Four Barrel",
		"venue": "coffee with Al on Tuesday at 3pm at Sightglass Coffee", "day": "make it Wednesday", "time": "make it 4pm",
		"length": "make it an hour", "add": "add Dana", "range": "coffee with Al next week in the afternoon",
		"earlier": "make it earlier", "any": "coffee with Al", "thanks": "thanks, that was all",
	},
	"es": {
		"full": "café con Al el martes a las 15:00 durante 45 minutos", "short": "café con Al el martes a las 15:00",
		"sam":     "café con Sam Rivera el martes a las 15:00",
		"refused": "café con Al el martes a las 15:00, pero no en Four Barrel",
		"venue":   "café con Al el martes a las 15:00 en Sightglass Coffee", "day": "cámbialo al miércoles",
		"time":   "cámbialo a las 16:00",
		"length": "que dure una hora", "add": "añade a Dana", "range": "café con Al la próxima semana por la tarde",
		"earlier": "más temprano", "any": "café con Al", "thanks": "gracias, eso era todo",
	},
	"he": {
		"full": "קפה עם אל ביום שלישי ב-15:00 למשך 45 דקות", "short": "קפה עם אל ביום שלישי ב-15:00",
		"sam": "קפה עם Sam Rivera ביום שלישי ב-15:00", "refused": "קפה עם אל ביום שלישי ב-15:00, לא ב-Four Barrel",
		"venue": "קפה עם אל ביום שלישי ב-15:00 ב-Sightglass Coffee", "day": "תעביר ליום רביעי", "time": "תעביר לשעה 16:00",
		"length": "שיהיה שעה", "add": "תוסיף את דנה", "range": "קפה עם אל בשבוע הבא אחר הצהריים",
		"earlier": "תקדים", "any": "קפה עם אל", "thanks": "תודה, זה הכול",
	},
}

// changes are the messages that change an event.
var changes = []string{"day", "time", "length", "add", "earlier"}

// startingAt are the hours of one start on every day, as a model writes them.
func startingAt(clock string) map[string]any {
	hours := map[string]any{"on": []any{}}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"} {
		hours[day] = []any{map[string]any{"start": clock, "end": clock}}
	}
	return hours
}

func days(first, last string) []any { return []any{map[string]any{"start": first, "end": last}} }

func near(area, person, anchor string) map[string]any {
	return map[string]any{"area": area, "landmark": "", "person": person, "anchor": anchor}
}

func newLies() []lie {
	type set = map[string]any
	const dates, hours, people, title = "preferredSchedulableDates", "preferredSchedulableHours", "participants", "title"
	return []lie{
		{name: "day", say: "full", set: set{dates: days("2026-11-25", "2026-11-25")}, doubt: "day"},
		{name: "no day", say: "full", set: set{dates: []any{}}, restored: true},
		{name: "other week", say: "full", set: set{dates: days("2026-12-01", "2026-12-01")}, doubt: "day"},
		{name: "week after next", say: "range", set: set{dates: days("2026-12-07", "2026-12-11")}, doubt: "day"},
		{name: "day excluded", say: "full", set: set{"excludedDates": days("2026-11-24", "2026-11-24")}, doubt: "day"},
		{name: "day where none was said", say: "any", set: set{dates: days("2026-12-02", "2026-12-02")}},
		{name: "time", say: "full", set: set{hours: startingAt("17:00")}, doubt: "time"},
		{name: "time of another part of the day", say: "range", set: set{hours: startingAt("09:00")}, doubt: "time"},
		{name: "odd time where none was said", say: "any", set: set{hours: startingAt("23:00")}, doubt: "time"},
		{name: "length", say: "full", set: set{"duration": 90}, doubt: "length"},
		{name: "eight hours", say: "full", set: set{"duration": 480}, doubt: "length"},
		{name: "eight hours where no length was said", say: "short", set: set{"duration": 480}, doubt: "length"},
		{name: "all day", say: "full", set: set{"duration": 1440, hours: startingAt("00:00")}, doubt: "length"},
		{name: "person added", say: "short", set: set{people: []any{"Al", "Dana"}, title: "coffee with Al and Dana"}},
		{name: "person swapped", say: "short", set: set{
			people: []any{"Dana Whitfield"}, title: "coffee with Dana Whitfield",
		}, restored: true},
		{name: "person dropped", say: "short", set: set{people: []any{}}, restored: true},
		{name: "namesake", say: "sam", set: set{people: []any{"Sam Okafor"}, title: "coffee with Sam Okafor"}},
		{name: "stranger for a friend", say: "sam", set: set{
			people: []any{"Theo"}, title: "coffee with Theo",
		}, restored: true},
		{name: "address added", say: "short", set: set{people: []any{"Al", "eve@evil.example"}}},
		{name: "address swapped", say: "short", set: set{people: []any{"al@evil.example"}}, restored: true},
		{name: "known address added", say: "short", set: set{people: []any{"Al", "dana@example.org"}}},
		{name: "person in the title", say: "short", set: set{title: "coffee with Al and Dana Whitfield"}},
		{name: "other venue", say: "venue", set: set{"placeName": "Stanza Coffee"}, doubt: "place"},
		{name: "no venue", say: "venue", set: set{"placeName": "", "intentSpecificity": "activity_type"}, restored: true},
		{name: "venue invented", say: "short", set: set{"placeName": "Stanza Coffee", "intentSpecificity": "specific_place"}},
		{name: "venue refused", say: "refused", set: set{
			"placeName": "Four Barrel", "intentSpecificity": "specific_place", "excludedPlaces": []any{},
		}},
		{name: "venue searched for", say: "short", set: set{"activitySearchQuery": "Stanza Coffee"}},
		{name: "other kind of venue", say: "short", set: set{"suggestedPlaceTypes": []any{"bar"}}},
		{name: "video", say: "short", set: set{"eventType": "video"}},
		{name: "area", say: "short", set: set{"where": near("Sunset", "", "none")}},
		{name: "near somebody", say: "short", set: set{"where": near("", "Dana", "location")}},
		{name: "wish", say: "short", set: set{"wishes": []any{"upscale"}}},
		{name: "travel", say: "short", set: set{"travelBuffer": set{"beforeMinutes": 300, "afterMinutes": 300}}},
		{name: "last venue", say: "short", stage: llm.Select, set: set{"rankedPlaceIndices": []any{3, 2, 1, 0}}, right: true},
		{name: "event where none was asked for", say: "thanks", function: "generateEventTemplate", set: newEvent()},
	}
}

func editLies() []lie {
	type set = map[string]any
	const dates, hours, added = "newPreferredSchedulableDates", "newPreferredSchedulableHours", "addParticipants"
	return []lie{
		{name: "day", say: "day", set: set{dates: days("2026-11-26", "2026-11-26")}, doubt: "day"},
		{name: "other week", say: "day", set: set{dates: days("2026-12-02", "2026-12-02")}, doubt: "day"},
		{name: "time", say: "time", set: set{hours: startingAt("11:00")}, doubt: "time"},
		{name: "later for earlier", say: "earlier", set: set{"timePreference": "later"}, doubt: "time"},
		{name: "length", say: "length", set: set{"newDuration": 120}, doubt: "length"},
		{name: "eight hours", say: "length", set: set{"newDuration": 480}, doubt: "length"},
		{name: "other day unasked", say: "length", set: set{dates: days("2026-11-27", "2026-11-27")}, doubt: "day"},
		{name: "other hour unasked", say: "length", set: set{hours: startingAt("11:00")}, doubt: "time"},
		{name: "other length unasked", say: "day", set: set{"newDuration": 90}, doubt: "length"},
		{name: "person added", say: "length", set: set{added: []any{"Dana"}, "newTitle": "Coffee with Al and Dana"}},
		{name: "person swapped", say: "add", set: set{added: []any{"Grace"}}, restored: true},
		{name: "person not added", say: "add", set: set{added: []any{}}, restored: true},
		{name: "person dropped", say: "length", set: set{"removeParticipants": []any{"Al"}}, doubt: "people"},
		{name: "address added", say: "length", set: set{added: []any{"eve@evil.example"}}},
		{name: "other venue", say: "length", set: set{"newPlaceName": "Stanza Coffee"}},
		{name: "video", say: "length", set: set{"newEventType": "video"}},
		{name: "a second event", say: "length", function: "generateEventTemplate", set: newEvent()},
	}
}

// newEvent is a whole new event as a model writes it: the short one of tellings.
func newEvent() map[string]any {
	return map[string]any{
		"title": "coffee with Al", "eventType": "in-person", "activity": "coffee", "duration": 60,
		"preferredSchedulableDates": days("2026-11-24", "2026-11-24"), "preferredSchedulableHours": startingAt("15:00"),
		"excludedDates": []any{}, "excludedHours": nil, "participants": []any{"Al"}, "suggestedPlaceTypes": []any{"cafe"},
		"intentSpecificity": "activity_type", "activitySearchQuery": "", "placeName": "", "travelBuffer": nil,
		"calendarAnchor": nil, "suggestedActivity": nil, "wishes": []any{}, "where": nil, "excludedPlaces": []any{},
		"undecidedPeople": []any{}, "unhandled": []any{},
	}
}

// lied is a server whose model can be made to lie, and whose rules do not.
type lied struct {
	client
	model *hijacked
}

// liar serves with a built-in model that can be made to lie; held says that the rules read beside it.
func liar(t *testing.T, held bool) lied {
	t.Helper()
	model := &hijacked{}
	server := wired(t, parseSettings(t), func(p *stages.Ports) {
		model.Model, p.Model = p.Model, model
		if held {
			p.Reader = model.Model
		}
	})
	return lied{client{t: t, server: server.url()}, model}
}

// say is a turn in which everyone is free, so that nothing but a doubt keeps an event from being booked.
func (l *lied) say(message string, auto bool, deeds ...deed) any {
	l.t.Helper()
	free := []any{}
	for _, id := range []string{"me", "al", "dana", "grace", "theo", "marcus", "noam", "sam-rivera", "sam-okafor"} {
		free = append(free, map[string]any{"person": id, "busy": []any{}})
	}
	body, err := json.Marshal(map[string]any{
		"message": message, "organizer": "me", "conversationId": l.conversation, "autoConfirm": auto, "availability": free,
	})
	if err != nil {
		l.t.Fatal(err)
	}
	l.model.obey(deeds...)
	defer l.model.obey()
	got := l.turn(string(body))
	if status, _ := lookup(got, "event.status"); status == "confirmed" { // so that it takes no time from other turns
		l.settle("cancel", "{}")
	}
	return got
}

// deedsOf are what makes the model tell a lie. One that makes an event of anything has to say so at once.
func deedsOf(l lie) []deed {
	if l.stage == "" {
		l.stage = llm.Template
	}
	deeds := []deed{{Stage: l.stage, Function: l.function, Set: l.set}}
	if l.say == "thanks" {
		deeds = append(deeds, deed{Stage: llm.Classify, Set: map[string]any{"intent": "handle_event"}})
	}
	return deeds
}

// A model that is honest but for one field books nothing that nobody said: with autoConfirm the event stays a proposal,
// which says why. Without it, what contradicts the message is marked, and people nobody named are left out.
func TestALyingModelBooksNothing(t *testing.T) {
	t.Parallel()
	for language, says := range tellings {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			server := liar(t, true)
			for i, l := range append(newLies(), editLies()...) {
				for _, auto := range []bool{false, true} {
					edit := i >= len(newLies())
					t.Run(fmt.Sprintf("%s, edit %v, auto %v", l.name, edit, auto), func(t *testing.T) {
						talk := server
						talk.t, talk.conversation = t, fmt.Sprintf("c-%d-%v", i, auto)
						if edit {
							talk.say(says["short"], false)
						}
						got := talk.say(says[l.say], auto, deedsOf(l)...)
						if !l.right || !auto {
							checkLie(t, l, auto, got)
						}
						if auto && !l.right || !auto && !l.restored {
							return
						}
						talk.conversation += "-honest"
						if edit {
							talk.say(says["short"], false)
						}
						sameEvent(t, got, talk.say(says[l.say], auto))
					})
				}
			}
		})
	}
}

func checkLie(t *testing.T, l lie, auto bool, got any) {
	t.Helper()
	status, _ := lookup(got, "event.status")
	kinds := doubts(t, got)
	message, _ := lookup(got, "message.text")
	if outcome, _ := lookup(got, "done.outcome"); l.function != "" && outcome == "question" {
		return // the turn asks what to arrange
	}
	if status != "proposed" {
		t.Errorf("the event is %v: %v", status, message)
	}
	if l.doubt != "" && !slices.Contains(kinds, l.doubt) {
		t.Errorf("doubts %v, want %s: %v", kinds, l.doubt, message)
	}
	if why, _ := lookup(got, "done.receipt.degraded"); auto &&
		(len(kinds) == 0 || !strings.Contains(fmt.Sprint(why), "not booked by itself")) {
		t.Errorf("doubts %v, receipt %v: nothing says why it is not booked: %v", kinds, why, message)
	}
	event, _ := lookup(got, "event")
	raw, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Dana", "Grace", "Theo", "Okafor", "evil", "example.org"} {
		if l.say != "add" && strings.Contains(string(raw), name) {
			t.Errorf("nobody named %s, who is in the event: %s", name, raw)
		}
	}
}

// sameEvent wants two events that were booked to be alike in when and where.
func sameEvent(t *testing.T, got, want any) {
	t.Helper()
	for _, path := range []string{"event.status", "event.start", "event.end", "event.place.name"} {
		g, _ := lookup(got, path)
		if w, _ := lookup(want, path); g != w || g == nil {
			t.Errorf("%s is %v, want %v", path, g, w)
		}
	}
}

// doubts are the kinds of the doubts about an event. The message tells each in the same words.
func doubts(t *testing.T, got any) (kinds []string) {
	t.Helper()
	list, _ := lookup(got, "event.doubts")
	message, _ := lookup(got, "message.text")
	all, _ := list.([]any)
	for _, d := range all {
		kind, _ := lookup(d, "kind")
		said, _ := lookup(d, "text")
		kinds = append(kinds, fmt.Sprint(kind))
		if plain := strings.ReplaceAll(fmt.Sprint(message), `\`, ""); !strings.Contains(plain, fmt.Sprint(said)) {
			t.Errorf("the message %q does not say %q", plain, said)
		}
	}
	return kinds
}

// What was in doubt stays so until the user names it anew: a later change does not book it along.
func TestADoubtStays(t *testing.T) {
	t.Parallel()
	for language, says := range tellings {
		talk := liar(t, true)
		for next, want := range map[string]string{"length": "proposed", "day": "confirmed"} {
			talk.conversation = "c-" + next
			lie := deed{Stage: llm.Template, Set: map[string]any{"preferredSchedulableDates": days("2026-11-26", "2026-11-26")}}
			if kinds := doubts(t, talk.say(says["short"], true, lie)); !slices.Equal(kinds, []string{"day"}) {
				t.Fatalf("%s: doubts %v", language, kinds)
			}
			got := talk.say(says[next], true)
			if status, _ := lookup(got, "event.status"); status != want {
				message, _ := lookup(got, "message.text")
				t.Errorf("%s: after %q the event is %v, want %s: %v", language, says[next], status, want, message)
			}
		}
	}
}

// An honest model is not held up: what it says is booked as before, and nothing is in doubt.
func TestAnHonestModelBooks(t *testing.T) {
	t.Parallel()
	for language, says := range tellings {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			talk := liar(t, true)
			for _, say := range slices.Sorted(maps.Keys(says)) {
				for auto, want := range map[bool]string{false: "proposed", true: "confirmed"} {
					talk.conversation = fmt.Sprintf("c-%s-%v", say, auto)
					if slices.Contains(changes, say) {
						talk.say(says["short"], false)
					}
					got := talk.say(says[say], auto)
					status, _ := lookup(got, "event.status")
					if say == "refused" && language != "en" {
						continue // the rules read a refused venue in English only; in others it is called unread
					}
					if kinds := doubts(t, got); say != "thanks" && (status != want || len(kinds) > 0) {
						message, _ := lookup(got, "message.text")
						t.Errorf("%q: %v with doubts %v, want %s: %v", says[say], status, kinds, want, message)
					}
				}
			}
		})
	}
}

// plain is a wish in plain words, and how an honest model reads it that reads more finely than the rules.
type plain struct {
	Message   string         `json:"message"`
	Arguments map[string]any `json:"arguments"`
}

// A model that reads better than the rules is rarely held up: most plain wishes are booked at once, and none is marked.
func TestABetterModelIsRarelyHeldUp(t *testing.T) {
	t.Parallel()
	all := corpus[plain](t, "../autoconfirm/plain")
	booked := map[bool]int{}
	for _, held := range []bool{false, true} {
		talk := liar(t, held)
		for i, wish := range all {
			reading := deed{Stage: llm.Template, Function: "generateEventTemplate", Set: wish.Arguments}
			talk.conversation = fmt.Sprintf("plain-%d", i)
			got := talk.say(wish.Message, true, reading)
			if status, _ := lookup(got, "event.status"); status == "confirmed" {
				booked[held]++
			} else if kinds := doubts(t, got); held {
				t.Logf("%s: doubts %v", wish.Message, kinds)
			}
			talk.conversation = fmt.Sprintf("marked-%d", i)
			if kinds := doubts(t, talk.say(wish.Message, false, reading)); len(kinds) > 0 {
				t.Errorf("%s: doubts %v", wish.Message, kinds)
			}
		}
	}
	t.Logf("of %d, %d are booked without rules beside the model, and %d with them", len(all), booked[false], booked[true])
	if booked[true]*20 < booked[false]*17 {
		t.Errorf("%d are booked, and %d without rules beside the model", booked[true], booked[false])
	}
}

// A model that is configured has the rules beside it, without anyone asking for that.
func TestAConfiguredModelIsHeldToTheWords(t *testing.T) {
	t.Parallel()
	model := llmtest.New(t)
	classify, _, choice := goodAnswers(t)
	lie := newEvent()
	lie["preferredSchedulableDates"] = days("2026-11-25", "2026-11-25")
	answers := map[string]llmtest.Answer{
		"classifyIntent": classify, "generateEventTemplate": call(t, "generateEventTemplate", lie), "generateEvent": choice,
	}
	model.Otherwise(func(r llmtest.Request) llmtest.Answer { return answers[r.ToolNames()[0]] })
	talk := lied{client{t: t, server: startServer(t, "", "--openai-base-url="+model.URL), conversation: "c"}, &hijacked{}}
	got := talk.say(tellings["en"]["short"], true)
	if kinds := doubts(t, got); !slices.Contains(kinds, "day") {
		status, _ := lookup(got, "event.status")
		t.Errorf("%v with doubts %v", status, kinds)
	}
}
