package booking_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// mailboxes are calendars outside, which tell guests what happens to the events in them. They behave as providers are
// documented to: the same again tells nobody, and less than what is there is refused.
type mailboxes struct {
	mu sync.Mutex
	// organizer invites, where set; owners keep a copy of their own.
	organizer string
	owners    []meet.PersonID
	boxes     map[string]letter
	// gone is the sequence with which an event was cancelled: guests take nothing for an invitation that is not newer.
	gone map[string]int
	// told is what guests heard, in order.
	told []string
	// fates are what is said of guests' invitations, by their names; nil where nothing is ever said. Those in copying have
	// a calendar for a copy.
	fates   map[string]meet.Invitation
	copying []string
	// looks counts how often it was asked; failCopy, where set, fails the writing of copies.
	looks    int
	failCopy error
}

// letter is an event as it stands in one calendar.
type letter struct {
	uid, at  string
	sequence int
	guests   []string
}

func (m *mailboxes) Plan(_ context.Context, e meet.Event, organizer meet.Person) ([]booking.Delivery, error) {
	var plan []booking.Delivery
	for _, p := range e.Participants {
		switch {
		case m.organizer != "" && p.ID == organizer.ID:
			guests := slices.DeleteFunc(slices.Clone(e.Participants), func(g meet.Participant) bool { return g.ID == p.ID })
			plan = append(plan, booking.Delivery{Provider: m.organizer, Owner: organizer, Guests: guests, Online: true})
		case slices.Contains(m.owners, p.ID):
			plan = append(plan, booking.Delivery{Provider: "copies", Owner: meet.Person{ID: p.ID}})
		}
	}
	return plan, nil
}

func boxOf(d booking.Delivery, e meet.Event) string {
	return fmt.Sprintf("%s/%s/%s", d.Provider, d.Owner.ID, e.UID)
}

func (m *mailboxes) Deliver(_ context.Context, to booking.Delivery, e meet.Event) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if to.Provider == "own" && m.failCopy != nil {
		return "", m.failCopy
	}
	next := letter{uid: e.UID, at: e.Start.Format("15:04"), sequence: e.Sequence}
	for _, g := range to.Guests {
		next.guests = append(next.guests, g.Name)
	}
	before, stands := m.boxes[boxOf(to, e)]
	if stands && before.sequence > next.sequence {
		return "", fault.New(fault.Conflict, "a newer version stands there")
	}
	m.boxes[boxOf(to, e)] = next
	if stands && before.at == next.at && slices.Equal(before.guests, next.guests) {
		return joinURL(to), nil
	}
	if cancelled, ok := m.gone[boxOf(to, e)]; ok && !stands && next.sequence <= cancelled {
		return joinURL(to), nil
	}
	for _, g := range next.guests {
		m.tell(stands && slices.Contains(before.guests, g), "invited", "moved", g, next.at)
	}
	for _, g := range before.guests {
		if !slices.Contains(next.guests, g) {
			m.told = append(m.told, g+" cancelled")
		}
	}
	return joinURL(to), nil
}

func (m *mailboxes) tell(known bool, first, then, guest, at string) {
	word := first
	if known {
		word = then
	}
	m.told = append(m.told, fmt.Sprintf("%s %s %s", guest, word, at))
}

func joinURL(to booking.Delivery) string {
	if to.Online {
		return "https://meet.example/" + to.Provider
	}
	return ""
}

func (m *mailboxes) Invitations(
	_ context.Context, of booking.Delivery, _ meet.Event,
) (all []booking.Invited, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.looks++
	if m.fates == nil {
		return nil, nil
	}
	for _, g := range of.Guests {
		one := booking.Invited{Email: g.Email, Invitation: m.fates[g.Name]}
		if one.Invitation == meet.InvitationFailed && slices.Contains(m.copying, g.Name) {
			one.Copy = &booking.Delivery{Provider: "own", Owner: meet.Person{ID: g.ID}, Optional: true}
		}
		all = append(all, one)
	}
	return all, nil
}

func (m *mailboxes) Withdraw(_ context.Context, from booking.Delivery, e meet.Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	before, stands := m.boxes[boxOf(from, e)]
	if !stands {
		return nil
	}
	delete(m.boxes, boxOf(from, e))
	m.gone[boxOf(from, e)] = before.sequence
	for _, g := range before.guests {
		m.told = append(m.told, g+" cancelled")
	}
	return nil
}

func (m *mailboxes) Forget(context.Context, []meet.PersonID) error { return nil }

// standing lists what stands outside as "provider/owner/uid at".
func (m *mailboxes) standing() []string {
	list := []string{}
	for box, l := range m.boxes {
		list = append(list, box+" "+l.at)
	}
	slices.Sort(list)
	return list
}

// alHeard is what Al heard, in order.
func (m *mailboxes) alHeard() []string {
	list := []string{}
	for _, line := range m.told {
		if rest, ok := strings.CutPrefix(line, "Al "); ok {
			list = append(list, rest)
		}
	}
	return list
}
