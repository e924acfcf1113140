package microsoft

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"convene/pkg/account"
	"convene/pkg/calendar"
	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
	"convene/pkg/meet"
)

// entrySelection are the fields of an event of ours that are read before it is changed.
const entrySelection = "id,iCalUId,start,end,onlineMeeting"

// takesPlace reports whether the event is at that time, and was not moved by hand.
func (e *event) takesPlace(at interval.Span) bool {
	start, err := e.Start.moment()
	if err != nil || !start.Equal(at.Start.Truncate(time.Second)) {
		return false
	}
	end, err := e.End.moment()
	return err == nil && end.Equal(at.End.Truncate(time.Second))
}

// content identifies what was written last, to tell whether writing again would change anything. Graph rewrites places
// and guests, so that the event itself cannot be compared.
type content struct {
	sequence int
	digest   string
}

func (c content) String() string { return fmt.Sprintf("%d %s", c.sequence, c.digest) }

// content is what was written to the event; the zero content if unknown.
func (e *event) content() (c content) {
	if n, err := fmt.Sscanf(e.property(contentProperty), "%d %s", &c.sequence, &c.digest); n != 2 || err != nil {
		return content{}
	}
	return c
}

// contentOf is the content of the entry in the calendar of the account with that address.
func contentOf(address string, e calendar.Entry) content {
	text, _ := json.Marshal(visible(address, e)) // texts and finite numbers always have a JSON form
	sum := sha256.Sum256(text)
	return content{e.Event.Sequence, hex.EncodeToString(sum[:])}
}

// creation is the body that creates the entry.
func creation(a account.Account, e calendar.Entry) change {
	c := update(a.Address, e, contentOf(a.Address, e))
	c["showAs"] = "busy"
	return c
}

// update is the body that updates an event to the entry. It leaves the event's body alone, in which Teams keeps how to
// join.
func update(address string, e calendar.Entry, now content) change {
	c := visible(address, e)
	c[propertiesField] = []property{{uidProperty, e.Event.UID}, {contentProperty, now.String()}}
	return c
}

// propertiesField is the field of an event's extended properties.
const propertiesField = "singleValueExtendedProperties"

// visible has the fields of the entry that people see.
func visible(address string, e calendar.Entry) change {
	c := change{
		"subject": e.Event.Title, "attendees": attendees(address, e.Guests),
		"start": stampIn(e.Event.Start, e.Event.Timezone), "end": stampIn(e.Event.End, e.Event.Timezone),
	}
	if e.Event.Place != nil || !e.Online {
		c["location"] = location(e.Event.Place)
	}
	if e.Online {
		c["isOnlineMeeting"], c["onlineMeetingProvider"] = true, "teamsForBusiness"
	}
	return c
}

// stampIn is t in the zone, so that Outlook shows the event in it; in UTC if Windows has no such zone, or if the hour
// occurs twice and Graph would have to guess.
func stampIn(t time.Time, zone string) stamp {
	inUTC := utcStamp(t)
	loc, err := interval.Zone(zone)
	if err != nil || zone == "" {
		return inUTC
	}
	name, known := icalendar.WindowsName(loc, t)
	local := t.In(loc).Truncate(time.Second)
	first, _ := interval.DateOf(local).At(interval.ClockOf(local), loc)
	if !known || !first.Equal(local.Truncate(time.Minute)) || twice(local) {
		return inUTC
	}
	return stamp{local.Format(wallFormat), name}
}

func utcStamp(t time.Time) stamp { return stamp{t.UTC().Format(wallFormat), "UTC"} }

// wallFormat is the format of Graph's times.
const wallFormat = "2006-01-02T15:04:05"

// twice reports whether t's wall time occurs again in its zone, an hour or so later.
func twice(t time.Time) bool {
	wall := t.Format(time.DateTime)
	for _, later := range []time.Duration{30 * time.Minute, time.Hour, 2 * time.Hour} {
		if t.Add(later).Format(time.DateTime) == wall {
			return true
		}
	}
	return false
}

// location is the event's place; an empty one removes an earlier place.
func location(p *meet.Place) change {
	if p == nil {
		return change{"displayName": ""}
	}
	c := change{"displayName": p.Name}
	if p.Address != "" {
		c["address"] = change{"street": p.Address}
	}
	if p.Location.Latitude != 0 || p.Location.Longitude != 0 {
		c["coordinates"] = change{"latitude": p.Location.Latitude, "longitude": p.Location.Longitude}
	}
	if link := p.MapLink(); link != "" {
		c["locationUri"] = link
	}
	return c
}

// attendees are the guests with an address, each once, without the owner of the calendar.
func attendees(owner string, guests []meet.Participant) []change {
	invited := map[string]bool{strings.ToLower(owner): true, "": true}
	list := []change{}
	for _, g := range guests {
		key := strings.ToLower(strings.TrimSpace(g.Email))
		if _, err := mail.ParseAddress(key); err != nil || invited[key] {
			continue
		}
		invited[key] = true
		list = append(list, attendee(strings.TrimSpace(g.Email), g.Name))
	}
	return list
}

func attendee(address, name string) change {
	return change{"type": "required", "emailAddress": change{"address": address, "name": name}}
}
