package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/calendar/local"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// worldFolder is the world in the folder of --world.
type worldFolder struct {
	people []meet.Contact
	// owner is the organizer of requests that name none; empty if meta.json names none.
	owner meet.PersonID
	// calendars are the files by the names that local.New reads.
	calendars map[string][]byte
	// preferences are the owner's, by key, in JSON.
	preferences map[string]json.RawMessage
	// lists and notes are the owner's.
	lists, notes files
}

// worldMeta is meta.json. Other members are for other programs.
type worldMeta struct {
	Now      string `json:"now"`
	Timezone string `json:"timezone"`
	// Owner is an id or an address; OwnerName counts if people.json does not have the owner.
	Owner     string `json:"owner"`
	OwnerName string `json:"owner_name"`
	// WorkingHours are the owner's. Days count from Sunday, 0.
	WorkingHours *struct {
		Days  []time.Weekday `json:"days"`
		Start interval.Clock `json:"start"`
		End   interval.Clock `json:"end"`
	} `json:"working_hours"`
}

// inWorld are the settings with what --world has. --now, --people, --calendars, --tasks, --mail and --places have
// precedence.
func (s settings) inWorld(logger zerolog.Logger) (_ settings, err error) {
	if s.World == "" {
		return s, nil
	}
	defer func() {
		if _, told := errors.AsType[misuse](err); err != nil && !told {
			err = misuse{fmt.Errorf("--world %s: %w", s.World, err)}
		}
	}()
	meta, err := readJSON[worldMeta](s.World, "meta.json")
	if err != nil {
		return s, err
	}
	if s.Now.IsZero() && meta.Now != "" {
		if err := s.Now.UnmarshalText([]byte(meta.Now)); err != nil {
			return s, fmt.Errorf("meta.json: now: %w", err)
		}
	}
	w := &worldFolder{}
	if err := w.readPeople(s.People, filepath.Join(s.World, "people.json"), meta); err != nil {
		return s, err
	}
	preferences, err := readJSON[map[string]json.RawMessage](s.World, "preferences.json")
	if err != nil {
		return s, err
	}
	w.preferences = preferences
	if err := w.readLists(s.World, s.clock()()); err != nil {
		return s, err
	}
	if s.Calendars == "" {
		if err := w.readCalendars(filepath.Join(s.World, "calendars"), logger); err != nil {
			return s, err
		}
	}
	if len(w.people) == 0 {
		return s, errors.New("has no people.json, and no meta.json that names an owner")
	}
	if places := filepath.Join(s.World, "places.geojson"); s.Venues.Places == "" && exists(places) {
		s.Venues.Places = places
	}
	s.world, s.Venues.elsewhere = w, true
	return s, nil
}

// readPeople reads the file of --people, or else people.json, and adds the owner. People without a time zone are in the
// world's.
func (w *worldFolder) readPeople(given, own string, meta worldMeta) (err error) {
	if meta.Timezone != "" && !meet.IsZone(meta.Timezone) {
		return fmt.Errorf("meta.json: timezone: %q is not an IANA time zone", meta.Timezone)
	}
	switch {
	case given != "":
		w.people, err = peopleIn("--people", given)
	case exists(own):
		w.people, err = peopleIn("--world", own)
	}
	if err != nil {
		return err
	}
	if meta.Owner != "" && w.person(meta.Owner) == nil {
		owner := meet.Contact{Person: meet.Person{
			ID: meet.PersonID(meta.Owner), Name: meet.Caption(cmp.Or(meta.OwnerName, meta.Owner)),
		}}
		if strings.Contains(meta.Owner, "@") {
			owner.Email = meta.Owner
			owner.Name = cmp.Or(meta.OwnerName, meta.Owner[:strings.Index(meta.Owner, "@")])
		}
		w.people = append(w.people, owner)
	}
	for i := range w.people {
		w.people[i].Timezone = cmp.Or(w.people[i].Timezone, meta.Timezone)
	}
	owner := w.person(meta.Owner)
	if owner == nil {
		return nil
	}
	w.owner = owner.ID
	if hours := meta.WorkingHours; hours != nil && owner.WorkingHours == nil {
		var week interval.Week
		for _, day := range hours.Days {
			if day < time.Sunday || day > time.Saturday {
				return fmt.Errorf("meta.json: working_hours.days: %d is no day of the week", day)
			}
			week[day] = []interval.Window{{Start: hours.Start, End: hours.End}}
		}
		owner.WorkingHours, owner.CalendarType = &week, meet.Work
	}
	if field, problem := owner.Check(); problem != "" {
		return fmt.Errorf("meta.json: the owner's %s %s", field, problem)
	}
	return nil
}

// person is whom an id or an address means; nil for nobody.
func (w *worldFolder) person(name string) *meet.Contact {
	i := slices.IndexFunc(w.people, func(p meet.Contact) bool { return string(p.ID) == name })
	if i < 0 && name != "" {
		i = slices.IndexFunc(w.people, func(p meet.Contact) bool { return strings.EqualFold(p.Email, name) })
	}
	if i < 0 {
		return nil
	}
	return &w.people[i]
}

// preferencesOf are what the world says that a person prefers; nothing without a world.
func (w *worldFolder) preferencesOf(person meet.PersonID) map[string][]byte {
	if w == nil || person != w.owner {
		return nil
	}
	values := map[string][]byte{}
	for key, value := range w.preferences {
		values[key] = value
	}
	return values
}

// readCalendars reads the files in dir, under their owners' ids. A world may have none.
func (w *worldFolder) readCalendars(dir string, logger zerolog.Logger) error {
	if !exists(dir) {
		return nil
	}
	files, err := local.ReadDir(dir)
	if err != nil {
		return err
	}
	w.calendars = map[string][]byte{}
	for name, file := range files {
		given := name
		owner := string(local.OwnerOf(name))
		if p := w.person(owner); p == nil {
			logger.Warn().Str("file", name).Msg("the owner of this calendar is not in people.json")
		} else {
			name = string(p.ID) + strings.TrimPrefix(name, owner)
		}
		if _, twice := w.calendars[name]; twice {
			return fmt.Errorf("calendars/%s: another file is the same calendar of %s", given, local.OwnerOf(name))
		}
		w.calendars[name] = file
	}
	return nil
}

// readLists reads the owner's lists and notes. Either may be missing.
func (w *worldFolder) readLists(dir string, now time.Time) error {
	lists, err := readJSON[json.RawMessage](dir, "lists.json")
	if err != nil {
		return err
	}
	notes, err := readJSON[json.RawMessage](dir, "notes.json")
	if err != nil {
		return err
	}
	if w.lists, err = listsIn(lists, w.owner); err != nil {
		return err
	}
	w.notes, err = notesIn(notes, w.owner, now)
	return err
}

// readJSON reads a file of JSON; one that is not there is the zero T.
func readJSON[T any](dir, name string) (v T, err error) {
	data, err := os.ReadFile(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &v)
	}
	if err != nil {
		return v, fmt.Errorf("%s: %w", name, err)
	}
	return v, nil
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
