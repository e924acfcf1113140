package api

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"convene/pkg/agenda"
	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/pkg/notice"
	"convene/pkg/preference"
	"convene/pkg/sse"
	"convene/pkg/task"
	"convene/pkg/turn"
)

// The ports to what is a person's own.
type (
	// Agenda reads a person's own calendars. Problems say in words for the user which of them could not be read; what is
	// known comes with them.
	Agenda interface {
		Events(ctx context.Context, person meet.Person, span interval.Span) (
			events []meet.Occurrence, problems []string, err error)
	}
	// Tasks are a person's tasks. Those that are known come with an error.
	Tasks interface {
		Tasks(ctx context.Context, person meet.Person) ([]task.Task, error)
	}
	// Preferences are a person's preferences in JSON, by key.
	Preferences = Records
)

// Families of tools that tell the same as a route of a person's own.
const (
	calendarFamily   = "calendar"
	scheduleFamily   = "schedule"
	preferenceFamily = "preference"
	taskFamily       = "task"
)

// Bounds of a reading of events. Without from and to, yearsAround years before and after now are read, a year at a
// time.
const (
	maxEventYears   = 2
	yearsAround     = 5
	readingsAtATime = 4
)

type ownEventsInput struct {
	ID    string `path:"id" doc:"The person's id, or their email address."`
	From  string `query:"from" doc:"With to: the occurrences that overlap this span of at most two years. A time with an offset, or one of the person's zone without, or a date." example:"2026-03-09"`
	To    string `query:"to" doc:"The end of the span, exclusive." example:"2026-03-16T12:00:00-07:00"`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"1000" doc:"How many events to list at most, earliest first."`
}

type ownEventsOutput struct {
	Body struct {
		Events   []ownEvent `json:"events"`
		More     bool       `json:"more" doc:"There are more events than limit."`
		Problems []string   `json:"problems" doc:"Why events may be missing, in words for the user; empty if every calendar could be read."`
	}
}

// ownEvent is an agenda.Event under a name that the document does not have yet.
type ownEvent agenda.Event

type ownTasksInput struct {
	ID    string `path:"id" doc:"The person's id, or their email address."`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"1000" doc:"How many tasks to list at most, the oldest first."`
}

type ownTasksOutput struct {
	Body struct {
		Tasks    []ownTask `json:"tasks"`
		More     bool      `json:"more" doc:"There are more tasks than limit."`
		Problems []string  `json:"problems" doc:"Why tasks may be missing, in words for the user; empty if all could be read."`
	}
}

// ownTask is a task.Task under a name that the document does not have yet.
type ownTask task.Task

type ownTaskFileInput struct {
	ID     string `path:"id" doc:"The person's id, or their email address."`
	Format string `query:"format" enum:"ics,txt,json" default:"ics" doc:"ics is iCalendar with VTODO, txt is todo.txt, json is a list as --tasks reads it."`
}

type ownTaskFileOutput struct {
	ContentType string `header:"Content-Type"`
	Disposition string `header:"Content-Disposition"`
	Body        []byte
}

type preferencesOutput struct {
	Body struct {
		Preferences map[string]json.RawMessage `json:"preferences" doc:"The values by key, without those that are off."`
		Rules       []ownRule                  `json:"rules" doc:"All of them, with where they come from."`
	}
}

// ownRule is a preference with its source.
type ownRule struct {
	Key    string           `json:"key"`
	Value  json.RawMessage  `json:"value"`
	Scope  preference.Scope `json:"scope" doc:"What it is about: days, hours, calendars."`
	Said   string           `json:"said" doc:"The person's words that set it; empty for one of a file or a program."`
	SaidAt *time.Time       `json:"saidAt" doc:"When that was."`
	On     bool             `json:"on" doc:"Whether it counts."`
}

func (s *Server) ownRoutes() {
	s.keptRoutes()
	s.mailRoutes()
	if s.cfg.Agenda != nil {
		handle(s, s.operation("listEvents", http.MethodGet, "/v1/people/{id}/events", "List a person's own events").
			to(withToken), s.ownEvents)
	}
	if s.cfg.Notices != nil {
		handle(s, s.operation("streamNotices", http.MethodGet, "/v1/people/{id}/notices", "Stream what a person is told").
			to(withToken).inAddress().streams(always).
			answers(http.StatusOK, "The notices of seven days, or those after Last-Event-ID, and new ones as they come.",
				noticeStream(s)), s.notices)
	}
	if s.cfg.Tasks != nil {
		handle(s, s.operation("listTasks", http.MethodGet, "/v1/people/{id}/tasks", "List a person's own tasks").
			to(withToken), s.ownTasks)
	}
	if s.cfg.Tasks != nil && s.cfg.TaskFile != nil {
		handle(s, s.operation("exportTasks", http.MethodGet, "/v1/people/{id}/tasks/export",
			"Export a person's own tasks").to(withToken), s.ownTaskFile)
	}
	if s.cfg.Preferences != nil {
		handle(s, s.operation("listPreferences", http.MethodGet, "/v1/people/{id}/preferences",
			"List a person's preferences").to(withToken), s.ownPreferences)
	}
}

