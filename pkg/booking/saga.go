package booking

import (
	"slices"

	"convene/pkg/meet"
)

// Saga is the record of what is being done to one event, and afterwards of where it stands. Another process can finish
// it from what is in here.
type Saga struct {
	UID string `json:"uid"`
	// Course is empty where there is nothing left to do.
	Course Course `json:"course,omitempty"`
	// Proposal is whose confirmation or cancellation it is.
	Proposal meet.ProposalID `json:"proposal"`
	// Event is the proposal as it will be.
	Event meet.Event `json:"event"`
	// Moved is the confirmed event that a confirmation changes; nil where it is a new one.
	Moved *meet.Event `json:"moved,omitempty"`
	// Held is what the event asks single people to keep busy for their ways, and HeldBefore what the moved one does.
	// They are for the book only, which shows them to nobody.
	Held       map[meet.PersonID]meet.TravelBuffer `json:"held,omitempty"`
	HeldBefore map[meet.PersonID]meet.TravelBuffer `json:"heldBefore,omitempty"`
	// Ancestors are the proposals that it takes the place of.
	Ancestors []meet.ProposalID `json:"ancestors,omitempty"`
	Steps     []Step            `json:"steps,omitempty"`
	// At is the step to be done next or, on the way back, to be undone next. All before it are done; whether it is
	// itself, nobody knows.
	At int `json:"at"`
	// Standing is where the event stood before the saga began or, where it is finished, stands now.
	Standing []Delivery `json:"standing,omitempty"`
	// Hold is the hold under which it is done.
	Hold Hold `json:"hold,omitzero"`
	// Attempts counts how often it was tried to finish it in vain, and Problem says what was wrong the last time.
	Attempts int    `json:"attempts,omitempty"`
	Problem  string `json:"problem,omitempty"`
	// Stuck says that it is tried no more until somebody asks for it.
	Stuck bool `json:"stuck,omitempty"`
	// Owed is what the Outbox has not been told yet, the oldest first. Later sagas of the event take it over.
	Owed []Notice `json:"owed,omitempty"`
	// Looks is how often it is still to be looked at what became of the invitations.
	Looks int `json:"looks,omitempty"`
}

// Course is the way that a saga goes.
type Course string

// A saga goes forth to its end or, once a step has failed for good, back to its start.
const (
	Forth Course = "forth"
	Back  Course = "back"
)

// Step is one thing to be done.
type Step struct {
	Do Deed `json:"do"`
	// To is the calendar of Deliver and Withdraw.
	To Delivery `json:"to,omitzero"`
}

// Deed is the kind of a step.
type Deed string

// A confirmation books, delivers, withdraws what the change leaves out, records and retires, in this order. A
// cancellation withdraws, unbooks and records.
const (
	// BookTime writes the event into Convene's book, and takes those out whom a change leaves out.
	BookTime Deed = "book"
	Deliver  Deed = "deliver"
	Withdraw Deed = "withdraw"
	Unbook   Deed = "unbook"
	// Record makes the proposal what the saga says.
	Record Deed = "record"
	// Retire marks the proposals that were replaced, so that they cannot be confirmed any more.
	Retire Deed = "retire"
)

// Unfinished reports whether somebody has to go on with it.
func (s Saga) Unfinished() bool { return s.Course != "" }

// Open reports whether somebody has to look after it: it is Unfinished, something is owed to the Outbox, or what became
// of invitations is open.
func (s Saga) Open() bool { return s.Unfinished() || len(s.Owed) > 0 || s.Looks > 0 }

// Over reports whether there is nothing to be remembered: it is not Open, the event stands in no calendar but the book,
// and keeps nobody busy there for their ways.
func (s Saga) Over() bool { return !s.Open() && len(s.Standing) == 0 && len(s.Held) == 0 }

// newSaga is what b takes: deliveries are where the event is to stand, last is the saga that was finished before.
func newSaga(b booking, deliveries []Delivery, last Saga) Saga {
	s := Saga{
		UID: b.event.UID, Course: Forth, Proposal: b.event.ID, Event: b.event, Moved: b.moved, Standing: last.Standing,
		Steps: []Step{{Do: BookTime}}, Owed: last.Owed,
	}
	s.Event.Status, s.Event.Doubts = meet.Confirmed, nil // who confirms has looked
	for _, d := range deliveries {
		s.Steps = append(s.Steps, Step{Deliver, d})
	}
	for _, old := range last.Standing {
		if _, stays := find(deliveries, old); !stays {
			s.Steps = append(s.Steps, Step{Withdraw, old})
		}
	}
	s.Steps = append(s.Steps, Step{Do: Record})
	for _, old := range b.ancestors {
		s.Ancestors = append(s.Ancestors, old.ID)
	}
	if len(s.Ancestors) > 0 {
		s.Steps = append(s.Steps, Step{Do: Retire})
	}
	return s
}

