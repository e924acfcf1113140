package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"convene/pkg/llm"
)

// sayings are the messages of a file in testdata/unread: with the message that each changes, if it changes any, and
// with what has to be called unread.
func sayings(t *testing.T, file string, each func(t *testing.T, opening, say, want string)) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "unread", file))
	if err != nil {
		t.Fatal(err)
	}
	opening, n := "", 0
	for line := range bytes.Lines(raw) {
		say, want, _ := strings.Cut(strings.TrimSpace(string(line)), " | ")
		if say == "" || strings.ContainsAny(say[:1], "#[") {
			continue
		}
		n++
		change, changes := strings.CutPrefix(say, "> ")
		if !changes {
			opening = say
		}
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if changes {
				each(t, opening, change, want)
			} else {
				each(t, "", say, want)
			}
		})
	}
}

// unread is what a turn calls unread, and how it ended.
func (l *lied) unread(opening, say string) (phrases, outcome string) {
	if opening != "" {
		l.say(opening, false)
	}
	got := l.say(say, false)
	list, _ := lookup(got, "event.doubts")
	all, _ := list.([]any)
	for _, d := range all {
		if kind, _ := lookup(d, "kind"); kind == "unhandled" {
			said, _ := lookup(d, "said")
			phrases += fmt.Sprint(said)
		}
	}
	ended, _ := lookup(got, "done.outcome")
	return phrases, fmt.Sprint(ended)
}

// If nothing of a message is left out, no word of it is called unread: no thanks, no hedge, no reason.
func TestNothingIsCalledUnreadInVain(t *testing.T) {
	t.Parallel()
	server, n, proposed := liar(t, false), 0, 0
	sayings(t, "plain.txt", func(t *testing.T, opening, say, _ string) {
		t.Helper()
		n++
		talk := server
		talk.t, talk.conversation = t, fmt.Sprint("c-", n)
		phrases, outcome := talk.unread(opening, say)
		if phrases != "" {
			t.Errorf("%q: %q is called unread", say, phrases)
		}
		if outcome == "proposed" {
			proposed++
		}
	})
	if n < 120 || proposed < n*9/10 {
		t.Errorf("%d of %d messages became an event", proposed, n)
	}
}

// What no event has of a message is quoted, unless the turn proposes nothing.
func TestWhatIsUnreadIsSaid(t *testing.T) {
	t.Parallel()
	server, n, proposed := liar(t, false), 0, 0
	sayings(t, "left.txt", func(t *testing.T, opening, say, want string) {
		t.Helper()
		n++
		talk := server
		talk.t, talk.conversation = t, fmt.Sprint("c-", n)
		phrases, outcome := talk.unread(strings.NewReplacer(" and ", "\n", " y ", "\n", ",", "\n", " ו", "\n").
			Replace(opening), say)
		if outcome == "proposed" {
			proposed++
			if !strings.Contains(phrases, want) {
				t.Errorf("%q: %q is called unread, want %q", say, phrases, want)
			}
		}
	})
	if n < 60 || proposed < n*8/10 {
		t.Errorf("%d of %d messages became an event", proposed, n)
	}
}

// omission is a message in each language, and the one thing that a model leaves out.
type omission struct {
	name string
	say  map[string]string
	set  map[string]any
}

