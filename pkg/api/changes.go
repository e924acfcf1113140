package api

import (
	"context"
	"net/http"

	"convene/pkg/auth"
	"convene/pkg/change"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Changes is the desk of change sets. Its errors are faults.
type Changes interface {
	Get(ctx context.Context, id meet.ChangesID) (
		set meet.ChangeSet, owner meet.Person, applied *meet.Applied, err error)
	Confirm(ctx context.Context, id meet.ChangesID, c change.Confirmation) (meet.Applied, error)
	Cancel(ctx context.Context, id meet.ChangesID, reason string) (meet.ChangeSet, error)
	Undo(ctx context.Context, id meet.ChangesID) (meet.Applied, error)
}

// maxReason bounds the reason of a cancellation in bytes.
const maxReason = 1000

type changesInput struct {
	ID string `path:"id" doc:"The change set's id."`
}

// changesAnswer is a change set as it stands.
type changesAnswer struct {
	Changes meet.ChangeSet `json:"changes"`
	Applied *meet.Applied  `json:"applied,omitempty" doc:"What came of its confirmation or, in the response to an undo, of the undo. It lists the changes that were confirmed."`
}

type changesOutput struct{ Body changesAnswer }

// confirmationRequest is the body of a confirmation.
type confirmationRequest struct {
	_      struct{} `additionalProperties:"false"`
	Digest string   `json:"digest" doc:"The digest of the set that was shown."`
	Only   []string `json:"only,omitempty" doc:"The ids of the wanted changes, each with those that it depends on; left out, all of them. The others can never be confirmed later."`
}

// cancellationRequest is the body of a cancellation; it may be left out.
type cancellationRequest struct {
	_      struct{} `additionalProperties:"false"`
	Reason string   `json:"reason,omitempty" maxLength:"1000" doc:"Why, in the user's words."`
}

func (s *Server) changeRoutes() {
	if s.cfg.Changes == nil {
		return
	}
	const base = "/v1/changes/{id}"
	handle(s, s.operation("getChanges", http.MethodGet, base, "Read a change set").to(withToken), s.changes)
	handleBody(s, s.operation("confirmChanges", http.MethodPost, base+"/confirm", "Confirm a change set, or a part of it").
		to(withToken), s.confirmChanges)
	handleBody(s, s.operation("cancelChanges", http.MethodPost, base+"/cancel", "Call a change set off").
		to(withToken).orNoBody(), s.cancelChanges)
	handle(s, s.operation("undoChanges", http.MethodPost, base+"/undo", "Take back what was applied of a change set").
		to(withToken), s.undoChanges)
}

func (s *Server) changes(ctx context.Context, in *changesInput) (*changesOutput, error) {
	id, err := idOf[meet.ChangesID](in.ID, noChanges())
	if err != nil {
		return nil, err
	}
	return s.changesNow(ctx, id)
}

// changesNow is the set as it stands. One whose owner the caller may not act for is not found.
func (s *Server) changesNow(ctx context.Context, id meet.ChangesID) (*changesOutput, error) {
	set, owner, applied, err := s.cfg.Changes.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if !auth.CallerOf(ctx).MayOrganize(owner.ID) {
		return nil, noChanges()
	}
	return &changesOutput{changesAnswer{set, applied}}, nil
}

// ownChanges is the id of a set of the caller's.
func (s *Server) ownChanges(ctx context.Context, segment string) (meet.ChangesID, error) {
	id, err := idOf[meet.ChangesID](segment, noChanges())
	if err == nil {
		_, err = s.changesNow(ctx, id)
	}
	return id, err
}

func (s *Server) confirmChanges(
	ctx context.Context, in *changesInput, request confirmationRequest,
) (*changesOutput, error) {
	if err := MayConfirm(ctx); err != nil {
		return nil, err
	}
	id, err := s.ownChanges(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if request.Digest == "" {
		return nil, fault.Invalid("digest", "is missing: the digest of the set that was shown")
	}
	applied, err := s.cfg.Changes.Confirm(ctx, id, change.Confirmation{Digest: request.Digest, Only: request.Only})
	if err != nil {
		return nil, err
	}
	return s.withApplied(ctx, id, applied)
}

func (s *Server) cancelChanges(
	ctx context.Context, in *changesInput, request cancellationRequest,
) (*changesOutput, error) {
	id, err := s.ownChanges(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	if len(request.Reason) > maxReason {
		return nil, fault.Invalid("reason", "is too long: at most %d bytes", maxReason)
	}
	set, err := s.cfg.Changes.Cancel(ctx, id, request.Reason)
	return &changesOutput{changesAnswer{Changes: set}}, err
}

// undoChanges answers a repeated undo like the first one: its client may not have got that answer.
func (s *Server) undoChanges(ctx context.Context, in *changesInput) (*changesOutput, error) {
	if err := MayConfirm(ctx); err != nil {
		return nil, err
	}
	id, err := s.ownChanges(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	applied, err := s.cfg.Changes.Undo(ctx, id)
	if err != nil && fault.CodeOf(err) != change.AlreadyUndone {
		return nil, err
	}
	return s.withApplied(ctx, id, applied)
}

// withApplied is the set as it stands after what was applied now.
func (s *Server) withApplied(ctx context.Context, id meet.ChangesID, applied meet.Applied) (*changesOutput, error) {
	now, err := s.changesNow(ctx, id)
	if err == nil {
		now.Body.Applied = &applied
	}
	return now, err
}

func noChanges() error { return fault.New(fault.NotFound, "There are no changes with this id.") }
