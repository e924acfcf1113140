package redisstore

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"convene/pkg/interval"
	"convene/pkg/meet"
)

// format starts every value. Raise it when old values would be misread.
const format = "1:"

var errFormat = errors.New("stored in another format")

func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode %T: %w", v, err)
	}
	return format + string(b), nil
}

func decode[T any](raw string) (v T, err error) {
	body, ok := strings.CutPrefix(raw, format)
	if !ok {
		return v, errFormat
	}
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		return *new(T), fmt.Errorf("decode %T: %w", v, err)
	}
	return v, nil
}

// restoreZones puts an event's times back into their zones: JSON keeps only the offset, which misses a later
// daylight-saving change.
func restoreZones(e *meet.Event) {
	inZone(e.Timezone, &e.Start, &e.End)
	for i := range e.Participants {
		inZone(e.Participants[i].Timezone, &e.Participants[i].LocalStart)
	}
	for i := range e.Alternatives.Slots {
		inZone(e.Timezone, &e.Alternatives.Slots[i].Start, &e.Alternatives.Slots[i].End)
	}
}

// restoreSearchZones does the same for a search, in its own zone or else its event's. Without either, offsets stay.
func restoreSearchZones(s *meet.Search) {
	zone := s.Zone
	if s.Event != nil {
		restoreZones(s.Event)
		zone = cmp.Or(zone, s.Event.Timezone)
	}
	for _, slots := range [][]meet.Slot{s.Slots, s.OfferedSlots} {
		for i := range slots {
			inZone(zone, &slots[i].Start, &slots[i].End)
		}
	}
	for i := range s.ShownSlots {
		inZone(zone, &s.ShownSlots[i])
	}
}

func inZone(zone string, times ...*time.Time) {
	loc, err := interval.Zone(zone)
	if zone == "" || err != nil {
		return
	}
	for _, t := range times {
		*t = t.In(loc)
	}
}
