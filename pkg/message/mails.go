package message

import (
	"encoding/json"
	"strings"

	"convene/pkg/meet"
)

// letter is a mail as a change shows it.
type letter struct {
	Subject, Folder string
	Read, Starred   bool
	Labels          []string
	From            struct{ Name, Email string }
}

// ofMail is a change of a mail: where it goes, and how it is marked, with the address of who wrote it.
func (v Voice) ofMail(c meet.Change, done string) string {
	var before, after letter
	if json.Unmarshal(orEmpty(c.Before), &before) != nil || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return v.setting(c, done)
	}
	says := func(name string, pairs ...string) string { return v.Say(aboutThings(), "mail."+name+done, pairs...) }
	var deeds []string
	add := func(holds bool, name string, pairs ...string) {
		if holds {
			deeds = append(deeds, says(name, pairs...))
		}
	}
	moved := before.Folder != after.Folder
	add(moved && c.Kind == meet.ArchiveThing, "archive")
	add(moved && c.Kind == meet.DeleteThing, "trash")
	add(moved && c.Kind == meet.UpdateThing, "move", "folder", v.folder(after.Folder))
	add(!before.Read && after.Read, "read")
	add(before.Read && !after.Read, "unread")
	add(!before.Starred && after.Starred, "star")
	add(before.Starred && !after.Starred, "unstar")
	if more := without(after.Labels, before.Labels); len(more) > 0 {
		add(true, "label", "labels", v.List(each(more, v.inert)))
	}
	if less := without(before.Labels, after.Labels); len(less) > 0 {
		add(true, "unlabel", "labels", v.List(each(less, v.inert)))
	}
	return v.Say(aboutThings(), "mail", "title", v.Title(before.Subject), "sender", v.inert(before.From.Email),
		"deeds", strings.Join(deeds, "; "))
}

// folder is a folder's name: in the person's language if it has a purpose.
func (v Voice) folder(name string) string {
	if called := v.Say(aboutThings(), "folder."+name); called != "" {
		return called
	}
	return v.inert(name)
}

func each(list []string, do func(string) string) []string {
	made := make([]string, len(list))
	for i, s := range list {
		made[i] = do(s)
	}
	return made
}