func (s *Server) ownEvents(ctx context.Context, in *ownEventsInput) (*ownEventsOutput, error) {
	if err := MayUse(ctx, calendarFamily, scheduleFamily); err != nil {
		return nil, err
	}
	person, err := s.ownerOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	zone := person.Zone()
	var events []meet.Occurrence
	var problems []string
	if in.From == "" && in.To == "" {
		events, problems, err = s.everyEvent(ctx, person)
	} else {
		var span interval.Span
		if span, err = eventSpan(in.From, in.To, zone); err == nil {
			events, problems, err = s.cfg.Agenda.Events(ctx, person, span)
		}
	}
	if err != nil {
		return nil, err
	}
	out := &ownEventsOutput{}
	out.Body.Problems = append([]string{}, problems...)
	out.Body.Events, out.Body.More = first(in.Limit, events, func(e meet.Occurrence) ownEvent {
		return ownEvent(agenda.EventOf(e, zone))
	})
	return out, nil
}

// first are the first of all as clients see them; more says that there are others.
func first[T, V any](most int, all []T, view func(T) V) (list []V, more bool) {
	list = []V{}
	for _, one := range all[:min(len(all), most)] {
		list = append(list, view(one))
	}
	return list, len(all) > most
}

// everyEvent lists each event once, a series by its first occurrence.
func (s *Server) everyEvent(
	ctx context.Context, person meet.Person,
) (events []meet.Occurrence, problems []string, err error) {
	var years [2 * yearsAround]struct {
		events   []meet.Occurrence
		problems []string
	}
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(readingsAtATime)
	now := s.cfg.Now()
	for i := range years {
		span := interval.Span{Start: now.AddDate(i-yearsAround, 0, 0), End: now.AddDate(i-yearsAround+1, 0, 0)}
		reading.Go(func() (err error) {
			years[i].events, years[i].problems, err = s.cfg.Agenda.Events(ctx, person, span)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, year := range years {
		for _, p := range year.problems {
			if !slices.Contains(problems, p) {
				problems = append(problems, p)
			}
		}
		for _, e := range year.events {
			if e.UID == "" || !seen[e.UID] {
				events = append(events, e)
			}
			seen[e.UID] = true
		}
	}
	return events, problems, nil
}

// eventSpan is the span that the request asks for.
func eventSpan(from, to string, zone *time.Location) (span interval.Span, err error) {
	if span.Start, err = localMoment(from, "from", zone); err != nil {
		return span, err
	}
	if span.End, err = localMoment(to, "to", zone); err != nil {
		return span, err
	}
	switch {
	case !span.Start.Before(span.End):
		return span, fault.Invalid("to", "must be after from")
	case span.End.After(span.Start.AddDate(maxEventYears, 0, 0)):
		return span, fault.Invalid("to", "must be at most %d years after from", maxEventYears)
	}
	return span, nil
}

// localMoment reads a time with an offset, one of the zone without, or the beginning of a date.
func localMoment(s, field string, zone *time.Location) (t time.Time, err error) {
	if s == "" {
		return t, fault.Invalid(field, "is missing: give from and to, or neither of them")
	}
	return agenda.Moment(s, zone, field)
}

// tasksOf are the tasks of the person whom a path names, the oldest first. Unread says that some are missing.
func (s *Server) tasksOf(ctx context.Context, id string) (tasks []task.Task, unread error, err error) {
	if err := MayUse(ctx, taskFamily); err != nil {
		return nil, nil, err
	}
	person, err := s.ownerOf(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	tasks, unread = s.cfg.Tasks.Tasks(ctx, person)
	if unread != nil && len(tasks) == 0 {
		return nil, nil, unread
	}
	slices.SortFunc(tasks, task.ByAge)
	return tasks, unread, nil
}

func (s *Server) ownTasks(ctx context.Context, in *ownTasksInput) (*ownTasksOutput, error) {
	tasks, unread, err := s.tasksOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	out := &ownTasksOutput{}
	out.Body.Tasks, out.Body.More = first(in.Limit, tasks, func(t task.Task) ownTask { return ownTask(t.Listed()) })
	out.Body.Problems = problems(unread, "Some tasks could not be read.")
	return out, nil
}

// problems are the words, if something could not be read.
func problems(unread error, words string) []string {
	if unread == nil {
		return []string{}
	}
	return []string{words}
}

// ownTaskFile is the person's tasks as a file. It has all of them, or fails.
func (s *Server) ownTaskFile(ctx context.Context, in *ownTaskFileInput) (*ownTaskFileOutput, error) {
	tasks, unread, err := s.tasksOf(ctx, in.ID)
	if err == nil {
		err = unread
	}
	if err != nil {
		return nil, err
	}
	data, mediaType, err := s.cfg.TaskFile(in.Format, tasks)
	return &ownTaskFileOutput{
		ContentType: mediaType, Disposition: `attachment; filename="tasks.` + in.Format + `"`, Body: data,
	}, err
}

func (s *Server) ownPreferences(ctx context.Context, in *personInput) (*preferencesOutput, error) {
	if err := MayUse(ctx, preferenceFamily); err != nil {
		return nil, err
	}
	person, err := s.ownerOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	values, err := s.cfg.Preferences.Of(ctx, person.ID)
	out := &preferencesOutput{}
	out.Body.Preferences = map[string]json.RawMessage{}
	out.Body.Rules = []ownRule{}
	for _, key := range preference.Keys() {
		rule := preference.RuleOf(values[key])
		if rule.Value == nil {
			continue
		}
		own := ownRule{
			Key: key, Value: rule.Value, Scope: preference.ScopeOf(key, rule.Value), Said: rule.Said, On: !rule.Off,
		}
		if !rule.SaidAt.IsZero() {
			own.SaidAt = &rule.SaidAt
		}
		if out.Body.Rules = append(out.Body.Rules, own); own.On {
			out.Body.Preferences[key] = rule.Value
		}
	}
	return out, err
}

type noticesInput struct {
	ID          string `path:"id" doc:"The person's id, or their email address."`
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last notice received; the stream continues after it. EventSource sends it by itself."`
	Resume      string `query:"lastEventId" doc:"The same, for clients that cannot send headers. The header has precedence."`
}

// notices streams what a person is told unasked, until the connection ends.
func (s *Server) notices(ctx context.Context, in *noticesInput) (*huma.StreamResponse, error) {
	if err := MayUse(ctx, taskFamily); err != nil {
		return nil, err
	}
	after, err := resumeAfter(in.LastEventID, in.Resume)
	if err != nil {
		return nil, err
	}
	person, err := s.ownerOf(ctx, in.ID)
	switch {
	case err != nil && comesBack(err):
		return s.apologize(ctx, nil, err), nil
	case err != nil:
		return nil, err
	}
	return s.streamLog(ctx, replay{after: after}, nil, func(
		ctx context.Context, after int, fn func(...turn.Entry) error,
	) error {
		return s.cfg.Notices.Follow(ctx, person.ID, after, fn)
	}), nil
}

// noticeStream describes a stream of notices.
func noticeStream(s *Server) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{sse.ContentType: {Schema: &huma.Schema{
		Type: huma.TypeString,
		Description: "Server-Sent Events. Each has one data line, a Notice as JSON, and an id that counts the person's " +
			"notices. The stream does not end by itself.",
		Extensions: map[string]any{"contentMediaType": sse.ContentType, "contentSchema": reflectSchema[notice.Notice](s)},
	}}}
}

// ownerOf is the stored person, by id or by email address, as whom the caller may ask.
func (s *Server) ownerOf(ctx context.Context, segment string) (meet.Person, error) {
	id, err := personID(segment)
	if err != nil {
		return meet.Person{}, err
	}
	people := &roster{people: s.cfg.People, all: func() ([]meet.Person, error) { return s.cfg.People.All(ctx) }}
	person, err := people.named(ctx, id, auth.CallerOf(ctx).MayOrganize)
	if fault.CodeOf(err) == fault.NotFound {
		return person, noPerson()
	}
	return person, err
}

// MayUse returns nil if the caller may use the tools of one of the families.
func MayUse(ctx context.Context, families ...string) error {
	if slices.ContainsFunc(families, auth.CallerOf(ctx).MayUse) {
		return nil
	}
	return fault.New(auth.Forbidden, "This key or token is not for tools of the family %s.",
		strings.Join(families, " or "))
}

// MayConfirm returns nil if the caller may confirm what is shown.
func MayConfirm(ctx context.Context) error {
	if auth.CallerOf(ctx).MayConfirm() {
		return nil
	}
	return fault.New(auth.Forbidden, "This key or token cannot confirm anything; it has to be confirmed with another one.")
}
