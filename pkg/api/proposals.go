package api

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

const icsSuffix = ".ics"

type proposalInput struct {
	ID string `path:"id" doc:"The proposal's id."`
}

type proposalOutput struct{ Body settledEvent }

// choiceRequest is the body of a confirmation; it may be left out.
type choiceRequest struct {
	_     struct{} `additionalProperties:"false"`
	Slot  *int     `json:"slot,omitempty" minimum:"0" doc:"Chooses one of alternatives.slots instead, by its index from 0. After a slot_gone problem these are the slots of that problem. If the place is closed then and no place is given, the first open one of alternatives.places is used."`
	Place *int     `json:"place,omitempty" minimum:"0" doc:"Chooses one of alternatives.places instead, by its index from 0. It must be open for the whole time, and everyone must be able to be there in time."`
	Start string   `json:"start,omitempty" format:"date-time" doc:"When the event must start, for safety: if alternatives.slots were replaced since they were read, nothing is booked and the response is a 409 with code conflict."`
}

func (s *Server) proposalRoutes() {
	event := jsonOf(reflectSchema[meet.Event](s))
	handle(s, s.operation("getProposal", http.MethodGet, "/v1/proposals/{id}", "Read a proposal").to(withToken).
		answers(http.StatusOK, "The proposal as it stands.", event), s.proposal)
	confirm := s.operation("confirmProposal", http.MethodPost, "/v1/proposals/{id}/confirm",
		"Confirm a proposal: write it to the calendars").to(withToken).
		orNoBody()
	handleBody(s, confirm, s.confirm)
	cancel := s.operation("cancelProposal", http.MethodPost, "/v1/proposals/{id}/cancel",
		"Withdraw a proposal, or delete the event that was written").to(withToken)
	handle(s, cancel, s.cancelProposal)

	// The router takes the suffix for a part of the id, so one route serves both; the document shows two.
	ics := s.operation("getProposalFile", http.MethodGet, "/v1/proposals/{id}.ics",
		"Read a proposal as an iCalendar file").to(withToken).inAddress().
		answers(http.StatusOK, "The event as a calendar file.", map[string]*huma.MediaType{
			"text/calendar": {Schema: &huma.Schema{Type: huma.TypeString}},
		})
	ics.Parameters = []*huma.Param{{
		Name: "id", In: "path", Required: true, Description: "The proposal's id.",
		Schema: &huma.Schema{Type: huma.TypeString},
	}}
	s.huma.OpenAPI().AddOperation(&ics.Operation)
}

func (s *Server) proposal(ctx context.Context, in *proposalInput) (*huma.StreamResponse, error) {
	segment, asFile := strings.CutSuffix(in.ID, icsSuffix)
	id, err := proposalID(ctx, segment)
	if err != nil {
		return nil, err
	}
	event, err := s.ownProposal(ctx, id)
	if err != nil {
		return nil, err
	}
	if !asFile {
		return &huma.StreamResponse{Body: func(h huma.Context) { s.writeJSON(ctx, h, http.StatusOK, event) }}, nil
	}
	if s.cfg.ICS == nil {
		return nil, fault.New(fault.NotFound, "Calendar files are not available here.")
	}
	if err := s.ownFile(ctx, event); err != nil {
		return nil, err
	}
	file, err := s.cfg.ICS(event)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(h huma.Context) {
		h.SetHeader("Content-Type", "text/calendar; charset=utf-8")
		h.SetHeader("Content-Disposition", `attachment; filename="`+string(id)+icsSuffix+`"`)
		h.SetStatus(http.StatusOK)
		_, _ = h.BodyWriter().Write(file) // the reader may have gone
	}}, nil
}

// ownFile refuses a cancelled proposal whose event another proposal holds now: the file would cancel that event, which
// has the same UID.
func (s *Server) ownFile(ctx context.Context, e meet.Event) error {
	if e.Status != meet.Cancelled {
		return nil
	}
	standing, err := s.cfg.Proposals.Standing(ctx, e)
	if err != nil || standing == nil {
		return err
	}
	return fault.New(fault.Conflict, "The event has changed; its calendar file is that of proposal %s.",
		standing.ID)
}

func (s *Server) confirm(ctx context.Context, in *proposalInput, choice choiceRequest) (*proposalOutput, error) {
	id, err := proposalID(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := MayConfirm(ctx); err != nil {
		return nil, err
	}
	chosen := booking.Choice{Slot: choice.Slot, Place: choice.Place}
	if choice.Start != "" {
		if chosen.Start, err = moment(choice.Start, "start"); err != nil {
			return nil, err
		}
	}
	if err := s.mayChange(ctx, id); err != nil {
		return nil, err
	}
	event, err := s.cfg.Proposals.Confirm(ctx, id, chosen)
	return &proposalOutput{s.settled(event)}, err
}

func (s *Server) cancelProposal(ctx context.Context, in *proposalInput) (*proposalOutput, error) {
	id, err := proposalID(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if err := s.mayChange(ctx, id); err != nil {
		return nil, err
	}
	event, err := s.cfg.Proposals.Cancel(ctx, id)
	return &proposalOutput{s.settled(event)}, err
}

func proposalID(ctx context.Context, segment string) (meet.ProposalID, error) {
	id, err := idOf[meet.ProposalID](segment, noProposal())
	noteOf(ctx).proposal = id
	return id, err
}
