package api

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"convene/pkg/auth"
	"convene/pkg/fault"
	"convene/pkg/meet"
)

// maxUpdates bounds the id that a client may resume from. No turn has nearly as many updates.
const maxUpdates = 1_000_000

// accepted is the response to a turn that was started without a stream.
type accepted struct {
	TurnID         meet.TurnID         `json:"turnId"`
	ConversationID meet.ConversationID `json:"conversationId"`
	EventsURL      string              `json:"eventsUrl" doc:"The path of the turn's stream on this server."`
}

type startInput struct {
	Accept         string `header:"Accept" doc:"text/event-stream returns the stream itself; with ;protocol=ui-message-stream or ;protocol=ag-ui, in that protocol."`
	Protocol       string `query:"protocol" doc:"Returns the stream in that protocol, for clients that cannot set Accept: ui-message-stream or ag-ui."`
	IdempotencyKey string `header:"Idempotency-Key" doc:"A repeated request with the same key returns the first turn. The same key with another body is refused (422). Up to 200 visible ASCII characters."`
}

type turnInput struct {
	ID string `path:"id" doc:"The turn's id."`
}

type eventsInput struct {
	ID          string `path:"id" doc:"The turn's id."`
	Accept      string `header:"Accept" doc:"text/event-stream;protocol=ui-message-stream or ;protocol=ag-ui selects that protocol."`
	Protocol    string `query:"protocol" doc:"The same, for clients that cannot set Accept: ui-message-stream or ag-ui."`
	LastEventID string `header:"Last-Event-ID" doc:"The id of the last update received; the stream continues after it. EventSource sends it by itself."`
	Resume      string `query:"lastEventId" doc:"The same, for clients that cannot send headers. The header has precedence."`
}

func (s *Server) turnRoutes() {
	body := reflectSchema[turnRequest](s)
	s.huma.OpenAPI().Components.Schemas.SchemaFromRef(body.Ref).AnyOf = []*huma.Schema{
		{Required: []string{"message"}}, {Required: []string{"answer"}},
	}
	handle(s, s.operation("startTurn", http.MethodPost, "/v1/turns", "Start a turn: send a message").to(withToken).
		streams(asAccepted).
		body(body).
		answers(http.StatusOK, "The stream itself, if the request accepts text/event-stream.", eventStream()).
		answers(http.StatusAccepted, "The turn was started; its updates are streamed at eventsUrl.",
			jsonOf(reflectSchema[accepted](s))), s.startTurn)
	handle(s, s.operation("streamTurn", http.MethodGet, "/v1/turns/{id}/events", "Stream a turn's updates").to(withToken).
		inAddress().streams(always).
		answers(http.StatusOK, "The updates, from the beginning or from the one after Last-Event-ID.", eventStream()).
		answers(http.StatusNoContent, "The turn is over and the client has all of it.", nil), s.events)
	handle(s, s.operation("getTurn", http.MethodGet, "/v1/turns/{id}", "Read a turn's state").to(withToken),
		s.turnState)
	handle(s, s.operation("cancelTurn", http.MethodDelete, "/v1/turns/{id}", "Cancel a turn").to(withToken).
		answers(http.StatusAccepted, "The turn is being cancelled; its stream ends with done, outcome cancelled.", nil).
		answers(http.StatusNoContent, "The turn was over already.", nil), s.cancelTurn)
}

// startTurn starts a turn. The streaming form is a start and a first connection.
func (s *Server) startTurn(ctx context.Context, in *startInput) (*huma.StreamResponse, error) {
	return s.answerStart(ctx, in, func() (meet.Turn, error) {
		request, err := bodyOf[turnRequest](ctx)
		if err != nil {
			return meet.Turn{}, err
		}
		return s.keyed(ctx, request, noteOf(ctx).body, in.IdempotencyKey)
	})
}

// answerStart starts the turn that a request asks for, and answers with its stream or its address.
func (s *Server) answerStart(
	ctx context.Context, in *startInput, read func() (meet.Turn, error),
) (*huma.StreamResponse, error) {
	as, streaming, err := negotiate(in.Accept, in.Protocol)
	if err != nil {
		return nil, err
	}
	turn, err := s.begin(ctx, read)
	switch {
	case streaming:
		return s.streamStarted(ctx, turn, err, as.encoding(""))
	case err != nil:
		return nil, err
	}
	n := noteOf(ctx)
	n.turn, n.conversation = turn.ID, turn.Conversation
	return &huma.StreamResponse{Body: func(h huma.Context) {
		h.SetHeader("Location", turnPath(turn.ID))
		s.writeJSON(ctx, h, http.StatusAccepted, accepted{turn.ID, turn.Conversation, turnPath(turn.ID) + "/events"})
	}}, nil
}

