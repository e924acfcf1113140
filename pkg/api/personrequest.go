package api

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/fault"
	"convene/pkg/geo"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// inlinePrefix begins the ids of people who were given inline without one. Nobody is stored under such an id.
const inlinePrefix = "inline:"

// personRequest is a person as clients write one.
type personRequest struct {
	_            struct{}             `additionalProperties:"false"`
	ID           string               `json:"id,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9._@:+-]{0,127}$"`
	Name         string               `json:"name" maxLength:"200"`
	Email        string               `json:"email,omitempty" format:"email"`
	Timezone     string               `json:"timezone,omitempty" doc:"IANA zone." example:"Europe/Berlin"`
	Location     raw[locationRequest] `json:"location,omitzero" doc:"Where the person usually sets out from."`
	WorkingHours raw[interval.Week]   `json:"workingHours,omitzero" doc:"Bind on a work calendar. Left out, Monday to Friday from 09:00 to 17:00."`
	CalendarType meet.CalendarType    `json:"calendarType,omitempty" enum:"personal,work"`
	BookingLink  string               `json:"bookingLink,omitempty" format:"uri" doc:"An https page on which the person wants to be booked."`
}

type locationRequest struct {
	_         struct{} `additionalProperties:"false"`
	Latitude  *float64 `json:"latitude" minimum:"-90" maximum:"90" required:"true"`
	Longitude *float64 `json:"longitude" minimum:"-180" maximum:"180" required:"true"`
	Label     string   `json:"label,omitempty" maxLength:"200"`
}

// inline is the person of one turn. Without an id they get one that the same email, or else the same name, always
// gives.
func (in personRequest) inline(path string) (meet.Person, error) {
	p, err := in.person(path)
	if err != nil || p.ID != "" {
		return p, err
	}
	key := "name " + strings.ToLower(p.Name)
	if p.Email != "" {
		key = "email " + strings.ToLower(p.Email)
	}
	sum := sha256.Sum256([]byte(key))
	p.ID = meet.PersonID(inlinePrefix + hex.EncodeToString(sum[:12]))
	return p, nil
}

// person checks what is given. path is where in the body it stands.
func (in personRequest) person(path string) (p meet.Person, err error) {
	p = meet.Person{
		ID: meet.PersonID(in.ID), Name: strings.TrimSpace(in.Name), Email: in.Email, Timezone: in.Timezone,
		CalendarType: in.CalendarType, BookingLink: in.BookingLink,
	}
	checks := []error{
		checkID(join(path, "id"), in.ID),
		checkName(join(path, "name"), p.Name),
		checkEmail(join(path, "email"), in.Email),
		checkZone(join(path, "timezone"), in.Timezone),
		checkCalendarType(join(path, "calendarType"), in.CalendarType),
		checkLink(join(path, "bookingLink"), in.BookingLink),
	}
	for _, err := range checks {
		if err != nil {
			return meet.Person{}, err
		}
	}
	if p.Location, err = location(in.Location, join(path, "location")); err != nil {
		return meet.Person{}, err
	}
	p.WorkingHours, err = workingHours(in.WorkingHours, join(path, "workingHours"))
	return p, err
}

func checkID(field, id string) error {
	if id != "" && !plainID.MatchString(id) {
		return fault.Invalid(field, "must be letters, digits and . _ @ : + - only, at most 128 of them")
	}
	return nil
}

func checkName(field, name string) error {
	switch {
	case name == "":
		return fault.Invalid(field, "is missing")
	case !plainText(name):
		return fault.Invalid(field, "must be at most %d characters without line breaks", maxText)
	default:
		return nil
	}
}

// maxText bounds names and labels, in characters.
const maxText = 200

// plainText reports whether s fits on one line everywhere: in a calendar file, a header, a log.
func plainText(s string) bool {
	return utf8.RuneCountInString(s) <= maxText && !strings.ContainsFunc(s, unicode.IsControl)
}

func checkEmail(field, email string) error {
	if email == "" {
		return nil
	}
	address, err := mail.ParseAddress(email)
	if err != nil || address.Address != email || len(email) > 254 || !plainText(email) {
		return fault.Invalid(field, "must be an email address such as al@example.com")
	}
	return nil
}

// checkZone takes the names of the IANA database only: "Local" is whatever this machine is set to.
func checkZone(field, zone string) error {
	if zone == "" {
		return nil
	}
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		return fault.Invalid(field, "must be an IANA time zone such as America/Los_Angeles")
	}
	return nil
}

func checkCalendarType(field string, kind meet.CalendarType) error {
	if kind != "" && kind != meet.Personal && kind != meet.Work {
		return fault.Invalid(field, "must be personal or work")
	}
	return nil
}

func checkLink(field, link string) error {
	if link == "" {
		return nil
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(link) > 2000 {
		return fault.Invalid(field, "must be an address that begins with https://")
	}
	return nil
}

func location(given raw[locationRequest], path string) (*meet.Location, error) {
	if !given.given() {
		return nil, nil
	}
	in, err := given.decode(path)
	if err != nil {
		return nil, err
	}
	switch {
	case in.Latitude == nil || *in.Latitude < -90 || *in.Latitude > 90:
		return nil, fault.Invalid(path+".latitude", "must be between -90 and 90")
	case in.Longitude == nil || *in.Longitude < -180 || *in.Longitude > 180:
		return nil, fault.Invalid(path+".longitude", "must be between -180 and 180")
	case !plainText(in.Label):
		return nil, fault.Invalid(path+".label", "must be at most %d characters without line breaks", maxText)
	}
	return &meet.Location{Point: geo.Point{Latitude: *in.Latitude, Longitude: *in.Longitude}, Label: in.Label}, nil
}

// maxWindows bounds the windows of one day.
const maxWindows = 8

func workingHours(given raw[interval.Week], path string) (*interval.Week, error) {
	if !given.given() {
		return nil, nil
	}
	var week interval.Week
	if err := json.Unmarshal(given.RawMessage, &week); err != nil {
		return nil, fault.Invalid(path, "are not hours of a week: %s", err)
	}
	for day, windows := range week {
		name := strings.ToLower(time.Weekday(day).String()[:3])
		if len(windows) > maxWindows {
			return nil, fault.Invalid(path+"."+name, "has too many windows; at most %d are read", maxWindows)
		}
		for i, w := range windows {
			if w.Start == w.End || w.Start == interval.EndOfDay {
				return nil, fault.Invalid(fmt.Sprintf("%s.%s[%d]", path, name, i), "must last from its start until a later end")
			}
		}
	}
	return &week, nil
}

func unquote(data json.RawMessage, path string) (s string, err error) {
	if err := json.Unmarshal(data, &s); err != nil {
		return "", malformed(err, path)
	}
	return s, nil
}
