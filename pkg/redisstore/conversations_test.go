package redisstore

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rs/zerolog"

	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

var losAngeles = must(time.LoadLocation("America/Los_Angeles"))

// conversation has every part, in a zone whose offset changes between its slots.
func conversation(tb testing.TB) meet.Conversation {
	tb.Helper()
	zone := losAngeles(tb)
	start := time.Date(2026, 10, 30, 14, 0, 0, 0, zone)
	slot := func(days int) meet.Slot {
		from := start.AddDate(0, 0, days)
		return meet.Slot{Start: from, End: from.Add(time.Hour), State: meet.SlotFree}
	}
	berlin := must(time.LoadLocation("Europe/Berlin"))(tb)
	event := meet.Event{
		ID: "p1", Conversation: "c1", Status: meet.Proposed, Title: "Coffee with Al", EventType: meet.InPerson,
		Start: start, End: start.Add(time.Hour), Timezone: zone.String(), UID: "u1",
		Participants: []meet.Participant{
			{ID: "me", Name: "Me", Timezone: zone.String(), LocalStart: start},
			{ID: "al", Name: "Al", Timezone: berlin.String(), LocalStart: start.In(berlin)},
		},
		Conflicts:    []meet.Conflict{},
		Alternatives: meet.AlternativeOffer{Slots: []meet.Slot{slot(1), slot(3)}, Places: []meet.Place{}},
	}
	return meet.Conversation{
		ID:      "c1",
		History: []meet.Exchange{{User: "coffee with Al?", Assistant: "**Friday** at 2 PM."}},
		Search: &meet.Search{
			Template: meet.Template{Title: "Coffee with Al", EventType: meet.InPerson, Activity: meet.Coffee, Duration: 60,
				Hours: &meet.Hours{Week: interval.Weekdays(interval.Window{Start: interval.At(9, 0), End: interval.At(17, 0)})}},
			People: []meet.Person{
				{ID: "al", Name: "Al", Location: &meet.Location{Point: geo.Point{Latitude: 52.5, Longitude: 13.4}}},
			},
			Places:       []meet.Place{{Name: "Blue Bottle Coffee", Rating: 4.5, Named: true}, {Name: "Philz", InArea: true}},
			Slots:        []meet.Slot{slot(0), slot(1), slot(3)},
			OfferedSlots: []meet.Slot{slot(3)},
			ShownSlots:   []time.Time{start},
			ShownPlaces:  []string{"Blue Bottle Coffee"},
			Event:        &event,
			Organizer:    "me",
			At:           time.Date(2026, 10, 26, 9, 0, 0, 0, time.UTC),
		},
		Suggestions: []meet.Suggestion{{Title: "Jazz", Start: start.UTC(), End: start.UTC().Add(time.Hour)}},
		Question: &meet.Question{
			Text: "Al Chen or Al Ortiz?", Message: "coffee with Al", Name: "Al", Choices: []meet.Person{{Name: "Al Chen"}},
		},
	}
}

func TestAConversationIsKept(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		memory, ctx := t.open(Config{}).Conversations(), t.Context()
		if diff := cmp.Diff(meet.Conversation{ID: "c1"}, must(memory.Load(ctx, "c1"))(t)); diff != "" {
			t.Errorf("an unknown conversation (-want +got):\n%s", diff)
		}
		want := conversation(t)
		check(t, memory.Save(ctx, want))
		got := must(memory.Load(ctx, "c1"))(t)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("conversation (-want +got):\n%s", diff)
		}
		// Three days on, daylight saving has ended: only a zone gets that right, an offset does not.
		if gotZone := got.Search.Slots[0].Start.Location().String(); gotZone != "America/Los_Angeles" {
			t.Errorf("zone of a slot = %q, want America/Los_Angeles", gotZone)
		}
		if gotZone := got.Search.OfferedSlots[0].End.Location().String(); gotZone != "America/Los_Angeles" {
			t.Errorf("zone of a slot that was offered = %q, want America/Los_Angeles", gotZone)
		}
		check(t, memory.Save(ctx, meet.Conversation{ID: "c1"}))
		if diff := cmp.Diff(meet.Conversation{ID: "c1"}, must(memory.Load(ctx, "c1"))(t)); diff != "" {
			t.Errorf("what the last save did not have is still there (-want +got):\n%s", diff)
		}
	})
}

func TestASearchWithoutAnEventKeepsItsZone(t *testing.T) {
	t.Parallel()
	c := conversation(t)
	c.Search.Event, c.Search.Zone = nil, "America/Los_Angeles"
	memory := openStore(t, Config{}).Conversations()
	check(t, memory.Save(t.Context(), c))
	got := must(memory.Load(t.Context(), "c1"))(t).Search
	for _, at := range []time.Time{got.Slots[0].Start, got.OfferedSlots[0].Start, got.ShownSlots[0]} {
		if at.Location().String() != "America/Los_Angeles" {
			t.Errorf("a time is in %q, want America/Los_Angeles", at.Location())
		}
	}
}

func TestConversationKeys(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		s := t.open(Config{})
		check(t, s.Conversations().Save(t.Context(), conversation(t)))
		names := must(s.client.Keys(t.Context(), s.config.Prefix+"*").Result())(t)
		if len(names) != 5 {
			t.Errorf("keys = %q, want the search, which is the latest, suggestions, history and question", names)
		}
		for _, name := range names {
			if !strings.Contains(name, "{c1}") {
				t.Errorf("%s has not the hash tag of its conversation", name)
			}
			wantLife(t, s, name, 30*time.Minute)
		}
		if s.client.Exists(t.Context(), s.config.Prefix+"places:{c1}:al:me").Val() != 1 {
			t.Errorf("keys = %q, want the search under its pair", names)
		}
	})
}

