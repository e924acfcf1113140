package stagestest

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/interval"
	"convene/pkg/meet"
	"convene/stages"
)

// World has people with calendars, and places. It implements all ports of a pipeline but the model.
type World struct {
	// People are the organizer and the contacts. Busy are their busy times; the calendars of those in Unread cannot be
	// read.
	People []meet.Person
	Busy   map[meet.PersonID][]interval.Span
	// Written are booked events by their UID; a query can leave one out.
	Written map[string]Written
	Unread  map[meet.PersonID]bool
	// Own are the events of people's own calendars; those of people in Unread cannot be read.
	Own    map[meet.PersonID][]meet.Occurrence
	Venues []meet.Place
	// Ideas are the activities. OnSuggest, if set, gets each query for them.
	Ideas     []meet.Suggestion
	OnSuggest func(meet.ActivityQuery)
	// OnConfirm, if set, is called when a proposal is confirmed.
	OnConfirm func()
	// PlacesDown makes the search for places fail.
	PlacesDown bool

	mu            sync.Mutex
	conversations map[meet.ConversationID]meet.Conversation
	proposals     map[meet.ProposalID]meet.Event
	placeSearches int
}

// PlaceSearches counts the searches so far.
func (w *World) PlaceSearches() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.placeSearches
}

// Written is an event in a person's calendar.
type Written struct {
	Person meet.PersonID
	Span   interval.Span
}

func (w *World) busy(p meet.PersonID, except string) interval.Set {
	spans := slices.Clone(w.Busy[p])
	for uid, event := range w.Written {
		if event.Person == p && uid != except {
			spans = append(spans, event.Span)
		}
	}
	return interval.NewSet(spans...)
}

func (w *World) reading(p meet.Person, q meet.BusyQuery) meet.Schedule {
	status := meet.CalendarStatus{Person: p.ID, Name: p.Name, Provider: "local", State: meet.Checked}
	if w.Unread[p.ID] {
		status.State, status.Reason = meet.CalendarUnchecked, "the calendar could not be reached"
		return meet.Schedule{
			Availability: interval.Availability{Unknown: interval.NewSet(q.Span)}, Status: status, Providers: local(),
		}
	}
	return meet.Schedule{
		Availability: interval.Availability{Busy: w.busy(p.ID, q.Except)}, Status: status, Providers: local(),
	}
}

// local is the calendar provider of all people.
func local() []string { return []string{"local"} }

// Calendars is the world's port of that name.
type Calendars struct{ *World }

// Busy reads the calendars of all people.
func (c Calendars) Busy(ctx context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	readings := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		readings[p.ID] = c.reading(p, q)
	}
	return readings, nil
}

// Events are those of a person's own calendar.
func (w *World) Events(_ context.Context, p meet.Person, span interval.Span) ([]meet.Occurrence, error) {
	if w.Unread[p.ID] {
		return nil, errors.New("the calendar could not be reached")
	}
	return slices.DeleteFunc(slices.Clone(w.Own[p.ID]), func(o meet.Occurrence) bool {
		return !o.Span.Overlaps(span)
	}), nil
}

// Booked is the world's port of that name.
type Booked struct{ *World }

// Busy reads what is written.
func (b Booked) Busy(_ context.Context, q meet.BusyQuery) (map[meet.PersonID]meet.Schedule, error) {
	readings := map[meet.PersonID]meet.Schedule{}
	for _, p := range q.People {
		only := World{Written: b.Written}
		readings[p.ID] = meet.Schedule{
			Availability: interval.Availability{Busy: only.busy(p.ID, q.Except)}, Providers: local(),
		}
	}
	return readings, nil
}

// Search finds the venues of the kind or name that the query has.
func (w *World) Search(ctx context.Context, q meet.PlaceQuery) ([]meet.Place, error) {
	w.mu.Lock()
	w.placeSearches++
	w.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.PlacesDown {
		return nil, errors.New("places: down")
	}
	var found []meet.Place
	for _, p := range w.Venues {
		named := q.Name != "" && strings.Contains(strings.ToLower(p.Name), strings.ToLower(q.Name))
		typed := q.Name == "" && (len(q.Types) == 0 || slices.ContainsFunc(q.Types, func(t string) bool {
			return slices.Contains(p.Types, t)
		}))
		needs := func(f meet.Feature) bool { return f.Diet() && !slices.Contains(p.Features, string(f)) }
		if slices.Contains(q.Without, p.Key()) || q.Limit > 0 && len(found) == q.Limit {
			continue
		}
		if (named || typed) && !slices.ContainsFunc(q.Features, needs) {
			found = append(found, p)
		}
	}
	return found, nil
}

