package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// inlinePrefix begins the ids of people who are given inline without one. No stored person has such an id.
const inlinePrefix = "inline:"

type personRequest struct {
	_            struct{}             `additionalProperties:"false"`
	ID           string               `json:"id,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,127}$"`
	Name         string               `json:"name" maxLength:"200"`
	Email        string               `json:"email,omitempty" format:"email"`
	Timezone     string               `json:"timezone,omitempty" doc:"IANA zone." example:"Europe/Berlin"`
	Location     raw[locationRequest] `json:"location,omitzero" doc:"Where the person usually starts from."`
	Office       raw[locationRequest] `json:"office,omitzero" doc:"Where the person works: what \"near my office\" means."`
	WorkingHours raw[interval.Week]   `json:"workingHours,omitzero" doc:"Limit a work calendar. Left out, Monday to Friday from 09:00 to 17:00. Each window ends on its own day, and windows of a day do not overlap."`
	CalendarType meet.CalendarType    `json:"calendarType,omitempty" enum:"personal,work"`
	BookingLink  string               `json:"bookingLink,omitempty" format:"uri" doc:"An https page on which others book the person."`
}

type locationRequest struct {
	_         struct{} `additionalProperties:"false"`
	Latitude  *float64 `json:"latitude" minimum:"-90" maximum:"90" required:"true" nullable:"false"`
	Longitude *float64 `json:"longitude" minimum:"-180" maximum:"180" required:"true" nullable:"false"`
	Label     string   `json:"label,omitempty" maxLength:"200"`
}

// inline returns the person of one turn. Without an id they get one made of the email, or else of the name.
func (in personRequest) inline(path string) (meet.Person, error) {
	p, err := in.person(path)
	if err != nil || p.ID != "" {
		return p, err
	}
	if p.Email != "" {
		p.ID = inlineID("email " + strings.ToLower(p.Email))
	} else {
		p.ID = inlineID("name " + strings.ToLower(p.Name))
	}
	return p, nil
}

func inlineID(key string) meet.PersonID {
	sum := sha256.Sum256([]byte(key))
	return meet.PersonID(inlinePrefix + hex.EncodeToString(sum[:12]))
}

// guestOf returns p as a guest of the organizer. Guests with only a name are different people for each organizer: "Mom"
// is not busy because another organizer's mother is.
func guestOf(organizer, p meet.Person) meet.Person {
	if p.Email == "" && strings.HasPrefix(string(p.ID), inlinePrefix) {
		p.ID = inlineID("guest " + string(organizer.ID) + " " + strings.ToLower(p.Name))
	}
	return p
}

// person checks the request. path is its place in the body.
func (in personRequest) person(path string) (p meet.Person, err error) {
	p = meet.Person{
		ID: meet.PersonID(in.ID), Name: strings.TrimSpace(in.Name), Email: in.Email, Timezone: in.Timezone,
		CalendarType: in.CalendarType, BookingLink: in.BookingLink,
	}
	if p.Location, err = location(in.Location, join(path, "location")); err != nil {
		return meet.Person{}, err
	}
	if p.Office, err = location(in.Office, join(path, "office")); err != nil {
		return meet.Person{}, err
	}
	if p.WorkingHours, err = workingHours(in.WorkingHours, join(path, "workingHours")); err != nil {
		return meet.Person{}, err
	}
	if field, problem := p.Check(); problem != "" {
		return meet.Person{}, fault.Invalid(join(path, field), "%s", problem)
	}
	p.Name = meet.Caption(p.Name)
	return p, nil
}

// checkZone accepts an IANA zone or none.
func checkZone(field, zone string) error {
	if zone != "" && !meet.IsZone(zone) {
		return fault.Invalid(field, "must be an IANA time zone such as America/Los_Angeles")
	}
	return nil
}

// location decodes a location; Person.Check checks its range.
func location(given raw[locationRequest], path string) (*meet.Location, error) {
	if !given.given() {
		return nil, nil
	}
	in, err := given.decode(path)
	switch {
	case err != nil:
		return nil, err
	case in.Latitude == nil:
		return nil, fault.Invalid(path+".latitude", "is missing")
	case in.Longitude == nil:
		return nil, fault.Invalid(path+".longitude", "is missing")
	}
	return &meet.Location{Point: geo.Point{Latitude: *in.Latitude, Longitude: *in.Longitude}, Label: in.Label}, nil
}

// weekRequest is an interval.Week, and windowRequest an interval.Window, in a request.
type (
	weekRequest struct {
		Mon []raw[windowRequest] `json:"mon"`
		Tue []raw[windowRequest] `json:"tue"`
		Wed []raw[windowRequest] `json:"wed"`
		Thu []raw[windowRequest] `json:"thu"`
		Fri []raw[windowRequest] `json:"fri"`
		Sat []raw[windowRequest] `json:"sat"`
		Sun []raw[windowRequest] `json:"sun"`
	}
	windowRequest struct {
		Start string `json:"start"`
		End   string `json:"end"`
	}
)

// workingHours decodes a week; Person.Check checks its windows.
func workingHours(given raw[interval.Week], path string) (*interval.Week, error) {
	if !given.given() {
		return nil, nil
	}
	in, err := decode[weekRequest](given.RawMessage, path)
	if err != nil {
		return nil, err
	}
	var week interval.Week
	for day, windows := range [len(week)][]raw[windowRequest]{in.Sun, in.Mon, in.Tue, in.Wed, in.Thu, in.Fri, in.Sat} {
		for i, w := range windows {
			at := fmt.Sprintf("%s.%s[%d]", path, strings.ToLower(time.Weekday(day).String()[:3]), i)
			window, err := hours(w, at)
			if err != nil {
				return nil, err
			}
			week[day] = append(week[day], window)
		}
	}
	return &week, nil
}

func hours(given raw[windowRequest], path string) (w interval.Window, err error) {
	in, err := given.decode(path)
	if err != nil {
		return w, err
	}
	if w.Start, err = interval.ParseClock(in.Start); err != nil {
		return w, fault.Invalid(path+".start", "must be a time of day of the form HH:MM")
	}
	if w.End, err = interval.ParseClock(in.End); err != nil {
		return w, fault.Invalid(path+".end", "must be a time of day of the form HH:MM, 24:00 at the latest")
	}
	return w, nil
}

func unquote(data json.RawMessage, path string) (s string, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return "", malformed(err, path)
	}
	return s, nil
}
