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
	"time"

	"golang.org/x/sync/errgroup"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

const (
	// maxAtOnce bounds the concurrent readings of one account. Servers slow down or refuse clients with more.
	maxAtOnce = 4
	// reads names the data that is read of events: a mark of a release that read less is not used.
	reads = "times and coordinates"
	// maxInstances bounds the instances of one object. Beyond it, instances that touch are merged.
	maxInstances = 1000
)

// reading is a request for one person's time.
type reading struct {
	person meet.Person
	span   interval.Span
	// last is the snapshot to continue.
	last calendar.Snapshot
	// marks asks for marks, so that the next reading can continue this one.
	marks bool
	// lists asks for the events instead of the blocks.
	lists bool
}

// part is what was read of one calendar.
type part struct {
	calendar.Reading
	// events are those of a listing.
	events []meet.Occurrence
}

// parts reads all calendars of all of the person's accounts.
func (c *Calendar) parts(ctx context.Context, r reading) ([]part, error) {
	accounts, err := c.accounts(ctx, r.person)
	if err != nil {
		return nil, err
	}
	perAccount := calendar.Gather(accounts, func(a account.Account) []part { return c.readAccount(ctx, a, r) })
	return slices.Concat(perAccount...), nil
}

// read merges all calendars of the person.
func (c *Calendar) read(ctx context.Context, r reading) (calendar.Snapshot, error) {
	parts, err := c.parts(ctx, r)
	if err != nil {
		return calendar.Snapshot{Span: r.span}, err
	}
	readings := make([]calendar.Reading, len(parts))
	for i, p := range parts {
		readings[i] = p.Reading
	}
	return calendar.Merge(r.span, readings)
}

// accounts are the person's; calendar.ErrNoCalendar if there are none.
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

// enter opens the account. It does not try one with a problem, because servers lock out clients that repeat a wrong
// password.
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

// readAccount reads the account's calendars that block.
func (c *Calendar) readAccount(ctx context.Context, a account.Account, r reading) []part {
	s, err := c.enter(ctx, a, toRead)
	if err != nil {
		return []part{failed(err)}
	}
	chosen, err := s.chosen(ctx)
	if err != nil {
		return []part{failed(c.explain(ctx, s, toRead, err))}
	}
	blocking := slices.DeleteFunc(chosen, func(one account.Calendar) bool { return !one.Blocks })
	parts := make([]part, len(blocking))
	var group errgroup.Group
	group.SetLimit(maxAtOnce)
	for i, one := range blocking {
		group.Go(func() error {
			parts[i] = c.readCalendar(ctx, s, r, one)
			return nil
		})
	}
	_ = group.Wait() // the errors are in the parts
	return parts
}

func failed(err error) part { return part{Reading: calendar.Reading{Err: err}} }

// readCalendar reads one calendar. Any failure, even a panic, becomes its error.
func (c *Calendar) readCalendar(ctx context.Context, s *session, r reading, one account.Calendar) (p part) {
	defer func() {
		if v := recover(); v != nil {
			p = failed(fmt.Errorf("read CalDAV calendar: panic: %v", v))
		}
		p.Calendar = one.ID
	}()
	u, err := s.at(one.ID)
	if err != nil {
		return failed(c.explain(ctx, s, toRead, err))
	}
	sc := scan{
		reading: r, session: s, calendar: one, url: u,
		addresses: []string{r.person.Email, s.account.Address, s.cred.Username},
		standing:  func() (standing, error) { return c.standing(ctx, s) },
		identity:  c.cfg.Identity,
	}
	if r.lists {
		sc.readOnly = !sc.mayWrite(ctx)
	}
	if r.marks {
		p, err = sc.sync(ctx)
	} else {
		p, err = sc.anew(ctx)
	}
	p.Err = c.explain(ctx, s, toRead, err)
	return p
}

// scan is the reading of one calendar.
type scan struct {
	reading
	*session
	calendar account.Calendar
	url      *url.URL
	// addresses are the owner's known addresses; standing asks the server for all.
	addresses []string
	standing  func() (standing, error)
	identity  calendar.Identity
	// readOnly is set for a listing.
	readOnly bool
}

// anew reads all objects that may overlap the span.
func (sc *scan) anew(ctx context.Context) (part, error) {
	objects, err := sc.within(ctx, sc.url, sc.span)
	if err != nil {
		return part{}, err
	}
	return sc.expand(ctx, objects)
}

