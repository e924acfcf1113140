package replay

import (
	"encoding/json"
	"fmt"
)

// Script is a conversation that a client of the load tool has: bodies of turns, sent one after the other.
type Script struct {
	Name  string
	Turns []json.RawMessage
}

// NewScript has somebody say the messages.
func NewScript(name, organizer string, messages ...string) (Script, error) {
	s := Script{Name: name}
	for _, m := range messages {
		body, err := json.Marshal(struct {
			Message   string `json:"message"`
			Organizer string `json:"organizer"`
		}{m, organizer})
		if err != nil {
			return Script{}, fmt.Errorf("script %s: %w", name, err)
		}
		s.Turns = append(s.Turns, body)
	}
	return s, nil
}

// DefaultScripts are for the people of the demo: new events, edits, and questions for earlier times, which move the
// event only where there is one.
func DefaultScripts() ([]Script, error) {
	var all []Script
	for _, messages := range [][]string{
		{"Let's grab coffee with Al next week", "Can we do lunch instead?", "Do I have any earlier times?"},
		{"Coffee with Al on Tuesday at 4pm", "make it 45 minutes", "any earlier times?"},
		{"Video call with Lena next week", "show me more options"},
		{"Dinner with Priya and Theo next week", "Do you have anything earlier?", "make it two hours"},
	} {
		s, err := NewScript(messages[0], "me", messages...)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// ScriptsOf are the conversations of the recordings, without the requests that were refused.
func ScriptsOf(recordings []Recording) ([]Script, error) {
	var all []Script
	for _, r := range recordings {
		if !r.streamed() {
			continue
		}
		body, err := withoutConversation(r.Request.Body)
		if err != nil {
			return nil, fmt.Errorf("recording %s: %w", r.Name, err)
		}
		name, _ := r.place()
		if len(all) == 0 || all[len(all)-1].Name != name {
			all = append(all, Script{Name: name})
		}
		all[len(all)-1].Turns = append(all[len(all)-1].Turns, body)
	}
	return all, nil
}

// withoutConversation is the body for a conversation that has not begun.
func withoutConversation(body json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("the request is not a JSON object: %w", err)
	}
	delete(members, "conversationId")
	return json.Marshal(members)
}
