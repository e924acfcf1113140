package icalendar

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"convene/pkg/meet"
)

// Method says what a file is for (RFC 5546).
type Method string

const (
	// Publish is a file to download. As RFC 5546 requires, it names the organizer and has no attendees, so that adding it
	// to a calendar sends nothing; the others are in the description.
	Publish Method = "PUBLISH"
	// Request invites the attendees, or informs them of a change.
	Request Method = "REQUEST"
	// Cancel cancels earlier sequences of the event. It names all invited people.
	Cancel Method = "CANCEL"
)

// Options are a file's properties beside the event.
type Options struct {
	// Method defaults to Cancel for a cancelled event, and to Publish for others.
	Method Method
	// Stamp is the file's DTSTAMP. It is required.
	Stamp time.Time
	// URL is an https page about the event; anything else is left out.
	URL string
	// Description comes before the people, the place and the travel time.
	Description string
}

// Calendar is the event as an RFC 5545 file, with the definition of its time zone. Text by people (names, titles,
// addresses) cannot break out of its property. An event without a UID or time is an error, because no calendar could
// identify it.
func Calendar(e meet.Event, o Options) ([]byte, error) {
	switch {
	case o.Method != "":
	case e.Status == meet.Cancelled:
		o.Method = Cancel
	default:
		o.Method = Publish
	}
	return file(e, o, "METHOD:"+string(o.Method))
}

// file is a calendar of the event, with more properties of the calendar's own.
func file(e meet.Event, o Options, more ...string) ([]byte, error) {
	switch {
	case e.UID == "":
		return nil, errors.New("write calendar: event without a UID")
	case !e.Start.Before(e.End):
		return nil, errors.New("write calendar: event does not end after it starts")
	case o.Stamp.IsZero():
		return nil, errors.New("write calendar: no time stamp")
	}
	var w writer
	w.begin(more...)
	zone := eventZone(e)
	if zone != time.UTC {
		w.timezone(zone, e.Start, e.End)
	}
	w.event(e, o, zone)
	w.line("END", "VCALENDAR")
	return []byte(w.b.String()), nil
}

// begin begins a calendar with these properties.
func (w *writer) begin(more ...string) {
	for _, line := range append([]string{
		"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Convene//Convene//EN", "CALSCALE:GREGORIAN",
	}, more...) {
		w.fold(line)
	}
}

// eventZone is the zone in which the event's times are written; UTC if its zone is unknown.
func eventZone(e meet.Event) *time.Location {
	loc, err := time.LoadLocation(e.Timezone)
	if err != nil || e.Timezone == "Local" || loc.String() == "UTC" {
		return time.UTC
	}
	return loc
}

func (w *writer) event(e meet.Event, o Options, zone *time.Location) {
	w.line("BEGIN", "VEVENT")
	w.text("UID", e.UID)
	w.line("SEQUENCE", fmt.Sprint(e.Sequence))
	w.line("DTSTAMP", utc(o.Stamp))
	w.time("DTSTART", e.Start, zone)
	w.time("DTEND", e.End, zone)
	w.text("SUMMARY", e.Title)
	w.line("STATUS", status(e, o.Method))
	if e.Place != nil {
		w.text("LOCATION", placeLine(*e.Place))
		if p := e.Place.Location; p.Latitude != 0 || p.Longitude != 0 {
			w.line("GEO", fmt.Sprintf("%.6f;%.6f", p.Latitude, p.Longitude))
		}
	}
	w.text("DESCRIPTION", description(e, o))
	if link, ok := httpsURL(o.URL); ok {
		w.line("URL", link)
	}
	if link, ok := httpsURL(e.JoinURL); ok {
		w.line("CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO", link) // RFC 7986, 5.11
	}
	w.people(e.Participants, o.Method)
	w.line("END", "VEVENT")
}

func status(e meet.Event, method Method) string {
	switch {
	case method == Cancel || e.Status == meet.Cancelled:
		return "CANCELLED"
	case e.Status == meet.Confirmed:
		return "CONFIRMED"
	default:
		return "TENTATIVE"
	}
}

func placeLine(p meet.Place) string {
	if p.Address == "" {
		return p.Name
	}
	return p.Name + ", " + p.Address
}

// description has the facts without a property of their own.
func description(e meet.Event, o Options) string {
	var parts []string
	if o.Description != "" {
		parts = append(parts, o.Description)
	}
	var names []string
	for _, p := range e.Participants {
		names = append(names, p.Name)
	}
	if len(names) > 0 {
		parts = append(parts, "With "+strings.Join(names, ", ")+".")
	}
	if b := e.TravelBuffer.Shared(); b.BeforeMinutes > 0 || b.AfterMinutes > 0 {
		parts = append(parts, fmt.Sprintf("Travel time to keep free: %d minutes before, %d minutes after.",
			b.BeforeMinutes, b.AfterMinutes))
	}
	if e.Place != nil {
		if link, ok := httpsURL(e.Place.MapsURL); ok {
			parts = append(parts, "Map: "+link)
		}
	}
	if link, ok := httpsURL(e.JoinURL); ok {
		parts = append(parts, "Join: "+link)
	}
	return strings.Join(parts, "\n")
}

