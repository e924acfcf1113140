package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/functions"
	"convene/functions/world"
	"convene/pkg/agenda"
	"convene/pkg/api"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/change"
	"convene/pkg/change/events"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/llm/offline"
	"convene/pkg/mail"
	mailwriter "convene/pkg/mail/writer"
	"convene/pkg/mcp"
	"convene/pkg/meet"
	"convene/pkg/note"
	"convene/pkg/people"
	"convene/pkg/preference"
	"convene/pkg/record"
	"convene/pkg/redisstore"
	"convene/pkg/task"
	taskwriter "convene/pkg/task/writer"
	"convene/pkg/tool"
	"convene/stages"
)

// worlds makes the world of a turn or of a call of a tool.
type worlds struct {
	agenda      agenda.Base
	calendars   ownCalendars
	times       world.Times
	contacts    people.Directory
	preferences record.Book
	// books are what people keep here, by kind.
	books map[meet.ChangeWhat]record.Book
	tasks reminders
	mail  mail.Directory
	// notes has the vectors of notes.
	notes note.Index
	desk  *change.Desk
	runs  redisstore.Runs
	now   func() time.Time
	// scheduler has no pipeline until that is made.
	scheduler *slots
}

// worlds are made of all that tools see, and of the desk to which their changes go.
func (s settings) worlds(
	store *redisstore.Store, own ownCalendars, times world.Times, connected *connections, logger zerolog.Logger,
) (worlds, error) {
	tasks, err := s.tasks(store, connected.tasks, logger)
	if err != nil {
		return worlds{}, err
	}
	books, err := s.books(store)
	if err != nil {
		return worlds{}, err
	}
	mailboxes, err := s.mailboxes(store, connected, logger)
	if err != nil {
		return worlds{}, err
	}
	model, err := s.embeddings()
	if err != nil {
		return worlds{}, err
	}
	notes := note.Index{Vectors: store.Vectors(), Model: model}
	desk, err := s.changes(store, map[meet.ChangeWhat]change.Writer{
		meet.EventThing: events.Writer{Calendars: amender{own}}, meet.BlockThing: events.Writer{Calendars: amender{own}},
		meet.TaskThing:  taskwriter.Writer{Tasks: tasks},
		meet.EmailThing: mailwriter.Writer{Mails: mailboxes, Local: neighbours(store.People())},
	}, books, notes)
	return worlds{
		agenda: own, calendars: own, times: times, contacts: people.Directory{Store: store.People()},
		preferences: books[meet.PreferenceThing],
		books:       books, notes: notes, tasks: tasks, mail: mailboxes, desk: desk,
		runs: store.Runs(), now: s.clock(),
		scheduler: new(slots),
	}, err
}

// serving are the ports with those of look and act.
func (w worlds) serving(ports stages.Ports) stages.Ports {
	ports.Worlds, ports.Changes, ports.Reply, ports.Sure, ports.Preferences = w, w, replyOf, sureOf, w.preferences
	ports.Language, ports.Uninvites = languageOf, offline.Uninvites
	ports.Runs = w.runs
	return ports
}

// copies are the working copies of what a person owns.
func (w worlds) copies(t meet.Turn) map[meet.ChangeWhat]*record.Copy {
	own := map[meet.ChangeWhat]*record.Copy{}
	for what, book := range w.books {
		if what == meet.ContactThing {
			book.Store = circle{book.Store, t}
		}
		own[what] = book.NewCopy(t.Organizer.ID)
	}
	return own
}

// of is the world of the turn's organizer, as far as the turn's limits let the organizer see it. Keys of changes begin
// with the turn's id.
func (w worlds) of(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	contacts, err := w.contacts.Of(ctx, t.Organizer.ID)
	if err != nil {
		return nil, err
	}
	preferences, err := w.preferences.Of(ctx, t.Organizer.ID)
	if err != nil {
		return nil, err
	}
	prefers := preference.Read(preferences)
	return &world.World{
		Now: now, Owner: prefers.For(t.Organizer), Language: cmp.Or(language, prefers.Language, "en"), Key: string(t.ID),
		Agenda: agenda.NewCopy(w.agenda, t.Organizer),
		Calendars: func(ctx context.Context) ([]meet.OwnCalendar, error) {
			return w.calendars.Calendars(ctx, t.Organizer.ID)
		},
		People:      people.Naming(append(t.Within(contacts.People), t.Organizer)),
		Times:       w.times,
		Scheduler:   w.scheduler,
		Preferences: preferences,
		Said:        t.Message,
		Unattended:  t.AutoConfirm,
		Own:         w.copies(t),
		Meaning:     meaning{w.notes, t.Organizer.ID},
		Tasks:       task.NewCopy(w.tasks.Directory, t.Organizer, icalendar.NextDue),
		Mail:        mail.NewCopy(w.mail, t.Organizer),
		Invitation: func(object []byte) (meet.Occurrence, error) {
			owner := icalendar.OwnedBy(t.Organizer)
			owner.Zone = now.Location()
			return icalendar.Invitation(object, owner)
		},
		Desk: w.deskOf(t),
		Runs: ownRuns{w, t.Organizer.ID},
	}, nil
}

// World is the world of a turn.
func (w worlds) World(ctx context.Context, t meet.Turn, now time.Time, language string) (*world.World, error) {
	return w.of(ctx, t, now, language)
}

