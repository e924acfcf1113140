package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"convene/pkg/meet"
)

// maxPeopleBytes bounds a file of people.
const maxPeopleBytes = 16 << 20

// LoadPeople reads a JSON array of people, each as meet.Contact. Each has a unique id and a name. The error names the
// entry, counted from 1, and its field.
func LoadPeople(r io.Reader) ([]meet.Contact, error) {
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
	people := make([]meet.Contact, 0, len(entries))
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

func readPerson(entry json.RawMessage) (meet.Contact, error) {
	var person meet.Contact
	decoder := json.NewDecoder(bytes.NewReader(entry))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&person); err != nil {
		return meet.Contact{}, err
	}
	err := check(person)
	person.Name = meet.Caption(person.Name)
	return person, err
}

// check names the first wrong field of a person.
func check(p meet.Contact) error {
	if p.ID == "" {
		return errors.New("id: is missing")
	}
	if field, problem := p.Check(); problem != "" {
		return fmt.Errorf("%s of %q: %s", field, p.ID, problem)
	}
	return nil
}
