package mcp

import (
	"context"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// choice is what confirm takes.
type choice struct {
	ProposalID string `json:"proposalId"`
	Slot       *int   `json:"slot"`
	Place      *int   `json:"place"`
	Start      string `json:"start"`
}

// confirm books a proposal. An agent reads an index and uses it later, when it may mean another time: so it says with
// each when that time starts.
func (s *Server) confirm(ctx context.Context, args arguments, _ progress) (r result, err error) {
	in, err := as[choice](args, s.confirmTool().input)
	if err != nil {
		return r, err
	}
	if r.ProposalID, err = proposalID(in.ProposalID); err != nil {
		return r, err
	}
	chosen := booking.Choice{Slot: in.Slot, Place: in.Place}
	if in.Start != "" {
		if chosen.Start, err = time.Parse(time.RFC3339, in.Start); err != nil {
			return r, fault.Invalid("start", "must be a time with an offset, as 2026-03-10T14:00:00-07:00")
		}
	}
	if in.Slot != nil && in.Start == "" {
		return r, fault.Invalid("start", "is missing: say with slot when that time starts, exactly as it stands in "+
			"alternatives.slots")
	}
	event, err := s.cfg.Desk.Confirm(ctx, r.ProposalID, chosen)
	if err != nil {
		return r, timely(ctx, err)
	}
	s.stand(&r, event)
	return r, nil
}

func (s *Server) cancel(ctx context.Context, args arguments, _ progress) (r result, err error) {
	in, err := as[choice](args, s.cancelTool().input)
	if err != nil {
		return r, err
	}
	if r.ProposalID, err = proposalID(in.ProposalID); err != nil {
		return r, err
	}
	event, err := s.cfg.Desk.Cancel(ctx, r.ProposalID)
	if err != nil {
		return r, timely(ctx, err)
	}
	s.stand(&r, event)
	return r, nil
}

// stand takes up an event that is settled, as it stands.
func (s *Server) stand(r *result, e meet.Event) {
	r.propose(e)
	r.Alternatives, r.Outcome, r.Message = nil, meet.OutcomeConfirmed, s.cfg.Tell(e).Text
	if e.Status == meet.Cancelled {
		r.Outcome = meet.OutcomeCancelled
	}
}

// timely says why a call came to nothing that was given up or took too long; any other error is the desk's own.
func timely(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return reason(ctx)
	}
	return err
}

func proposalID(id string) (meet.ProposalID, error) {
	if !meet.IsID(id) {
		return "", fault.New(fault.NotFound, "There is no proposal with this id.")
	}
	return meet.ProposalID(id), nil
}
