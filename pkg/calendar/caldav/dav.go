package caldav

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"convene/pkg/interval"
)

// The names of properties and reports in requests.
const (
	propPrincipal   = "d:current-user-principal"
	propOwner       = "d:owner"
	propType        = "d:resourcetype"
	propName        = "d:displayname"
	propPrivileges  = "d:current-user-privilege-set"
	propReports     = "d:supported-report-set"
	propToken       = "d:sync-token"
	propETag        = "d:getetag"
	propHome        = "c:calendar-home-set"
	propAddresses   = "c:calendar-user-address-set"
	propComponents  = "c:supported-calendar-component-set"
	propZone        = "c:calendar-timezone"
	propTransparent = "c:schedule-calendar-transp"
	propDefault     = "c:schedule-default-calendar-URL"
	propData        = "c:calendar-data"
	propCTag        = "cs:getctag"
)

const namespaces = ` xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"`

// document is a request's body: the root element with its content.
func document(root string, content ...string) []byte {
	return []byte(xml.Header + "<" + root + namespaces + ">" + strings.Join(content, "") + "</" + root + ">")
}

// wanted is the prop element that asks for properties.
func wanted(names ...string) string {
	return "<d:prop><" + strings.Join(names, "/><") + "/></d:prop>"
}

// text is an element with escaped text.
func text(name, content string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(content)) // a bytes.Buffer takes everything
	return "<" + name + ">" + b.String() + "</" + name + ">"
}

func propfindBody(names ...string) []byte { return document("d:propfind", wanted(names...)) }

// The components of the objects that are read.
const (
	vevent = "VEVENT"
	vtodo  = "VTODO"
)

// queryBody asks for the objects with a component that passes the filter, which is empty for all.
func queryBody(component, filter string) []byte {
	return document("c:calendar-query", wanted(propETag, propData),
		`<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="`, component, `">`, filter,
		`</c:comp-filter></c:comp-filter></c:filter>`)
}

const (
	// earlier and later widen the requested time. Servers differ in the zone of floating times and whole days, and
	// Radicale takes an event with a DURATION in days for a single moment: one that began a month before the span would be
	// missed.
	earlier = 32 * 24 * time.Hour
	later   = 24 * time.Hour
)

// inTime passes events that may overlap the span, and others near it.
func inTime(span interval.Span) string {
	const layout = "20060102T150405Z"
	wide := span.Widen(earlier, later)
	return fmt.Sprintf(`<c:time-range start="%s" end="%s"/>`, wide.Start.UTC().Format(layout),
		wide.End.UTC().Format(layout))
}

// withUID passes events with the UID, and maybe some with a similar one.
func withUID(uid string) string {
	return `<c:prop-filter name="UID"><c:text-match collation="i;octet">` +
		strings.TrimSuffix(strings.TrimPrefix(text("x", uid), "<x>"), "</x>") +
		`</c:text-match></c:prop-filter>`
}

func multigetBody(hrefs []string) []byte {
	content := []string{wanted(propETag, propData)}
	for _, href := range hrefs {
		content = append(content, text("d:href", href))
	}
	return document("c:calendar-multiget", content...)
}

func syncBody(token string) []byte {
	return document("d:sync-collection", text("d:sync-token", token), "<d:sync-level>1</d:sync-level>", wanted(propETag))
}

// multistatus is the answer of PROPFIND and REPORT (RFC 4918, 14.16).
type multistatus struct {
	XMLName   xml.Name   `xml:"DAV: multistatus"`
	Responses []response `xml:"DAV: response"`
	SyncToken string     `xml:"DAV: sync-token"`
}

// response is a multistatus' answer about one resource: a status of the whole, or one for each set of properties.
type response struct {
	Hrefs     []string   `xml:"DAV: href"`
	Status    string     `xml:"DAV: status"`
	Propstats []propstat `xml:"DAV: propstat"`
}

type propstat struct {
	Status string `xml:"DAV: status"`
	Prop   prop   `xml:"DAV: prop"`
}

