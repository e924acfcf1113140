package microsofttest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// window is the time that a view is of.
func window(r *http.Request) (from, until time.Time, err error) {
	from, err1 := time.Parse(time.RFC3339, r.URL.Query().Get("startDateTime"))
	until, err2 := time.Parse(time.RFC3339, r.URL.Query().Get("endDateTime"))
	if err1 != nil || err2 != nil {
		return from, until, failure{http.StatusBadRequest, "ErrorInvalidParameter"}
	}
	return from, until, nil
}

func (s *Server) view(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	c, err := m.calendar(r)
	if err != nil {
		return 0, nil, err
	}
	if c.Hidden {
		return 0, nil, failure{http.StatusForbidden, "ErrorAccessDenied"}
	}
	if r.URL.Query().Has("$skiptoken") {
		return s.page(r, nil, "")
	}
	from, until, err := window(r)
	if err != nil {
		return 0, nil, err
	}
	var items []map[string]any
	for _, e := range c.events {
		for _, i := range e.instances(from, until) {
			items = append(items, selected(r, i.full()))
		}
	}
	return s.page(r, items, "")
}

// delta tells what changed in a view, the first time all that is in it.
func (s *Server) delta(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	c, err := m.calendar(r)
	if err != nil {
		return 0, nil, err
	}
	q := r.URL.Query()
	for _, refused := range []string{"$select", "$expand", "$filter", "$orderby", "$search"} {
		if q.Has(refused) {
			return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidUrlQuery"}
		}
	}
	if c.Hidden {
		return 0, nil, failure{http.StatusForbidden, "ErrorAccessDenied"}
	}
	if q.Has("$skiptoken") {
		return s.page(r, nil, "")
	}
	since := 0
	if token := q.Get("$deltatoken"); token != "" {
		before, known := s.links[token]
		if !known {
			return 0, nil, failure{http.StatusGone, "syncStateNotFound"}
		}
		since = before.since
		r.URL.RawQuery = before.end // the window that the token stands for
	}
	from, until, err := window(r)
	if err != nil {
		return 0, nil, err
	}
	next := s.keep(continuation{end: r.URL.RawQuery, since: s.version})
	return s.page(r, c.changes(since, from, until), next)
}

// changes are what a delta tells of a calendar since a version.
func (c *Calendar) changes(since int, from, until time.Time) (items []map[string]any) {
	for _, e := range c.events {
		if e.version <= since {
			continue
		}
		within := e.instances(from, until)
		switch {
		case len(within) == 0 && since > 0:
			items = append(items, removed(e.ID))
		case len(within) > 0 && e.repeats():
			items = append(items, e.master())
		}
		for _, i := range within {
			if i.kind == "occurrence" {
				items = append(items, i.bare())
			} else {
				items = append(items, i.full())
			}
		}
	}
	for _, g := range c.gone {
		if g.version > since && since > 0 {
			items = append(items, removed(g.id))
		}
	}
	return items
}

func removed(id string) map[string]any {
	return map[string]any{"id": id, "@removed": map[string]any{"reason": "deleted"}}
}

var (
	// byProperty is the documented filter on an extended property; withProperty the expansion of one.
	byProperty = regexp.MustCompile(`^singleValueExtendedProperties/Any\(ep: ep/id eq '([^']+)' and ep/value eq ` +
		`'((?:[^']|'')*)'\)$`)
	withProperty = regexp.MustCompile(`^singleValueExtendedProperties\(\$filter=id eq '([^']+)'\)` +
		`(,exceptionOccurrences)?$`)
)

// search finds events by an extended property. The property itself does not come with them.
func (s *Server) search(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	c, err := m.calendar(r)
	if err != nil {
		return 0, nil, err
	}
	match := byProperty.FindStringSubmatch(r.URL.Query().Get("$filter"))
	if match == nil {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidUrlQueryFilter"}
	}
	if c.Hidden {
		return 0, nil, failure{http.StatusForbidden, "ErrorAccessDenied"}
	}
	items := []map[string]any{}
	for _, e := range c.events {
		if strings.EqualFold(e.properties[match[1]], strings.ReplaceAll(match[2], "''", "'")) &&
			e.properties[match[1]] != "" {
			items = append(items, selected(r, e.whole()))
		}
	}
	return s.page(r, items, "")
}

