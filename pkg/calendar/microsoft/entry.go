package microsoft

import (
	"crypto/sha256"
	"encoding/hex"
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

// standing is an event of ours in a calendar.
type standing struct {
	object
	id, iCalUID, etag    string
	joinURL              string
	organizer, cancelled bool
	start, end           stamp
	guests               []object
	guestsThere          bool
	properties           []*property
	propertiesThere      bool
}

func newStanding() *standing {
	e := &standing{}
	e.object = object{
		"id": text(&e.id), "iCalUId": text(&e.iCalUID), "@odata.etag": text(&e.etag),
		"isOrganizer": flag(&e.organizer), "isCancelled": flag(&e.cancelled),
		"start": inside(e.start.fields()), "end": inside(e.end.fields()),
		"onlineMeeting":                 inside(fields{"joinUrl": text(&e.joinURL)}),
		"attendees":                     list(&e.guests, &e.guestsThere, func() object { return object{} }),
		"singleValueExtendedProperties": list(&e.properties, &e.propertiesThere, newProperty),
	}
	return e
}

// property is a single-value extended property.
type property struct {
	object
	id, value string
}

func newProperty() *property {
	p := &property{}
	p.object = object{"id": text(&p.id), "value": text(&p.value)}
	return p
}

// takesPlace reports whether the event is at that time, and was not moved by hand.
func (e *standing) takesPlace(at interval.Span) bool {
	start, err := e.start.moment()
	if err != nil || !start.Equal(at.Start.Truncate(time.Second)) {
		return false
	}
	end, err := e.end.moment()
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
func (e *standing) content() content {
	for _, p := range e.properties {
		var c content
		if !strings.EqualFold(p.id, contentProperty) {
			continue
		}
		if n, err := fmt.Sscanf(p.value, "%d %s", &c.sequence, &c.digest); n == 2 && err == nil {
			return c
		}
	}
	return content{}
}

// contentOf is the content of the entry in the calendar of the account with that address.
func (c *Calendar) contentOf(address string, e calendar.Entry) (content, error) {
	w, err := c.graph.GetSerializationWriterFactory().GetSerializationWriter(jsonType)
	if err != nil {
		return content{}, err
	}
	defer func() { _ = w.Close() }() // it is in memory
	if err := w.WriteObjectValue("", visible(address, e)); err != nil {
		return content{}, err
	}
	bytes, err := w.GetSerializedContent()
	sum := sha256.Sum256(bytes)
	return content{e.Event.Sequence, hex.EncodeToString(sum[:])}, err
}

// creation is the body that creates the entry.
func (c *Calendar) creation(a account.Account, e calendar.Entry, transaction string) (document, error) {
	now, err := c.contentOf(a.Address, e)
	if err != nil {
		return nil, err
	}
	return append(visible(a.Address, e), putText("transactionId", transaction), putText("showAs", "busy"),
		properties(e.Event.UID, now)), nil
}

// change is the body that updates an event to the entry. It leaves the event's body alone, in which Teams keeps how to
// join.
func (c *Calendar) change(address string, e calendar.Entry, now content) document {
	return append(visible(address, e), properties(e.Event.UID, now))
}

func properties(uid string, now content) field {
	return putList("singleValueExtendedProperties", []document{
		{putText("id", uidProperty), putText("value", uid)},
		{putText("id", contentProperty), putText("value", now.String())},
	})
}

// visible has the fields of the entry that people see.
func visible(address string, e calendar.Entry) document {
	d := document{
		putText("subject", e.Event.Title),
		putObject("start", localStamp(e.Event.Start, e.Event.Timezone)),
		putObject("end", localStamp(e.Event.End, e.Event.Timezone)),
		putList("attendees", attendees(address, e.Guests)),
	}
	if e.Event.Place != nil || !e.Online {
		d = append(d, putObject("location", location(e.Event.Place)))
	}
	if e.Online {
		d = append(d, putTrue("isOnlineMeeting"), putText("onlineMeetingProvider", "teamsForBusiness"))
	}
	return d
}

// localStamp is t in the zone, so that Outlook shows the event in it; in UTC if Windows has no such zone, or if the
// hour occurs twice and Graph would have to guess.
func localStamp(t time.Time, zone string) document {
	s := stampIn(t, zone)
	return document{putText("dateTime", s.dateTime), putText("timeZone", s.zone)}
}

func stampIn(t time.Time, zone string) stamp {
	inUTC := stamp{t.UTC().Format(wallFormat), "UTC"}
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
func location(p *meet.Place) document {
	if p == nil {
		return document{putText("displayName", "")}
	}
	d := document{putText("displayName", p.Name)}
	if p.Address != "" {
		d = append(d, putObject("address", document{putText("street", p.Address)}))
	}
	if p.Location.Latitude != 0 || p.Location.Longitude != 0 {
		d = append(d, putObject("coordinates", document{
			putNumber("latitude", p.Location.Latitude), putNumber("longitude", p.Location.Longitude),
		}))
	}
	if link := p.MapLink(); link != "" {
		d = append(d, putText("locationUri", link))
	}
	return d
}

// attendees are the guests with an address, each once, without the owner of the calendar.
func attendees(owner string, guests []meet.Participant) []document {
	invited := map[string]bool{strings.ToLower(owner): true, "": true}
	list := []document{}
	for _, g := range guests {
		key := strings.ToLower(strings.TrimSpace(g.Email))
		if _, err := mail.ParseAddress(key); err != nil || invited[key] {
			continue
		}
		invited[key] = true
		list = append(list, document{
			putText("type", "required"),
			putObject("emailAddress", document{putText("address", strings.TrimSpace(g.Email)), putText("name", g.Name)}),
		})
	}
	return list
}