// prop has every property that is requested anywhere.
type prop struct {
	Principal   hrefs      `xml:"DAV: current-user-principal"`
	Owner       hrefs      `xml:"DAV: owner"`
	Type        named      `xml:"DAV: resourcetype"`
	Name        string     `xml:"DAV: displayname"`
	Privileges  *grants    `xml:"DAV: current-user-privilege-set"`
	Reports     *reports   `xml:"DAV: supported-report-set"`
	Token       string     `xml:"DAV: sync-token"`
	ETag        string     `xml:"DAV: getetag"`
	Home        hrefs      `xml:"urn:ietf:params:xml:ns:caldav calendar-home-set"`
	Addresses   hrefs      `xml:"urn:ietf:params:xml:ns:caldav calendar-user-address-set"`
	Components  components `xml:"urn:ietf:params:xml:ns:caldav supported-calendar-component-set"`
	Zone        string     `xml:"urn:ietf:params:xml:ns:caldav calendar-timezone"`
	Transparent named      `xml:"urn:ietf:params:xml:ns:caldav schedule-calendar-transp"`
	Default     hrefs      `xml:"urn:ietf:params:xml:ns:caldav schedule-default-calendar-URL"`
	Data        string     `xml:"urn:ietf:params:xml:ns:caldav calendar-data"`
	CTag        string     `xml:"http://calendarserver.org/ns/ getctag"`
}

// hrefs are addresses in a property. Some servers mark the preferred one.
type hrefs struct {
	List []struct {
		Value     string `xml:",chardata"`
		Preferred string `xml:"preferred,attr"`
	} `xml:"DAV: href"`
}

// first is the first address; empty if there is none.
func (h hrefs) first() string {
	if len(h.List) == 0 {
		return ""
	}
	return strings.TrimSpace(h.List[0].Value)
}

// named is a property whose value is the names of its child elements.
type named struct {
	Elements []struct{ XMLName xml.Name } `xml:",any"`
}

func (n named) has(local string) bool {
	for _, e := range n.Elements {
		if e.XMLName.Local == local {
			return true
		}
	}
	return false
}

type grants struct {
	Privileges []named `xml:"DAV: privilege"`
}

// allow reports whether any of the privileges is granted. A server that lists none allows everything until it refuses.
func (g *grants) allow(privileges ...string) bool {
	if g == nil {
		return true
	}
	for _, granted := range g.Privileges {
		for _, p := range privileges {
			if granted.has(p) {
				return true
			}
		}
	}
	return false
}

type reports struct {
	Supported []struct {
		Report named `xml:"DAV: report"`
	} `xml:"DAV: supported-report"`
}

// offer reports whether the server has the report. One that lists none is assumed to have it.
func (r *reports) offer(report string) bool {
	if r == nil {
		return true
	}
	for _, s := range r.Supported {
		if s.Report.has(report) {
			return true
		}
	}
	return false
}

type components struct {
	List []struct {
		Name string `xml:"name,attr"`
	} `xml:"urn:ietf:params:xml:ns:caldav comp"`
}

// take reports whether the calendar takes a component; one without a list takes everything.
func (c components) take(component string) bool {
	for _, one := range c.List {
		if strings.EqualFold(one.Name, component) {
			return true
		}
	}
	return len(c.List) == 0
}

// href is the address of the response's resource.
func (r response) href() string {
	if len(r.Hrefs) == 0 {
		return ""
	}
	return strings.TrimSpace(r.Hrefs[0])
}

// status is the status of the whole resource; 200 if the response has properties instead.
func (r response) status() int { return statusOf(r.Status) }

// found are the properties that were given; ok is false if there are none.
func (r response) found() (p prop, ok bool) {
	for _, s := range r.Propstats {
		if statusOf(s.Status)/100 == 2 {
			return s.Prop, true
		}
	}
	return prop{}, false
}

// statusOf reads the code in a status line such as "HTTP/1.1 404 Not Found".
func statusOf(line string) int {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return http.StatusOK
	}
	if len(fields) > 1 {
		if code, err := strconv.Atoi(fields[1]); err == nil {
			return code
		}
	}
	return http.StatusInternalServerError
}

// errNotDAV says that an answer is not CalDAV: a login page, a proxy's error, half a document.
var errNotDAV = errors.New("the answer is not of a CalDAV server")

// parseMultistatus reads a whole answer. A document of another kind, or one that is cut short, is an error.
func parseMultistatus(body []byte) (multistatus, error) {
	var m multistatus
	d := xml.NewDecoder(bytes.NewReader(bytes.Map(printable, body)))
	if err := d.Decode(&m); err != nil {
		return multistatus{}, fmt.Errorf("%w: %w", errNotDAV, err)
	}
	return m, nil
}

// printable removes the control characters that some servers copy from an event's description, and that would make the
// whole answer unreadable.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == '\uFFFE' || r == '\uFFFF' {
		return ' '
	}
	return r
}

// conditions are the preconditions in an error's body (RFC 4918, 16).
func conditions(body []byte) []string {
	var e struct {
		XMLName xml.Name `xml:"DAV: error"`
		named
	}
	if xml.Unmarshal(body, &e) != nil {
		return nil
	}
	names := make([]string, len(e.Elements))
	for i, condition := range e.Elements {
		names[i] = condition.XMLName.Local
	}
	return names
}
