package message_test

import (
	"strings"
	"testing"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/message"
)

func asked() meet.Event {
	start := time.Date(2026, time.March, 10, 18, 0, 0, 0, time.UTC)
	morning := interval.At(8, 0)
	hours := interval.EveryDay(interval.Window{Start: morning, End: interval.At(17, 30)})
	return meet.Event{
		Title: "Tea with Noor", EventType: meet.InPerson, Start: start, End: start.Add(45 * time.Minute),
		Timezone: "America/Los_Angeles", Status: meet.Proposed, Language: "en",
		Participants: []meet.Participant{
			{ID: "me", Name: "Kai", Timezone: "America/Los_Angeles"},
			{ID: "noor", Name: "Noor", Timezone: "America/Los_Angeles"},
		},
		Place: &meet.Place{
			Name: "Leaf House", Address: "5 Elm Street", Timezone: "America/Los_Angeles", OpeningHours: &hours,
			Features: []string{"quiet"}, Lacks: []meet.Feature{meet.Parking},
			TravelMinutes: []meet.Way{{Person: "me", Name: "Kai", Minutes: 15}},
		},
	}
}

func TestAbout(t *testing.T) {
	t.Parallel()
	reader, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		t.Fatal(err)
	}
	for aspect, want := range map[meet.Aspect]string{
		meet.AspectWhen: "Tuesday, March 10 at 11:00 AM", meet.AspectZone: "(PDT)", meet.AspectLength: "45 minutes",
		meet.AspectPeople: "With you: Noor.", meet.AspectPlace: "5 Elm Street", meet.AspectHours: "8:00 AM–5:30 PM",
		meet.AspectDistance: "15 minutes", meet.AspectPrice: "I don't know the prices", meet.AspectTitle: "Tea with Noor",
		meet.AspectReason: "I'll check it", "quiet": "Yes, as far as I know", "parking": "No, as far as I know",
		"wifi": "I don't know this about Leaf House: wifi.",
	} {
		if got := message.About(asked(), []meet.Aspect{aspect}, reader, asked().Start); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want … %q …", aspect, got, want)
		}
	}
}

// Nothing is made up of a place that there is not, nor of hours that nobody knows.
func TestAboutTheUnknown(t *testing.T) {
	t.Parallel()
	call, nowhere := asked(), asked()
	call.Place, call.EventType = nil, meet.Video
	nowhere.Place.OpeningHours, nowhere.Place.TravelMinutes, nowhere.Language = nil, nil, "es"
	for want, got := range map[string]string{
		"It's a video call, so there is no place.": message.About(
			call, []meet.Aspect{meet.AspectHours, "quiet"}, time.UTC, call.Start),
		"No sé cuándo está abierto Leaf House": message.About(
			nowhere, []meet.Aspect{meet.AspectHours}, time.UTC, nowhere.Start),
		"No sé a qué distancia está": message.About(nowhere, []meet.Aspect{meet.AspectDistance}, time.UTC, nowhere.Start),
	} {
		if !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q …", got, want)
		}
	}
}
