package api

import (
	"context"
	"net/http"

	"convene/pkg/list"
	"convene/pkg/meet"
	notes "convene/pkg/note"
)

// Records are what a person keeps of one kind, as JSON by id.
type Records interface {
	Of(ctx context.Context, person meet.PersonID) (map[string][]byte, error)
}

// Families of tools that tell the same as these routes.
const (
	listFamily = "list"
	noteFamily = "note"
)

type keptInput struct {
	ID    string `path:"id" doc:"The person's id, or their email address."`
	Limit int    `query:"limit" minimum:"1" maximum:"10000" default:"1000" doc:"How many to list at most."`
}

type listsOutput struct {
	Body struct {
		Lists []ownList `json:"lists" doc:"In the order of their names."`
		More  bool      `json:"more" doc:"There are more lists than limit."`
	}
}

// ownList and ownNote have names that the document does not have yet.
type (
	ownList list.List
	ownNote notes.Note
)

type notesOutput struct {
	Body struct {
		Notes []ownNote `json:"notes" doc:"The newest first."`
		More  bool      `json:"more" doc:"There are more notes than limit."`
	}
}

func (s *Server) keptRoutes() {
	if s.cfg.Lists != nil {
		handle(s, s.operation("listLists", http.MethodGet, "/v1/people/{id}/lists", "List a person's lists").
			to(withToken), s.ownLists)
	}
	if s.cfg.Notes != nil {
		handle(s, s.operation("listNotes", http.MethodGet, "/v1/people/{id}/notes", "List a person's notes").
			to(withToken), s.ownNotes)
	}
}

func (s *Server) ownLists(ctx context.Context, in *keptInput) (*listsOutput, error) {
	out := &listsOutput{}
	values, err := s.kept(ctx, in.ID, listFamily, s.cfg.Lists)
	if err != nil {
		return nil, err
	}
	lists, err := list.All(values)
	out.Body.Lists, out.Body.More = first(in.Limit, lists, func(l list.List) ownList { return ownList(l) })
	return out, err
}

func (s *Server) ownNotes(ctx context.Context, in *keptInput) (*notesOutput, error) {
	out := &notesOutput{}
	values, err := s.kept(ctx, in.ID, noteFamily, s.cfg.Notes)
	if err != nil {
		return nil, err
	}
	all, err := notes.All(values)
	out.Body.Notes, out.Body.More = first(in.Limit, all, func(n notes.Note) ownNote { return ownNote(n) })
	return out, err
}

// kept are a person's records of a kind, as a caller who may use the family's tools sees them.
func (s *Server) kept(ctx context.Context, id, family string, records Records) (map[string][]byte, error) {
	if err := MayUse(ctx, family); err != nil {
		return nil, err
	}
	person, err := s.ownerOf(ctx, id)
	if err != nil {
		return nil, err
	}
	return records.Of(ctx, person.ID)
}