// newCancellation takes e from wherever it stands. The cancelled event counts one up, so that calendars take its file
// for the last word.
func newCancellation(e meet.Event, last Saga) Saga {
	s := Saga{UID: e.UID, Course: Forth, Proposal: e.ID, Event: e, Standing: last.Standing, Owed: last.Owed}
	s.Event.Status, s.Event.Sequence = meet.Cancelled, e.Sequence+1
	for _, old := range last.Standing {
		s.Steps = append(s.Steps, Step{Withdraw, old})
	}
	s.Steps = append(s.Steps, Step{Do: Unbook}, Step{Do: Record})
	return s
}

// find is the one of the deliveries that goes to the same calendar as d.
func find(deliveries []Delivery, d Delivery) (Delivery, bool) {
	i := slices.IndexFunc(deliveries, func(o Delivery) bool {
		return o.Provider == d.Provider && o.Owner.ID == d.Owner.ID
	})
	if i < 0 {
		return Delivery{}, false
	}
	return deliveries[i], true
}

// letting is the delivery as it is taken away or put back. A guest's own copy is Optional then: whoever lets nobody
// write there any more keeps it as it is, which is theirs to mend, and must not keep the others from moving or
// cancelling.
func (s Saga) letting(d Delivery) Delivery {
	organizer := len(s.Event.Participants) == 0 || s.Event.Participants[0].ID == d.Owner.ID
	d.Optional = d.Optional || !organizer && len(d.Guests) == 0
	return d
}

// cancels reports whether it is a cancellation, which is never taken back.
func (s Saga) cancels() bool { return s.Event.Status == meet.Cancelled }

// decided reports whether the outcome is known to be recorded: from then on there is no way back.
func (s Saga) decided() bool {
	i := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Do == Record })
	return i >= 0 && s.At > i && s.Course != Back
}

// delivered reports whether one of the first n steps brings the event to others.
func (s Saga) delivered(n int) bool {
	return slices.ContainsFunc(s.Steps[:min(n, len(s.Steps))], func(step Step) bool { return step.Do == Deliver })
}

// recordedIn reports whether the proposal is what the saga makes of it.
func (s Saga) recordedIn(p meet.Event) bool {
	return p.Status == s.Event.Status && p.Sequence == s.Event.Sequence && p.Start.Equal(s.Event.Start)
}

// turn sends the saga back, to undo the step that failed first.
func (s *Saga) turn() {
	s.Course, s.At = Back, min(s.At, len(s.Steps)-1)
}

// finish closes the saga where it got to.
func (s *Saga) finish() {
	held, looks := s.HeldBefore, 0
	if s.Course == Forth {
		held, s.Standing = s.Held, nil
		for _, step := range s.Steps {
			if step.Do == Deliver {
				s.Standing = append(s.Standing, step.To)
			}
		}
		if slices.ContainsFunc(s.Standing, Delivery.invites) {
			looks = 1 + len(lookRests)
		}
	}
	// What is kept is where the event stands, what is owed, and what is open.
	*s = Saga{
		UID: s.UID, Proposal: s.Proposal, Event: s.Event, Standing: s.Standing, Held: held, Owed: s.Owed, Looks: looks,
	}
}

// restored is the moved event as it is put back. Calendars refuse what counts less than what they have.
func (s Saga) restored() meet.Event {
	old := *s.Moved
	old.Sequence = s.Event.Sequence + 1
	return old
}

// everybody is the ids of all whom the saga concerns, in order and each once.
func (s Saga) everybody() []meet.PersonID {
	events := []meet.Event{s.Event}
	if s.Moved != nil {
		events = append(events, *s.Moved)
	}
	return idsOf(events...)
}

func idsOf(events ...meet.Event) []meet.PersonID {
	var ids []meet.PersonID
	for _, e := range events {
		for _, p := range e.Participants {
			if p.ID != "" {
				ids = append(ids, p.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// without is those of the ids that are not among the others.
func without(ids, others []meet.PersonID) []meet.PersonID {
	return slices.DeleteFunc(slices.Clone(ids), func(id meet.PersonID) bool { return slices.Contains(others, id) })
}
