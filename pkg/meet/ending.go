package meet

import (
	"encoding/json"

	"convene/pkg/interval"
)

// Ending is how stage 3 ends a turn that has no event to propose: Navigate, *Question or Missed.
type Ending interface{ ending() }

// Navigate is an https page to open instead of scheduling.
type Navigate string

// Question asks which of several people a name means, whether people take part, or when an event is; the next message
// may answer it.
type Question struct {
	// ID is that of the choices that were offered with it; empty if there were none.
	ID string `json:"id,omitempty"`
	// Text is for the user; Message is the user's request.
	Text    string   `json:"text"`
	Message string   `json:"message"`
	Name    string   `json:"name,omitempty"`
	Choices []Person `json:"choices"`
	// Decided are the people whom earlier answers included or excluded.
	Decided []Decision `json:"decided,omitempty"`
	// Day is the phrase of the message for a day that nobody knows, which the answer says.
	Day string `json:"day,omitempty"`
	// Anchor says that the question is about the message's anchor. Times are those of the events that it may mean, and
	// Language is that of the question.
	Anchor   bool            `json:"anchor,omitempty"`
	Times    []interval.Span `json:"times,omitempty"`
	Language string          `json:"language,omitempty"`
}

// Decision says whether a person whom a message mentions takes part.
type Decision struct {
	Person    Person `json:"person"`
	TakesPart bool   `json:"takesPart"`
}

// Missed is why a suggestion that the user picked cannot become an event.
type Missed string

// The suggestion has expired, or it has begun; then the title of the draft's template names it.
const (
	SuggestionForgotten Missed = "forgotten"
	SuggestionBegun     Missed = "begun"
)

func (Navigate) ending()  {}
func (*Question) ending() {}
func (Missed) ending()    {}

// storedDraft is a draft in JSON, as journals keep it. At most one of the three members for the ending is set.
type storedDraft struct {
	plainDraft
	Ending   *struct{} `json:",omitempty"` // in place of the interface, which cannot be decoded
	Navigate Navigate  `json:",omitempty"`
	Question *Question `json:",omitempty"`
	Missed   Missed    `json:",omitempty"`
}

// plainDraft is a Draft without its methods.
type plainDraft Draft

// MarshalJSON writes the ending as a member named after its type.
func (d Draft) MarshalJSON() ([]byte, error) {
	stored := storedDraft{plainDraft: plainDraft(d)}
	switch ending := d.Ending.(type) {
	case Navigate:
		stored.Navigate = ending
	case *Question:
		stored.Question = ending
	case Missed:
		stored.Missed = ending
	}
	return json.Marshal(stored)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Draft) UnmarshalJSON(raw []byte) error {
	var stored storedDraft
	if err := json.Unmarshal(raw, &stored); err != nil {
		return err
	}
	*d = Draft(stored.plainDraft)
	switch {
	case stored.Navigate != "":
		d.Ending = stored.Navigate
	case stored.Question != nil:
		d.Ending = stored.Question
	case stored.Missed != "":
		d.Ending = stored.Missed
	}
	return nil
}
