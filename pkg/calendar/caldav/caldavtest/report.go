package caldavtest

import (
	"context"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"convene/pkg/calendar/icalendar"
	"convene/pkg/interval"
)

const namespaces = ` xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/"`

// question is the body of a PROPFIND or REPORT.
type question struct {
	XMLName xml.Name
	Props   struct {
		Names []struct{ XMLName xml.Name } `xml:",any"`
	} `xml:"DAV: prop"`
	Hrefs  []string `xml:"DAV: href"`
	Token  string   `xml:"DAV: sync-token"`
	Filter struct {
		Calendar struct {
			Event struct {
				Time *struct {
					Start string `xml:"start,attr"`
					End   string `xml:"end,attr"`
				} `xml:"urn:ietf:params:xml:ns:caldav time-range"`
				Property *struct {
					Text string `xml:"urn:ietf:params:xml:ns:caldav text-match"`
				} `xml:"urn:ietf:params:xml:ns:caldav prop-filter"`
			} `xml:"urn:ietf:params:xml:ns:caldav comp-filter"`
		} `xml:"urn:ietf:params:xml:ns:caldav comp-filter"`
	} `xml:"urn:ietf:params:xml:ns:caldav filter"`
}

func body(r *http.Request) string {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return ""
	}
	return string(data)
}

func ask(w http.ResponseWriter, r *http.Request) (q question, ok bool) {
	if err := xml.Unmarshal([]byte(body(r)), &q); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return q, false
	}
	return q, true
}

// refuse names the precondition that does not hold.
func refuse(w http.ResponseWriter, condition string) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusForbidden)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><d:error%s>%s</d:error>`, namespaces, condition)
}

// answers is a multistatus in the making.
type answers struct{ strings.Builder }

// props answers with those of the wanted properties that there are.
func (a *answers) props(href string, q question, has map[string]string) {
	var found, missing strings.Builder
	for _, p := range q.Props.Names {
		element := prefixed(p.XMLName)
		if value, ok := has[p.XMLName.Local]; ok {
			fmt.Fprintf(&found, "<%s>%s</%s>", element, value, element)
		} else {
			fmt.Fprintf(&missing, "<%s/>", element)
		}
	}
	fmt.Fprintf(a, "<d:response><d:href>%s</d:href>", html.EscapeString(href))
	if found.Len() > 0 {
		fmt.Fprintf(a, "<d:propstat><d:prop>%s</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>", found.String())
	}
	if missing.Len() > 0 {
		fmt.Fprintf(a, "<d:propstat><d:prop>%s</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>",
			missing.String())
	}
	a.WriteString("</d:response>")
}

func prefixed(name xml.Name) string {
	switch name.Space {
	case "DAV:":
		return "d:" + name.Local
	case "urn:ietf:params:xml:ns:caldav":
		return "c:" + name.Local
	default:
		return "cs:" + name.Local
	}
}

func (a *answers) status(href, status string) {
	fmt.Fprintf(a, "<d:response><d:href>%s</d:href><d:status>HTTP/1.1 %s</d:status></d:response>",
		html.EscapeString(href), status)
}

func (a *answers) send(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.WriteHeader(http.StatusMultiStatus)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0"?><d:multistatus%s>%s</d:multistatus>`, namespaces, a.String())
}

func href(p string) string { return "<d:href>" + p + "</d:href>" }

// propfind answers about the root, the principal, the home, a calendar or an object.
func (s *Server) propfind(w http.ResponseWriter, r *http.Request) {
	q, ok := ask(w, r)
	if !ok {
		return
	}
	var a answers
	c := s.calendars[r.URL.Path]
	switch {
	case c != nil:
		a.props(r.URL.Path, q, s.propsOf(c))
		if r.Header.Get("Depth") == "1" {
			for _, name := range slices.Sorted(maps.Keys(c.objects)) {
				a.props(r.URL.Path+url.PathEscape(name), q, s.objectProps(c.objects[name]))
			}
		}
	case r.URL.Path == s.home():
		a.props(s.home(), q, map[string]string{
			"resourcetype": "<d:collection/>", "current-user-principal": href(s.principal()),
		})
		if r.Header.Get("Depth") == "1" {
			for _, at := range slices.Sorted(maps.Keys(s.calendars)) {
				a.props(at, q, s.propsOf(s.calendars[at]))
			}
		}
	case r.URL.Path == s.principal():
		a.props(s.principal(), q, s.principalProps())
	case r.URL.Path == "/dav/":
		a.props("/dav/", q, map[string]string{"current-user-principal": href(s.principal())})
	default:
		http.NotFound(w, r)
		return
	}
	a.send(w)
}