// Suggest returns all ideas.
func (w *World) Suggest(_ context.Context, q meet.ActivityQuery) ([]meet.Suggestion, error) {
	if w.OnSuggest != nil {
		w.OnSuggest(q)
	}
	return w.Ideas, nil
}

// Of returns everyone but the organizer.
func (w *World) Of(_ context.Context, organizer meet.PersonID) (stages.Names, error) {
	return names(slices.DeleteFunc(slices.Clone(w.People), func(p meet.Person) bool { return p.ID == organizer })), nil
}

type names []meet.Person

// Find lists the people with this full or first name.
func (n names) Find(name string) []meet.Person {
	return slices.DeleteFunc(slices.Clone(n), func(p meet.Person) bool { return !p.Called(name) })
}

// Mentioned lists the people whose first name is in the text.
func (n names) Mentioned(text string) (found []meet.Mention) {
	for _, p := range n {
		first, _, _ := strings.Cut(p.Name, " ")
		if i := strings.Index(strings.ToLower(text), strings.ToLower(first)); i >= 0 {
			found = append(found, meet.Mention{Person: p, Words: text[i : i+len(first)]})
		}
	}
	return found
}

// Load returns a conversation; an unknown one is empty.
func (w *World) Load(_ context.Context, id meet.ConversationID) (meet.Conversation, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.conversations[id]
	c.ID = id
	return c, nil
}

// Save keeps a conversation. It panics if the encoded lists differ from the lists.
func (w *World) Save(_ context.Context, c meet.Conversation) error {
	if c.Search != nil && c.Search.Lists.Places != nil {
		lists := meet.Candidates{Slots: c.Search.Slots, Places: c.Search.Places}
		if err := lists.Encode(); err != nil || !reflect.DeepEqual(lists.Lists, c.Search.Lists) {
			panic("the lists of the search are not what is encoded of them")
		}
		kept := *c.Search
		kept.Lists, c.Search = meet.Lists{}, &kept
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conversations == nil {
		w.conversations = map[meet.ConversationID]meet.Conversation{}
	}
	w.conversations[c.ID] = c
	return nil
}

// Forget lets all conversations expire.
func (w *World) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conversations = nil
}

// SaveProposal keeps a proposal unless it exists.
func (w *World) SaveProposal(_ context.Context, e meet.Event, _ []byte, _ meet.Turn) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.proposals == nil {
		w.proposals = map[meet.ProposalID]meet.Event{}
	}
	if _, kept := w.proposals[e.ID]; !kept {
		w.proposals[e.ID] = e
	}
	return nil
}

// LoadProposal returns a proposal.
func (w *World) LoadProposal(_ context.Context, id meet.ProposalID) (meet.Event, meet.Turn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.proposals[id]
	if !ok {
		return e, meet.Turn{}, fault.New(fault.NotFound, "There is no such proposal.")
	}
	return e, meet.Turn{}, nil
}

// UpdateProposal changes a proposal.
func (w *World) UpdateProposal(
	ctx context.Context, id meet.ProposalID, change func(*meet.Event) error,
) (meet.Event, error) {
	e, _, err := w.LoadProposal(ctx, id)
	if err == nil {
		err = change(&e)
	}
	if err == nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.proposals[id] = e
	}
	return e, err
}

// Proposals are all saved proposals.
func (w *World) Proposals() []meet.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Values(w.proposals))
}

// CancelProposal marks a proposal as cancelled.
func (w *World) CancelProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	return w.UpdateProposal(ctx, id, func(e *meet.Event) error {
		e.Status = meet.Cancelled
		return nil
	})
}

// ConfirmProposal marks a proposal as confirmed.
func (w *World) ConfirmProposal(ctx context.Context, id meet.ProposalID) (meet.Event, error) {
	if w.OnConfirm != nil {
		w.OnConfirm()
	}
	return w.UpdateProposal(ctx, id, func(e *meet.Event) error {
		e.Status = meet.Confirmed
		return nil
	})
}
