package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"convene/pkg/agenda"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// DefaultDeadline is how long one provider may take for one person.
const DefaultDeadline = 4 * time.Second

// The reasons of a status if the provider gives none. Each reads well after "Al: ".
const (
	reasonNone    = "no calendar is connected"
	reasonSlow    = "the calendar did not answer in time; try again in a moment"
	reasonFailed  = "the calendar could not be reached; try again in a moment"
	reasonPartial = "part of the calendar could not be read"
	reasonNotHere = "a calendar is connected whose provider is not set up here; disconnect it or have it set up"
)

// Directory knows which providers keep calendars for a person, and asks them. The zero value knows nobody.
type Directory struct {
	// Sources are in order of preference: events are written to the first that has a calendar of the person's and can
	// write. For people without any calendar that is the last one.
	Sources []Provider
	// Accounts, if set, tells which sources need not be asked, because the person has no account there. The time of a
	// person with an account at a provider that is no source is unknown.
	Accounts Accounts
	// Deadline bounds each provider's answer for each person. Defaults to DefaultDeadline.
	Deadline time.Duration
	// Now is the clock of CalendarStatus.AsOf. Defaults to time.Now.
	Now func() time.Time
	// Bookings, if set, is told of changes of events that Convene booked, at any source but the built-in calendar, which
	// tells it itself.
	Bookings Bookings
}

// Accounts knows which providers people have connected.
type Accounts interface {
	// Needed reports whether the provider has calendars only for people with an account there.
	Needed(provider string) bool
	// Connected names the providers at which the person has an account.
	Connected(ctx context.Context, person meet.PersonID) ([]string, error)
}

// Busy reads the calendars of all people in q concurrently and returns a reading for each, within the deadline even if
// a provider hangs; q.Tell is called with each as soon as it is complete. People without an id share the reading under
// the empty id, which is unknown. The only error is that ctx was cancelled.
func (d *Directory) Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	people := make(map[meet.PersonID]meet.Person, len(q.People))
	for _, person := range q.People {
		if _, twice := people[person.ID]; !twice {
			people[person.ID] = person
		}
	}
	var (
		mu       sync.Mutex
		wg       sync.WaitGroup
		readings = make(map[meet.PersonID]meet.Schedule, len(people))
	)
	for id, person := range people {
		wg.Go(func() {
			reading := d.read(ctx, person, q)
			mu.Lock()
			defer mu.Unlock()
			readings[id] = reading
			if q.Tell != nil {
				q.Tell(id, reading)
			}
		})
	}
	wg.Wait()
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, fmt.Errorf("read calendars: %w", ctx.Err())
	}
	return readings, nil
}

// Providers names the providers that may have a calendar of the person's, in order of preference: none for a person
// without an id. The person's reading says which of them do.
func (d *Directory) Providers(person meet.Person) []string {
	var names []string
	for _, p := range d.sourcesFor(person) {
		names = append(names, p.Name())
	}
	return names
}

// WriterAt is the writer of that name; ok is false if there is none.
func (d *Directory) WriterAt(provider string) (w Writer, ok bool) {
	for _, p := range d.Sources {
		if w, ok := source(p).(Writer); ok && p.Name() == provider {
			return w, true
		}
	}
	return nil, false
}

// Forget drops the cached readings of the people. The caller has written to a calendar of theirs, or one was connected
// or disconnected.
func (d *Directory) Forget(ctx context.Context, people ...meet.PersonID) error {
	var errs []error
	for _, p := range d.Sources {
		c, ok := p.(Cache)
		if !ok {
			continue
		}
		for _, person := range people {
			if person == "" {
				continue
			}
			if err := c.Forget(ctx, person); err != nil {
				errs = append(errs, fmt.Errorf("forget readings of %s: %w", p.Name(), err))
			}
		}
	}
	return errors.Join(errs...)
}

// sourcesFor are the sources to ask about the person. A person without an id has no calendar anywhere.
func (d *Directory) sourcesFor(person meet.Person) []Provider {
	if !person.Known() {
		return nil
	}
	return d.Sources
}

// answer is one provider's answer about one person.
type answer struct {
	provider string
	Times
	events  []meet.Occurrence
	amended *agenda.Amended
	err     error
	// notHere says that there is no source to ask.
	notHere bool
}

// fromCalendar is false if the provider has no calendar of the person's.
func (a answer) fromCalendar() bool { return !errors.Is(a.err, ErrNoCalendar) }

