package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"convene/functions"
	"convene/functions/world"
	"convene/pkg/account"
	"convene/pkg/api"
	"convene/pkg/booking"
	"convene/pkg/booking/courier"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/calendar/local"
	"convene/pkg/change"
	"convene/pkg/ground"
	"convene/pkg/interval"
	"convene/pkg/markup"
	"convene/pkg/mcp"
	"convene/pkg/meet"
	"convene/pkg/people"
	"convene/pkg/redisstore"
	"convene/pkg/telemetry"
	"convene/pkg/turn"
	"convene/pkg/webhook"
	"convene/stages"
	"convene/stages/candidates"
)

// app is everything that serves turns, wired together.
type app struct {
	log       zerolog.Logger
	telemetry *telemetry.Telemetry
	store     *redisstore.Store
	connected *connections
	// closePlaces waits for searches under way.
	closePlaces func()
	runner      *turn.Runner
	desk        *booking.Desk
	// changes keeps change sets, and worlds makes what tools see.
	changes *change.Desk
	worlds  worlds
	hooks   *hooks
	// remind tells people what falls due.
	remind  func(context.Context)
	api     *api.Server
	metrics http.Handler
	// guarded says that every request needs a key or a token.
	guarded bool
	// flush sends the pending traces.
	flush func()
}

// wire builds the app from the settings: the only code that knows every adapter. The functions in with change the ports
// before they are used, so that a test can break one.
func wire(ctx context.Context, s settings, logs io.Writer, with ...func(*stages.Ports)) (_ *app, err error) {
	logger, err := s.logger(logs)
	if err != nil {
		return nil, err
	}
	if s, err = s.inWorld(logger); err != nil {
		return nil, err
	}
	now := s.clock()
	seen, err := s.telemetry(ctx, logger)
	if err != nil {
		return nil, err
	}
	store, err := redisstore.Open(ctx, redisstore.Config{URL: s.RedisURL, Now: now, OnError: seen.RedisFailed})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, store.Close(), seen.Close(ctx))
		}
	}()
	if err := s.seedPeople(ctx, store.People()); err != nil {
		return nil, err
	}
	connected, err := s.Connect.connect(store, s.publicURL, logger, now)
	if err != nil {
		return nil, err
	}
	ports, own, closePlaces, err := s.ports(store, connected, logger) //nolint:contextcheck // a finder outlives its maker
	if err != nil {
		return nil, err
	}
	model, err := s.model(logger) //nolint:contextcheck // a model connects to nothing before it is asked
	if err != nil {
		return nil, err
	}
	ports.Observer, ports.Model, ports.Reader, ports.Ruled, ports.Unread, ports.Asked, ports.Standing, ports.Ground,
		ports.Plans = seen, model, model.rules, model.rules == nil, unread, askedOf, standingOf, ground.Read, readPlan
	for _, change := range with {
		change(&ports)
	}
	ports.Model = seen.Model(ports.Model)
	hooks := s.hooks(store, connected, seen)
	seenBy, err := s.worlds(store, own, ports.Calendars, connected, logger)
	if err != nil {
		return nil, err
	}
	pipeline, desk, err := s.core(seenBy.serving(ports), store, connected, hooks.outbox)
	if err != nil {
		return nil, err
	}
	seenBy.scheduler.Pipeline = pipeline
	own.follow(desk)
	a := &app{
		log: logger, telemetry: seen, store: store, connected: connected, desk: desk, changes: seenBy.desk, hooks: hooks,
		closePlaces: closePlaces, guarded: s.Door.RequireKey, worlds: seenBy,
		remind: seenBy.tasks.tell(s, hooks.outbox),
	}
	a.flush = func() { flush(ctx, seen, logger) }
	if err := a.serving(s, pipeline, desk, health(store, model, connected)); err != nil {
		return nil, err
	}
	return a, nil
}

// flush sends the last traces.
func flush(ctx context.Context, seen *telemetry.Telemetry, logger zerolog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	if err := seen.Close(ctx); err != nil {
		logger.Warn().Err(err).Msg("the last traces could not be sent")
	}
}

// ownCalendars are all calendars of each person: those connected, and those of files.
type ownCalendars struct {
	*calendar.Directory
	kept     *local.Calendar
	accounts *account.Store
}

// Calendars are the person's, by the names that they have there.
func (o ownCalendars) Calendars(ctx context.Context, person meet.PersonID) ([]meet.OwnCalendar, error) {
	accounts, err := o.accounts.List(ctx, person)
	all := o.kept.Calendars(ctx, person)
	for _, a := range accounts {
		if a.Provider.KeepsMail() {
			continue
		}
		for _, c := range a.Calendars {
			all = append(all, meet.OwnCalendar{
				Provider: string(a.Provider), Calendar: c.ID, Name: c.Name,
				ReadOnly: a.Access != account.Write || a.Problem != "",
			})
		}
	}
	return all, err
}

// follow lets bookings follow what is changed in calendars.
func (o ownCalendars) follow(b calendar.Bookings) { o.kept.Bookings, o.Bookings = b, b }