func turnPath(id meet.TurnID) string { return "/v1/turns/" + url.PathEscape(string(id)) }

// streamStarted is the stream of a turn from its beginning, or says why there is none.
func (s *Server) streamStarted(
	ctx context.Context, turn meet.Turn, err error, as encoding,
) (*huma.StreamResponse, error) {
	switch {
	case err != nil && comesBack(err):
		// The turn was never started, so the stream ends with done.
		return s.apologize(ctx, as, err, meet.DoneUpdate{
			Outcome: meet.OutcomeFailed, Receipt: meet.Receipt{Stages: []meet.StageTime{}},
		}), nil
	case err != nil:
		return nil, err
	}
	n := noteOf(ctx)
	n.turn, n.conversation = turn.ID, turn.Conversation
	follow := s.streamTurn(ctx, turn.ID, replay{now: s.repeated(ctx, turn, as)}, as)
	return &huma.StreamResponse{Body: func(h huma.Context) {
		h.SetHeader("Location", turnPath(turn.ID))
		follow.Body(h)
	}}, nil
}

// repeated returns the current state of the event of a turn that an earlier request with the same key may have started.
// It is best effort: with nil the stream shows the log as it is, as our own protocol always does.
func (s *Server) repeated(ctx context.Context, turn meet.Turn, as encoding) *standing {
	if turn.IdempotencyKey == "" || as == nil {
		return nil
	}
	state, err := s.cfg.Turns.State(ctx, turn.ID)
	if err != nil {
		return nil
	}
	now, err := s.standingOf(ctx, state)
	if err != nil {
		return nil
	}
	return now
}

func (s *Server) start(ctx context.Context, request turnRequest, key string) (meet.Turn, error) {
	return s.begin(ctx, func() (meet.Turn, error) { return s.keyed(ctx, request, noteOf(ctx).body, key) })
}

// begin starts the turn that is read of a request.
func (s *Server) begin(ctx context.Context, read func() (meet.Turn, error)) (meet.Turn, error) {
	if err := noteOf(ctx).turnedAway; err != nil {
		return meet.Turn{}, err
	}
	turn, err := read()
	if err != nil {
		return meet.Turn{}, err
	}
	started, err := s.cfg.Turns.Start(ctx, turn)
	if err == nil && !auth.CallerOf(ctx).MayFollow(started.Conversation) {
		err = fault.Invalid(meet.IdempotencyKeyField, "was already used by another caller; use a new key for a new request")
	}
	if err != nil && strings.HasPrefix(turn.IdempotencyKey, resumes) && fault.CodeOf(err) == fault.InvalidRequest {
		return started, fault.New(fault.Conflict, "This run was given another answer already.")
	}
	if f := fault.As(err); turn.IdempotencyKey != "" && err != nil && f.Code == fault.InvalidRequest &&
		f.Field == meet.IdempotencyKeyField {
		err = statusError{err, http.StatusUnprocessableEntity}
	}
	return started, err
}

// ReadTurn returns the turn that the body of POST /v1/turns asks for: checked, and with its people found. key may be
// empty. Other ways to start a turn use it, so that all accept the same.
func (s *Server) ReadTurn(ctx context.Context, body []byte, key string) (turn meet.Turn, err error) {
	var request turnRequest
	if len(body) > 0 {
		if request, err = decode[turnRequest](body, ""); err != nil {
			return meet.Turn{}, err
		}
	}
	return s.keyed(ctx, request, body, key)
}

// keyed returns the turn that the request asks for, with its idempotency key and the digest of its body.
func (s *Server) keyed(ctx context.Context, request turnRequest, body []byte, key string) (meet.Turn, error) {
	turn, err := s.turn(ctx, request)
	if err != nil {
		return meet.Turn{}, err
	}
	return s.sealed(ctx, turn, body, key)
}

// sealed is the turn with the idempotency key of its request and the digest of the body.
func (s *Server) sealed(ctx context.Context, turn meet.Turn, body []byte, key string) (_ meet.Turn, err error) {
	if turn.IdempotencyKey, err = idempotencyKey(key); err != nil || key == "" {
		return turn, err
	}
	turn.IdempotencyKey = ownKey(auth.CallerOf(ctx), turn)
	turn.RequestDigest, err = digest(body)
	return turn, err
}

