package microsoft

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

// event is an event of Graph: the fields that were requested.
type event struct {
	ID            string `json:"id"`
	ICalUID       string `json:"iCalUId"`
	TransactionID string `json:"transactionId"`
	ETag          string `json:"@odata.etag"`
	// Type is singleInstance, occurrence, exception or seriesMaster.
	Type                  string `json:"type"`
	SeriesMasterID        string `json:"seriesMasterId"`
	OriginalStart         string `json:"originalStart"`
	OriginalStartTimeZone string `json:"originalStartTimeZone"`
	// Removed says that the event was deleted since the mark.
	Removed     *struct{} `json:"@removed"`
	IsCancelled bool      `json:"isCancelled"`
	IsAllDay    bool      `json:"isAllDay"`
	Start       stamp     `json:"start"`
	End         stamp     `json:"end"`
	// ShowAs is empty in the bare occurrences of a delta.
	ShowAs         string   `json:"showAs"`
	ResponseStatus response `json:"responseStatus"`
	Location       struct {
		DisplayName string `json:"displayName"`
		// Coordinates are both 0 if unknown.
		Coordinates struct {
			Latitude  float64 `json:"latitude"`
			Longitude float64 `json:"longitude"`
		} `json:"coordinates"`
	} `json:"location"`
	Subject     string     `json:"subject"`
	Body        body       `json:"body"`
	Sensitivity string     `json:"sensitivity"`
	Categories  []string   `json:"categories"`
	Organizer   guest      `json:"organizer"`
	IsOrganizer *bool      `json:"isOrganizer"`
	Attendees   []guest    `json:"attendees"`
	Recurrence  recurrence `json:"recurrence"`
	// The following are read only before a change.
	Properties           []property `json:"singleValueExtendedProperties"`
	ExceptionOccurrences []detailed `json:"exceptionOccurrences"`
	CancelledOccurrences []string   `json:"cancelledOccurrences"`
	HasAttachments       bool       `json:"hasAttachments"`
	ResponseRequested    *bool      `json:"responseRequested"`
	IsOnlineMeeting      bool       `json:"isOnlineMeeting"`
	OnlineMeeting        struct {
		JoinURL string `json:"joinUrl"`
	} `json:"onlineMeeting"`
	// raw has what an amendment may change or copy, as Graph gave it.
	raw change
	// rule is the RRULE of the event's series, which is read with the series.
	rule string
}

type response struct {
	Response string `json:"response"`
}

type body struct {
	Content string `json:"content"`
}

// property is a single-value extended property.
type property struct {
	ID    string `json:"id"`
	Value string `json:"value"`
}

// property is the value of the event's extended property with that id; empty if it has none.
func (e *event) property(id string) string {
	for _, p := range e.Properties {
		if strings.EqualFold(p.ID, id) {
			return p.Value
		}
	}
	return ""
}

// invited reports whether another person organizes the event.
func (e *event) invited() bool { return e.IsOrganizer != nil && !*e.IsOrganizer }

// stamp is Graph's dateTimeTimeZone: a time without an offset, and its zone.
type stamp struct {
	DateTime string `json:"dateTime"`
	TimeZone string `json:"timeZone"`
}

// takesTime reports whether the event is busy. An unknown or missing showAs is.
func (e *event) takesTime() bool {
	if e.IsCancelled || e.Removed != nil || e.Type == "seriesMaster" || e.ResponseStatus.Response == "declined" {
		return false
	}
	return e.ShowAs != "free" && e.ShowAs != "workingElsewhere"
}

// inherit copies the fields that a bare occurrence has from its series.
func (e *event) inherit(series *event) {
	e.ICalUID, e.TransactionID, e.ShowAs = series.ICalUID, series.TransactionID, series.ShowAs
	e.ResponseStatus, e.IsCancelled, e.IsAllDay = series.ResponseStatus, series.IsCancelled, series.IsAllDay
	e.OriginalStartTimeZone, e.Location.Coordinates = series.OriginalStartTimeZone, series.Location.Coordinates
}

// span is the event's time. A whole day is a day of the zone in which the event was made, or of the owner's if that is
// unknown. An end before the start is an error, because one of the two is wrong.
func (e *event) span(owner *time.Location) (s interval.Span, err error) {
	if e.IsAllDay && e.Start.midnight() && e.End.midnight() {
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
	if s.Start, err = e.Start.moment(); err != nil {
		return s, err
	}
	s.End, err = e.End.moment()
	return s, err
}

// days are the event's dates. The times of a whole day are midnight in the requested zone, which therefore means
// nothing; an event made in UTC was made by a program, and means its reader's day. An event that ends on its first day
// lasts that day.
func (e *event) days(owner *time.Location) (s interval.Span, err error) {
	loc, err := zoneNamed(e.OriginalStartTimeZone)
	if err != nil || loc == time.UTC {
		loc = owner
	}
	first, err := interval.ParseDate(e.Start.DateTime[:len(time.DateOnly)])
	if err != nil {
		return s, err
	}
	end, err := interval.ParseDate(e.End.DateTime[:len(time.DateOnly)])
	if end == first {
		end = first.AddDays(1)
	}
	return interval.Span{Start: first.Start(loc), End: end.Start(loc)}, err
}

func (s stamp) midnight() bool {
	return len(s.DateTime) >= len(time.DateOnly) &&
		strings.Trim(strings.TrimPrefix(s.DateTime[len(time.DateOnly):], "T"), "0:.Z") == ""
}

func (s stamp) moment() (time.Time, error) {
	loc, err := zoneNamed(s.TimeZone)
	if err != nil {
		return time.Time{}, err
	}
	t, err := time.ParseInLocation("2006-01-02T15:04:05", strings.TrimSuffix(s.DateTime, "Z"), loc)
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