// read merges the answers of all providers about one person.
func (d *Directory) read(ctx context.Context, person meet.Person, q meet.BusyQuery) meet.Schedule {
	answers := d.ask(ctx, person, func(ctx context.Context, p Provider) (a answer) {
		a.Times, a.err = timesOf(ctx, p, person, q)
		return a
	})
	reading := meet.Schedule{Status: meet.CalendarStatus{Person: person.ID, Name: person.Name}}
	if !slices.ContainsFunc(answers, answer.fromCalendar) {
		// Events booked through Convene still count.
		for _, a := range answers {
			reading.Availability.Busy = reading.Availability.Busy.Union(within(q.Span, a.Availability).Busy)
			reading.Stays = append(reading.Stays, a.Stays...)
		}
		reading.Availability = reading.Availability.Merge(unknown(q.Span))
		reading.Status.State, reading.Status.Reason = meet.CalendarUnchecked, reasonNone
		reading.Providers = d.lastResort(answers)
		return reading
	}
	reading.Status.State = meet.Checked
	reading.Status.Provider = answers[slices.IndexFunc(answers, answer.fromCalendar)].provider
	var cause error // of the status's reason
	for _, a := range answers {
		a.Availability = within(q.Span, a.Availability)
		reading.Stays = append(reading.Stays, a.Stays...)
		if !a.fromCalendar() {
			reading.Availability.Busy = reading.Availability.Busy.Union(a.Busy)
			continue
		}
		if !a.notHere {
			reading.Providers = append(reading.Providers, a.provider)
		}
		if reading.Status.AsOf.IsZero() || a.AsOf.Before(reading.Status.AsOf) {
			reading.Status.AsOf = a.AsOf
		}
		if a.err != nil {
			a.Availability = a.Merge(unknown(q.Span))
		}
		reading.Availability = reading.Availability.Merge(a.Availability)
		if len(a.Unknown) > 0 && (reading.Status.State == meet.Checked || urgent(a.err) && !urgent(cause)) {
			reading.Status.State, reading.Status.Provider = meet.CalendarUnchecked, a.provider
			reading.Status.Reason, cause = reason(a.err), a.err
		}
	}
	if len(reading.Providers) == 0 {
		reading.Providers = d.lastResort(slices.DeleteFunc(answers, func(a answer) bool { return a.notHere }))
	}
	return reading
}

// lastResort is where events of a person without a calendar are kept: at the last source, if it was asked.
func (d *Directory) lastResort(answers []answer) []string {
	if len(answers) == 0 {
		return nil
	}
	last := d.Sources[len(d.Sources)-1]
	if _, ok := source(last).(Writer); !ok || answers[len(answers)-1].provider != last.Name() {
		return nil
	}
	return []string{last.Name()}
}

// ask asks all providers concurrently and returns the answers in order. A provider that needs an account is asked if
// the person has one, or if the accounts cannot be read.
func (d *Directory) ask(
	ctx context.Context, person meet.Person, question func(context.Context, Provider) answer,
) []answer {
	providers := d.sourcesFor(person)
	answers := make([]answer, len(providers))
	var wg sync.WaitGroup
	askThose := func(of func(Provider) bool) {
		for i, p := range providers {
			if of(p) {
				wg.Go(func() { answers[i] = d.answerOf(ctx, p, question) })
			}
		}
	}
	needed := func(p Provider) bool { return d.Accounts != nil && d.Accounts.Needed(p.Name()) }
	askThose(func(p Provider) bool { return !needed(p) })
	names, err := d.connected(ctx, person.ID)
	askThose(func(p Provider) bool { return needed(p) && (err != nil || slices.Contains(names, p.Name())) })
	wg.Wait()
	asked := slices.DeleteFunc(answers, func(a answer) bool { return a.provider == "" })
	return append(asked, d.unasked(names)...)
}

// answerOf asks one provider.
func (d *Directory) answerOf(ctx context.Context, p Provider, question func(context.Context, Provider) answer) answer {
	a := bounded(ctx, cmp.Or(d.Deadline, DefaultDeadline), func(ctx context.Context) answer { return question(ctx, p) })
	if a.AsOf.IsZero() {
		a.AsOf = d.now()
	}
	a.provider = p.Name()
	return a
}

// unasked are the answers for providers that are no source although the person has an account there.
func (d *Directory) unasked(names []string) []answer {
	var answers []answer
	for _, name := range names {
		known := slices.ContainsFunc(d.Sources, func(p Provider) bool { return p.Name() == name }) ||
			slices.ContainsFunc(answers, func(a answer) bool { return a.provider == name })
		if !known {
			err := fault.New(fault.CalendarFailed, reasonNotHere)
			answers = append(answers, answer{provider: name, Times: Times{AsOf: d.now()}, err: err, notHere: true})
		}
	}
	return answers
}

// connected names the providers at which the person has an account.
func (d *Directory) connected(ctx context.Context, person meet.PersonID) ([]string, error) {
	if d.Accounts == nil || person == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Deadline, DefaultDeadline))
	defer cancel()
	return d.Accounts.Connected(ctx, person)
}

// bounded runs call with a deadline and turns a panic into an error. It returns at the deadline even if call ignores
// its context; that call's result is dropped.
func bounded(ctx context.Context, limit time.Duration, call func(context.Context) answer) answer {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan answer, 1)
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: fmt.Errorf("provider panicked: %v", p)}
			}
			done <- a
		}()
		a = call(ctx)
	}()
	select {
	case a := <-done:
		return a
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
}

func (d *Directory) now() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// reason is the status's reason for err; nil means that the provider itself left a part unknown.
func reason(err error) string {
	if err == nil {
		return reasonPartial
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Message != "" {
		return f.Message
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return reasonSlow
	}
	return reasonFailed
}

// within clips an availability to the requested span, in order and without empty spans.
func within(span interval.Span, a interval.Availability) interval.Availability {
	return interval.Availability{Busy: a.Busy.Normal().Within(span), Unknown: a.Unknown.Normal().Within(span)}
}

func unknown(span interval.Span) interval.Availability {
	return interval.Availability{Unknown: interval.NewSet(span)}
}