// expand turns objects into blocks. One that cannot be parsed may be at any time.
func (sc *scan) expand(ctx context.Context, objects []object) (p part, err error) {
	for _, o := range objects {
		if o.gone {
			continue
		}
		schedule, parseErr := icalendar.Parse([]byte(o.data))
		if parseErr != nil {
			p.Unknown = interval.NewSet(sc.span)
			continue
		}
		if sc.lists {
			if err := sc.listed(ctx, &p, o, schedule); err != nil {
				return part{}, err
			}
			continue
		}
		taken, unknown, err := sc.attended(schedule).Instances(ctx, sc.span, icalendar.Owner{Zone: sc.zone()})
		if err != nil {
			return part{}, err
		}
		p.Unknown = p.Unknown.Union(unknown)
		for _, one := range bounded(taken) {
			p.Blocks = append(p.Blocks, calendar.Block{
				Calendar: sc.calendar.ID, ID: blockID(o.key, one.Span), UID: sc.identity.UID(one.UID), Span: one.Span, At: one.At,
			})
		}
	}
	return p, nil
}

// listed adds the events of an object to p.
func (sc *scan) listed(ctx context.Context, p *part, o object, schedule *icalendar.Schedule) error {
	addresses := sc.addresses
	if st, err := sc.standing(); err == nil { // without an answer the owner has fewer addresses
		addresses = append(slices.Clone(addresses), st.addresses...)
	}
	events, unknown, err := schedule.Occurrences(ctx, sc.span, icalendar.Owner{Zone: sc.zone()}, addresses...)
	for _, e := range events {
		e.Provider, e.Calendar, e.ID = string(account.CalDAV), sc.calendar.ID, o.key
		e.UID, e.ReadOnly, e.CalendarName = sc.identity.UID(e.UID), sc.readOnly, sc.calendar.Name
		e.Theirs = e.Invited()
		p.events = append(p.events, e)
	}
	p.Unknown = p.Unknown.Union(unknown)
	return err
}

// mayWrite asks whether the owner may change the calendar's events. If the server does not say, a change will tell.
func (sc *scan) mayWrite(ctx context.Context) bool {
	p, _, err := sc.props(ctx, sc.url, propPrivileges)
	return err != nil || p.Privileges.allow("write", "write-content", "all")
}

// attended is the schedule without the events that the owner declined.
func (sc *scan) attended(schedule *icalendar.Schedule) *icalendar.Schedule {
	return schedule.Attending(sc.own(schedule)...)
}

// own are the owner's addresses. The server is asked for other ones only if an unknown attendee has declined, who may
// be the owner; without an answer the event stays busy.
func (sc *scan) own(schedule *icalendar.Schedule) []string {
	declined := schedule.Declined()
	addresses := slices.DeleteFunc(slices.Clone(sc.addresses), func(a string) bool { return a == "" })
	known := func(a string) bool {
		return slices.ContainsFunc(addresses, func(own string) bool { return strings.EqualFold(own, a) })
	}
	if len(declined) > 0 && !slices.ContainsFunc(declined, known) {
		if st, err := sc.standing(); err == nil {
			addresses = append(addresses, st.addresses...)
		}
	}
	return addresses
}

// zone is the zone of floating times and whole days: the owner's, else the calendar's. Nil leaves it to the object.
func (sc *scan) zone() *time.Location {
	if sc.person.Timezone != "" {
		return sc.person.Zone()
	}
	if loc, err := interval.Zone(sc.calendar.Timezone); err == nil && sc.calendar.Timezone != "" {
		return loc
	}
	return nil
}

// bounded is taken in order; more than maxInstances are merged where they touch.
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

// blockID names an instance: the object's path and its start. A path has no # in it.
func blockID(key string, span interval.Span) string {
	return key + "#" + span.Start.UTC().Format("20060102T150405Z")
}

// objectOf is the path of the block's object.
func objectOf(b calendar.Block) string {
	key, _, _ := strings.Cut(b.ID, "#")
	return key
}

// viewpoint is a hash of what the blocks depend on beside the calendar: the zone of whole days, and the owner's
// addresses.
func (sc *scan) viewpoint() string {
	zone := ""
	if loc := sc.zone(); loc != nil {
		zone = loc.String()
	}
	sum := sha256.Sum256([]byte(strings.Join(append([]string{reads, zone}, sc.addresses...), "\x00")))
	return hex.EncodeToString(sum[:6])
}