// ports are the pipeline's, without the model and its observer.
func (s settings) ports(
	store *redisstore.Store, connected *connections, logger zerolog.Logger,
) (_ stages.Ports, own ownCalendars, closePlaces func(), err error) {
	now := s.clock()
	files, err := s.calendarFiles(now())
	if err != nil {
		return stages.Ports{}, own, nil, err
	}
	kept := local.New(store.Events(), files)
	s.reportDamage(logger, kept.Problems())
	router, err := s.router()
	if err != nil {
		return stages.Ports{}, own, nil, err
	}
	venues, closePlaces, err := s.Venues.finder(store, logger)
	if err != nil {
		return stages.Ports{}, own, nil, err
	}
	ideas, err := s.activities(store, logger)
	if err != nil {
		return stages.Ports{}, own, nil, err
	}
	own = ownCalendars{&calendar.Directory{
		Sources: append(slices.Clone(connected.providers), kept), Accounts: connected, Now: now,
	}, kept, connected.accounts}
	return stages.Ports{
		Calendars:  own,
		Agenda:     own,
		Booked:     &calendar.Directory{Sources: []calendar.Provider{local.New(store.Events(), nil)}, Now: now},
		Places:     venues,
		Gazetteer:  venues,
		Router:     router,
		Activities: ideas,
		Contacts:   contacts{people.Directory{Store: store.People()}},
		Birthday:   birthday,
		Described:  described,
		Memory:     store.Conversations(),
		Proposals:  store.Proposals(),
		Render:     markup.Render,
		Now:        now,
	}, own, closePlaces, nil
}

// birthday is a contact's next one from a day on, if the contact says it.
func birthday(
	ctx context.Context, w *world.World, contact meet.PersonID, from time.Time,
) (day interval.Date, known bool) {
	kept := contactsOf(ctx, w)
	i := slices.IndexFunc(kept, func(c meet.Contact) bool { return c.ID == contact })
	if i < 0 {
		return day, false
	}
	at, _, known := people.Birthday(kept[i], from)
	return interval.DateOf(at), known
}

// described are the contacts whom a message means by what is known of them: "the lawyer".
func described(ctx context.Context, w *world.World, message string) (ids []meet.PersonID) {
	for _, c := range people.Described(message, contactsOf(ctx, w)) {
		ids = append(ids, c.ID)
	}
	return ids
}

// contactsOf are the contacts with all that is kept of them; none if they cannot be read.
func contactsOf(ctx context.Context, w *world.World) []meet.Contact {
	values, err := w.Own[meet.ContactThing].All(ctx)
	if err != nil {
		return nil
	}
	kept, _ := people.All(values)
	return kept
}

// serving adds the runner and the API.
func (a *app) serving(
	s settings, pipeline *stages.Pipeline, desk *booking.Desk, health func(context.Context) map[string]api.PartState,
) (err error) {
	now := s.clock()
	queue := a.store.Queue(redisstore.QueueConfig{Most: s.MaxQueue, Places: s.MaxTurns})
	a.runner = turn.NewRunner(turn.Ports{
		Turner: pipeline, Log: a.store.Log(), Queue: queue, Leases: queue,
		Ledger: a.store.Turns(), Observer: a.telemetry, Now: now,
	}, turn.Config{Deadline: s.TurnDeadline, Most: s.MaxTurns, Handover: !a.store.Embedded()})
	tell := func(e meet.Event) meet.MessageUpdate {
		return stages.Settled(e, now(), markup.Render)
	}
	tools, err := newToolbox(a, functions.Tools())
	if err = errors.Join(err, checkFamilies("--mcp-tools", s.MCPTools)); err != nil {
		return err
	}
	agents := mcp.New(mcp.Config{
		Turns: a.runner, Log: a.store.Log(), Desk: desk, Tell: tell, Deadline: s.TurnDeadline,
		ReadTurn: func(ctx context.Context, body []byte, key string) (meet.Turn, error) {
			return a.api.ReadTurn(ctx, body, key)
		},
		MayConfirm: api.MayConfirm, Tools: a.forAgents(tools, s.MCPTools),
	})
	limits, err := s.Door.limits(a.store)
	if err != nil {
		return err
	}
	proxies, err := s.Door.proxies()
	if err != nil {
		return err
	}
	a.metrics = a.telemetry.Handler(queue.Waiting)
	a.api, err = api.New(a.own(now, api.Config{
		Turns:          a.runner,
		Log:            a.store.Log(),
		Proposals:      desk,
		Changes:        a.changes,
		People:         a.store.People(),
		Tell:           tell,
		Now:            now,
		Logger:         a.log,
		Intents:        intents(),
		Organizer:      s.organizer(),
		Tools:          tools,
		ICS:            func(e meet.Event) ([]byte, error) { return icalendar.Calendar(e, icalendar.Options{Stamp: now()}) },
		Health:         a.accepting(health),
		Metrics:        a.metrics,
		Reader:         a.telemetry.Reader,
		Answered:       a.telemetry.Answered,
		Dropped:        a.telemetry.Dropped,
		ReadTimeout:    s.Door.ReadTimeout,
		MaxConnections: s.Door.MaxConnections,
		MaxPerAddress:  s.Door.MaxConnectionsPerAddress,
		Calendars:      a.connected.routes(s.Connect, s.publicURL),
		MCP:            agents,
		Chats:          a.store.Chats(),
		Webhooks:       api.Webhooks{Endpoints: a.hooks.registry, Keys: a.hooks.registry, Deliveries: a.hooks.outbox},
		Guides:         guides(),
		Door:           s.Door.open(a.store),
		Origins:        s.Door.Origins,
		TrustedProxies: proxies,
		Limits:         limits,
	}))
	return err
}

