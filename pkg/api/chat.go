package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/rs/zerolog"

	"convene/pkg/fault"
	"convene/pkg/meet"
)

// Where clients of other protocols send messages.
const (
	chatPath  = "/v1/chat"
	agentPath = "/v1/agui"
)

type chatInput struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A repeated request with the same key returns the first turn."`
}

type chatIDInput struct {
	ID string `path:"id" doc:"The chat's id."`
}

// chatRoutes accept requests and respond in other protocols. The rest is as with turns.
func (s *Server) chatRoutes() {
	handle(s, s.operation("sendChat", http.MethodPost, chatPath,
		"Start a turn as useChat of the Vercel AI SDK asks for it").to(withToken).streams(always).upTo(maxChat).
		body(reflectSchema[chatRequest](s)).
		answers(http.StatusOK, "The turn as a UI message stream, version 1.", foreignStream()), s.sendChat)
	handle(s, s.operation("resumeChat", http.MethodGet, chatPath+"/{id}/stream",
		"Stream the latest turn of a chat once more").to(withToken).streams(always).
		answers(http.StatusOK, "The chat's latest turn from its beginning, as a UI message stream.", foreignStream()).
		answers(http.StatusNoContent, "This chat has no turn that can be streamed.", nil), s.resumeChat)
	handle(s, s.operation("runAgent", http.MethodPost, agentPath, "Start a turn as HttpAgent of AG-UI asks for it").
		to(withToken).streams(always).upTo(maxChat).
		body(reflectSchema[agentRequest](s)).
		answers(http.StatusOK, "The turn as events of AG-UI 1.0.", foreignStream()), s.runAgent)
}

func (s *Server) sendChat(ctx context.Context, in *chatInput) (*huma.StreamResponse, error) {
	request, err := looseBodyOf[chatRequest](noteOf(ctx).body)
	if err != nil {
		return nil, err
	}
	if err := checkChatID("id", request.ID); err != nil {
		return nil, err
	}
	text, err := lastOfUser(request.Messages, func(m chatMessage) (string, string) { return m.Role, textOf(m.Parts) })
	if err != nil {
		return nil, err
	}
	turn, err := s.start(ctx, turnRequest{
		Message: text, ConversationID: request.ID, TurnOptions: request.TurnOptions,
	}, in.IdempotencyKey)
	if err == nil {
		s.rememberChat(ctx, turn)
	}
	return s.streamStarted(ctx, turn, within(err, ""), uiMessageStream.encoding(""))
}

// rememberChat makes the turn the one with which the chat can be resumed. The turn runs in any case.
func (s *Server) rememberChat(ctx context.Context, turn meet.Turn) {
	if s.cfg.Chats == nil {
		return
	}
	if err := s.cfg.Chats.Remember(ctx, turn.Conversation, turn.ID); err != nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the chat cannot be resumed")
	}
}

// resumeChat streams the turn from its start, running or not: its client keeps no position, and replaces what it has of
// the message.
func (s *Server) resumeChat(ctx context.Context, in *chatIDInput) (*huma.StreamResponse, error) {
	as := uiMessageStream.encoding("")
	if err := noteOf(ctx).turnedAway; err != nil {
		return s.apologize(ctx, as, err), nil
	}
	nothing := &huma.StreamResponse{Body: func(h huma.Context) { h.SetStatus(http.StatusNoContent) }}
	chat, ok := pathID(in.ID)
	if !ok || s.cfg.Chats == nil {
		return nothing, nil
	}
	turn, err := s.cfg.Chats.Latest(ctx, meet.ConversationID(chat))
	if err == nil {
		noteOf(ctx).turn = turn
		var stream *huma.StreamResponse
		if stream, err = s.resumed(ctx, turn, 0, as); err == nil {
			return stream, nil
		}
	}
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return nothing, nil
	case comesBack(err):
		return s.apologize(ctx, as, err), nil
	}
	return nil, err
}

func (s *Server) runAgent(ctx context.Context, in *chatInput) (*huma.StreamResponse, error) {
	request, err := looseBodyOf[agentRequest](noteOf(ctx).body)
	if err != nil {
		return nil, err
	}
	if err := checkChatID("threadId", request.ThreadID); err != nil {
		return nil, err
	}
	text, err := lastOfUser(request.Messages, func(m agentMessage) (string, string) { return m.Role, textOf(m.Content) })
	if err != nil {
		return nil, err
	}
	turn, err := s.start(ctx, turnRequest{
		Message: text, ConversationID: request.ThreadID, TurnOptions: request.Props,
	}, in.IdempotencyKey)
	return s.streamStarted(ctx, turn, within(err, "forwardedProps"), agUI.encoding(request.RunID))
}
