package api

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"convene/pkg/meet"
)

// roster is the stored people of one request: those whom it names by id are read at the same time, before it is known
// whether the caller may name them.
type roster struct {
	people  People
	ahead   map[meet.PersonID]func() (meet.Person, error)
	reading sync.WaitGroup
	// all are all stored people, read when they are asked for.
	all func() ([]meet.Person, error)
}

// roster begins to read the people of a request. Its caller closes it.
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
					defer func() { _ = recover() }() // it panics again where the answer is needed
					_, _ = read()
				})
			}
		}
	}
	return r
}

// close waits until nothing is read any more.
func (r *roster) close() { r.reading.Wait() }

// stored is the person with that id; nobody is a fault.NotFound.
func (r *roster) stored(ctx context.Context, id meet.PersonID) (meet.Person, error) {
	if read, ahead := r.ahead[id]; ahead {
		return read()
	}
	return r.people.Person(ctx, id)
}
