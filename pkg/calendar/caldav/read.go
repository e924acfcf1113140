package caldav

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// maxAtOnce is how many calendars of one account are read at the same time. Servers slow down or refuse those who
	// ask for more.
	maxAtOnce = 4
	// reads names what is read of events: a mark of a release that read less is of no use.
	reads = "times and coordinates"
	// maxInstances is how many stretches of one event are told apart. Of an event with more, those that touch count as
	// one.
	maxInstances = 1000
)

// reading is what is to be read, and of whom.
type reading struct {
	person meet.Person
	span   interval.Span
	// last is what there is to go on from.
	last calendar.Snapshot
	// marks says that the next reading wants to go on from this one.
	marks bool
}

// part is what one calendar says.
type part struct {
	calendar string
	blocks   []calendar.Block
	unknown  interval.Set
	mark     string
	err      error
}

// read asks all calendars of all of the person's accounts, and puts together what they say.
func (c *Calendar) read(ctx context.Context, r reading) (calendar.Snapshot, error) {
	whole := calendar.Snapshot{Span: r.span}
	accounts, err := c.accounts(ctx, r.person)
	if err != nil {
		return whole, err
	}
	perAccount := make([][]part, len(accounts))
	var wg sync.WaitGroup
	for i, a := range accounts {
		wg.Go(func() { perAccount[i] = c.readAccount(ctx, a, r) })
	}
	wg.Wait()
	var errs []error
	for _, p := range slices.Concat(perAccount...) {
		whole.Blocks = append(whole.Blocks, p.blocks...)
		whole.Unknown = whole.Unknown.Union(p.unknown)
		errs = append(errs, p.err)
		if p.mark != "" {
			if whole.Marks == nil {
				whole.Marks = map[string]string{}
			}
			whole.Marks[p.calendar] = p.mark
		}
	}
	return whole, calendar.Join(errs...)
}

// accounts are the person's; without any the error is calendar.ErrNoCalendar.
func (c *Calendar) accounts(ctx context.Context, person meet.Person) ([]account.Account, error) {
	if !person.Known() {
		return nil, calendar.ErrNoCalendar
	}
	accounts, err := c.cfg.Accounts.Accounts(ctx, person.ID, account.CalDAV)
	if err != nil {
		return nil, fmt.Errorf("list CalDAV accounts: %w", err)
	}
	if len(accounts) == 0 {
		return nil, calendar.ErrNoCalendar
	}
	return accounts, nil
}

// enter opens the account. One that has a problem is left alone, because servers lock out those who come again and
// again with a password that is no longer good.
func (c *Calendar) enter(ctx context.Context, a account.Account, do task) (*session, error) {
	if a.Problem != "" {
		return nil, do.fault(fault.CalendarFailed, a.Problem)
	}
	cred, err := c.cfg.Accounts.Credential(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("open CalDAV account: %w", err)
	}
	root, err := url.Parse(a.Server)
	if err != nil || root.Host == "" {
		return nil, do.fault(fault.CalendarFailed, reasonReconnect).Because(errors.New("the account has no server"))
	}
	return c.open(root, a, cred), nil
}

// readAccount reads those of the account's calendars that take the person's time.
func (c *Calendar) readAccount(ctx context.Context, a account.Account, r reading) []part {
	s, err := c.enter(ctx, a, toRead)
	if err != nil {
		return []part{{err: err}}
	}
	chosen, err := s.chosen(ctx)
	if err != nil {
		return []part{{err: c.explain(ctx, s, toRead, err)}}
	}
	blocking := slices.DeleteFunc(chosen, func(one account.Calendar) bool { return !one.Blocks })
	parts := make([]part, len(blocking))
	free := make(chan struct{}, maxAtOnce)
	var wg sync.WaitGroup
	for i, one := range blocking {
		wg.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			parts[i] = c.readCalendar(ctx, s, r, one)
		})
	}
	wg.Wait()
	return parts
}

// readCalendar reads one calendar. Whatever goes wrong in it, a panic too, is its error.
func (c *Calendar) readCalendar(ctx context.Context, s *session, r reading, one account.Calendar) (p part) {
	defer func() {
		if v := recover(); v != nil {
			p = part{err: fmt.Errorf("read CalDAV calendar: panic: %v", v)}
		}
		p.calendar = one.ID
	}()
	u, err := s.at(one.ID)
	if err != nil {
		return part{err: c.explain(ctx, s, toRead, err)}
	}
	sc := scan{
		reading: r, session: s, calendar: one, url: u,
		addresses: []string{r.person.Email, s.account.Address, s.cred.Username},
		standing:  func() (standing, error) { return c.standing(ctx, s) },
		identity:  c.cfg.Identity,
	}
	if r.marks {
		p, err = sc.sync(ctx)
	} else {
		p, err = sc.anew(ctx)
	}
	p.err = c.explain(ctx, s, toRead, err)
	return p
}

