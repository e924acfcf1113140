package meet

import "time"

// TurnPhase is the progress of a turn.
type TurnPhase string

// A turn goes through these in order; it may skip the first.
const (
	// TurnQueued means accepted, and waiting for its conversation's earlier turns or for a free worker.
	TurnQueued  TurnPhase = "queued"
	TurnRunning TurnPhase = "running"
	// TurnDone is final: the log of the turn holds its last entry.
	TurnDone TurnPhase = "done"
)

// TurnState is a snapshot of a turn, for a client that does not follow the stream.
type TurnState struct {
	TurnID         TurnID         `json:"turnId"`
	ConversationID ConversationID `json:"conversationId"`
	Phase          TurnPhase      `json:"state"`
	// Outcome and EndedAt are set once the turn is done.
	Outcome OutcomeKind `json:"outcome,omitempty"`
	// Error is set if the turn failed.
	Error *TurnError `json:"error,omitempty"`
	// Event is the proposal and Message the last message, if the turn has come that far.
	Event     *Event    `json:"event,omitempty"`
	Message   string    `json:"message,omitempty"`
	StartedAt time.Time `json:"startedAt,omitzero"`
	EndedAt   time.Time `json:"endedAt,omitzero"`
	// LastUpdate is the id of the newest update in the turn's log; 0 before the first.
	LastUpdate int `json:"lastUpdate"`
}

// TurnError is why a turn failed, in words for a person.
type TurnError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Ended reports whether nothing more will be added to the turn.
func (s TurnState) Ended() bool { return s.Phase == TurnDone }
