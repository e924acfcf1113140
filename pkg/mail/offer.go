package mail

import (
	"slices"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/when"
)

// Offers are the times that a mail proposes, in order, at most mostOffers: an hour from a clock time, a part of a day,
// or a whole day. Days that the mail says do not suit are left out, and so is what is over. Words are read as they were
// meant when the mail was written, in the zone of now.
func Offers(m Message, now time.Time) (spans []interval.Span) {
	written := m.Date.In(now.Location())
	ahead := interval.Span{Start: now, End: now.AddDate(0, 0, farthest)}
	var week interval.DateRange
	for _, s := range sentences(m.opening()) {
		read := readIn(week, s, written)
		if len(read.Dates) == 1 && read.Dates[0].Start.DaysUntil(read.Dates[0].End) >= mostDays {
			week = read.Dates[0]
		}
		if read.Before != nil || asks(fold(s), "due") {
			continue // a deadline
		}
		not := denied(s, written)
		for _, day := range single(read.Dates) {
			if slices.Contains(not, day) {
				continue
			}
			for _, span := range offered(read, day, now.Location()) {
				if ahead.Contains(span.Start) && !slices.Contains(spans, span) {
					spans = append(spans, span)
				}
			}
		}
	}
	return spans[:min(mostOffers, len(spans))]
}

// readIn reads when a sentence is: a weekday in the week of which the mail spoke before, if it spoke of one.
func readIn(week interval.DateRange, s string, written time.Time) when.Reading {
	if week.Start != (interval.Date{}) && len(weekdays(s, written)) > 0 {
		if of := when.Read(s, week.Start.Start(written.Location())); within(week, of.Dates) {
			return of
		}
	}
	return when.Read(s, written)
}

// weekdays are the days of a sentence that names weekdays, which mean the same a day before or after it was written:
// "Tuesday", and not "tomorrow".
func weekdays(s string, written time.Time) (days []interval.Date) {
	for _, days := range []int{-1, 1} {
		dates := single(when.Read(s, written).Dates)
		if slices.Equal(dates, single(when.Read(s, written.AddDate(0, 0, days)).Dates)) {
			return dates
		}
	}
	return nil
}

// within reports whether all days lie in a week: "I'm there next week. Does Tuesday suit you?"
func within(week interval.DateRange, days []interval.DateRange) bool {
	return !slices.ContainsFunc(days, func(d interval.DateRange) bool {
		return !week.Contains(d.Start) || !week.Contains(d.End)
	})
}

// mostOffers is how many proposed times are looked at, and farthest how many days ahead they may lie. A range of more
// days than mostDays proposes none of them.
const (
	mostOffers = 5
	mostDays   = 5
	farthest   = 90
)

// single are the days of ranges; none of a range that is too long to be meant day by day.
func single(ranges []interval.DateRange) (days []interval.Date) {
	for _, r := range ranges {
		if r.Start.DaysUntil(r.End) >= mostDays {
			continue
		}
		for d := r.Start; !r.End.Before(d); d = d.AddDays(1) {
			days = append(days, d)
		}
	}
	return days
}

// offered are the spans of a day.
func offered(read when.Reading, day interval.Date, zone *time.Location) (spans []interval.Span) {
	windows := windowsOn(read.Hours, day)
	if len(windows) == 0 {
		return []interval.Span{day.Span(zone)}
	}
	for _, w := range windows {
		span := w.On(day, zone)
		if w.Exact() {
			length := read.Duration
			if length == 0 {
				length = time.Hour
			}
			span.End = span.Start.Add(length)
		}
		spans = append(spans, span)
	}
	return spans
}

// denied are the days of clauses that deny something: "Wednesday does not".
func denied(s string, written time.Time) (days []interval.Date) {
	clauses := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(",;:()–—", r) })
	for _, c := range clauses {
		if asks(fold(c), "not") {
			read := when.Read(c, written)
			days = append(days, single(read.Dates)...)
			days = append(days, single(read.ExcludedDates)...)
		}
	}
	return days
}