// scan is the reading of one calendar.
type scan struct {
	reading
	*session
	calendar account.Calendar
	url      *url.URL
	// addresses are those by which the owner is known without asking the server; standing asks it.
	addresses []string
	standing  func() (standing, error)
	identity  func(iCalUID string) (uid string)
}

// anew reads everything that may lie in the span.
func (sc *scan) anew(ctx context.Context) (part, error) {
	objects, err := sc.within(ctx, sc.url, sc.span)
	if err != nil {
		return part{}, err
	}
	return sc.understand(ctx, objects)
}

// understand turns objects into what takes the owner's time. One that cannot be read may be at any time.
func (sc *scan) understand(ctx context.Context, objects []object) (p part, err error) {
	for _, o := range objects {
		if o.gone {
			continue
		}
		schedule, parseErr := icalendar.Parse([]byte(o.data))
		if parseErr != nil {
			p.unknown = interval.NewSet(sc.span)
			continue
		}
		taken, unknown, err := sc.attended(schedule).Instances(ctx, sc.span, icalendar.Owner{Zone: sc.zone()})
		if err != nil {
			return part{}, err
		}
		p.unknown = p.unknown.Union(unknown)
		for _, one := range bounded(taken) {
			p.blocks = append(p.blocks, calendar.Block{
				Calendar: sc.calendar.ID, ID: blockID(o.key, one.Span), UID: sc.identity(one.UID), Span: one.Span, At: one.At,
			})
		}
	}
	return p, nil
}

// attended is the schedule without what the owner declined. The server is asked for the owner's other addresses only
// where somebody declined who may be the owner by one of them; where it does not tell, the event stays busy.
func (sc *scan) attended(schedule *icalendar.Schedule) *icalendar.Schedule {
	declined := schedule.Declined()
	if len(declined) == 0 {
		return schedule
	}
	addresses := slices.DeleteFunc(slices.Clone(sc.addresses), func(a string) bool { return a == "" })
	known := func(a string) bool {
		return slices.ContainsFunc(addresses, func(own string) bool { return strings.EqualFold(own, a) })
	}
	if !slices.ContainsFunc(declined, known) {
		if st, err := sc.standing(); err == nil {
			addresses = append(addresses, st.addresses...)
		}
	}
	return schedule.Attending(addresses...)
}

// zone is in which zone floating times and whole days are meant: the owner's, else the calendar's. Nil leaves it to the
// object.
func (sc *scan) zone() *time.Location {
	if sc.person.Timezone != "" {
		return sc.person.Zone()
	}
	if loc, err := interval.Zone(sc.calendar.Timezone); err == nil && sc.calendar.Timezone != "" {
		return loc
	}
	return nil
}

// bounded is taken in order, with what touches made one where there is very much of it.
func bounded(taken []icalendar.Instance) []icalendar.Instance {
	inOrder := func(a, b icalendar.Instance) int {
		return cmp.Or(a.Span.Start.Compare(b.Span.Start), a.Span.End.Compare(b.Span.End), strings.Compare(a.UID, b.UID))
	}
	if len(taken) <= maxInstances {
		slices.SortFunc(taken, inOrder)
		return taken
	}
	byUID := map[string][]interval.Span{}
	for _, one := range taken {
		byUID[one.UID] = append(byUID[one.UID], one.Span)
	}
	var merged []icalendar.Instance
	for uid, spans := range byUID {
		for _, span := range interval.NewSet(spans...) {
			merged = append(merged, icalendar.Instance{UID: uid, Span: span})
		}
	}
	slices.SortFunc(merged, inOrder)
	return merged
}

// blockID names an instance: the object's path, and when it begins. A path has no # in it.
func blockID(key string, span interval.Span) string {
	return key + "#" + span.Start.UTC().Format("20060102T150405Z")
}

// objectOf is the path of the object that the block is of.
func objectOf(b calendar.Block) string {
	key, _, _ := strings.Cut(b.ID, "#")
	return key
}

// viewpoint changes with whatever beside the calendar decides what its events mean: the zone of whole days, and who
// the owner is among the attendees.
func (sc *scan) viewpoint() string {
	zone := ""
	if loc := sc.zone(); loc != nil {
		zone = loc.String()
	}
	sum := sha256.Sum256([]byte(strings.Join(append([]string{reads, zone}, sc.addresses...), "\x00")))
	return hex.EncodeToString(sum[:6])
}
