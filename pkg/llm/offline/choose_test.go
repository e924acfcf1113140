package offline

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSuggestedActivity(t *testing.T) {
	t.Parallel()
	d := onWednesday("")
	d.Activities = []knownActivity{
		{1, "Night market", "Pier 3", "2026-03-06T18:00:00-08:00", "2026-03-06T21:00:00-08:00", "market", true},
		{2, "Jazz quartet", "Blue Door", "2026-03-07T20:00:00-08:00", "2026-03-07T22:00:00-08:00", "music", false},
		{3, "Poster show", "Harbor Hall", "2026-03-08T11:00:00-07:00", "2026-03-08T15:00:00-07:00", "art", false},
	}
	for message, want := range map[string]int{
		"let's do the second one": 2, "the jazz thing": 2, "number 3 please": 3, "the last one": 3, "the market with Mia": 1,
		"#1":           1,
		"the free one": 1, "the one on Saturday": 2, "book the concert with Mia": 2, "the exhibition on Sunday": 3,
		"not that, the first": 1,
		"the one at 8pm":      2, "let's do the one on Saturday evening": 2, "the one at Harbor Hall": 3,
		"the thing on the 8th": 3,
		"el segundo":           2, "hagamos la segunda con Mia": 2, "el de jazz": 2, "la del domingo": 3, "el gratis": 1,
		"el concierto del sábado": 2,
		"השני":                    2, "את השנייה בבקשה": 2, "ההופעה": 2, "זה של יום ראשון": 3, "הזה בחינם": 1,
	} {
		d.Message, d.RecentTurns = message, nil
		if strings.HasPrefix(message, "el ") || strings.HasPrefix(message, "la ") {
			d.RecentTurns = []exchange{{User: "¿qué hay para hacer este fin de semana?"}}
		}
		got := templateOf(d)
		if got.SuggestedActivity == nil || *got.SuggestedActivity != want {
			t.Errorf("%q means %v, want %d", message, got.SuggestedActivity, want)
			continue
		}
		if chosen := d.Activities[want-1]; got.PlaceName != chosen.Venue ||
			got.PreferredSchedulableDates[0].Start != chosen.Start[:10] {
			t.Errorf("%q: %s on %v, want %s on %s", message, got.PlaceName, got.PreferredSchedulableDates, chosen.Venue,
				chosen.Start[:10])
		}
	}
	d.Message, d.RecentTurns = "number 2", []exchange{{User: "anything fun with Mia on Saturday?"}, {User: "show me more"}}
	if got := templateOf(d); !cmp.Equal(got.Participants, []string{"Mia"}) || got.Title != "Jazz quartet with Mia" {
		t.Errorf("%q with Mia in mind is %q with %v", d.Message, got.Title, got.Participants)
	}
	for _, message := range []string{"coffee with Al on Monday", "dinner on Saturday", "the free one on Sunday",
		"the one on Monday", "call Mia at 8pm"} {
		d.Message = message
		if got := templateOf(d).SuggestedActivity; got != nil {
			t.Errorf("%q means suggestion %d, want none", d.Message, *got)
		}
	}
}

func TestBookingPage(t *testing.T) {
	t.Parallel()
	const own, danas = "https://book.example/me", "https://book.example/dana"
	d := onWednesday("")
	d.BookingLinks = []bookingLink{{"", own}, {"Dana Whitfield", danas}}
	for message, want := range map[string]string{
		"Book a slot at " + own:                 own,
		own:                                     own,
		"book via Dana's link":                  danas,
		"use Dana's booking page":               danas,
		"lunch with Dana on Friday":             "",
		"book dinner with Dana":                 "",
		"book at https://elsewhere.example/now": "",
	} {
		d.Message = message
		name, arguments := New(Options{}).readTemplate([]string{generateEventTemplate, navigateToBookingLink}, d)
		got := ""
		if page, ok := arguments.(navigateArguments); ok {
			got = page.URL
		}
		if got != want {
			t.Errorf("%q: %s to %q, want %q", message, name, got, want)
		}
	}
}

// "Between" two people is with both, and at no time.
func TestBetweenPeople(t *testing.T) {
	t.Parallel()
	d := onWednesday("set up intro call between marcus and lena")
	d.People = []zoned{{Name: "Marcus Bell", Said: []string{"marcus"}}, {Name: "Lena Hoff", Said: []string{"lena"}}}
	_, got := stage3(d)
	if !strings.Contains(got, "participants=[Marcus,Lena]") || strings.Contains(got, "calendarAnchor") {
		t.Error(got)
	}
}
