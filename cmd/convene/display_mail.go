package main

import (
	"encoding/json"
	"strings"

	"convene/pkg/mail"
	"convene/pkg/meet"
)

// letterLines show a mail that would be sent or drafted, whole; nil for any other change.
func letterLines(c meet.Change) (lines []string) {
	var l struct {
		To, CC      []mail.Address
		Body        string
		Attachments []mail.Part
		Notes       []string
	}
	made := c.Kind == meet.SendThing || c.Kind == meet.CreateThing
	if !made || c.What != meet.EmailThing || json.Unmarshal(c.After, &l) != nil {
		return nil
	}
	add := func(name string, values []string) {
		if len(values) > 0 {
			lines = append(lines, name+": "+strings.Join(values, ", "))
		}
	}
	add("to", addressed(l.To))
	add("cc", addressed(l.CC))
	for line := range strings.Lines(l.Body) {
		lines = append(lines, "| "+apart(oneLine(line)))
	}
	var names []string
	for _, p := range l.Attachments {
		names = append(names, apart(oneLine(p.Name)))
	}
	add("attached", names)
	for _, note := range l.Notes {
		lines = append(lines, "! "+apart(oneLine(note)))
	}
	return lines
}

func addressed(list []mail.Address) (all []string) {
	for _, a := range list {
		text := a.Email
		if a.Name != "" {
			text = a.Name + " <" + a.Email + ">"
		}
		all = append(all, apart(oneLine(text)))
	}
	return all
}