// digest is equal for bodies that differ only in white space or in the order of members.
func digest(body []byte) (string, error) {
	var content any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&content); err != nil {
		return "", malformed(err, "")
	}
	canonical, err := json.Marshal(content)
	if err != nil {
		return "", fmt.Errorf("digest of the request: %w", err)
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}

func idempotencyKey(key string) (string, error) {
	if len(key) > 200 || strings.ContainsFunc(key, func(r rune) bool { return r < '!' || r > '~' }) {
		return "", fault.Invalid(meet.IdempotencyKeyField, "must be at most 200 visible ASCII characters")
	}
	return key, nil
}

// ownKey separates the keys of a bound caller from all others, so that the caller can neither use up keys of the rest
// of the tenant nor find out which exist. No client's key contains a space.
func ownKey(caller auth.Caller, turn meet.Turn) string {
	if !caller.Bound() {
		return turn.IdempotencyKey
	}
	return cmp.Or(caller.Grant.Namespace, string(turn.Conversation)) + " " + turn.IdempotencyKey
}

func (s *Server) events(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	id, err := turnID(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	after, err := resumeAfter(in.LastEventID, in.Resume)
	if err != nil {
		return nil, err
	}
	as, _, err := negotiate(in.Accept, in.Protocol)
	if err != nil {
		return nil, err
	}
	return s.resumed(ctx, id, after, as.encoding(""))
}

// resumed streams a turn that was started before.
func (s *Server) resumed(ctx context.Context, id meet.TurnID, after int, as encoding) (*huma.StreamResponse, error) {
	state, err := s.ownTurn(ctx, id)
	var now *standing
	if err == nil && as != nil {
		now, err = s.standingOf(ctx, state)
	}
	switch {
	case err != nil && comesBack(err):
		// The turn may be running: without a done, the client comes back for the rest.
		return s.apologize(ctx, as, err), nil
	case err != nil:
		return nil, err
	}
	return s.streamTurn(ctx, id, replay{after: after, ended: state.Ended(), now: now}, as), nil
}

// resumeAfter returns the id of the last update that the client has; 0 if it has none.
func resumeAfter(header, query string) (int, error) {
	field, value := "Last-Event-ID", header
	if value == "" {
		field, value = "lastEventId", cmp.Or(query, "0")
	}
	n, err := strconv.ParseUint(value, 10, 31)
	if err != nil || n > maxUpdates {
		return 0, fault.Invalid(field, "must be the id of an update: 1, 2, 3 and so on")
	}
	return int(n), nil
}

type stateOutput struct{ Body meet.TurnState }

func (s *Server) turnState(ctx context.Context, in *turnInput) (*stateOutput, error) {
	id, err := turnID(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	state, err := s.ownTurn(ctx, id)
	if err != nil {
		return nil, err
	}
	now, err := s.standingOf(ctx, state)
	if err != nil {
		return nil, err
	}
	if now != nil {
		state.Event, state.Message = &now.event, cmp.Or(now.message.Text, state.Message)
	}
	return &stateOutput{state}, nil
}

type statusOutput struct{ Status int }

func (s *Server) cancelTurn(ctx context.Context, in *turnInput) (*statusOutput, error) {
	id, err := turnID(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	state, err := s.ownTurn(ctx, id)
	if err != nil {
		return nil, err
	}
	if state.Ended() {
		return &statusOutput{http.StatusNoContent}, nil
	}
	if err := s.cfg.Turns.Cancel(ctx, id); err != nil {
		return nil, err
	}
	return &statusOutput{http.StatusAccepted}, nil
}

// pathID reads an id from a path; ok is false for a text that cannot be an id.
func pathID(segment string) (id string, ok bool) {
	id, err := url.PathUnescape(segment)
	return id, err == nil && meet.IsID(id)
}

// idOf is pathID with the error unknown for a text that cannot be an id.
func idOf[T ~string](segment string, unknown error) (T, error) {
	id, ok := pathID(segment)
	if !ok {
		return "", unknown
	}
	return T(id), nil
}

func turnID(ctx context.Context, segment string) (meet.TurnID, error) {
	id, err := idOf[meet.TurnID](segment, noTurn())
	noteOf(ctx).turn = id
	return id, err
}
