package booking

import (
	"slices"

	"convene/pkg/meet"
)

// Saga is the record of one event's booking and, once finished, of the calendars that hold the event. Another process
// can finish it.
type Saga struct {
	UID string `json:"uid"`
	// Course is empty once the saga is finished.
	Course Course `json:"course,omitempty"`
	// Proposal is the proposal that is confirmed or cancelled.
	Proposal meet.ProposalID `json:"proposal"`
	// Event is the proposal in its final state.
	Event meet.Event `json:"event"`
	// Moved is the confirmed event that a confirmation changes; nil for a new one.
	Moved *meet.Event `json:"moved,omitempty"`
	// Held is the travel time that the event takes of single people, and HeldBefore that of the moved one. Only the book
	// has them, which shows them to nobody.
	Held       map[meet.PersonID]meet.TravelBuffer `json:"held,omitempty"`
	HeldBefore map[meet.PersonID]meet.TravelBuffer `json:"heldBefore,omitempty"`
	// Ancestors are the proposals that it replaces.
	Ancestors []meet.ProposalID `json:"ancestors,omitempty"`
	Steps     []Step            `json:"steps,omitempty"`
	// At is the next step to do or, on the way back, to undo. All steps before it are done; the step itself may be.
	At int `json:"at"`
	// Standing lists the calendars that held the event before the saga or, once finished, hold it now.
	Standing []Delivery `json:"standing,omitempty"`
	// Hold is the saga's hold.
	Hold Hold `json:"hold,omitzero"`
	// Attempts counts the failed attempts to finish it, and Problem is the last failure.
	Attempts int    `json:"attempts,omitempty"`
	Problem  string `json:"problem,omitempty"`
	// Stuck says that it is not tried again until a caller asks for it.
	Stuck bool `json:"stuck,omitempty"`
	// Owed are the notices that the Outbox has not accepted yet, the oldest first. Later sagas of the event inherit them.
	Owed []Notice `json:"owed,omitempty"`
	// Change is the key of the amendment that the saga makes of a confirmed event; empty for a confirmation.
	Change string `json:"change,omitempty"`
	// Looks is how often the fate of the invitations is still to be checked.
	Looks int `json:"looks,omitempty"`
}

// Course is a saga's direction.
type Course string

// A saga goes forth to its end or, once a step has failed for good, back to its start.
const (
	Forth Course = "forth"
	Back  Course = "back"
)

// Step is one step of a saga.
type Step struct {
	Do Deed `json:"do"`
	// To is the calendar of Deliver and Withdraw.
	To Delivery `json:"to,omitzero"`
}

// Deed is the kind of a step.
type Deed string

// A confirmation books, delivers, withdraws from calendars that the change leaves out, records and retires, in this
// order. A cancellation withdraws, unbooks and records.
const (
	// BookTime writes the event into Convene's book, and removes it from people whom a change leaves out.
	BookTime Deed = "book"
	Deliver  Deed = "deliver"
	Withdraw Deed = "withdraw"
	Unbook   Deed = "unbook"
	// Record stores the proposal's final state.
	Record Deed = "record"
	// Retire marks the replaced proposals, so that they can no longer be confirmed.
	Retire Deed = "retire"
)

// Unfinished reports whether steps are left.
func (s Saga) Unfinished() bool { return s.Course != "" }

// Open reports whether there is work left: it is Unfinished, a notice is owed to the Outbox, or the fate of invitations
// is open.
func (s Saga) Open() bool { return s.Unfinished() || len(s.Owed) > 0 || s.Looks > 0 }

// Over reports whether the record can be dropped: it is not Open, the event is in no calendar but the book, and holds
// no travel time there.
func (s Saga) Over() bool { return !s.Open() && len(s.Standing) == 0 && len(s.Held) == 0 }