func (e *Event) whole() map[string]any {
	if e.repeats() {
		return e.master()
	}
	return instance{Event: e, start: e.Start, end: e.End, kind: "singleInstance", from: e.Start}.full()
}

func (s *Server) one(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	_, i, err := m.event(r.PathValue("event"))
	if err != nil {
		return 0, nil, err
	}
	whole := i.full()
	if i.series == nil {
		whole = i.whole()
	}
	out := selected(r, whole)
	if expand := r.URL.Query().Get("$expand"); expand != "" {
		match := withProperty.FindStringSubmatch(expand)
		if match == nil {
			return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidUrlQuery"}
		}
		if value, ok := i.properties[match[1]]; ok {
			out["singleValueExtendedProperties"] = []map[string]any{{"id": match[1], "value": value}}
		}
		if exceptions, ok := whole["exceptionOccurrences"]; ok && match[2] != "" {
			out["exceptionOccurrences"] = exceptions
		}
	}
	return http.StatusOK, out, nil
}

// instances are the occurrences of a series in a window.
func (s *Server) instances(m *Mailbox, r *http.Request, _ []byte) (int, any, error) {
	_, series, err := m.event(r.PathValue("event"))
	if err != nil {
		return 0, nil, err
	}
	if r.URL.Query().Has("$skiptoken") {
		return s.page(r, nil, "")
	}
	from, until, err := window(r)
	if err != nil {
		return 0, nil, err
	}
	var items []map[string]any
	for _, i := range series.instances(from, until) {
		items = append(items, selected(r, i.full()))
	}
	return s.page(r, items, "")
}

// batch answers requests for single events, at most 20.
func (s *Server) batch(m *Mailbox, whole *http.Request, body []byte) (int, any, error) {
	var asked struct {
		Requests []struct {
			ID, Method, URL string
			Headers         map[string]string
		}
	}
	if json.Unmarshal(body, &asked) != nil || len(asked.Requests) == 0 || len(asked.Requests) > 20 {
		return 0, nil, failure{http.StatusBadRequest, "BadRequest"}
	}
	answers := []map[string]any{}
	for _, one := range asked.Requests {
		r, err := http.NewRequestWithContext(whole.Context(), one.Method,
			"https://graph.microsoft.com/v1.0"+one.URL, http.NoBody)
		if err != nil {
			return 0, nil, failure{http.StatusBadRequest, "BadRequest"}
		}
		r.SetPathValue("event", strings.TrimPrefix(r.URL.Path, "/v1.0/me/events/"))
		status, answer, err := s.one(m, r, nil)
		if err != nil {
			status, answer = http.StatusNotFound, map[string]any{"error": map[string]any{"code": err.Error()}}
		}
		answers = append(answers, map[string]any{"id": one.ID, "status": status, "body": answer})
	}
	return http.StatusOK, map[string]any{"responses": answers}, nil
}

// schedule tells the free and busy times of mailboxes' main calendars.
func (s *Server) schedule(_ *Mailbox, _ *http.Request, body []byte) (int, any, error) {
	var asked struct {
		Schedules          []string
		StartTime, EndTime stamp
	}
	if json.Unmarshal(body, &asked) != nil || len(asked.Schedules) == 0 {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidParameter"}
	}
	from, err1 := asked.StartTime.moment()
	until, err2 := asked.EndTime.moment()
	if err1 != nil || err2 != nil || until.Sub(from) > 62*24*time.Hour {
		return 0, nil, failure{http.StatusBadRequest, "ErrorInvalidTimeInterval"}
	}
	answers := []map[string]any{}
	for _, address := range asked.Schedules {
		answers = append(answers, s.scheduleOf(address, from, until))
	}
	return http.StatusOK, map[string]any{"value": answers}, nil
}

func (s *Server) scheduleOf(address string, from, until time.Time) map[string]any {
	for _, m := range s.mailboxes {
		if !strings.EqualFold(m.Address, address) {
			continue
		}
		items := []map[string]any{}
		for _, e := range m.calendars[0].events {
			for _, i := range e.instances(from, until) {
				start, end := i.kept()
				items = append(items, map[string]any{
					"status": cmp.Or(i.ShowAs, "busy"), "start": stamped(start), "end": stamped(end),
				})
			}
		}
		return map[string]any{"scheduleId": address, "availabilityView": "0", "scheduleItems": items}
	}
	return map[string]any{"scheduleId": address, "error": map[string]any{"responseCode": "ErrorMailRecipientNotFound"}}
}