// A plan that waits outlives the rest of its conversation.
func TestAPlanThatWaitsIsKeptLonger(t *testing.T) {
	t.Parallel()
	onEachSingleServer(t, func(t server) {
		s := t.open(Config{})
		c, ctx := conversation(t), t.Context()
		c.Waiting = &meet.Waiting{Language: "he", Applied: "ch_1", Plan: &meet.WaitingPlan{
			ID: "pl_1", Language: "he", Keep: 24 * time.Hour,
		}}
		check(t, s.Conversations().Save(ctx, c))
		if diff := cmp.Diff(c.Waiting, must(s.Conversations().Load(ctx, "c1"))(t).Waiting); diff != "" {
			t.Errorf("what waits (-want +got):\n%s", diff)
		}
		wantLife(t, s, s.keys.of("").paused("c1"), 48*time.Hour)
		wantLife(t, s, s.keys.of("").open("c1"), 30*time.Minute)
		check(t, s.client.Del(ctx, s.keys.of("").open("c1"), s.keys.of("").history("c1")).Err())
		got := must(s.Conversations().Load(ctx, "c1"))(t).Waiting
		if diff := cmp.Diff(&meet.Waiting{Language: "he", Plan: c.Waiting.Plan}, got); diff != "" {
			t.Errorf("what is left (-want +got):\n%s", diff)
		}
		c.Waiting.Plan = nil
		check(t, s.Conversations().Save(ctx, c))
		if n := s.client.Exists(ctx, s.keys.of("").paused("c1")).Val(); n != 0 {
			t.Error("a plan that waits no longer is kept")
		}
	})
}

func TestLoadIsTheLatestSearch(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		memory, ctx := t.open(Config{}).Conversations(), t.Context()
		c := conversation(t)
		check(t, memory.Save(ctx, c))
		c.Search.People = append(c.Search.People, meet.Person{ID: "bo", Name: "Bo"})
		c.Search.Template.Title = "Coffee with Al and Bo"
		check(t, memory.Save(ctx, c))
		if got := must(memory.Load(ctx, "c1"))(t).Search.Template.Title; got != "Coffee with Al and Bo" {
			t.Errorf("title of the latest search = %q", got)
		}
	})
}

func TestCircle(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		search meet.Search
		want   string
	}{
		{"the same in any order", meet.Search{Organizer: "me", People: []meet.Person{{ID: "zoe"}, {ID: "al"}}}, "al:me:zoe"},
		{"each once", meet.Search{Organizer: "me", People: []meet.Person{{ID: "al"}, {ID: "me"}, {ID: "al"}}}, "al:me"},
		{"alone", meet.Search{Organizer: "me"}, "me"},
		{"a name is no id", meet.Search{Organizer: "me", People: []meet.Person{{Name: "Al"}, {ID: "~al"}}}, "%7Eal:me:~al"},
		{"ids cannot pass for structure", meet.Search{Organizer: "a:b", People: []meet.Person{{ID: "{c}"}}}, "%7Bc%7D:a%3Ab"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := circleOf(tt.search); got != tt.want {
				t.Errorf("circleOf = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestHistoryIsTheLastTwenty(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		memory, ctx := t.open(Config{}).Conversations(), t.Context()
		c := meet.Conversation{ID: "c1"}
		for i := range 25 {
			c.History = append(c.History, meet.Exchange{User: fmt.Sprint(i)})
		}
		check(t, memory.Save(ctx, c))
		got := must(memory.Load(ctx, "c1"))(t).History
		if diff := cmp.Diff(c.History[5:], got); diff != "" {
			t.Errorf("history (-want +got):\n%s", diff)
		}
	})
}

func TestAPartThatCannotBeReadIsForgotten(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		open := t.open
		for name, value := range map[string]string{
			"another format": `0:{"template":{}}`, "no format": `{"template":{}}`, "half": `1:{"template":`,
			"another type": `1:[1]`, "empty": "",
		} {
			t.Run(name, func(t *testing.T) {
				s := open(Config{})
				want := conversation(t)
				check(t, s.Conversations().Save(t.Context(), want))
				check(t, s.client.Set(t.Context(), s.keys.of("").search("c1", "al:me"), value, 0).Err())
				var logged bytes.Buffer
				ctx := zerolog.New(&logged).WithContext(t.Context())
				got := must(s.Conversations().Load(ctx, "c1"))(t)
				want.Search = nil
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("conversation (-want +got):\n%s", diff)
				}
				if !strings.Contains(logged.String(), "cannot be read") {
					t.Errorf("log = %q, want a warning", &logged)
				}
			})
		}
	})
}

// Lists of a search that are already encoded are stored as they are, and read like others.
func TestASearchIsKeptAsItWasEncoded(t *testing.T) {
	t.Parallel()
	onEachServer(t, func(t server) {
		start := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
		found := meet.Candidates{
			Slots:  []meet.Slot{{Start: start, End: start.Add(time.Hour), State: meet.SlotFree}},
			Places: []meet.Place{{ID: "1", Name: "Café <b>\"&\"", Types: []string{"cafe"}}},
		}
		check(t, found.Encode())
		want := meet.Search{Organizer: "me", Zone: "UTC", Places: found.Places, Slots: found.Slots}
		for _, lists := range []meet.Lists{{}, found.Lists} {
			kept := want
			kept.Lists = lists
			check(t, t.open(Config{}).Conversations().Save(t.Context(), meet.Conversation{ID: "c", Search: &kept}))
			got := must(t.open(Config{}).Conversations().Load(t.Context(), "c"))(t)
			if diff := cmp.Diff(&want, got.Search); diff != "" {
				t.Errorf("encoded before: %t (-want +got):\n%s", lists.Places != nil, diff)
			}
		}
	})
}