// toolbox has the tools for programs.
type toolbox struct {
	app   *app
	tools []world.Tool
	list  []meet.ToolDescription
}

// newToolbox describes the tools. It fails for one whose schemas, words or family are missing.
func newToolbox(a *app, tools []world.Tool) (*toolbox, error) {
	b := &toolbox{app: a, tools: tools}
	for _, t := range tools {
		arguments, err := t.Arguments()
		if err != nil {
			return nil, fmt.Errorf("tool %s: arguments: %w", t.Name(), err)
		}
		d := meet.ToolDescription{
			Name: t.Name(), Description: t.Offer().Description, Family: t.Family, Effect: string(t.Effect), Needs: t.Needs,
			Operation: t.Operation, Arguments: arguments, Data: t.Data,
		}
		if err := complete(d); err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name(), err)
		}
		b.list = append(b.list, d)
	}
	return b, nil
}

// reserved are the members of a call that all tools have, which no tool may name an argument after: agents give both
// together.
func reserved() []string { return []string{"organizer", "timezone", "autoConfirm", "idempotencyKey"} }

// complete returns an error that says what a tool lacks.
func complete(d meet.ToolDescription) error {
	var arguments struct{ Properties map[string]json.RawMessage }
	var data map[string]any
	switch {
	case !slices.Contains(functions.Families(), d.Family) || !strings.HasPrefix(d.Name, d.Family+"_"):
		return fmt.Errorf("its name does not begin with its family, which is one of %s",
			strings.Join(functions.Families(), ", "))
	case d.Description == "":
		return errors.New("it has no words")
	case d.Effect != string(world.Reads) && d.Effect != string(world.Changes):
		return fmt.Errorf("its effect is %q", d.Effect)
	case d.Operation == "":
		return errors.New("it has no operation")
	case json.Unmarshal(d.Data, &data) != nil || data["type"] == nil && data["anyOf"] == nil:
		return errors.New("its data has no schema")
	case json.Unmarshal(d.Arguments, &arguments) != nil:
		return errors.New("its arguments have no schema")
	}
	for _, name := range reserved() {
		if arguments.Properties[name] != nil {
			return fmt.Errorf("its argument %s has the name of a member that all calls have", name)
		}
	}
	return nil
}

// List describes all tools.
func (b *toolbox) List() []meet.ToolDescription { return b.list }

// Call calls a tool, and hands what it would change to the desk.
func (b *toolbox) Call(ctx context.Context, c meet.ToolCall) (result meet.ToolResult, err error) {
	defer fault.Wrap(&err, "tool %s", c.Tool)
	i := slices.IndexFunc(b.tools, func(t world.Tool) bool { return t.Name() == c.Tool })
	if i < 0 {
		return result, fault.New(fault.NotFound, "There is no tool with this name.")
	}
	w, err := b.app.worlds.of(ctx, c.Turn, c.Turn.ReceivedAt.In(c.Turn.Zone()), c.Language)
	if err != nil {
		return result, err
	}
	w.Program = true
	given, err := b.tools[i].Call(ctx, w, c.Arguments)
	if wrong, ok := errors.AsType[*tool.ArgumentError](err); ok {
		return result, wrongArgument(wrong)
	}
	if err != nil {
		return result, err
	}
	result.Response = given.Response
	if result.Response.Error != nil && given.Choices != nil {
		result.Response.Error.Details, err = json.Marshal(given.Choices)
		return result, err
	}
	if result.Response.Error != nil || len(given.Changes) == 0 {
		return result, nil
	}
	set, applied, err := b.app.worlds.deskOf(c.Turn).Propose(ctx, change.Draft{
		Owner: c.Turn.Organizer, Key: string(c.Turn.ID), Language: w.Language, Changes: given.Changes,
		Heard: !given.Unsure, Named: true, AutoConfirm: c.Turn.AutoConfirm, Replaces: given.Replaces,
	})
	if err != nil {
		return result, err
	}
	result.Changes, result.Applied = &set, applied
	return result, result.Response.Settle(set, applied)
}

// wrongArgument names the argument by its path in the body of a call.
func wrongArgument(wrong *tool.ArgumentError) error {
	path, problem := wrong.Argument()
	return fault.Invalid(strings.TrimSuffix("arguments."+path, "."), "%s", problem)
}

// forAgents are the tools of the families for agents; of all families if none is named.
func (a *app) forAgents(b *toolbox, families []string) mcp.Tools {
	list := slices.DeleteFunc(slices.Clone(b.list), func(d meet.ToolDescription) bool {
		return len(families) > 0 && !slices.Contains(families, d.Family)
	})
	return mcp.Tools{
		List: list, MayUse: api.MayUse,
		Call: func(ctx context.Context, name string, body []byte, key string) (meet.ToolResult, error) {
			return a.api.CallTool(ctx, name, body, api.CallOptions{Key: key})
		},
	}
}

// ownAgenda are the calendars, for the API.
type ownAgenda struct{ agenda.Base }

// Events are the person's events; problems say why some may be missing.
func (o ownAgenda) Events(
	ctx context.Context, person meet.Person, span interval.Span,
) (events []meet.Occurrence, problems []string, err error) {
	events, err = o.Base.Events(ctx, person, span)
	if err != nil && ctx.Err() == nil {
		return events, []string{calendar.Reason(err)}, nil
	}
	return events, nil, err
}
