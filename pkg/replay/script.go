package replay

import (
	"encoding/json"
	"fmt"
)

// Script is a conversation of a load client: bodies of turns, sent one after the other.
type Script struct {
	Name  string
	Turns []json.RawMessage
}

// NewScript makes a script of the organizer's messages.
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

// DefaultScripts are for the people of the demo: new events, edits, and requests for earlier times.
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

// ScriptsOf returns the conversations of the recordings, without refused requests.
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

// withoutConversation removes the conversation from a body.
func withoutConversation(body json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("the request is not a JSON object: %w", err)
	}
	delete(members, "conversationId")
	return json.Marshal(members)
}