func omissions() (created, changed []omission) {
	type set = map[string]any
	type in = map[string]string
	const dates, hours = "preferredSchedulableDates", "preferredSchedulableHours"
	full := in{
		"en": "quiet coffee with Al and Dana on Tuesday at 3pm for 45 minutes at Sightglass Coffee",
		"es": "café tranquilo con Al y Dana el martes a las 15:00 durante 45 minutos en Sightglass Coffee",
		"he": "קפה שקט עם אל ודנה ביום שלישי ב-15:00 למשך 45 דקות ב-Sightglass Coffee",
	}
	created = []omission{
		{"person", full, set{"participants": []any{"Al"}, "title": "Coffee with Al"}},
		{"all people", full, set{"participants": []any{}, "title": "Coffee"}},
		{"time", full, set{hours: nil}},
		{"day", full, set{dates: []any{}}},
		{"length", full, set{"duration": nil}},
		{"usual length", full, set{"duration": 30}},
		{"venue", full, set{"placeName": "", "intentSpecificity": "activity_type"}},
		{"wish", full, set{"wishes": []any{}}},
		{"limit", in{
			"en": "coffee with Al on Tuesday, not before 2pm", "es": "café con Al el martes, no antes de las 14:00",
			"he": "קפה עם אל ביום שלישי, לא לפני 14:00",
		}, set{hours: nil, "excludedHours": nil}},
		{"excluded day", in{
			"en": "coffee with Al next week but not on Monday", "es": "café con Al la próxima semana pero no el lunes",
			"he": "קפה עם אל בשבוע הבא אבל לא ביום שני",
		}, set{"preferredSchedulableDates": days("2026-11-22", "2026-11-28"), "excludedDates": []any{}}},
		{"travel", in{
			"en": "coffee with Al on Tuesday at 3pm with 30 minutes of travel time",
			"es": "café con Al el martes a las 15:00 con 30 minutos de viaje",
			"he": "קפה עם אל ביום שלישי ב-15:00 עם 30 דקות נסיעה",
		}, set{"travelBuffer": nil}},
	}
	changed = []omission{
		{"person", in{"en": "add Dana", "es": "añade a Dana", "he": "תוסיף את דנה"}, set{"addParticipants": []any{}}},
		{"person who leaves", in{
			"en": "drop Al", "es": "quita a Al", "he": "בלי אל",
		}, set{"removeParticipants": []any{}}},
		{"time", in{
			"en": "make it 4pm", "es": "cámbialo a las 16:00", "he": "תעביר לשעה 16:00",
		}, set{"newPreferredSchedulableHours": nil}},
		{"day", in{
			"en": "make it Wednesday", "es": "cámbialo al miércoles", "he": "תעביר ליום רביעי",
		}, set{"newPreferredSchedulableDates": []any{}}},
		{"earlier", in{"en": "make it earlier", "es": "más temprano", "he": "תקדים"}, set{"timePreference": "none"}},
		{"limit", in{
			"en": "not before 4pm", "es": "no antes de las 16:00", "he": "לא לפני 16:00",
		}, set{"newPreferredSchedulableHours": nil, "newExcludedHours": nil}},
		{"length", in{"en": "make it an hour", "es": "que dure una hora", "he": "שיהיה שעה"}, set{"newDuration": nil}},
		{"venue", in{
			"en": "at Sightglass Coffee instead", "es": "mejor en Sightglass Coffee", "he": "במקום זה ב-Sightglass Coffee",
		}, set{"newPlaceName": nil}},
		{"wish", in{"en": "somewhere quiet", "es": "un sitio tranquilo", "he": "מקום שקט"}, set{"addWishes": []any{}}},
		{"travel", in{
			"en": "add 30 minutes of travel time", "es": "con 30 minutos de viaje", "he": "עם 30 דקות נסיעה",
		}, set{"newTravelBuffer": nil}},
	}
	return created, changed
}

// What a model leaves out is restored from the user's own words, asked about, or said; it is not booked unconfirmed.
func TestWhatAModelLeavesOutIsNotLost(t *testing.T) {
	t.Parallel()
	created, changed := omissions()
	for language := range tellings {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			server := liar(t, true)
			for i, o := range slices.Concat(created, changed) {
				t.Run(fmt.Sprintf("%s, edit %v", o.name, i >= len(created)), func(t *testing.T) {
					talk := server
					talk.t = t
					turn := func(name string, auto bool, deeds ...deed) any {
						talk.conversation = fmt.Sprintf("c-%d-%s", i, name)
						if i >= len(created) {
							talk.say(tellings[language]["short"], false)
						}
						return talk.say(o.say[language], auto, deeds...)
					}
					lie := deed{Stage: llm.Template, Set: o.set}
					honest := turn("honest", false)
					if kinds := doubts(t, honest); len(kinds) > 0 && o.name != "travel" { // rules read it in English only
						t.Fatalf("an honest model is doubted: %v", kinds)
					}
					got := turn("left", false, lie)
					if kinds := doubts(t, got); len(kinds) == 0 && !sameWish(got, honest) {
						t.Errorf("lost: %v", lost(got, honest))
					}
					booked := turn("booked", true, lie)
					status, _ := lookup(booked, "event.status")
					if kinds := doubts(t, booked); (status != "proposed" || len(kinds) == 0) && !sameWish(booked, honest) {
						t.Errorf("with autoConfirm the event is %v, doubts %v", status, kinds)
					}
				})
			}
		})
	}
}

// wished are the members of an event that follow the wish.
func wished() []string {
	return []string{"event.start", "event.end", "event.place.name", "event.participants", "event.travelBuffer"}
}

func sameWish(got, want any) bool { return lost(got, want) == "" }

// lost says which members of an event differ.
func lost(got, want any) string {
	var differ []string
	for _, path := range wished() {
		g, _ := lookup(got, path)
		if w, _ := lookup(want, path); fmt.Sprint(g) != fmt.Sprint(w) {
			differ = append(differ, fmt.Sprintf("%s is %v, want %v", path, g, w))
		}
	}
	return strings.Join(differ, "; ")
}
