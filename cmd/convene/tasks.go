package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/demo"
	"convene/pkg/meet"
	"convene/pkg/record"
	"convene/pkg/redisstore"
	"convene/pkg/task"
	"convene/pkg/task/overlay"
	"convene/pkg/task/own"
	"convene/pkg/task/remote"
)

// tasks are everyone's: those of files, those that are kept here, and those at connected providers.
func (s settings) tasks(
	store *redisstore.Store, connected []remote.Server, logger zerolog.Logger,
) (reminders, error) {
	given, err := s.givenTasks(logger)
	if err != nil {
		return reminders{}, err
	}
	book := record.Book{
		Kind: record.Kind{What: meet.TaskThing}, Store: store.Records(meet.TaskThing),
		Given: func(person meet.PersonID) record.Values { return given[person] },
	}
	var providers []task.Provider
	for _, server := range connected {
		providers = append(providers, overlay.Provider{
			Inner: remote.Provider{Server: server}, Store: store.Records(meet.TaskThing + "@" + meet.ChangeWhat(server.Name())),
		})
	}
	return reminders{
		Directory: task.Directory{Providers: append(providers, own.Provider{Book: book})},
		people:    store.People(), alarms: store.Notices(), given: slices.Collect(maps.Keys(given)),
	}, nil
}

// givenTasks are the tasks of --tasks, of --world or of the demo, by their owners.
func (s settings) givenTasks(logger zerolog.Logger) (map[meet.PersonID]record.Values, error) {
	people, err := s.readPeople()
	if err != nil {
		return nil, err
	}
	r := taskReader{people: people, given: map[meet.PersonID]record.Values{}, logger: logger}
	switch inWorld := filepath.Join(s.World, "tasks.ics"); {
	case s.Tasks != "":
		err = r.readAll(s.Tasks, s.organizer())
	case s.world != nil && exists(inWorld):
		err = r.readFile(inWorld, s.world.owner)
	case s.world == nil && s.People == "":
		var data []byte
		if data, err = demo.Tasks(s.clock()()); err == nil {
			err = r.read("tasks.ics", data, demo.Me)
		}
	}
	if err != nil {
		return nil, misuse{fmt.Errorf("--tasks: %w", err)}
	}
	return r.given, nil
}

// taskReader reads files of tasks.
type taskReader struct {
	people []meet.Contact
	given  map[meet.PersonID]record.Values
	logger zerolog.Logger
}

// readAll reads a file, whose tasks are the organizer's, or a folder of files that are named after their owners' ids or
// addresses.
func (r taskReader) readAll(name string, organizer meet.PersonID) error {
	entries, err := os.ReadDir(name)
	if err != nil {
		if _, notFound := errors.AsType[*fs.PathError](err); notFound && exists(name) {
			return r.readFile(name, organizer)
		}
		return err
	}
	for _, entry := range entries {
		owner := strings.TrimSuffix(entry.Name(), filepath.Ext(entry.Name()))
		if entry.IsDir() {
			continue
		}
		i := slices.IndexFunc(r.people, func(p meet.Contact) bool {
			return string(p.ID) == owner || p.Email != "" && strings.EqualFold(p.Email, owner)
		})
		if i < 0 {
			r.logger.Warn().Str("file", entry.Name()).Msg("the owner of these tasks is not among the people")
			continue
		}
		if err := r.readFile(filepath.Join(name, entry.Name()), r.people[i].ID); err != nil {
			return err
		}
	}
	return nil
}

func (r taskReader) readFile(name string, owner meet.PersonID) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return r.read(name, data, owner)
}

// read reads a file in the format that its name says. Floating times are in the owner's zone.
func (r taskReader) read(name string, data []byte, owner meet.PersonID) error {
	if owner == "" {
		return fmt.Errorf("%s: nobody owns it; name a folder with files that are named after the people's ids", name)
	}
	zone := time.UTC
	if i := slices.IndexFunc(r.people, func(p meet.Contact) bool { return p.ID == owner }); i >= 0 {
		zone = r.people[i].Zone()
	}
	var tasks []task.Task
	var problems []error
	var err error
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".ics":
		tasks, problems, err = icalendar.ReadTasks(data, zone)
	case ".txt":
		tasks, problems = task.ReadTodoTxt(data, zone)
	case ".json":
		tasks, err = task.ReadJSON(data)
	default:
		err = fmt.Errorf("%q is none of .ics, .txt (todo.txt) and .json", ext)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, problem := range problems {
		r.logger.Warn().Err(problem).Str("file", name).Msg("a task cannot be read and is left out")
	}
	if r.given[owner] == nil {
		r.given[owner] = record.Values{}
	}
	for _, t := range tasks {
		value, err := json.Marshal(t.Listed())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		r.given[owner][t.ID] = value
	}
	return nil
}

// taskFile writes tasks in a format that --tasks reads.
func taskFile(now func() time.Time) func(format string, tasks []task.Task) ([]byte, string, error) {
	return func(format string, tasks []task.Task) (data []byte, mediaType string, err error) {
		switch format {
		case "ics":
			return icalendar.WriteTasks(tasks, now()), "text/calendar; charset=utf-8", nil
		case "txt":
			return task.WriteTodoTxt(tasks), "text/plain; charset=utf-8", nil
		default:
			for i := range tasks {
				tasks[i] = tasks[i].Listed()
			}
			data, err = json.MarshalIndent(tasks, "", "  ")
			return data, "application/json", err
		}
	}
}
