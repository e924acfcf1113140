package calendartest

import (
	"time"

	"convene/pkg/interval"
)

// readCase is a calendar, a question and the answer. March 2 is a Monday.
type readCase struct {
	name   string
	events []Event
	span   interval.Span
	except string
	want   []interval.Span
}

func singleCases() []readCase {
	one := func(kind Kind) []Event {
		return []Event{{UID: "1", Title: "One", Start: berlin(3, 10), End: berlin(3, 11), Kind: kind}}
	}
	wholeDay := Event{UID: "1", Start: berlin(3, 0), End: berlin(4, 0), AllDay: true}
	endsOnItself := wholeDay
	endsOnItself.End = wholeDay.Start
	return []readCase{
		{name: "empty calendar", span: day(3)},
		{name: "one event", events: one(Opaque), span: day(3), want: []interval.Span{hours(3, 10, 11)}},
		{name: "event on another day", events: one(Opaque), span: day(4)},
		{name: "tentative is busy", events: one(Tentative), span: day(3), want: []interval.Span{hours(3, 10, 11)}},
		{name: "out of office is busy", events: one(OutOfOffice), span: day(3), want: []interval.Span{hours(3, 10, 11)}},
		{name: "transparent is free", events: one(Transparent), span: day(3)},
		{name: "cancelled is free", events: one(Cancelled), span: day(3)},
		{name: "declined by the owner is free", events: one(Declined), span: day(3)},
		{name: "the excepted event does not count", events: one(Opaque), span: day(3), except: "1"},
		{name: "another excepted event", events: one(Opaque), span: day(3), except: "2",
			want: []interval.Span{hours(3, 10, 11)}},
		{name: "an event that ends where the span begins", events: one(Opaque), span: hours(3, 11, 12)},
		{name: "an event that begins where the span ends", events: one(Opaque), span: hours(3, 9, 10)},
		{name: "the span cuts an event", events: one(Opaque), span: hours(3, 10.30, 12),
			want: []interval.Span{hours(3, 10.30, 11)}},
		{name: "an event around the span", events: one(Opaque), span: hours(3, 10.15, 10.45),
			want: []interval.Span{hours(3, 10.15, 10.45)}},
		{name: "events that overlap are one busy time", span: day(3), want: []interval.Span{hours(3, 9, 12)},
			events: []Event{
				{UID: "1", Start: berlin(3, 9), End: berlin(3, 11)},
				{UID: "2", Start: berlin(3, 10), End: berlin(3, 12)},
			}},
		{name: "an event in another zone", span: day(3), want: []interval.Span{hours(3, 18, 19)},
			events: []Event{{UID: "1", Start: in("America/Los_Angeles", 3, 9), End: in("America/Los_Angeles", 3, 10)}}},
		{name: "a floating event is on the owner's clocks", span: day(3), want: []interval.Span{hours(3, 10, 11)},
			events: []Event{{UID: "1", Start: berlin(3, 10), End: berlin(3, 11), Floating: true}}},
		{name: "a whole day is the owner's day", events: []Event{wholeDay}, span: days(2, 5),
			want: []interval.Span{day(3)}},
		{name: "a whole day that ends on itself is that day", events: []Event{endsOnItself}, span: days(2, 5),
			want: []interval.Span{day(3)}},
		{name: "a whole day with a change of the clocks has 23 hours", span: days(28, 30),
			events: []Event{{UID: "1", Start: berlin(29, 0), End: berlin(30, 0), AllDay: true}},
			want:   []interval.Span{interval.From(berlin(29, 0), 23*time.Hour)}},
	}
}

func seriesCases() []readCase {
	weekly := Event{UID: "w", Title: "Weekly", Start: berlin(3, 9), End: berlin(3, 10), Rule: "FREQ=WEEKLY"}
	limited, without, moved, called := weekly, weekly, weekly, weekly
	limited.Rule = "FREQ=WEEKLY;COUNT=2"
	without.Without = []time.Time{berlin(10, 9)}
	moved.Moved = []Move{{From: berlin(10, 9), Start: berlin(11, 15), End: berlin(11, 16)}}
	called.Cancelled = []time.Time{berlin(10, 9)}
	return []readCase{
		{name: "weekly", events: []Event{weekly}, span: days(2, 22),
			want: []interval.Span{hours(3, 9, 10), hours(10, 9, 10), hours(17, 9, 10)}},
		{name: "weekly, asked long after it began", events: []Event{weekly},
			span: interval.From(berlin(3, 9).AddDate(3, 0, -6), time.Hour), // Monday, 26 February 2029
		},
		{name: "weekly at the same clock time through a change of the clocks", events: []Event{weekly},
			span: days(24, 31), want: []interval.Span{hours(24, 9, 10), hours(31, 9, 10)}},
		{name: "limited by count", events: []Event{limited}, span: days(2, 31),
			want: []interval.Span{hours(3, 9, 10), hours(10, 9, 10)}},
		{name: "an instance taken out", events: []Event{without}, span: days(2, 17),
			want: []interval.Span{hours(3, 9, 10), hours(17, 9, 10)}},
		{name: "an instance moved", events: []Event{moved}, span: days(9, 15),
			want: []interval.Span{hours(11, 15, 16)}},
		{name: "an instance moved into the span", events: []Event{moved}, span: day(11),
			want: []interval.Span{hours(11, 15, 16)}},
		{name: "an instance called off", events: []Event{called}, span: days(2, 17),
			want: []interval.Span{hours(3, 9, 10), hours(17, 9, 10)}},
		{name: "a whole series excepted", events: []Event{moved}, span: days(2, 31), except: "w"},
	}
}
