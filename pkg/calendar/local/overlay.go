package local

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/meet"
)

// view is a person's calendars, with what the person changed.
type view struct {
	sources []*source
	// objects are the changed ones by name, at a revision.
	objects  map[string]string
	revision string
	// file says that one of the sources is a file.
	file bool
	err  error
}

// revised is a source with the changes of a revision.
type revised struct {
	revision string
	*source
}

// nameOf names the object of an event in a calendar; placeOf takes the name apart.
func nameOf(calendar, uid string) string { return calendar + "/" + uid }

func placeOf(name string) (calendar, uid string) {
	calendar, uid, _ = strings.Cut(name, "/")
	return calendar, uid
}

// view reads what the person changed. If that is unknown, the files alone would be wrong: there are no sources then.
func (c *Calendar) view(ctx context.Context, person meet.PersonID) (v view) {
	files := c.filesOf(ctx, person)
	v.file = len(files) > 0
	if v.objects, v.revision, v.err = c.store.Objects(ctx, person); v.err != nil {
		v.err = fmt.Errorf("read changed events: %w", v.err)
		return v
	}
	changed := map[string]map[string]string{}
	for name, object := range v.objects {
		calendar, uid := placeOf(name)
		if changed[calendar] == nil {
			changed[calendar] = map[string]string{}
		}
		changed[calendar][uid] = object
	}
	for _, s := range files {
		s, v.err = s.over(v.revision, changed[s.name])
		if v.err != nil {
			return v
		}
		v.sources = append(v.sources, s)
		delete(changed, s.name)
	}
	for _, name := range slices.Sorted(maps.Keys(changed)) { // what was written without a file
		s := &source{name: name, schedule: &icalendar.Schedule{}}
		if s, v.err = s.over(v.revision, changed[name]); v.err != nil {
			return v
		}
		v.sources = append(v.sources, s)
	}
	return v
}

// over is the source with other objects in place of its own.
func (s *source) over(revision string, objects map[string]string) (*source, error) {
	if len(objects) == 0 || s.schedule == nil {
		return s, nil
	}
	if latest := s.latest.Load(); latest != nil && latest.revision == revision {
		return latest.source, nil
	}
	schedule, err := s.schedule.Replace(objects)
	if err != nil {
		return nil, fmt.Errorf("read changed events of %s: %w", s.name, err)
	}
	changed := &source{name: s.name, data: s.data, schedule: schedule}
	s.latest.Store(&revised{revision, changed})
	return changed, nil
}

// object is the event with the UID in a calendar as it stands; nil if there is none.
func (v *view) object(calendar, uid string) ([]byte, error) {
	if object, changed := v.objects[nameOf(calendar, uid)]; changed {
		if object == "" {
			return nil, nil
		}
		return []byte(object), nil
	}
	for _, s := range v.sources {
		if s.name == calendar && len(s.data) > 0 {
			return icalendar.ObjectOf(s.data, uid)
		}
	}
	return nil, nil
}
