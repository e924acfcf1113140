// Package note has the words and rules of notes: how they are found by words and by meaning, and how their vectors are
// kept up to date.
package note

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"convene/pkg/fault"
	"convene/pkg/meet"
	"convene/pkg/record"
)

// Note is a note as clients get it.
type Note struct {
	ID      string    `json:"id"`
	Text    string    `json:"text"`
	Created time.Time `json:"created"`
	Tags    []string  `json:"tags"`
}

// The bounds of a note: characters, and tags.
const (
	LongestText = 10_000
	mostTags    = 20
)

// Decode reads a stored note.
func Decode(id string, value []byte) (Note, error) {
	var n Note
	if err := json.Unmarshal(value, &n); err != nil {
		return Note{}, fmt.Errorf("note %s: %w", id, err)
	}
	if n.ID = id; n.Tags == nil {
		n.Tags = []string{}
	}
	return n, nil
}

// validate returns a fault that names what is wrong with a stored note.
func validate(id string, value []byte) error {
	n, err := Decode(id, value)
	if err != nil {
		return fault.Invalid("note", "is no note").Because(err)
	}
	return n.check()
}

func (n Note) check() error {
	switch {
	case strings.TrimSpace(n.Text) == "" || !utf8.ValidString(n.Text):
		return fault.Invalid("text", "is empty")
	case utf8.RuneCountInString(n.Text) > LongestText:
		return fault.Invalid("text", "a note has at most %d characters", LongestText)
	case len(n.Tags) > mostTags:
		return fault.Invalid("tags", "a note has at most %d tags", mostTags)
	case n.Created.IsZero():
		return fault.Invalid("created", "is missing")
	}
	for _, tag := range n.Tags {
		if tag == "" || tag != meet.Caption(tag) {
			return fault.Invalid("tags", "a tag must be one line of text")
		}
	}
	return nil
}

// Read reads notes as clients get them: a JSON array. Ids may be missing, and a missing time is now.
func Read(data []byte, now time.Time) ([]Note, error) {
	var notes []Note
	if err := json.Unmarshal(data, &notes); err != nil {
		return nil, err
	}
	for i := range notes {
		n := &notes[i]
		n.ID = cmp.Or(n.ID, fmt.Sprintf("note-%d", i+1))
		if n.Created.IsZero() {
			n.Created = now
		}
		if n.Tags == nil {
			n.Tags = []string{}
		}
		if err := n.check(); err != nil {
			return nil, fmt.Errorf("note %d: %w", i+1, err)
		}
	}
	return notes, nil
}

// Caption is the beginning of a note, as one line.
func (n Note) Caption() string {
	const longest = 60
	return meet.Shorten(meet.Caption(n.Text), longest)
}

// Kind are notes as records.
var Kind = record.Kind{What: meet.NoteThing, Show: show, Validate: validate}

func show(id string, value []byte) (json.RawMessage, error) {
	n, err := Decode(id, value)
	if err != nil {
		return nil, err
	}
	return meet.MarshalLine(n)
}

// All are notes from their records, the newest first.
func All(records record.Values) ([]Note, error) {
	notes := make([]Note, 0, len(records))
	for id, value := range records {
		n, err := Decode(id, value)
		if err != nil {
			return nil, err
		}
		notes = append(notes, n)
	}
	slices.SortFunc(notes, func(a, b Note) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID)) })
	return notes, nil
}