// people writes the organizer, who is first, and the attendees, except those without an address.
func (w *writer) people(people []meet.Participant, method Method) {
	for i, p := range people {
		email, ok := mailto(p.Email)
		switch {
		case !ok:
		case i == 0:
			w.line("ORGANIZER"+commonName(p.Name), email)
		case method == Cancel: // without a request to answer
			w.line("ATTENDEE"+commonName(p.Name)+";ROLE=REQ-PARTICIPANT", email)
		case method != Publish:
			w.line("ATTENDEE"+commonName(p.Name)+";ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE", email)
		}
	}
}

// mailto is a plain email address as a URI; ok is false for anything else.
func mailto(email string) (uri string, ok bool) {
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || strings.ContainsAny(email, " \"<>\\,;") || hasControl(email) {
		return "", false
	}
	return "mailto:" + email, true
}

// commonName is the CN parameter. A quotation mark is not allowed in a quoted parameter and becomes an apostrophe.
func commonName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case unicode.IsControl(r):
			return ' '
		default:
			return r
		}
	}, strings.ToValidUTF8(name, ""))
	if name = strings.TrimSpace(name); name == "" {
		return ""
	}
	return `;CN="` + name + `"`
}

// httpsURL is raw in normal form, if it is an https URL.
func httpsURL(raw string) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" || u.Host == "" || hasControl(raw) {
		return "", false
	}
	return u.String(), true
}

func hasControl(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl)
}

// writer writes content lines: folded after 75 octets, never inside a character, and ended with CRLF.
type writer struct{ b strings.Builder }

// maxOctets is the maximum length of a line without its CRLF (RFC 5545, 3.1).
const maxOctets = 75

// line writes a property whose value is already in its final form and has no control characters.
func (w *writer) line(name, value string) { w.fold(name + ":" + value) }

// fold writes a whole content line.
func (w *writer) fold(rest string) {
	limit := maxOctets
	for len(rest) > limit {
		cut := limit
		for cut > 1 && !utf8.RuneStart(rest[cut]) {
			cut--
		}
		w.b.WriteString(rest[:cut] + "\r\n ")
		rest = rest[cut:]
		limit = maxOctets - 1
	}
	w.b.WriteString(rest + "\r\n")
}

// text writes text by people. An empty text is left out.
func (w *writer) text(name, text string) {
	if text = escape(strings.TrimSpace(text)); text != "" {
		w.line(name, text)
	}
}

// escape makes text a TEXT value (RFC 5545, 3.3.11): line ends become \n, and other control characters are removed.
func escape(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").
		Replace(strings.ToValidUTF8(text, ""))
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\\' || r == ';' || r == ',':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteRune(' ')
		case !unicode.IsControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

const wallLayout = "20060102T150405"

func utc(t time.Time) string { return t.UTC().Format(wallLayout) + "Z" }

// time writes t in the zone, or as UTC if its wall time occurs twice.
func (w *writer) time(name string, t time.Time, zone *time.Location) {
	if zone == time.UTC || !momentIn(wallOf(t.In(zone)), zone).Equal(t.Truncate(time.Second)) {
		w.line(name, utc(t))
		return
	}
	w.line(name+";TZID="+zone.String(), t.In(zone).Format(wallLayout))
}

// timezone writes the zone by the tz database, from the change before the event to the one after it.
func (w *writer) timezone(zone *time.Location, start, end time.Time) {
	w.line("BEGIN", "VTIMEZONE")
	w.line("TZID", zone.String())
	for t, written := start.In(zone), 0; written == 0 || t.Before(end.AddDate(1, 0, 0)); written++ {
		begin, next := t.ZoneBounds()
		w.observance(t, begin)
		if next.IsZero() {
			break
		}
		t = next
	}
	w.line("END", "VTIMEZONE")
}

// observance writes the offset in force at t since begin; the zero begin is the start of the zone.
func (w *writer) observance(t, begin time.Time) {
	name, to := t.Zone()
	from, onset := to, "19700101T000000"
	if !begin.IsZero() {
		_, from = begin.Add(-time.Second).Zone()
		onset = begin.UTC().Add(time.Duration(from) * time.Second).Format(wallLayout)
	}
	kind := "STANDARD"
	if t.IsDST() {
		kind = "DAYLIGHT"
	}
	w.line("BEGIN", kind)
	w.line("DTSTART", onset)
	w.line("TZOFFSETFROM", offset(from))
	w.line("TZOFFSETTO", offset(to))
	w.line("TZNAME", name)
	w.line("END", kind)
}

// offset is +hhmm, with seconds only if there are any.
func offset(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	if s := seconds % 60; s != 0 {
		return fmt.Sprintf("%c%02d%02d%02d", sign, seconds/3600, seconds/60%60, s)
	}
	return fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds/60%60)
}