func (s *Server) principalProps() map[string]string {
	home := s.home()
	if s.o.HomeHost != "" {
		home = "https://" + s.o.HomeHost + ":443" + home
	}
	var addresses strings.Builder
	for i, a := range s.o.Addresses {
		preferred := ""
		if i == 0 {
			preferred = ` preferred="1"`
		}
		fmt.Fprintf(&addresses, "<d:href%s>%s</d:href>", preferred, html.EscapeString(a))
	}
	return map[string]string{
		"calendar-home-set": href(home), "calendar-user-address-set": addresses.String(),
		"current-user-principal": href(s.principal()),
	}
}

func (s *Server) propsOf(c *shelf) map[string]string {
	all := maps.Clone(c.props)
	if !s.o.NoSync {
		all["sync-token"] = s.token(c.version)
		all["supported-report-set"] = "<d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report>"
	}
	if !s.o.NoCTag {
		all["getctag"] = fmt.Sprint(c.version)
	}
	return all
}

func (s *Server) objectProps(o stored) map[string]string {
	all := map[string]string{"resourcetype": "", "calendar-data": html.EscapeString(o.data)}
	if !s.o.NoETag {
		all["getetag"] = html.EscapeString(o.etag)
	}
	return all
}

func (s *Server) token(version int) string { return fmt.Sprintf("urn:sync:%d:%d", s.epoch, version) }

func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	q, ok := ask(w, r)
	if !ok {
		return
	}
	c := s.calendars[r.URL.Path]
	switch {
	case c == nil:
		http.NotFound(w, r)
	case q.XMLName.Local == "calendar-query":
		s.query(w, r, c, q)
	case q.XMLName.Local == "calendar-multiget":
		s.multiget(w, c, q)
	case q.XMLName.Local == "sync-collection" && !s.o.NoSync:
		s.sync(w, r, c, q)
	default:
		refuse(w, "<d:supported-report/>")
	}
}

func (s *Server) query(w http.ResponseWriter, r *http.Request, c *shelf, q question) {
	event := q.Filter.Calendar.Event
	switch {
	case s.o.NoQuery:
		http.Error(w, "no queries", http.StatusNotImplemented)
		return
	case s.o.NoTimeRange && event.Time != nil:
		refuse(w, "<c:supported-filter/>")
		return
	}
	var a answers
	for _, name := range slices.Sorted(maps.Keys(c.objects)) {
		o := c.objects[name]
		if event.Time != nil && !inTime(r.Context(), o.data, event.Time.Start, event.Time.End) ||
			event.Property != nil && !strings.Contains(o.data, "UID:"+event.Property.Text) {
			continue
		}
		props := s.objectProps(o)
		if s.o.NoData {
			delete(props, "calendar-data")
		}
		a.props(r.URL.Path+url.PathEscape(name), q, props)
	}
	a.send(w)
}

// inTime reports whether an object may overlap the time. One that cannot be read may.
func inTime(ctx context.Context, data, start, end string) bool {
	const layout = "20060102T150405Z"
	from, err1 := time.Parse(layout, start)
	to, err2 := time.Parse(layout, end)
	schedule, err3 := icalendar.Parse([]byte(data))
	if err1 != nil || err2 != nil || err3 != nil {
		return true
	}
	taken, unknown, err := schedule.Occurrences(ctx, interval.Span{Start: from, End: to}, icalendar.Owner{})
	return err != nil || len(taken) > 0 || len(unknown) > 0
}

func (s *Server) multiget(w http.ResponseWriter, c *shelf, q question) {
	var a answers
	for _, ref := range q.Hrefs {
		name := ""
		if u, err := url.Parse(ref); err == nil {
			_, name = s.at(u.Path)
		}
		if o, ok := c.objects[name]; ok {
			a.props(ref, q, s.objectProps(o))
		} else {
			a.status(ref, "404 Not Found")
		}
	}
	a.send(w)
}

// sync lists what has changed since the token, oldest change first.
func (s *Server) sync(w http.ResponseWriter, r *http.Request, c *shelf, q question) {
	var epoch, since int
	if q.Token != "" {
		if n, err := fmt.Sscanf(q.Token, "urn:sync:%d:%d", &epoch, &since); err != nil || n != 2 || epoch != s.epoch {
			refuse(w, "<d:valid-sync-token/>")
			return
		}
	}
	names := slices.SortedFunc(maps.Keys(c.changed), func(a, b string) int { return c.changed[a] - c.changed[b] })
	names = slices.DeleteFunc(names, func(name string) bool { return c.changed[name] <= since })
	upTo := c.version
	var a answers
	if s.o.SyncPage > 0 && len(names) > s.o.SyncPage {
		names = names[:s.o.SyncPage]
		upTo = c.changed[names[len(names)-1]]
		a.status(r.URL.Path, "507 Insufficient Storage")
	}
	for _, name := range names {
		at := r.URL.Path + url.PathEscape(name)
		if o, ok := c.objects[name]; ok {
			a.props(at, q, s.objectProps(o))
		} else {
			a.status(at, "404 Not Found")
		}
	}
	fmt.Fprintf(&a, "<d:sync-token>%s</d:sync-token>", s.token(upTo))
	a.send(w)
}
