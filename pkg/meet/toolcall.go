package meet

import (
	"bytes"
	"encoding/json"
)

// ToolDescription describes a tool of the assistant to programs.
type ToolDescription struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Family      string `json:"family"`
	// Effect is "read", or "change": its changes are shown, and applied as the policy says.
	Effect string `json:"effect" enum:"read,change"`
	// Needs is what must be connected before the tool can do anything; empty if nothing.
	Needs     string    `json:"needs,omitempty"`
	Operation Operation `json:"operation"`
	// Arguments and Data are JSON Schemas: of the call's arguments, and of the response's data.
	Arguments json.RawMessage `json:"arguments"`
	Data      json.RawMessage `json:"data"`
}

// ToolCall is a call of a tool by a program, without a message.
type ToolCall struct {
	// Turn has who calls, in which zone and with which limits; its ID names the call, and is the same if the call is
	// repeated.
	Turn Turn
	Tool string
	// Language is that of the texts: a BCP 47 tag.
	Language string
	// Arguments are an object in JSON; nil is one without members.
	Arguments json.RawMessage
}

// ToolResult is what comes of a ToolCall. Changes is set if the tool would change something, and Applied if that was
// let through at once.
type ToolResult struct {
	Response Response   `json:"response"`
	Changes  *ChangeSet `json:"changes"`
	Applied  *Applied   `json:"applied"`
}

// Settle says in the response what became of the tool's changes: the set that waits for a confirmation or, if all of it
// was applied at once, that nothing is pending any more.
func (r *Response) Settle(set ChangeSet, applied *Applied) error {
	r.UI.ConfirmationRequired = set.Status == ChangesPending
	r.UI.ConfirmationID = ""
	if r.UI.ConfirmationRequired {
		r.UI.ConfirmationID = set.ID
	}
	if applied == nil || applied.Outcome != AllApplied {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(r.Data))
	decoder.UseNumber()
	var data any
	if err := decoder.Decode(&data); err != nil {
		return err
	}
	done(data)
	var err error
	r.Data, err = MarshalLine(data)
	return err
}

// done removes from all objects that they are pending.
func done(data any) {
	switch data := data.(type) {
	case map[string]any:
		delete(data, "pending")
		for _, member := range data {
			done(member)
		}
	case []any:
		for _, item := range data {
			done(item)
		}
	}
}
