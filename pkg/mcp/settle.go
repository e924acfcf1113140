package mcp

import (
	"context"
	"time"

	"convene/pkg/booking"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// choice holds the arguments of confirm.
type choice struct {
	ProposalID string `json:"proposalId"`
	Slot       *int   `json:"slot"`
	Place      *int   `json:"place"`
	Start      string `json:"start"`
}

// confirm books a proposal. An index may mean another time when the agent uses it than when it read it, so start is
// required with slot.
func (s *Server) confirm(ctx context.Context, args arguments, _ progress) (r result, err error) {
	in, err := s.choice(&r, args)
	if err == nil {
		err = s.cfg.MayConfirm(ctx)
	}
	if err != nil {
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
	return s.settled(ctx, r, event, err)
}

func (s *Server) cancel(ctx context.Context, args arguments, _ progress) (r result, err error) {
	if _, err = s.choice(&r, args); err != nil {
		return r, err
	}
	event, err := s.cfg.Desk.Cancel(ctx, r.ProposalID)
	return s.settled(ctx, r, event, err)
}

// choice decodes the arguments of confirm, which include cancel's, and puts the proposal's id into r.
func (s *Server) choice(r *result, args arguments) (choice, error) {
	in, err := as[choice](args, s.confirmTool().input)
	if err == nil && !meet.IsID(in.ProposalID) {
		err = fault.New(fault.NotFound, "There is no proposal with this id.")
	}
	if err == nil {
		r.ProposalID = meet.ProposalID(in.ProposalID)
	}
	return in, err
}

// settled is the result of the desk's answer. The error of a call that was cancelled or took too long says so.
func (s *Server) settled(ctx context.Context, r result, e meet.Event, err error) (result, error) {
	switch {
	case err != nil && ctx.Err() != nil:
		return r, reason(ctx)
	case err != nil:
		return r, err
	}
	s.settle(&r, e)
	return r, nil
}

// settle puts a confirmed or cancelled event into the result.
func (s *Server) settle(r *result, e meet.Event) {
	r.propose(e)
	r.Alternatives, r.Outcome, r.Message = nil, meet.OutcomeConfirmed, s.cfg.Tell(e).Text
	if e.Status == meet.Cancelled {
		r.Outcome = meet.OutcomeCancelled
	}
}
