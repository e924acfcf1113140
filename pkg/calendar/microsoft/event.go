package microsoft

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// event is an event of Graph with the fields that are read.
type event struct {
	object
	id, iCalUID, transaction string
	// kind is singleInstance, occurrence, exception or seriesMaster; empty if it was not requested.
	kind     string
	seriesID string
	// showAs is empty in the bare occurrences of a delta.
	showAs, response  string
	cancelled, allDay bool
	start, end        stamp
	// latitude and longitude are both 0 if unknown.
	latitude, longitude float64
	// zone is the Windows name of the zone in which the event was made.
	zone string
	// The following are read only for their owner.
	subject, place, sensitivity, originalStart string
	organizer                                  guest
	attendees                                  []*guest
	invites                                    bool
	etag, body                                 string
	categories                                 []string
	// invited says that another person organizes the event.
	invited bool
	// rule is the RRULE of the event's series, which is read with the series.
	rule string
	// removed says that the event was deleted since the mark.
	removed bool
	// raw has what an amendment may change or copy, as Graph gave it, and the rest what else an amendment reads.
	raw                  map[string]any
	recurrence           recurrence
	notes                []*property
	noted                bool
	exceptions           []*event
	excepted             bool
	gone                 []string
	attached, asksNobody bool
	online               bool
}

// stamp is Graph's dateTimeTimeZone: a time without an offset, and its zone.
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
		"location": inside(fields{"displayName": text(&e.place), "coordinates": inside(fields{
			"latitude": number(&e.latitude), "longitude": number(&e.longitude),
		})}),
		"subject": text(&e.subject), "sensitivity": text(&e.sensitivity), "originalStart": text(&e.originalStart),
		"organizer": inside(e.organizer.fields()), "attendees": list(&e.attendees, &e.invites, newGuest),
		"@removed": present(&e.removed), "@odata.etag": text(&e.etag), "isOrganizer": unset(&e.invited),
		"body": inside(fields{"content": text(&e.body)}), "categories": texts(&e.categories),
	}
	return e
}

// takesTime reports whether the event is busy. An unknown or missing showAs is.
func (e *event) takesTime() bool {
	if e.cancelled || e.removed || e.kind == "seriesMaster" || e.response == "declined" {
		return false
	}
	return e.showAs != "free" && e.showAs != "workingElsewhere"
}

// inherit copies the fields that a bare occurrence has from its series.
func (e *event) inherit(series *event) {
	e.iCalUID, e.transaction, e.showAs, e.response = series.iCalUID, series.transaction, series.showAs, series.response
	e.cancelled, e.allDay, e.zone = series.cancelled, series.allDay, series.zone
	e.latitude, e.longitude = series.latitude, series.longitude
}

// span is the event's time. A whole day is a day of the zone in which the event was made, or of the owner's if that is
// unknown. An end before the start is an error, because one of the two is wrong.
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

// days are the event's dates. The times of a whole day are midnight in the requested zone, which therefore means
// nothing; an event made in UTC was made by a program, and means its reader's day. An event that ends on its first day
// lasts that day.
func (e *event) days(owner *time.Location) (s interval.Span, err error) {
	loc, err := zoneNamed(e.zone)
	if err != nil || loc == time.UTC {
		loc = owner
	}
	first, err := interval.ParseDate(e.start.dateTime[:len(time.DateOnly)])
	if err != nil {
		return s, err
	}
	end, err := interval.ParseDate(e.end.dateTime[:len(time.DateOnly)])
	if end == first {
		end = first.AddDays(1)
	}
	return interval.Span{Start: first.Start(loc), End: end.Start(loc)}, err
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

// zoneNamed is the zone with that Windows or IANA name. No name is UTC.
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
