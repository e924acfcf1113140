package calendartest

import (
	"cmp"
	"errors"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"convene/pkg/agenda"
	"convene/pkg/calendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// Kept is a calendar whose events can be changed, and what a test sees and does there without Convene.
type Kept struct {
	calendar.Amender
	// Dump is everything that is kept, in a form that is equal as long as nothing is written.
	Dump func(t *testing.T) string
	// Foreign is what is kept of the event of Event.UID that Convene does not know, sorted; see Event.Foreign.
	Foreign func(t *testing.T, uid string) []string
	// Retitle and Remove change the event of Event.UID as another program does.
	Retitle func(t *testing.T, uid, title string)
	Remove  func(t *testing.T, uid string)
}

// Keeper makes a calendar of the owner's with these events and nothing else.
type Keeper func(t *testing.T, owner meet.Person, events ...Event) Kept

// TestAmender runs the cases about changes. The calendars of shared, if it is not nil, may only be read.
func TestAmender(t *testing.T, open, shared Keeper) {
	t.Run("fields", func(t *testing.T) { testFields(t, open) })
	t.Run("create", func(t *testing.T) { testCreate(t, open) })
	t.Run("series", func(t *testing.T) { testSeries(t, open) })
	t.Run("respond", func(t *testing.T) { testRespond(t, open) })
	t.Run("refused", func(t *testing.T) { testRefused(t, open, shared) })
	t.Run("busy", func(t *testing.T) { testBusyAfter(t, open) })
}

// testBusyAfter: what is moved frees its time and takes another; what is deleted takes none.
func testBusyAfter(t *testing.T, open Keeper) {
	t.Helper()
	k := open(t, Owner(), budget(), yoga())
	busy := func(want ...interval.Span) {
		t.Helper()
		got, err := k.Times(t.Context(), Owner(), days(2, 25), "")
		if err != nil {
			t.Fatalf("Times: %v", err)
		}
		if diff := gocmp.Diff(utc(interval.Availability{Busy: interval.NewSet(want...)}), utc(got.Availability)); diff != "" {
			t.Errorf("availability (-want +got):\n%s", diff)
		}
	}
	busy(hours(3, 9, 11), hours(11, 15, 16), hours(24, 9, 10))
	k.apply(t, update(k.on(t, berlin(3, 10)), "", agenda.Fields{Span: to(hours(4, 15, 16))}))
	k.apply(t, agenda.Amendment{
		Key: "delete-2", Kind: agenda.Delete, Event: k.on(t, berlin(24, 9)), Scope: meet.ThisOne,
	})
	k.apply(t, agenda.Amendment{
		Key: "create-2", Kind: agenda.Create, Event: meet.Occurrence{Title: "Block", Span: hours(5, 8, 9)},
	})
	busy(hours(3, 9, 10), hours(4, 15, 16), hours(5, 8, 9), hours(11, 15, 16))
}

// spring is the span that the tests look at.
func spring() interval.Span { return days(1, 60) }

// seen is what a test sees of an occurrence.
type seen struct {
	Title    string
	From, To time.Time
}

func at(title string, d int, from, to float64) seen {
	return seen{title, berlin(d, from).UTC(), berlin(d, to).UTC()}
}

func seenOf(o meet.Occurrence) seen { return seen{o.Title, o.Span.Start.UTC(), o.Span.End.UTC()} }

// list is the owner's spring in order.
func (k Kept) list(t *testing.T) []meet.Occurrence {
	t.Helper()
	events, err := k.Events(t.Context(), Owner(), spring())
	if err != nil {
		t.Fatalf("Events: %v", err)
	}
	slices.SortFunc(events, func(a, b meet.Occurrence) int {
		return cmp.Or(a.Span.Start.Compare(b.Span.Start), cmp.Compare(a.Title, b.Title))
	})
	return events
}

// on is the only event that starts then.
func (k Kept) on(t *testing.T, start time.Time) meet.Occurrence {
	t.Helper()
	var found []meet.Occurrence
	for _, o := range k.list(t) {
		if o.Span.Start.Equal(start) {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d events start at %v, want 1", len(found), start)
	}
	return found[0]
}

func (k Kept) sees(t *testing.T, want ...seen) {
	t.Helper()
	var got []seen
	for _, o := range k.list(t) {
		got = append(got, seenOf(o))
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// apply makes a change, once more, and once more after that: the repeats write nothing and return the same event.
func (k Kept) apply(t *testing.T, a agenda.Amendment) agenda.Amended {
	t.Helper()
	first, err := k.Apply(t.Context(), Owner(), a)
	if err != nil {
		t.Fatalf("Apply %s: %v", a.Kind, err)
	}
	dump := k.Dump(t)
	for range 2 {
		again, err := k.Apply(t.Context(), Owner(), a)
		if err != nil {
			t.Fatalf("Apply %s again: %v", a.Kind, err)
		}
		if diff := gocmp.Diff(first.Event, again.Event); diff != "" {
			t.Errorf("the same change again (-first +again):\n%s", diff)
		}
		if diff := gocmp.Diff(dump, k.Dump(t)); diff != "" {
			t.Errorf("the same change again was written (-once +again):\n%s", diff)
		}
	}
	if a.Kind != agenda.Delete {
		k.stands(t, first.Event)
	}
	return first
}

// stands: the event that a change returned is the one that is listed.
func (k Kept) stands(t *testing.T, want meet.Occurrence) {
	t.Helper()
	for _, o := range k.list(t) {
		if o.Key() == want.Key() {
			if diff := gocmp.Diff(o, want, sameMoment); diff != "" {
				t.Errorf("the returned event (-listed +returned):\n%s", diff)
			}
			return
		}
	}
	t.Errorf("the returned event %q is not listed", want.Key())
}

var sameMoment = gocmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })

func to[T any](v T) *T { return &v }

func update(o meet.Occurrence, scope meet.Scope, set agenda.Fields) agenda.Amendment {
	return agenda.Amendment{Key: "update-1", Kind: agenda.Update, Event: o, Scope: scope, Set: set}
}

func remove(o meet.Occurrence, scope meet.Scope) agenda.Amendment {
	return agenda.Amendment{Key: "delete-1", Kind: agenda.Delete, Event: o, Scope: scope}
}

// restore is what undoes a change.
func restore(a agenda.Amendment, done agenda.Amended) agenda.Amendment {
	event := done.Event
	if a.Kind == agenda.Delete {
		event = a.Event
	}
	return agenda.Amendment{Key: "undo-" + a.Key, Kind: agenda.Restore, Event: event, Scope: a.Scope, Former: done.Former}
}

// budget is an event with all that an event can have.
func budget() Event {
	return Event{
		UID: "b", Title: "Budget", Start: berlin(3, 10), End: berlin(3, 11), Location: "Room 1, first floor", Foreign: true,
		Guests: []meet.Attendee{
			{Name: "Al Chen", Email: "al@example.com", Answer: meet.Accepted},
			{Name: "Bo", Email: "bo@example.com", Answer: meet.Declined},
		},
	}
}

// guestsOf are the guests of an event in order, without the owner.
func guestsOf(o meet.Occurrence) []meet.Attendee {
	guests := o.Guests()
	slices.SortFunc(guests, func(a, b meet.Attendee) int { return cmp.Compare(a.Email, b.Email) })
	return guests
}

// testFields: an update changes what it names, and nothing else.
func testFields(t *testing.T, open Keeper) {
	t.Helper()
	for _, c := range []struct {
		name string
		set  agenda.Fields
		want func(*meet.Occurrence)
	}{
		{"a title", agenda.Fields{Title: to("Budget; the last, really")},
			func(o *meet.Occurrence) { o.Title = "Budget; the last, really" }},
		{"a place", agenda.Fields{Location: to("Room 2")}, func(o *meet.Occurrence) { o.Location = "Room 2" }},
		{"no place", agenda.Fields{Location: to("")}, func(o *meet.Occurrence) { o.Location = "" }},
		{"notes", agenda.Fields{Description: to("Bring:\npens, paper")},
			func(o *meet.Occurrence) { o.Description = "Bring:\npens, paper" }},
		{"a time", agenda.Fields{Span: to(hours(4, 15, 16.30))},
			func(o *meet.Occurrence) { o.Span = hours(4, 15, 16.30) }},
		{"whole days", agenda.Fields{Span: to(days(5, 6)), AllDay: to(true)},
			func(o *meet.Occurrence) { o.Span, o.AllDay = days(5, 6), true }},
		{"no time taken", agenda.Fields{Transparent: to(true)}, func(o *meet.Occurrence) { o.Transparent = true }},
		{"privacy", agenda.Fields{Visibility: to(meet.Private)},
			func(o *meet.Occurrence) { o.Visibility = meet.Private }},
		{"a kind", agenda.Fields{Kind: to(meet.WorkBlock)}, func(o *meet.Occurrence) { o.Kind = meet.WorkBlock }},
		{"categories", agenda.Fields{Categories: to([]string{"Money", "Work, mostly"})},
			func(o *meet.Occurrence) { o.Categories = []string{"Money", "Work, mostly"} }},
		{"a guest more", agenda.Fields{Invite: []meet.Attendee{{Name: "Cy", Email: "cy@example.com"}}},
			func(o *meet.Occurrence) {
				o.Attendees = append(o.Attendees, meet.Attendee{Name: "Cy", Email: "cy@example.com"})
			}},
		{"a guest who is one already", agenda.Fields{Invite: []meet.Attendee{{Name: "Al", Email: "AL@example.com"}}},
			func(*meet.Occurrence) {}},
		{"a guest less", agenda.Fields{Uninvite: []meet.Attendee{{Email: "bo@example.com"}}},
			func(o *meet.Occurrence) {
				o.Attendees = slices.DeleteFunc(o.Attendees, func(a meet.Attendee) bool { return a.Email == "bo@example.com" })
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := open(t, Owner(), budget())
			before := k.on(t, berlin(3, 10))
			foreign := k.Foreign(t, "b")
			if len(foreign) == 0 {
				t.Fatal("the event has nothing that Convene does not know")
			}
			want := before
			want.Attendees = slices.Clone(want.Attendees)
			c.want(&want)
			change := update(before, "", c.set)
			done := k.apply(t, change)
			compare(t, want, done.Event)
			if diff := gocmp.Diff(foreign, k.Foreign(t, "b")); diff != "" {
				t.Errorf("what Convene does not know (-before +after):\n%s", diff)
			}
			k.apply(t, restore(change, done))
			compare(t, before, k.on(t, berlin(3, 10)))
			if diff := gocmp.Diff(foreign, k.Foreign(t, "b")); diff != "" {
				t.Errorf("what Convene does not know, after the undo (-before +after):\n%s", diff)
			}
		})
	}
}

// compare compares all but what any change of an event changes. Vendors may list the owner among the guests or not.
func compare(t *testing.T, want, got meet.Occurrence) {
	t.Helper()
	want.Version, got.Version = "", ""
	want.Attendees, got.Attendees = guestsOf(want), guestsOf(got)
	if diff := gocmp.Diff(want, got, sameMoment, nilIsEmpty); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

var nilIsEmpty = gocmp.FilterValues(func(a, b []string) bool { return len(a)+len(b) == 0 }, gocmp.Ignore())

// testCreate: a new event is one, however often it is asked for.
func testCreate(t *testing.T, open Keeper) {
	t.Helper()
	for _, c := range []struct {
		name  string
		event meet.Occurrence
		want  []seen
	}{
		{"an event", meet.Occurrence{
			Title: "Lunch", Span: hours(3, 12, 13), Location: "Café Ürün, Berlin", Description: "Two\nlines",
		}, []seen{at("Lunch", 3, 12, 13)}},
		{"a block", meet.Occurrence{
			Title: "Deep work", Span: hours(3, 9, 11), Kind: meet.WorkBlock, Categories: []string{"Focus"},
			Visibility: meet.Private,
		}, []seen{at("Deep work", 3, 9, 11)}},
		{"whole days", meet.Occurrence{Title: "Trip", Span: days(5, 6), AllDay: true, Transparent: true},
			[]seen{at("Trip", 5, 0, 48)}},
		{"a series", meet.Occurrence{
			Title: "Gym", Span: hours(24, 7, 8), Recurrence: "FREQ=WEEKLY;COUNT=2", Kind: meet.BlockedBlock,
		}, []seen{at("Gym", 24, 7, 8), at("Gym", 31, 7, 8)}},
		{"one with guests", meet.Occurrence{
			Title: "Coffee", Span: hours(3, 12, 13), Attendees: []meet.Attendee{{Name: "Al", Email: "al@example.com"}},
		}, []seen{at("Coffee", 3, 12, 13)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := open(t, Owner())
			create := agenda.Amendment{Key: "create-1", Kind: agenda.Create, Event: c.event}
			got := k.apply(t, create).Event
			k.sees(t, c.want...)
			want := c.event
			want.Attendees, got.Attendees = guestsOf(want), guestsOf(got)
			if got.UID == "" || got.ID == "" || got.Provider != k.Name() || got.Repeats() != (want.Recurrence != "") ||
				(got.Recurrence != "") != got.Repeats() {
				t.Errorf("the event's identity: %+v", got)
			}
			want.UID, want.ID, want.RecurrenceID, want.Recurrence = got.UID, got.ID, got.RecurrenceID, got.Recurrence
			want.CalendarName = got.CalendarName
			want.Provider, want.Calendar, want.Organizer = got.Provider, got.Calendar, got.Organizer
			compare(t, want, got)
			k.apply(t, remove(got, all(got)))
			k.sees(t)
		})
	}
	t.Run("another", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner())
		lunch := meet.Occurrence{Title: "Lunch", Span: hours(3, 12, 13)}
		for _, key := range []string{"create-1", "create-2"} {
			k.apply(t, agenda.Amendment{Key: key, Kind: agenda.Create, Event: lunch})
		}
		k.sees(t, at("Lunch", 3, 12, 13), at("Lunch", 3, 12, 13))
	})
}

// all is the scope of the whole event.
func all(o meet.Occurrence) meet.Scope {
	if o.Repeats() {
		return meet.AllOfThem
	}
	return ""
}

// review is an event to which another person invited the owner.
func review() Event {
	return Event{
		UID: "i", Title: "Review", Start: berlin(3, 10), End: berlin(3, 11), Foreign: true,
		Organizer: &meet.Attendee{Name: "Bo", Email: "bo@example.com"},
		Guests: []meet.Attendee{
			{Name: "Ola Owner", Email: Owner().Email}, {Name: "Cy", Email: "cy@example.com", Answer: meet.Accepted},
		},
	}
}

// testRespond: an answer is the owner's alone.
func testRespond(t *testing.T, open Keeper) {
	t.Helper()
	for _, answer := range []meet.Answer{meet.Accepted, meet.Declined, meet.Undecided} {
		t.Run(string(answer), func(t *testing.T) {
			t.Parallel()
			k := open(t, Owner(), review())
			before, foreign := k.on(t, berlin(3, 10)), k.Foreign(t, "i")
			k.apply(t, agenda.Amendment{Key: "answer-1", Kind: agenda.Respond, Event: before, Answer: answer})
			after := k.on(t, berlin(3, 10))
			self := slices.IndexFunc(after.Attendees, func(a meet.Attendee) bool { return a.Self })
			if self < 0 || after.Attendees[self].Answer != answer {
				t.Errorf("attendees: %+v, want the owner's answer %s", after.Attendees, answer)
			}
			compare(t, before, after)
			if diff := gocmp.Diff(foreign, k.Foreign(t, "i")); diff != "" {
				t.Errorf("what Convene does not know (-before +after):\n%s", diff)
			}
		})
	}
}

// refuses: the change fails with the error, and nothing is written.
func (k Kept) refuses(t *testing.T, a agenda.Amendment, want error) {
	t.Helper()
	dump := k.Dump(t)
	if _, err := k.Apply(t.Context(), Owner(), a); !errors.Is(err, want) {
		t.Errorf("Apply %s: got %v, want %v", a.Kind, err, want)
	}
	if diff := gocmp.Diff(dump, k.Dump(t)); diff != "" {
		t.Errorf("it was written (-before +after):\n%s", diff)
	}
}

// testRefused: nothing is written over what others wrote, or where nothing may be written.
func testRefused(t *testing.T, open, shared Keeper) {
	t.Helper()
	renamed := agenda.Fields{Title: to("Mine")}
	t.Run("changed meanwhile", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), budget())
		before := k.on(t, berlin(3, 10))
		if before.Version == "" {
			t.Fatal("the event has no version")
		}
		k.Retitle(t, "b", "Theirs")
		k.refuses(t, update(before, "", renamed), calendar.ErrChanged)
		k.refuses(t, remove(before, ""), calendar.ErrChanged)
		k.sees(t, at("Theirs", 3, 10, 11))
	})
	t.Run("gone meanwhile", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), budget())
		before := k.on(t, berlin(3, 10))
		k.Remove(t, "b")
		k.refuses(t, update(before, "", renamed), calendar.ErrChanged)
		k.sees(t)
	})
	t.Run("repeated after another change", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), budget())
		change := update(k.on(t, berlin(3, 10)), "", renamed)
		k.apply(t, change)
		k.Retitle(t, "b", "Theirs")
		if _, err := k.Apply(t.Context(), Owner(), change); err != nil && !errors.Is(err, calendar.ErrChanged) {
			t.Errorf("Apply again: %v", err)
		}
		k.sees(t, at("Theirs", 3, 10, 11))
	})
	t.Run("undone after another change", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), budget())
		change := update(k.on(t, berlin(3, 10)), "", renamed)
		done := k.apply(t, change)
		k.Retitle(t, "b", "Theirs")
		k.refuses(t, restore(change, done), calendar.ErrChanged)
	})
	t.Run("of a stranger", func(t *testing.T) {
		t.Parallel()
		k := open(t, Owner(), budget())
		_, err := k.Apply(t.Context(), meet.Person{ID: "stranger"}, update(k.on(t, berlin(3, 10)), "", renamed))
		if !errors.Is(err, calendar.ErrNoCalendar) {
			t.Errorf("got %v, want %v", err, calendar.ErrNoCalendar)
		}
	})
	t.Run("only to be read", func(t *testing.T) {
		t.Parallel()
		if shared == nil {
			t.Skip("every calendar here can be changed")
		}
		k := shared(t, Owner(), budget())
		before := k.on(t, berlin(3, 10))
		if !before.ReadOnly {
			t.Error("the event does not say that it may only be read")
		}
		for _, a := range []agenda.Amendment{update(before, "", renamed), remove(before, "")} {
			k.refuses(t, a, calendar.ErrReadOnly)
		}
	})
}