// own adds what is a person's own.
func (a *app) own(now func() time.Time, c api.Config) api.Config {
	c.Agenda, c.Preferences, c.Notices = ownAgenda{a.worlds.agenda}, a.worlds.preferences, a.store.Notices()
	c.Tasks, c.TaskFile = a.worlds.tasks, taskFile(now)
	c.Mail, c.MailConnector = a.worlds.mail, a.connected.connector
	c.Workflows = a.worlds
	c.Lists, c.Notes = a.worlds.books[meet.ListThing], a.worlds.books[meet.NoteThing]
	return c
}

// intents names those of messages.
func intents() (names []meet.Intent) {
	for _, intent := range stages.Intents() {
		names = append(names, intent.Name)
	}
	return names
}

// flushTime is how long the last traces may take to be sent.
const flushTime = 3 * time.Second

func (a *app) close() {
	a.connected.close()
	a.closePlaces()
	if err := a.store.Close(); err != nil {
		a.log.Error().Err(err).Msg("closing Redis")
	}
	a.flush()
}

// telemetry counts, measures and traces. It logs an unreachable collector at most once a minute.
func (s settings) telemetry(ctx context.Context, logger zerolog.Logger) (*telemetry.Telemetry, error) {
	sampled := logger.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Minute})
	b := thisBuild()
	seen, err := telemetry.Open(ctx, telemetry.Config{
		ModelName: s.modelOf, Instance: instance(),
		Build: telemetry.Build{Version: b.Version, Revision: b.revision(), Go: b.Go},
		Warn:  func(err error) { sampled.Warn().Err(err).Msg("traces cannot be sent") },
	})
	if err != nil {
		return nil, misuse{err}
	}
	return seen, nil
}

// core makes the pipeline and the booking desk. The desk asks the pipeline for fresh times, and the pipeline confirms
// at the desk.
func (s settings) core(
	ports stages.Ports, store *redisstore.Store, connected *connections, outbox *webhook.Outbox,
) (pipeline *stages.Pipeline, desk *booking.Desk, err error) {
	desk = booking.New(booking.Config{
		Proposals: store.Proposals(), Calendars: ports.Calendars, Written: ports.Booked,
		Book: store.Events(), Holds: store.Holds(), Sagas: store.Sagas(),
		Courier: courier.New(courier.Config{
			Accounts: connected.accounts, Directory: &calendar.Directory{Sources: connected.providers, Now: ports.Now},
		}),
		Router: ports.Router, Links: stages.Links, Now: ports.Now, Outbox: outbox,
		Fresh: func(ctx context.Context, t meet.Turn, e meet.Event) ([]meet.Slot, error) {
			return pipeline.Fresh(ctx, t, e)
		},
	})
	ports.Confirmer = confirmer{desk}
	pipeline, err = stages.New(ports, stages.Config{
		Config: candidates.Config{Notice: s.Notice, Grace: s.Grace}, IdeasPatience: s.ideasPatience(),
		PlansKeep: s.PlansKeep,
	})
	return pipeline, desk, err
}

// confirmer books a proposal without changes.
type confirmer struct{ desk *booking.Desk }

func (c confirmer) ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	return c.desk.Confirm(ctx, id, booking.Choice{})
}

// CancelProposal withdraws a proposal.
func (c confirmer) CancelProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	return c.desk.Cancel(ctx, id)
}

// accepting adds to health whether turns are accepted, so that a load balancer avoids a server that is shutting down.
func (a *app) accepting(
	health func(context.Context) map[string]api.PartState,
) func(context.Context) map[string]api.PartState {
	return func(ctx context.Context) map[string]api.PartState {
		parts := health(ctx)
		parts["turns"] = api.PartState{State: api.PartUp}
		if a.runner.Stopping() {
			parts["turns"] = api.PartState{State: api.PartDown, Detail: "the server is shutting down"}
		}
		return parts
	}
}

// health reports the state of the parts that serve a turn.
func health(
	store *redisstore.Store, model answering, connected *connections,
) func(context.Context) map[string]api.PartState {
	names := []string{"local"}
	for _, p := range connected.providers {
		names = append(names, p.Name())
	}
	return func(ctx context.Context) map[string]api.PartState {
		parts := map[string]api.PartState{
			"redis":     {State: api.PartUp},
			"model":     model.state(),
			"calendars": {State: api.PartUp, Detail: strings.Join(names, ", ")},
		}
		if err := store.Ping(ctx); err != nil {
			parts["redis"] = api.PartState{State: api.PartDown, Detail: "does not answer"}
		}
		return parts
	}
}
