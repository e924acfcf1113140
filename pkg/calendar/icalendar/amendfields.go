package icalendar

import (
	"cmp"
	"slices"
	"strings"

	"convene/pkg/agenda"
	"convene/pkg/meet"
)

// edit is a change of some properties of an event.
type edit struct {
	// names are the properties; an occurrence that differs in one of them from its series keeps them all.
	names []string
	make  func(c *component)
}

// edits are the changes of an event's fields, apart from its time, its repetition and its guests.
func edits(f agenda.Fields) (list []edit) {
	add := func(make func(c *component), names ...string) { list = append(list, edit{names, make}) }
	text := func(name string, to *string, stale ...string) {
		if to != nil {
			add(func(c *component) { c.drop(stale...); c.putText(name, *to) }, name)
		}
	}
	text("SUMMARY", f.Title)
	text("LOCATION", f.Location, "GEO", "X-APPLE-STRUCTURED-LOCATION")
	text("DESCRIPTION", f.Description, "X-ALT-DESC")
	if f.Transparent != nil {
		add(func(c *component) { c.putTransparent(*f.Transparent) }, "TRANSP", "X-MICROSOFT-CDO-BUSYSTATUS")
	}
	if f.Visibility != nil {
		add(func(c *component) { c.putText("CLASS", strings.ToUpper(string(*f.Visibility))) }, "CLASS")
	}
	if f.Kind != nil {
		add(func(c *component) { c.putText(kindProperty, string(*f.Kind)) }, kindProperty)
	}
	if f.Categories != nil {
		add(func(c *component) { c.putCategories(*f.Categories) }, "CATEGORIES")
	}
	return list
}

func (c *component) putTransparent(free bool) {
	transp, busy := "OPAQUE", "BUSY"
	if free {
		transp, busy = "TRANSPARENT", "FREE"
	}
	c.put("TRANSP:" + transp)
	if c.first("X-MICROSOFT-CDO-BUSYSTATUS") != nil {
		c.put("X-MICROSOFT-CDO-BUSYSTATUS:" + busy)
	}
}

func (c *component) putCategories(list []string) {
	escaped := make([]string, len(list))
	for i, one := range list {
		escaped[i] = escape(one)
	}
	if c.drop("CATEGORIES"); len(list) > 0 {
		c.put("CATEGORIES:" + strings.Join(escaped, ","))
	}
}

// putGuests invites people and takes others off the list. Those who stay keep their answers.
func (e *edition) putGuests(c *component, f agenda.Fields) {
	is := func(p property, who meet.Attendee) bool {
		who.Email = address(who.Email)
		return p.name == "ATTENDEE" && agenda.SameGuest(p.attendee(), who)
	}
	for _, gone := range f.Uninvite {
		c.props = slices.DeleteFunc(c.props, func(p property) bool { return is(p, gone) })
	}
	for _, who := range f.Invite {
		if slices.ContainsFunc(c.props, func(p property) bool { return is(p, who) }) {
			continue
		}
		uri, ok := mailto(who.Email)
		if !ok {
			c.add("ATTENDEE" + commonName(cmp.Or(who.Name, who.Email)) + ":" + noAddress)
			continue
		}
		if organizer, ok := mailto(e.Owner.Email); ok && c.first("ORGANIZER") == nil {
			c.put("ORGANIZER" + commonName(e.Name) + ":" + organizer)
		}
		c.add("ATTENDEE" + commonName(who.Name) + ";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:" + uri)
	}
}

var partstats = map[meet.Answer]string{
	meet.Accepted: "ACCEPTED", meet.Declined: "DECLINED", meet.Undecided: "TENTATIVE", meet.NoAnswer: "NEEDS-ACTION",
}

// respond sets the owner's answer for the event, the occurrence or the whole series.
func (e *edition) respond(a agenda.Amendment, scope meet.Scope) error {
	parts := e.parts()
	switch scope {
	case meet.Following:
		return ErrInexpressible
	case meet.ThisOne:
		one, err := e.override(a.Event)
		if err != nil {
			return err
		}
		parts = []*component{one}
	default:
	}
	invited := false
	for _, c := range parts {
		for i, p := range c.props {
			if p.name != "ATTENDEE" || !e.self(address(cmp.Or(p.params["EMAIL"], p.value))) {
				continue
			}
			line := withParam(withParam(p.text, "RSVP", ""), "PARTSTAT", partstats[a.Answer])
			if answered, err := parseProperty(line, p.line); err == nil {
				c.props[i], invited = answered, true
			}
		}
		e.touch(c, a.Key)
	}
	if !invited {
		return ErrUninvited
	}
	return nil
}
