package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

type personInput struct {
	ID string `path:"id" doc:"The person's id, chosen by the client."`
}

type personOutput struct{ Body meet.Person }

type peopleOutput struct {
	Body struct {
		People    []meet.Person `json:"people"`
		Organizer meet.PersonID `json:"organizer,omitempty" doc:"Who asks if a turn names nobody; missing if there is no such person."`
	}
}

func (s *Server) peopleRoutes() {
	handleBody(s, s.operation("putPerson", http.MethodPut, "/v1/people/{id}", "Store a person"), s.putPerson)
	handle(s, s.operation("getPerson", http.MethodGet, "/v1/people/{id}", "Read a person"), s.getPerson)
	handle(s, s.operation("deletePerson", http.MethodDelete, "/v1/people/{id}", "Forget a person"),
		s.deletePerson)
	handle(s, s.operation("listPeople", http.MethodGet, "/v1/people", "List all stored people"),
		s.listPeople)
}

// putPerson replaces the person: members that the body leaves out are not kept.
func (s *Server) putPerson(ctx context.Context, in *personInput, request personRequest) (*personOutput, error) {
	id, ok := pathID(in.ID)
	if !ok || strings.HasPrefix(id, inlinePrefix) {
		return nil, fault.Invalid("id", "must be letters, digits and . _ @ : + - only, at most 128 of them, and not begin "+
			"with %s", inlinePrefix)
	}
	if request.ID != "" && request.ID != id {
		return nil, fault.Invalid("id", "is %q in the body and %q in the address", request.ID, id)
	}
	request.ID = id
	p, err := request.person("")
	if err != nil {
		return nil, err
	}
	return &personOutput{p}, s.cfg.People.Put(ctx, p)
}

func (s *Server) getPerson(ctx context.Context, in *personInput) (*personOutput, error) {
	id, err := personID(in.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.cfg.People.Person(ctx, id)
	return &personOutput{p}, err
}

func (s *Server) deletePerson(ctx context.Context, in *personInput) (*struct{}, error) {
	id, err := personID(in.ID)
	if err != nil {
		return nil, err
	}
	if s.cfg.Calendars.Accounts != nil {
		// First, so that no calendar stays connected that nobody can see.
		if err := s.cfg.Calendars.Accounts.RemoveAll(ctx, id); err != nil {
			return nil, err
		}
	}
	return nil, s.cfg.People.Delete(ctx, id)
}

func (s *Server) listPeople(ctx context.Context, _ *struct{}) (*peopleOutput, error) {
	people, err := s.cfg.People.All(ctx)
	out := &peopleOutput{}
	out.Body.People = append([]meet.Person{}, people...)
	if slices.ContainsFunc(people, func(p meet.Person) bool { return p.ID == s.cfg.Organizer }) {
		out.Body.Organizer = s.cfg.Organizer
	}
	return out, err
}

func personID(segment string) (meet.PersonID, error) { return idOf[meet.PersonID](segment, noPerson()) }

func noPerson() error { return fault.New(fault.NotFound, "There is no person with this id.") }
