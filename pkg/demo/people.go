package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// maxPeopleBytes bounds a file of people.
const maxPeopleBytes = 16 << 20

// LoadPeople reads a JSON array of people, each as meet.Person. Every one has an id of their own and a name. The error
// names the entry, counted from 1, and its field.
func LoadPeople(r io.Reader) ([]meet.Person, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxPeopleBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read people: %w", err)
	}
	if len(data) > maxPeopleBytes {
		return nil, fmt.Errorf("read people: more than %d MB", maxPeopleBytes>>20)
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, fmt.Errorf("read people: not a JSON array of people: %w", err)
	}
	people := make([]meet.Person, 0, len(entries))
	seen := map[meet.PersonID]bool{}
	for i, entry := range entries {
		person, err := readPerson(entry)
		if err == nil && seen[person.ID] {
			err = fmt.Errorf("id: %q is taken by an earlier entry", person.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("read people: entry %d: %w", i+1, err)
		}
		seen[person.ID] = true
		people = append(people, person)
	}
	return people, nil
}

func readPerson(entry json.RawMessage) (meet.Person, error) {
	var person meet.Person
	decoder := json.NewDecoder(bytes.NewReader(entry))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&person); err != nil {
		return meet.Person{}, err
	}
	return person, check(person)
}

// check says which field of a person is wrong.
func check(p meet.Person) error {
	switch {
	case p.ID == "" || strings.ContainsAny(string(p.ID), " /\\\t\r\n"):
		return fmt.Errorf("id: %q is empty, or has a space or a slash in it", p.ID)
	case strings.TrimSpace(p.Name) == "":
		return fmt.Errorf("name of %q: is empty", p.ID)
	case p.CalendarType != "" && p.CalendarType != meet.Personal && p.CalendarType != meet.Work:
		return fmt.Errorf("calendarType of %q: %q is neither personal nor work", p.ID, p.CalendarType)
	}
	for _, field := range []struct {
		name string
		err  error
	}{
		{"email", checkEmail(p.Email)},
		{"timezone", checkZone(p.Timezone)},
		{"location", checkLocation(p.Location)},
		{"workingHours", checkHours(p.WorkingHours)},
		{"bookingLink", checkLink(p.BookingLink)},
	} {
		if field.err != nil {
			return fmt.Errorf("%s of %q: %w", field.name, p.ID, field.err)
		}
	}
	return nil
}

func checkEmail(email string) error {
	if email == "" {
		return nil
	}
	if parsed, err := mail.ParseAddress(email); err != nil || parsed.Address != email {
		return fmt.Errorf("%q is not an e-mail address", email)
	}
	return nil
}

func checkZone(zone string) error {
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		return fmt.Errorf("%q is not a time zone; use a name like Europe/Berlin", zone)
	}
	return nil
}

func checkLocation(l *meet.Location) error {
	if l != nil && (l.Latitude < -90 || l.Latitude > 90 || l.Longitude < -180 || l.Longitude > 180) {
		return fmt.Errorf("%v, %v is not a point in degrees", l.Latitude, l.Longitude)
	}
	return nil
}

func checkHours(week *interval.Week) error {
	if week == nil {
		return nil
	}
	for day, windows := range week {
		for _, w := range windows {
			if w.Start >= w.End {
				return fmt.Errorf("%v: %v to %v ends before it begins", time.Weekday(day), w.Start, w.End)
			}
		}
	}
	return nil
}

func checkLink(link string) error {
	if link == "" {
		return nil
	}
	if u, err := url.Parse(link); err != nil || u.Scheme != "https" || u.Host == "" {
		return errors.New("is not an https address")
	}
	return nil
}