// newSaga is the saga of b: deliveries are the calendars for the event, last is the finished saga before.
func newSaga(b booking, deliveries []Delivery, last Saga) Saga {
	s := Saga{
		UID: b.event.UID, Course: Forth, Proposal: b.event.ID, Event: b.event, Moved: b.moved, Standing: last.Standing,
		Steps: []Step{{Do: BookTime}}, Owed: last.Owed,
	}
	s.Event.Status, s.Event.Doubts = meet.Confirmed, nil // confirming accepts the doubts
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

// newCancellation is the saga that removes e from all calendars. The cancelled event has a higher sequence, so that
// calendars accept its file.
func newCancellation(e meet.Event, last Saga) Saga {
	s := Saga{UID: e.UID, Course: Forth, Proposal: e.ID, Event: e, Standing: last.Standing, Owed: last.Owed}
	s.Event.Status, s.Event.Sequence = meet.Cancelled, e.Sequence+1
	for _, old := range last.Standing {
		s.Steps = append(s.Steps, Step{Withdraw, old})
	}
	s.Steps = append(s.Steps, Step{Do: Unbook}, Step{Do: Record})
	return s
}

// find is the delivery to the same calendar as d.
func find(deliveries []Delivery, d Delivery) (Delivery, bool) {
	i := slices.IndexFunc(deliveries, func(o Delivery) bool {
		return o.Provider == d.Provider && o.Owner.ID == d.Owner.ID
	})
	if i < 0 {
		return Delivery{}, false
	}
	return deliveries[i], true
}

// letting is the delivery to be withdrawn or restored. A guest's own copy is Optional then: a guest who no longer
// allows writing keeps the copy as it is, and must not keep the others from moving or cancelling.
func (s Saga) letting(d Delivery) Delivery {
	organizer := len(s.Event.Participants) == 0 || s.Event.Participants[0].ID == d.Owner.ID
	d.Optional = d.Optional || !organizer && len(d.Guests) == 0
	return d
}

// cancels reports whether the saga is a cancellation, which is never taken back.
func (s Saga) cancels() bool { return s.Event.Status == meet.Cancelled }

// decided reports whether the outcome is known to be recorded: from then on there is no way back.
func (s Saga) decided() bool {
	i := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Do == Record })
	return i >= 0 && s.At > i && s.Course != Back
}

// delivered reports whether one of the first n steps writes to others' calendars.
func (s Saga) delivered(n int) bool {
	return slices.ContainsFunc(s.Steps[:min(n, len(s.Steps))], func(step Step) bool { return step.Do == Deliver })
}

// recordedIn reports whether the proposal has the saga's final state.
func (s Saga) recordedIn(p meet.Event) bool {
	return p.Status == s.Event.Status && p.Sequence == s.Event.Sequence && p.Start.Equal(s.Event.Start)
}

// turn sends the saga back, to undo the step that failed first.
func (s *Saga) turn() {
	s.Course, s.At = Back, min(s.At, len(s.Steps)-1)
}

// finish closes the saga at its end or, after going back, its start.
func (s *Saga) finish() {
	held, looks := s.HeldBefore, 0
	if s.Course == Forth {
		was := s.Standing
		held, s.Standing = s.Held, nil
		if s.Change != "" {
			s.Standing = was // what is not delivered again has the change already
		}
		for _, step := range s.Steps {
			if _, stands := find(s.Standing, step.To); step.Do == Deliver && !stands {
				s.Standing = append(s.Standing, step.To)
			}
		}
		if slices.ContainsFunc(s.Standing, Delivery.invites) {
			looks = 1 + len(lookRests)
		}
	}
	*s = Saga{
		UID: s.UID, Proposal: s.Proposal, Event: s.Event, Standing: s.Standing, Held: held, Owed: s.Owed, Looks: looks,
	}
}

// restored is the moved event to write back. Calendars refuse a lower sequence than they have.
func (s Saga) restored() meet.Event {
	old := *s.Moved
	old.Sequence = s.Event.Sequence + 1
	return old
}

// idsOf are the ids of all participants, each once, sorted, so that two confirmations never wait for each other. Events
// may be nil.
func idsOf(events ...*meet.Event) []meet.PersonID {
	var ids []meet.PersonID
	for _, e := range events {
		if e == nil {
			continue
		}
		for _, p := range e.Participants {
			if p.ID != "" {
				ids = append(ids, p.ID)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// without are the ids that are not among the others.
func without(ids, others []meet.PersonID) []meet.PersonID {
	return slices.DeleteFunc(slices.Clone(ids), func(id meet.PersonID) bool { return slices.Contains(others, id) })
}
