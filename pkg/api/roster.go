package api

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// roster reads the stored people of one request: those named by id in parallel, before it checks whether the caller may
// name them.
type roster struct {
	people  People
	ahead   map[meet.PersonID]func() (meet.Person, error)
	reading sync.WaitGroup
	// all returns all stored people, read at the first call.
	all func() ([]meet.Person, error)
}

// roster begins to read the people of a request. The caller closes it.
func (s *Server) roster(ctx context.Context, in turnRequest) *roster {
	r := &roster{people: s.cfg.People, ahead: map[meet.PersonID]func() (meet.Person, error){}}
	r.all = sync.OnceValues(func() ([]meet.Person, error) { return s.cfg.People.All(ctx) })
	for _, p := range append(in.Participants[:min(len(in.Participants), maxParticipants):len(in.Participants)],
		in.Organizer) {
		var id meet.PersonID
		if !strings.HasPrefix(string(p.RawMessage), `"`) || json.Unmarshal(p.RawMessage, &id) != nil ||
			!meet.IsID(string(id)) {
			continue
		}
		if _, twice := r.ahead[id]; !twice {
			read := sync.OnceValues(func() (meet.Person, error) { return s.cfg.People.Person(ctx, id) })
			r.ahead[id] = read
			if len(in.Participants) > 0 {
				r.reading.Go(func() {
					defer func() { _ = recover() }() // it panics again in stored
					_, _ = read()
				})
			}
		}
	}
	return r
}

// close waits for pending reads.
func (r *roster) close() { r.reading.Wait() }

// named returns the stored person whom an id or an email address means, if the caller may name them; everyone else is
// fault.NotFound.
func (r *roster) named(ctx context.Context, id meet.PersonID, may func(meet.PersonID) bool) (meet.Person, error) {
	if may(id) {
		if p, err := r.stored(ctx, id); fault.CodeOf(err) != fault.NotFound {
			return p, err
		}
	}
	if !strings.Contains(string(id), "@") {
		return meet.Person{}, noPerson()
	}
	all, err := r.all()
	if err != nil {
		return meet.Person{}, err
	}
	i := slices.IndexFunc(all, func(p meet.Person) bool { return strings.EqualFold(p.Email, string(id)) && may(p.ID) })
	if i < 0 {
		return meet.Person{}, noPerson()
	}
	return all[i], nil
}

// stored returns the person with that id; an unknown one is fault.NotFound.
func (r *roster) stored(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	if read, ahead := r.ahead[id]; ahead {
		return read()
	}
	return r.people.Person(ctx, id)
}
