package microsoft

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// event is an event as Graph tells it, as far as it is read.
type event struct {
	object
	id, iCalUID, transaction string
	// kind is singleInstance, occurrence, exception or seriesMaster; empty where it was not asked for.
	kind     string
	seriesID string
	// showAs is empty in the bare occurrences of a delta.
	showAs, response  string
	cancelled, allDay bool
	start, end        stamp
	// latitude and longitude are where it is; nought and nought where that is not told.
	latitude, longitude float64
	// zone is the one in which the event was made, as Windows calls it.
	zone string
	// removed says that a delta tells of the event for the last time.
	removed bool
}

// stamp is Graph's dateTimeTimeZone: a time without an offset, and the zone that gives it its meaning.
type stamp struct{ dateTime, zone string }

func (s *stamp) fields() fields {
	return fields{"dateTime": text(&s.dateTime), "timeZone": text(&s.zone)}
}

func newEvent() *event {
	e := &event{}
	e.object = object{
		"id": text(&e.id), "iCalUId": text(&e.iCalUID), "transactionId": text(&e.transaction),
		"type": text(&e.kind), "seriesMasterId": text(&e.seriesID),
		"showAs": text(&e.showAs), "responseStatus": inside(fields{"response": text(&e.response)}),
		"isCancelled": flag(&e.cancelled), "isAllDay": flag(&e.allDay),
		"start": inside(e.start.fields()), "end": inside(e.end.fields()), "originalStartTimeZone": text(&e.zone),
		"location": inside(fields{"coordinates": inside(fields{
			"latitude": number(&e.latitude), "longitude": number(&e.longitude),
		})}),
		"@removed": present(&e.removed),
	}
	return e
}

// takesTime reports whether the event keeps its owner from doing something else. What Graph does not say, or says in
// a word that is not known here, does.
func (e *event) takesTime() bool {
	if e.cancelled || e.removed || e.kind == "seriesMaster" || e.response == "declined" {
		return false
	}
	return e.showAs != "free" && e.showAs != "workingElsewhere"
}

// inherit gives a bare occurrence what it has from its series.
func (e *event) inherit(series *event) {
	e.iCalUID, e.transaction, e.showAs, e.response = series.iCalUID, series.transaction, series.showAs, series.response
	e.cancelled, e.allDay, e.zone = series.cancelled, series.allDay, series.zone
	e.latitude, e.longitude = series.latitude, series.longitude
}

// span is when the event takes place. A whole day is the day of the zone in which the event was made, or of the
// owner's where that is not told. One that ends before it starts is an error, because one of the two times is wrong.
func (e *event) span(owner *time.Location) (s interval.Span, err error) {
	if e.allDay && e.start.midnight() && e.end.midnight() {
		s, err = e.days(owner)
	} else {
		s, err = e.moments()
	}
	if err == nil && s.End.Before(s.Start) {
		err = errors.New("it ends before it starts")
	}
	if err != nil {
		return interval.Span{}, fmt.Errorf("an event's time: %w", err)
	}
	return s, nil
}

func (e *event) moments() (s interval.Span, err error) {
	if s.Start, err = e.start.moment(); err != nil {
		return s, err
	}
	s.End, err = e.end.moment()
	return s, err
}

// days are the event's dates. The times of a whole day are midnight in whatever zone was asked for, so that their
// zone says nothing; an event made in UTC was made by a program, and means its reader's day. One that ends on the day
// on which it starts lasts that day.
func (e *event) days(owner *time.Location) (s interval.Span, err error) {
	loc, err := zoneNamed(e.zone)
	if err != nil || loc == time.UTC {
		loc = owner
	}
	first, err := interval.ParseDate(e.start.dateTime[:len(time.DateOnly)])
	if err != nil {
		return s, err
	}
	behind, err := interval.ParseDate(e.end.dateTime[:len(time.DateOnly)])
	if behind == first {
		behind = first.AddDays(1)
	}
	return interval.Span{Start: first.Start(loc), End: behind.Start(loc)}, err
}

func (s stamp) midnight() bool {
	return len(s.dateTime) >= len(time.DateOnly) &&
		strings.Trim(strings.TrimPrefix(s.dateTime[len(time.DateOnly):], "T"), "0:.Z") == ""
}

func (s stamp) moment() (time.Time, error) {
	loc, err := zoneNamed(s.zone)
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", strings.TrimSuffix(s.dateTime, "Z"), loc)
	if err != nil {
		return time.Time{}, errors.New("it is not a date and a time of day")
	}
	return t, nil
}

// zoneNamed is the zone that Graph names, the Windows way or with its IANA name. No name is UTC.
func zoneNamed(name string) (*time.Location, error) {
	if iana, ok := icalendar.WindowsZone(name); ok {
		name = iana
	}
	if name == "" || name == "Etc/UTC" || name == "UTC" {
		return time.UTC, nil
	}
	loc, err := interval.Zone(name)
	if err != nil {
		return nil, fmt.Errorf("its zone %q is not known", name)
	}
	return loc, nil
}

// page is a part of a collection of events.
type page struct {
	object
	events              []*event
	nextLink, deltaLink string
	// whole says that the page has a list of events at all.
	whole bool
}

func newPage() *page {
	p := &page{}
	p.object = object{
		"value":           list(&p.events, &p.whole, newEvent),
		"@odata.nextLink": text(&p.nextLink), "@odata.deltaLink": text(&p.deltaLink),
	}
	return p
}
