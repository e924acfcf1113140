package message

import (
	"cmp"
	"encoding/json"
	"strings"

	"convene/pkg/meet"
)

// letter is a mail as a change shows it.
type letter struct {
	Subject, Folder, Body string
	To, CC                []struct{ Name, Email string }
	Attachments           []struct{ Name string }
	Read, Starred         bool
	Labels                []string
	From                  struct{ Name, Email string }
}

// ofMail is a change of a mail: where it goes, and how it is marked, with the address of who wrote it.
func (v Voice) ofMail(c meet.Change, done string) string {
	var before, after letter
	if json.Unmarshal(orEmpty(c.Before), &before) != nil || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return v.setting(c, done)
	}
	if isNull(c.Before) {
		var names []string
		for _, a := range append(after.To, after.CC...) {
			names = append(names, v.addressee(a.Name, a.Email))
		}
		return v.Say(aboutThings(), "mail."+string(c.Kind)+done, "title", v.Title(after.Subject),
			"people", cmp.Or(v.List(names), v.say("none")))
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

// addressee is who gets a mail, with the whole address.
func (v Voice) addressee(name, email string) string {
	if name = v.caption(name, nameLimit); name == "" || strings.EqualFold(name, email) {
		return v.inert(email)
	}
	return name + " (" + v.inert(email) + ")"
}

// wholeMail is a mail that would be sent or drafted, below its line: those who get a copy, its text, its attachments.
func (v Voice) wholeMail(c meet.Change) string {
	const longest = 10_000
	var after letter
	if c.What != meet.EmailThing || !isNull(c.Before) || json.Unmarshal(orEmpty(c.After), &after) != nil {
		return ""
	}
	var parts []string
	if len(after.CC) > 0 {
		var names []string
		for _, a := range after.CC {
			names = append(names, v.addressee(a.Name, a.Email))
		}
		parts = append(parts, v.Say(aboutThings(), "mail.cc", "people", v.List(names)))
	}
	parts = append(parts, quote(after.Body, longest))
	if len(after.Attachments) > 0 {
		var names []string
		for _, a := range after.Attachments {
			names = append(names, v.inert(a.Name))
		}
		parts = append(parts, v.Say(aboutThings(), "mail.attached", "names", v.List(names)))
	}
	return "\n\n" + strings.Join(parts, "\n\n")
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
